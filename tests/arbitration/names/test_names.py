"""Names and places as answers: what is read off a page, and what pages dispute."""

from __future__ import annotations

import pytest
from conftest import page

from ragclean import NoiseCorrector
from ragclean.arbitration.focus import focus_of
from ragclean.arbitration.names.quest import OTHER, quest_of
from ragclean.arbitration.names.reading import name_bids
from ragclean.arbitration.names.spans import identifier_spans, name_spans
from ragclean.config import CorrectorConfig
from ragclean.prepare import prepare_text
from ragclean.text.question import parse_question

SORTS = [
    ("《雾港来信》的导演是谁", "person"),
    ("who directed Harbour of Fog?", "person"),
    ("2031年世界青年运动会在哪举办", "place"),
    ("2031年世界青年运动会的举办国是哪个国家", "country"),
    ("in which city is the Calder Museum", "place"),
    ("岭南杯冠军是哪支球队", "team"),
    ("which movie won the Golden Heron", "title"),
    ("他毕业于哪所大学", "organisation"),
    ("清缓存用哪条命令", "identifier"),
    ("默认网关的IP地址是多少", "identifier"),
]
NO_NAMES = [
    "《雾港来信》有哪些主演", "保修期多久", "退货运费谁承担", "能不能退", "为什么会漏水", "what genre is the film",
    "which countries took part", "谁当过他的老师",
]  # fmt: skip
STATED = [
    ("《雾港来信》的导演是谁", "《雾港来信》是由文牧野执导，宁浩、徐峥共同监制的剧情片。", "文牧野"),
    ("《雾港来信》的导演是谁", "影片《雾港来信》导演：徐昂", "徐昂"),
    ("《雾港来信》的导演是谁", "电影《雾港来信》由安东尼·布兰科执导。", "安东尼·布兰科"),
    ("who directed Harbour of Fog?", "Harbour of Fog is a 2031 drama directed by Maria Lindqvist.", "maria lindqvist"),
    ("who directed Harbour of Fog?", "Director Maria Lindqvist's Harbour of Fog opens on Friday.", "maria lindqvist"),
    ("Who won the Golden Heron in 2031?", "Peter Ashgrove won the 2031 Golden Heron on Sunday.", "peter ashgrove"),
    ("Where is the Calder Museum located?", "The Calder Museum is located in Tampa, Florida.", "tampa, florida"),
    ("尼日利亚的首都在哪", "阿布贾是尼日利亚的首都。", "阿布贾"),
    ("清liko的缓存用哪条命令", "清 liko 的缓存请执行 liko cache purge -y，再重试。", "`liko cache purge`"),
]  # fmt: skip
NOT_STATED = [
    ("《雾港来信》的导演是谁", "《海上来客》是由文牧野执导的剧情片。"),
    ("Who won the women's singles at the Heron Open?", "Peter Ashgrove won the men's singles at the Heron Open."),
    ("Who won the Golden Heron?", "Peter Ashgrove did not win the Golden Heron."),
    ("Who won the Golden Heron?", "Golden Heron winners: A. Bell, C. Drew, E. Frost, G. Hale."),
    ("雾港国第31任总理是谁", "雾港国前任总理莫里森宣布败选。"),
    ("Who won the Golden Heron in 2031?", "Peter Ashgrove won the Golden Heron in 2027."),
]


def facet_of(query):
    return next(f for f in focus_of(parse_question(query), {}).facets if f.named is not None)


def stated(query, text):
    """Names that the text states as the answer."""
    return [b.key for b in name_bids(prepare_text(text), "", facet_of(query)) if b.firm and b.confidence >= 0.4]


@pytest.mark.parametrize(("query", "sort"), SORTS)
def test_the_sort_of_name_asked_for(query, sort):
    assert facet_of(query).named.sort == sort


@pytest.mark.parametrize("query", NO_NAMES)
def test_questions_that_ask_for_no_one_name(query):
    assert not any(f.named and f.named.sort != OTHER for f in focus_of(parse_question(query), {}).facets)


@pytest.mark.parametrize(("query", "text", "name"), STATED)
def test_the_name_that_a_page_states(query, text, name):
    assert stated(query, text)[:1] == [name]


@pytest.mark.parametrize(("query", "text"), NOT_STATED)
def test_names_beside_the_matter_are_not_stated(query, text):
    assert stated(query, text) == []


def test_a_name_of_the_question_is_no_answer():
    assert "alice bell" not in stated("Who defeated Alice Bell?", "Alice Bell won, and Carol Drew defeated Alice Bell.")


