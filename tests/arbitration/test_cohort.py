"""Terms for those who bought, signed or joined before a day, or from it on."""

from __future__ import annotations

import random
from datetime import date

import pytest
from conftest import TODAY, page
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration.cohort import Cohort, applies, cohort_of
from ragclean.prepare import plain_text, prepare_text
from ragclean.text.folding import fold

EARLY = Cohort(date(2023, 5, 1), date(2023, 5, 31))
LATE = Cohort(date(2025, 2, 1), date(2025, 2, 28))
LONG_AGO = Cohort(date.min, date.min)

FEE_2023 = "我2023年6月签的岚桥宽带合同，提前解约的违约金是多少？"
FEE_NOW = "岚桥宽带提前解约的违约金是多少？"
NEW_FEE = "岚桥宽带解约规则：自2024年3月1日起签订的合同，提前解约的违约金为300元。"
OLD_FEE = "岚桥宽带解约说明：2024年3月1日前签订的合同，提前解约的违约金仍为200元。"
LIMIT_2023 = "I joined Quillstone in June 2023. How many requests a month do I get?"
LIMIT_NOW = "How many requests a month does Quillstone allow?"
OLD_LIMIT = "Quillstone limits: accounts opened before 1 March 2024 keep 600 requests a month."
NEW_LIMIT = "Quillstone limits: accounts opened on or after 1 March 2024 get 300 requests a month."


def held(text, cohort, dated=None, sentence=0):
    return applies(prepare_text(text), sentence, cohort, dated, TODAY)


def winner(verdict):
    assert len(verdict.conflicts) == 1
    side = verdict.conflicts[0].winner
    return side.value if side else None


@pytest.mark.parametrize(("question", "first", "last"), [
    ("我是2023年5月买的澄溪净水器，质保几年？", date(2023, 5, 1), date(2023, 5, 31)),
    ("2023年5月12日签的租约，押金退多少？", date(2023, 5, 12), date(2023, 5, 12)),
    ("24年3月签的岚桥宽带合同，违约金多少？", date(2024, 3, 1), date(2024, 3, 31)),
    ("我24年买的澄溪净水器，质保几年？", date(2024, 1, 1), date(2024, 12, 31)),
    ("去年开通的岚桥会员，月费多少？", date(2024, 1, 1), date(2024, 12, 31)),
    ("I joined Quillstone in March 2023, how many requests do I get?", date(2023, 3, 1), date(2023, 3, 31)),
    ("My Quillstone plan was taken out on 4 May 2022; what is the fee?", date(2022, 5, 4), date(2022, 5, 4)),
    ("I bought a Tavro lamp last year. How long is the warranty?", date(2024, 1, 1), date(2024, 12, 31)),
])
def test_the_question_says_when_the_asker_came(question, first, last):
    assert cohort_of(fold(question), TODAY) == Cohort(first, last)


@pytest.mark.parametrize("question", [
    "岚桥老用户的月费是多少？", "之前签的岚桥合同，违约金是多少？", "How many requests do existing customers get?",
    "I already signed; what is the fee?",
])
def test_who_came_before_without_a_day_came_long_ago(question):
    assert cohort_of(fold(question), TODAY) == LONG_AGO


@pytest.mark.parametrize("question", [
    "澄溪净水器质保几年？", "2023年澄溪净水器的质保是几年？", "2026年1月签的合同违约金多少？", "买2023版的词典要多少钱？",
    "我签了10年的租约，违约金多少？", "买20年期的保险要多少钱？", "24年13月签的合同违约金多少？",
    "How many requests does Quillstone allow?", "I bought the 2023 edition, what does it cost?",
    "Fees in March 2023?",
])
def test_years_of_editions_lengths_and_days_to_come_say_nothing_of_the_asker(question):
    assert cohort_of(fold(question), TODAY) is None


@pytest.mark.parametrize("text", [
    "2024年3月1日前购买的设备，质保三年。", "2024年3月1日（含）之前签订的合同，违约金为200元。",
    "Accounts opened before 1 March 2024 keep 600 requests.",
    "Members who joined on 1 March 2024 or earlier still pay $9.",
])
def test_terms_for_those_before_a_day(text):
    assert (held(text, EARLY), held(text, LATE), held(text, LONG_AGO)) == (1, -1, 1)


