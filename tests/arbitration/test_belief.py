"""How likely a value is an answer, from what stands around it and from what other pages say."""

from __future__ import annotations

import random

import numpy as np
import pytest
from conftest import TODAY, page
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration import belief
from ragclean.arbitration.belief import WEIGHTS, Bid, believe, signs, words_beside
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage, prepare_text
from ragclean.screen import screen
from ragclean.types import Signals


def ranked(*texts):
    passages = screen([page(t) for t in texts], CorrectorConfig(), prepare_text, TODAY).passages
    return [
        RankedPassage(p, Signals(0.8, 0.8, 0.8, 0.8), np.ones(len(p.prepared.sentences), dtype=np.float32))
        for p in passages
    ]


def bids_of(passages, **fields):
    """A bid for every value of every passage, alike in everything but its place."""
    told = {"words": 0.5, "exact": True, "own": 0.5, "sibling": False, **fields}
    return [
        Bid(place, number, value, **told)
        for place, r in enumerate(passages)
        for number, values in enumerate(r.prepared.sentence_values)
        for value in values
    ]


def chance(*texts, **fields):
    """The probability of the first value of the first text."""
    passages = ranked(*texts)
    return believe(bids_of(passages, **fields), passages)[0]


DEPOSIT = "青禾租车押金为300元，还车后原路退回。"
EN = "The Tavro lamp carries a warranty of 24 months from the invoice."


@pytest.mark.parametrize("text", [DEPOSIT, EN])
def test_a_value_amid_the_words_of_the_question_is_likelier(text):
    assert chance(text, words=0.9) > chance(text, words=0.2)


@pytest.mark.parametrize("text", [DEPOSIT, EN])
def test_a_value_of_another_unit_or_about_a_sibling_is_less_likely(text):
    assert chance(text, exact=True) > chance(text, exact=False)
    assert chance(text, sibling=False) > chance(text, sibling=True)


@pytest.mark.parametrize("field", ["words", "own"])
def test_the_best_value_of_its_page_is_likelier_than_the_others(field):
    passages = ranked("押金300元。", "洗车费50元，清洁费40元。")
    bids = bids_of(passages)
    best = [*bids[:2], Bid(1, bids[2].sentence, bids[2].value, **{"words": 0.5, "own": 0.5, field: 0.9}, exact=True, sibling=False)]
    before, after = believe(bids, passages), believe(best, passages)
    assert after[1] < before[1]
    assert after[0] == before[0]


@pytest.mark.parametrize(("text", "told"), [
    ("- 押金300元", "row"), ("| 项目 | 押金 |\n|---|---|\n| 轿车 | 300元 |", "row"), ("# 押金300元\n", "heading"), ("押金300元吗？", "question"),
    ("Is the deposit $300?", "question"), ("# Deposit $300\n", "heading"), ("押金300元。", ""),
])
def test_rows_headings_and_questions_are_told_apart(text, told):
    passages = ranked(text)
    found = signs(bids_of(passages), passages)[0]
    assert [name for name in ("row", "heading", "question") if found[name]] == ([told] if told else [])


def test_a_value_in_a_heading_or_a_question_is_less_likely_an_answer():
    plain = chance("押金300元。")
    assert plain > chance("押金300元吗？")
    assert plain > chance("# 押金300元\n")


@pytest.mark.parametrize(("text", "again", "other"), [
    (DEPOSIT, "青禾租车收取的押金是300元。", "青禾租车收取的押金是500元。"),
    (EN, "Tavro gives a lamp warranty of 24 months.", "Tavro gives a lamp warranty of 12 months."),
])
def test_another_page_that_says_the_same_makes_a_value_likelier(text, again, other):
    assert chance(text, again) > chance(text, other) == chance(text)


def test_copies_of_a_page_second_nobody():
    assert chance(DEPOSIT, DEPOSIT, DEPOSIT) == chance(DEPOSIT)
    copied = [f"转载：{DEPOSIT}", f"{DEPOSIT}侵删。"]
    assert chance(DEPOSIT, *copied) == chance(DEPOSIT)


def test_copies_of_a_second_page_are_one_voice():
    again = "青禾租车收取的押金是300元，取车时预授权。"
    assert chance(DEPOSIT, again, again, f"摘录：{again}") == chance(DEPOSIT, again)


def test_no_more_than_three_voices_count():
    texts = ["去青禾取车时冻结押金300元。", "租青禾车要先交300元押金。", "押金300元在青禾门店收。", "青禾客户付300元押金。"]
    three = signs(bids_of(r := ranked(DEPOSIT, *texts[:3])), r)[0]
    four = signs(bids_of(r := ranked(DEPOSIT, *texts)), r)[0]
    assert three["voices"] == four["voices"] == 3.0


def test_words_beside_a_value_leave_out_the_value_and_stop_words():
    (r,) = ranked("The Tavro lamp warranty is 24 months.")
    words = words_beside(r.prepared, 0)
    assert {"tavro", "lamp", "warra"} <= set(words)
    assert not {"the", "is", "24", "month"} & set(words)
    assert words["tavro"] > words["lamp"] > 0


def test_nothing_bid_nothing_believed():
    assert believe([], []) == []
    assert believe([], ranked(DEPOSIT)) == []


_PIECES = st.sampled_from(("押金", "300元", "青禾", "12个月", "24 months", "- ", "# ", "|", "\n", "。", "?", "\x00", "\ud800", "warranty "))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(_PIECES, min_size=1, max_size=10).map("".join), min_size=1, max_size=4),
    st.floats(0, 1), st.floats(0, 1), st.booleans(), st.randoms(),
)
def test_probabilities_are_in_range_and_do_not_depend_on_the_order_of_pages(texts, words, own, exact, rng: random.Random):
    passages = ranked(*(f"甲{t}" for t in texts))
    told = believe(bids_of(passages, words=words, own=own, exact=exact), passages)
    assert all(0.0 < p < 1.0 for p in told)
    assert all(set(s) == set(WEIGHTS) for s in signs(bids_of(passages), passages))
    rng.shuffle(passages)
    again = believe(bids_of(passages, words=words, own=own, exact=exact), passages)
    assert sorted(again) == pytest.approx(sorted(told))


def test_thousands_of_pages_with_one_value_cost_no_millions_of_comparisons(monkeypatch):
    compared = 0

    def one_voice(a, b, compare=belief._one_voice):
        nonlocal compared
        compared += 1
        return compare(a, b)

    monkeypatch.setattr(belief, "_one_voice", one_voice)
    passages = ranked(*(f"青禾第{i}门店的押金为300元，还车后退回。" for i in range(4))) * 1000
    believe(bids_of(passages), passages)
    assert 0 < compared <= 10 * len(passages)


@pytest.mark.parametrize("piece", ["押金", "押金300元", "word ", "a", "300元", "\x00", "\ud800"])
def test_a_sentence_without_end_costs_its_length(no_blow_up, piece):
    passages = ranked("押金300元" + piece * (200_000 // len(piece)), "押金300元" + piece * 1000)
    bids = bids_of(passages)[:20_000]
    with no_blow_up():
        believe(bids, passages)


@pytest.mark.parametrize("rule", ["本办法自2024年3月1日起施行。", "The rule takes effect on 1 March 2024. "])
def test_a_page_of_thousands_of_dated_rules_costs_its_length(no_blow_up, rule):
    passages = ranked(rule * 8000)
    bids = bids_of(passages)
    assert len(bids) == 8000
    with no_blow_up():
        assert all(s["notice"] for s in signs(bids, passages))
