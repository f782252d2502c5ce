"""Pages that say of another that it is wrong, replaced, or not for who asks, decide a conflict."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest
from conftest import ballot, page, side
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration.decision import decide, values_consistent
from ragclean.config import CorrectorConfig
from ragclean.text.values import find_values

FILTER = "澄溪净水器滤芯多久换一次？"
BOOK = "澄溪净水器使用手册：滤芯每12个月换一次。"
MEMO = "澄溪净水器客服备忘：手册所印的换芯周期有误，滤芯每6个月换一次。"
SAYS_12 = ["澄溪净水器换滤芯，隔12个月换一次。", "滤芯嘛，澄溪净水器的12个月换一次就行。"]
LAMP = "How long is the Tavro lamp warranty?"
LEAFLET = "Tavro lamp booklet: the warranty is 24 months."
DESK = "Service desk memo: the figure printed in the Tavro lamp booklet was wrong. The warranty is 12 months."


def winner(verdict):
    assert len(verdict.conflicts) == 1
    won = verdict.conflicts[0].winner
    return won.value if won else None


@pytest.mark.parametrize(("query", "wrong", "right", "was", "holds"), [
    (FILTER, BOOK, MEMO, "12个月", "6个月"), (LAMP, LEAFLET, DESK, "24 months", "12 months"),
])
def test_who_corrects_an_official_page_is_believed_though_less_trusted_and_older(judge, query, wrong, right, was, holds):
    book = page(wrong, 0.95, "2025-03-01")
    assert winner(judge(query, [book, page(right, 0.7, "2024-03-01")])) == holds
    assert winner(judge(query, [book, page(right, 0.5, "2024-03-01")])) == was
    assert winner(judge(query, [book, page(right, 0.3, "2025-08-01")])) == was


def test_a_correction_holds_against_undated_pages_and_later_copies_of_the_error(judge):
    later = [page(BOOK, 0.95), *(page(t, 0.9, "2025-08-01") for t in SAYS_12)]
    verdict = judge(FILTER, [*later, page(MEMO, 0.9, "2024-03-01")])
    assert winner(verdict) == "6个月"
    lost = next(s for s in verdict.conflicts[0].sides if s.value != "6个月")
    assert all("stale" in w.notes for w in lost.witnesses)


def test_among_pages_of_unknown_origin_a_correction_outweighs_a_majority(judge):
    pages = [page(BOOK), *(page(t) for t in SAYS_12)]
    assert winner(judge(FILTER, [*pages, page(MEMO)])) == "6个月"


def test_the_line_that_corrects_the_other_page_stays_beside_the_right_value(judge):
    verdict = judge(LAMP, [page(LEAFLET, 0.95), page(DESK, 0.9)])
    assert {(1, 0), (1, 1)} <= verdict.winning_sentences


def test_two_pages_that_correct_each_other_decide_nothing_by_it(judge):
    other = "澄溪净水器质检备忘：卡片上的换芯周期印错，滤芯每12个月换一次。"
    verdict = judge(FILTER, [page(MEMO, 0.9, "2025-03-01"), page(other, 0.9, "2025-03-01")])
    assert winner(verdict) is None


def test_a_page_that_replaces_others_beats_undated_and_earlier_ones_only(judge):
    new = "Tavro lamp terms. The warranty is 12 months. This notice replaces all previous editions."
    assert winner(judge(LAMP, [page(LEAFLET, 0.95), page(new, 0.95)])) == "12 months"
    assert winner(judge(LAMP, [page(LEAFLET, 0.95, "2024-01-01"), page(new, 0.95, "2025-03-01")])) == "12 months"
    assert winner(judge(LAMP, [page(LEAFLET, 0.95, "2025-08-01"), page(new, 0.95, "2025-03-01")])) != "12 months"
    assert winner(judge(LAMP, [page(LEAFLET, 0.95), page(new, 0.6)])) == "24 months"


def test_a_draft_replaces_nothing(judge):
    draft = "Draft terms: for discussion only. The Tavro lamp warranty is 12 months. This notice replaces all previous editions."
    assert winner(judge(LAMP, [page(LEAFLET, 0.95), page(draft, 0.95)])) == "24 months"


def test_a_page_that_names_the_day_from_which_it_holds_beats_undated_ones(judge):
    new = "自2025年4月1日起，澄溪净水器滤芯每6个月换一次。"
    assert winner(judge(FILTER, [page(BOOK, 0.95), page(new, 0.95)])) == "6个月"
    assert winner(judge(FILTER, [page(BOOK, 0.95), page(new.replace("自2025年4月1日起，", ""), 0.95)])) is None


@pytest.mark.parametrize(("first", "second"), [
    ("applies", "corrects"), ("applies", "supersedes"), ("applies", "effective"), ("corrects", "supersedes"),
    ("corrects", "effective"), ("corrects", ""), ("applies", ""),
])
def test_what_holds_for_the_asker_comes_before_corrections_and_those_before_replacements(first, second):
    def says(text, kind, place):
        cast = ballot(text, 0.9, "2025-03-01", place=place)
        return side(replace(cast, standing=replace(cast.standing, replaces=kind)))

    ours, theirs = says("质保6个月。", first, 0), says("质保12个月。", second, 1)
    for order in ([ours, theirs], [theirs, ours]):
        won = decide(order, True, CorrectorConfig()).winner
        assert won is not None
        assert won.key == ours.key


def test_neither_hearsay_nor_a_draft_corrects_anybody():
    plain = side(ballot("质保12个月。", 0.4))
    hearsay = side(ballot("更正：手册有误。质保6个月。", 0.3, place=1))
    assert decide([plain, hearsay], True, CorrectorConfig()).winner is None
    official = side(ballot("质保12个月。", 0.95))
    draft = side(ballot("质保办法（征求意见稿）\n更正：手册有误。质保6个月。", 0.95, place=1))
    won = decide([official, draft], True, CorrectorConfig()).winner
    assert won is not None
    assert won.key == official.key


@pytest.mark.parametrize("text", ["质保12个月。原办法同时废止。", "The warranty is 12 months. This notice replaces all previous editions."])
def test_of_several_pages_that_replace_others_the_latest_counts_in_any_order(text):
    replacing = [ballot(text, 0.9, when, place=i) for i, when in enumerate(("2024-01-01", "2025-03-01", None))]
    other = side(ballot("质保6个月。", 0.9, "2024-08-01", place=9))
    for order in permutations(replacing):
        told = decide([other, side(*order)], True, CorrectorConfig())
        assert told.winner is not None
        assert told.winner.key == replacing[0].claim.key
        assert all(b.stale for b in told.positions[1].ballots)


@pytest.mark.parametrize(("query", "chunks"), [
    (FILTER, [page(BOOK, 0.95, "2025-03-01", id="a"), page(MEMO, 0.7, "2024-03-01", id="b"), page(SAYS_12[0], 0.3, id="c")]),
    (LAMP, [page(LEAFLET, 0.95, id="a"), page("Tavro lamp terms. The warranty is 12 months. This replaces all previous editions.", 0.95, id="b")]),
    (FILTER, [page(BOOK, 0.95, id="a"), page("自2025年4月1日起，澄溪净水器滤芯每6个月换一次。", 0.95, id="b")]),
])
def test_neither_order_nor_copies_of_a_loser_change_anything(judge, query, chunks):
    rng = random.Random(7)
    seen = set()
    for _ in range(8):
        shuffled = rng.sample(chunks, len(chunks))
        copies = [dict(c, id=f"{c['id']}{i}") for c in chunks if c["id"] == "a" for i in range(rng.choice((0, 4)))]
        conflict = judge(query, [*shuffled, *copies]).conflicts[0]
        seen.add((conflict.winner and conflict.winner.value, conflict.margin, conflict.reason))
    assert len(seen) == 1
    assert seen.pop()[0] in ("6个月", "12 months")


_TEXTS = st.sampled_from((
    "质保{}个月。", "更正：上期有误，质保{}个月。", "质保{}个月。原办法同时废止。", "自2025年4月1日起，质保{}个月。", "草案（征求意见稿）\n质保{}个月。", "我问过，质保{}个月。",
))
_CAST = st.tuples(_TEXTS, st.sampled_from((None, 0.2, 0.6, 0.95)), st.sampled_from((None, "2024-01-01", "2025-06-01")))


@settings(max_examples=100, deadline=None)
@given(st.lists(_CAST, min_size=1, max_size=3), st.lists(_CAST, min_size=1, max_size=3), st.booleans(), st.randoms())
def test_a_decision_does_not_depend_on_the_order_of_sides_and_pages(ours, theirs, changes, rng: random.Random):
    def cast(told, months, first):
        return [ballot(t.format(months), trust, when, place=first + i) for i, (t, trust, when) in enumerate(told)]

    def decided(a, b):
        done = decide([side(*a), side(*b)], changes, CorrectorConfig())
        return done.winner and done.winner.key, round(done.margin, 9), done.reason

    six, twelve = cast(ours, 6, 0), cast(theirs, 12, 10)
    told = decided(six, twelve)
    rng.shuffle(six)
    rng.shuffle(twelve)
    assert decided(six, twelve) == told
    assert decided(twelve, six) == told
    assert 0.0 <= told[1] <= 1.0


_VALUES = st.sampled_from([
    v for t in ("6个月", "12个月", "3-5天", "不超过24小时", "至少24小时", "约2天", "300元", "8折", "3%", "2024年5月1日", "5月1日", "v2.4", "within 3 days", "free")
    for v in find_values(t)
])


@settings(max_examples=200, deadline=None)
@given(_VALUES, _VALUES)
def test_agreement_is_mutual_and_with_oneself(a, b):
    assert values_consistent(a, a)
    assert values_consistent(a, b) == values_consistent(b, a)


HOSTS = "2012年奥运会在哪里举办？"
BEIJING = ["2012年奥运会在北京举办，开幕式盛大。", "2012年奥运会在北京举办，老照片里的志愿者。"]
LONDON = ["2012年奥运会在伦敦举办，观众踊跃。", "回顾：2012年奥运会在伦敦举办，赛艇尤其精彩。"]


@pytest.mark.parametrize(("earlier", "later", "won"), [
    ("2019-03-01", "2024-05-01", "伦敦"), ("2023-12-01", "2024-05-01", None), (None, "2024-05-01", None),
])
def test_what_does_not_change_is_told_by_several_pages_years_newer_where_nothing_else_tells(judge, earlier, later, won):
    pages = [*(page(t, 0.8, earlier) for t in BEIJING), *(page(t, 0.8, later) for t in LONDON)]
    assert winner(judge(HOSTS, pages)) == won


def test_one_later_page_alone_does_not_tell_what_does_not_change(judge):
    assert winner(judge(HOSTS, [page(BEIJING[0], 0.8, "2019-03-01"), page(LONDON[0], 0.8, "2024-05-01")])) is None


def test_a_day_without_its_year_and_a_year_say_nothing_of_each_other(judge):
    pages = [page(t) for t in (
        "《岚港》中国上映时间：2023年4月20日。", "《岚港》于2023年4月20日在中国上映。", "《岚港》12月3日上映。", "《岚港》2022年上映。", "《岚港》1996年上映。",
    )]  # fmt: skip
    verdict = judge("《岚港》中国上映时间", pages)
    assert not any(c.winner and c.winner.value != "2023年4月20日" for c in verdict.conflicts)


def test_the_price_of_a_share_is_no_price_of_the_firm(judge):
    pages = [page(t) for t in (
        "岚山公司收购雾港影业花了687亿美元。", "岚山公司收购雾港影业每股花了95美元。", "岚山公司收购雾港影业的价格上调至每股95美元。",
    )]  # fmt: skip
    assert not any(c.winner for c in judge("岚山公司收购雾港影业花了多少钱？", pages).conflicts)
