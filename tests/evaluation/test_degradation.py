"""The degradation, its grade and its interval: hand-worked, at the edges, and the coverage that is promised."""

from __future__ import annotations

import math

import numpy as np
import pytest
from eval_samples import PROFILES, answerer, case, cases_of, compared, draw, outcome, outcomes
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.evaluation.degradation import (
    ACTIONS,
    Decline,
    degradations,
    interval,
    measure,
    pair_up,
    position,
)
from ragclean.evaluation.records import Outcome


def _whole(pairs, **more):
    found = outcomes(pairs, **more)
    return next(d for d in degradations(found, cases_of(found)) if d.by == "all")


def test_one_minus_the_ratio_of_the_means():
    found = _whole([(1.0, 1.0), (1.0, 0.5), (0.5, 0.5), (0.5, 0.4)], faithful=[(1.0, 0.5)] * 4)
    assert found.correctness.base == pytest.approx(0.75)
    assert found.correctness.noisy == pytest.approx(0.6)
    assert found.correctness.value == pytest.approx(0.2)
    assert found.faithfulness.value == pytest.approx(0.5)
    assert found.worst.figure == "faithfulness"
    assert (found.grade, found.few, found.action) == ("sensitive", True, "too few cases: read the interval, not the value")
    assert found.to_dict()["worst"] == "faithfulness"


@pytest.mark.parametrize(("lost", "grade"), [
    (0, "robust"), (5, "robust"), (6, "watch"), (15, "watch"), (16, "sensitive"), (100, "sensitive"),
])  # fmt: skip
def test_grades_hold_at_their_bounds(lost, grade):
    found = _whole([(1.0, 0.0)] * lost + [(1.0, 1.0)] * (100 - lost))
    assert found.grade == grade
    assert found.action == ACTIONS[grade]
    assert found.worst.figure == "correctness"


def test_answers_that_get_better_are_robust():
    found = _whole([(0.5, 1.0), (1.0, 1.0)])
    assert found.correctness.value == pytest.approx(-1 / 3)
    assert found.grade == "robust"


def test_a_low_base_is_inconclusive_unless_the_other_figure_is_sensitive():
    low = [(0.1, 0.1)] * 10
    assert _whole(low).correctness.grade == "inconclusive"
    assert _whole(low).grade == "inconclusive"
    assert _whole(low).worst.figure == "faithfulness"
    assert _whole(low, faithful=[(1.0, 0.5)] * 10).grade == "sensitive"
    assert _whole([(0.2, 0.2)] * 10).grade == "robust"


def test_a_base_of_zero_has_no_degradation_and_no_nan():
    found = _whole([(0.0, 0.0), (0.0, 1.0)], faithful=[(None, None)] * 2)
    assert found.correctness == Decline("correctness", 2, 0.0, 0.5, None, None, None)
    assert (found.faithfulness.cases, found.faithfulness.undefined, found.faithfulness.base) == (0, 2, None)
    assert found.grade == "inconclusive"
    assert found.worst.figure == "correctness"


def test_a_figure_that_is_undefined_everywhere_leaves_the_other_to_be_graded():
    found = _whole([(1.0, 1.0)] * 3, faithful=[(None, None)] * 3)
    assert found.grade == "robust"


def test_all_undefined_is_inconclusive():
    found = _whole([(None, None), (1.0, None)], faithful=[(None, None)] * 2)
    assert (found.grade, found.correctness.undefined) == ("inconclusive", 2)


def test_one_case_gives_an_interval_that_says_little():
    found = _whole([(1.0, 1.0)]).correctness
    assert found.value == 0.0
    assert found.low < -0.3 < 0.3 < found.high < 1
    lost = _whole([(1.0, 0.0)]).correctness
    assert (lost.value, lost.high) == (1.0, 1.0)


def test_cases_without_a_pair_are_left_out_and_counted():
    base = [outcome(c, "v0") for c in "abcde"] + [outcome("f", "v0", failed="timeout")]
    noisy = [
        outcome("a", "v3", 0.5), outcome("b", "v3", None), outcome("c", "v3", failed="timeout"),
        outcome("d", "v3", unjudged="no reply"), outcome("f", "v3"), outcome("g", "v3"),
    ]  # fmt: skip
    found = pair_up("correctness", base, noisy)
    assert found.cases == ("a",)
    assert found.scores.tolist() == [[1.0, 0.5]]
    assert (found.undefined, found.failed, found.absent) == (1, 3, 2)


def test_repeats_of_a_case_count_as_one():
    base = [outcome("a", "v0", 1.0), outcome("a", "v0", 0.0, repeat=1), outcome("a", "v0", repeat=2, failed="timeout")]
    assert pair_up("correctness", base, [outcome("a", "v3", 0.25)]).scores.tolist() == [[0.5, 0.25]]


