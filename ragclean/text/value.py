"""A value and what it means for two of them to be the same, or not to contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import Literal

from ragclean.text.units import COUNT_SYNONYM, GENERIC_COUNT

ValueKind = Literal["duration", "date", "time", "money", "percent", "count", "quantity", "version", "number"]

SECONDS_PER_MONTH = 365.2425 / 12 * 86400
"""The mean Gregorian month, for comparing 30天 with 1个月."""
MONTH_TOLERANCE = 0.02
"""Days against months: 30 and 31 days lie within 1.9 % of the mean month, 90 days within 1.5 % of three months,
while 28 days (four weeks) are 8 % off and 60 days against three months 34 %."""
NUMBER_TOLERANCE = 1e-9
"""Room for the rounding of a unit's factor, not for people's."""


#: Seconds by unit, for comparing sizes.
_DURATION = {"s": 1.0, "month": SECONDS_PER_MONTH, "workday": 86400.0}


@dataclass(frozen=True, slots=True)
class Value:
    """A value as written at ``start:end`` (its unit and bound words included).

    ``low``/``high`` are in ``unit``: equal for a point, None on the open side of a bound, both given for a range.
    ``unit``: durations ``s`` (hours, days, weeks), ``month`` (months, years, quarters), ``workday``; money an ISO
    currency code; percentages ``%`` (also per mille, converted); counts the counted noun or classifier
    (次, 条, requests, or ``""``); quantities a base unit (``B`` for data sizes, ``m``, ``kg``, ``°C`` ...);
    clock times ``clock`` (minutes since midnight); dates and versions use ``parts`` instead.
    ``parts``: for dates (year, month, day) with 0 for what is not stated, six numbers for a range of dates; for
    versions the numbers without trailing zeros; else empty. Dates whose year is known have ``low``/``high`` as
    proleptic ordinals of the first and the last day they cover.
    ``approximate``: 约, 左右, about ..., or a day guessed from 底 and 初.
    """

    kind: ValueKind
    start: int
    end: int
    low: float | None
    high: float | None
    unit: str = ""
    parts: tuple[int, ...] = ()
    approximate: bool = False

    @property
    def is_point(self) -> bool:
        return self.low is not None and self.low == self.high


def same_value(a: Value, b: Value) -> bool:
    """Equal after normalisation: 24h and 一天, 12个月 and 一年, 1,299.00 and 1299元, v2.4 and 2.4.0.

    People state a limit with and without its bound word (15天内, 15天), so a bound and a point of the same number
    are the same; an upper and a lower bound of the same number are not. Days equal months within
    :data:`MONTH_TOLERANCE`; workdays equal workdays only; currencies never equal each other; a partial date equals
    another date where all that both state agrees and the coarser states a day or both state the same.
    """
    if a.kind in ("date", "version") or b.kind in ("date", "version"):
        return a.kind == b.kind and (_same_dates(a.parts, b.parts) if a.kind == "date" else a.parts == b.parts)
    scale, tolerance = _common_scale(a, b)
    if scale is None:
        return False
    ends_a, ends_b = _ends(a), _ends(b)
    if len(ends_a) != len(ends_b) or not ends_a:
        return False
    if len(ends_a) == 1 and not a.is_point and not b.is_point and (a.low is None) != (b.low is None):
        return False
    return all(_close(x, y * scale, tolerance) for x, y in zip(ends_a, ends_b, strict=True))


def agrees(a: Value, b: Value) -> bool:
    """``same_value``, or a point inside the other's range or bound, or overlapping ranges: no contradiction.

    Two upper bounds (or two lower ones) of different numbers contradict each other, although they overlap.
    """
    if same_value(a, b):
        return True
    if a.kind == "date" and b.kind == "date":
        return _dates_overlap(a, b)
    if a.kind != b.kind or a.kind == "version":
        return False
    scale, tolerance = _common_scale(a, b)
    if scale is None or not _ends(a) or not _ends(b):
        return False
    if _one_sided(a) and _one_sided(b) and (a.low is None) == (b.low is None):
        return False
    low_a, high_a = a.low, a.high
    low_b, high_b = _scaled(b.low, scale), _scaled(b.high, scale)
    return _at_most(low_a, high_b, tolerance) and _at_most(low_b, high_a, tolerance)


def canonical(value: Value) -> str:
    """A short stable key of the normalised value: equal keys for equal values where the unit is the same.

    A bound has the key of its number, as :func:`same_value` has it.
    """
    if value.kind == "date":
        parts = value.parts
        return "date:" + "/".join(_date_key(parts[i : i + 3]) for i in range(0, len(parts), 3))
    if value.kind == "version":
        return "version:" + ".".join(map(str, value.parts))
    unit = COUNT_SYNONYM.get(value.unit, value.unit) if value.kind == "count" else value.unit
    kind = "number" if value.kind == "count" and unit in GENERIC_COUNT else value.kind
    body = "..".join(_number_key(x) for x in _ends(value))
    return f"{kind}:{body}{unit if kind != 'number' else ''}"


def _number_key(x: float) -> str:
    return f"{x:.9g}"


def _date_key(parts: tuple[int, ...]) -> str:
    year, month, day = parts
    return "-".join((f"{year:04d}" if year else "*", f"{month:02d}" if month else "*", f"{day:02d}" if day else "*"))


def _ends(value: Value) -> tuple[float, ...]:
    """The numbers a value states: one for a point or a bound, two for a range."""
    if value.low is None:
        return () if value.high is None else (value.high,)
    return (value.low,) if value.high is None or value.high == value.low else (value.low, value.high)


def _one_sided(value: Value) -> bool:
    return (value.low is None) != (value.high is None)


def size_ratio(a: Value, b: Value) -> float | None:
    """How many times as large the first is as the second, by their lower ends; None where that says nothing.

    A workday is taken for a day here: sizes are compared, not equality.
    """
    if a.kind in ("date", "time", "version") or b.kind != a.kind:
        return None
    scale = _DURATION[a.unit] / _DURATION[b.unit] if a.unit in _DURATION and b.unit in _DURATION else 1.0
    x, y = (next((abs(end) for end in (v.low, v.high) if end is not None), 0.0) for v in (a, b))
    return scale * x / y if x and y else None


def _common_scale(a: Value, b: Value) -> tuple[float | None, float]:
    """The factor that brings b's numbers into a's unit (None: not comparable), and the tolerance."""
    if a.kind != b.kind:
        number_and_count = {a.kind, b.kind} == {"number", "count"}
        return (1.0 if number_and_count else None), NUMBER_TOLERANCE
    if a.unit == b.unit:
        return 1.0, NUMBER_TOLERANCE
    if a.kind == "duration" and {a.unit, b.unit} == {"s", "month"}:
        return (SECONDS_PER_MONTH if a.unit == "s" else 1 / SECONDS_PER_MONTH), MONTH_TOLERANCE
    if a.kind == "count" and (a.unit in GENERIC_COUNT or b.unit in GENERIC_COUNT
                              or COUNT_SYNONYM.get(a.unit, a.unit) == COUNT_SYNONYM.get(b.unit, b.unit)):
        return 1.0, NUMBER_TOLERANCE
    return (1.0 if a.kind == "number" else None), NUMBER_TOLERANCE


def _close(x: float, y: float, tolerance: float) -> bool:
    return isclose(x, y, rel_tol=tolerance, abs_tol=1e-12)


def _scaled(x: float | None, scale: float) -> float | None:
    return None if x is None else x * scale


def _at_most(low: float | None, high: float | None, tolerance: float) -> bool:
    return low is None or high is None or low <= high or _close(low, high, tolerance)


def _same_dates(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Same date; a year that one of them leaves out (7月1日) is taken from the other, a day is not."""
    if len(a) != len(b):
        return False
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if x != y and not (i % 3 == 0 and (x == 0 or y == 0)):
            return False
    return True


def _dates_overlap(a: Value, b: Value) -> bool:
    if a.low is not None and a.high is not None and b.low is not None and b.high is not None:
        return a.low <= b.high and b.low <= a.high
    if len(a.parts) != 3 or len(b.parts) != 3:
        return False
    return all(x == y or x == 0 or y == 0 for x, y in zip(a.parts, b.parts, strict=True))
