"""How often something is done, as an interval: 每周, 每月一次, twice a year, weekly."""

from __future__ import annotations

import re

from ragclean.text.value import Value

_DAY = 86400.0
_PERIODS = {
    "天": (_DAY, "s"), "日": (_DAY, "s"), "day": (_DAY, "s"), "dai": (_DAY, "s"),
    "周": (7 * _DAY, "s"), "星期": (7 * _DAY, "s"), "礼拜": (7 * _DAY, "s"), "week": (7 * _DAY, "s"),
    "fortnight": (14 * _DAY, "s"), "月": (1.0, "month"), "month": (1.0, "month"),
    "季": (3.0, "month"), "季度": (3.0, "month"), "quarter": (3.0, "month"),
    "半年": (6.0, "month"), "年": (12.0, "month"), "year": (12.0, "month"), "annual": (12.0, "month"),
    "hour": (3600.0, "s"), "小时": (3600.0, "s"),
}  # fmt: skip
_NUMBERS = {
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "once": 1, "twice": 2, "two": 2, "three": 3,
    "four": 4, "five": 5, "six": 6, "other": 2, "second": 2, "third": 3,
}  # fmt: skip
_EACH = "day|week|fortnight|month|quarter|year|hour"
_ZH_NUMBER = r"[一两二三四五六]|\d{1,3}"
#: 每两周一次, 每周三次, 半年一次, 每隔一天. A weekday (每周五), a date (每月十五日) and a name (每日电讯) are none.
_ZH = re.compile(
    rf"(?P<head>每隔?|(?=[一半两三\d]))(?P<many>{_ZH_NUMBER})?个?(?P<period>季度|星期|礼拜|半年|小时|[天日周月季年])"
    rf"(?![度底初末内均电报刊])(?![一二三四五六七八九十\d]{{1,3}}[日号])(?![一二三四五六天末日](?![次回遍趟]))(?!\d{{1,3}}-)"
    rf"(?P<times>(?:[^,。;\n\d一二三四五六两]{{0,6}})(?P<n>{_ZH_NUMBER})[次回遍趟])?"
)
_EN = re.compile(
    rf"\b(?:(?P<n>once|twice|(?:two|three|four|five|six|\d{{1,2}}) times),? (?:an?|per|each|every) (?P<p1>{_EACH})"
    r"|(?P<n2>once |twice |bi-?|semi-?)?(?P<often>dai|week|fortnight|month|quarter|year|annual|hour)ly\b"
    rf"|(?:every|each) (?:(?P<many>other|second|third|two|three|four|five|six|\d{{1,3}}) )?(?P<p2>{_EACH})s?)\b"
)
#: Two weeks, by use; half a year, by meaning: the two prefixes of -weekly and -annually.
_PREFIXES = {"bi": 2.0, "semi": 0.5}


def find_intervals(folded: str) -> tuple[Value, ...]:
    """The intervals that a folded text states by how often: values of the kind duration, in order.

    'every week' and 'weekly' are seven days, 'twice a year' is half a year. 'a week' and 一年 by themselves are spans.
    """
    found = []
    for m in _ZH.finditer(folded):
        if not m.group("head") and not m.group("times"):
            continue
        times = _number(m.group("n"))
        extra = 1 if m.group("head") == "每隔" and m.group("period") in ("天", "日") else 0
        found.append(_value(m, m.group("period"), _number(m.group("many")) + extra, times))
    for m in _EN.finditer(folded):
        if m.group("p1"):
            found.append(_value(m, m.group("p1"), 1, _number(m.group("n").split()[0])))
        elif m.group("often"):
            prefix = (m.group("n2") or "").strip(" -")
            times = _number(prefix) if prefix in _NUMBERS else 1
            found.append(_value(m, m.group("often"), _PREFIXES.get(prefix, 1.0), times))
        else:
            found.append(_value(m, m.group("p2"), _number(m.group("many")), 1))
    return tuple(sorted(found, key=lambda v: v.start))


def _number(word: str | None) -> int:
    return 1 if not word else _NUMBERS.get(word) or int(word) or 1


def _value(m: re.Match[str], period: str, many: float, times: int) -> Value:
    length, unit = _PERIODS[period]
    length *= many / times
    return Value("duration", m.start(), m.end(), length, length, unit)
