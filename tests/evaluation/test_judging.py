"""A verdict put together from two questions: evidence looked up, hedges, adoption, what failed."""

from dataclasses import dataclass, field

import pytest

from ragclean.evaluation.claims import claims_of
from ragclean.evaluation.hedging import hedges_value
from ragclean.evaluation.judging import (
    MAX_CLAIMS,
    AnswerJudge,
    Unjudged,
    assemble,
    checked_claim,
    checked_point,
    points_of,
    states_another,
)
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.quotes import find_quote
from ragclean.evaluation.records import ClaimVerdict, EvalCase, Injected, PointVerdict, Shown
from ragclean.types import Chunk

QUESTION = "X200保修多久？"
GOLD = Chunk("X200保修期自发票开具之日起 24 个月。", id="g")
OLD = Chunk("X200保修期为12个月。", id="o")
CASE = EvalCase("a", QUESTION, "24个月", ("保修24个月",), (GOLD,), ("g",))
SHOWN = Shown("a", "v3", (OLD, GOLD), (Injected(OLD, "relevant_hard"),))


@dataclass
class Told:
    """Answers as it is told: support by claim and first context, coverage in order; keeps what it was asked."""

    support_of: dict = field(default_factory=dict)
    points: list = field(default_factory=list)
    asked: list = field(default_factory=list)

    def support(self, question, answer, claims, contexts):
        self.asked.append(("support", tuple(claims), tuple(c.id for c in contexts)))
        return [self.support_of.get((c, contexts[0].id), ClaimVerdict(c, "not_mentioned")) for c in claims]

    def coverage(self, question, answer, reference, points):
        self.asked.append(("coverage", tuple(points), reference))
        return self.points or [PointVerdict(p, False) for p in points]


def supported(claim, evidence, chunk=""):
    return ClaimVerdict(claim, "supported", evidence, chunk)


# -- the two questions


def test_the_questions_are_asked_apart_and_injected_contexts_only_after_the_trusted_ones():
    judge = Told({("保修12个月。", "o"): supported("保修12个月。", "X200保修期为12个月。")})
    found = assemble(judge, QUESTION, "保修12个月。", CASE, SHOWN)
    assert judge.asked == [("support", ("保修12个月。",), ("g",)), ("support", ("保修12个月。",), ("o",)), ("coverage", ("保修24个月",), "24个月")]
    (claim,) = found.claims
    assert (claim.support, claim.injected_id, claim.injected_kind) == ("not_mentioned", "o", "relevant_hard")


def test_a_supported_claim_is_not_looked_for_among_the_injected():
    judge = Told({("保修24个月。", "g"): supported("保修24个月。", "自发票开具之日起24个月")})
    found = assemble(judge, QUESTION, "保修24个月。", CASE, SHOWN)
    assert [a[0] for a in judge.asked] == ["support", "coverage"]
    (claim,) = found.claims
    assert (claim.support, claim.chunk_id, claim.injected_id) == ("supported", "g", "")
    assert claim.evidence == "自发票开具之日起 24 个月"  # as the context has it


def test_what_is_named_only_to_be_set_aside_is_not_adopted():
    judge = Told()
    assemble(judge, QUESTION, "网上说的12个月不对。", CASE, SHOWN)
    assert [a[0] for a in judge.asked] == ["support", "coverage"]


def test_a_refusal_asks_nothing():
    judge = Told()
    found = assemble(judge, QUESTION, "资料中没有提到。", CASE, SHOWN)
    assert judge.asked == []
    assert (found.refusal, found.claims, found.points) == (True, (), (PointVerdict("保修24个月", False),))


def test_advice_alone_refuses_as_well():
    assert assemble(Told(), QUESTION, "您好，请咨询官方客服。", CASE, SHOWN).refusal


def test_without_key_points_the_reference_is_the_point_and_without_either_there_is_none():
    assert points_of(EvalCase("a", "q", "ref")) == ("ref",)
    judge = Told()
    found = assemble(judge, QUESTION, "保修一年。", EvalCase("b", QUESTION), SHOWN)
    assert found.points == ()
    assert all(kind == "support" for kind, *_ in judge.asked)


