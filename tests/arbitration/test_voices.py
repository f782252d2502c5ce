"""Who speaks, by the wording, where nobody knows the source."""

from __future__ import annotations

import pytest
from conftest import page
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration.voices import voice_weight
from ragclean.text.folding import fold

PLAIN = 1.0


def weight(text):
    return voice_weight(fold(text))


@pytest.mark.parametrize("text", [
    "岚桥宽带资费公告：月费150元，特此通知。", "第三条 本公司宽带月费为150元。", "尊敬的各位用户：我司月费为150元。", "客服工单记录：月费150元。",
    "我们公司规定月费为150元，见员工手册。", "自我评估管理办法：每年一次。",
    "This notice applies to all members: the fee is $9.", "Section 4. The fee is $9.", "Release notes: the limit is 300.",
    "Erratum: the fee is $9.",
])
def test_an_office_weighs_more_than_plain_words(text):
    assert weight(text) > PLAIN


@pytest.mark.parametrize("text", [
    "我上周去问的，亲测可以退。", "家人们，月费只要120元，点赞收藏。", "楼主说月费120元。", "我表哥说的，月费120元。",
    "I asked, and my fee was $9.", "Follow me for more: the fee is $9.", "PSA guys, the fee is $9",
])
def test_somebody_weighs_less_than_plain_words(text):
    assert weight(text) < PLAIN


@pytest.mark.parametrize("text", [
    "岚桥宽带月费150元。", "我们小区的宽带月费150元。", "我国的宽带月费普遍下降。", "我市宽带月费150元。", "The fee is $9.", "The limit is 300 in Ithaca.",
    "Mysterious pricing", "",
])
def test_plain_words_are_neither(text):
    assert weight(text) == PLAIN


@pytest.mark.parametrize(("own", "passed_on"), [
    ("月费150元。", "转自网络：月费150元。"),
    ("第三条 月费150元，特此通知。", "摘自公告：第三条 月费150元，特此通知。"),
    ("月费150元。", "手册第3页写着月费150元。"),
    ("我看了，月费150元。", "我刷到一条，月费150元。"),
    ("The fee is $9.", "According to the booklet the fee is $9."),
    ("Section 4: the fee is $9.", "Reposted. Section 4: the fee is $9."),
])
def test_who_passes_on_another_page_weighs_less_than_who_speaks(own, passed_on):
    assert weight(passed_on) < weight(own)


@pytest.mark.parametrize("text", [
    "群里转发的公告：第三条 月费150元。", "避雷！第三条条款写得很清楚，月费150元。", "Our newsletter explains terms and conditions, section 4.",
    "Forum thread: clause 4, section 2 of the policy.",
])
def test_no_chat_or_blog_is_an_office_whatever_clauses_it_counts(text):
    assert weight(text) < PLAIN


def test_many_repeats_of_one_word_are_one_sign():
    assert weight("关注" * 50 + "公告，特此通知。") == weight("关注公告，特此通知。")


def test_among_pages_of_unknown_origin_offices_outweigh_as_many_posts(judge):
    query = "岚桥宽带月费封顶多少钱？"
    offices = ["岚桥宽带资费公告：月费封顶150元，特此通知。", "第三条 岚桥宽带用户的月费封顶为150元，见本公司条款。"]
    posts = ["亲测岚桥宽带月费封顶就120元。", "家人们，岚桥宽带的月费最多封顶120元哦。"]
    conflict = judge(query, [page(t) for t in (*posts, *offices)]).conflicts[0]
    assert conflict.winner is not None
    assert conflict.winner.normalized == "money:150CNY"
    one_each = judge(query, [page(offices[0]), page(posts[0])]).conflicts[0]
    assert one_each.winner is None


def test_known_trust_counts_and_not_the_wording(judge):
    query = "岚桥宽带月费封顶多少钱？"
    chunks = [page("亲测岚桥宽带月费封顶就120元。", 0.9), page("岚桥宽带资费公告：月费封顶150元，特此通知。", 0.9)]
    verdict = judge(query, chunks)
    assert [c.winner for c in verdict.conflicts if c.winner] == []
    assert not verdict.lost_passages


_PIECES = st.sampled_from((
    "公告", "第三条", "特此", "我", "亲测", "楼主", "群里", "转自", "notice", "section 4", "i", "my ", "forum", " ", "。", "\x00", "\ud800",
))


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(_PIECES, max_size=14).map("".join)))
def test_any_text_has_a_weight_between_hearsay_and_an_office(text):
    assert weight(text) in {x * y for x in (1.3, 1.0, 0.7) for y in (1.0, 0.6)}


@pytest.mark.parametrize("piece", [
    "第", "第一", "第一条", "我", "那本", "照着", "公告第", "公告上", "手册第1", "as the page ", "section ", "case 1", "read ", " ", "\n", "\x00", "\ud800",
])
def test_hostile_text_costs_its_length(no_blow_up, endless, piece):
    with no_blow_up():
        voice_weight(fold(endless(piece)))
