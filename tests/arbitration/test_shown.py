"""What the text of a conflict says is what is done; what makes no claim of the value asked for."""

from __future__ import annotations

from conftest import page

ENDS = "When does the legacy gateway stop working?"


def values(verdict):
    return {s.value for c in verdict.conflicts for s in c.sides}


def test_an_outage_is_no_date_on_which_a_service_ends(judge):
    verdict = judge(ENDS, [
        page("The legacy gateway will stop working on May 31, 2026.", 0.95, "2025-06-20"),
        page("The legacy gateway will stop working on November 30, 2025.", 0.9, "2024-08-01"),
        page("On March 3, 2025 the legacy gateway was down for 25 minutes.", 0.95, "2025-03-03"),
    ])
    assert values(verdict) == {"May 31, 2026", "November 30, 2025"}
    assert verdict.conflicts[0].winner.value == "May 31, 2026"
    assert verdict.conflicts[0].reason == "time"


def test_sides_of_a_tie_that_go_are_named_with_the_reason(judge):
    says = "云梯会员年费{}元，按年扣费。"
    verdict = judge("云梯会员年费多少钱？", [
        page(says.format(259), 0.9, "2025-05-01"), page(says.format(199), 0.9, "2025-05-01"),
        page("听说云梯会员年费是99元。", 0.2, "2020-01-01"),
    ])
    assert verdict.conflicts[0].winner is None
    text = verdict.cautions[0].message
    assert "“99元”未列出" in text
    gone = {*verdict.lost_passages, *(k[0] for k in verdict.lost_sentences)}
    assert gone == {2}
    assert "tie" not in verdict.lost_passages[2]
    assert set(verdict.front) == {0, 1}


def test_an_extension_is_no_value_of_what_it_extends(judge):
    verdict = judge("云梯净水器整机保修期多久？", [
        page("云梯净水器整机保修期为一年。", 0.9, "2024-01-01"),
        page("完成注册的，云梯净水器整机保修期延长两年。", 0.9, "2025-01-01"),
    ])
    assert not verdict.conflicts
    verdict = judge("How long is the warranty of the Brill kettle?", [
        page("The warranty of the Brill kettle is 12 months.", 0.9, "2024-01-01"),
        page("Registered owners of the Brill kettle get an additional 6 months of warranty.", 0.9, "2025-01-01"),
        page("The warranty of the Brill kettle is extended by 24 months under the care plan.", 0.9, "2025-01-01"),
    ])
    assert not verdict.conflicts


def test_extended_to_is_a_value(judge):
    verdict = judge("云梯净水器整机保修期多久？", [
        page("云梯净水器整机保修期为一年。", 0.9, "2023-01-01"),
        page("云梯净水器整机保修期延长至三年。", 0.9, "2025-06-01"),
    ])
    assert verdict.conflicts[0].winner.value == "三年"


def test_after_graduation_is_a_time_and_no_event(judge):
    verdict = judge("学生卡毕业以后能转成普通卡吗", [
        page("学生卡毕业后可以转为普通卡，到网点办理即可。", 0.9, "2025-05-01"),
        page("学生卡毕业后不能转普通卡，只能注销。", 0.9, "2022-05-01"),
    ])
    assert verdict.conflicts[0].winner.normalized == "yes"
    assert "time" not in verdict.lost_passages[1]


def test_no_fee_contradicts_a_fee(judge):
    verdict = judge("评估费收多少钱", [
        page("上门评估后放弃维修的，不收取评估费。", 0.9, "2025-05-01"),
        page("上门评估后放弃维修的，收取评估费80元。", 0.9, "2022-05-01"),
    ])
    assert verdict.conflicts[0].winner.value == "不收取评估费"
    assert verdict.lost_passages.keys() == {1}


def test_a_waiver_for_some_contradicts_no_fee(judge):
    verdict = judge("评估费收多少钱", [
        page("会员不收取评估费。", 0.9, "2025-05-01"), page("上门评估收取评估费80元。", 0.9, "2022-05-01"),
    ])
    assert not verdict.conflicts
