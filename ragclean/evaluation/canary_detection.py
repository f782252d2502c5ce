"""When has the noise of a stream of queries risen? A baseline, and a one-sided CUSUM with a stated false-alarm rate.

The observation is a query: the share of its retrieved chunks that lie below the threshold. Chunks of one query share
its wording and its gaps in the documents, so that they are no independent observations.

The statistic is ``S = max(0, S + share - reference)`` (Page 1954, *Continuous inspection schemes*). The reference lies
half of the rise that matters above the baseline. The alarm's threshold is the one at which ``S`` gets there once in a
given number of queries without any change. It is worked out from the baseline's own shares by a Markov chain (Brook and
Evans 1972, *An approach to the probability distribution of cusum run length*), so that no shape of them is assumed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Shares are counted in steps of this: a query of 30 chunks has steps of 1/30, and the counts stay small.
STEP = 0.005
_BINS = round(1 / STEP) + 1
#: A baseline is one sample of many that could have been taken. The alarm is set as if the true mean lay at the upper
#: end of what the sample allows: with this probability the true mean lies below.
CONFIDENCE = 0.90
#: Windows from which the dependence between queries is measured: fewer say next to nothing of a variance.
LEAST_WINDOWS = 5
#: A baseline of fewer queries says too little of its own spread.
LEAST_QUERIES = 100
#: States of the Markov chain. Against simulation its run lengths are right within 2 %.
_STATES = 200
#: The run length is met within this share of it, mostly after five tries; after these many, the larger one is taken.
_CLOSE = 0.005
_ROUNDS = 20
#: No threshold is higher: it takes queries of which a thousand too many chunks are noise, and a few false alarms more
#: than stated are the lesser evil.
_HIGHEST = 1000.0

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Window:
    """Queries that followed each other. Times are ISO, UTC."""

    start: str
    end: str
    queries: int = 0
    """Those with at least one chunk; others have no share."""
    total: float = 0.0
    """The sum of their noise shares."""
    chunks: int = 0
    noisy: int = 0
    """Chunks below the threshold."""

    @property
    def rate(self) -> float | None:
        """The mean noise share of its queries; None where it has none."""
        return self.total / self.queries if self.queries else None


@dataclass(frozen=True, slots=True)
class Baseline:
    """What noise is usual.

    Args:
        counts: how many queries had which share, in steps of 0.005 from 0 to 1.
        mean: of the shares, 0..1.
        dependence: variance between windows over what independent queries would have; 1 or more. Above 1 where queries
            of one time resemble each other (the same question asked by many, day and night).
    """

    counts: tuple[int, ...]
    mean: float
    dependence: float = 1.0

    @property
    def queries(self) -> int:
        return sum(self.counts)

    @property
    def sd(self) -> float:
        """The standard deviation of a query's share, dependence left out."""
        centres, weights = _distribution(self.counts)
        return float(math.sqrt(weights @ (centres - weights @ centres) ** 2))

    @classmethod
    def of(cls, shares: Iterable[float], window: int = 100) -> Baseline:
        """A baseline of the noise shares of earlier queries, in their order.

        Raises:
            ValueError: a share is none, or there are fewer than 100.
        """
        values = [checked_share(share, f"shares[{i}]") for i, share in enumerate(shares)]
        counts = [0] * _BINS
        for value in values:
            counts[bin_of(value)] += 1
        groups = [values[i : i + window] for i in range(0, len(values), max(1, window))]
        return cls.learnt(counts, [(len(g), math.fsum(g)) for g in groups])

    @classmethod
    def learnt(cls, counts: Sequence[int], windows: Sequence[tuple[int, float]]) -> Baseline:
        """Of counted shares, and of the windows (queries, sum of shares) they came in.

        Raises:
            ValueError: fewer than 100 queries.
        """
        number = sum(n for n, _ in windows)
        if number < LEAST_QUERIES:
            raise ValueError(f"baseline: {number} queries are too few, it takes {LEAST_QUERIES}")
        made = cls(tuple(counts), math.fsum(total for _, total in windows) / number)
        return replace(made, dependence=_dependence(made, windows))

    def to_dict(self) -> dict[str, Any]:
        used = {str(i): n for i, n in enumerate(self.counts) if n}
        return {"counts": used, "mean": self.mean, "dependence": self.dependence}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Baseline:
        """Rebuild from :meth:`to_dict`.

        Raises:
            ValueError, KeyError, TypeError: the data is no baseline.
        """
        counts = [0] * _BINS
        for at, number in data["counts"].items():
            counts[int(at)] = int(number)
        return cls(tuple(counts), float(data["mean"]), float(data["dependence"]))


@dataclass(frozen=True, slots=True)
class Detector:
    """The two numbers of a CUSUM, in shares."""

    reference: float
    """A query with more noise than this speaks for a rise, one with less against it."""
    threshold: float
    """The sum at which the alarm is raised."""

    def step(self, statistic: float, share: float) -> float:
        """The statistic after one more query. It is held at the threshold, so that a recovery shows as soon as the same
        evidence speaks for it."""
        return min(self.threshold, max(0.0, statistic + share - self.reference))


