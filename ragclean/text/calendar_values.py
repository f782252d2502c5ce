"""Values of the calendar and the clock: dates, ranges of dates, times of day."""

from __future__ import annotations

import re

from ragclean.text import calendar
from ragclean.text.calendar import CalendarDate
from ragclean.text.number_forms import NUMBER, RANGE
from ragclean.text.numerals import parse_han
from ragclean.text.value import Value

_HALF_DAY = {"下午": 12, "晚上": 12, "晚": 12, "傍晚": 12, "中午": 12, "午后": 12, "夜里": 12, "夜间": 12,
             "上午": 0, "早上": 0, "早": 0, "凌晨": 0, "清晨": 0, "早晨": 0}
_HALF_DAY_BEFORE = re.compile(r"(下午|晚上|晚|傍晚|中午|午后|夜里|夜间|上午|早上|早|凌晨|清晨|早晨)[ ]?$")
_CLOCK = re.compile(r"([0-9]{1,2})[:：]([0-9]{2})(?:[:：][0-9]{2})?(?![0-9:])(?:[ ]?([ap])\.?m\.?(?![a-z]))?")
_EVIDENT_HOUR = 6
"""From 6 on, 点 behind a number tells the time; 3点 may be three points."""
_POINTS_BEFORE = frozenset("下这共有了第")
_HALF_DAY_LAST = frozenset("午上晚里间早晨 后")
_HALF_DAY_AT = re.compile("下午|晚上|晚|中午|上午|早上|凌晨|次日凌晨|次日")
_HOUR = re.compile("[0-9]{1,2}(?![0-9])|[一二三四五六七八九十两]{1,3}")
_CLOCK_HOUR = re.compile(r"[ ]?([ap])\.?m\.?(?![a-z])")
_CLOCK_HAN = re.compile(
    r"[点时](?:钟|整|(?P<half>半)|(?P<quarter>一刻)|(?P<three>三刻)|[ ]?(?P<min>[0-9]{1,2}|"
    r"[一二三四五]?十[一二三四五六七八九]?|零[一二三四五六七八九])分?)?"
)


_NEXT_DAY = re.compile(r"[ ]?[-–—~至到][ ]?(?:次日|翌日|隔天|第二天)(?:的)?(?:凌晨|清晨|早上|上午|早)?")
_MINUTES_A_DAY = 24 * 60


def read_clock(text: str, start: int, floor: int) -> Value | None:
    """18:00, 9:30 pm, 下午6点, 9点半, 9:00-18:00 as minutes since midnight; 20:00-次日8:00 ends after the next one."""
    one = _clock_at(text, start, floor)
    if one is None:
        return None
    minutes, begin, end = one
    high = minutes
    next_day = _NEXT_DAY.match(text, end)
    follow = next_day or RANGE.match(text, end)
    if follow is not None:
        at = follow.end()
        half = _HALF_DAY_AT.match(text, at)
        other = _clock_at(text, half.end() if half else at, end, told=True)
        if other is not None and (other[0] != minutes or next_day):
            high, end = other[0], other[2]
            high += _MINUTES_A_DAY if high <= minutes else 0
    return Value("time", begin, end, float(minutes), float(high), "clock")


def _clock_at(text: str, start: int, floor: int, *, told: bool = False) -> tuple[int, int, int] | None:
    """(minutes since midnight, start, end) of the one time of day at ``start``."""
    begin, half = start, None
    if start > floor and text[start - 1] in _HALF_DAY_LAST:
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
        h = _HOUR.match(text, start)
        value = None if h is None else _minutes(h[0])
        if h is None or value is None:
            return None
        hour, minute, end = value, 0, h.end()
        c = text[end : end + 1]
        latin = _CLOCK_HOUR.match(text, end) if c in " ap" and c else None
        if latin is not None:
            offset, end = (12 if latin[1] == "p" else 0), latin.end()
        elif c in "点时" and c:
            told = told or half is not None or (hour >= _EVIDENT_HOUR and text[start - 1 : start] not in _POINTS_BEFORE)
            han = _han_clock(text, end, hour, told)
            if han is None:
                return None
            minute, end = han
        else:
            return None
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    if offset == 12 and hour < 12:
        hour += 12
    elif offset == 0 and hour == 12:
        hour = 0
    return hour * 60 + minute, begin, end


def _han_clock(text: str, end: int, hour: int, told: bool) -> tuple[int, int] | None:
    """(minute, end) of 点 or 时 and what follows; None where 3点 is three points and 5时 an age's end."""
    han = _CLOCK_HAN.match(text, end)
    if han is None:
        return None
    stop = han.end()
    tail = text[stop : stop + 1]
    exact = stop - end > 1
    if not (exact or told or (tail and tail in "前后至到-~左许")):
        return None
    if text[end] == "时" and not (told or exact) and hour < _EVIDENT_HOUR:
        return None
    if text[end] == "时" and not exact and tail and tail in "间候段代刻长":
        return None
    raw = han["min"]
    minute = 30 if han["half"] else 15 if han["quarter"] else 45 if han["three"] else _minutes(raw) if raw else 0
    return (minute or 0), stop


