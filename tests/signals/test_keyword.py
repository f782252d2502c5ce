# ruff: noqa: E501
"""Keyword coverage: what meets what, how much it counts, and that no text breaks it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.signals.base import KeywordAnalyzer
from ragclean.signals.keyword import JiebaKeywordAnalyzer, coverage
from ragclean.signals.matching import JoinedTexts, find_terms, term_hits, term_strengths
from ragclean.text.folding import fold
from ragclean.text.question import QueryTerm, parse_question

analyzer = JiebaKeywordAnalyzer()


def strength(term: str, text: str, kind: str = "word") -> float:
    hits = find_terms([QueryTerm(term, 1.0, kind)], JoinedTexts.of([fold(text)]))[0]  # type: ignore[arg-type]
    return float(hits.strengths.max(initial=0.0))


def test_is_a_keyword_analyzer() -> None:
    assert isinstance(analyzer, KeywordAnalyzer)


@pytest.mark.parametrize("text", ["K30", "k-30", "K 30", "Ｋ３０", "型号K30的滤芯", "(K_30)", "K30,"])
def test_a_code_meets_its_spellings(text: str) -> None:
    assert strength("k30", text, "code") == 1.0


@pytest.mark.parametrize("text", ["K300", "K40", "AK30", "K3", "K30B", "K-3", "30", "k 3 0", "K30.5"])
def test_a_code_never_meets_another(text: str) -> None:
    assert strength("k30", text, "code") == 0.0


def test_a_code_with_letters_at_both_ends() -> None:
    assert strength("m-05c", "笔芯 M05-C 适用", "code") == 1.0
    assert strength("m-05c", "笔芯 M05-A 适用", "code") == 0.0
    assert strength("m-05c", "笔芯 M05 适用", "code") == 0.0


@pytest.mark.parametrize(
    "term, text",
    [("repairing", "we repair"), ("repair", "Repairs cost"), ("policy", "both policies"), ("stop", "it stopped"), ("cover", "covered"), ("released", "its release"), ("upgrade", "upgrading"), ("box", "two boxes")],
)
def test_english_inflection(term: str, text: str) -> None:
    assert strength(term, text) == 1.0


@pytest.mark.parametrize("term, text", [("port", "important report"), ("rate", "separate"), ("car", "card"), ("pin", "spinning"), ("care", "car")])
def test_english_words_end_at_their_borders(term: str, text: str) -> None:
    assert strength(term, text) == 0.0


def test_part_of_a_compound_counts_in_part() -> None:
    assert strength("违约金", "违约金为三百元") == 1.0
    assert 0.0 < strength("保修期", "提供保修") < 1.0
    assert 0.0 < strength("住房补贴", "每月发放补贴") < 1.0


def test_another_word_of_the_same_meaning_counts_in_part() -> None:
    assert 0.0 < strength("保修", "质保一年") < 1.0
    assert 0.0 < strength("refund", "you get your money back") < 1.0


def test_traditional_characters_meet() -> None:
    assert strength("保修", "整機保修兩年") == 1.0


def test_similar_names_meet_but_not_across_digits() -> None:
    assert strength("brindlewick", "Brindelwick returns", "name") > 0.0
    assert strength("brindlewick", "Brandon returns", "name") == 0.0
    assert strength("星河智能科技", "星河智能技术公司", "name") < 1.0
    assert strength("霍尔三号工程公司", "霍尔四号工程公司", "name") == 0.0
    assert strength("model2000x", "model3000x", "name") == 0.0


def test_hit_ratio_is_weighted_coverage() -> None:
    query = "蓝鹊Z9烤箱的保修多久？"
    full, part, none = analyzer.hit_ratio(query, ["蓝鹊Z9烤箱保修两年。", "烤箱食谱大全", "明天多云转晴"])
    assert full == pytest.approx(1.0)
    assert 0.0 < part < full
    assert none == 0.0


def test_long_texts_are_not_punished() -> None:
    short = "烤箱保修两年。"
    long = short + "其他无关的话。" * 200
    a, b = analyzer.hit_ratio("烤箱保修多久", [short, long])
    assert a == b


def test_rare_words_count_more() -> None:
    common, rare = analyzer.hit_ratio("公司的违约金", ["公司通知", "违约金说明"])
    assert rare > common


def test_shapes() -> None:
    assert analyzer.hit_ratio("保修多久", []).shape == (0,)
    assert analyzer.hit_ratio("", ["a", "b"]).tolist() == [0.0, 0.0]
    question = parse_question("烤箱保修多久")
    hits = term_hits(question, ["烤箱", "保修"])
    assert hits.shape == (2, len(question.terms))
    assert hits.dtype == bool
    assert coverage(question, term_strengths(question, [])).shape == (0,)


def test_hits_stay_in_their_text() -> None:
    """A term that only arises where two texts meet is in neither."""
    question = parse_question("烤箱说明")
    assert not term_hits(question, ["烤", "箱"]).any()


@given(st.text(max_size=60), st.lists(st.text(max_size=200), max_size=6))
@settings(max_examples=150, deadline=None)
def test_any_text(query: str, texts: list[str]) -> None:
    ratio = analyzer.hit_ratio(query, texts)
    assert ratio.shape == (len(texts),)
    assert np.isfinite(ratio).all()
    assert (ratio >= 0).all()
    assert (ratio <= 1 + 1e-6).all()


@given(st.lists(st.text(alphabet="保修烤箱Z9 两年k-。", max_size=40), min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_each_text_is_scored_by_itself(texts: list[str]) -> None:
    together = analyzer.hit_ratio("Z9烤箱保修多久", texts)
    alone = [float(analyzer.hit_ratio("Z9烤箱保修多久", [t])[0]) for t in texts]
    assert together.tolist() == pytest.approx(alone)


@pytest.mark.parametrize("piece", ["1", "一", "(", "1.", " ", "a ", "k", "保", "k-", "brin", "\x00", "🙂"])
def test_hostile_text(piece: str) -> None:
    huge = piece * (1_000_000 // len(piece))
    assert 0.0 <= float(analyzer.hit_ratio("Brindlewick k30 一保修 a1 多久", [huge])[0]) <= 1.0
