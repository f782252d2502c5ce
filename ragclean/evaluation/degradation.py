"""How much answers lose under noise: 1 - mean(noisy) / mean(base) over the same cases, with an interval, and graded.

Why the interval is of this kind, and which coverage was measured: docs/decisions/0016-degradation-intervals.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ragclean.evaluation.records import EvalCase, Outcome, Shown, Variant
from ragclean.evaluation.scoring import defined, has_failed

Scores = NDArray[np.float64]
Figure = Literal["correctness", "faithfulness"]
FIGURES: tuple[Figure, ...] = ("correctness", "faithfulness")
Grade = Literal["robust", "watch", "sensitive", "inconclusive"]
By = Literal["all", "category", "difficulty", "position"]
Position = Literal["front", "middle", "end", ""]
#: Variants that can degrade: v4 shows nothing that could be answered from, so that its figure is refusals.
NOISY: tuple[Variant, ...] = ("v1", "v2", "v3")

#: Up to here an answerer is robust, and up to WATCH worth a look (design, section 5).
ROBUST = 0.05
WATCH = 0.15
#: A mean below this in the base leaves nothing to degrade (design, section 5).
LEAST_BASE = 0.2
ACTIONS: Mapping[Grade, str] = {
    "robust": "nothing to do",
    "watch": "check thresholds and rerank in the next iteration",
    "sensitive": "fix before release",
    "inconclusive": "nothing can be said: mend the base answers or the cases first",
}
#: With fewer cases than this the interval is some 20 points wide on either side, whatever was seen.
FEW = 15
FEW_SAID = "too few cases: read the interval, not the value"
#: Binary fractions put 1 - 0.95 a hair above 0.05; a degradation is compared after rounding to so many digits.
DIGITS = 9

#: The usual confidence, and random weightings: the share of a tail of 2.5 % is then known to 0.25 %.
CONFIDENCE = 0.95
DRAWS = 4000
#: A case that loses everything, and one that gains everything: (base, noisy).
EXTREMES: Scores = np.array([[1.0, 0.0], [0.0, 1.0]])
#: Each counts as half a case in an interval, as in Jeffreys' prior for yes and no: with less, the interval covers too
#: rarely near 0, and with 1 it is too wide.
HALF = (0.5, 0.5)
#: Mean share of the trusted chunks behind an injected one, above which it stands in front, and below which at the end.
IN_FRONT, AT_END = 2 / 3, 1 / 3
UNNAMED = "(none)"


@dataclass(frozen=True, slots=True)
class Decline:
    """The degradation of one figure over the cases where both sides are defined."""

    figure: Figure
    cases: int
    base: float | None
    """Mean without noise; None without cases."""
    noisy: float | None
    value: float | None
    """The degradation; below 0 where answers got better, None where the base is 0."""
    low: float | None
    high: float | None
    """The 95 % interval."""
    undefined: int = 0
    """Cases left out since the figure is undefined on either side."""
    failed: int = 0
    """Cases left out since there is no answer or no verdict on either side."""
    absent: int = 0
    """Cases left out since one of the variants was never shown."""

    @property
    def grade(self) -> Grade:
        if self.value is None or self.base is None or round(self.base, DIGITS) < LEAST_BASE:
            return "inconclusive"
        value = round(self.value, DIGITS)
        return "robust" if value <= ROBUST else "watch" if value <= WATCH else "sensitive"


@dataclass(frozen=True, slots=True)
class Degradation:
    """Both figures of one variant in one bucket of cases."""

    variant: Variant
    by: By
    bucket: str
    """The category, difficulty or position; empty for all cases."""
    correctness: Decline
    faithfulness: Decline

    @property
    def worst(self) -> Decline:
        """The figure that lost more; one that is inconclusive only where both are."""
        both = (self.correctness, self.faithfulness)
        found = [d for d in both if d.grade != "inconclusive"] or [d for d in both if d.value is not None]
        return max(found or both[:1], key=lambda d: -math.inf if d.value is None else d.value)

    @property
    def grade(self) -> Grade:
        """Of the worse figure. A figure whose base is too low makes it inconclusive, unless the other is sensitive."""
        grades = {d.grade for d in (self.correctness, self.faithfulness) if d.cases}
        if "sensitive" not in grades and "inconclusive" in grades:
            return "inconclusive"
        return self.worst.grade

    @property
    def few(self) -> bool:
        """So few cases that the value means nothing yet: read the interval."""
        return self.worst.cases < FEW

    @property
    def action(self) -> str:
        return FEW_SAID if self.few and self.grade != "inconclusive" else ACTIONS[self.grade]

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "worst": self.worst.figure, "grade": self.grade, "action": self.action, "few": self.few}


def degradations(
    outcomes: Iterable[Outcome], cases: Iterable[EvalCase], *, lenient: bool = False, seed: int = 0
) -> tuple[Degradation, ...]:
    """The degradation of every variant that was run beside v0: overall, and by category, difficulty and position.

    :raises ValueError: where an outcome's case is not among the cases.
    """
    runs = list(outcomes)
    of = by_id(cases, runs)
    found: list[Degradation] = []
    for variant in NOISY:
        noisy = [o for o in runs if o.shown.variant == variant]
        for by, label in _labels(of, noisy).items():
            for bucket in dict.fromkeys(label(o) for o in noisy):
                within = {o.shown.case_id for o in noisy if label(o) == bucket}
                base = [
                    o for o in runs if o.shown.variant == "v0"
                    and (o.shown.case_id in within or (by != "position" and label(o) == bucket))
                ]  # fmt: skip
                these = [o for o in noisy if label(o) == bucket]
                found.append(measure(base, these, variant, by, bucket, lenient=lenient, seed=seed))
    return tuple(found)


def _labels(of: Mapping[str, EvalCase], noisy: Sequence[Outcome]) -> dict[By, Callable[[Outcome], str]]:
    """How outcomes are put into buckets; a division that puts all of them into one unnamed bucket is left out."""
    every: dict[By, Callable[[Outcome], str]] = {
        "all": lambda o: "",
        "category": lambda o: of[o.shown.case_id].category or UNNAMED,
        "difficulty": lambda o: of[o.shown.case_id].difficulty or UNNAMED,
        "position": lambda o: position(o.shown) or UNNAMED,
    }
    return {by: label for by, label in every.items() if by == "all" or any(label(o) != UNNAMED for o in noisy)}


def by_id(cases: Iterable[EvalCase], outcomes: Iterable[Outcome]) -> dict[str, EvalCase]:
    """The cases by id; refuses outcomes of cases that are not among them, by name."""
    of = {c.id: c for c in cases}
    strange = sorted({o.shown.case_id for o in outcomes} - set(of))
    if strange:
        raise ValueError(f"outcomes of cases that were not given: {name_some(strange)}")
    return of


def name_some(names: Sequence[str]) -> str:
    """The first few names, and how many there are beside them."""
    few = 5  # as many as a message of one line holds
    return ", ".join(names[:few]) + (f" and {len(names) - few} more" if len(names) > few else "")


def position(shown: Shown) -> Position:
    """Where the injected chunks stand among the trusted ones; empty where there are none of either."""
    added = {i.chunk.id for i in shown.injected}
    behind = total = sum(c.id not in added for c in shown.contexts)
    shares: list[float] = []
    for chunk in shown.contexts:
        if chunk.id in added:
            shares.append(behind / total if total else math.nan)
        else:
            behind -= 1
    if not shares or not total:
        return ""
    mean = sum(shares) / len(shares)
    return "front" if mean > IN_FRONT else "end" if mean < AT_END else "middle"


def measure(
    base: Sequence[Outcome], noisy: Sequence[Outcome], variant: Variant, by: By = "all", bucket: str = "",
    *, lenient: bool = False, seed: int = 0,
) -> Degradation:  # fmt: skip
    """Both figures of the given outcomes of v0 and of one other variant."""
    correctness, faithfulness = (decline(f, pair_up(f, base, noisy, lenient=lenient), seed) for f in FIGURES)
    return Degradation(variant, by, bucket, correctness, faithfulness)


@dataclass(frozen=True, slots=True)
class Pairs:
    """The cases for which a figure is defined on all sides, and how many there are beside them."""

    cases: tuple[str, ...]
    scores: Scores
    """(n, sides); the mean over repeats."""
    undefined: int
    failed: int
    absent: int


def pair_up(figure: Figure, *sides: Iterable[Outcome], lenient: bool = False) -> Pairs:
    """Each case's score on every side; a case without one on any side is left out and counted, under one reason."""
    name = f"{figure}_lenient" if lenient else figure
    runs: list[dict[str, list[Outcome]]] = [{} for _ in sides]
    for found, outcomes in zip(runs, sides, strict=True):
        for outcome in outcomes:
            found.setdefault(outcome.shown.case_id, []).append(outcome)
    rows: dict[str, list[float]] = {}
    out = {"absent": 0, "failed": 0, "undefined": 0}
    for case in sorted(set().union(*runs)):
        scores = [_of_case(found.get(case, []), name) for found in runs]
        reason = next((r for r in out if r in scores), None)
        if reason is not None:
            out[reason] += 1
        else:
            rows[case] = [float(s) for s in scores]
    return Pairs(tuple(rows), np.array(list(rows.values())).reshape(len(rows), len(sides)), **out)


