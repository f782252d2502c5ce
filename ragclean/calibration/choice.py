"""The best cell of a grid by summed counts, and what a gain is worth."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from ragclean.calibration.grid import Grid
from ragclean.calibration.labels import Counts, f_of
from ragclean.config import CorrectorConfig

Cell = tuple[int, int, int]
#: Cells this close to the best F are as good as it, and of those the nearest to the present configuration is chosen:
#: one label of some hundred cases moves it by as much.
TOLERANCE = 0.002
#: Resamplings of the interval, a usual number for one of 95 %.
RESAMPLES = 2000
CONFIDENCE = 0.95


def choose(counts: Counts, grid: Grid, present: CorrectorConfig, beta: float = 1.0) -> Cell:
    """The cell with the best F of summed counts (w, a, s, 6).

    A cell's F is the mean with its neighbours' along both thresholds: a threshold that is good by luck has worse ones
    beside it.
    """
    f = smooth(f_of(counts, beta), grid)
    if np.isnan(f).any():  # nothing that must stay is labelled: any cell is as good as the present configuration
        f = np.zeros_like(f)
    good = f >= f.max() - TOLERANCE
    distance = np.where(good, grid.distance(present), np.inf)
    w, a, s = np.unravel_index(int(distance.argmin()), distance.shape)
    return int(w), int(a), int(s)


def smooth(f: NDArray[np.float64], grid: Grid) -> NDArray[np.float64]:
    """(w, a, s) the mean of each cell and its neighbours in both thresholds; at an edge of those there are."""
    out = _neighbours(f, 1)
    for run in grid.runs():
        out[:, :, run.start : run.stop] = _neighbours(out[:, :, run.start : run.stop], 2)
    return out


def _neighbours(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    moved = np.moveaxis(values, axis, -1)
    padded = np.pad(moved, [(0, 0)] * (moved.ndim - 1) + [(1, 1)], constant_values=np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a cell that is NaN throughout stays so
        mean = np.nanmean([padded[..., :-2], padded[..., 1:-1], padded[..., 2:]], axis=0)
    return np.asarray(np.moveaxis(mean, -1, axis), np.float64)


def gain(
    before: Counts, after: Counts, of: NDArray[np.intp], seed: int, beta: float = 1.0, folds: int | None = None
) -> tuple[float, float, float]:
    """What F gains from ``before`` to ``after`` (n, 6), with a 95 % interval: whole groups resampled, paired.

    The interval is bias-corrected and accelerated (BCa, Efron 1987; scipy). Where no resampling changes anything, it is
    the gain itself.

    Args:
        folds: ``after`` comes from this many folds. What was chosen for them was chosen on cases that they share, so
            that they are no independent trials: the interval is widened by sqrt(1 + k / (k - 1)), the correction of
            Nadeau and Bengio (2003) for k folds; 1.5 for five.
    """
    from scipy.stats import bootstrap

    size = int(of.max()) + 1
    sums = np.zeros((2, size, before.shape[1]))
    for side, counts in enumerate((before, after)):
        np.add.at(sums[side], of, counts)

    def difference(index: NDArray[np.intp], axis: int = -1) -> NDArray[np.float64]:
        taken = sums[:, index].sum(axis=axis - 1 if axis < 0 else axis + 1)
        found = f_of(taken, beta)
        return np.asarray(np.nan_to_num(found[1] - found[0]), np.float64)

    whole = float(difference(np.arange(size)))
    if size < 2 or not np.any(sums[0] != sums[1]):
        return whole, whole, whole
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a degenerate distribution is answered for below
        interval = bootstrap(
            (np.arange(size),), difference, n_resamples=RESAMPLES, confidence_level=CONFIDENCE, method="BCa",
            random_state=np.random.default_rng(seed), vectorized=True, axis=-1,
        ).confidence_interval  # fmt: skip
    low, high = float(interval.low), float(interval.high)
    wider = 1.0 if folds is None else float(np.sqrt(1.0 + folds / (folds - 1.0)))
    low, high = (whole if np.isnan(end) else whole + wider * (end - whole) for end in (low, high))
    return whole, low, high
