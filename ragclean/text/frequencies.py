"""How often something is done, as an interval: 每周, 每月一次, twice a year, weekly."""

from __future__ import annotations

import re

from ragclean.text.value import Value

_DAY = 86400.0
_PERIODS = {
    "天": (_DAY, "s"), "日": (_DAY, "s"), "day": (_DAY, "s"), "daily": (_DAY, "s"),
    "周": (7 * _DAY, "s"), "星期": (7 * _DAY, "s"), "礼拜": (7 * _DAY, "s"), "week": (7 * _DAY, "s"),
    "weekly": (7 * _DAY, "s"), "fortnight": (14 * _DAY, "s"), "fortnightly": (14 * _DAY, "s"),
    "biweekly": (14 * _DAY, "s"), "月": (1.0, "month"), "month": (1.0, "month"), "monthly": (1.0, "month"),
    "季": (3.0, "month"), "季度": (3.0, "month"), "quarter": (3.0, "month"), "quarterly": (3.0, "month"),
    "半年": (6.0, "month"), "年": (12.0, "month"), "year": (12.0, "month"), "yearly": (12.0, "month"),
    "annually": (12.0, "month"), "hour": (3600.0, "s"), "hourly": (3600.0, "s"), "小时": (3600.0, "s"),
}  # fmt: skip
_TIMES = {"一": 1, "1": 1, "两": 2, "二": 2, "2": 2, "三": 3, "3": 3, "四": 4, "4": 4, "once": 1, "twice": 2}
_ZH = re.compile(
    r"(?:每一?个?|(?:一|逐))(?P<period>季度|星期|礼拜|半年|小时|[天日周月季年])(?![度底初末内均\d])"
    r"(?:[^,。;\n]{0,6}?(?P<times>[一二两三四1234])[次回遍趟])?"
)
_EN = re.compile(
    r"\b(?P<often>daily|weekly|fortnightly|biweekly|monthly|quarterly|yearly|annually|hourly)\b"
    r"|\b(?:(?P<times>once|twice) )?(?:every|each|an?|per) (?P<period>day|week|fortnight|month|quarter|year|hour)\b"
)
#: 一天 alone is a span; only with 'once' behind it does it say how often.
_SPAN_HEADS = ("一", "逐")


def find_intervals(folded: str) -> tuple[Value, ...]:
    """The intervals that a folded text states by how often: values of the kind duration, in order.

    'every week' and 'weekly' are seven days; 'twice a year' half a year. 'a week' by itself is no interval.
    """
    found = []
    for m in _ZH.finditer(folded):
        if m.group().startswith(_SPAN_HEADS) and not m.group("times"):
            continue
        found.append(_value(m, m.group("period"), m.group("times")))
    for m in _EN.finditer(folded):
        often = m.group("often")
        if often is None and not m.group("times") and not m.group().startswith(("every", "each")):
            continue
        found.append(_value(m, often or m.group("period"), m.group("times")))
    return tuple(sorted(found, key=lambda v: v.start))


def _value(m: re.Match[str], period: str, times: str | None) -> Value:
    length, unit = _PERIODS[period]
    length /= _TIMES.get(times or "", 1)
    return Value("duration", m.start(), m.end(), length, length, unit)