def _minutes(raw: str) -> int | None:
    if raw[0] <= "9":
        return int(raw)
    value = parse_han(raw.lstrip("零"))
    return None if value is None else int(value)
_NEXT_HAN_DATE = re.compile("[0-9]{1,4}[ ]?[年月日号]")


def read_date(text: str, start: int, floor: int) -> Value | None:
    """A date in any of the forms of :mod:`ragclean.text.calendar` that starts at a digit or Chinese numeral."""
    begin = start
    when: CalendarDate | None
    if text[start] > "9" or _NEXT_HAN_DATE.match(text, start):
        roc = text.startswith("民国", max(0, start - 2)) and start - 2 >= floor
        when = calendar.read_han_date(text, start, roc=roc)
        begin = start - 2 if roc and when is not None and when.year else start
        if when is None:
            return _read_day_of_month(text, start) or _read_early_year(text, start)
    else:
        when = calendar.read_numeric_date(text, start) or calendar.read_day_first_date(text, start)
    return None if when is None else date_value(begin, when)


def read_named_date(text: str, start: int) -> Value | None:
    """july 1, 2024 or q2 2024 at ``start``."""
    when = calendar.read_month_first_date(text, start)
    return None if when is None else date_value(start, when)


def _read_early_year(text: str, start: int) -> Value | None:
    """于202年: three digits before 年 are a year after such a word, else a length of time."""
    m = _EARLY_YEAR.match(text, start)
    if m is None or not _YEAR_WORD_BEFORE.search(text, max(0, start - 3), start):
        return None
    return date_value(start, CalendarDate(m.end(), int(m[1]), 0, 0))


_EARLY_YEAR = re.compile("([0-9]{3})年(?![级代])")
_YEAR_WORD_BEFORE = re.compile("(?:于|在|公元|西元)$")


_DAY_OF_MONTH = re.compile(
    r"(?P<d>[0-9]{1,2}|[一二三四五六七八九十廿]{1,3})[日号](?!内|之内|以内|后|之后|期|楼|线|院|店|无理由)"
)
_DAY_AFTER = re.compile("晚(?!于)|上午|下午|凌晨|清晨|早(?!于)|中午|傍晚|夜|电|讯|消息|在(?!内)")
_MONTH_WORD_BEFORE = re.compile(r"(?:(?:每|本|当|上|下|次|这|该|同)个?月(?:的|之)?|当地时间)$")


def _read_day_of_month(text: str, start: int) -> Value | None:
    """每月15日, 次月5号: a day whose month is not stated."""
    m = _DAY_OF_MONTH.match(text, start)
    if m is None:
        return None
    told = _MONTH_WORD_BEFORE.search(text, max(0, start - 6), start) is not None
    if not told and _DAY_AFTER.match(text, m.end()) is None:
        return None
    day = int(m["d"]) if m["d"][0] <= "9" else int(parse_han(m["d"]) or 0)
    if not 1 <= day <= 31:
        return None
    return Value("date", start, m.end(), None, None, "", (0, 0, day))


def date_value(start: int, when: CalendarDate) -> Value:
    """The date as a value from ``start`` on; a quarter or half-year becomes a range of months."""
    first, last = calendar.first_day(when), calendar.last_day(when)
    parts: tuple[int, ...] = (when.year, when.month, when.day)
    if when.last_month:
        parts = (when.year, when.month, 0, when.year, when.last_month, 0)
    return Value("date", start, when.end, None if first is None else float(first.toordinal()),
                 None if last is None else float(last.toordinal()), "", parts, when.approximate)
_DATE_RANGE = re.compile(r"[ ]?(?:起?至|起?到|-|~|—|–|--|to|until|through|and)[ ]?(?=[0-9一二三四五六七八九十〇a-z])")


def with_date_range(text: str, value: Value) -> tuple[Value, int]:
    """2024年7月1日至2025年6月30日: from the first day of the one to the last of the other."""
    if value.kind != "date" or len(value.parts) != 3:
        return value, value.end
    follow = _DATE_RANGE.match(text, value.end)
    if follow is None or (follow[0].strip() == "and"):
        return value, value.end
    m = NUMBER.match(text, follow.end())
    if m is None:
        return value, value.end
    if m.lastgroup in ("digits", "han"):
        other = read_date(text, m.start(), value.end)
    else:
        other = read_named_date(text, m.start()) if m["month"] else None
    if other is None or other.kind != "date" or len(other.parts) != 3:
        return value, value.end
    year = other.parts[0] or value.parts[0]
    month = other.parts[1] or value.parts[1]
    tail = CalendarDate(other.end, year, month, other.parts[2], other.approximate)
    last = calendar.last_day(tail) if calendar.is_date(year, month, other.parts[2]) else None
    return Value("date", value.start, other.end, value.low, None if last is None else float(last.toordinal()), "",
                 (*value.parts, year, month, other.parts[2]), value.approximate or other.approximate), other.end