def calibrated(baseline: Baseline, *, rise: float, false_alarms: float) -> Detector:
    """The detector that raises one false alarm in ``false_alarms`` queries on average, or fewer.

    Args:
        rise: the smallest rise that matters, as a share (0.05: from 30 to 35 %).
    """
    centres, weights = _distribution(baseline.counts)
    deviations = (centres - weights @ centres) * math.sqrt(baseline.dependence)
    spread = float(math.sqrt(weights @ deviations**2))
    margin = NormalDist().inv_cdf(CONFIDENCE) * spread / math.sqrt(baseline.queries)
    jumps = deviations - rise / 2
    target = math.log(false_alarms)
    low, at_low, high = 0.0, 0.0, max(1.0, 4 * spread)
    at_high = math.log(run_length(jumps, weights, high))
    while high < _HIGHEST and at_high < target:
        low, at_low, high = high, at_high, 2 * high
        at_high = math.log(run_length(jumps, weights, high))
    for _ in range(_ROUNDS):
        # The logarithm grows almost evenly with the threshold; a step of a tenth at least keeps the bracket shrinking.
        part = 0.5 if math.isinf(at_high) else (target - at_low) / (at_high - at_low)
        middle = low + min(0.9, max(0.1, part)) * (high - low)
        at_middle = math.log(run_length(jumps, weights, middle))
        if abs(at_middle - target) < _CLOSE:
            return Detector(baseline.mean + margin + rise / 2, middle)
        if at_middle < target:
            low, at_low = middle, at_middle
        else:
            high, at_high = middle, at_middle
    return Detector(baseline.mean + margin + rise / 2, high)


def run_length(jumps: Floats, weights: Floats, threshold: float) -> float:
    """Queries until the statistic first reaches the threshold, on average, from 0 on (Brook and Evans 1972).

    Args:
        jumps: by how much a query can move the statistic, in ascending order.
        weights: how probable each is.
    """
    width = threshold / _STATES
    # A move that falls between two states goes to both, in the shares that keep its mean: the drift is exact, and the
    # variance at most a quarter of a step's square too large.
    steps = np.clip(jumps / width, -_STATES, _STATES)
    lower = np.floor(steps).astype(np.intp)
    part = steps - lower
    inside = np.bincount(lower + _STATES, weights * (1 - part), 2 * _STATES + 2)
    inside += np.bincount(lower + 1 + _STATES, weights * part, 2 * _STATES + 2)
    up_to = np.cumsum(inside)  # up_to[k]: probability of a move by at most k - _STATES states
    states = np.arange(_STATES)
    moves = inside[(states[None, :] - states[:, None]) + _STATES]
    moves[:, 0] = up_to[_STATES - states]  # everything at or below the lowest state ends in it
    left, wanted = np.eye(_STATES) - moves, np.ones(_STATES)
    # Elimination from the top state down, without pivots, which a matrix of this kind does not need. Written out, since
    # a library's threads cost more than they save at this size.
    for k in range(_STATES - 1, 0, -1):
        if left[k, k] <= 0:
            return math.inf
        factors = left[:k, k] / left[k, k]
        left[:k, :k] -= factors[:, None] * left[k, :k]
        wanted[:k] -= factors * wanted[k]
    return float(wanted[0] / left[0, 0]) if left[0, 0] > 0 else math.inf


def checked_share(value: Any, name: str) -> float:
    """A number of 0..1.

    Raises:
        ValueError: it is none; the message names it.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name}: expected a number of 0 to 1, got {type(value).__name__} {value!r:.40}")
    number = float(value)
    if not -1e-6 <= number <= 1 + 1e-6:  # what a float32 rounds to; also false for NaN
        raise ValueError(f"{name}: expected a number of 0 to 1, got {number:g}")
    return min(1.0, max(0.0, number))


def bin_of(share: float) -> int:
    """The step that a share is counted in."""
    return min(_BINS - 1, round(share / STEP))


def _distribution(counts: Sequence[int]) -> tuple[Floats, Floats]:
    """The shares and how probable each is, with one query of no noise and one of nothing else beside the real ones:
    what did not happen in the baseline may happen yet."""
    seen = np.asarray(counts, np.float64).copy()
    seen[[0, -1]] += 1.0
    used = np.flatnonzero(seen)
    weights: Floats = seen[used] / seen.sum()
    return (used * STEP).astype(np.float64), weights


def _dependence(baseline: Baseline, windows: Sequence[tuple[int, float]]) -> float:
    """How much more windows differ from each other than windows of independent queries would."""
    filled = [(n, total / n) for n, total in windows if n]
    if len(filled) < LEAST_WINDOWS:
        return 1.0
    between = math.fsum(n * (mean - baseline.mean) ** 2 for n, mean in filled) / (len(filled) - 1)
    return max(1.0, between / baseline.sd**2)
