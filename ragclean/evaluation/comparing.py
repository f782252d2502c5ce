"""Two pipelines on the same cases and variants: what each scores, and which of them noise degrades more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from ragclean.evaluation.degradation import (
    DIGITS,
    EXTREMES,
    FIGURES,
    HALF,
    LEAST_BASE,
    NOISY,
    Figure,
    Scores,
    name_some,
    pair_up,
    quantiles,
    ratio,
    weighted,
)
from ragclean.evaluation.gating import ReportHead, holm
from ragclean.evaluation.records import VARIANTS, Outcome, Variant

Worse = Literal["first", "second", "both", ""]
#: (base, noisy) of the first and of the second: the second loses all and the first nothing, and the other way round.
ONE_SIDED: Scores = np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 1.0]])


class ComparisonError(ValueError):
    """Why two reports cannot be compared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of both pipelines over the cases where it is defined on both sides: the second less the first."""

    variant: Variant
    figure: Figure
    cases: int
    left_out: int
    """Cases for which it is undefined or failed on either side."""
    first: float | None
    second: float | None
    value: float | None
    low: float | None
    high: float | None
    """The 95 % interval, paired over cases."""
    p: float | None = None
    """How probable so large a difference is where there is none, either way."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Means by variant, and degradations by variant, each of both pipelines with their difference."""

    first: ReportHead
    second: ReportHead
    means: tuple[Difference, ...]
    degradations: tuple[Difference, ...]
    """``first`` and ``second`` are degradations here: a positive difference says that the second loses more."""

    def worse(self, variant: Variant = "v3") -> Worse:
        """Which pipeline noise degrades more, in either figure, beyond chance; empty where that cannot be told.

        ``both``: one loses more in one figure, and the other in the other.
        """
        of = [(d.value, d.p) for d in self.degradations if d.variant == variant]
        told = [(v, p) for v, p in of if v is not None and p is not None]
        sides = {v > 0 for (v, _), sure in zip(told, holm([p for _, p in told]), strict=True) if sure}
        return "" if not sides else "both" if len(sides) > 1 else "second" if sides == {True} else "first"

    def to_dict(self) -> dict[str, Any]:
        shown = {d.variant for d in self.degradations}
        return {**asdict(self), "worse": {v: self.worse(v) for v in NOISY if v in shown}}


def compare(
    first: Iterable[Outcome], second: Iterable[Outcome], first_head: ReportHead, second_head: ReportHead,
    *, lenient: bool = False, seed: int = 0,
) -> Comparison:  # fmt: skip
    """The figures of two reports on the same cases and variants, under the same judge.

    :raises ComparisonError: where judge, variants or cases differ; it names them.
    """
    sides = ([*first], [*second])
    _comparable(*sides, first_head, second_head)
    shown = {o.shown.variant for o in sides[0]}
    of = {v: tuple([o for o in side if o.shown.variant == v] for side in sides) for v in VARIANTS if v in shown}
    means = [_means(v, f, of[v], lenient, seed) for v in of for f in FIGURES]
    if "v0" not in of:
        return Comparison(first_head, second_head, tuple(means), ())
    lost = [_lost(v, f, of["v0"], of[v], lenient, seed) for v in NOISY if v in of for f in FIGURES]
    return Comparison(first_head, second_head, tuple(means), tuple(lost))


def _comparable(first: Sequence[Outcome], second: Sequence[Outcome], *heads: ReportHead) -> None:
    if heads[0].judge != heads[1].judge:
        raise ComparisonError(f"judged by {heads[0].judge!r} and by {heads[1].judge!r}: figures of two judges differ")
    by = [{o.shown.variant for o in side} for side in (first, second)]
    if not by[0] and not by[1]:
        raise ComparisonError("neither report has an outcome")
    if by[0] != by[1]:
        raise ComparisonError(_only("variants", *by))
    for variant in sorted(by[0]):
        cases = [{o.shown.case_id for o in side if o.shown.variant == variant} for side in (first, second)]
        if cases[0] != cases[1]:
            raise ComparisonError(_only(f"cases of {variant}", *cases))


def _only(what: str, first: set[Any], second: set[Any]) -> str:
    """Names what only one of the reports has."""
    only = [(which, sorted(have - other)) for which, have, other in
            (("first", first, second), ("second", second, first))]  # fmt: skip
    return f"different {what}: " + "; ".join(f"only the {which} has {name_some(n)}" for which, n in only if n)


Sides = tuple[list[Outcome], ...]


def _means(variant: Variant, figure: Figure, of: Sides, lenient: bool, seed: int) -> Difference:
    pairs = pair_up(figure, *of, lenient=lenient)
    n, left = len(pairs.scores), pairs.undefined + pairs.failed + pairs.absent
    if not n:
        return Difference(variant, figure, 0, left, None, None, None, None, None)
    first, second = (float(m) for m in pairs.scores.mean(axis=0))
    drawn = weighted(pairs.scores, EXTREMES, HALF, seed)
    return _difference(variant, figure, n, left, first, second, np.asarray(drawn[:, 1] - drawn[:, 0], np.float64))


def _lost(variant: Variant, figure: Figure, base: Sides, noisy: Sides, lenient: bool, seed: int) -> Difference:
    pairs = pair_up(figure, base[0], noisy[0], base[1], noisy[1], lenient=lenient)
    n, left = len(pairs.scores), pairs.undefined + pairs.failed + pairs.absent
    means = pairs.scores.mean(axis=0) if n else np.zeros(4)
    if round(float(min(means[0], means[2])), DIGITS) < LEAST_BASE:  # nothing can be said of a degradation then
        return Difference(variant, figure, n, left, None, None, None, None, None)
    drawn = weighted(pairs.scores, ONE_SIDED, HALF, seed)
    first, second = float(1 - means[1] / means[0]), float(1 - means[3] / means[2])
    return _difference(variant, figure, n, left, first, second, ratio(drawn[:, 2:]) - ratio(drawn[:, :2]))


def _difference(
    variant: Variant, figure: Figure, n: int, left: int, first: float, second: float, drawn: Scores
) -> Difference:
    low, high = quantiles(drawn, second - first)
    side = min((drawn <= 0).sum(), (drawn >= 0).sum())
    p = min(2 * float(side + 1) / (len(drawn) + 1), 1.0)
    return Difference(variant, figure, n, left, first, second, second - first, low, high, p)
