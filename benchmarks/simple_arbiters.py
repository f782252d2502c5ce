"""How far one simple rule gets in a conflict: what an arbiter worth its name has to beat.

The rules see only the chunks that truly contend, which flatters them: chunks about a neighbour (another model, another
year) are left out for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from case_form import GOOD, LOSING, Case, Chunk, holds

from ragclean.text.dates import parse_date

#: From this weight on a page counts as trusted for the arbiter 'newest among the trusted'.
TRUSTED = 0.8

Arbiter = Callable[[Sequence[tuple[str, Chunk]]], list[str]]


def contenders(case: Case) -> list[tuple[str, Chunk]]:
    """The chunks that state one side of a conflict, each with its side ('' is the winning one)."""
    sides = []
    for chunk in case.chunks:
        if chunk.role in GOOD and any(holds(chunk.text, a) for a in case.accepted):
            sides.append(("", chunk))
        elif chunk.role in LOSING:
            losers = case.conflict.losers if case.conflict else ()
            sides.append((next((x for x in losers if holds(chunk.text, x)), "?"), chunk))
    return sides


def _highest(sides: Sequence[tuple[str, Chunk]], of: Callable[[Chunk], Any]) -> list[str]:
    values = [of(chunk) for _, chunk in sides]
    known = [v for v in values if v is not None]
    return [side for (side, _), v in zip(sides, values, strict=True) if v == max(known)] if known else []


def _published(chunk: Chunk) -> date | None:
    return parse_date(chunk.published_at) if chunk.published_at else None


def _majority(sides: Sequence[tuple[str, Chunk]]) -> list[str]:
    counts = Counter(side for side, _ in sides)
    return [side for side, n in counts.items() if n == max(counts.values())]


def _newest_trusted(sides: Sequence[tuple[str, Chunk]]) -> list[str]:
    return _highest([s for s in sides if (s[1].source_weight or 0) >= TRUSTED] or sides, _published)


ARBITERS: dict[str, Arbiter] = {
    "majority": _majority,
    "newest": lambda sides: _highest(sides, _published),
    "most trusted": lambda sides: _highest(sides, lambda c: c.source_weight),
    "first": lambda sides: [sides[0][0]],
    "longest": lambda sides: _highest(sides, lambda c: len(c.text)),
    "newest among the trusted": _newest_trusted,
}


def arbiter_scores(cases: Sequence[Case]) -> dict[str, float]:
    """Share of the conflicts with a winner that each simple arbiter decides right.

    Where a rule cannot tell (equal values, no dates, no weights) it takes any of the sides left with equal chance, and
    the expected share counts.
    """
    conflicts = [sides for case in cases if case.decidable and (sides := contenders(case))]
    scores = {}
    for name, arbiter in ARBITERS.items():
        total = 0.0
        for sides in conflicts:
            chosen = set(arbiter(sides) or [side for side, _ in sides])
            total += ("" in chosen) / len(chosen)
        scores[name] = total / len(conflicts) if conflicts else 0.0
    return scores