def test_no_trusted_context_supports_nothing():
    shown = Shown("a", "v4", (OLD,), (Injected(OLD, "irrelevant"),))
    judge = Told({("保修12个月。", "o"): supported("保修12个月。", "保修期为12个月")})
    (claim,) = assemble(judge, QUESTION, "保修12个月。", CASE, shown).claims
    assert (claim.support, claim.injected_kind) == ("not_mentioned", "irrelevant")
    assert assemble(Told(), QUESTION, "保修12个月。", CASE, Shown("a", "v0", ())).claims[0].support == "not_mentioned"


# -- what fails


class Broken(Told):
    def support(self, question, answer, claims, contexts):
        raise Unjudged("support: HTTP 500")


class Short(Told):
    def coverage(self, question, answer, reference, points):
        return []


@pytest.mark.parametrize("judge, reason", [(Broken(), "support: HTTP 500"), (Short(), "0 verdicts on 1 key points")])
def test_without_a_verdict_the_judgement_has_failed(judge, reason):
    found = assemble(judge, QUESTION, "保修24个月。", CASE, SHOWN)
    assert (found.failed, found.claims, found.points) == (reason, (), ())


def test_an_answer_of_endless_claims_is_not_judged():
    answer = "".join(f"第{i}条写着内容。\n" for i in range(MAX_CLAIMS + 1))
    assert f"{MAX_CLAIMS + 1} claims" in assemble(Told(), QUESTION, answer, CASE, SHOWN).failed


def test_the_offline_judge_is_an_answer_judge():
    assert isinstance(OfflineJudge(), AnswerJudge)


# -- evidence


TEXT = "保修期自发票开具之日起 12 个月，运费170元，折扣2.3%，十五分钟，Price: $1,299.00 (VAT incl.) open 20:30，尺寸0.38，2.0mm"


@pytest.mark.parametrize("quote, found", [
    ("保修期自发票开具之日起12个月", "保修期自发票开具之日起 12 个月"), ("运费１７０元", "运费170元"), ("折扣 2.3%。", "折扣2.3%"),
    ("price $1299.00 VAT", "Price: $1,299.00 (VAT"), ("20:30", "20:30"), ("尺寸0.38", "尺寸0.38"), ("2.0mm", "2.0mm"),
    ("保修期……运费170元", "保修期自发票开具之日起 12 个月，运费170元"), ("“十五分钟”", "十五分钟"),
])  # fmt: skip
def test_a_quote_is_found_through_space_punctuation_and_width(quote, found):
    place = find_quote(quote, TEXT)
    assert place is not None and TEXT[place.start : place.end] == found


@pytest.mark.parametrize("quote", [
    "运费70元", "70", "折扣12.3%", "23%", "2.3", "五分钟", "2030", "运费170元……保修期", "inc", "299", "38", "", "，。", "运费171元", "0元",
])  # fmt: skip
def test_other_digits_and_parts_of_words_are_not_found(quote):
    found = find_quote(quote, TEXT)
    assert quote == "2.3" or found is None
    if quote == "2.3":
        assert found is not None  # the sign may be left out, the digits not


@pytest.mark.parametrize("evidence, expected", [
    ("保修期自发票开具之日起24个月", "supported"), ("保修期自发票开具之日起240个月", "not_mentioned"), ("", "not_mentioned"),
    ("保修期是二十四个月", "not_mentioned"),
])  # fmt: skip
def test_evidence_that_is_not_there_supports_nothing(evidence, expected):
    assert checked_claim(supported("保修24个月", evidence), [OLD, GOLD]).support == expected


def test_a_quote_of_other_values_does_not_support():
    assert checked_claim(supported("保修24个月", "X200保修期为12个月"), [OLD]).support == "not_mentioned"
    assert states_another("运费70元", "运费170元") and not states_another("运费170元", "运费一百七十元，押金300元")
    assert not states_another("24小时内回复", "一天之内回复") and states_another("24小时内回复", "48小时内回复")


