"""Where numbers stand in a text, what each is worth, and which digits only belong to a code or a list."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragclean.text import numerals
from ragclean.text.calendar import MONTH_FIRST
from ragclean.text.numerals import HAN_MULTIPLIER, HAN_NUMERAL, parse_english, parse_han
from ragclean.text.units import HAN_UNIT_AT, LATIN_UNIT_AT

WINDOW = 24
"""Characters before a number searched for a bound (not more than), a label (version) or a currency."""
MAX_DIGITS = 15
"""Longer digit runs are identifiers; a double could not hold them exactly either."""

NUMBER = re.compile(
    r"(?P<digits>[0-9]+(?:,[0-9]{3}(?![0-9])){0,5}(?:\.[0-9]+){0,6})"
    rf"|(?P<han>[{HAN_NUMERAL}]+(?:点[零〇一二三四五六七八九]{{1,12}})?)"
    r"|(?P<half>半(?=个?(?:年|月|天|日|小时|钟头|星期|礼拜|季度)(?![板刊间报球径轴])))"
    rf"|(?P<word>(?<![a-z0-9_])(?:{numerals.ENGLISH_NUMBER}|{MONTH_FIRST}"
    r"|an?(?=[ ](?:hour|day|week|month|year|fortnight)(?![a-z]))|q[1-4](?=[ ,/-]{0,2}(?:19|20)[0-9]{2})"
    r"|https?://[!-~]{1,2000}|www\.[!-~]{1,2000}))"
)

_REPEAT = re.compile(r"[ ]?[(（][ ]?")

_METRIC_AFTER = "瓦米克帕卡赫伏"
"""After 百 or 千 these make a metric unit: 3千米 is three kilometres."""
_SHORT_SCALE = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9}
_SHARE_WHOLE = {"百": 100.0, "千": 1000.0, "万": 10000.0}


class Number(NamedTuple):
    """``low`` and ``high`` differ for 三五 ('three to five'). ``form``: digits, decimal, dotted (2.4.0), han,
    han1 (one character), pair (三五), half (半), word (English), article ('a week')."""

    start: int
    end: int
    low: float
    high: float
    form: str
    approximate: bool = False


def read_number(text: str, m: re.Match[str], form: str) -> Number | None:
    """The number that a match of :data:`NUMBER` is worth; None where it is none (万一, an identifier)."""
    start, end = m.span()
    raw = m[0]
    if form == "digits":
        if len(raw) > MAX_DIGITS + 6 or raw.count(".") > 1:
            return Number(start, end, 0.0, 0.0, "dotted") if len(raw) <= 32 else None
        whole, _, decimals = raw.replace(",", "").partition(".")
        if len(whole) > MAX_DIGITS:
            return None
        x = float(f"{whole}.{decimals or 0}")
        return Number(start, end, x, x, "decimal" if decimals else "digits")
    if form == "half":
        if text[start - 1 : start] in "上下前后大多一两个" and start:
            return None
        return Number(start, end, 0.5, 0.5, "half")
    if form == "han":
        if end - start > numerals.MAX_HAN_RUN:
            return None
        value = parse_han(raw)
        if value is None:
            if raw in _SHARE_WHOLE and text.startswith("分之", end):
                return Number(start, end, _SHARE_WHOLE[raw], _SHARE_WHOLE[raw], "han1")
            if len(raw) == 2 and text.startswith("折", end):  # 八五折 is 85 %
                digits = [parse_han(c) for c in raw]
                if None not in digits:
                    x = float(10 * digits[0] + digits[1])  # type: ignore[operator]
                    return Number(start, end, x, x, "han")
            pair = numerals.han_between(raw) or _han_between_tens(raw)
            return None if pair is None else Number(start, end, pair[0], pair[1], "pair", True)
        return Number(start, end, value, value, "han1" if end - start == 1 else "han")
    if raw in ("a", "an"):
        if not _ARTICLE_BEFORE.search(text, max(0, start - WINDOW), start):
            return None
        return Number(start, end, 1.0, 1.0, "article")
    spoken = parse_english(raw)
    return None if spoken is None else Number(start, end, spoken, spoken, "word")


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


def is_word_letter(c: str) -> bool:
    """A lower-case latin letter, digit or underscore."""
    return "a" <= c <= "z" or "0" <= c <= "9" or c == "_"


_CURRENCY_CODES = frozenset(("rmb", "usd", "cny", "hkd", "eur", "gbp", "jpy", "aud", "cad", "sgd", "inr"))


def is_inside_code(text: str, start: int) -> bool:
    """The digits belong to x200, n-07b, gb/t 19001, 1.1.1.1.1.1.1.1, a path or an identifier."""
    if start == 0:
        return False
    c = text[start - 1]
    if "a" <= c <= "z":
        if text[max(0, start - 3) : start] in _CURRENCY_CODES or text[max(0, start - 2) : start] == "rs":
            return False
        return c != "v" or (start > 1 and is_word_letter(text[start - 2]))
    if c in "_/\\@#" or c in "0123456789":
        return c != "/" or (start > 1 and (text[start - 2] in "/._-" or "a" <= text[start - 2] <= "z"))
    if c in "-.":
        p = text[start - 2] if start > 1 else " "
        return "a" <= p <= "z" or p in "0123456789_" or (c == "." and p in "/\\")
    return False

_LIST_MARK_BEFORE = re.compile(r"(?:^|[\n。;；:：(（\[【])[ \t]{0,8}[#*>-]{0,6}[ (（\[【]{0,2}$")


def is_list_mark(text: str, start: int, end: int) -> bool:
    """1. or (2) or 3、 or 8.3 at the start of a line or statement; [4] anywhere."""
    after = text[end : end + 1]
    if after not in ".、)]:）】．" and not (after == " " and "." in text[start:end]):
        return False
    if end - start > 8:
        return False
    if after in ")]）】" and text[start - 1 : start] in "([（【" and start:
        return end - start <= 2
    if after == "、" and text[end + 1 : end + 2] > "\u2fff" and text[start - 1 : start] != "、":
        return end - start <= 2
    if not after or (after in ".:" and "0" <= text[end + 1 : end + 2] <= "9"):
        return False
    if _LIST_MARK_BEFORE.search(text, max(0, start - WINDOW), start) is None:
        return False
    if after == " ":  # 8.3 Terms, but 1.5 years
        return end + 1 < len(text) and not LATIN_UNIT_AT.match(text, end) and not HAN_UNIT_AT.match(text, end)
    return end - start <= 3 or "." in text[start:end]


def with_repeat(text: str, number: Number) -> Number:
    """十五(15)日, thirty (30) days: the number said twice is one number."""
    opening = _REPEAT.match(text, number.end)
    if opening is None:
        return number
    m = NUMBER.match(text, opening.end())
    if m is None or m.end() >= len(text) or text[m.end()] not in ")）":
        return number
    form = m.lastgroup if m.lastgroup in ("digits", "han") else "word"
    again = read_number(text, m, form)
    if again is None or again.low != number.low:
        return number
    form = number.form if number.form == "decimal" else "digits"
    return number._replace(end=m.end() + 1, form=form)

_ARTICLE_BEFORE = re.compile(r"(?:within|in|after|for|than|to|least|most|once|over|under|about|lasts?|takes?)[ ]$")

RANGE = re.compile(
    r"[ ]?(?:--?(?!-)|~|至|到|—|–|or(?=[ ])|to(?=[ ])|and(?=[ ])|或者?|、)[ "
    r"]?(?=-?[0-9零一二三四五六七八九十两百千a-z¥$£€])"
)

_EN_SCALE = re.compile(r"[ ]?(?:(hundred|thousand|million|billion|trillion)|([kmb]|bn)(?![a-z0-9]))")
_HAN_SCALE = re.compile(r"[ ]?([多余几])?(" + "|".join(HAN_MULTIPLIER) + r")([多余])?")


def with_multiplier(text: str, n: Number, *, money: bool = False) -> Number:
    """3万, 1.2亿, 5 million, and with ``money`` known $10k: the number with its multiplier."""
    if n.form not in ("digits", "decimal") or n.end >= len(text):
        return n
    c = text[n.end]
    if c in " 多余几万亿千百十":
        m = _HAN_SCALE.match(text, n.end)
        if m is not None:
            if m[2] in ("百", "千") and text[m.end() : m.end() + 1] in _METRIC_AFTER and m.end() < len(text):
                return n
            size = HAN_MULTIPLIER[m[2]]
            return n._replace(end=m.end(), low=n.low * size, high=n.high * size,
                              approximate=n.approximate or bool(m[1] or m[3]))
    if c in " htmbk":
        e = _EN_SCALE.match(text, n.end)
        if e is not None and (e[1] or money):
            size = numerals.ENGLISH_SCALE[e[1]] if e[1] else _SHORT_SCALE[e[2]]
            return n._replace(end=e.end(), low=n.low * size, high=n.high * size)
    return n