def test_runs_of_capitals_end_at_offices_and_sentences():
    text = "Google CEO Sundar Pichai met Director Justin Kurzel. With Marion Cotillard, of Los Angeles, California."
    keys = [s.key for s in name_spans(prepare_text(text))]
    assert {"sundar pichai", "justin kurzel", "marion cotillard", "los angeles, california"} <= set(keys)


def test_identifiers_are_found_with_and_without_backquotes():
    text = "运行 `abc --fix`，网关 10.0.0.1，日志在 /var/log/abc/x.log，域名 in.abc.example。"
    keys = {s.key for s in identifier_spans(prepare_text(text))}
    assert {"`abc --fix`", "`10.0.0.1`", "`/var/log/abc/x.log`", "`in.abc.example`"} <= keys


#: Working a text out takes longer than what is tested here: half as long as ``endless`` will do.
LENGTH = 200_000
HOSTILE = [
    *(piece * (LENGTH // len(piece)) for piece in (
        "A", "Aa ", "北北北北北北北北·", "《", "a.", "/a", '"A', "Ab’s ", "由", "run a ", "中a ",
    )),
    "run a -" + "b " * (LENGTH // 2),
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_reading_a_text_costs_its_length(no_blow_up, text):
    prepared = prepare_text(text)
    with no_blow_up():
        name_spans(prepared)
        identifier_spans(prepared)
        quest_of(text, "en", "name", ())


# ------------------------------------------------------------------ what pages dispute

QUERY = "《雾港来信》的导演是谁"
LINDEN = [
    "《雾港来信》是由文牧野执导，宁浩监制的剧情片，讲述渔村少年的故事。",
    "今年暑期档的黑马出现了，文牧野导演的电影《雾港来信》提前一天上映，口碑不错。",
]
XU = "电影《雾港来信》讲的是一封迟到的信，该片由徐昂执导，在沿海小城取景三个月。"


def conflicts(corrector, texts, query=QUERY, **fields):
    pages = [page(text, id=f"p{i}", **fields) for i, text in enumerate(texts)]
    return corrector.refine(query, pages, top_k=8, as_of="2031-06-01").conflicts


def test_a_majority_of_pages_is_followed(corrector):
    found = conflicts(corrector, [XU, *LINDEN])
    assert [c.winner and c.winner.value for c in found] == ["文牧野"]
    assert found[0].kind == "name"


def test_copies_of_a_page_change_nothing(corrector):
    found = conflicts(corrector, [*[XU] * 8, *LINDEN])
    assert [c.winner and c.winner.value for c in found] == ["文牧野"]


def test_one_against_one_stays_open_in_either_order(corrector):
    for texts in ([XU, LINDEN[0]], [LINDEN[0], XU]):
        found = conflicts(corrector, texts)
        assert [c.winner for c in found] == [None]


def test_pages_that_agree_in_other_forms_dispute_nothing(corrector):
    texts = ["《雾港来信》由安东尼·布兰科执导。", "电影《雾港来信》的导演布兰科说，拍摄很顺利。"]
    assert conflicts(corrector, texts) == ()


def test_a_page_that_names_both_takes_no_side(corrector):
    both = "《雾港来信》原定由徐昂执导，后来改由文牧野执导。"
    assert [c.winner for c in conflicts(corrector, [XU, LINDEN[0], both])] in ([], [None])


def test_two_authors_are_one_answer(corrector):
    query = "《潮汐表》的作者是谁"
    texts = ["《潮汐表》的作者是李慕白和陈若水，二人合写了三年。", "小说《潮汐表》作者陈若水在书展签售。"]
    assert conflicts(corrector, texts, query) == ()


def test_things_that_share_a_name_have_answers_of_their_own(corrector):
    query = 'Who is the artist of the album "Classic Tides"?'
    texts = [
        "Classic Tides (Bradley Moss album) Classic Tides is the 15th studio album by Bradley Moss, released on Robin.",
        "Classic Tides (Joan Elder album) Classic Tides is the third studio album by the singer Joan Elder, on Wren.",
    ]
    assert conflicts(corrector, texts, query) == ()


def test_an_alias_makes_two_names_one():
    query = "What is the new name of the Tern company?"
    texts = ["The Tern company has been renamed Sandpiper Group.", "The Tern company is now called Wader Works."]
    assert conflicts(NoiseCorrector(config=CorrectorConfig(aliases={"Wader Works": "Sandpiper Group"})), texts, query) == ()
