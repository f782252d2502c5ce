"""Read values out of folded text: one scan for numbers, then what stands before and after each of them."""

from __future__ import annotations

import re

from ragclean.text.calendar import CalendarDate
from ragclean.text.calendar_values import date_value, read_clock, read_date, read_named_date, with_date_range
from ragclean.text.measures import Measure, is_plausible, skip_chain, unit_at, with_small_change, with_smaller_unit
from ragclean.text.number_context import currency_before, is_code_number, labelled_start, read_version
from ragclean.text.number_forms import (
    NUMBER,
    RANGE,
    WINDOW,
    Number,
    is_inside_code,
    is_list_mark,
    is_word_letter,
    read_number,
    with_multiplier,
    with_repeat,
)
from ragclean.text.numerals import HAN_NUMERAL, parse_han
from ragclean.text.units import PREFIX_CURRENCY, Unit
from ragclean.text.value import Value

MAX_BARE_DIGITS = 7
"""From eight digits on, a number without unit or separators is a telephone, order or account number."""
_WIDEST_RANGE = 1000
"""3-5000 without a unit at the 3 is no range."""
_FULL_WIDTH = re.compile("[！-～　]")
_HALF_WIDTH = {i: i - 0xFEE0 for i in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_BEFORE = re.compile(
    r"(?:(?P<upper>不超过|不得超过|不能超过|未超过|不多于|不高于|不大于|不得高于|不晚于|不迟于|最多|至多|最高|"
    r"最长|最大|最晚|上限(?:为|是)?|封顶|≤|<=|<|小于|低于|少于|不足|不到|不满|未满"
    r"|(?<![a-z])(?:at most|up to|(?:no|not) (?:more|longer|later|greater|higher) than|not "
    r"exceed(?:ing)?|maximum(?: of)?"
    r"|max\.?|within|under"
    r"|(?:less|fewer|lower|shorter) than|below))"
    r"|(?P<lower>不少于|不低于|不小于|不得少于|不得低于|不短于|至少|最少|最低|最短|起码|下限(?:为|是)?|≥|>=|>"
    r"|大于|高于|超过|多于|超出|满|达到"
    r"|(?<![a-z])(?:at least|(?:no|not) (?:less|fewer|shorter|earlier) than|minimum(?: "
    r"of)?|min\.|(?:more|longer|greater"
    r"|higher) than|over|above"
    r"|exceed(?:s|ing)?|starting (?:at|from)))"
    r"|(?P<about>约|约为|大约|大概|近|将近|接近|差不多|(?<![a-z])(?:about|around|approximately|roughly|nearly"
    r"|almost|approx\.?"
    r")|(?<![0-9])~))[为是达:]?[ ]?$"
)
_BEFORE_LAST = frozenset("过于多高长大晚限为是顶≤=<>足满少低短码≥出到约概近接不达of:. ~多toxhnrwdelyvi.sgm")
_AFTER = re.compile(
    r"[ ]?(?:(?P<upper>\)?(?:以内|之内|内(?![部容存置蒙外在地衣裤饰层胆径核涵陆的心])|以下|及以下|或以下|封顶|"
    r"为限|or (?:less|fewer|under)|max(?:imum)?(?![a-z])|at (?:the )?most))"
    r"|(?P<lower>以上|及以上|或以上|起步|起(?![计算诉草来到点初诉飞价源始])|or (?:more|longer|above|over)"
    r"|and (?:above|over|up)|minimum|at least)"
    r"|(?P<about>左右|上下|前后|or so))"
)
_AFTER_FIRST = frozenset(" )以之内及或封为起左上前")
_CLOCK_AFTER = frozenset(":：点时 ap")
_DATE_AFTER = frozenset("年月日号-/ snrtq.")
_MARK_AFTER = frozenset(".、)]:）】． ")
_BETWEEN = re.compile(r"(?:between|from|从|在|介于)[ ]?$")
def find_values(folded: str) -> tuple[Value, ...]:
    """Every value in folded text, in order, not overlapping, the longest reading first. Linear time on any input."""
    text = folded.translate(_HALF_WIDTH) if _FULL_WIDTH.search(folded) else folded
    found: list[Value] = []
    position = 0
    search = NUMBER.search
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
    after = text[end : end + 1]
    value: Value | None = None
    if form == "digits":
        if start and is_inside_code(text, start):
            return None, end
        if after and after in _CLOCK_AFTER and end - start <= 2:
            value = read_clock(text, start, floor)
        if value is None and (after in _DATE_AFTER or "." in m[0]) and (after != "年" or end - start > 1):
            value = read_date(text, start, floor)
        if value is not None:
            return with_date_range(text, value)
        if after in _MARK_AFTER and is_list_mark(text, start, end):
            return None, end
    elif form == "han":
        if "点" in m[0] or after in "点时":
            value = read_clock(text, start, floor)
        if value is None and after in "年月日号 ":
            value = read_date(text, start, floor)
        if value is not None:
            return with_date_range(text, value)
    elif form != "half":
        form = "word"
        if text[start] in "hw" and ("://" in m[0] or "www." in m[0]):
            return None, end
        if m["month"] or text[start] == "q":
            value = read_named_date(text, start)
            return (None, end) if value is None else with_date_range(text, value)
    number = read_number(text, m, form)
    if number is None:
        return None, end
    if after and after in " (（":
        number = with_repeat(text, number)
    return _read_measure(text, number, floor)


def _read_measure(text: str, n: Number, floor: int) -> tuple[Value | None, int]:
    start = n.start
    if n.form in ("digits", "dotted", "decimal"):
        stop = skip_chain(text, n)
        if stop is not None:
            return None, stop
        version = read_version(text, n, floor)
        if version is not None:
            return version, version.end
        if n.form == "dotted":
            return None, n.end
    if start and text[start - 1] == "第":
        return None, n.end
    currency, money_start = currency_before(text, start, floor)
    n = with_multiplier(text, n, money=bool(currency))
    if not currency and n.form in ("digits", "word"):
        labelled = labelled_start(text, n, floor)
        if labelled is not None:
            return Value("number", labelled, n.end, n.low, n.low), n.end
    measure = unit_at(text, n)
    if measure is not None and measure.unit.kind == "count" and _names_a_year(text, n, measure):
        return date_value(start, CalendarDate(n.end, int(n.low), 0, 0)), n.end
    second: Number | None = None
    reach = measure.end if measure else n.end
    follow = RANGE.match(text, reach) if n.form != "article" else None
    if follow is not None:
        second, other = _second_end(text, n, measure, follow, floor)
        if second is not None:
            measure = other or measure
            if measure is None:
                second = None
    if currency and (measure is None or measure.unit.kind in ("money", "count")):
        end = measure.end if measure and measure.unit.kind == "money" else (second.end if second else n.end)
        if second is None and follow is not None:
            second = _second_amount(text, follow)
            end = second.end if second else end
        return _finish(text, n, second, Measure(Unit("money", currency, 1.0), end), money_start, floor)
    if measure is None:
        return _read_bare(text, n, floor)
    if measure.unit.kind == "duration" and second is None:
        measure = with_smaller_unit(text, n, measure)
    elif measure.unit.kind == "money" and second is None:
        measure = with_small_change(text, n, measure)
    if not is_plausible(text, n, measure):
        return None, measure.end if measure.unit.kind == "count" else n.end
    return _finish(text, n, second, measure, start, floor)


def _names_a_year(text: str, n: Number, measure: Measure) -> bool:
    """The 2018 wimbledon championships: a year before a noun that is not straight behind it."""
    apart = text[n.end : n.end + 1] == " " and measure.end - n.end - 1 > len(measure.word)
    return apart and measure.word < "\u2fff" and _may_be_year(n)


def _may_be_year(n: Number) -> bool:
    return n.form == "digits" and n.end - n.start == 4 and _FIRST_YEAR <= n.low <= _LAST_YEAR


def _second_end(
    text: str, n: Number, measure: Measure | None, follow: re.Match[str], floor: int
) -> tuple[Number | None, Measure | None]:
    """The far end of a range and its unit: 3-5天, 3天至5天, between 3 and 5 days, 3 to 5 days."""
    mark = follow[0].strip()
    if mark == "and" and _BETWEEN.search(text, max(floor, n.start - WINDOW), n.start) is None:
        return None, None
    if mark in ("、", "或", "或者", "or") and measure is not None:
        return None, None
    at = follow.end()
    minus_second = text.startswith("-", at)
    m = NUMBER.match(text, at + 1 if minus_second else at)
    if m is None or m.lastgroup == "half":
        return None, None
    form = m.lastgroup if m.lastgroup in ("digits", "han") else "word"
    if form == "word" and (m["month"] or n.form in ("digits", "decimal")):
        return None, None
    second = read_number(text, m, form)
    if second is None or second.form in ("dotted", "article", "pair"):
        return None, None
    if mark == "、" and not (n.form == "han1" and second.form == "han1" and second.high == n.high + 1):
        return None, None
    second = with_multiplier(text, second)
    other = unit_at(text, second)
    if other is None or (other.unit.kind == "count" and measure is not None and measure.unit.kind != "count"):
        return None, None
    if measure is not None and (measure.unit.kind != other.unit.kind or measure.unit.base != other.unit.base):
        if measure.unit.kind == "count" and n.form != "word":
            return second, other
        return None, None
    scale = (measure or other).unit.factor / other.unit.factor
    minus = n.start > 0 and text[n.start - 1] == "-"
    if minus_second and not (minus and n.high * scale >= second.high):
        return None, None
    if n.high * scale > second.high and not (minus or minus_second):
        return None, None
    if measure is None and second.high > _WIDEST_RANGE * max(n.high, 1):
        return None, None
    if minus_second:
        return second._replace(low=n.low * scale, high=-second.high), other
    return second._replace(low=n.low * scale), other


def _second_amount(text: str, follow: re.Match[str]) -> Number | None:
    """£10-£20, $5 to $8: the second sum of a range of money."""
    at = follow.end()
    if at < len(text) and text[at] in PREFIX_CURRENCY:
        at += 1
    m = NUMBER.match(text, at)
    if m is None or m.lastgroup != "digits" or follow[0].strip() not in ("-", "~", "to", "至", "到", "–", "—"):
        return None
    n = read_number(text, m, "digits")
    if n is None or n.form == "dotted":
        return None
    return with_multiplier(text, n, money=True)


def _read_bare(text: str, n: Number, floor: int) -> tuple[Value | None, int]:
    """A number without a unit: a year, a labelled number (pin 7, 端口18883), a fraction, or just a number."""
    start, end = n.start, n.end
    after = text[end : end + 1]
    if n.form in ("han1", "han"):
        share = _read_share(text, n, floor)
        if share is not None:
            return share, share.end
    if after == "年" and text[end + 1 : end + 2] in ("代", "级") and not (n.form == "digits" and end - start == 4):
        return None, end + 2
    if n.form in ("digits", "decimal"):
        decade = n.form == "digits" and end - start == 4 and _DECADE.match(text, end)
        if after and ("a" <= after <= "z" or after == "_") and not decade:
            return None, _word_end(text, end)
        if after in "-/" and after and "a" <= text[end + 1 : end + 2] <= "z":
            return None, _word_end(text, end)
        if after == "-" and text[end + 1 : end + 2].isdigit():  # a score, a span of pages: 67-15
            return None, _word_end(text, end)
    if n.form in ("digits", "decimal"):
        if is_code_number(text, start) or (n.form == "digits" and end - start > MAX_BARE_DIGITS):
            return None, end
        if _may_be_year(n) and _is_year(text, start, end):
            end = decade.end() if decade else end
            return date_value(start, CalendarDate(end, int(n.low), 0, 0, approximate=bool(decade))), end
        second = _bare_second(text, n)
        if second is not None:
            return _finish(text, n, second, Measure(_BARE, second.end), start, floor)
        return _finish(text, n, None, Measure(_BARE, end), start, floor)
    if n.form == "han" and n.low >= 12 and text[start] not in "百千万亿" and after not in ("号", "路", "街"):
        return _finish(text, n, None, Measure(_BARE, end), start, floor)
    if n.form == "word" and n.low > 1 and text[end - 2 : end] != " a":
        return _finish(text, n, None, Measure(_BARE, end), start, floor)
    return None, end


_BARE = Unit("number", "", 1.0)
_BARE_RANGE = re.compile("[ ]?(?:~|至|到)[ ]?(?=[0-9])")


def _bare_second(text: str, n: Number) -> Number | None:
    """15~130 without a unit: the far end."""
    follow = _BARE_RANGE.match(text, n.end)
    m = NUMBER.match(text, follow.end()) if follow is not None else None
    second = read_number(text, m, "digits") if m is not None else None
    if second is None or second.form == "dotted" or second.high < n.low or unit_at(text, second) is not None:
        return None
    return second._replace(low=n.low)


_SHARE = re.compile(
    rf"分之([{HAN_NUMERAL}]{{1,8}}(?:点[零〇一二三四五六七八九]{{1,8}})?|[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)"
)


def _read_share(text: str, n: Number, floor: int) -> Value | None:
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
    return _finish(text, number, None, Measure(Unit("percent", "%", 1.0), m.end()), n.start, floor)[0]
_YEAR_BEFORE = re.compile(
    r"(?:in|since|until|by|from|of|year|fy|during|late|early|mid|to|and|the|(?:[0-9]|[0-9]年),|(?:^|"
    r"[(（©\[「《]))[ ]?$"
)
_YEAR_AFTER = re.compile(r"[ ]?(?:版|款|年|edition|model|[\u4e00-\u9fff](?!.?[:：=]))")
_DECADE = re.compile("年代|s(?![a-z0-9])")
#: A bare number in this span may be a year: older ones are amounts more often, later ones nobody writes about.
_FIRST_YEAR, _LAST_YEAR = 1900, 2050


def _is_year(text: str, start: int, end: int) -> bool:
    if text[start - 1 : start] in ("为", "是", "=", ":", ">", "<", "约", "达") and start:
        return False
    return _YEAR_AFTER.match(text, end) is not None or _YEAR_BEFORE.search(text, max(0, start - 8), start) is not None


def _word_end(text: str, position: int, limit: int = 64) -> int:
    stop = min(len(text), position + limit)
    while position < stop and (is_word_letter(text[position]) or text[position] in "-./"):
        position += 1
    return position


def _finish(
    text: str, n: Number, second: Number | None, measure: Measure, start: int, floor: int
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
    if low is not None and high is not None and low > high:
        low, high = high, low
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
    if c in "-−" and (start == 1 or not (is_word_letter(text[start - 2]) or text[start - 2] in ")]")):
        numeric = unit.kind in ("quantity", "number", "percent")
        return (start - 1, True) if numeric and (start == 1 or text[start - 2] not in "-") else (start, False)
    if text.startswith("零下", max(0, start - 2)) and unit.base == "°C" and start >= 2:
        return start - 2, True
    if text.startswith("正负", max(0, start - 2)) and start >= 2:
        return start - 2, False
    return start, False
