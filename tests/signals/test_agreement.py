"""What other texts of the pool say too counts, and only what they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.prepare import prepare_text
from ragclean.signals.agreement import (
    Pooled,
    asked_keys,
    gather_offers,
    likeness_to_leads,
    said_elsewhere,
)


def pooled(query: str, *texts: str, kinds: frozenset[str] = frozenset()) -> tuple[Pooled, np.ndarray, int]:
    prepared = [prepare_text(t) for t in texts]
    edges = np.concatenate([[0], np.cumsum([len(p.sentences) for p in prepared])]).astype(np.int64)
    owner = np.repeat(np.arange(len(texts)), np.diff(edges))
    return Pooled.of([gather_offers(p) for p in prepared], edges, asked_keys(query), kinds), owner, len(texts)


def values_elsewhere(query: str, *texts: str, kinds: frozenset[str] = frozenset()) -> list[float]:
    found, owner, n = pooled(query, *texts, kinds=kinds)
    return [float(x) for x in said_elsewhere(found.values, owner, np.ones(len(owner), np.float32), n)]


def test_a_value_that_another_text_gives_in_another_form_is_supported() -> None:
    year, months, other = values_elsewhere("保修多久？", "保修一年。", "质保期12个月。", "保修两年。")
    assert year == months > 0
    assert other == 0


def test_a_text_does_not_support_itself() -> None:
    assert values_elsewhere("保修多久？", "保修一年。质保12个月。", "欢迎光临。") == [0.0, 0.0, 0.0]


def test_what_the_question_holds_is_no_news() -> None:
    assert values_elsewhere("2024年的报名费多少？", "2024年的报名费见公告。", "2024年报名结束。") == [0.0, 0.0]


def test_only_values_of_the_kinds_asked_for_count() -> None:
    texts = "The fee is $40.", "You pay $40 within 7 days.", "Within 7 days."
    money = values_elsewhere("How much is the fee?", *texts, kinds=frozenset(["money"]))
    assert money[0] == money[1] > 0 and money[2] == 0
    assert values_elsewhere("How much is the fee?", *texts)[2] > 0


def test_rare_words_support_more_than_common_ones() -> None:
    found, owner, n = pooled("谁写的？", "作者：澜川。", "澜川，作家。", "今天发布。", "发布在官网。")
    words = said_elsewhere(found.words, owner, np.ones(len(owner), np.float32), n)
    assert words[0] == words[1] > words[2]


def test_a_text_that_nobody_believes_supports_nothing() -> None:
    found, owner, n = pooled("保修多久？", "保修一年。", "质保期12个月。")
    assert said_elsewhere(found.values, owner, np.array([1.0, 0.0], np.float32), n)[0] == 0.0


def test_likeness_to_the_best_sentences_of_other_texts() -> None:
    vectors = np.eye(3, dtype=np.float32)[[0, 0, 1, 2]]
    owner = np.array([0, 1, 1, 2])
    alike, mean = likeness_to_leads(lambda at: vectors @ vectors[at].T, owner, np.array([0.9, 0.5, 0.2, 0.1], np.float32))
    assert alike.tolist() == pytest.approx([0.5, 0.9, 0.0, 0.0])
    assert mean[0] > 0 and mean[3] == 0


@given(st.text(max_size=40), st.lists(st.text(max_size=120), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_any_text(query: str, texts: list[str]) -> None:
    found, owner, n = pooled(query, *texts)
    for offered in (found.words, found.values, found.names):
        support = said_elsewhere(offered, owner, np.full(len(owner), 0.5, np.float32), n)
        assert support.shape == owner.shape
        assert np.isfinite(support).all() and (support >= 0).all()
