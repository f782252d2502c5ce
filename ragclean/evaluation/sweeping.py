"""Sweep: what does each setting bring in recall, and cost in degradation?"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.cleaning import Cleaner, Kept, cleaned, corrected_by, raw, version_of
from ragclean.evaluation.degradation import DIGITS, Degradation, measure
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import EvalCase
from ragclean.evaluation.running import Answer, AnswerJudge, Retrieve, maker_of, run_evaluation
from ragclean.evaluation.scoring import averages
from ragclean.types import Chunk


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One setting, run over all cases."""

    settings: Mapping[str, Any]
    """``{"top_k": 8, "admission_threshold": 0.5}``"""
    recall: float | None
    """Mean share of the gold chunks among what the model reads without noise."""
    correctness: float | None
    """Mean under v0."""
    degradation: Degradation
    """v3 against v0."""
    passages: float
    """Mean number of chunks that the model reads without noise."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """All settings of a sweep, in the order they were given."""

    points: tuple[SweepPoint, ...]
    best: int | None
    """Index of the sweet spot; None where no setting can be told from the others."""
    reason: str
    """Why it is the sweet spot, in one sentence."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        points = [
            {"settings": dict(p.settings), "recall": p.recall, "correctness": p.correctness, "passages": p.passages,
             "degradation": p.degradation.to_dict()}
            for p in self.points
        ]  # fmt: skip
        return {"points": points, "best": self.best, "reason": self.reason}


def grid(**choices: Sequence[Any]) -> list[dict[str, Any]]:
    """Every combination: ``grid(top_k=[4, 8], admission_threshold=[0.4, 0.5])`` gives four settings."""
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


def sweep(
    cases: Sequence[EvalCase],
    answer: Answer,
    settings: Sequence[Mapping[str, Any]],
    judge: AnswerJudge | None = None,
    *,
    pipeline: str,
    clean: Callable[[Mapping[str, Any]], Cleaner] | None = None,
    retrieve: Callable[[Mapping[str, Any]], Retrieve] | None = None,
    noise: NoiseMaker | NoiseSettings | None = None,
    concurrency: int = 8,
    cache: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Sweep:
    """Run the application under each setting, without noise and with contradictions.

    Args:
        settings: what to try: see :func:`grid`. All are tried for being valid before any is run.
        clean: makes of a setting what stands before the model; None for the corrector, with ``top_k`` and any field of
            ``CorrectorConfig`` as settings, unless ``retrieve`` is given.
        retrieve: makes of a setting a retriever; the contexts of the cases are replaced by what it brings.
        judge, pipeline, noise, concurrency, cache, progress: as for ``evaluate``. There is no self-check: make one
            evaluation with it first.

    Raises:
        ValueError: there is no setting, or one of them is none of the corrector's; the message names it.
    """
    if not settings:
        raise ValueError("settings: there is none to try")
    if clean is None and retrieve is None:
        clean = _correctors(cases)
    made = [
        (dict(s), Kept(clean(s) if clean else raw), retrieve(s) if retrieve is not None else None) for s in settings
    ]
    known = list(cases) if retrieve is None else [replace(c, contexts=()) for c in cases]
    maker = maker_of(known, noise) or noise
    points: list[SweepPoint] = []
    for chosen, cleaner, bring in made:
        report = run_evaluation(
            known, cleaned(answer, cleaner), judge or OfflineJudge(),
            pipeline=f"{pipeline}+{version_of(cleaner)}+{json.dumps(chosen, sort_keys=True, default=str)}",
            variants=("v0", "v3"), noise=maker, retrieve=bring, concurrency=concurrency, cache=cache,
            progress=progress,
        )  # fmt: skip
        points.append(_point(chosen, report, cleaner))
    best, reason = sweet_spot(points)
    return Sweep(tuple(points), best, reason)


def _correctors(cases: Sequence[EvalCase]) -> Callable[[Mapping[str, Any]], Cleaner]:
    corrector = NoiseCorrector()
    return lambda settings: corrected_by(settings, corrector, cases)


def _point(chosen: Mapping[str, Any], report: EvalReport, clean: Cleaner) -> SweepPoint:
    by_id = {c.id: c for c in report.cases}
    base = [o for o in report.outcomes if o.shown.variant == "v0"]
    noisy = [o for o in report.outcomes if o.shown.variant == "v3"]
    read = {
        o.shown.case_id: clean(by_id[o.shown.case_id].question, o.shown.contexts) for o in base if not o.failed
    }
    recalls = [recall(by_id[i], chunks) for i, chunks in read.items() if by_id[i].gold]
    means = [a.correctness for a in averages(base)]
    return SweepPoint(
        chosen, sum(recalls) / len(recalls) if recalls else None, means[0] if means else None,
        measure(base, noisy, "v3"), sum(len(c) for c in read.values()) / max(len(read), 1),
    )  # fmt: skip


def recall(case: EvalCase, chunks: Sequence[Chunk]) -> float:
    """The share of a case's gold chunks among these, 0..1."""
    shown = {c.id for c in chunks}
    return sum(i in shown for i in case.gold) / len(case.gold)


def sweet_spot(points: Sequence[SweepPoint]) -> tuple[int | None, str]:
    """The setting of which most recall survives noise, recall x (1 - degradation), and why.

    Recall rises with every chunk let in, and so does what contradictions do; the product counts both. Answers that got
    better under noise did so by chance, and count as unharmed. Of equals the one with fewer chunks is taken.
    """
    worth = {
        i: p.recall * (1 - max(p.degradation.worst.value, 0.0)) for i, p in enumerate(points)
        if p.recall and p.degradation.worst.value is not None and p.degradation.grade != "inconclusive"
    }  # fmt: skip
    if not worth:
        return None, "no setting has a recall above 0 (of cases with gold chunks) and a degradation that can be graded"
    best = min(worth, key=lambda i: (-round(worth[i], DIGITS), points[i].passages, i))
    others = [i for i in worth if i != best]
    found = points[best]
    said = f"{named(found)}: recall {found.recall:.1%}, degradation {found.degradation.worst.value:.1%}"
    if not others:
        return best, said
    most = max(others, key=lambda i: (points[i].recall or 0.0, -(points[i].degradation.worst.value or 0.0)))
    gained = (points[most].recall or 0.0) - (found.recall or 0.0)
    lost = (points[most].degradation.worst.value or 0.0) - (found.degradation.worst.value or 0.0)
    if gained <= 0:
        return best, f"{said}; no other has more recall"
    return best, f"{said}; {named(points[most])} has {gained:.1%} more recall and {lost:+.1%} degradation"


def named(point: SweepPoint) -> str:
    """The settings of a point in a line."""
    return ", ".join(f"{name} {value}" for name, value in point.settings.items())
