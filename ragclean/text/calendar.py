"""Calendar dates as people write them, in Chinese and English: the patterns, and the parts they state."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from ragclean.text.numerals import parse_han

ROC_OFFSET = 1911
"""Year 1 of the Republic of China calendar (民国) is 1912."""
MIN_YEAR, MAX_YEAR = 1000, 2200
"""Years a document plausibly names; outside, four digits before 年 are a length of time or a number."""

TWO_DIGIT_PIVOT = 70
"""24年7月 is 2024, 98年7月 is 1998: nobody's documents are from 1970 in the future."""

_MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]
MONTH_NUMBER = {name: i for i, name in enumerate(_MONTHS, 1)} | {name[:3]: i for i, name in enumerate(_MONTHS, 1)}
MONTH_NUMBER["sept"] = 9
_MONTH = ("(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
          "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)")
_H = "[〇零一二三四五六七八九十]"
_N2 = rf"(?:[0-9]{{1,2}}|{_H}{{1,3}})"
_WHEN = r"(?P<tail>月?底|月?末|月?初|中旬|上旬|下旬)"

#: Tried where a number starts. One alternative a form; all groups optional.
_HAN = re.compile(
    rf"(?:(?P<y>[0-9]{{2,4}}|{_H}{{4}})[ ]?年(?:度)?[ ]?)?(?:"
    rf"(?P<m>{_N2})[ ]?月(?:份)?(?:[ ]?(?P<d>{_N2})[ ]?[日号](?!线|楼|院|店|机|球|令)|{_WHEN})?"
    rf"|第?[ ]?(?P<q>[一二三四1-4])[ ]?季度?|(?P<half>[上下]半年)|(?P<ytail>年?底|年?末|年?初)"
    r"|(?P<feast>(?:元旦|五一(?:劳动节)?|劳动节|国庆节?)(?![路街广村班大桥])))?"
)
_FEASTS = {"元": (1, 1), "五": (5, 1), "劳": (5, 1), "国": (10, 1)}
"""Holidays on a day of the calendar that is the same every year, by their first character."""
_NUMERIC = re.compile(
    r"(?P<y>[12][0-9]{3})(?P<s>[-/.])(?P<m>[0-9]{1,2})(?:(?P=s)(?P<d>[0-9]{1,2}))?(?![0-9])"
    r"(?:[t ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"|(?P<yq>[12][0-9]{3})[ ]?[-/]?[ ]?q(?P<q>[1-4])(?![0-9])"
    r"|(?P<a>[0-9]{1,2})(?P<s2>[-/.])(?P<b>[0-9]{1,2})(?P=s2)(?P<y2>[12][0-9]{3})(?![0-9])"
    r"|(?P<m3>[0-9]{1,2})[-/](?P<y3>(?:19|20)[0-9]{2})(?![0-9/.-])"
)
_DAY_FIRST = re.compile(
    rf"(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?[ -](?:of[ ])?(?P<m>{_MONTH})(?![a-z])\.?(?:,?[ "
    rf"-](?P<y>[12][0-9]{{3}}))?"
)
MONTH_FIRST = (
    rf"(?P<month>{_MONTH}(?![a-z])\.?(?:[ ](?P<mday>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9:.%]|[ ]?(?:am|pm)))?"
    rf"(?:,?[ ](?P<myear>(?:19|20)[0-9]{{2}})(?![0-9]))?)"
)
_MONTH_FIRST = re.compile(MONTH_FIRST)
_QUARTER_FIRST = re.compile(r"q(?P<q>[1-4])[ ,/-]{0,2}(?P<y>(?:19|20)[0-9]{2})(?![0-9])")
_COMMON_YEAR = 2023
"""Stands in for a year not stated: 2月底 is the 28th."""
_TAIL_DAY = {"初": 1, "中旬": 15, "上旬": 5, "下旬": 25}


class CalendarDate(NamedTuple):
    """``year``, ``month``, ``day``: 0 where not stated. ``last_month``: the one a quarter ends on."""

    end: int
    year: int
    month: int
    day: int
    approximate: bool = False
    last_month: int = 0


def days_in_month(year: int, month: int) -> int:
    """28..31; February has 29 days where the year is not known."""
    if month == 2:
        leap = year == 0 or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
        return 29 if leap else 28
    return 30 if month in (4, 6, 9, 11) else 31


def is_date(year: int, month: int, day: int) -> bool:
    """Whether the parts (0: not stated) are on the calendar."""
    if year and not 1 <= year <= 9999:
        return False
    return 0 <= month <= 12 and (day == 0 or (month > 0 and 1 <= day <= days_in_month(year, month)))


def first_day(when: CalendarDate) -> date | None:
    """The first day covered; None where the year is not stated."""
    return date(when.year, when.month or 1, when.day or 1) if when.year else None


def last_day(when: CalendarDate) -> date | None:
    """The last day covered; None where the year is not stated."""
    if not when.year:
        return None
    month = when.last_month or when.month or 12
    return date(when.year, month, when.day or days_in_month(when.year, month))


