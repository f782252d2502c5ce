"""Trust, independent witnesses, margins, ties, policies."""

from __future__ import annotations

import random

import pytest
from conftest import page

QUERY = "云梯会员年费多少钱？"
#: Texts that say the same in words of their own.
SAYS_259 = [
    "云梯会员年费是259元，含两次免运费。",
    "据介绍，开通云梯会员，一年的年费为259元。",
    "云梯的会员年费统一按259元收取，不分等级。",
    "想成为云梯会员的话，年费要付259元哦。",
]
SAYS_199 = ["云梯会员年费199元，按年扣费。", "云梯会员的年费标准：每年199元。"]


def winner(verdict):
    assert len(verdict.conflicts) == 1
    side = verdict.conflicts[0].winner
    return side.value if side else None


def test_four_forum_posts_do_not_outvote_one_official_page(judge):
    verdict = judge(QUERY, [page(SAYS_199[0], 0.95), *(page(t, 0.3) for t in SAYS_259)])
    assert winner(verdict) == "199元"
    assert verdict.conflicts[0].reason == "source"


def test_independent_trusted_sources_add_up(judge):
    verdict = judge(QUERY, [page(SAYS_199[0], 0.9), *(page(t, 0.9) for t in SAYS_259[:3])])
    assert winner(verdict) == "259元"
    assert verdict.conflicts[0].reason == "votes"


def test_without_known_trust_two_beat_one_and_one_to_one_is_a_tie(judge):
    assert winner(judge(QUERY, [page(SAYS_199[0]), page(SAYS_259[0]), page(SAYS_259[1])])) == "259元"
    verdict = judge(QUERY, [page(SAYS_199[0]), page(SAYS_259[0])])
    assert winner(verdict) is None
    assert verdict.conflicts[0].reason == "tie"
    assert set(verdict.front) == {0, 1}
    assert verdict.tied_sentences == {(0, 0), (1, 0)}
    assert not verdict.lost_passages
    assert not verdict.lost_sentences
    assert [c.code for c in verdict.cautions] == ["unresolved_conflict"]


def test_without_known_trust_the_clearly_newer_page_breaks_a_tie(judge):
    verdict = judge(QUERY, [page(SAYS_199[0], None, "2022-01-01"), page(SAYS_259[0], None, "2025-06-01")])
    assert winner(verdict) == "259元"
    assert verdict.conflicts[0].reason == "time"


def test_two_official_pages_of_one_date_are_a_tie(judge):
    chunks = [page(SAYS_199[0], 0.9, "2025-01-01"), page(SAYS_259[0], 0.9, "2025-01-01")]
    assert winner(judge(QUERY, chunks)) is None


@pytest.mark.parametrize("trust", [None, 0.3])
def test_reposts_are_one_witness(judge, trust):
    post = "看到有人问，云梯会员年费259元，一年扣一次，关了自动续费就不会再扣。"
    frames = (("转：", ""), ("【转载】", "侵删。"), ("", "来自网络。"), ("搬运：", ""))
    reposts = [f"{head}{post}{tail}" for head, tail in frames]
    verdict = judge(QUERY, [page(post, trust), *(page(t, trust) for t in reposts), page(SAYS_199[0], trust)])
    assert winner(verdict) is None
    copied = next(s for s in verdict.conflicts[0].sides if s.value == "259元")
    assert len(copied.witnesses) == 1
    assert len(copied.witnesses[0].copies) == 4


def test_a_partial_copy_adds_nothing_and_an_altered_copy_is_a_witness_of_its_own(judge):
    official = (
        "云梯会员服务说明\n云梯会员年费为每年199元，开通当日起算，到期自动续费，可随时在账户页关闭。权益以页面为准。"
    )
    quote = "群里问的人多，官方写的是云梯会员年费为每年199元，开通当日起算，到期自动续费，别的我不懂。"
    altered = quote.replace("199元", "229元")
    verdict = judge(QUERY, [page(official, 0.95), page(quote, 0.3), page(altered, 0.3)])
    assert winner(verdict) == "199元"
    sides = {s.value: s for s in verdict.conflicts[0].sides}
    assert sides["每年199元" if "每年199元" in sides else "199元"].witnesses[0].copies == ("c2",)
    assert sides["229元"].chunk_ids == ("c3",)


