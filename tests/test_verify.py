"""The output guard repairs what it can and never raises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ragclean.arbitration.verdict import Verdict
from ragclean.compression.layout import render_context
from ragclean.compression.outcome import Compressed, KeptPassage
from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, RankedPassage, prepare_text
from ragclean.types import Chunk, Conflict, Dropped, Side, Signals
from ragclean.verify import verify

CONFIG = CorrectorConfig()
TEXT = "押金为100元。钥匙在前台领取。退房后7天内退还。"


def passage(text=TEXT, index=0):
    prepared = prepare_text(text)
    p = Passage(index, Chunk(text, id=f"c{index}"), prepared, 0.5, True, None, None, None)
    return RankedPassage(p, Signals(0.5, 0.5, 0.5, 0.5), np.full(len(prepared.sentences), 0.5, np.float32))


def codes(cautions):
    return [c.code for c in cautions]


def side(value, sentence):
    return Side(value, value, (), 1.0, (sentence,))


def test_a_sound_context_passes_unchanged():
    r = passage()
    compressed = Compressed((KeptPassage(r, (0, 2)),), ())
    assert verify([r], compressed, Verdict(), CONFIG) == (compressed, ())


def test_a_lost_winner_is_put_back_in_its_place():
    r = passage()
    compressed = Compressed((KeptPassage(r, (2,)),), (Dropped("c0", "compress", "below_threshold", start=0, end=7),))
    out, cautions = verify([r], compressed, Verdict(winning_sentences=frozenset({(0, 0)})), CONFIG)
    assert out.kept[0].sentences == (0, 2)
    assert codes(cautions) == ["untouchable_restored"]
    assert not out.dropped


def test_a_passage_that_vanished_with_an_untouchable_comes_back():
    a, b = passage(index=0), passage("地址在城西路8号。", index=1)
    compressed = Compressed((KeptPassage(a, (0,)),), (), untouchable=frozenset({(1, 0)}))
    out, _ = verify([a, b], compressed, Verdict(), CONFIG)
    assert [k.ranked.id for k in out.kept] == ["c0", "c1"]


@pytest.mark.parametrize("reason", ["duplicate", "token_budget", "out_of_scope"])
def test_what_went_for_a_good_reason_stays_out(reason):
    r = passage()
    compressed = Compressed(
        (KeptPassage(r, (2,)),), (Dropped("c0", "compress", reason, start=0, end=7),), untouchable=frozenset({(0, 0)})
    )
    out, cautions = verify([r], compressed, Verdict(), CONFIG)
    assert out.kept[0].sentences == (2,)
    assert not cautions


def test_a_losing_sentence_and_its_word_for_word_copy_are_removed():
    a, b = passage(index=0), passage("入住须知如下。押金为 100元！", index=1)
    won = side("200元", "押金为200元。")
    conflict = Conflict("押金", (won, side("100元", "押金为100元。")), won, 0.5, "votes")
    compressed = Compressed((KeptPassage(a, (0, 1)), KeptPassage(b, (0, 1))), ())
    out, cautions = verify([a, b], compressed, Verdict(conflicts=(conflict,), lost_sentences={(0, 0): "old"}), CONFIG)
    assert render_context(out.kept) == "钥匙在前台领取。\n\n入住须知如下。"
    assert codes(cautions) == ["loser_removed", "loser_removed"]
    assert {(d.chunk_id, d.stage, d.reason) for d in out.dropped} == {
        ("c0", "verify", "lost_conflict"),
        ("c1", "verify", "lost_conflict"),
    }


def test_losers_stay_under_other_policies_and_where_nothing_was_decided():
    r = passage()
    compressed = Compressed((KeptPassage(r, (0, 1)),), ())
    lost = Verdict(lost_sentences={(0, 0): "old"})
    assert verify([r], compressed, lost, replace(CONFIG, conflict_policy="annotate")) == (compressed, ())
    tie = Conflict("押金", (side("100元", "押金为100元。"), side("200元", "押金为200元。")), None, 0.0, "tie")
    assert verify([r], compressed, Verdict(conflicts=(tie,)), CONFIG) == (compressed, ())


def test_a_pinned_chunk_keeps_even_what_lost():
    r = passage()
    compressed = Compressed((KeptPassage(r, (0, 1, 2), flags=("pinned",)),), ())
    assert verify([r], compressed, Verdict(lost_sentences={(0, 0): "old"}), CONFIG) == (compressed, ())


def test_an_empty_context_falls_back_to_the_input_without_the_losers():
    a, b = passage(index=0), passage("地址在城西路8号。", index=1)
    gone = tuple(Dropped("c1", "compress", "below_threshold", start=0, end=9) for _ in range(1))
    out, cautions = verify([a, b], Compressed((), gone), Verdict(lost_passages={0: "old"}), CONFIG)
    assert render_context(out.kept) == "地址在城西路8号。"
    assert codes(cautions) == ["empty_context_restored"]
    assert not out.dropped


def test_everything_lost_still_leaves_the_input():
    r = passage()
    out, _ = verify([r], Compressed((), ()), Verdict(lost_passages={0: "old"}), CONFIG)
    assert render_context(out.kept) == TEXT


def test_a_sentence_that_is_not_in_the_original_is_removed():
    r = passage()
    chunk = Chunk("押金为999元。钥匙在前台领取。退房后7天内退还。", id="c0")
    forged = replace(r, passage=replace(r.passage, chunk=chunk))
    out, cautions = verify([forged], Compressed((KeptPassage(forged, (0, 1, 77)),), ()), Verdict(), CONFIG)
    assert out.kept[0].sentences == (1,)
    assert codes(cautions) == ["not_verbatim", "not_verbatim"]


def test_nothing_in_nothing_out():
    compressed = Compressed((), ())
    assert verify([], compressed, Verdict(), CONFIG) == (compressed, ())


def test_it_never_raises():
    broken = Compressed((KeptPassage(None, (0,)),), ())  # type: ignore[arg-type]
    out, cautions = verify([], broken, Verdict(), CONFIG)
    assert out is broken
    assert codes(cautions) == ["verify_failed"]
