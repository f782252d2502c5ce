"""What each arm leaves of a case's retrieved passages for the reader.

Every arm gives passages (``Chunk``) with the metadata they came with, so that the reader's prompt is built the same
way for all of them; only texts, their number and their order differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from case_form import GOOD, Case

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.evaluation.cleaning import TOP, VectorRerank, left_by
from ragclean.types import Chunk

Arm = Callable[[Case], Sequence[Chunk]]

#: The arms that the published account has, and the bound of what any cleaning could bring this reader.
MAIN = ("raw", "vector rerank", "corrected", "oracle")
#: The corrector without one of its three stages.
ABLATIONS = ("no rerank", "no arbitration", "no compression")
#: Thresholds that keep nothing out for its score.
OPEN = {"admission_threshold": 0.0, "relative_admission": 0.0, "judge_floor": 0.0, "silent_admission": 0.0}


def passages_of(case: Case) -> list[Chunk]:
    """The candidates as retrieved, in their order."""
    return [Chunk(**c.fields()) for c in case.chunks]


def oracle(case: Case) -> list[Chunk]:
    """The needed sentences alone, in their passages: what perfect cleaning would leave."""
    needed = {c.id: c.must_keep for c in case.chunks if c.role in GOOD and c.must_keep}
    return [replace(c, text="\n".join(needed[c.id])) for c in passages_of(case) if c.id in needed]


def corrected(corrector: NoiseCorrector, top_k: int = TOP) -> Arm:
    """What the corrector keeps, judged by the day on which the case is asked."""

    def clean(case: Case) -> list[Chunk]:
        return left_by(corrector.refine(case.query, passages_of(case), top_k=top_k, as_of=case.as_of))

    return clean


def unranked(corrector: NoiseCorrector) -> Arm:
    """Arbitration and compression over all passages, in the retriever's order: no score keeps one out or moves it.

    ``corrector`` has the thresholds of :data:`OPEN`.
    """

    def clean(case: Case) -> list[Chunk]:
        retrieved = passages_of(case)
        found = corrector.refine(case.query, retrieved, top_k=len(retrieved), as_of=case.as_of)
        left = {c.id: c for c in left_by(found)}
        return [left[c.id] for c in retrieved if c.id in left]

    return clean


def nearest(rerank: VectorRerank) -> Arm:
    """The passages nearest to the question."""
    return lambda case: rerank(case.query, passages_of(case))


def own_arms(encoder: str | None = None, top_k: int = TOP) -> Mapping[str, Arm]:
    """The arms that need this package alone; ``encoder`` as for ``NoiseCorrector``."""

    def with_(**changes: Any) -> NoiseCorrector:
        return NoiseCorrector(config=CorrectorConfig(**changes), encoder=encoder)

    return {
        "raw": passages_of,
        "vector rerank": nearest(VectorRerank(top_k, encoder)),
        "corrected": corrected(with_(), top_k),
        "oracle": oracle,
        "no rerank": unranked(with_(**OPEN)),
        "no arbitration": corrected(with_(arbitration=False), top_k),
        "no compression": corrected(with_(compression=False), top_k),
    }
