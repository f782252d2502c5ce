"""Pages whose value is of something else, beside one that surely answers."""

import pytest
from conftest import page

from ragclean import NoiseCorrector

QUERY = "拾光集退货运费补贴每单最高多少元？"
ANSWER = page("拾光集退货运费补贴规则：买家自行寄回的，退货运费补贴每单最高12元。", 0.9, "2025-03-05", id="answer")
SECOND = page("客服小拾：您这单退货运费补贴按每单最高12元给您。", 0.6, "2025-05-01", id="second")
OTHER = page("大件闲置物流规则：冰箱沙发上门取件，退回时平台补贴25元封顶，余款货到结清。", 0.9, "2025-05-11", id="other")


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector()


def test_a_value_that_hardly_answers_beside_one_that_surely_does_is_of_something_else(judge):
    verdict = judge(QUERY, [ANSWER, SECOND, OTHER])
    assert 2 in verdict.out_of_scope
    assert "25元" in verdict.out_of_scope[2] and "12元" in verdict.out_of_scope[2]
    assert not {0, 1} & set(verdict.out_of_scope)


def test_the_words_are_in_the_language_of_the_question(judge):
    verdict = judge("What is the return postage allowance at Reliquary?", [
        page("Reliquary terms: the return postage allowance is £12 per parcel.", 0.9, "2025-03-05"),
        page("Ticket 512: customer sent the parcel back; the postage allowance of £12 was credited.", 0.6, "2025-05-01"),
        page("Bulky goods: the allowance towards a van is £25.", 0.9, "2025-05-11"),
    ])
    assert "is of something else" in verdict.out_of_scope[2]


def test_a_page_that_holds_the_answer_as_well_is_kept(judge):
    both = page("大件规则：大件退回补贴25元封顶；其余退货运费补贴每单最高12元。", 0.9, "2025-05-11")
    assert 2 not in judge(QUERY, [ANSWER, SECOND, both]).out_of_scope


def test_no_page_is_put_aside_for_a_less_trusted_one(judge):
    """Who repeats a made-up value often and in the question's words makes it likely, not right."""
    rumours = [page(text["text"], 0.3, "2025-03-05") for text in (ANSWER, SECOND)]
    assert 2 not in judge(QUERY, [*rumours, OTHER]).out_of_scope


def test_where_nothing_surely_answers_all_stay(judge):
    unsure = page("退货的事，最高12元吧。", 0.9, "2025-03-05")
    assert not judge(QUERY, [unsure, OTHER]).out_of_scope


def test_of_several_things_asked_each_keeps_its_pages(judge):
    verdict = judge("拾光集退货运费补贴每单最高多少元？大件上门取件平台出多少元？", [ANSWER, SECOND, OTHER])
    assert 2 not in verdict.out_of_scope


def test_it_is_told_why_the_page_went(corrector):
    found = corrector.refine(QUERY, [ANSWER, SECOND, OTHER], as_of="2025-09-01")
    assert "25元" not in found.text and "12元" in found.text
    assert any(d.chunk_id == "other" and d.reason for d in found.dropped)