def _number(text: str) -> int:
    if text[0] in "0123456789":
        return int(text)
    value = parse_han(text)
    return -1 if value is None else int(value)


def read_han_date(text: str, start: int, *, roc: bool = False) -> CalendarDate | None:
    """2024年7月1日, 7月1日, 二〇二四年, 2025年第二季度, 6月底 at ``start``; None where it is none.

    Two digits before 年 are a year only where a month follows (24年7月); ``roc``: the year counts from 1912.
    """
    m = _HAN.match(text, start)
    if m is None or m.end() == start:
        return None
    y, month, day, quarter, half = m["y"], m["m"], m["d"], m["q"], m["half"]
    if y is None and month is None:
        return None
    year = _number(y) if y else 0
    if roc and y:
        year += ROC_OFFSET
    elif y and len(y) == 3:
        if month is None or not 1 <= year < 200:
            return None
        year += ROC_OFFSET
    elif y and len(y) < 4:
        if month is None:
            return None
        year += 2000 if year < TWO_DIGIT_PIVOT else 1900
    if y and not MIN_YEAR <= year <= MAX_YEAR:
        return None
    end = m.end()
    if quarter or half:
        first = (_number(quarter) - 1) * 3 + 1 if quarter else (1 if half.startswith("上") else 7)
        return CalendarDate(end, year, first, 0, last_month=first + (2 if quarter else 5)) if year else None
    if m["feast"]:
        return CalendarDate(end, year, *_FEASTS[m["feast"][0]])
    mm, dd = (_number(month) if month else 0), (_number(day) if day else 0)
    approximate = False
    tail = m["tail"]
    if tail:
        approximate = True
        dd = _TAIL_DAY.get(tail[-2:] if tail.endswith("旬") else tail[-1], 0)
        if not dd and 1 <= mm <= 12:
            dd = days_in_month(year or _COMMON_YEAR, mm)
    elif m["ytail"]:
        approximate, mm = True, 1 if m["ytail"].endswith("初") else 12
    if (month and mm < 1) or not is_date(year, mm, dd):
        return None
    if month is None and y and text[end : end + 1] in "级代" and text[end : end + 1]:
        return None
    return CalendarDate(end, year, mm, dd, approximate)


def read_numeric_date(text: str, start: int) -> CalendarDate | None:
    """2024-07-01, 2024/7/1, 2024.12.05, 2019-05, 2023q2, 12/02/2024 (month first unless it cannot be; with dots
    day first), 05-2019, with a time of day behind it, at ``start``."""
    m = _NUMERIC.match(text, start)
    if m is None:
        return None
    if m["yq"]:
        first = (int(m["q"]) - 1) * 3 + 1
        return CalendarDate(m.end(), int(m["yq"]), first, 0, last_month=first + 2)
    if m["y"]:
        year, month, day = int(m["y"]), int(m["m"]), int(m["d"] or 0)
        if m["d"] is None and ((m["s"] != "-" and len(m["m"]) < 2) or not 1900 <= year <= 2099):
            return None
    elif m["y2"]:
        a, b = int(m["a"]), int(m["b"])
        year = int(m["y2"])
        month, day = (b, a) if (m["s2"] == "." and b <= 12) or a > 12 else (a, b)
    else:
        year, month, day = int(m["y3"]), int(m["m3"]), 0
    if month < 1 or not is_date(year, month, day) or ((m["d"] or m["y2"]) and day < 1):
        return None
    return CalendarDate(m.end(), year, month, day)


def read_day_first_date(text: str, start: int) -> CalendarDate | None:
    """1 july 2024, 1st of july, 12-mar-2024 at ``start``."""
    m = _DAY_FIRST.match(text, start)
    if m is None:
        return None
    year, month, day = int(m["y"] or 0), MONTH_NUMBER[m["m"]], int(m["d"])
    if not is_date(year, month, day) or day < 1:
        return None
    return CalendarDate(m.end(), year, month, day)


def read_month_first_date(text: str, start: int) -> CalendarDate | None:
    """july 1, 2024, july 1, april 2025, q2 2023 at ``start``; a month's name alone is none."""
    m = _MONTH_FIRST.match(text, start)
    if m is None:
        q = _QUARTER_FIRST.match(text, start)
        if q is None:
            return None
        first = (int(q["q"]) - 1) * 3 + 1
        return CalendarDate(q.end(), int(q["y"]), first, 0, last_month=first + 2)
    if m["mday"] is None and m["myear"] is None:
        return None
    month = MONTH_NUMBER[re.match("[a-z]{1,9}", m["month"])[0]]  # type: ignore[index]
    year, day = int(m["myear"] or 0), int(m["mday"] or 0)
    if not is_date(year, month, day) or (m["mday"] is not None and day < 1):
        return None
    return CalendarDate(m.end(), year, month, day)
