"""Dates of documents from strings in any form, and the dates that stand in a text."""

from __future__ import annotations

import re
from datetime import date, timedelta

from ragclean.text import calendar
from ragclean.text.calendar import CalendarDate, first_day, last_day

MAX_DATE_STRING = 200
"""Longer metadata 'dates' are texts; only their head is read."""
MAX_PARSER_STRING = 40
"""What dateparser may see: a short string that names a year and a word we have no pattern for."""

FULL_WIDTH = {i: i - 0xFEE0 for i in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
DATE_START = re.compile(
    r"(?<![0-9])[0-9]{1,8}|[〇零一二三四五六七八九十]{1,4}(?=[ ]?[年月])"
    r"|(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4])"
)
_WEEK = re.compile(
    r"(?:(?:week|wk\.?|kw|cw)[ ]?(?P<w1>[0-9]{1,2})[ ]?(?:,|of|/|-)?[ ]?(?P<y1>(?:19|20)[0-9]{2})"
    r"|(?P<y2>(?:19|20)[0-9]{2})[ ]?-?w(?P<w2>[0-9]{1,2})"
    r"|(?P<y3>(?:19|20)[0-9]{2})年第(?P<w3>[0-9]{1,2})周)(?![0-9])"
)
_COMPACT = re.compile(r"(?:19|20)[0-9]{6}")
_YEAR_ALONE = re.compile(r"[^0-9]{0,12}((?:19|20)[0-9]{2})[ ]?(?:年度?|版|edition)?[^0-9]{0,4}")
_FOREIGN = re.compile(r"[^\W\d_]{3}")
_ANY_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


def parse_date(text: str, *, end_of_period: bool = False) -> date | None:
    """Read a metadata date in any common form (ISO, 2024.12.05, 2024-02, 2025年4月1日, April 2025, 12/02/2024,
    114年6月2日 of the ROC calendar, Week 19, 2025, Rev. B / 05-2019); None where it is none. A month or year alone
    is its first day, or its last with ``end_of_period``.

    12/02/2024 is read month first unless that is no date; 12.02.2024 day first. Relative dates ('3 days ago') and
    dates without a year are None: the same string must mean the same day at every run.
    """
    folded = text[:MAX_DATE_STRING].translate(FULL_WIDTH).lower().strip()
    if not folded:
        return None
    week = _WEEK.search(folded)
    if week is not None:
        return _week_day(week, end_of_period)
    when = _first_date(folded, 0, len(folded))
    if when is None:
        year = _YEAR_ALONE.fullmatch(folded)
        if year is None:
            return _parse_foreign(folded, end_of_period)
        when = CalendarDate(0, int(year[1]), 0, 0)
    return last_day(when) if end_of_period else first_day(when)


def _week_day(m: re.Match[str], end_of_period: bool) -> date | None:
    year, week = int(m["y1"] or m["y2"] or m["y3"]), int(m["w1"] or m["w2"] or m["w3"])
    try:
        monday = date.fromisocalendar(year, week, 1)
    except ValueError:
        return None
    return monday + timedelta(days=6) if end_of_period else monday


def _first_date(text: str, start: int, end: int) -> CalendarDate | None:
    """The first date with a year that starts in ``text[start:end]``."""
    for m in DATE_START.finditer(text, start, end):
        when = date_at(text, m)
        if when is not None and when.year and (when.month or text[m.end() : m.end() + 1] == "年"):
            return when
    return None


def last_date(text: str, start: int, end: int) -> tuple[int, CalendarDate] | None:
    """The last date with a year that lies in ``text[start:end]``, with its start."""
    found: tuple[int, CalendarDate] | None = None
    position = start
    m = DATE_START.search(text, position, end)
    while m is not None:
        when = date_at(text, m)
        position = m.end()
        if when is not None and when.year and when.end <= end:
            found, position = (m.start(), when), max(position, when.end)
        m = DATE_START.search(text, position, end)
    return found


def date_at(text: str, m: re.Match[str]) -> CalendarDate | None:
    """The date that starts where a match of ``DATE_START`` does, in any notation; None where none does."""
    start = m.start()
    c = text[start]
    if "a" <= c <= "z":
        return calendar.read_month_first_date(text, start)
    if c > "9":
        return calendar.read_han_date(text, start)
    if len(m[0]) == 8 and _COMPACT.fullmatch(m[0]):
        year, month, day = int(m[0][:4]), int(m[0][4:6]), int(m[0][6:])
        if month and day and calendar.is_date(year, month, day):
            return CalendarDate(m.end(), year, month, day)
        return None
    roc = text.startswith("民国", max(0, start - 2)) and start >= 2
    return (
        calendar.read_numeric_date(text, start)
        or calendar.read_han_date(text, start, roc=roc)
        or calendar.read_day_first_date(text, start)
    )


def _parse_foreign(folded: str, end_of_period: bool) -> date | None:
    """Month names in other spellings and languages, through dateparser, for short strings that name a year."""
    if len(folded) > MAX_PARSER_STRING or not _ANY_YEAR.search(folded) or not _FOREIGN.search(folded):
        return None
    import dateparser

    try:
        parsed = dateparser.parse(
            folded,
            languages=["en", "fr", "de", "es", "zh"],
            settings={
                "PARSERS": ["absolute-time"],
                "REQUIRE_PARTS": ["year", "month"],
                "PREFER_DAY_OF_MONTH": "last" if end_of_period else "first",
                "RETURN_AS_TIMEZONE_AWARE": False,
            },
        )
    except (ValueError, OverflowError, TypeError):
        return None
    return None if parsed is None else parsed.date()
