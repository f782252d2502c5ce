"""Figures of one answer, by hand; undefined is None and stays out of every mean."""

from __future__ import annotations

import math

import pytest
from eval_samples import case, outcome

from ragclean.evaluation.records import ClaimVerdict, Injected, Judgement, PointVerdict, Shown
from ragclean.evaluation.scoring import averages, defined, score
from ragclean.types import Chunk

SUPPORTED = ClaimVerdict("保修 24 个月", "supported", "24 个月", "c1")
CONTRADICTED = ClaimVerdict("保修 12 个月", "contradicted", "24 个月", "c1", "n1", "relevant_hard")
SOFT = ClaimVerdict("可延保", "not_mentioned", injected_id="n2", injected_kind="relevant_soft")
OFF_TOPIC = ClaimVerdict("新品上市", "not_mentioned", injected_id="n3", injected_kind="irrelevant")
INVENTED = ClaimVerdict("全球联保", "not_mentioned")
COVERED, MISSED = PointVerdict("24 个月", True), PointVerdict("自发票日起", False)
HEDGED = PointVerdict("24 个月", True, contradicted=True)


def test_every_figure_by_hand():
    found = score(case(), Judgement((SUPPORTED, CONTRADICTED, SOFT, OFF_TOPIC, INVENTED), (COVERED, MISSED, HEDGED)))
    assert found.correctness == pytest.approx(1 / 3)
    assert found.correctness_lenient == pytest.approx(2 / 3)
    assert found.faithfulness == pytest.approx(1 / 5)
    assert found.faithfulness_lenient == pytest.approx(4 / 5)
    assert found.adoption_relevant == pytest.approx(2 / 4)
    assert found.adoption_irrelevant == pytest.approx(1 / 4)
    assert found.refusal is False


def test_a_hedge_is_not_correct_even_leniently():
    found = score(case(), Judgement((SUPPORTED,), (HEDGED,)))
    assert (found.correctness, found.correctness_lenient) == (0.0, 0.0)


def test_what_is_undefined_is_none():
    empty = score(case(), Judgement())
    assert (empty.correctness, empty.faithfulness, empty.adoption_relevant) == (None, None, None)
    faithful = score(case(), Judgement((SUPPORTED,), (COVERED,)))
    assert (faithful.faithfulness, faithful.adoption_relevant, faithful.adoption_irrelevant) == (1.0, None, None)


def test_a_failed_judgement_has_no_figure():
    found = score(case(), Judgement((SUPPORTED,), (COVERED,), failed="no reply"))
    assert {getattr(found, name) for name in found.__slots__ if name != "refusal"} == {None}


def test_a_refusal_is_wrong_where_there_is_an_answer_and_right_where_there_is_none():
    refusal = Judgement((INVENTED,), (MISSED,), refusal=True)
    wrong, right = score(case(), refusal), score(case(reference=" "), refusal)
    assert (wrong.correctness, wrong.correctness_lenient, wrong.faithfulness, wrong.refusal) == (0.0, 0.0, None, True)
    assert (right.correctness, right.correctness_lenient, right.refusal) == (1.0, 1.0, True)
    answered = score(case(reference=""), Judgement((INVENTED,)))
    assert (answered.correctness, answered.correctness_lenient, answered.faithfulness) == (0.0, 0.0, 0.0)


def test_verdicts_on_some_of_the_points_say_nothing():
    of = case(keypoints=("a", "b"))
    assert score(of, Judgement((SUPPORTED,), (COVERED,))).correctness is None
    assert score(of, Judgement((SUPPORTED,), (COVERED, MISSED))).correctness == 0.5


def test_noise_that_was_not_shown_cannot_be_adopted():
    chunk = Chunk("新品上市", id="n3")
    shown = Shown("a", "v1", (chunk,), (Injected(chunk, "irrelevant"),))
    found = score(case(), Judgement((OFF_TOPIC, INVENTED), (COVERED,)), shown)
    assert (found.adoption_relevant, found.adoption_irrelevant) == (None, 0.5)


def test_averages_count_each_case_once_and_leave_out_what_is_undefined():
    found = averages([
        outcome("a", "v4", 0.0, None, refusal=True), outcome("a", "v4", 1.0, 0.5, repeat=1),
        outcome("b", "v4", 1.0, None, refusal=True), outcome("c", "v4", failed="timeout"),
        outcome("d", "v4", 1.0, unjudged="no reply"), outcome("a", "v0", None, 1.0),
    ])  # fmt: skip
    base, noise = found
    assert (base.variant, base.cases, base.correctness, base.faithfulness) == ("v0", 1, None, 1.0)
    assert (noise.variant, noise.cases, noise.failed) == ("v4", 2, 2)
    assert noise.correctness == pytest.approx(0.75)
    assert noise.faithfulness == pytest.approx(0.5)
    assert noise.refusal == pytest.approx(0.75)
    assert noise.adoption_relevant is None
    assert averages([]) == ()


def test_a_score_is_a_share_or_nothing():
    assert defined(None) is None
    assert defined(math.nan) is None
    assert defined(0.0) == 0.0
    with pytest.raises(ValueError, match="from 0 to 1"):
        defined(1.5)
