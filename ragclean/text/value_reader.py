"""Read values out of folded text: one scan for numbers, then what stands before and after each of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragclean.text import calendar, numerals
from ragclean.text.calendar import MONTH_FIRST, CalendarDate
from ragclean.text.numerals import HAN_MULTIPLIER, HAN_NUMERAL, parse_english, parse_han
from ragclean.text.units import (
    DATA_CONTEXT,
    DATA_LETTER,
    HAN_UNIT,
    HAN_UNIT_AT,
    LATIN_UNIT_AT,
    PREFIX_CURRENCY,
    Unit,
    is_glued_only,
    latin_unit,
)
from ragclean.text.value import Value

MAX_DIGITS = 15
"""Longer digit runs are identifiers; a double could not hold them exactly either."""
MAX_BARE_DIGITS = 7
"""From eight digits on, a number without unit or separators is a telephone, order or account number."""
DATA_WINDOW = 12
"""Characters on either side searched for a word about data that makes 200m two hundred megabytes."""
WINDOW = 24
"""Characters before a number searched for a bound (not more than), a label (version) or a currency."""

_FULL_WIDTH = re.compile("[！-～　]")
_HALF_WIDTH = {i: i - 0xFEE0 for i in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}

_NUMBER = re.compile(
    r"(?P<digits>[0-9]+(?:,[0-9]{3}(?![0-9])){0,5}(?:\.[0-9]+){0,6})"
    rf"|(?P<han>[{HAN_NUMERAL}]+(?:点[零〇一二三四五六七八九]{{1,12}})?)"
    r"|(?P<half>半(?=个?(?:年|月|天|日|小时|钟头|星期|礼拜|季度)(?![板刊间报球径轴])))"
    rf"|(?P<word>(?<![a-z0-9_])(?:{numerals.ENGLISH_NUMBER}|{MONTH_FIRST}"
    r"|an?(?=[ ](?:hour|day|week|month|year|fortnight)(?![a-z]))|q[1-4](?=[ ,/-]{0,2}(?:19|20)[0-9]{2})"
    r"|https?://[!-~]{1,2000}|www\.[!-~]{1,2000}))"
)
_RANGE = re.compile(r"[ ]?(?:--?|~|至|到|—|–|~|or(?=[ ])|to(?=[ ])|and(?=[ ])|或者?|、)[ ]?(?=[0-9零一二三四五六七八九十两百千a-z¥$£€])")
_REPEAT = re.compile(r"[ ]?[(（][ ]?")
_CHAIN = re.compile(r"(?:[x×*/:-][0-9]+(?:\.[0-9]+)?){1,12}")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![a-z])")
_EN_SCALE = re.compile(r"[ ]?(?:(hundred|thousand|million|billion|trillion)|([kmb]|bn)(?![a-z0-9]))")
_HAN_SCALE = re.compile(r"[ ]?([多余几])?(" + "|".join(HAN_MULTIPLIER) + r")([多余])?")
_NOUN = re.compile(r"[ -]([a-z][a-z_-]{1,24})(?:[ ]([a-z]{3,24}))?(?:[ ]([a-z]{3,24}))?")
_NO_NOUN = frozenset(
    "and or of to in on at by for from the a an is are was were be been with as that which than then if but not no "
    "per each every after before within until since during under over into onto when while it its this these those "
    "can may must shall will would should could has have had do does did more less least most all any other times "
    "st nd rd th am pm x versus vs plus minus equals about only also so such we you they he she i our your their his "
    "her my there here what who how where why away ago old later earlier".split()
) - {"times"}

_BEFORE = re.compile(
    r"(?:(?P<upper>不超过|不得超过|不能超过|未超过|不多于|不高于|不大于|不得高于|不晚于|不迟于|最多|至多|最高|最长|最大|最晚|上限(?:为|是)?|封顶|≤|<=|<|小于|低于|少于|不足|未满"
    r"|at most|up to|(?:no|not) (?:more|longer|later|greater|higher) than|not exceed(?:ing)?|maximum(?: of)?|max\.?|within|under"
    r"|(?:less|fewer|lower|shorter) than|below)"
    r"|(?P<lower>不少于|不低于|不小于|不得少于|不得低于|不短于|至少|最少|最低|最短|起码|下限(?:为|是)?|≥|>=|>|大于|高于|超过|多于|超出|满|达到"
    r"|at least|(?:no|not) (?:less|fewer|shorter|earlier) than|minimum(?: of)?|min\.|(?:more|longer|greater|higher) than|over|above"
    r"|exceed(?:s|ing)?|starting (?:at|from))"
    r"|(?P<about>约|约为|大约|大概|近|将近|接近|差不多|about|around|approximately|roughly|nearly|almost|approx\.?|~))[为是达:]?[ ]?$"
)
_BEFORE_LAST = frozenset("过于多高长大晚限为是顶≤=<>足满少低短码≥出到约概近接不达of:. ~多toxhnrwdelyvi.sgm")
_AFTER = re.compile(
    r"[ ]?(?:(?P<upper>\)?(?:以内|之内|内(?![部容存置蒙外在地衣裤饰层胆径核涵陆的心])|以下|及以下|或以下|封顶|为限|or (?:less|fewer|under)|max(?:imum)?(?![a-z])|at (?:the )?most))"
    r"|(?P<lower>以上|及以上|或以上|起步|起(?![计算诉草来到点初诉飞价源始])|or (?:more|longer|above|over)|and (?:above|over|up)|minimum|at least)"
    r"|(?P<about>左右|上下|前后|or so))"
)
_AFTER_FIRST = frozenset(" )以之内及或封为起左上前")

_VERSION_BEFORE = re.compile(
    r"(?:版本号?|固件(?:版本)?|(?<![a-z])(?:version|ver\.?|firmware(?: version)?|release|v))[ ]?(?:为|是|:|至|到|升级到|升级至|不低于|高于|低于|>=|=|\.)?[ ]?$"
)
_VERSION_AFTER = re.compile(r"(?:\.x)?[ ]?(?:版(?![权面块主税式块图画型税])|版本)|\.x(?![a-z0-9])")
_CODE_BEFORE = re.compile(
    r"(?:gb/?t?|iso|iec|rfc|en|din|astm|jis|qb|gb|usb|wi-?fi|win(?:dows)?|android|ios|python|java|php|node|区号|电话|热线|手机号?|传真|邮编|编号|单号|订单号?|工单号?|"
    r"案号|票号|账号|卡号|文号|型号|qq群?|微信号?|tel|phone|fax|hotline|no|nos|id|图|表|附件|附录|注|figure|fig|table|section|chapter|step|page|article|clause|"
    r"appendix|§|item|#|第|错误码|故障码|代码|状态码)[.:： ]{0,2}$"
)
_LABEL_BEFORE = re.compile(r"(?:端口号?|引脚|针脚|频道|通道|ports?|pins?|channel|slot)(?:为|是|:|=| )?[ ]?$")
_BETWEEN = re.compile(r"(?:between|from|从|在|介于)[ ]?$")
_ARTICLE_BEFORE = re.compile(r"(?:within|in|after|for|than|to|least|most|once|over|under|about|lasts?|takes?)[ ]$")
_CURRENCY_BEFORE = re.compile(
    r"(?:(?P<sign>(?:us|hk|nt|au|ca|sg|rmb|cny)?[ ]?[¥￥$£€₹₩])|(?<![a-z])(?P<code>rmb|cny|usd|eur|gbp|hkd|jpy|aud|cad|sgd|inr|rs\.?)|(?P<han>人民币))[: ]?$"
)
_DOLLARS = {"us": "USD", "hk": "HKD", "nt": "TWD", "au": "AUD", "ca": "CAD", "sg": "SGD", "rmb": "CNY", "cny": "CNY"}
_CODES = {"rmb": "CNY", "rs": "INR", "rs.": "INR"}
_HALF_DAY = {"下午": 12, "晚上": 12, "晚": 12, "傍晚": 12, "中午": 12, "午后": 12, "夜里": 12, "夜间": 12,
             "上午": 0, "早上": 0, "早": 0, "凌晨": 0, "清晨": 0, "早晨": 0, "am": 0, "pm": 12}
_HALF_DAY_BEFORE = re.compile(r"(下午|晚上|晚|傍晚|中午|午后|夜里|夜间|上午|早上|早|凌晨|清晨|早晨)[ ]?$")
_CLOCK = re.compile(r"([0-9]{1,2})[:：]([0-9]{2})(?:[:：][0-9]{2})?(?![0-9:])(?:[ ]?([ap])\.?m\.?(?![a-z]))?")
_CLOCK_HOUR = re.compile(r"[ ]?([ap])\.?m\.?(?![a-z])")
_CLOCK_HAN = re.compile(r"[点时](?:钟|整|(?P<half>半)|(?P<quarter>一刻)|(?P<three>三刻)|[ ]?(?P<min>[0-9]{1,2}|[一二三四五]?十[一二三四五六七八九]?|零[一二三四五六七八九])分?)?")

#: Before a Chinese numeral of one character: it belongs to a word (统一, 周三, 第一, 其二, 初五).
_NO_LONE_AFTER = frozenset("第周期拜初双统唯之其专逐单同惟划归进星万合")
_FREQUENCY_BEFORE = re.compile(r"(?:每[年月周日天季次人台户位]{0,2}|仅|只|限|最多|至多|至少|再|各|满)(?:可|能|有|限|领|享|免费|参加|使用|申请|购买|兑换){0,2}$")
_LIST_MARK_BEFORE = re.compile(r"(?:^|[\n。;；:：(（\[【])[ \t]{0,8}[#*>-]{0,6}[ (（\[【]{0,2}$")


_SHARE_WHOLE = {"百": 100.0, "千": 1000.0, "万": 10000.0}


class _Number(NamedTuple):
    start: int
    end: int
    low: float
    high: float
    form: str
    approximate: bool = False


def find_values(folded: str) -> tuple[Value, ...]:
    """Every value in folded text, in order, not overlapping, the longest reading first. Linear time on any input."""
    text = folded.translate(_HALF_WIDTH) if _FULL_WIDTH.search(folded) else folded
    found: list[Value] = []
    position = 0
    search = _NUMBER.search
    match = search(text, position)
    while match is not None:
        value, position = _read(text, match, found)
        if value is not None:
            found.append(value)
        match = search(text, position)
    return tuple(found)


def _read(text: str, m: re.Match[str], before: list[Value]) -> tuple[Value | None, int]:
    """The value that the number at ``m`` makes, and where to go on."""
    start, end = m.span()
    form = m.lastgroup or "word"
    floor = before[-1].end if before else 0
    if form == "digits":
        if _is_inside_code(text, start):
            return None, end
        value = _read_clock(text, start, floor) or _read_date(text, start, floor)
        if value is not None:
            return _with_date_range(text, value)
        if _is_list_mark(text, start, end):
            return None, end
    elif form == "han":
        if end - start <= 5 or text[end : end + 1] in "年月":
            value = _read_date(text, start, floor)
            if value is not None:
                return _with_date_range(text, value)
    elif form != "half":
        form = "word"
        if text[start] in "hw" and ("://" in m[0] or "www." in m[0]):
            return None, end
        if m["month"] or text[start] == "q":
            when = calendar.read_month_first_date(text, start)
            if when is None:
                return None, end
            return _with_date_range(text, _date_value(start, when))
    number = _number(text, m, form)
    if number is None:
        return None, end
    return _read_measure(text, _with_repeat(text, number), floor)


def _number(text: str, m: re.Match[str], form: str) -> _Number | None:
    start, end = m.span()
    raw = m[0]
    if form == "digits":
        if len(raw) > MAX_DIGITS + 6 or raw.count(".") > 1:
            return _Number(start, end, 0.0, 0.0, "dotted") if len(raw) <= 32 else None
        whole, _, decimals = raw.replace(",", "").partition(".")
        if len(whole) > MAX_DIGITS:
            return None
        x = float(f"{whole}.{decimals or 0}")
        return _Number(start, end, x, x, "decimal" if decimals else "digits")
    if form == "half":
        if text[start - 1 : start] in "上下前后大多一两个" and start:
            return None
        return _Number(start, end, 0.5, 0.5, "half")
    if form == "han":
        if end - start > numerals.MAX_HAN_RUN:
            return None
        value = parse_han(raw)
        if value is None:
            if raw in _SHARE_WHOLE and text.startswith("分之", end):
                return _Number(start, end, _SHARE_WHOLE[raw], _SHARE_WHOLE[raw], "han1")
            pair = numerals.han_between(raw) or _han_between_tens(raw)
            return None if pair is None else _Number(start, end, pair[0], pair[1], "pair", True)
        return _Number(start, end, value, value, "han1" if end - start == 1 else "han")
    if raw in ("a", "an"):
        if not _ARTICLE_BEFORE.search(text, max(0, start - WINDOW), start):
            return None
        return _Number(start, end, 1.0, 1.0, "article")
    spoken = parse_english(raw)
    return None if spoken is None else _Number(start, end, spoken, spoken, "word")


def _han_between_tens(raw: str) -> tuple[float, float] | None:
    """十七八, 三四十, 两三百: the numbers between which people place it."""
    if len(raw) != 3:
        return None
    if raw[2] in "十百千万":
        pair = numerals.han_between(raw[:2])
        size = {"十": 10, "百": 100, "千": 1000, "万": 10_000}[raw[2]]
        return None if pair is None else (pair[0] * size, pair[1] * size)
    pair = numerals.han_between(raw[1:])
    return (pair[0] + 10, pair[1] + 10) if pair is not None and raw[0] == "十" else None


def _is_inside_code(text: str, start: int) -> bool:
    """The digits belong to x200, n-07b, gb/t 19001, 1.1.1.1.1.1.1.1, a path or an identifier."""
    if start == 0:
        return False
    c = text[start - 1]
    if "a" <= c <= "z":
        word_start = start - 1
        return not (c == "v" and (word_start == 0 or not _is_word(text[word_start - 1]))) and not (
            text[max(0, start - 3) : start] in ("rmb", "usd", "cny", "hkd", "eur", "gbp") or text[max(0, start - 2) : start] == "rs"
        )
    if c in "_/\\@#" or c in "0123456789":
        return c != "/" or (start > 1 and (text[start - 2] in "/._-" or "a" <= text[start - 2] <= "z"))
    if c in "-.":
        p = text[start - 2] if start > 1 else " "
        return "a" <= p <= "z" or p in "0123456789_" or (c == "." and p in "/\\")
    return False


def _is_word(c: str) -> bool:
    return "a" <= c <= "z" or "0" <= c <= "9" or c == "_"


def _is_list_mark(text: str, start: int, end: int) -> bool:
    """1. or (2) or 3、 or 8.3 at the start of a line or statement; [4] anywhere."""
    after = text[end : end + 1]
    if after not in ".、)]:）】．" and not (after == " " and "." in text[start:end]):
        return False
    if end - start > 8:
        return False
    if after in ")]）】" and text[start - 1 : start] in "([（【" and start:
        return end - start <= 2 and _REPEAT_BEFORE.search(text, max(0, start - 8), start) is None
    if not after or (after in ".:" and _is_word(text[end + 1 : end + 2] or " ") and text[end + 1 : end + 2].isdigit()):
        return False
    return _LIST_MARK_BEFORE.search(text, max(0, start - WINDOW), start) is not None and (end - start <= 3 or "." in text[start:end])


_REPEAT_BEFORE = re.compile(rf"[{HAN_NUMERAL}a-z0-9][ ]?[(（]$")


def _with_repeat(text: str, number: _Number) -> _Number:
    """十五(15)日, thirty (30) days: the number said twice is one number."""
    opening = _REPEAT.match(text, number.end)
    if opening is None:
        return number
    m = _NUMBER.match(text, opening.end())
    if m is None or m.end() >= len(text) or text[m.end()] not in ")）":
        return number
    form = m.lastgroup if m.lastgroup in ("digits", "han") else "word"
    again = _number(text, m, form)
    if again is None or again.low != number.low:
        return number
    form = number.form if number.form in ("digits", "decimal") else "digits"
    return number._replace(end=m.end() + 1, form=form)


class _Measure(NamedTuple):
    unit: Unit
    end: int
    factor: float = 1.0
    extra: float = 0.0
    """Halves said after the unit (两年半), in units."""
    approximate: bool = False
    word: str = ""


def _read_measure(text: str, n: _Number, floor: int) -> tuple[Value | None, int]:
    start = n.start
    if n.form in ("digits", "dotted", "decimal"):
        stop = _skip_chain(text, n)
        if stop is not None:
            return None, stop
        version = _read_version(text, n, floor)
        if version is not None:
            return version, version.end
        if n.form == "dotted":
            return None, n.end
    if start and text[start - 1] == "第":
        return None, n.end
    n, multiplier_end = _with_multiplier(text, n)
    measure = _unit_at(text, n)
    second: _Number | None = None
    reach = measure.end if measure else n.end
    follow = _RANGE.match(text, reach) if n.form != "article" else None
    if follow is not None:
        second, other = _second_end(text, n, measure, follow, floor)
        if second is not None:
            measure = other or measure
            if measure is None:
                second = None
    currency, money_start = _currency_before(text, start, floor)
    if currency and (measure is None or measure.unit.kind in ("money", "count")):
        end = measure.end if measure and measure.unit.kind == "money" else (second.end if second else n.end)
        if second is None and follow is not None:
            second = _second_amount(text, follow)
            end = second.end if second else end
        return _finish(text, n, second, _Measure(Unit("money", currency, 1.0), end), money_start, floor)
    if measure is None:
        return _read_bare(text, n, floor)
    if measure.unit.kind == "duration" and second is None:
        measure = _with_smaller_unit(text, n, measure)
    elif measure.unit.kind == "money" and second is None:
        measure = _with_small_change(text, n, measure)
    if not _is_plausible(text, n, measure):
        return None, measure.end if measure.unit.kind == "count" else n.end
    return _finish(text, n, second, measure, start, floor)


def _skip_chain(text: str, n: _Number) -> int | None:
    """The end of 7x24小时, 16:9, 1920x1080, 3/4, 400-820-8820: numbers that are no value on their own."""
    c = text[n.end : n.end + 1]
    if not c or c not in "x×*/:-":
        return None
    m = _CHAIN.match(text, n.end)
    if m is None:
        return None
    body = m[0]
    if c == "-" and body.count("-") == 1 and len(body) <= 7 and n.end - n.start <= 6 and not any(x in body for x in "x×*/:"):
        return None
    end = m.end()
    unit = HAN_UNIT_AT.match(text, end) if c != "-" else None
    return unit.end() if unit else end


def _read_version(text: str, n: _Number, floor: int) -> Value | None:
    start, end = n.start, n.end
    raw = text[start:end]
    head = _VERSION_BEFORE.search(text, max(floor, start - WINDOW), start) if start and text[start - 1] in "本号件n.revfws为是:至到于=e " else None
    tail = _VERSION_AFTER.match(text, end) if n.form != "digits" or head else None
    if n.form == "dotted":
        numbers = raw.split(".")
        if head is None and tail is None and (len(numbers) > 3 or any(len(x) > 4 for x in numbers)):
            return None
    elif head is None and (tail is None or "," in raw):
        return None
    elif "," in raw or (n.form == "digits" and (len(raw) > 4 or tail is None and HAN_UNIT_AT.match(text, end))):
        return None
    numbers = raw.split(".")
    if any(len(x) > 9 for x in numbers):
        return None
    parts = [int(x) for x in numbers]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    if start and text[start - 1] == "v":
        start -= 1
    return Value("version", start, tail.end() if tail else end, None, None, "", tuple(parts))


def _with_multiplier(text: str, n: _Number) -> tuple[_Number, int]:
    """3万, 1.2亿, 5 million: the number with its multiplier."""
    if n.form in ("digits", "decimal"):
        m = _HAN_SCALE.match(text, n.end)
        if m is not None:
            if m[2] in ("百", "千") and text[m.end() : m.end() + 1] in "瓦米克帕卡赫伏分" and m.end() < len(text):
                return n, n.end
            size = HAN_MULTIPLIER[m[2]]
            return n._replace(end=m.end(), low=n.low * size, high=n.high * size,
                              approximate=n.approximate or bool(m[1] or m[3])), m.end()
        if text[n.end : n.end + 1] in " htmbk":
            e = _EN_SCALE.match(text, n.end)
            if e is not None and (e[1] or _currency_before(text, n.start, 0)[0]):
                size = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9}.get(e[2] or "") or numerals.ENGLISH_SCALE[e[1]]
                return n._replace(end=e.end(), low=n.low * size, high=n.high * size), e.end()
    elif n.form == "half" and text[n.end : n.end + 1] == "个" and text[n.end + 1 : n.end + 2] == "月":
        return n, n.end
    return n, n.end


def _unit_at(text: str, n: _Number) -> _Measure | None:
    end = n.end
    c = text[end : end + 1]
    if not c:
        return None
    if c > "\u2fff" or (c == " " and text[end + 1 : end + 2] > "\u2fff") or c in "℃㎡":
        return _han_unit_at(text, n)
    if n.form in ("han1", "han", "pair", "half"):
        return None
    m = LATIN_UNIT_AT.match(text, end)
    if m is not None:
        word = m[1]
        if not (is_glued_only(word) and m.start(1) != end) and not _is_dimension(text, n, word, m.end()):
            letter = DATA_LETTER.get(word)
            if letter and m.start(1) == end and _about_data(text, n.start, m.end()):
                return _Measure(Unit("quantity", "B", letter), m.end(), word=word)
            return _Measure(latin_unit(word), m.end(), word=word)
    elif c in "kt" and _about_data(text, n.start, end + 1) and not _is_word(text[end + 1 : end + 2] or " "):
        return _Measure(Unit("quantity", "B", DATA_LETTER[c]), end + 1, word=c)
    return _noun_at(text, n) if c in " -" else None


def _is_dimension(text: str, n: _Number, word: str, end: int) -> bool:
    """3d printing and 5g networks are no three days and five grams."""
    if word == "d" and n.high <= 4:
        return text[end : end + 1] > "\u2fff" or text[end : end + 2].strip().isalpha()
    return word == "g" and n.high in (2, 3, 4, 5) and _NETWORK.search(text, max(0, n.start - 6), end + 6) is not None


_NETWORK = re.compile("网|手机|信号|基站|套餐|时代|技术|通信|频段|用户|network|phone|signal|lte")


def _about_data(text: str, start: int, end: int) -> bool:
    return DATA_CONTEXT.search(text, max(0, start - DATA_WINDOW), end + DATA_WINDOW) is not None


def _han_unit_at(text: str, n: _Number) -> _Measure | None:
    end = n.end
    if text.startswith("个半月", end):
        return _Measure(HAN_UNIT["个月"], end + 3, extra=0.5, word="个月")
    if n.form == "half" and text.startswith("月", end):
        return _Measure(HAN_UNIT["个月"], end + 1, word="个月")
    if n.form in ("han1", "pair") and text.startswith("月", end) and text[n.start] == "两":
        return _Measure(HAN_UNIT["个月"], end + 1, word="个月")
    m = HAN_UNIT_AT.match(text, end)
    if m is None:
        return None
    word = m[3]
    unit = HAN_UNIT[word]
    extra = 0.5 if m[2] else 0.0
    stop = m.end()
    approximate = bool(m[1])
    if unit.kind == "duration":
        if text.startswith("半", stop) and not extra:
            extra, stop = 0.5, stop + 1
        elif text.startswith("多", stop):
            approximate, stop = True, stop + 1
    elif unit.kind == "count" and text.startswith("半", stop) and word == "个":
        extra, stop = 0.5, stop + 1
    return _Measure(unit, stop, extra=extra, approximate=approximate, word=word)


def _noun_at(text: str, n: _Number) -> _Measure | None:
    """20 manual snapshots, 5-person: the counted noun is the first plural of up to three words, else the first word."""
    m = _NOUN.match(text, n.end)
    if m is None or m[1] in _NO_NOUN:
        return None
    if text[n.end] == "-":
        return _Measure(Unit("count", m[1], 1.0), m.end(1), word=m[1])
    for i in (1, 2, 3):
        word = m[i]
        if word is None or word in _NO_NOUN:
            break
        if word.endswith("s") and not word.endswith("ss"):
            return _Measure(Unit("count", word, 1.0), m.end(i), word=word)
    if n.form == "word" and n.high <= 1:
        return None
    return _Measure(Unit("count", m[1], 1.0), m.end(1), word=m[1])


def _second_end(
    text: str, n: _Number, measure: _Measure | None, follow: re.Match[str], floor: int
) -> tuple[_Number | None, _Measure | None]:
    """The far end of a range and its unit: 3-5天, 3天至5天, between 3 and 5 days, 3 to 5 days."""
    mark = follow[0].strip()
    if mark == "and" and _BETWEEN.search(text, max(floor, n.start - WINDOW), n.start) is None:
        return None, None
    if mark in ("、", "或", "或者", "or") and measure is not None:
        return None, None
    m = _NUMBER.match(text, follow.end())
    if m is None or m.lastgroup == "half":
        return None, None
    form = m.lastgroup if m.lastgroup in ("digits", "han") else "word"
    if form == "word" and (m["month"] or n.form in ("digits", "decimal")):
        return None, None
    second = _number(text, m, form)
    if second is None or second.form in ("dotted", "article", "pair"):
        return None, None
    if mark == "、" and not (n.form == "han1" and second.form == "han1" and second.high == n.high + 1):
        return None, None
    second, _ = _with_multiplier(text, second)
    other = _unit_at(text, second)
    if other is None or other.unit.kind == "count" and measure is not None and measure.unit.kind != "count":
        return None, None
    if measure is not None and (measure.unit.kind != other.unit.kind or measure.unit.base != other.unit.base):
        if measure.unit.kind == "count" and n.form != "word":
            return second, other
        return None, None
    scale = (measure or other).unit.factor / other.unit.factor
    if n.high * scale > second.high or (measure is None and second.high > 1000 * max(n.high, 1)):
        return None, None
    return second._replace(low=n.low * scale), other


def _second_amount(text: str, follow: re.Match[str]) -> _Number | None:
    """£10-£20, $5 to $8: the second sum of a range of money."""
    at = follow.end()
    if at < len(text) and text[at] in PREFIX_CURRENCY:
        at += 1
    m = _NUMBER.match(text, at)
    if m is None or m.lastgroup != "digits" or follow[0].strip() not in ("-", "~", "to", "至", "到", "–", "—"):
        return None
    n = _number(text, m, "digits")
    if n is None or n.form == "dotted":
        return None
    return _with_multiplier(text, n)[0]


def _currency_before(text: str, start: int, floor: int) -> tuple[str, int]:
    """The currency written before a number and where its mark starts; "" where there is none."""
    if start <= floor:
        return "", start
    c = text[start - 1]
    if c not in "¥￥$£€₹₩ :.币bydrpks":
        return "", start
    m = _CURRENCY_BEFORE.search(text, max(floor, start - 8), start)
    if m is None:
        return "", start
    if m["sign"]:
        head = m["sign"][:-1].strip()
        return _DOLLARS.get(head) or PREFIX_CURRENCY[m["sign"][-1]], m.start()
    if m["han"]:
        return "CNY", m.start()
    return _CODES.get(m["code"]) or m["code"].upper(), m.start()


def _read_bare(text: str, n: _Number, floor: int) -> tuple[Value | None, int]:
    """A number without a unit: a year, a labelled number (pin 7, 端口18883), a fraction, or just a number."""
    start, end = n.start, n.end
    after = text[end : end + 1]
    if n.form in ("han1", "han"):
        share = _read_share(text, n, floor)
        if share is not None:
            return share, share.end
    if n.form in ("digits", "decimal"):
        if after and ("a" <= after <= "z" or after == "_"):
            return None, _word_end(text, end)
        if after in "-/" and after and "a" <= text[end + 1 : end + 2] <= "z":
            return None, _word_end(text, end)
    lookback = max(floor, start - WINDOW)
    label = _LABEL_BEFORE.search(text, lookback, start) if n.form in ("digits", "word") else None
    if label is not None:
        return Value("number", label.start() if label[0][0] < "\u2fff" else start, end, n.low, n.low), end
    if n.form in ("digits", "decimal"):
        if _CODE_BEFORE.search(text, max(0, start - WINDOW), start) or (n.form == "digits" and end - start > MAX_BARE_DIGITS):
            return None, end
        if n.form == "digits" and end - start == 4 and 1900 <= n.low <= 2099 and _is_year(text, start, end):
            year = int(n.low)
            return _date_value(start, CalendarDate(end, year, 0, 0)), end
        return _finish(text, n, None, _Measure(Unit("number", "", 1.0), end), start, floor)
    if n.form == "han" and n.low >= 12 and text[start] not in "百千万亿":
        return _finish(text, n, None, _Measure(Unit("number", "", 1.0), end), start, floor)
    if n.form == "word" and n.low > 1 and " a" != text[end - 2 : end]:
        return _finish(text, n, None, _Measure(Unit("number", "", 1.0), end), start, floor)
    return None, end


_SHARE = re.compile(rf"分之([{HAN_NUMERAL}]{{1,8}}(?:点[零〇一二三四五六七八九]{{1,8}})?|[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)")


def _read_share(text: str, n: _Number, floor: int) -> Value | None:
    """百分之三, 千分之二, 三分之一, 百分之99.5 as percentages."""
    m = _SHARE.match(text, n.end)
    whole = n.low
    if m is None or whole == 0:
        return None
    raw = m[1]
    part = float(raw) if raw[0] in "0123456789" else parse_han(raw) if raw != "百" else 100.0
    if part is None:
        return None
    x = part / whole * 100
    number = n._replace(end=m.end(), low=x, high=x)
    return _finish(text, number, None, _Measure(Unit("percent", "%", 1.0), m.end()), n.start, floor)[0]


_YEAR_BEFORE = re.compile(r"(?:in|since|until|by|from|of|year|fy|during|late|early|mid|(?:^|[(（©]))[ ]?$")


def _is_year(text: str, start: int, end: int) -> bool:
    if re.match(r"[ ]?(?:版|款|年款|edition|model)", text[end : end + 8]):
        return True
    return _YEAR_BEFORE.search(text, max(0, start - 8), start) is not None


def _word_end(text: str, position: int, limit: int = 64) -> int:
    stop = min(len(text), position + limit)
    while position < stop and (_is_word(text[position]) or text[position] in "-./"):
        position += 1
    return position


def _with_smaller_unit(text: str, n: _Number, measure: _Measure) -> _Measure:
    """1年6个月, 2小时30分钟, 1 hour 30 minutes: the smaller unit added, in units of the larger."""
    extra, end, last = measure.extra, measure.end, measure.unit.factor
    for _ in range(3):
        at = end + 1 if text[end : end + 1] in (" ", "零", "又") else end
        if text.startswith("and ", at):
            at += 4
        m = _NUMBER.match(text, at)
        if m is None or m.lastgroup == "half":
            break
        form = m.lastgroup if m.lastgroup in ("digits", "han") else "word"
        smaller = _number(text, m, form)
        if smaller is None or smaller.form in ("dotted", "pair", "article"):
            break
        unit = _unit_at(text, smaller)
        if unit is None and text.startswith("分", smaller.end) and measure.unit.base == "s":
            unit = _Measure(Unit("duration", "s", 60.0), smaller.end + 1)
        if unit is None or unit.unit.kind != "duration" or unit.unit.base != measure.unit.base or unit.unit.factor >= last:
            break
        extra += smaller.low * unit.unit.factor / measure.unit.factor
        end, last = unit.end, unit.unit.factor
    return measure._replace(extra=extra, end=end)


_CHANGE = re.compile(r"([0-9一二三四五六七八九])(?:([角毛])(?:([0-9一二三四五六七八九])分)?|(?=[,，。.;；、)）]|$))")


def _with_small_change(text: str, n: _Number, measure: _Measure) -> _Measure:
    """3元5角, 20块5: the change added."""
    if measure.word not in ("元", "块") or text[measure.end - 1] not in "元块":
        return measure
    m = _CHANGE.match(text, measure.end)
    if m is None or (m[2] is None and measure.word == "元"):
        return measure
    cents = _single(m[1]) * 10 + (_single(m[3]) if m[3] else 0)
    return measure._replace(extra=cents / 100, end=m.end())


def _single(c: str) -> int:
    return int(parse_han(c) or 0) if c > "9" else int(c)


def _is_plausible(text: str, n: _Number, measure: _Measure) -> bool:
    """Refuse what only looks like number and unit: 统一年, 周三个, 一次, 十分, 3成 of nothing."""
    kind, word = measure.unit.kind, measure.word
    before = text[n.start - 1] if n.start else ""
    if n.form == "han1":
        if before in _NO_LONE_AFTER and before:
            return False
        if kind == "count" and n.low <= 1:
            return _FREQUENCY_BEFORE.search(text, max(0, n.start - 12), n.start) is not None
        if word == "分" or (kind == "count" and text[n.start] == "十" and word == "分"):
            return False
    if kind == "count" and n.form == "word" and n.low <= 1:
        return measure.word.rstrip("s") in ("time", "unit", "device", "user", "request", "item") and n.low == 1
    if word in ("成", "折"):
        return 0 < n.low <= (99 if n.form == "han" or n.form == "digits" and word == "折" else 10)
    if word == "度" and n.form == "han1" and (n.low <= 2 or before in "再一"):
        return False
    if word in ("方", "升", "伏", "帕", "赫", "磅") and n.form in ("han1", "pair"):
        return word == "升"
    if word == "刀":
        return n.form in ("digits", "decimal")
    if word == "日" and kind == "duration":
        return True
    if n.form == "article":
        return kind == "duration"
    return not (n.form == "half" and kind != "duration")


def _finish(
    text: str, n: _Number, second: _Number | None, measure: _Measure, start: int, floor: int
) -> tuple[Value, int]:
    """Scale, look for bounds on both sides, and put the value together."""
    unit, end = measure.unit, measure.end
    factor = unit.factor
    if measure.word == "折":
        factor = 1.0 if n.low > 10 else 10.0
    elif measure.word == "成":
        factor = 10.0
    low: float | None
    high: float | None
    if second is not None:
        low, high = second.low * factor, second.high * factor
        if second.low == second.high:
            low = n.low * factor
    else:
        low, high = (n.low + measure.extra) * factor, (n.high + measure.extra) * factor
    start, negative = _with_sign(text, start, unit)
    if negative and low is not None and high is not None:
        low, high = (-low, high) if second is not None else (-high, -low)
    approximate = n.approximate or measure.approximate
    lower = upper = False
    if start > floor and text[start - 1] in _BEFORE_LAST:
        m = _BEFORE.search(text, max(floor, start - WINDOW), start)
        if m is not None:
            start = m.start()
            lower, upper = m["lower"] is not None, m["upper"] is not None
            approximate = approximate or m["about"] is not None
    if text[end : end + 1] in _AFTER_FIRST and end < len(text):
        m = _AFTER.match(text, end)
        if m is not None and not (unit.kind == "number" and m["about"]):
            end = m.end()
            lower, upper = lower or m["lower"] is not None, upper or m["upper"] is not None
            approximate = approximate or m["about"] is not None
    if second is None and lower != upper:
        low, high = (low, None) if lower else (None, high)
    kind = unit.kind
    value = Value(kind, start, end, low, high, unit.base, (), approximate)  # type: ignore[arg-type]
    return value, end


def _with_sign(text: str, start: int, unit: Unit) -> tuple[int, bool]:
    """±0.3, -10℃, 零下10度: where the sign starts, and whether it is minus. ± leaves the number as it is."""
    if start == 0:
        return start, False
    c = text[start - 1]
    if c in "±+":
        return start - 1, False
    if c in "-−" and (start == 1 or not (_is_word(text[start - 2]) or text[start - 2] in ")]")):
        numeric = unit.kind in ("quantity", "number", "percent")
        return (start - 1, True) if numeric and (start == 1 or text[start - 2] not in "-") else (start, False)
    if text.startswith("零下", max(0, start - 2)) and unit.base == "°C" and start >= 2:
        return start - 2, True
    if text.startswith("正负", max(0, start - 2)) and start >= 2:
        return start - 2, False
    return start, False


def _read_clock(text: str, start: int, floor: int) -> Value | None:
    """18:00, 9:30 pm, 下午6点, 9点半, 9:00-18:00 as minutes since midnight."""
    one = _clock_at(text, start, floor)
    if one is None:
        return None
    minutes, begin, end = one
    high = minutes
    follow = _RANGE.match(text, end)
    if follow is not None:
        half = re.compile("下午|晚上|晚|中午|上午|早上|凌晨").match(text, follow.end())
        other = _clock_at(text, half.end() if half else follow.end(), end)
        if other is not None and other[0] > minutes:
            high, end = other[0], other[2]
    return Value("time", begin, end, float(minutes), float(high), "clock")


def _clock_at(text: str, start: int, floor: int) -> tuple[int, int, int] | None:
    begin = start
    half = None
    if start > floor and text[start - 1] > "\u2fff" or text[start - 2 : start - 1] > "\u2fff":
        half = _HALF_DAY_BEFORE.search(text, max(floor, start - 4), start)
    offset = None
    if half is not None:
        begin, offset = half.start(), _HALF_DAY[half[1]]
    m = _CLOCK.match(text, start)
    if m is not None:
        hour, minute, end = int(m[1]), int(m[2]), m.end()
        if m[3]:
            offset = 12 if m[3] == "p" else 0
    else:
        digits = re.compile("[0-9]{1,2}").match(text, start)
        if digits is None:
            return None
        hour, minute, end = int(digits[0]), 0, digits.end()
        if end < len(text) and "0" <= text[end] <= "9":
            return None
        c = text[end : end + 1]
        m = _CLOCK_HOUR.match(text, end) if c in " ap" and c else None
        if m is not None:
            offset, end = (12 if m[1] == "p" else 0), m.end()
        elif c in "点时" and c:
            han = _CLOCK_HAN.match(text, end)
            assert han is not None
            tail = text[han.end() : han.end() + 1]
            exact = han.end() - end > 1
            if not (exact or half or tail in "前后至到-~") or (c == "时" and not half and not exact and hour < 6):
                return None
            if c == "时" and text[han.end() : han.end() + 1] in "间候段代刻长":
                return None
            raw = han["min"]
            minute = 30 if han["half"] else 15 if han["quarter"] else 45 if han["three"] else _minutes(raw) if raw else 0
            end = han.end()
        else:
            return None
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    if offset == 12 and hour < 12:
        hour += 12
    elif offset == 0 and hour == 12 and m is not None:
        hour = 0
    return hour * 60 + minute, begin, end


def _minutes(raw: str) -> int:
    return int(raw) if raw[0] <= "9" else int(parse_han(raw.lstrip("零")) or 0)


def _read_date(text: str, start: int, floor: int) -> Value | None:
    """A date in any of the forms of :mod:`ragclean.text.calendar` that starts here."""
    begin = start
    c = text[start]
    if c > "9" or _NEXT_HAN_DATE.match(text, start):
        roc = text.startswith("民国", max(0, start - 2)) and start - 2 >= floor
        when = calendar.read_han_date(text, start, roc=roc)
        begin = start - 2 if roc and when is not None and when.year else start
        if when is None:
            return _read_day_of_month(text, start)
    else:
        when = calendar.read_numeric_date(text, start) or calendar.read_day_first_date(text, start)
    return None if when is None else _date_value(begin, when)


_NEXT_HAN_DATE = re.compile("[0-9]{1,4}[ ]?[年月日号]")
_DAY_OF_MONTH = re.compile(r"(?P<d>[0-9]{1,2}|[一二三四五六七八九十廿]{1,3})[日号](?!内|之内|以内|后|之后|期|楼|线|院|店|无理由)")
_MONTH_WORD_BEFORE = re.compile(r"(?:(?:每|本|当|上|下|次|这|该|同)个?月(?:的|之)?|当地时间)$")


def _read_day_of_month(text: str, start: int) -> Value | None:
    """每月15日, 次月5号: a day whose month is not stated."""
    m = _DAY_OF_MONTH.match(text, start)
    if m is None or _MONTH_WORD_BEFORE.search(text, max(0, start - 6), start) is None:
        return None
    day = int(m["d"]) if m["d"][0] <= "9" else int(parse_han(m["d"]) or 0)
    if not 1 <= day <= 31:
        return None
    return Value("date", start, m.end(), None, None, "", (0, 0, day))


def _date_value(start: int, when: CalendarDate) -> Value:
    first, last = calendar.first_day(when), calendar.last_day(when)
    parts = (when.year, when.month, when.day)
    if when.last_month:
        parts = (when.year, when.month, 0, when.year, when.last_month, 0)
    return Value("date", start, when.end, None if first is None else float(first.toordinal()),
                 None if last is None else float(last.toordinal()), "", parts, when.approximate)


_DATE_RANGE = re.compile(r"[ ]?(?:起?至|起?到|-|~|—|–|--|to|until|through|and)[ ]?(?=[0-9一二三四五六七八九十〇a-z])")


def _with_date_range(text: str, value: Value) -> tuple[Value, int]:
    """2024年7月1日至2025年6月30日: from the first day of the one to the last of the other."""
    if value.kind != "date" or len(value.parts) != 3:
        return value, value.end
    follow = _DATE_RANGE.match(text, value.end)
    if follow is None or (follow[0].strip() == "and"):
        return value, value.end
    m = _NUMBER.match(text, follow.end())
    if m is None:
        return value, value.end
    if m.lastgroup in ("digits", "han"):
        other = _read_date(text, m.start(), value.end)
    else:
        when = calendar.read_month_first_date(text, m.start()) if m["month"] else None
        other = None if when is None else _date_value(m.start(), when)
    if other is None or other.kind != "date" or len(other.parts) != 3:
        return value, value.end
    year = other.parts[0] or value.parts[0]
    month = other.parts[1] or value.parts[1]
    tail = CalendarDate(other.end, year, month, other.parts[2], other.approximate)
    last = calendar.last_day(tail) if calendar.is_date(year, month, other.parts[2]) else None
    return Value("date", value.start, other.end, value.low, None if last is None else float(last.toordinal()), "",
                 (*value.parts, year, month, other.parts[2]), value.approximate or other.approximate), other.end
