"""Sides without a value: what a page says to yes or no, who pays, one of two, what to do."""

from __future__ import annotations

import pytest
from conftest import page

from ragclean.arbitration.focus import focus_of
from ragclean.arbitration.stances.actions import advice, names_of
from ragclean.arbitration.stances.reading import go_together, read_stances
from ragclean.prepare import prepare_text
from ragclean.text.question import parse_question

OFFICIAL, FORUM = 0.95, 0.3


def sides(query: str, text: str) -> list[str]:
    focus = focus_of(parse_question(query), {})
    facet = next(f for f in focus.facets if f.proposition is not None)
    return [s.side for s in read_stances(prepare_text(text), "", facet)]


SAID = [
    ("车票误了还能改签吗", "误车的车票可改签当日其他车次，限一次。", "yes"),
    ("车票误了还能改签吗", "列车开车后，车票一律不得改签，票款不退。", "no"),
    ("发出的通知还能撤回不", "通知一经发出就撤不回，请先核对。", "no"),
    ("折叠车上轻轨一定要装袋吗", "折叠车视为随身行李，无须装袋即可进站。", "no"),
    ("折叠车上轻轨一定要装袋吗", "折叠车上轻轨必须装袋，否则会被请出站。", "yes"),
    ("换PLC电池之前要先断电吗", "更换PLC的电池务必在模块保持通电时进行。", "no"),
    ("换PLC电池之前要先断电吗", "换PLC的电池先拉闸，再拆盖子。", "yes"),
    ("镜头能不能用酒精擦", "镜头不要用酒精擦，会伤膜。", "no"),
    ("does the Starter plan support offline maps", "Offline maps are not available on the Starter plan.", "no"),
    ("does the Starter plan support offline maps", "Offline maps are supported on the Starter plan.", "yes"),
    ("can contractors claim the travel allowance", "The travel allowance is for permanent staff only.", "no"),
    ("sensors offline after the update, reboot the hub?", "Leave the hub on and do not restart the hub.", "no"),
    ("sensors offline after the update, reboot the hub?", "Sensors offline? Just restart the hub first.", "yes"),
    ("燃气表到期换表的钱谁出", "燃气表到期换表的费用由用户承担。", "customer"),
    ("燃气表到期换表的钱谁出", "燃气表到期换表由供气企业负担。", "provider"),
    ("小剐蹭，先挪车还是原地等保险", "小剐蹭请拍照后立即挪车，再报案。", "option 0"),
    ("小剐蹭，先挪车还是原地等保险", "剐蹭了千万原地别动，等人到场。", "option 1"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "text", "side"), SAID, ids=[f"{s[0]}|{s[1]}" for s in SAID])
def test_the_side_of_a_sentence(query, text, side):
    assert sides(query, text)[:1] == [side]


SAYS_NOTHING = [
    ("车票误了还能改签吗", "车票的照片须与本人相符，借给他人的收回。"),
    ("公租房到期还能续吗", "续租手续请到公租房窗口办理。"),  # names the predicate, takes no side
    ("镜头能不能用酒精擦", "镜头能不能用酒精擦？这个问题常有人问。"),
    ("燃气表到期换表的钱谁出", "餐饮商户用气须知：燃气表到期换表的款项由商户支付。"),  # not for who asks
    ("铃讯推送的通知还能撤回不", "铃讯短信服务：短信提交后不能撤回。"),  # another product
    ("鞋子脏了来回快递谁出钱", "鞋子寄来的快递费由用户付，寄回的快递费由厂家付。"),  # each pays a part
]


@pytest.mark.parametrize(("query", "text"), SAYS_NOTHING, ids=[f"{s[0]}|{s[1]}" for s in SAYS_NOTHING])
def test_no_side(query, text):
    assert sides(query, text) == []


def test_an_exception_is_not_the_rule_unless_it_is_asked_about():
    text = "碎屏险可以理赔，改装过的手机除外。"
    assert sides("碎屏险可以理赔吗", text)[:1] == ["yes"]


def test_open_advice_conflicts_by_a_named_action(judge):
    verdict = judge("镜头里面起雾了怎么办", [
        page("镜头起雾时请装入密封袋回温，切勿用电热器具烘烤镜头。", OFFICIAL),
        page("镜头起雾别傻等，吹风机开热风吹三分钟就好。", FORUM),
    ])  # fmt: skip
    assert [c.winner is not None for c in verdict.conflicts] == [True]


def test_advice_of_different_actions_is_no_conflict(judge):
    verdict = judge("镜头里面起雾了怎么办", [
        page("镜头起雾时请装入密封袋回温。", OFFICIAL),
        page("镜头起雾就关机，放一晚上再拍。", FORUM),
    ])  # fmt: skip
    assert not verdict.conflicts


def test_a_losing_stance_goes(judge):
    verdict = judge("打印机驱动升级，老驱动用不用先卸载？", [
        page("打印机驱动大版本升级必须先卸载老驱动，再装新版。", OFFICIAL),
        page("打印机驱动升级无需卸载老驱动，直接覆盖装就行。", FORUM),
    ])  # fmt: skip
    assert len(verdict.conflicts) == 1
    assert set(verdict.lost_passages) == {1}


def test_names_of_actions():
    same, opposite = names_of("断电")
    assert "拉闸" in same and "通电" in opposite
    assert "reboot" in names_of("restart")[0]


@pytest.mark.parametrize(("clause", "sign"), [("不要拔出", -1), ("keep it away, never soak it", -1), ("请先关机", 1)])
def test_advice(clause, sign):
    assert advice(clause) == sign


def test_advice_goes_together_unless_one_forbids_what_the_other_recommends():
    assert go_together("", "", frozenset({"+1", "-2"}), frozenset({"+1"}))
    assert not go_together("", "", frozenset({"-2"}), frozenset({"+2"}))
    assert go_together("customer", "recipient", frozenset(), frozenset())
