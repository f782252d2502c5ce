"""Means, differences and shares over answers."""

import dataclasses

import numpy as np
import pytest
from proof.figures import by_group, difference, gap_closed, interval, refusals, rows, scored
from proof.reader import Answered
from test_proof_scoring import CASE

RIGHT, WRONG, OTHER = "24个月", "12个月", "36个月"


def cases(n):
    return [dataclasses.replace(CASE, id=f"t{i}", lang="zh" if i % 2 else "en") for i in range(n)]


def answers(**by_arm):
    return [Answered(f"t{i}", arm.replace("_", " "), "", 100 if arm == "raw" else 40, text)
            for arm, texts in by_arm.items() for i, text in enumerate(texts)]  # fmt: skip


FOUND = scored(
    answers(raw=[WRONG, WRONG, OTHER, RIGHT], corrected=[RIGHT, RIGHT, OTHER, RIGHT], oracle=[RIGHT] * 4), cases(4)
)


def test_a_table_is_over_the_cases_that_all_its_arms_answered():
    found = scored(answers(raw=[WRONG] * 4, corrected=[RIGHT] * 3), cases(4))
    assert [r.n for r in rows(found, ("raw", "corrected"))] == [3, 3]


def test_means_and_lengths():
    raw, corrected = rows(FOUND, ("raw", "corrected"))
    assert (raw.means["match"], corrected.means["match"]) == (0.25, 0.75)
    assert (raw.means["adopted"], corrected.means["adopted"]) == (0.5, 0.0)
    assert (raw.shorter, corrected.shorter) == (0.0, pytest.approx(0.6))


def test_the_difference_is_paired():
    gap = difference(FOUND, "match", "corrected", "raw")
    assert gap is not None
    assert (gap.mean, gap.n) == (0.5, 4)
    assert gap.low <= 0.5 <= gap.high


def test_the_share_of_the_way_to_the_oracle():
    assert gap_closed(FOUND, "corrected") == pytest.approx((0.75 - 0.25) / (1.0 - 0.25))
    assert gap_closed(FOUND, "raw", "oracle") is None  # no way to go


def test_an_interval_of_equal_values_is_the_value():
    assert interval(np.array([1.0, 1.0, 1.0])) == (1.0, 1.0)


def test_an_interval_covers_the_true_mean_as_often_as_it_says():
    draws = np.random.default_rng(3)
    held = sum(low <= 0.3 <= high for low, high in (interval((draws.random(60) < 0.3) * 1.0) for _ in range(60)))
    assert held >= 52


def test_groups():
    groups = by_group(FOUND, ("raw", "corrected"))
    assert groups["zh"] == (2, {"raw": 0.5, "corrected": 1.0})
    assert groups["en"] == (2, {"raw": 0.0, "corrected": 0.5})
    assert groups["conflict"][0] == 4


def test_answers_to_cases_without_one_right_answer_are_left_out():
    tie = dataclasses.replace(CASE, id="t0", conflict=dataclasses.replace(CASE.conflict, reason="tie", winner=""))
    assert scored(answers(raw=[RIGHT]), [tie]).verdicts == {"raw": {}} or not scored(answers(raw=[RIGHT]), [tie]).answers


def test_an_arm_that_refuses_is_not_the_more_faithful_for_it():
    """Faithfulness is compared where every arm answered something."""
    refusal = "资料中没有提到。"
    found = scored(answers(raw=[RIGHT, WRONG, RIGHT], corrected=[RIGHT, refusal, RIGHT]), cases(3))
    raw, corrected = rows(found, ("raw", "corrected"))
    assert raw.means["faithfulness"] == corrected.means["faithfulness"] == 1.0
    assert corrected.means["refused"] == pytest.approx(1 / 3)
    assert corrected.means["match"] == pytest.approx(2 / 3)


def test_refusals_of_what_has_no_answer_are_counted_by_arm():
    without = dataclasses.replace(CASE, id="t0", noise_types=("unanswerable",))
    told = answers(raw=[RIGHT], corrected=["资料中没有提到。"])
    assert refusals(told, [without]) == {"raw": (0.0, 1), "corrected": (1.0, 1)}
    assert refusals(told, [CASE]) == {}