@pytest.mark.parametrize("text", [
    "2024年3月1日起购买的设备，质保一年。", "2024年3月1日（含）以后签订的合同，违约金为300元。",
    "2024年3月1日零时起新办理的会员，月费为30元。",
    "Contracts signed on or after 1 March 2024 carry 300 requests.",
    "Orders placed since 1 March 2024 have a one-year warranty.",
])
def test_terms_for_those_from_a_day_on(text):
    assert (held(text, EARLY), held(text, LATE), held(text, LONG_AGO)) == (-1, 1, -1)


@pytest.mark.parametrize("text", [
    "澄溪净水器质保三年。", "2024年3月1日前寄到的包裹免检。", "The fee is $9 before 1 March 2024.",
    "Meetings before 1 March 2024 were held in the hall.",
])
def test_a_day_alone_is_no_group_of_customers(text):
    assert [held(text, c) for c in (EARLY, LATE, LONG_AGO, None)] == [0, 0, 0, 0]


def test_a_month_in_which_the_rule_changed_decides_nothing():
    march = Cohort(date(2024, 3, 1), date(2024, 3, 31))
    assert held("2024年3月15日前购买的设备，质保三年。", march) == 0
    assert held("Orders placed since 15 March 2024 have a one-year warranty.", march) == 0


@pytest.mark.parametrize(("goes_on", "plain"), [
    ("2024年3月1日前购买的设备，仍享三年质保。", "2024年3月1日前购买的设备，质保三年。"),
    ("存量客户的月费保持20元不变。", "存量客户的月费是20元。"),
    ("Accounts opened before 1 March 2024 keep 600 requests.", "Accounts opened before 1 March 2024 get 600 requests."),
    ("Existing customers still pay $9.", "Existing customers pay $9."),
])
def test_what_only_goes_on_for_earlier_customers_is_not_for_who_asks_today(goes_on, plain):
    assert held(goes_on, None) == -1
    assert held(plain, None) == 0


def test_a_day_without_a_year_is_of_the_year_of_the_page():
    text = "3月1日前购买的设备，质保三年。"
    assert held(text, LATE, date(2025, 1, 15)) == 1
    assert held(text, LATE, date(2024, 1, 15)) == -1


def test_customers_old_and_new_without_a_day_are_told_apart_by_the_date_of_the_page():
    assert held("老用户继续享受三年质保。", EARLY, date(2024, 1, 15)) == 1
    assert held("老用户继续享受三年质保。", LATE, date(2024, 1, 15)) == -1
    assert held("New accounts get 300 requests.", EARLY, date(2024, 1, 15)) == -1
    assert held("New accounts get 300 requests.", EARLY) == 0
    assert held("老用户继续享受三年质保。", LONG_AGO) == 1


def test_old_customers_named_without_saying_that_their_terms_go_on_decide_nothing():
    assert held("老用户质保三年。", EARLY, date(2024, 1, 15)) == 0
    assert held("Existing customers pay $9.", EARLY, date(2024, 1, 15)) == 0


@pytest.mark.parametrize("text", [
    "2024年3月1日前签订的合同适用本页。\n提前解约的违约金为200元。",
    "This page covers contracts signed before 1 March 2024.\nThe cancellation fee is $20.",
])
def test_the_head_of_a_page_says_for_whom_all_of_it_is(text):
    last = len(prepare_text(text).sentences) - 1
    assert last > 0
    assert held(text, EARLY, sentence=last) == 1
    assert held(text, LATE, sentence=last) == -1


