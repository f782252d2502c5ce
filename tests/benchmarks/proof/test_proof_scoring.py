"""The verdicts on answers: as written, with values normalised, and what was adopted."""

import dataclasses

import pytest
from case_form import GOOD, LOSING, Case, Chunk, Conflict, holds, load_cases
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
        # what is set aside is not stated, what is denied or only asked neither
        ("24个月，不是12个月", True, True, False),
        ("不是12个月而是24个月", True, True, False),
        ("24个月（网上说的12个月有误）", True, True, False),
        ("12个月，不是24个月", False, False, True),
        ("不是24个月", False, False, False),
        ("是24个月吗？", False, False, False),
        ("24个月吗", False, False, False),
        ("保24个月还是12个月？", False, False, False),
        ("启明X1保修多久？", False, False, False),
        # a made-up value beside the right one, and an end of a range
        ("24个月或36个月", False, False, False),
        ("24个月，也可能36个月", False, False, False),
        ("保修期为24个月，电池6个月", False, False, False),
        ("12-24个月", False, False, False),
        ("1-24个月", False, False, False),
        ("-24个月", False, False, False),
        # the marks of a chat change nothing
        ("答案是24个月。", True, True, False),
        ("**24个月**", True, True, False),
        ("`24个月`", True, True, False),
        ("２４个月", True, True, False),
        ("## 结论\n24 months", False, True, False),
        ("<think>论坛说12个月，官方说24个月。</think>24个月", True, True, False),
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


@pytest.mark.parametrize(
    ("answer", "match", "adopted"),
    [
        ("£38, not £64", True, False),
        ("Not £64 but £38", True, False),
        ("£38 (previously £64)", True, False),
        ("It is not £38", False, False),
        ("Is it £38?", False, False),
        ("£38 or £99", False, False),
        ("£38-£64", False, True),
        ("It used to be £38, now £64", False, True),
        ("$38", False, False),
        ("£380", False, False),
        ("The answer is £38.", True, False),
        ("**£38**", True, False),
    ],
)
def test_a_price_in_a_sentence(answer, match, adopted):
    found = judge(PRICE, answer)
    assert (found.match, found.adopted) == (match, adopted)


MAY = dataclasses.replace(
    CASE, query="跨省能用这张卡吗？", answer="可以，全国通用。", accepted=("全国通用", "可以跨省使用"),
    wrong=("仅限本省使用",), keypoints=("全国通用",), conflict=Conflict("范围", "全国通用", ("仅限本省使用",), "time"),
)  # fmt: skip
MAY_NOT = dataclasses.replace(
    MAY, lang="en", query="Is point-in-time restore available on Starter?",
    answer="No, Starter has daily snapshots only.", accepted=("not available on Starter", "daily snapshots only"),
    wrong=("every plan, Starter included",), keypoints=("Point-in-time restore is not available on Starter",),
    conflict=Conflict("plan", "not available on Starter", ("every plan, Starter included",), "time"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("case", "answer", "match", "adopted"),
    [
        (MAY, "可以。", True, False),
        (MAY, "是的", True, False),
        (MAY, "能", True, False),
        (MAY, "全国通用", True, False),
        (MAY, "不可以", False, True),
        (MAY, "不可以，可以跨省使用", False, True),
        (MAY, "可以，仅限本省使用", False, True),
        (MAY, "并非全国通用", False, False),
        (MAY_NOT, "No.", True, False),
        (MAY_NOT, "It is not available on Starter.", True, False),
        (MAY_NOT, "Yes.", False, True),
        (MAY_NOT, "Yes, not available on Starter", False, True),
        (MAY_NOT, "No, every plan, Starter included", False, True),
        (MAY_NOT, "It is available on Starter", False, False),
    ],
    ids=lambda value: value.lang if isinstance(value, Case) else None,
)
def test_a_yes_or_no_counts_for_what_it_says(case, answer, match, adopted):
    found = judge(case, answer)
    assert (found.match, found.adopted) == (match, adopted)


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


def test_values_of_several_things_in_each_others_place_are_wrong():
    several = dataclasses.replace(
        CASE, query="主机、支架和存储卡各保多久？", answer="主机24个月，支架12个月，存储卡6个月。", wrong=(), conflict=None,
        accepted=("主机24个月", "24个月"), keypoints=("主机24个月", "支架12个月", "存储卡6个月"),
    )  # fmt: skip
    assert judge(several, "主机24个月，支架12个月，存储卡6个月").match
    assert judge(several, "24个月，12个月，6个月").match
    assert not judge(several, "主机6个月，支架12个月，存储卡24个月").match


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


def test_the_labels_of_the_set_are_judged_as_they_are_meant():
    """Accepted answers are right, losing ones wrong and adopted; of whole sentences that hold them nearly all."""
    right = wrong = missed = sentences = 0
    for case in load_cases():
        if not case.answerable or case.tied:
            continue
        for text in (*case.accepted, case.answer):
            assert judge(case, text).match, (case.id, text)
            right += 1
        for loser in case.conflict.losers if case.conflict else ():
            found = judge(case, loser)
            assert not found.match and found.adopted, (case.id, loser)
            wrong += 1
        for chunk in case.chunks:
            if chunk.role in LOSING:
                assert not any(judge(case, s).match for s in chunk.must_drop), (case.id, chunk.id)
            if chunk.role in GOOD:
                told = [s for s in chunk.must_keep if any(holds(s, a) for a in case.accepted)]
                sentences += len(told)
                missed += sum(not judge(case, s).match for s in told)
    assert right > 1000 and wrong > 180 and sentences > 300
    assert missed / sentences < 0.07
