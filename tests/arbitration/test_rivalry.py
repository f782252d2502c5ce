"""Do two values contradict each other: what speaks for it, and what for two things."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from case_form import load_cases
from conftest import ballot, page
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean import NoiseCorrector
from ragclean.arbitration.rivalry import RIVAL, WEIGHTS, rival_signs, rivalry
from ragclean.text.folding import fold
from ragclean.text.values import find_values, size_ratio

A, B = "青禾租车押金为300元。", "青禾租车押金为500元。"


def pair(a, b, trust=(0.9, 0.9), p=(0.6, 0.3), own=(0.5, 0.5), named=(True, True)):
    """Two claims, their standings and their passages, as ``rivalry`` takes them."""
    ballots = [ballot(text, trust[i], place=i, confidence=p[i], own=own[i]) for i, text in enumerate((a, b))]
    claims = [replace(x.claim, names_subject=named[i]) for i, x in enumerate(ballots)]
    standings = (ballots[0].standing, ballots[1].standing)
    return claims[0], claims[1], standings, claims, [x.ranked for x in ballots]


@pytest.mark.parametrize("notice", [
    "本页面已作废。", "青禾租车规则（征求意见稿）。", "更正：上期所印有误。", "本办法发布后，原收费办法同时废止。", "This page is no longer valid.",
    "Correction to the May leaflet.", "This notice replaces all previous editions.",
])
def test_a_page_that_withdraws_corrects_or_replaces_makes_a_contradiction_likelier(notice):
    plain, told = pair(A, B), pair(A, f"{notice}\n{B}")
    before, after = rival_signs(*plain), rival_signs(*told)
    assert (before["notice"] + before["replaces"], after["notice"] + after["replaces"]) == (0.0, 1.0)
    assert rivalry(*told) > rivalry(*plain)


def test_a_missing_date_or_trust_is_no_notice():
    assert rival_signs(*pair(A, B, (None, None)))["notice"] == 0.0


def test_hearsay_makes_it_likelier_and_two_trusted_pages_less_likely():
    chances = [rivalry(*pair(A, B, (0.9, t))) for t in (0.3, 0.6, 0.9)]
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 3


def test_two_pages_of_unknown_origin_rather_contradict_each_other_than_two_trusted_ones():
    assert rivalry(*pair(A, B, (None, None))) > rivalry(*pair(A, B))


def test_the_same_words_beside_both_values_make_it_likelier():
    assert rivalry(*pair(A, B)) > rivalry(*pair(A, "行程开始时另冻结500元。"))


@pytest.mark.parametrize(("near", "far"), [
    ("押金为350元。", "押金为9000元。"),
    ("押金退还需12小时。", "押金退还需3年。"),
])
def test_figures_of_one_thing_seldom_differ_much(near, far):
    base = near.replace("350", "300").replace("12小时", "1天")
    assert rivalry(*pair(base, near)) > rivalry(*pair(base, far))


@pytest.mark.parametrize(("a", "b", "times"), [
    ("六个月", "30天", 6.0), ("2天", "48小时", 1.0), ("3个工作日", "1天", 3.0), ("300元", "600元", 0.5), ("2 GB", "1 GB", 2.0),
])
def test_sizes_are_compared_across_units(a, b, times):
    (x,), (y,) = find_values(fold(a)), find_values(fold(b))
    assert size_ratio(x, y) == pytest.approx(times, rel=0.02)
    assert size_ratio(y, x) == pytest.approx(1 / times, rel=0.02)


@pytest.mark.parametrize(("a", "b"), [("3月5日", "4月6日"), ("0元", "20元"), ("300元", "5天"), ("v2.4", "v2.6")])
def test_where_sizes_say_nothing_there_is_no_ratio(a, b):
    assert size_ratio(find_values(fold(a))[0], find_values(fold(b))[0]) is None


def test_the_likelier_both_values_are_answers_the_likelier_they_contradict_each_other():
    chances = [rivalry(*pair(A, B, p=p)) for p in ((0.1, 0.1), (0.5, 0.1), (0.5, 0.5), (0.9, 0.9))]
    assert chances == sorted(chances)
    assert len(set(chances)) == 4


def test_pages_that_name_the_thing_rather_speak_of_it():
    assert rivalry(*pair(A, B)) > rivalry(*pair(A, B, named=(True, False)))


def test_sentences_that_hold_all_of_the_question_leave_no_doubt():
    assert rivalry(*pair(A, B, own=(0.9, 0.9))) == 1.0
    assert rivalry(*pair(A, B, own=(0.9, 0.5))) < 1.0


def test_two_trusted_figures_in_other_words_are_told_without_a_conflict(judge):
    query = "青禾租车的押金多少钱？"
    other = "异地还车时，青禾另加收押金以外的500元。"
    assert judge(query, [page(A, 0.95), page(other, 0.95)]).conflicts == ()
    assert len(judge(query, [page(A, 0.95), page(B, 0.95)]).conflicts) == 1


def test_the_version_asked_about_is_no_answer(judge):
    query = "Tessaly payments sdk 6: minimum iOS version?"
    pages = [page("Tessaly payments sdk 6 needs iOS version 15.0 as a minimum.", 0.9),
             page("My notes: Tessaly payments sdk 5 needed iOS version 13.0 as a minimum.", 0.3)]
    assert not any(s.value == "6" for c in judge(query, pages).conflicts for s in c.sides)


_TEXTS = st.sampled_from((A, B, "押金80元。", "更正：押金应为60元。", "The deposit is $40.", "Draft terms.\nThe deposit is $45."))
_TRUST = st.sampled_from((None, 0.2, 0.8, 0.95))


@settings(max_examples=80, deadline=None)
@given(_TEXTS, _TEXTS, st.tuples(_TRUST, _TRUST), st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_it_is_a_probability_and_has_all_signs(a, b, trust, p):
    told = pair(a, b, trust, p)
    assert 0.0 < rivalry(*told) <= 1.0
    assert set(rival_signs(*told)) == set(WEIGHTS)
    assert 0.0 < RIVAL < 1.0


def test_a_page_speaks_for_a_side_whose_value_it_holds_beside_a_likelier_looking_one():
    # The release notes hold 'support for 32-bit ARM' as well, which looks more like the answer than the port.
    (case,) = (c for c in load_cases([Path(__file__).parents[1] / "data" / "cases.jsonl"]) if c.id == "techdoc-101")
    result = NoiseCorrector().refine(case.query, [c.fields() for c in case.chunks], as_of=case.as_of)
    (conflict,) = result.conflicts
    witnesses = {s.value: {w.chunk_id for w in s.witnesses} for s in conflict.sides}
    assert witnesses[conflict.winner.value] == {"c3", "c5"}