@pytest.mark.parametrize(("question", "now", "old", "new", "was", "holds"), [
    (FEE_2023, FEE_NOW, OLD_FEE, NEW_FEE, "200元", "300元"),
    (LIMIT_2023, LIMIT_NOW, OLD_LIMIT, NEW_LIMIT, "600 requests", "300 requests"),
])
@pytest.mark.parametrize(("old_when", "new_when"), [("2024-03-01", "2025-03-01"), ("2025-03-01", "2024-03-01")])
def test_the_terms_of_the_asker_win_whichever_page_is_newer(judge, question, now, old, new, was, holds, old_when, new_when):
    chunks = [page(new, 0.95, new_when), page(old, 0.95, old_when)]
    verdict = judge(question, chunks)
    assert winner(verdict) == was
    assert any("other_customers" in w.notes for s in verdict.conflicts[0].sides for w in s.witnesses)
    assert winner(judge(now, chunks)) == holds


def test_many_pages_with_terms_of_other_customers_are_no_majority_in_any_order(judge):
    others = [
        "自2024年3月1日起签订的岚桥宽带合同，解约的违约金统一是300元。", NEW_FEE,
        "岚桥宽带提醒：2024年3月1日以后签的合同，提前解约的违约金按300元收取。",
    ]
    chunks = [page(t, 0.95, "2025-03-01", id=f"n{i}") for i, t in enumerate(others)]
    chunks.append(page(OLD_FEE, 0.95, "2024-03-01", id="o"))
    rng = random.Random(3)
    seen = set()
    for _ in range(6):
        rng.shuffle(chunks)
        copies = [page(NEW_FEE, 0.95, "2025-03-01", id=f"copy{i}") for i in range(rng.choice((0, 4)))]
        verdict = judge(FEE_2023, [*chunks, *copies])
        seen.add((winner(verdict), verdict.conflicts[0].margin, verdict.conflicts[0].reason))
    assert len(seen) == 1
    assert seen.pop()[0] == "200元"


_DAYS = st.dates(date(2001, 1, 1), date(2030, 12, 31))


@settings(max_examples=150, deadline=None)
@given(_DAYS, _DAYS)
def test_before_and_from_a_day_exclude_each_other(day, came):
    cohort = Cohort(came, came)
    when = f"{day.year}年{day.month}月{day.day}日"
    before = held(f"{when}前购买的设备，质保三年。", cohort)
    after = held(f"{when}起购买的设备，质保一年。", cohort)
    assert after == (1 if came >= day else -1)
    assert before == (1 if came <= day else -1)
    assert before + after == (2 if came == day else 0)


_PIECES = st.sampled_from((
    "2024年", "3月", "1日", "24年", "前", "以后", "起", "（含）", "签订", "购买", "的", "老用户", "新用户", "仍", "before ",
    "accounts opened ", "1 march 2024", " or earlier", "去年", "last year", "0000年", "9999年12月31日", "99年", "。", "\n",
    "\x00", "\ud800",
))


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(_PIECES, max_size=12).map("".join)), _DAYS)
def test_any_text_is_taken(text, day):
    cohort = cohort_of(fold(text), day)
    assert cohort is None or cohort.first <= cohort.last
    prepared = prepare_text(text)
    for number in range(len(prepared.sentences)):
        assert applies(prepared, number, cohort, day, TODAY) in (-1, 0, 1)


@pytest.mark.parametrize("piece", [
    "1", "24年", "2024年3月1日前", "2024年3月1日（含", "前签", "签", "老", "之前", "新", "created before ", "contracts ", "is from ",
    " or earlier", "1 march 2024", "existing ", "，", " ", "\x00", "\ud800",
])
def test_hostile_text_costs_its_length(no_blow_up, endless, piece):
    with no_blow_up():
        prepared = plain_text(fold(endless(piece)))
        cohort_of(prepared.folded, TODAY)
        cohort_of("签" + prepared.folded, TODAY)
        for cohort in (None, EARLY, LONG_AGO):
            applies(prepared, 0, cohort, TODAY, TODAY)


def test_the_29th_of_february_of_a_common_year_stops_nothing(judge):
    verdict = judge("What is the fee?", [
        page("The fee will rise to $5 on 29 February.", 0.9, "2025-03-01"), page("The fee is $7.", 0.9, "2025-01-01"),
    ])
    assert verdict.lost_passages.keys() <= {0, 1}