def test_a_repost_of_an_old_official_page_does_not_make_it_newer(judge):
    old = "云梯会员服务说明：云梯会员年费为每年199元，开通当日起算，到期自动续费。"
    verdict = judge(
        QUERY,
        [
            page(old, 0.95, "2022-03-01"),
            page(f"转载自官网，{old}", 0.25, "2025-08-20"),
            page("关于价格的公告：自即日起，云梯会员年费为259元。", 0.95, "2025-03-01"),
        ],
    )
    assert winner(verdict) == "259元"
    assert verdict.conflicts[0].reason == "time"


def test_decisions_do_not_depend_on_order_or_on_copies_of_the_loser(judge):
    chunks = [
        page(SAYS_199[0], 0.9, "2024-02-01", id="a"),
        page(SAYS_199[1], 0.6, None, id="b"),
        page(SAYS_259[0], 0.95, "2025-05-01", id="c"),
        page(SAYS_259[1], 0.3, "2025-07-01", id="d"),
        page("云梯会员年费不贵，可以试试。", 0.3, None, id="e"),
    ]
    rng = random.Random(5)
    seen = set()
    for _ in range(12):
        rng.shuffle(chunks)
        copies = [dict(c, id=f"{c['id']}{i}") for c in chunks if c["id"] == "a" for i in range(rng.choice((0, 5)))]
        verdict = judge(QUERY, [*chunks, *copies])
        conflict = verdict.conflicts[0]
        seen.add((winner(verdict), conflict.margin, conflict.reason, tuple(s.value for s in conflict.sides)))
    assert len(seen) == 1, seen


@pytest.mark.parametrize("policy", ["demote", "annotate"])
def test_other_policies_report_but_do_not_drop(judge, policy):
    verdict = judge(QUERY, [page(SAYS_199[0], 0.95), page(SAYS_259[0], 0.3)], conflict_policy=policy)
    assert winner(verdict) == "199元"
    assert not verdict.lost_sentences
    assert set(verdict.lost_passages) == ({1} if policy == "demote" else set())


def test_a_losing_chunk_that_holds_something_else_loses_a_sentence_only(judge):
    mixed = "云梯会员年费是259元。云梯会员怎么退订：在账户页点退订即可，年费按剩余月数退还。"
    verdict = judge(QUERY, [page(SAYS_199[0], 0.95), page(mixed, 0.6)])
    assert winner(verdict) == "199元"
    assert set(verdict.lost_sentences) == {(1, 0)}
    assert not verdict.lost_passages


def test_the_explanation_names_values_sources_and_the_reason(judge):
    verdict = judge(QUERY, [page(SAYS_199[0], 0.95, "2025-01-01", source="official_policy"), page(SAYS_259[0], 0.3)])
    words = verdict.conflicts[0].explain()
    assert all(w in words for w in ("199元", "259元", "official_policy", "来源更可信"))
    english = judge(
        "What does an extra seat in Tavro cost?",
        [page("An extra seat in Tavro costs $12.", 0.95), page("An extra seat in Tavro costs $15.", 0.3)],
    )
    assert "more trustworthy" in english.conflicts[0].explain()


def test_a_copy_of_a_losing_sentence_goes_with_it(judge):
    said = "亲测云梯会员年费只要159元，在活动页绑定两个账号就能用这个价格续费。"
    verdict = judge(QUERY, [page(SAYS_199[0], 0.95), page(said, 0.3), page(f"有人问我。回答：{said}我也不懂。", 0.3)])
    assert winner(verdict) == "199元"
    gone = set(verdict.lost_passages) | {i for i, _ in verdict.lost_sentences}
    assert gone == {1, 2}


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "😀" * 50, "(" * 3000, "1." * 3000, "年费" * 3000, "259元。" * 3000])
def test_any_text_is_taken(judge, text):
    verdict = judge(QUERY, [page(text or " "), page(SAYS_199[0], 0.9), page(f"云梯会员年费{text}", 0.3)])
    assert isinstance(verdict.conflicts, tuple)


def test_many_chunks(judge):
    chunks = [page(f"{SAYS_259[i % 4]}编号{i}。", 0.3) for i in range(300)] + [page(SAYS_199[0], 0.95)]
    assert winner(judge(QUERY, chunks)) == "199元"
