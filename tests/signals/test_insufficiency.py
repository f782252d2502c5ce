"""Vague and multi-hop questions: which are known, which must not be, and that no string breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from insufficiency import LANGUAGES, SIGNALS, SPLITS, count, load_questions

from ragclean.signals.insufficiency import multi_hop, vague
from ragclean.text.question import parse_question


def is_vague(query: str) -> str:
    return vague(parse_question(query))


def needs_two(query: str) -> str:
    return multi_hop(parse_question(query))


@pytest.mark.parametrize("query", ["怎么办", "这个呢", "它支持吗", "保修?", "保修多久", "多少钱", "X200", "X200呢", "那上海呢", "这首歌是谁唱的", "這個可以退嗎", "", "？", "🙂", "how much?", "price", "How does it work?", "what about this one", "can you fix it", "what is its population", "not working"])
def test_says_too_little(query: str) -> None:
    assert is_vague(query)


@pytest.mark.parametrize("query", ["X200 保修", "年假有几天", "忘记密码怎么办", "保修期内屏幕闪烁怎么办？", "我把X200寄回去了，它什么时候能修好", "这个月工资什么时候发", "他乡是什么意思", "离婚冷静期多少天", "Z40 warranty", "how do I reset my password", "I have the Z40. Does it work in the US?", "How long does it take to get a passport?", "why is the sky blue", "Tell me about the Larkspur Team plan"])
def test_short_and_complete(query: str) -> None:
    assert is_vague(query) == ""


@pytest.mark.parametrize("query", ["Как сбросить пароль?", "비밀번호 재설정 방법", "パスワードを忘れました"])
def test_says_nothing_about_languages_it_does_not_read(query: str) -> None:
    assert is_vague(query) == "" and needs_two(query) == ""


@pytest.mark.parametrize(
    "query",
    ["X 的创始人毕业的大学在哪个城市", "《红楼梦》作者的祖父做过什么官", "X200和X300哪个更贵", "K3的噪音比K5低吗", "X200加上延保一共多少钱", "X200和X300的保修期分别是多久", "生产X200的公司的总部在哪里", "恒生电子董事长名下有多少家公司",
     "Who is the mother of the director of film Marrow Hill?", "Where was the author of The Hobbit born?", "Which is cheaper, the Z40 or the Z50?", "z40 vs z50 battery life", "Who was the US president when the Brooklyn Bridge opened?", "What is the capital of the second largest state in the US?"],
)  # fmt: skip
def test_needs_facts_of_two_pages(query: str) -> None:
    assert needs_two(query)


@pytest.mark.parametrize(
    "query",
    ["《傲慢与偏见》的作者是谁", "X200的保修期和退货期分别是多久", "发明电话的人是谁", "生产X200的公司是哪家", "买家和卖家谁出退货运费", "哪个国家人口最多", "王和平是哪家公司的董事长", "销量同比增长多少", "工龄满十年的员工年假多少天", "我爸的医保卡的密码忘了怎么办", "银行利率比较高的是哪家",
     "Who wrote Pride and Prejudice?", "Who is the CEO of Larkspur?", "What is the name of the company that makes the Z40?", "What is the longest river in Africa?", "Can I return it after more than 30 days?", "Who pays for return shipping, the buyer or the seller?", "When did the Battle of Hastings take place?", "What is the distance between London and Paris?"],
)  # fmt: skip
def test_one_page_can_answer(query: str) -> None:
    assert needs_two(query) == ""


def test_reasons_quote_the_question_as_written() -> None:
    assert "'X200'" in is_vague("X200")
    assert "'它'" in is_vague("它支持吗")
    assert "'X200和X300哪个更贵'" in needs_two("X200和X300哪个更贵")
    assert "sub_queries" in needs_two("Which is cheaper, the Z40 or the Z50?")
    assert len(needs_two("X200和X300" + "很" * 25 + "哪个更贵")) < 250


@settings(deadline=None)
@given(st.text(max_size=300))
def test_no_string_breaks_it(query: str) -> None:
    assert isinstance(is_vague(query), str) and isinstance(needs_two(query), str)


PIECES = st.sampled_from(["和", "比", "的", "那个", "哪个更", "分别", "《", "》", "公司", "发明", "的人", "作者", "导演", "同一", "一共", "加上", "这个", "它", "呢", "the", "of", "that", "who", "and", "or", "between", "than", "first", "company", "mother", "director", "'s", "same", "year", "in", "it", "what", "which", "X200", "?", "，", "\n", "高", "多少"])


@settings(deadline=None)
@given(st.lists(PIECES, max_size=400).map("".join), st.lists(PIECES, max_size=400).map(" ".join))
def test_no_heap_of_its_own_words_breaks_it(glued: str, spaced: str) -> None:
    for query in (glued, spaced):
        assert isinstance(is_vague(query), str) and isinstance(needs_two(query), str)


@pytest.mark.parametrize("piece", ["和", "比", "X和", "的那个", "发明的人", "公司的", "the company that ", "of the mother ", "between a and ", "is a or b ", "who ", "cheaper than ", "'s mother ", "most ", "a "])
def test_hostile_repetition_costs_its_length(no_blow_up, endless, piece: str) -> None:
    with no_blow_up():
        question = parse_question(endless(piece))
        vague(question)
        multi_hop(question)


# ---------------------------------------------------------------- the labelled questions


def test_the_labelled_questions_are_well_formed() -> None:
    rows = load_questions()
    assert len({r["id"] for r in rows}) == len({r["query"] for r in rows}) == len(rows) >= 320
    for r in rows:
        assert set(r) == {"id", "lang", "kind", "query", "vague", "multi_hop", "split"}
        assert r["lang"] in LANGUAGES and r["split"] in SPLITS and not (r["vague"] and r["multi_hop"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("signal", sorted(SIGNALS))
def test_floor_on_the_test_split(signal: str, lang: str) -> None:
    """0.95 and more when these were set."""
    found = count([r for r in load_questions() if r["split"] == "test" and r["lang"] == lang], signal)
    assert found.precision >= 0.9 and found.recall >= 0.85
