from __future__ import annotations

import pytest

from ragclean.arbitration.stances.parties import CUSTOMER, PROVIDER, RECIPIENT, SENDER, SHARED, agree, payers
from ragclean.text.folding import fold

SIDES = [
    ("改签机票的费用由船方报销，凭票据登记。", PROVIDER),
    ("这笔钱得您自己承担，我们没有报销的项目。", CUSTOMER),
    ("换表费用用户自理。", CUSTOMER),
    ("更换支出由供气企业负担，不得另行收取。", PROVIDER),
    ("由用户与服务商各担一半。", SHARED),
    ("超时费一律由取件人支付。", RECIPIENT),
    ("回程运费向寄件人收取。", SENDER),
    ("找过客服，平台一分没赔，只好认了。", CUSTOMER),
    ("we bear the carriage of the new part", PROVIDER),
    ("the courier is paid by the renter", CUSTOMER),
    ("carriage is always down to you", CUSTOMER),
    ("returns are at your own expense", CUSTOMER),
    ("Then the carriage is on us.", PROVIDER),
    ("the homeward leg is charged to the sender", SENDER),
    ("the recipient pays for bringing it back", RECIPIENT),
]


@pytest.mark.parametrize(("text", "side"), SIDES, ids=[s[0] for s in SIDES])
def test_the_side_beside_a_verb_of_paying(text, side):
    assert [p.side for p in payers(fold(text), ())][:1] == [side]


def test_the_maker_of_the_question_provides():
    assert payers("acme covers the courier in full", ("acme",))[0].side == PROVIDER
    assert not payers("acme covers the courier in full", ())


def test_a_special_case_is_set_apart():
    rule, case = payers(fold("更换由公司承担；因用户人为损坏的，由用户承担。"), ())
    assert (rule.side, rule.apart) == (PROVIDER, False)
    assert (case.side, case.apart) == (CUSTOMER, True)


@pytest.mark.parametrize("text", ["请凭身份证件到窗口登记。", "旅客须出示车票。", "the company opens at nine"])
def test_no_payer_without_paying(text):
    assert not payers(fold(text), ())


def test_who_can_be_one():
    assert agree(CUSTOMER, RECIPIENT) and agree(SENDER, CUSTOMER)
    assert not agree(SENDER, RECIPIENT) and not agree(CUSTOMER, PROVIDER)


@pytest.mark.parametrize("piece", ["自理", "由", "用户", "由用户", "at the ", "paid by the "])
def test_hostile_text_costs_its_length(no_blow_up, endless, piece):
    with no_blow_up():
        payers(endless(piece), ("acme",))
