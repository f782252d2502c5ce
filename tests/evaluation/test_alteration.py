"""Altered answers: plausible, in the same form, and a contradiction."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.evaluation.alteration import alter, to_han
from ragclean.evaluation.cases import read_cases
from ragclean.text.folding import fold
from ragclean.text.numerals import parse_han
from ragclean.text.values import agrees, find_values

FORMS = [
    ("响应时间为24小时，逾期可投诉。", "24小时", r"响应时间为\d+(小时|天)，逾期可投诉。"),
    ("整机保修二十四个月。", "24个月", r"整机保修[一二三四五六七八九十百]+(个月|年)。"),
    ("价格1,299.00元。", "1299元", r"价格[\d,]+\.\d\d元。"),
    ("The warranty lasts two years.", "24 months", r"The warranty lasts [a-z]+ (years|months)\."),
    ("自2024年7月1日起施行。", "2024-07-01", r"自\d{4}年\d{1,2}月\d{1,2}日起施行。"),
    ("手续费为2.3%。", "2.3%", r"手续费为\d+\.\d%。"),
    ("按八折计息。", "八折", r"按[一二三四五六七八九]折计息。"),
    ("Upgrade to v2.4.1.", "2.4.1", r"Upgrade to v2\.4\.\d+\."),
]


@pytest.mark.parametrize(("text", "answer", "form"), FORMS)
@pytest.mark.parametrize("seed", range(8))
def test_a_value_becomes_another_of_the_same_form(text, answer, form, seed):
    import re

    altered = alter(text, answer, random.Random(seed))
    assert altered is not None
    assert re.fullmatch(form, altered.text), altered.text
    assert altered.text != text


@pytest.mark.parametrize(("text", "answer", "form"), FORMS)
def test_what_is_altered_contradicts(text, answer, form):
    right = find_values(fold(answer))
    for seed in range(20):
        altered = alter(text, answer, random.Random(seed))
        stated = find_values(fold(altered.text))
        assert not any(agrees(v, r) for v in stated for r in right), altered.text


def test_every_place_of_the_value_changes_alike_and_nothing_else():
    text = "保修24个月。24个月之后收费。电池保修6个月。"
    altered = alter(text, "24个月", random.Random(3))
    before, after = altered.changes[0]
    assert altered.text == text.replace(before, after)
    assert "6个月" in altered.text


@pytest.mark.parametrize(("text", "answer", "question", "word"), [
    ("本服务支持退款。", "支持退款", "这个支持退款吗？", "不支持"),
    ("Dogs are not allowed in rooms.", "No, dogs are not allowed.", "Are dogs allowed?", "are allowed"),
    ("餐品可以外带。", "可以", "", "不可以"),
    ("2023年底前登记的猫可以养到租约期满。", "可以，2023年底前登记的猫可以养", "猫可以继续养吗？", "不可以"),
])  # fmt: skip
def test_yes_becomes_no(text, answer, question, word):
    altered = alter(text, answer, random.Random(0), question=question)
    assert (altered.kind, word in altered.text) == ("yes_no", True)


def test_a_negation_that_the_answer_does_not_turn_on_is_left_alone():
    assert alter("管理IP是默认的，重启不会改变。", "默认的", random.Random(0)) is None


def test_a_name_becomes_another_name():
    altered = alter("The plan is run by Dana Whitfield.", "Dana Whitfield", random.Random(0), ["Priya Nairson", "某某"])
    assert altered.text == "The plan is run by Priya Nairson."


@pytest.mark.parametrize(("text", "answer", "question", "kept", "changed"), [
    ("X200整机保修24个月，电池6个月。", "X200整机24个月", "X200保修多久？", "X200", "24个月"),
    ("3.2版起单张贴图最大边长2048像素。", "2048像素（3.2版起）", "贴图最大边长是多少？", "3.2版", "2048像素"),
    ("刷卡90分钟内转车优惠，自2025年7月1日起。", "90分钟以内（2025年7月1日起）", "隔多久以内转车算优惠？", "2025年7月1日", "90分钟"),
    ("The 2 GB plan costs £12 a month.", "£12 a month on the 2 GB plan", "How much is the 2 GB plan?", "2 GB", "£12"),
])  # fmt: skip
@pytest.mark.parametrize("seed", range(6))
def test_what_is_asked_for_is_altered_and_what_the_question_says_is_not(text, answer, question, kept, changed, seed):
    altered = alter(text, answer, random.Random(seed), ["Y7", "M900"], question=question)
    assert (kept in altered.text, changed in altered.text) == (True, False), altered.text


def test_a_name_that_the_question_gives_is_not_altered():
    text = "KS9的滤网用清水冲洗。"
    assert alter(text, "KS9用清水冲洗", random.Random(0), ["JC12", "Y7"], question="KS9怎么清洗？") is None
    assert alter(text, "KS9用清水冲洗", random.Random(0), ["JC12", "Y7"], question="哪一台的滤网用清水冲洗？") is not None


def test_what_holds_no_answer_is_not_altered():
    assert alter("公司年会在杭州举行。", "24个月", random.Random(0)) is None


def test_the_same_seed_gives_the_same_alteration():
    once, twice = (alter(FORMS[0][0], FORMS[0][1], random.Random(7)) for _ in range(2))
    assert once == twice


def test_chinese_numerals_read_back():
    for n in [*range(1, 130), 205, 999, 1000, 1005, 1050, 1299, 9999]:
        assert parse_han(to_han(n)) == n, to_han(n)
    assert to_han(0) is None
    assert to_han(10_000) is None


def test_most_cases_have_a_passage_that_can_be_altered(root):
    """A floor: of the answerable cases, the share whose gold passages give a contradiction."""
    cases = [c for c in read_cases(root / "tests" / "data" / "cases.jsonl") if c.answerable]
    made = 0
    for case in cases:
        answer = "\n".join((case.reference, *case.keypoints))
        gold = [c.text for c in case.contexts if c.id in case.gold]
        made += any(alter(text, answer, random.Random(0), question=case.question) for text in gold)
    assert made / len(cases) >= 0.8


@given(st.text(max_size=300), st.text(max_size=60), st.integers(0, 3))
def test_no_text_breaks_it(text, answer, seed):
    altered = alter(text, answer, random.Random(seed), ["名字", "Name"], question="可以吗？")
    assert altered is None or altered.changes


@pytest.mark.parametrize("piece", ["24小时", "不可以", "二十四", "1,299.00", "2024年7月1日", "not ", " "])
def test_hostile_length_comes_to_an_end(piece, no_blow_up, endless):
    with no_blow_up():
        alter(endless(piece)[:100_000], "24小时，可以，2024年7月1日，1299元", random.Random(0), question="可以吗？")