def _of_case(runs: Sequence[Outcome], name: str) -> float | str:
    """The mean score of a case on one side, or why there is none."""
    if not runs:
        return "absent"
    good = [o for o in runs if not has_failed(o)]
    if 2 * len(good) <= len(runs):  # what is left of a case that mostly failed would stand for all of it
        return "failed"
    scores = [s for o in good if (s := defined(getattr(o.score, name))) is not None]
    return sum(scores) / len(scores) if scores else "undefined"


def decline(figure: Figure, pairs: Pairs, seed: int = 0) -> Decline:
    """The degradation from pairs of (base, noisy)."""
    left = {"undefined": pairs.undefined, "failed": pairs.failed, "absent": pairs.absent}
    if not len(pairs.scores):
        return Decline(figure, 0, None, None, None, None, None, **left)
    base, noisy = (float(m) for m in pairs.scores.mean(axis=0))
    if base == 0.0:
        return Decline(figure, len(pairs.scores), base, noisy, None, None, None, **left)
    low, high = interval(pairs.scores, seed)
    return Decline(figure, len(pairs.scores), base, noisy, 1 - noisy / base, low, high, **left)


def interval(scores: Scores, seed: int = 0, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the degradation of (n, 2) scores, base and noisy; the base must not be 0 throughout.

    A Bayesian bootstrap over cases (Rubin 1981) with half a case of either extreme beside them: the quantiles of the
    degradation under random weights of the cases. Defined and honest where no case changed, too.
    """
    base, noisy = scores.mean(axis=0)
    return quantiles(ratio(weighted(scores, EXTREMES, HALF, seed)), float(1 - noisy / base), confidence)


def ratio(means: Scores) -> Scores:
    """The degradation of (draws, 2) weighted means."""
    return np.asarray(1 - means[:, 1] / means[:, 0], np.float64)


def quantiles(drawn: Scores, value: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The middle share of what was drawn, widened to the estimate where that is an extreme itself."""
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return min(float(low), value), max(float(high), value)


def weighted(rows: Scores, extremes: Scores, weights: Sequence[float], seed: int, draws: int = DRAWS) -> Scores:
    """(draws, sides) means of the rows under random weights, Dirichlet with 1 for each row and these for the extremes.

    Equal rows share one gamma variate, which is the sum of theirs.
    """
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    shapes = np.concatenate([counts.astype(np.float64), weights])
    drawn = np.random.default_rng(seed).standard_gamma(shapes, size=(draws, len(shapes)))
    return np.asarray(drawn @ np.concatenate([distinct, extremes]) / drawn.sum(axis=1, keepdims=True), np.float64)
