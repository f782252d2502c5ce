"""Is it a conflict at all: what speaks for a contradiction, and what for two things."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from conftest import ballot, page, side
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration.plausibility import PLAUSIBLE, WEIGHTS, conflict_signs, has_values, plausibility

A, B = "青禾租车押金为300元。", "青禾租车押金为500元。"


def both(a, b, **fields):
    return [side(ballot(a, 0.9, **fields)), side(ballot(b, 0.9, place=1, **fields))]


@pytest.mark.parametrize("notice", [
    "本页面已作废。", "青禾租车规则（征求意见稿）。", "更正：上期所印有误。", "本办法发布后，原收费办法同时废止。", "This page is no longer valid.",
    "Correction to the May leaflet.", "This notice replaces all previous editions.",
])
def test_a_page_that_withdraws_corrects_or_replaces_makes_a_conflict_likelier(notice):
    plain, told = both(A, B), both(A, f"{notice}\n{B}")
    assert conflict_signs(plain)["notice"] == 0.0
    assert conflict_signs(told)["notice"] == 1.0
    assert plausibility(told) > max(PLAUSIBLE, plausibility(plain))


def test_a_missing_date_or_trust_is_no_notice():
    sides = [side(ballot(A)), side(ballot(B, place=1))]
    assert conflict_signs(sides)["notice"] == 0.0


def test_hearsay_makes_a_conflict_likelier_and_two_trusted_pages_less_likely():
    def heard(x, y):
        return [side(ballot(A, x)), side(ballot(B, y, place=1))]

    assert plausibility(heard(0.9, 0.3)) > plausibility(heard(0.9, 0.6)) > plausibility(heard(0.9, 0.9))
    unknown = conflict_signs(heard(None, None))
    assert (unknown["hearsay"], unknown["both_trusted"]) == (0.0, 0.0)


def test_sides_that_speak_in_the_same_words_contradict_each_other_more_likely():
    same, apart = both(A, B), both(A, "行程开始时另冻结500元。")
    assert conflict_signs(same)["shared_words"] > conflict_signs(apart)["shared_words"]
    assert plausibility(same) > plausibility(apart)


def test_the_likelier_both_values_are_answers_the_likelier_is_a_conflict():
    chances = [plausibility([side(ballot(A, 0.9, confidence=p)), side(ballot(B, 0.9, place=1, confidence=q))])
               for p, q in ((0.1, 0.1), (0.5, 0.1), (0.5, 0.5), (0.9, 0.9))]
    assert chances == sorted(chances)
    assert len(set(chances)) == 4


def test_only_the_two_likeliest_sides_tell():
    two = both(A, B)
    third = side(ballot("青禾租车\n本页面已作废。\n押金为80元。", 0.3, place=2, confidence=0.2))
    assert conflict_signs([*two, third]) == conflict_signs(two)


def test_sides_that_hold_all_of_the_question_leave_no_doubt():
    assert plausibility(both(A, B, own=0.9)) == 1.0
    assert plausibility(both(A, B, own=0.5)) < 1.0


def test_two_trusted_figures_in_other_words_are_told_without_a_conflict(judge):
    query = "青禾租车的押金多少钱？"
    other = "异地还车时，青禾另加收押金以外的500元。"
    assert judge(query, [page(A, 0.95), page(other, 0.95)]).conflicts == ()
    assert len(judge(query, [page(A, 0.95), page(B, 0.95)]).conflicts) == 1


def test_stances_are_no_values():
    assert has_values(both(A, B))
    cast = ballot(A)
    yes = side(replace(cast, claim=replace(cast.claim, value=None, stance="yes")))
    assert not has_values([*both(A, B), yes])


_TEXTS = st.sampled_from((A, B, "押金80元。", "更正：押金应为60元。", "The deposit is $40.", "Draft terms.\nThe deposit is $45."))


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(_TEXTS, st.sampled_from((None, 0.2, 0.8, 0.95)), st.floats(0.01, 1.0), st.floats(0.0, 1.0)),
        min_size=2, max_size=4, unique_by=lambda t: t[0],
    ),
    st.randoms(),
)
def test_the_probability_does_not_depend_on_the_order_of_sides(told, rng: random.Random):
    sides = [side(ballot(t, trust, place=i, confidence=p, own=own)) for i, (t, trust, p, own) in enumerate(told)]
    chance = plausibility(sides)
    assert 0.0 < chance <= 1.0
    assert set(conflict_signs(sides)) == set(WEIGHTS)
    confidences = [p for _, _, p, _ in told]
    rng.shuffle(sides)
    if len(set(confidences)) == len(confidences):
        assert plausibility(sides) == chance
