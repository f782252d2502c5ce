"""Two pipelines, paired: differences by hand, what cannot be compared, and how often a difference is told."""

from __future__ import annotations

import json

import numpy as np
import pytest
from eval_samples import answerer, draw, outcome, outcomes

from ragclean.evaluation.comparing import ComparisonError, compare
from ragclean.evaluation.gating import ReportHead

A, B = ReportHead("a", "j"), ReportHead("b", "j")


def _of(found, variant, figure="correctness", what="means"):
    return next(d for d in getattr(found, what) if (d.variant, d.figure) == (variant, figure))


def test_differences_of_means_and_of_degradations_by_hand():
    first = outcomes([(1.0, 1.0), (1.0, 0.5), (0.5, 0.5), (0.5, 0.4)])
    second = outcomes([(1.0, 0.5), (1.0, 0.5), (1.0, 0.5), (1.0, 0.5)])
    found = compare(first, second, A, B)
    base, noisy, lost = _of(found, "v0"), _of(found, "v3"), _of(found, "v3", what="degradations")
    assert (base.first, base.second, base.value) == pytest.approx((0.75, 1.0, 0.25))
    assert (noisy.first, noisy.second, noisy.value) == pytest.approx((0.6, 0.5, -0.1))
    assert (lost.first, lost.second, lost.value) == pytest.approx((0.2, 0.5, 0.3))
    assert base.low < 0.25 < base.high
    assert (base.cases, base.left_out) == (4, 0)
    assert found.worse() == ""


def test_retrieval_is_level_and_v3_tells():
    first = outcomes([(1.0, 1.0)] * 90 + [(1.0, 0.0)] * 10)
    second = outcomes([(1.0, 1.0)] * 60 + [(1.0, 0.0)] * 40)
    found = compare(first, second, A, B)
    assert _of(found, "v0").value == 0.0
    assert _of(found, "v0").p > 0.9
    assert _of(found, "v3", what="degradations").low > 0.15
    assert found.worse() == "second"
    assert compare(second, first, B, A).worse() == "first"


def test_each_is_worse_in_one_figure():
    first = outcomes([(1.0, 0.5)] * 50, faithful=[(1.0, 1.0)] * 50)
    second = outcomes([(1.0, 1.0)] * 50, faithful=[(1.0, 0.5)] * 50)
    assert compare(first, second, A, B).worse() == "both"


def test_a_pipeline_against_itself_tells_nothing():
    runs = outcomes([(1.0, 0.5)] * 50 + [(0.5, 1.0)] * 50)
    found = compare(runs, runs, A, A)
    assert found.worse() == ""
    assert {d.value for d in (*found.means, *found.degradations)} == {0.0}
    assert all(d.low <= 0.0 <= d.high for d in (*found.means, *found.degradations))


def test_undefined_cases_are_left_out_on_both_sides():
    first = [outcome("a", "v0"), outcome("b", "v0", None), outcome("c", "v0", failed="x"), outcome("d", "v0", 0.5)]
    second = [outcome("a", "v0", 0.5), outcome("b", "v0"), outcome("c", "v0"), outcome("d", "v0", None)]
    found = _of(compare(first, second, A, B), "v0")
    assert (found.cases, found.left_out, found.value) == (1, 3, -0.5)


def test_a_low_base_or_none_has_no_degradation():
    low = outcomes([(0.1, 0.1)] * 5, faithful=[(None, None)] * 5)
    found = compare(low, low, A, B)
    assert _of(found, "v3", what="degradations").value is None
    assert _of(found, "v3", "faithfulness").cases == 0
    assert found.worse() == ""
    alone = [outcome("a", "v3")]
    assert compare(alone, alone, A, B).degradations == ()
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_cannot_be_compared_is_refused_by_name():
    runs = outcomes([(1.0, 1.0)] * 3)
    with pytest.raises(ComparisonError, match="judged by 'j' and by 'k'"):
        compare(runs, runs, A, ReportHead("b", "k"))
    with pytest.raises(ComparisonError, match=r"different variants: only the second has v1$"):
        compare(runs, [*runs, outcome("c0", "v1")], A, B)
    with pytest.raises(ComparisonError, match=r"cases of v0: only the first has c1, c2; only the second has x$"):
        compare(runs, [outcome("c0", "v0"), outcome("x", "v0"), *(outcome(f"c{i}", "v3") for i in range(3))], A, B)
    with pytest.raises(ComparisonError, match="neither report"):
        compare([], [], A, B)


def test_to_dict_names_the_worse_one():
    first, second = outcomes([(1.0, 1.0)] * 80), outcomes([(1.0, 0.5)] * 80)
    assert compare(first, second, A, B).to_dict()["worse"] == {"v3": "second"}


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [(0.1, 0.25)])
def test_the_interval_of_the_difference_covers(one, other):
    first, second, rng = answerer("ordinary", one, 0.05), answerer("ordinary", other, 0.05), np.random.default_rng(8)
    hits = 0
    for seed in range(500):
        runs = [outcomes(draw(k, 100, rng).tolist(), faithful=[(None, None)] * 100) for k in (first, second)]
        found = _of(compare(*runs, A, B, seed=seed), "v3", what="degradations")
        hits += found.low <= other - one <= found.high
    assert 0.925 <= hits / 500 <= 0.975  # 500 runs tell a share of 95 % to within 2 %, twice the standard error
