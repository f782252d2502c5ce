"""Pages that pass on a draft, a rule to come, or another thing's figure are no witnesses of their own."""

from __future__ import annotations

import random

import pytest
from conftest import ballot, page, side
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration.rumours import Origin, mark_rumours, origins_of

QUERY = "岚桥宽带月费封顶多少钱？"
DRAFT = "关于岚桥宽带月费封顶的草案（征求意见稿）\n拟将岚桥宽带的月费封顶为120元。"
ECHOES = ["看到消息，岚桥宽带月费封顶120元，挺好。", "岚桥宽带以后月费封顶就是120元啦。", "邻居群在聊岚桥宽带，月费最多封顶120元。"]
FACTS = ["岚桥宽带的月费封顶150元，超出部分不收。", "按现行资费，岚桥宽带每月月费封顶为150元。"]
EN_QUERY = "How many days of annual leave does Quillstone give?"
EN_DRAFT = "Draft policy: proposed changes at Quillstone.\nQuillstone would give 30 days of annual leave."
EN_ECHOES = [
    "Saw that Quillstone people get 30 days of annual leave, nice.", "At Quillstone annual leave is 30 days, great!",
    "Everybody at Quillstone has 30 days of annual leave.",
]
EN_FACTS = ["Annual leave at Quillstone is 25 days.", "Quillstone staff take 25 days of annual leave each year."]


def winner(verdict):
    assert len(verdict.conflicts) == 1
    won = verdict.conflicts[0].winner
    return won.normalized if won else None


@pytest.mark.parametrize("trust", [None, 0.5])
@pytest.mark.parametrize(("query", "draft", "repeat", "facts", "key"), [
    (QUERY, DRAFT, ECHOES, FACTS, "money:150CNY"), (EN_QUERY, EN_DRAFT, EN_ECHOES, EN_FACTS, "duration:2160000s"),
])
def test_three_posts_about_a_draft_are_echoes_of_it(judge, query, draft, repeat, facts, key, trust):
    told = [page(t, trust) for t in (*facts, *repeat)]
    assert winner(judge(query, told)) != key
    verdict = judge(query, [*told, page(draft, trust)])
    assert winner(verdict) == key
    lost = set(verdict.lost_passages) | {i for i, _ in verdict.lost_sentences}
    assert {2, 3, 4} <= lost


def test_what_was_said_before_the_draft_is_no_echo_of_it(judge):
    facts = [page(t, None, "2025-05-01") for t in FACTS]
    draft = page(DRAFT, None, "2025-05-20")
    later = [page(t, None, "2025-06-01") for t in ECHOES]
    earlier = [page(t, None, "2025-04-01") for t in ECHOES]
    assert winner(judge(QUERY, [*facts, *later, draft])) == "money:150CNY"
    assert winner(judge(QUERY, [*facts, *earlier, draft])) is None


def test_trusted_pages_speak_for_themselves(judge):
    told = [page(t, 0.9) for t in (*FACTS, *ECHOES)]
    verdict = judge(QUERY, [*told, page(DRAFT, 0.9)])
    assert winner(verdict) is None
    assert not any("stale" in w.notes for s in verdict.conflicts[0].sides for w in s.witnesses)


def test_neither_order_nor_copies_of_an_echo_change_anything(judge):
    chunks = [page(t, id=f"p{i}") for i, t in enumerate((*FACTS, *ECHOES, DRAFT))]
    rng = random.Random(11)
    seen = set()
    for _ in range(8):
        rng.shuffle(chunks)
        copies = [page(ECHOES[0], id=f"copy{i}") for i in range(rng.choice((0, 4)))]
        verdict = judge(QUERY, [*chunks, *copies])
        seen.add((winner(verdict), verdict.conflicts[0].margin, verdict.conflicts[0].reason))
    assert len(seen) == 1
    assert seen.pop()[0] == "money:150CNY"


def origin(cast, *, elsewhere=False):
    return Origin(cast.claim, cast.standing.dated, elsewhere)


def test_another_things_figure_is_repeated_by_hearsay_only():
    source = ballot("岚桥企业宽带月费为120元。", 0.9, "2025-05-01", place=9)
    said = [ballot("岚桥宽带月费120元。", trust, "2025-06-01", place=i) for i, trust in enumerate((0.3, 0.55, None))]
    (marked,) = mark_rumours([side(*said)], [origin(source, elsewhere=True)])
    assert [b.stale and b.refuted for b in marked.ballots] == [True, False, False]
    (marked,) = mark_rumours([side(*said)], [origin(source)])
    assert all(b.stale and b.refuted for b in marked.ballots)


def test_only_the_same_value_is_passed_on():
    source = ballot("月费拟为120元。", None, place=9)
    other = side(ballot("月费为150元。"))
    assert mark_rumours([other], [origin(source)]) == [other]
    assert mark_rumours([other], []) == [other]


def test_the_page_itself_is_no_echo_of_itself():
    cast = ballot("月费为120元。", None, "2025-06-01", place=4)
    assert mark_rumours([side(cast)], [origin(cast)]) == [side(cast)]


@pytest.mark.parametrize(("text", "is_origin"), [
    ("关于月费的草案（征求意见稿）\n月费拟为120元。", True),
    ("Draft policy on fees.\nThe fee would be $12.", True),
    ("自2026年3月1日起，月费为120元。", True),
    ("Effective from 1 March 2026, the fee is $12.", True),
    ("月费为120元。", False),
    ("听说月费为120元。", False),
    ("本页面已作废。\n月费为120元。", False),
])
def test_drafts_and_rules_to_come_are_origins(text, is_origin):
    cast = ballot(text)
    found = origins_of([cast.claim], [], lambda c: cast.standing)
    assert found == ([origin(cast)] if is_origin else [])
    assert origins_of([], [cast.claim], lambda c: cast.standing) == [origin(cast, elsewhere=True)]


_TRUST = st.sampled_from((None, 0.2, 0.5, 0.55))
_WHEN = st.sampled_from((None, "2024-03-01", "2025-03-01", "2025-08-01"))
_VALUE = st.sampled_from((120, 150))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_VALUE, _TRUST, _WHEN), min_size=1, max_size=5), st.tuples(_VALUE, _TRUST, _WHEN), st.booleans())
def test_marking_takes_weight_from_echoes_and_nothing_else(told, first, elsewhere):
    casts = [ballot(f"月费为{v}元。", t, w, place=i) for i, (v, t, w) in enumerate(told)]
    sides = [side(*same) for v in (120, 150) if (same := [c for c in casts if c.claim.value.low == v])]
    value, trust, when = first
    marked = mark_rumours(sides, [origin(ballot(f"月费拟为{value}元。", trust, when, place=99), elsewhere=elsewhere)])
    assert [p.key for p in marked] == [p.key for p in sides]
    for before, after in zip(sides, marked, strict=True):
        assert [b.claim for b in after.ballots] == [b.claim for b in before.ballots]
        for b in after.ballots:
            assert b.stale == b.refuted
            assert not b.stale or b.claim.value.low == value
            assert not (b.stale and when and b.standing.dated) or b.standing.dated.isoformat() >= when
