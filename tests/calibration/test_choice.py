"""The choice in a grid, and the interval of a gain."""

from __future__ import annotations

import numpy as np
import pytest

from ragclean import CorrectorConfig
from ragclean.calibration import Grid
from ragclean.calibration.choice import choose, gain, smooth
from ragclean.calibration.labels import f_of

PRESENT = CorrectorConfig()
SMALL = Grid(
    weights=((0.45, 0.4, 0.15), (0.2, 0.8, 0.0)),
    admission=(0.3, 0.42, 0.5),
    sentence=(("all", 0.25), ("all", 0.35), ("graded", 0.35)),
)


def _counts(hits):
    """Counts of cells whose chunk F1 rises with the hits; 10 of 10 sentences each."""
    counts = np.zeros((*SMALL.shape, 6))
    counts[..., 0] = hits
    counts[..., 2:] = [10, 10, 0, 10]
    return counts


def test_the_grid_holds_the_present_configuration():
    odd = CorrectorConfig(weight_semantic=0.7, weight_judge=0.7, weight_keyword=0.6, admission_threshold=0.333, sentence_threshold=0.123)
    grid = Grid.around(odd)
    w, a, s = np.unravel_index(int(grid.distance(odd).argmin()), grid.shape)
    assert grid.distance(odd)[w, a, s] == pytest.approx(0.0, abs=1e-3)
    cell = grid.config(odd, (int(w), int(a), int(s)))
    assert (cell.admission_threshold, cell.sentence_threshold) == (0.333, 0.123)
    assert cell.weight_semantic == pytest.approx(0.35)


def test_a_grid_that_no_configuration_allows_is_refused():
    with pytest.raises(ValueError, match="admission_threshold"):
        Grid(weights=((1.0, 0.0, 0.0),), admission=(1.5,), sentence=(("all", 0.3),))
    with pytest.raises(ValueError, match="grid: sentence is empty"):
        Grid(weights=((1.0, 0.0, 0.0),), admission=(0.5,), sentence=())


def test_the_better_weights_are_chosen():
    hits = np.full(SMALL.shape, 5.0)
    hits[1] = 9
    assert choose(_counts(hits), SMALL, PRESENT)[0] == 1


def test_where_all_is_alike_the_present_configuration_stays():
    assert choose(_counts(np.full(SMALL.shape, 7.0)), SMALL, PRESENT) == (0, 1, 1)


def test_a_lucky_cell_among_bad_ones_is_not_chosen():
    hits = np.full(SMALL.shape, 5.0)
    hits[0, 0, 2] = 8.0  # alone
    hits[1, :, 2] = 7.5  # a plateau
    assert choose(_counts(hits), SMALL, PRESENT)[0] == 1


def test_thresholds_of_different_protection_are_no_neighbours():
    f1 = f_of(_counts(np.full(SMALL.shape, 5.0)))
    f1[:, :, 2] = 1.0
    assert (smooth(f1, SMALL)[:, :, :2] < 1.0).all()


def _rows(n, hit):
    rows = np.zeros((n, 6))
    rows[:, 0], rows[:, 2] = hit, 1
    return rows


def test_no_difference_is_a_gain_of_nothing():
    assert gain(_rows(20, 1), _rows(20, 1), np.arange(20), 0) == (0.0, 0.0, 0.0)


def test_a_clear_gain_has_an_interval_above_nothing():
    rng = np.random.default_rng(0)
    before, after = _rows(200, rng.random(200) < 0.4), _rows(200, rng.random(200) < 0.9)
    value, low, high = gain(before, after, np.arange(200), 0)
    assert 0 < low < value < high


def test_cases_of_one_group_count_as_one():
    """Ten copies of a case are no ten cases: the interval stays as wide as that of the groups."""
    rng = np.random.default_rng(1)
    before, after = _rows(30, rng.random(30) < 0.5), _rows(30, rng.random(30) < 0.6)
    _, low, high = gain(before, after, np.arange(30), 0)
    copies = [np.repeat(rows, 10, axis=0) for rows in (before, after)]
    _, low_copied, high_copied = gain(*copies, np.repeat(np.arange(30), 10), 0)
    assert high_copied - low_copied == pytest.approx(high - low, rel=0.15)


def test_the_interval_holds_the_true_gain_as_often_as_it_says():
    """Coverage over 200 simulated calibrations with a true gain: 95 % nominal, within what 200 runs can tell."""
    rng, inside = np.random.default_rng(2), 0
    truth = f_of(np.array([0.7, 0, 1, 0, 0, 0.0])) - f_of(np.array([0.5, 0, 1, 0, 0, 0.0]))
    for run in range(200):
        before, after = _rows(60, rng.random(60) < 0.5), _rows(60, rng.random(60) < 0.7)
        _, low, high = gain(before, after, np.arange(60), run)
        inside += low <= truth <= high
    assert 0.90 <= inside / 200 <= 0.99
