"""Does an answer refuse and answer nothing?"""

import json
from pathlib import Path

import pytest

from ragclean.evaluation.refusal import is_refusal, says_nothing

JUDGED = [json.loads(line) for line in (Path(__file__).parent / "data" / "judged_answers.jsonl").open(encoding="utf-8")]

REFUSALS = [
    "资料中没有提到。", "无法回答", "根据现有资料无法确认，建议联系客服。", "抱歉，文档中未提及保修期。", "不知道。", "資料未載明",
    "对不起，我无法根据上下文回答这个问题。", "上述资料中并无相关规定。", "提供的资料未提供相关价格，无法给出答案",
    "目前没有这方面的信息", "材料里看不出多久可以变更。", "这个问题我答不上来。", "**资料未提及**", "信息不足。",
    "I don't know.", "The context does not say.", "I cannot answer this question.", "There is no mention of a fee.",
    "I'm sorry, but the context does not contain the answer.", "Unknown.", "N/A", "Not stated in the passages.",
    "I don't have enough information to answer.", "No relevant information found.", "That is not covered by the documents.",
    "It is not stated whether tax is included.", "Based on the passages, I can't determine the limit.", "", "  。 \n",
]  # fmt: skip
ANSWERS = [
    "资料没有说明是否含税，但期限为24个月。", "未说明是否含税，不过价格是84元。", "资料中未提及保修期，一般行业惯例为12个月。",
    "不能退货。", "没有费用，免费。", "不支持。", "没有限制", "无需预约。", "只有30天。", "不可以，C批次无法识读屏幕。",
    "抱歉，我不能回答这个问题，但是可以告诉您保修期是两年。", "找不到信号时请重启。", "无法写入时检查权限。",
    "两份资料互相矛盾，无法判断哪个对。", "K6换屏320元，K10的价格资料里没有写。",
    "It is not stated whether tax is included, but the period is 24 months.",
    "Not stated whether labour is covered, however the screen is.", "The passages don't give a price. The S7 costs $145.",
    "No.", "Not available on the free plan.", "The device cannot find the network.", "The sources disagree and nothing decides.",
    "The warranty does not cover batteries.", "An unknown sender waits 90 seconds.",
]  # fmt: skip


@pytest.mark.parametrize("answer", REFUSALS)
def test_refusals(answer):
    assert is_refusal(answer)


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_are_none(answer):
    assert not is_refusal(answer)


def test_the_judged_answers():
    wrong = [a["id"] for a in JUDGED if is_refusal(a["answer"]) != (a["class"] == "refusing")]
    assert wrong == []


def test_what_goes_on_for_long_is_no_refusal():
    assert not is_refusal("资料中没有提到。" * 300)


@pytest.mark.parametrize("text, nothing", [
    ("请咨询官方客服。", True), ("Please contact support.", True), ("请在48小时内联系客服。", False),
    ("裝機前請先確認熱水器裝在屋外。", False), ("保修期为两年。", False),
])  # fmt: skip
def test_courtesy_says_nothing(text, nothing):
    assert says_nothing(text) is nothing


@pytest.mark.parametrize("piece", ["没有", "资料", "not ", "the passages ", "根据", "(", " but", "请"])
def test_any_length_takes_linear_time(piece, endless, no_blow_up):
    with no_blow_up():
        is_refusal(endless(piece))
        says_nothing(endless(piece))


@pytest.mark.parametrize("answer", [
    "Breakfast is not included in the price at the Mill House.",
    "Parking is not covered by the warranty.",
    "Batteries are not included in the box.",
    "Damage by water is not covered by the policy.",
])  # fmt: skip
def test_a_no_about_the_thing_is_an_answer(answer):
    assert not is_refusal(answer)


@pytest.mark.parametrize("answer", [
    "This is not covered by the passages.", "The fee is not included in the given documents.",
    "That is not mentioned in the text.",
])  # fmt: skip
def test_a_no_about_the_sources_is_a_refusal(answer):
    assert is_refusal(answer)
