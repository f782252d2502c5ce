"""What a number is a number of: the unit, classifier or counted noun behind it, and smaller units after that."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragclean.text.number_forms import NUMBER, Number, is_word_letter, read_number
from ragclean.text.numerals import parse_han
from ragclean.text.units import (
    DATA_CONTEXT,
    DATA_LETTER,
    HAN_UNIT,
    HAN_UNIT_AT,
    LATIN_UNIT_AT,
    Unit,
    is_glued_only,
    latin_unit,
)

DATA_WINDOW = 12
"""Characters on either side searched for a word about data that makes 200m two hundred megabytes."""

_CHAIN = re.compile(r"(?:[x×*/:-][0-9]+(?:\.[0-9]+)?){1,12}")

_SPAN = re.compile(r"-[0-9]{1,6}(?:\.[0-9]{1,4})?")
"""One hyphen and a short number: 3-5, which a unit may make a range."""
_NOUN = re.compile(r"[ -]([a-z][a-z_-]{1,24})(?:[ ]([a-z]{3,24}))?(?:[ ]([a-z]{3,24}))?")

_NO_NOUN = frozenset(
    [
        "and", "or", "of", "to", "in", "on", "at", "by", "for", "from", "the", "a", "an", "is", "are", "was",
        "were", "be", "been", "with", "as", "that", "which", "than", "then", "if", "but", "not", "no", "per",
        "each", "every", "after", "before", "within", "until", "since", "during", "under", "over", "into", "onto",
        "when", "while", "it", "its", "this", "these", "those", "can", "may", "must", "shall", "will", "would",
        "should", "could", "has", "have", "had", "do", "does", "did", "more", "less", "least", "most", "all",
        "any", "other", "times", "st", "nd", "rd", "th", "am", "pm", "x", "versus", "vs", "plus", "minus",
        "equals", "about", "only", "also", "so", "such", "we", "you", "they", "he", "she", "i", "our", "your",
        "their", "his", "her", "my", "there", "here", "what", "who", "how", "where", "why", "away", "ago", "old",
        "later", "earlier",
        # Verbs that end like a plural: Release 6 requires, Larkspur 4 needs.
        "requires", "needs", "supports", "uses", "runs", "works", "has", "offers", "comes", "includes", "allows",
        "costs", "takes", "lasts", "gives", "gets", "becomes", "begins", "starts", "ends", "ships", "wants", "adds",
        "removes", "fixes", "introduces", "brings", "drops", "replaces", "applies", "holds", "says", "goes", "does",
        "was", "is", "plus", "leaves", "departs", "expects", "accepts", "covers", "installs", "contains", "provides",
    ]
) - {"times"}


_IRREGULAR_PLURALS = frozenset([
    "people", "men", "women", "children", "staff", "personnel", "employees", "feet", "teeth", "data", "criteria",
    "series", "species", "aircraft", "copies", "pieces", "gb",
])


class Measure(NamedTuple):
    """``unit`` up to ``end``; ``word``: the unit as written."""

    unit: Unit
    end: int
    extra: float = 0.0
    """Halves said after the unit (两年半), in units."""
    approximate: bool = False
    word: str = ""


def skip_chain(text: str, n: Number) -> int | None:
    """The end of 7x24小时, 16:9, 1920x1080, 3/4, 400-820-8820: numbers that are no value on their own."""
    c = text[n.end : n.end + 1]
    if not c or c not in "x×*/:-":
        return None
    m = _CHAIN.match(text, n.end)
    if m is None:
        return None
    body = m[0]
    if _SPAN.fullmatch(body) and n.end - n.start <= 6:
        return None
    end = m.end()
    unit = HAN_UNIT_AT.match(text, end) if c != "-" else None
    return unit.end() if unit else end


def unit_at(text: str, n: Number) -> Measure | None:
    """The unit straight behind a number, Chinese or Latin, or the noun it counts."""
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
                return Measure(Unit("quantity", "B", letter), m.end(), word=word)
            return Measure(latin_unit(word), m.end(), word=word)
    elif c in "kt" and _about_data(text, n.start, end + 1) and not is_word_letter(text[end + 1 : end + 2] or " "):
        return Measure(Unit("quantity", "B", DATA_LETTER[c]), end + 1, word=c)
    return _noun_at(text, n) if c in " -" else None

_NETWORK = re.compile("网|手机|信号|基站|套餐|时代|技术|通信|频段|用户|network|phone|signal|lte")


def _is_dimension(text: str, n: Number, word: str, end: int) -> bool:
    """3d printing, 5g networks and 4s店 are no three days, five grams and four seconds."""
    if word == "s":
        return text.startswith("店", end)
    if word == "d" and n.high <= 4:
        return text[end : end + 1] > "\u2fff" or text[end : end + 2].strip().isalpha()
    return word == "g" and n.high in (2, 3, 4, 5) and _NETWORK.search(text, max(0, n.start - 6), end + 6) is not None


def _about_data(text: str, start: int, end: int) -> bool:
    return DATA_CONTEXT.search(text, max(0, start - DATA_WINDOW), end + DATA_WINDOW) is not None


def _han_unit_at(text: str, n: Number) -> Measure | None:
    end = n.end
    if text.startswith("个半月", end):
        return Measure(HAN_UNIT["个月"], end + 3, extra=0.5, word="个月")
    if n.form == "half" and text.startswith("月", end):
        return Measure(HAN_UNIT["个月"], end + 1, word="个月")
    if text[n.start] == "两" and text.startswith("月", end):
        return Measure(HAN_UNIT["个月"], end + 1, word="个月")
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
    return Measure(unit, stop, extra=extra, approximate=approximate, word=word)


def _noun_at(text: str, n: Number) -> Measure | None:
    """20 manual snapshots, 5-person: the counted noun is the first plural of up to three words.

    No plural, no count: 'four out of nine' counts no outs. After 1 the word itself will do.
    """
    m = _NOUN.match(text, n.end)
    if m is None or m[1] in _NO_NOUN:
        return None
    if text[n.end] == "-":
        return Measure(Unit("count", m[1], 1.0), m.end(1), word=m[1])
    for i in (1, 2, 3):
        word = m[i]
        if word is None or word in _NO_NOUN:
            break
        if (word.endswith("s") and not word.endswith(("ss", "us", "is"))) or word in _IRREGULAR_PLURALS:
            unit = LATIN_UNIT_AT.match(text, m.start(i)) if i > 1 else None
            if unit is not None and unit.end() == m.end(i):  # the two preceding years
                return Measure(latin_unit(unit[1]), m.end(i), word=word)
            return Measure(Unit("count", word, 1.0), m.end(i), word=word)
    if n.high == 1 and n.form == "digits":
        return Measure(Unit("count", m[1], 1.0), m.end(1), word=m[1])
    return None


def with_smaller_unit(text: str, n: Number, measure: Measure) -> Measure:
    """1年6个月, 2小时30分钟, 1 hour 30 minutes: the smaller unit added, in units of the larger."""
    extra, end, last = measure.extra, measure.end, measure.unit.factor
    for _ in range(3):
        at = end + 1 if text[end : end + 1] in (" ", "零", "又") else end
        if text.startswith("and ", at):
            at += 4
        m = NUMBER.match(text, at)
        if m is None or m.lastgroup == "half":
            break
        form = m.lastgroup if m.lastgroup in ("digits", "han") else "word"
        smaller = read_number(text, m, form)
        if smaller is None or smaller.form in ("dotted", "pair", "article"):
            break
        unit = unit_at(text, smaller)
        if unit is None and text.startswith("分", smaller.end) and measure.unit.base == "s":
            unit = Measure(Unit("duration", "s", 60.0), smaller.end + 1)
        if unit is None or unit.unit[:2] != measure.unit[:2] or unit.unit.factor >= last:
            break
        extra += smaller.low * unit.unit.factor / measure.unit.factor
        end, last = unit.end, unit.unit.factor
    return measure._replace(extra=extra, end=end)

_CHANGE = re.compile(r"([0-9一二三四五六七八九])(?:([角毛])(?:([0-9一二三四五六七八九])分)?|(?=[,，。.;；、)）]|$))")


def with_small_change(text: str, n: Number, measure: Measure) -> Measure:
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


#: Before a Chinese numeral of one character: it belongs to a word (统一, 周三, 第一, 其二, 初五).
_AROUND = frozenset("的都环围皆是")
"""四周的高山 are mountains all around."""
_NO_LONE_AFTER = frozenset("第周期拜初双统唯之其专逐单同惟划归进星万合")

_DEICTIC = frozenset("有这那某同每哪如新当")
"""Before 一天 or 一年 these point at a day, they measure no time: 有一天, 这一年."""
_FREQUENCY_BEFORE = re.compile(
    r"(?:每[年月周日天季次人台户位]{1,2}|仅|只|限|最多|至多|至少|再|各)(?:可|能|有|限|领|享|免费|参加|使用|申请|"
    r"购买|兑换){0,2}$"
)


def is_plausible(text: str, n: Number, measure: Measure) -> bool:
    """Refuse what only looks like number and unit: 统一年, 周三个, 一次, 十分, 3成 of nothing."""
    kind, word = measure.unit.kind, measure.word
    before = text[n.start - 1] if n.start else ""
    if n.form in ("han1", "han") and before in ("数", "几"):  # 数十年, 几百次
        return False
    if n.form == "han1":
        if before in _NO_LONE_AFTER and before:
            return False
        if kind == "duration" and text[n.start] == "一" and before in _DEICTIC and before:
            return False
        if kind == "count" and n.low <= 1:
            return _FREQUENCY_BEFORE.search(text, max(0, n.start - 12), n.start) is not None
        if word == "分" or (word == "周" and text[measure.end : measure.end + 1] in _AROUND):
            return False
    if kind == "count" and n.form == "word" and n.low <= 1:
        return measure.word.rstrip("s") in ("time", "unit", "device", "user", "request", "item") and n.low == 1
    if word in ("成", "折"):
        return 0 < n.low <= (99 if n.form == "han" or (n.form == "digits" and word == "折") else 10)
    if word == "度" and n.form == "han1" and (n.low <= 2 or before in "再一"):
        return False
    if word in ("方", "升", "伏", "帕", "赫", "磅") and n.form in ("han1", "pair"):
        return word == "升"
    if word == "刀":
        return n.form in ("digits", "decimal")
    if n.form == "article":
        return kind == "duration"
    return not (n.form == "half" and kind != "duration")