def test_lenient_figures_are_their_own():
    plain = outcome("a", "v3")
    strict = Outcome(plain.shown, "", plain.judgement, type(plain.score)(0.0, 1.0, 0.0, 1.0, None, None, False))
    base = [outcome("a", "v0")]
    assert measure(base, [strict], "v3").correctness.value == 1.0
    assert measure(base, [strict], "v3", lenient=True).correctness.value == 0.0


def test_buckets_by_category_difficulty_and_position():
    found, of = [], [case("a", "退货", "hard"), case("b", "退货"), case("c")]
    for name, lost in (("a", 0.0), ("b", 1.0), ("c", 0.5)):
        found += [outcome(name, "v0"), outcome(name, "v3", lost, contexts="nntt"), outcome(name, "v1", contexts="ttn")]
    found.append(outcome("a", "v4", 0.0))
    values = {(d.variant, d.by, d.bucket): d.correctness.value for d in degradations(found, of)}
    assert values["v3", "category", "退货"] == pytest.approx(0.5)
    assert values["v3", "category", "(none)"] == pytest.approx(0.5)
    assert values["v3", "difficulty", "hard"] == pytest.approx(1.0)
    assert values["v3", "position", "front"] == pytest.approx(0.5)
    assert values["v1", "position", "end"] == pytest.approx(0.0)
    assert {v for v, _, _ in values} == {"v1", "v3"}


def test_a_case_that_was_not_shown_the_variant_counts_as_absent_in_its_category():
    found = [outcome("a", "v0"), outcome("a", "v3"), outcome("b", "v0")]
    by = {d.by: d.correctness for d in degradations(found, [case("a", "x"), case("b", "x")])}
    assert (by["all"].absent, by["category"].absent) == (1, 1)
    assert (by["all"].cases, by["category"].cases) == (1, 1)


def test_cases_that_were_not_given_are_named():
    with pytest.raises(ValueError, match=r"not given: b, c$"):
        degradations([outcome(c, "v0") for c in "abc"], [case("a")])


@pytest.mark.parametrize(("contexts", "where"), [
    ("nnnttt", "front"), ("tttnnn", "end"), ("ttnnntt", "middle"), ("nttttn", "middle"), ("nnt", "front"), ("tn", "end"),
    ("nnn", ""), ("ttt", ""), ("", ""),
])  # fmt: skip
def test_the_position_of_noise(contexts, where):
    assert position(outcome("a", "v3", contexts=contexts).shown) == where


def test_the_interval_does_not_hang_on_the_order_and_repeats_itself():
    scores = draw(answerer("ordinary", 0.25, 0.02), 100, np.random.default_rng(0))
    assert interval(scores) == interval(scores[::-1])
    assert interval(scores) != interval(scores, seed=1)
    assert interval(scores) == pytest.approx(interval(scores, seed=1), abs=0.01)


def test_nothing_lost_still_leaves_room():
    """The rule of three: of 100 cases without a loss up to 3 % may be lost."""
    low, high = interval(np.ones((100, 2)))
    assert 0.02 < high < 0.03
    assert low == pytest.approx(-high, abs=0.003)


SCORE = st.sampled_from([0.0, 1 / 3, 0.5, 1.0])


@given(st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=20))
@settings(max_examples=40)
def test_the_interval_holds_the_estimate_and_no_nan(pairs):
    found = _whole(pairs).correctness
    if found.value is None:
        assert found.base == 0.0
    else:
        assert found.low <= found.value <= found.high <= 1.0
        assert all(math.isfinite(v) for v in (found.low, found.value, found.high))


def _coverage(ends, truth):
    low, high = np.array(ends).T
    return float(((low <= truth) & (truth <= high)).mean())


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "gain"), [*((p, 0.02) for p in PROFILES), ("ordinary", 0.1)])
@pytest.mark.parametrize("truth", [0.10, 0.25, 0.40])
def test_the_interval_covers_at_a_hundred_cases(profile, truth, gain):
    known, rng = answerer(profile, truth, gain), np.random.default_rng(2024)
    covered = _coverage([interval(draw(known, 100, rng), seed) for seed in range(2000)], truth)
    assert 0.935 <= covered <= 0.965


@pytest.mark.slow
def test_near_zero_the_usual_intervals_miss_and_this_one_does_not():
    known, rng = answerer("ordinary", 0.02, 0.02), np.random.default_rng(2024)
    samples = [draw(known, 100, rng) for _ in range(500)]
    assert _coverage([interval(s, seed) for seed, s in enumerate(samples)], 0.02) >= 0.935
    others = [compared(s, rng, draws=500) for s in samples]
    covered = {name: _coverage([o[name] for o in others], 0.02) for name in others[0]}
    assert max(covered.values()) < 0.92
