"""Rows of a list or table: the question names the head of one, the others are about something else."""

from __future__ import annotations

import pytest
from conftest import page
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration.rows import other_row
from ragclean.prepare import prepare_text
from ragclean.text.folding import fold


def heads(text, question):
    """The head of each row that is about something else, by its number."""
    prepared = prepare_text(text)
    found = {i: other_row(prepared, i, fold(question)) for i in range(len(prepared.sentences))}
    return [head for _, head in sorted(found.items()) if head]


PASSES = ("畅游卡：每月30次", "远行卡：每月300次", "环球卡：每月3000次")
PLANS = ("Hobby plan: 30 requests", "Builder plan: 300 requests", "Scale plan: 3000 requests")


@pytest.mark.parametrize("mark", ["", "- ", "• ", "* "])
def test_rows_beside_the_one_that_the_question_names_are_about_something_else(mark):
    assert heads("\n".join(mark + r for r in PASSES), "远行卡每月可以用几次？") == ["畅游卡", "环球卡"]
    assert "hobby plan" in heads("\n".join(mark + r for r in PLANS), "How many requests does Builder get?")


def test_numbered_items_and_table_rows():
    assert heads("1. 畅游卡：30次\n2. 远行卡：300次", "远行卡几次？") == ["畅游卡"]
    assert heads("（一）畅游卡：30次\n（二）远行卡：300次", "远行卡几次？") == ["畅游卡"]
    assert heads("| 卡种 | 次数 |\n|---|---|\n| 畅游卡 | 30 |\n| 远行卡 | 300 |", "远行卡几次？") == ["畅游卡"]
    assert heads("| Plan | Limit |\n|---|---|\n| Hobby | 30 |\n| Builder | 300 |", "builder limit?") == ["hobby"]


@pytest.mark.parametrize("question", ["每月可以用几次？", "畅游卡、远行卡和环球卡每月各几次？", "星际卡每月几次？"])
def test_no_row_is_excluded_where_none_or_all_of_them_are_named(question):
    assert heads("\n".join(PASSES), question) == []


def test_a_word_that_only_begins_like_the_head_does_not_name_it():
    assert heads("- Scale: 30\n- Builder: 300", "How is it scaled?") == []
    assert heads("- Scale: 30\n- Builder: 300", "What is the limit of Scale, please?") == ["builder"]


@pytest.mark.parametrize(("text", "question"), [
    ("问：远行卡几次？\n答：300次", "远行卡问几次？"),
    ("Q: how many?\nA: 300", "Is a plan q enough?"),
    ("日期：3月1日\n时间：上午九点", "什么日期举行？"),
    ("Note: bring a pen\nDate: 3 March", "What note and which date?"),
    ("3：30次\n4：300次", "4月几次？"),
])
def test_questions_answers_notes_and_numbers_head_no_row(text, question):
    assert heads(text, question) == []


def test_prose_within_a_line_is_no_row():
    assert heads("出行用卡有多种。畅游卡：30次。远行卡：300次。", "远行卡几次？") == []
    assert heads("出行用卡有多种。\n  畅游卡：30次。\n\t远行卡：300次。", "远行卡几次？") == ["畅游卡"]


def test_rows_of_another_kind_or_far_away_are_no_siblings():
    far = "\n".join(["- 畅游卡：30次", *("- 免费" for _ in range(9)), "- 远行卡：300次"])
    assert heads(far, "远行卡几次？") == []
    near = "\n".join(["- 畅游卡：30次", *("- 免费" for _ in range(7)), "- 远行卡：300次"])
    assert heads(near, "远行卡几次？") == ["畅游卡"]
    assert heads("- 畅游卡：30次\n\n远行卡：300次", "远行卡几次？") == []
    assert heads("畅游卡：30次\n\n| 远行卡 | 300 |\n|---|---|\n| 远行卡 | 300 |", "远行卡几次？") == []


def test_a_sibling_row_is_no_rival(judge):
    table = "青禾出行卡说明\n- 畅游卡：每月可乘30次\n- 远行卡：每月可乘300次"
    verdict = judge("青禾远行卡每月可乘几次？", [page(table, 0.9), page("青禾远行卡每月可乘300次。", 0.9)])
    assert verdict.conflicts == ()
    assert any(i == 0 for i, _ in verdict.out_of_scope_sentences)
    assert not any(i == 1 for i, _ in verdict.out_of_scope_sentences)


_PIECES = st.sampled_from((
    "畅游卡", "远行卡", "Hobby", "Builder", "：", ":", "|", "- ", "1. ", "（一）", "\n", "。", " ", "30", "---", "\x00", "\ud800", "\t",
))


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(_PIECES, max_size=16).map("".join)))
def test_any_text_is_taken_and_a_named_row_is_never_excluded(text):
    prepared = prepare_text(text)
    question = fold("远行卡和builder各多少？")
    for number, folded in enumerate(prepared.folded_sentences):
        head = other_row(prepared, number, question)
        assert head in folded
        assert head not in ("远行卡", "builder")


@pytest.mark.parametrize("piece", ["甲：5元。\n", "甲：5元。", "- 甲：5\n", "|甲|5|\n", " ", "\x00", "\ud800"])
def test_a_long_list_costs_its_length(no_blow_up, piece):
    prepared = prepare_text(piece * (200_000 // len(piece)))
    with no_blow_up():
        for number in range(len(prepared.sentences)):
            other_row(prepared, number, "乙的价格")
