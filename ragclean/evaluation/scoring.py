"""Figures of one answer from what the judge said of it, and their averages by variant.

Undefined is None and stays out of every average: it is never counted as 0, nor 0 as undefined.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragclean.evaluation.records import (
    VARIANTS,
    ClaimVerdict,
    EvalCase,
    Judgement,
    NoiseKind,
    Outcome,
    Score,
    Shown,
    Variant,
)

RELEVANT: frozenset[NoiseKind] = frozenset({"relevant_soft", "relevant_hard"})
IRRELEVANT: frozenset[NoiseKind] = frozenset({"irrelevant"})


def score(case: EvalCase, judgement: Judgement, shown: Shown | None = None) -> Score:
    """The figures of one answer.

    With ``shown``, adoption of a kind of noise that was not shown is undefined instead of 0.
    """
    if judgement.failed:
        return Score(None, None, None, None, None, None, judgement.refusal)
    correctness = _correctness(case, judgement, lenient=False)
    lenient = _correctness(case, judgement, lenient=True)
    if judgement.refusal:  # it answers nothing: there is no claim that could be faithful or not
        return Score(correctness, lenient, None, None, None, None, True)
    return Score(
        correctness,
        lenient,
        _share(c.support == "supported" for c in judgement.claims),
        _share(c.support != "contradicted" for c in judgement.claims),
        _adoption(judgement.claims, RELEVANT, shown),
        _adoption(judgement.claims, IRRELEVANT, shown),
        False,
    )


def _correctness(case: EvalCase, judgement: Judgement, *, lenient: bool) -> float | None:
    """Share of key points covered (lenient: not contradicted); where there is no answer, refusing alone is right."""
    if not case.answerable:
        return float(judgement.refusal)
    if judgement.refusal:
        return 0.0
    if case.keypoints and len(judgement.points) != len(case.keypoints):
        return None  # verdicts on some of the points only say nothing of the case
    return _share(not p.contradicted and (lenient or p.covered) for p in judgement.points)


def _adoption(claims: Sequence[ClaimVerdict], kinds: frozenset[NoiseKind], shown: Shown | None) -> float | None:
    """Share of the unsupported claims that an injected chunk of these kinds supports."""
    if shown is not None and not any(i.kind in kinds for i in shown.injected):
        return None
    return _share(c.injected_kind in kinds for c in claims if c.support != "supported")


def _share(hits: Iterable[bool]) -> float | None:
    found = list(hits)
    return sum(found) / len(found) if found else None


@dataclass(frozen=True, slots=True)
class Averages:
    """Mean figures of one variant, each over the answers for which it is defined; cases count alike.

    A case that was asked several times counts once, with the mean of its answers.
    """

    variant: Variant
    cases: int
    """Cases with at least one answer and verdict."""
    failed: int
    """Cases without: the application or the judge failed each time."""
    correctness: float | None
    correctness_lenient: float | None
    faithfulness: float | None
    faithfulness_lenient: float | None
    adoption_relevant: float | None
    adoption_irrelevant: float | None
    refusal: float | None
    """Share of refusals: wanted in v4, where nothing shown holds an answer."""


def averages(outcomes: Iterable[Outcome]) -> tuple[Averages, ...]:
    """Mean figures by variant, in the variants' order; every case counts once."""
    groups: dict[Variant, dict[str, list[Outcome]]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.shown.variant, {}).setdefault(outcome.shown.case_id, []).append(outcome)
    return tuple(_averages(v, groups[v]) for v in VARIANTS if v in groups)


def _averages(variant: Variant, cases: dict[str, list[Outcome]]) -> Averages:
    kept = [good for runs in cases.values() if (good := [o.score for o in runs if not has_failed(o)])]

    def over(name: str) -> float | None:
        return _mean(_mean(defined(getattr(s, name)) for s in runs) for runs in kept)

    return Averages(
        variant, len(kept), len(cases) - len(kept),
        over("correctness"), over("correctness_lenient"), over("faithfulness"), over("faithfulness_lenient"),
        over("adoption_relevant"), over("adoption_irrelevant"), over("refusal"),
    )  # fmt: skip


def has_failed(outcome: Outcome) -> bool:
    """Whether there is no answer, or no verdict on it."""
    return bool(outcome.failed or outcome.judgement.failed)


def defined(value: float | None) -> float | None:
    """The value where it is a share; None where it is undefined.

    :raises ValueError: on a number outside 0..1, which no share is.
    """
    if value is None or math.isnan(value):
        return None
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"a score is a share from 0 to 1, got {value}")
    return float(value)


def _mean(values: Iterable[float | None]) -> float | None:
    found = [v for v in values if v is not None]
    return math.fsum(found) / len(found) if found else None
