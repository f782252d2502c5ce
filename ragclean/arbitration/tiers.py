"""Tiers: where the question states a size, an amount or a time of day, rows and clauses for another one do not answer.

'How long for a 500 ml bottle' is answered by the row '401-600 ml: 25 min', not by 'up to 100 ml: 18 min'.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragclean.prepare import PreparedText
from ragclean.text.units import GENERIC_COUNT
from ragclean.text.values import Value, agrees, find_values

#: Kinds that tiers are made of.
_TIERED = frozenset(("quantity", "money", "count", "duration", "time"))
_ROWS = frozenset(("table_row", "list_item"))
_CLAUSE = re.compile(r"[,;。\n|]")
#: Parts of the day with an hour (minutes since midnight) that is in them beyond doubt.
_PART_OF_DAY = (
    (re.compile(r"白天|日间|\bdaytime\b|\bduring the day\b|\bat (?:noon|midday)\b|\bin the afternoon\b"), 14 * 60.0),
    (re.compile(r"夜间|夜里|晚上|半夜|深夜|\bat night\b|\bovernight\b|\bduring the night\b"), 23 * 60.0 + 30),
)
_A_DAY = 24 * 60.0


def sizes_asked(folded: str) -> tuple[Value, ...]:
    """What a question states of its own case: sizes, amounts, spans, a time of day."""
    found = [v for v in find_values(folded) if v.kind in _TIERED]
    if not any(v.kind == "time" for v in found):
        parts = [m for pattern, m in _PART_OF_DAY if pattern.search(folded)]
        found += [Value("time", 0, 0, m, m, "clock") for m in parts if len(parts) == 1]
    return tuple(found)


def of_other_tier(prepared: PreparedText, number: int, value: Value, asked: Sequence[Value]) -> bool:
    """The row or clause of ``value`` is for another size, amount or time of day than one that is ``asked`` about."""
    beside = None
    for size in asked:
        if _family(size) == _family(value):
            continue  # 'after three years' and 'for five years': which is which, no rule can tell
        if beside is None:
            beside = _beside(prepared, number, value)
        tiers = [v for v in beside if _family(v) == _family(size)]
        if tiers and not any(_holds(tier, size) for tier in tiers):
            return True
    return False


def _beside(prepared: PreparedText, number: int, value: Value) -> list[Value]:
    """The other values of the same row, or of the same clause of prose."""
    sentence = prepared.sentences[number]
    values = [v for v in prepared.sentence_values[number] if v.start != value.start]
    if sentence.kind in _ROWS:
        return values
    left, right = sentence.start, sentence.end
    for m in _CLAUSE.finditer(prepared.folded, left, value.start):
        left = m.end()
    following = _CLAUSE.search(prepared.folded, value.end, right)
    right = following.start() if following else right
    return [v for v in values if left <= v.start < right]


def _family(value: Value) -> tuple[str, str]:
    if value.kind == "count":
        return "count", "" if value.unit in GENERIC_COUNT else value.unit
    return value.kind, value.unit if value.kind in ("quantity", "money") else ""


def _holds(tier: Value, size: Value) -> bool:
    if tier.kind != "time":
        return agrees(tier, size)
    if tier.low is None or tier.high is None or size.low is None:
        return agrees(tier, size)
    if tier.low == tier.high:
        return True  # an hour by itself bounds nothing
    return any(tier.low <= day + size.low <= tier.high for day in (0.0, _A_DAY))