def test_a_contradiction_without_its_words_is_none():
    assert checked_claim(ClaimVerdict("保修24个月", "contradicted", "保修36个月"), [GOLD]).support == "not_mentioned"
    assert checked_claim(ClaimVerdict("保修12个月", "contradicted", "24个月"), [GOLD]).support == "contradicted"


KNOWN = (QUESTION, "24个月", "保修24个月")


@pytest.mark.parametrize("answer, evidence, covered, contradicted", [
    ("保修两年。", "保修两年", True, False),
    ("保修两年。", "保修24个月", False, False),  # not the answer's words
    ("24到48个月，视情况而定。", "24到48个月", False, True),
    ("12个月或24个月。", "24个月", False, True),
    ("保修24个月，不是12个月。", "保修24个月", True, False),
])  # fmt: skip
def test_points(answer, evidence, covered, contradicted):
    found = checked_point(PointVerdict("保修24个月", True, False, evidence), answer, KNOWN)
    assert (found.covered, found.contradicted) == (covered, contradicted)


def test_a_point_that_is_contradicted_is_not_covered():
    found = checked_point(PointVerdict("p", True, True, "24个月"), "24个月", KNOWN)
    assert (found.covered, found.contradicted) == (False, True)


# -- hedges


@pytest.mark.parametrize("answer", [
    "24到48小时，视情况而定", "24 to 48 hours depending on the case", "一般24小时或者48小时", "24h - 48h", "24小时或两天",
    "between 24 and 48 hours", "24小时，也有48小时的",
])  # fmt: skip
def test_a_wrong_value_beside_the_right_one_is_a_hedge(answer):
    assert hedges_value("24小时内回复", answer, ("多久回复？", "24小时内"))


@pytest.mark.parametrize("answer", [
    "24小时内", "24小时内，不是48小时", "二十四小时（即一天）", "24小时内回复，48元起", "原来是48小时，现在是24小时",
    "24小时内回复，保修12个月", "48小时",
])  # fmt: skip
def test_other_values_are_no_hedge(answer):
    assert not hedges_value("24小时内回复", answer, ("多久回复？", "24小时内"))


def test_a_range_that_the_reference_states_is_no_hedge():
    assert not hedges_value("3至5天到账", "3至5天到账", ("多久到账", "3至5天"))


# -- claims


@pytest.mark.parametrize("answer, claims", [
    ("可以。保修期为24个月。", ("可以。保修期为24个月。",)),
    ("No, it doesn't. The pump is covered.", ("No, it doesn't. The pump is covered.",)),
    ("您好，保修24个月[c2]。建议咨询官方客服。", ("保修24个月。",)),
    ("- K6：320元\n- K10：690元", ("K6：320元", "K10：690元")),
    ("价格如下：\n1. 第一档 2.68元\n2. 第二档 3.86元", ("第一档 2.68元", "第二档 3.86元")),
    ("甲类三十六个月内免费更换，材料费由厂家承担；乙类十二个月内免费更换，人工费由用户自己承担，请注意保存发票以便核对购买日期，逾期不予受理，特此说明。", 2),
    ("保修24个月。资料未说明是否含税。", ("保修24个月。",)),
    ("**¥268.00**", ("¥268.00",)),
    ("可以", ("可以",)),
    ("", ()), ("资料中没有提到。", ()),
])  # fmt: skip
def test_claims(answer, claims):
    found = claims_of(answer)
    assert len(found) == claims if isinstance(claims, int) else found == claims


@pytest.mark.parametrize("piece", ["保修24个月，", "1,", "可以。", "- x\n", "* ", "[1]", "12小时或"])
def test_any_length_takes_linear_time(piece, endless, no_blow_up):
    text = endless(piece)[:200_000]
    with no_blow_up():
        claims_of(text)
        find_quote("24个月 0", text)
        hedges_value("保修24个月", text[:20_000], ())
