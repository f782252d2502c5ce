"""Numbers as words: Chinese numerals (一千二百九十九, 两万五, 三点五) and English ones (forty-eight)."""

from __future__ import annotations

import re

HAN_DIGITS = "零〇一二三四五六七八九两壹贰叁肆伍陆柒捌玖"
HAN_PLACES = "十百千万亿拾佰仟廿卅"
HAN_NUMERAL = HAN_DIGITS + HAN_PLACES

#: A run longer than this is no number anybody writes out (the longest sums on invoices take about 20 characters).
MAX_HAN_RUN = 24

_DIGIT = {c: i for i, c in enumerate("零一二三四五六七八九")} | {c: i + 1 for i, c in enumerate("壹贰叁肆伍陆柒捌玖")}
_DIGIT |= {"〇": 0, "两": 2}
_PLACE = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIAD = {"万": 10_000, "亿": 100_000_000}
_SHORT_TENS = {"廿": "二十", "卅": "三十"}

#: Multipliers that follow Arabic digits: 3万, 1.2亿, 5千, 300百万 is not written.
HAN_MULTIPLIER = {"万亿": 1e12, "千亿": 1e11, "百亿": 1e10, "十亿": 1e9, "亿": 1e8, "千万": 1e7, "百万": 1e6,
                  "十万": 1e5, "万": 1e4, "千": 1e3, "百": 1e2}

_UNITS = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = {w: i for i, w in enumerate(_UNITS, 1)} | {w: 10 * i for i, w in enumerate(_TENS, 2)} | {"dozen": 12}
ENGLISH_SCALE = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

_WORD = "(?:" + "|".join(sorted((*_SMALL, *ENGLISH_SCALE), key=len, reverse=True)) + ")"
#: At most nine words: "nine hundred and ninety-nine thousand nine hundred and ninety-nine".
ENGLISH_NUMBER = (
    rf"(?:half an?(?: dozen)?|half(?=[ -](?:day|hour|year|month|week))|an? (?:dozen|hundred|thousand|million|billion)"
    rf"|{_WORD}(?:(?: and |[ -]){_WORD}){{0,8}}(?: and an? half)?)(?![a-z])"
)
_SPLIT = re.compile(r"[ -]")


def parse_han(run: str) -> float | None:
    """The number a Chinese numeral stands for; None where the run is no well-formed numeral (万一, 七八, 百十).

    A run of bare digits (二〇二四, 一一〇) is read digit by digit when it has three or more.
    """
    if len(run) > MAX_HAN_RUN:
        return None
    if "廿" in run or "卅" in run:
        for short, full in _SHORT_TENS.items():
            run = run.replace(short, full)
    whole, point, decimals = run.partition("点")
    if point:
        head = parse_han(whole)
        if head is None or not decimals or any(c not in _DIGIT for c in decimals):
            return None
        return head + float("0." + "".join(str(_DIGIT[c]) for c in decimals))
    if len(run) == 1 and run in _DIGIT:
        return float(_DIGIT[run])
    if all(c in _DIGIT for c in run):
        return float("".join(str(_DIGIT[c]) for c in run)) if len(run) > 2 else None
    return _parse_places(run)


def _parse_places(run: str) -> float | None:
    total = section = 0
    digit: int | None = None
    place = last_myriad = 10**16
    after_zero = False
    scale = 1
    for i, c in enumerate(run):
        if c in _DIGIT:
            if digit:
                return None
            digit, after_zero = _DIGIT[c], after_zero or _DIGIT[c] == 0
        elif c in _PLACE:
            size = _PLACE[c]
            if size >= place or (not digit and not (size == 10 and (i == 0 or after_zero or run[i - 1] in _MYRIAD))):
                return None
            section += (digit or 1) * size
            digit, place, scale, after_zero = None, size, size, False
        else:
            size = _MYRIAD[c]
            section += digit or 0
            if section == 0 or (size >= last_myriad and total):
                return None
            total = (total + section) * size if size == 10**8 else total + section * size
            section, digit, place, last_myriad, scale, after_zero = 0, None, 10**16, size, size, False
    if digit:
        # 一百二 is 120, 三万五 is 35,000; 一百零二 is 102.
        section += digit * scale // 10 if scale > 10 and not after_zero else digit
    return float(total + section)


def han_between(run: str) -> tuple[float, float] | None:
    """两三, 三五, 七八: 'two or three'; None for anything else."""
    if len(run) != 2 or run[0] not in _DIGIT or run[1] not in _DIGIT:
        return None
    low, high = _DIGIT[run[0]], _DIGIT[run[1]]
    return (float(low), float(high)) if 0 < low < high <= low + 2 else None


def parse_english(words: str) -> float | None:
    """The number of English number words; None where they make none ('one two')."""
    if words.startswith("half"):
        return 6.0 if words.endswith("dozen") else 0.5
    half = 0.0
    for tail in (" and a half", " and an half"):
        if words.endswith(tail):
            words, half = words[: -len(tail)], 0.5
    total = section = 0.0
    room = 1e16
    for word in _SPLIT.split(words):
        if word in ("and", "a", "an", ""):
            continue
        small = _SMALL.get(word)
        if small == 12 and word == "dozen":
            section = (section or 1) * 12
        elif small is not None:
            tens = section % 100
            if tens and (tens < 20 or tens % 10 or small >= 10):
                return None
            section += small
        elif word == "hundred":
            section = (section or 1) * 100
        else:
            size = ENGLISH_SCALE.get(word, room)
            if size >= room:  # out of order, or no number word at all
                return None
            total, section, room = total + (section or 1) * size, 0.0, size
    return total + section + half
