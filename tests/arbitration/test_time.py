"""Age and validity: what is newer, replaced, expired, drafted or not yet in force."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import page

QUERY = "云梯会员年费多少钱？"
OLD, NEW = "云梯会员年费199元，按年扣费。", "云梯会员的年费标准：每年259元。"


def winner(verdict):
    assert len(verdict.conflicts) == 1
    side = verdict.conflicts[0].winner
    return side.normalized if side else None


def test_the_newer_of_two_trusted_pages_wins_however_many_old_ones_there_are(judge):
    same = (OLD, "成为云梯会员，年费要付199元哦。", "云梯的会员年费统一按199元收取。")
    old = [page(t, 0.9, "2023-05-01") for t in same]
    verdict = judge(QUERY, [*old, page(NEW, 0.95, "2024-08-01")])
    assert winner(verdict) == "money:259CNY"
    assert verdict.conflicts[0].reason == "time"


def test_a_newer_forum_post_does_not_beat_an_older_official_page(judge):
    verdict = judge(QUERY, [page(OLD, 0.95, "2023-05-01"), page(NEW, 0.3, "2025-08-01")])
    assert winner(verdict) == "money:199CNY"


def test_a_draft_and_a_withdrawn_page_lose(judge):
    draft = "云梯会员规则（征求意见稿）\n云梯会员的年费标准：每年259元。"
    assert winner(judge(QUERY, [page(OLD, 0.9, "2023-05-01"), page(draft, 0.95, "2025-08-01")])) == "money:199CNY"
    gone = "云梯会员的年费标准：每年259元。本页面已作废。"
    assert winner(judge(QUERY, [page(OLD, 0.9, "2023-05-01"), page(gone, 0.95, "2024-08-01")])) == "money:199CNY"


def test_a_coupon_that_lapses_does_not_withdraw_the_page(judge):
    new = "云梯会员的年费标准：每年259元。开通赠送的优惠券三十天内有效，逾期自动作废。"
    assert winner(judge(QUERY, [page(OLD, 0.95, "2023-05-01"), page(new, 0.95, "2025-02-01")])) == "money:259CNY"


def test_expired_by_metadata(judge):
    chunks = [page(OLD, 0.9, "2023-05-01"), page(NEW, 0.95, "2024-08-01", expires_at="2024-12-31")]
    verdict = judge(QUERY, chunks)
    assert winner(verdict) == "money:199CNY"
    assert any("expired" in w.notes for s in verdict.conflicts[0].sides for w in s.witnesses)


def test_a_rule_not_yet_in_force_is_no_vote_and_no_conflict(judge):
    coming = "云梯会员年费调整公告：自2026年1月1日起，云梯会员年费为259元。"
    verdict = judge(QUERY, [page(OLD, 0.95, "2023-05-01"), page(coming, 0.95, "2025-08-20")])
    assert verdict.conflicts == ()
    assert not verdict.lost_passages
    assert 1 in verdict.out_of_scope or any(i == 1 for i, _ in verdict.out_of_scope_sentences)
    later = judge(QUERY, [page(OLD, 0.95, "2023-05-01"), page(coming, 0.95, "2025-08-20")], as_of=date(2026, 2, 1))
    assert winner(later) == "money:259CNY"


def test_a_newer_version_of_the_lineage_replaces_the_older(judge):
    verdict = judge(
        QUERY,
        [page(OLD, 0.95, lineage_id="fees", version="2.10"), page(NEW, 0.95, lineage_id="fees", version="2.9")],
    )
    assert winner(verdict) == "money:199CNY"
    assert any("superseded" in w.notes for s in verdict.conflicts[0].sides for w in s.witnesses)


def test_the_text_says_that_it_replaces_the_old_rule(judge):
    new = "云梯会员的年费标准：每年259元。本办法发布后，原收费办法同时废止。"
    verdict = judge(QUERY, [page(OLD, 0.95), page("云梯的会员年费统一按199元收取，不分等级。", 0.95), page(new, 0.95)])
    assert winner(verdict) == "money:259CNY"
    assert verdict.conflicts[0].reason == "time"


def test_dates_in_the_text_stand_in_for_missing_metadata(judge):
    old = "云梯会员年费199元，按年扣费。本规则自2022年3月1日起施行。"
    new = "自2025年4月1日起，云梯会员年费按259元收取。"
    assert winner(judge(QUERY, [page(old, 0.95), page(new, 0.95)])) == "money:259CNY"


def test_history_does_not_age(judge):
    verdict = judge(
        "云梯公司是哪一年成立的？",
        [page("云梯公司成立于2009年。", 0.9, "2015-01-01"), page("云梯公司于2011年成立。", 0.9, "2025-01-01")],
    )
    assert [c.winner for c in verdict.conflicts] == [None]


def test_a_question_about_a_past_year_is_answered_by_its_rules(judge):
    verdict = judge(
        "2023年云梯会员年费多少钱？",
        [page("2023年云梯会员年费199元。", 0.95, "2023-01-10"), page("2025年云梯会员年费259元。", 0.95, "2025-01-10")],
    )
    assert verdict.conflicts == ()
    assert any(i == 1 for i, _ in verdict.out_of_scope_sentences)


def test_a_replaced_edition_is_named_even_where_nothing_conflicts(judge):
    query = "云梯会员退款怎么办理？"
    texts = ("云梯会员退款请在App内提交申请。", "云梯会员退款请到柜台办理手续。")
    old, new = (page(t, 0.95, title=f"云梯会员服务条款（{y} 版）") for t, y in zip(texts, (2022, 2025), strict=True))
    assert set(judge(query, [old, new]).outdated) == {0}
    report_a, report_b = (page(t, 0.95, title=f"云梯{y}年年报") for t, y in zip(texts, (2022, 2025), strict=True))
    assert judge(query, [report_a, report_b]).outdated == {}
    assert judge("2022年云梯会员退款怎么办理？", [old, new]).outdated == {}
    expired = page(texts[0], 0.95, expires_at="2020-01-01")
    assert set(judge(query, [expired, page(texts[1], 0.95)]).outdated) == {0}


@pytest.mark.parametrize(("query", "new", "old", "right"), [
    ("枫浦区公租房单身月收入上限是多少？", "经批准，公租房单身月收入上限提高为5000元。\n人均住房面积仍为15平方米。\n调整后的标准从2026年元旦起受理的申请开始执行。",
     "枫浦区公租房单身月收入上限是4200元。", "4200元"),
    ("What is the single room rate at the Heron?", "The single room rate at the Heron becomes £90.\nBreakfast stays £8.\nThe new rates are valid from 1 January 2026.",
     "The single room rate at the Heron is £80.", "£80"),
])  # fmt: skip
def test_what_a_page_says_of_its_new_rules_holds_for_all_of_them(judge, query, new, old, right):
    """Also of a value that stands two sentences before the day from which it holds."""
    verdict = judge(query, [page(new, 0.95, "2025-08-20"), page(old, 0.9, "2025-02-20")])
    assert not any(c.winner and c.winner.value != right for c in verdict.conflicts)
    assert not any(i == 1 for i, _ in verdict.lost_sentences) and 1 not in verdict.lost_passages
