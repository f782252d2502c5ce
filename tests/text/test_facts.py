"""Protected facts and a user's own terms."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.text.facts import find_facts, find_terms
from ragclean.text.folding import fold
from ragclean.text.tokens import tokenize
from ragclean.text.values import find_values


def kinds(text: str) -> dict[str, list[str]]:
    folded = fold(text)
    found: dict[str, list[str]] = {}
    for f in find_facts(text, folded, tokenize(folded), find_values(folded)):
        found.setdefault(f.kind, []).append(text[f.start : f.end])
    return found


def test_values_codes_and_abbreviations() -> None:
    found = kinds("X200的API密钥须在30天内更换，证书由CA签发。")
    assert any(v.startswith("30天") for v in found["value"])
    assert "X200" in found["code"]
    assert {"API", "CA"} <= set(found["abbreviation"])
    assert "须" in found["condition"]


def test_words_in_capitals_for_emphasis_are_no_abbreviations() -> None:
    assert "abbreviation" not in kinds("PLEASE READ THIS") or "READ" not in kinds("PLEASE READ THIS")["abbreviation"]


@pytest.mark.parametrize(("text", "name"), [
    ("由松岭科技有限公司承担。", "有限公司"), ("详见《售后服务细则》第二章。", "售后服务细则"),
    ("please contact Marlow Field about it.", "Marlow Field"), ("请联系周明经理。", "经理"),
])
def test_names(text: str, name: str) -> None:
    assert any(name in n for n in kinds(text)["name"])


@pytest.mark.parametrize(("text", "kind", "word"), [
    ("人为损坏除外。", "negation", "除外"), ("拆封后不予退换。", "negation", "不予"), ("未激活可退。", "negation",
    "未"),
    ("it does not cover rust.", "negation", "not"), ("free unless damaged.", "negation", "unless"),
    ("如需延期，请提前申请。", "condition", "如"), ("仅限会员使用。", "condition", "仅限"), ("凭发票办理。",
    "condition", "凭"),
    ("you must keep the receipt.", "condition", "must"), ("only if unopened.", "condition", "if"),
])
def test_negations_and_conditions(text: str, kind: str, word: str) -> None:
    assert word in kinds(text).get(kind, [])


@pytest.mark.parametrize("text", ["不同的无线设备", "如何设置", "例如这些", "非常满意", "notable knots",
    "前提"[:1] + "方"])
def test_words_that_only_look_so(text: str) -> None:
    assert not {"negation", "condition"} & set(kinds(text))


@pytest.mark.parametrize(("text", "number"), [
    ("有事请拨打服务热线10077。", "10077"), ("投诉电话：12399。", "12399"), ("致电95577或400-820-1111。", "95577"),
    ("Call +44 20 7000 1234, extension 7310.", "+44 20 7000 1234"), ("Call +44 20 7000 1234, extension 7310.", "7310"),
    ("Our hotline is 10088.", "10088"), ("拨打400 820 1111转7310", "7310"),
])
def test_service_numbers_are_codes(text: str, number: str) -> None:
    assert number in kinds(text)["code"]


@pytest.mark.parametrize("text", ["客服将在48小时内回电", "电话费100元", "call within 30 days", "客服满意度98.5%"])
def test_a_measure_after_such_a_word_is_no_service_number(text: str) -> None:
    assert "code" not in kinds(text)


@pytest.mark.parametrize(("text", "span"), [("人工7×24小时值守", "7×24小时"), ("提供7*24小时支持", "7*24小时")])
def test_round_the_clock_is_a_value(text: str, span: str) -> None:
    assert span in kinds(text)["value"]


def test_terms_match_whole_words() -> None:
    folded = fold("X200与X20不同，ｘ２０除外；某某云")
    spans = [folded[f.start : f.end] for f in find_terms(folded, ["x20", "某某"])]
    assert spans == ["x20", "x20", "某某"]


def test_patterns_and_bad_patterns() -> None:
    assert [f.start for f in find_terms("tk-12 tk-345", (), [r"tk-\d+"])] == [0, 6]
    with pytest.raises(ValueError, match=r"\(unclosed"):
        find_terms("text", (), ["(unclosed"])


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_facts_in_order(text: str) -> None:
    folded = fold(text)
    facts = find_facts(text, folded, tokenize(folded), find_values(folded))
    assert [f.start for f in facts] == sorted(f.start for f in facts)
    assert all(0 <= f.start < f.end <= len(text) for f in facts)


def test_many_terms_find_what_few_find() -> None:
    folded = fold("X200与X20不同，ｘ２０除外；某某云。") * 3
    few = find_terms(folded, ["x20", "某某"])
    many = find_terms(folded, ["x20", "某某", *(f"term{i}" for i in range(10_000))])
    assert few and many == few
