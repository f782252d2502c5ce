"""The verdicts on answers: as written, with values normalised, and what was adopted."""

import dataclasses

import pytest
from case_form import Case, Chunk, Conflict
from proof.scoring import judge

TEXT = {
    "c1": "启明X1整机保修24个月，自购买之日起计算。",
    "c2": "听说启明X1只保12个月，过了要自己掏钱。",
}
CASE = Case(
    id="t", lang="zh", scenario="aftersales", difficulty="single", noise_types=("conflict_untrusted",),
    query="启明X1保修多久？", as_of="2025-10-01", answer="整机保修24个月。", accepted=("24个月", "二十四个月", "两年"),
    wrong=("12个月", "一年"), keypoints=("整机保修24个月",), tags=(),
    chunks=(Chunk("c1", TEXT["c1"], "official_terms", 0.95, None, "answer", (TEXT["c1"],), ()),
            Chunk("c2", TEXT["c2"], "forum", 0.3, None, "conflict_untrusted", (), (TEXT["c2"],))),
    conflict=Conflict("保修期", "24个月", ("12个月",), "source"), file="t.jsonl", line=1,
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "strict", "match", "adopted"),
    [
        ("24个月", True, True, False),
        ("保修两年。", True, True, False),
        ("730天左右？不，是24 个 月", True, True, False),
        ("2年", False, True, False),
        ("12个月", False, False, True),
        ("1年", False, False, True),
        ("官方说24个月，论坛说12个月", False, False, True),
        ("124个月", False, False, False),
        ("36个月", False, False, False),
        ("", False, False, False),
        ("资料中没有提到。", False, False, False),
        ("自购买之日起计算", False, False, False),
    ],
)
def test_a_value(answer, strict, match, adopted):
    found = judge(CASE, answer)
    assert (found.strict, found.match, found.adopted) == (strict, match, adopted)


@pytest.mark.parametrize(("answer", "refused"), [("资料中没有提到。", True), ("", True), ("24个月", False)])
def test_a_refusal_is_told_from_a_wrong_answer(answer, refused):
    assert judge(CASE, answer).refused is refused


def test_a_case_without_wrong_values_has_no_adoption_to_tell():
    bare = dataclasses.replace(CASE, wrong=(), conflict=None)
    assert judge(bare, "12个月").adopted is None


@pytest.mark.parametrize(
    ("answer", "faithful"),
    [("24个月", 1.0), ("整机保修24个月。", 1.0), ("整机保修12个月。", 0.0), ("资料中没有提到。", None)],
)
def test_faithfulness_is_to_the_good_passages_alone(answer, faithful):
    """What only the losing page says is unfaithful though the prompt held it."""
    assert judge(CASE, answer).faithful == faithful


PRICE = dataclasses.replace(
    CASE, lang="en", query="what do I pay for a broken bow", answer="£38", accepted=("£38", "38 pounds"),
    wrong=("£64", "64 pounds"), keypoints=("the charge is £38",), conflict=None,
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "match", "adopted"),
    [("38", True, False), ("64", False, True), ("38.", True, False), ("138", False, False), ("3", False, False)],
)
def test_a_bare_number_is_taken_for_the_value_it_can_only_be(answer, match, adopted):
    found = judge(PRICE, answer)
    assert (found.match, found.adopted, found.strict) == (match, adopted, False)


PAYER = dataclasses.replace(
    CASE, query="冻裂了换表的钱谁出？", answer="由澜江水务出钱换。", accepted=("由澜江水务", "水务公司承担"),
    wrong=("由用户自行承担",), keypoints=("由澜江水务承担",), conflict=None,
)  # fmt: skip


@pytest.mark.parametrize(("answer", "match"), [("澜江水务", True), ("水务", False), ("用户自己", False)])
def test_a_name_alone_answers_who(answer, match):
    assert judge(PAYER, answer).match is match


def test_a_question_for_several_things_is_covered_in_part():
    several = dataclasses.replace(
        CASE, query="主机、支架和存储卡各保多久？", answer="主机24个月，支架12个月，存储卡6个月。", wrong=(), conflict=None,
        keypoints=("主机24个月", "支架12个月", "存储卡6个月"),
    )  # fmt: skip
    assert judge(several, "主机24个月").covered == pytest.approx(1 / 3)
    assert judge(several, "主机24个月，支架12个月，存储卡6个月").covered == 1.0
    assert judge(several, "资料中没有提到。").covered == 0.0


ADVICE = dataclasses.replace(
    CASE, query="屏幕进水了怎么办", answer="立即断电，用干布擦净，送修；不要用吹风机吹。", accepted=("断电",),
    wrong=("吹风机吹干",), keypoints=("立即断电并送修",), conflict=Conflict("处理", "断电", ("吹风机吹干",), "source"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "match"),
    [("先断电", True), ("马上断电，送去维修", True), ("用吹风机吹干", False), ("断电后用吹风机吹干", False)],
)
def test_advice(answer, match):
    assert judge(ADVICE, answer).match is match
