"""Once a conflict is decided: what hearsay, drafts and copies say besides."""

from __future__ import annotations

import random

import pytest
from conftest import page

FEE = "岚桥宽带月费多少钱？"
RIGHT = ["岚桥宽带月费为150元。", "岚桥宽带每月的月费统一为150元。"]
WRONG = "岚桥宽带的月费现在是120元。"
EN_FEE = "What is the monthly fee of Quillstone?"
EN_RIGHT = ["The monthly fee of Quillstone is $150.", "Quillstone members pay a monthly fee of $150."]
EN_WRONG = "Quillstone's monthly fee is now $120."


def gone(verdict):
    return set(verdict.lost_passages) | {i for i, _ in verdict.lost_sentences}


def asked(judge, query, right, wrong, stray, **config):
    """The verdict on two right pages, a wrong one, and a stray one at index 3."""
    verdict = judge(query, [*(page(t, 0.95) for t in right), page(wrong, 0.6), stray], **config)
    assert verdict.conflicts[0].winner is not None
    assert "150" in verdict.conflicts[0].winner.value
    return verdict


@pytest.mark.parametrize(("query", "right", "wrong", "draft"), [
    (FEE, RIGHT, WRONG, "岚桥资费（草案）：月费80元。"),
    (EN_FEE, EN_RIGHT, EN_WRONG, "Draft terms of Quillstone: a monthly fee of $80."),
])
def test_a_draft_with_a_third_value_goes_once_the_right_one_is_known(judge, query, right, wrong, draft):
    assert 3 in gone(asked(judge, query, right, wrong, page(draft, 0.9)))


@pytest.mark.parametrize("stray", ["办事流程（草案）：押金80元。", "岚桥资费（草案）：月费150元。", "岚桥资费（草案）：缴费请到前台。"])
def test_a_draft_that_agrees_or_speaks_of_something_else_stays(judge, stray):
    assert 3 not in gone(asked(judge, FEE, RIGHT, WRONG, page(stray, 0.9)))


def test_a_withdrawn_page_goes_and_one_in_force_stays(judge):
    old = "本页面已作废。岚桥的月费80元。"
    assert 3 in gone(asked(judge, FEE, RIGHT, WRONG, page(old, 0.9)))


@pytest.mark.parametrize("other", ["岚桥宽带套餐80元。", "岚桥电视的月租是80元。", "办理岚桥宽带需预存80元。"])
def test_trusted_pages_in_force_keep_figures_that_are_of_something_else(judge, other):
    assert 3 not in gone(asked(judge, FEE, RIGHT, WRONG, page(other, 0.9)))


def test_the_winners_own_page_loses_no_sentence_to_it(judge):
    mixed = f"{RIGHT[0]}听说以前的月费是80元。"
    verdict = judge(FEE, [page(mixed, 0.95), page(RIGHT[1], 0.95), page(WRONG, 0.6)])
    assert 0 not in gone(verdict)


def test_without_a_winner_nothing_goes(judge):
    draft = page("岚桥资费（草案）：月费80元。", 0.9)
    verdict = judge(FEE, [page(RIGHT[0], 0.9), page(WRONG, 0.9), draft])
    assert verdict.conflicts[0].winner is None
    assert 2 not in gone(verdict)


def test_annotation_alone_takes_nothing_out(judge):
    verdict = asked(judge, FEE, RIGHT, WRONG, page("岚桥资费（草案）：月费80元。", 0.9), conflict_policy="annotate")
    assert gone(verdict) == set()


def test_neither_order_nor_copies_of_the_stray_page_change_what_goes(judge):
    chunks = [page(t, 0.95, id=f"r{i}") for i, t in enumerate(RIGHT)]
    chunks += [page(WRONG, 0.6, id="w"), page("岚桥资费（草案）：月费80元。", 0.9, id="d")]
    rng = random.Random(2)
    for _ in range(6):
        rng.shuffle(chunks)
        told = [*chunks, *(dict(c, id=f"copy{i}") for c in chunks if c["id"] == "d" for i in range(rng.choice((0, 3))))]
        verdict = judge(FEE, told)
        assert verdict.conflicts[0].winner.value == "150元"
        assert {told[i]["id"][0] for i in gone(verdict)} - {"c"} == {"w", "d"}


@pytest.mark.parametrize("piece", ["听说月费80元。", "月费", "80元", "草案", "\x00", "\ud800", "更正：有误", "甲：月费80元。\n"])
def test_a_huge_stray_page_is_taken(judge, piece):
    verdict = judge(FEE, [*(page(t, 0.95) for t in RIGHT), page(WRONG, 0.6), page(f"月费80元{piece * (20_000 // len(piece))}", 0.3)])
    assert verdict.conflicts[0].winner.value == "150元"
