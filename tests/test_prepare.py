"""A text worked out once, and the passage that wraps it."""

from __future__ import annotations

from datetime import date

from ragclean import CorrectorConfig
from ragclean.prepare import prepare_text
from ragclean.screen import screen


def test_a_sentence_stands_under_the_nearest_heading_above() -> None:
    prepared = prepare_text("前言在此。\n\n# 城东店\n\n营业到九点。\n\n# 城西店\n\n营业到十点。")
    texts = prepared.folded_sentences
    above = {text: prepared.heading_above(number) for number, text in enumerate(texts)}
    assert above["前言在此。"] == ""
    assert "城东店" in above["营业到九点。"] and "城西店" not in above["营业到九点。"]
    assert "城西店" in above["营业到十点。"]


def test_a_heading_far_above_is_none() -> None:
    prepared = prepare_text("# 保修\n\n" + "".join(f"这是第{n}句话。" for n in range(60)))
    assert "保修" in prepared.heading_above(30)
    assert prepared.heading_above(len(prepared.sentences) - 1) == ""


def test_a_name_is_looked_for_in_title_and_text() -> None:
    chunk = {"text": "Covered for TWO years.", "title": "X200 Warranty"}
    (passage,) = screen([chunk], CorrectorConfig(), prepare_text, date(2026, 1, 1)).passages
    assert passage.titled == "x200 warranty\ncovered for two years."
