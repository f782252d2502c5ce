"""Which passages come out, and in which order."""

import datetime
from dataclasses import replace

import numpy as np
import pytest

from ragclean import CorrectorConfig
from ragclean.admission import admit, admit_unasked
from ragclean.arbitration import Verdict
from ragclean.prepare import RankedPassage, prepare_text
from ragclean.screen import screen
from ragclean.types import Chunk, Signals


def ranked(*scores, refused=()):
    """Passages c1, c2 ... in the given order, the refused ones marked as ranking marks them."""
    config = CorrectorConfig()
    found = screen([f"第{i}段文字。" for i, _ in enumerate(scores)], config, prepare_text, datetime.date(2025, 1, 1))
    return [
        RankedPassage(p, Signals(s, s, s, s), np.ones(1, np.float32), i not in refused,
                      ("below_admission", "too low") if i in refused else ("", ""))
        for i, (p, s) in enumerate(zip(found.passages, scores, strict=True))
    ]


def ids(admitted):
    return [r.id for r in admitted.passages]


def reasons(admitted):
    return {d.chunk_id: d.reason for d in admitted.dropped}


def test_top_k_in_rank_order_and_the_rest_is_listed():
    out = admit(ranked(0.9, 0.8, 0.7, 0.2, refused=(3,)), Verdict(), CorrectorConfig(), 2, frozenset())
    assert ids(out) == ["c1", "c2"]
    assert reasons(out) == {"c3": "beyond_top_k", "c4": "below_admission"}


def test_rank_order_holds_even_where_scores_do_not():
    # Unjudged passages rank below judged ones whatever their score.
    out = admit(ranked(0.6, 0.9), Verdict(), CorrectorConfig(), 2, frozenset())
    assert ids(out) == ["c1", "c2"]


def test_losers_go_unless_the_policy_says_otherwise():
    verdict = Verdict(lost_passages={0: "older"})
    passages = ranked(0.9, 0.8)
    assert ids(admit(passages, verdict, CorrectorConfig(), 5, frozenset())) == ["c2"]
    assert ids(admit(passages, verdict, CorrectorConfig(conflict_policy="demote"), 5, frozenset())) == ["c2", "c1"]


def test_the_sides_of_a_tie_come_first_whatever_their_rank():
    verdict = Verdict(front=(3, 2))
    out = admit(ranked(0.9, 0.8, 0.3, 0.2, refused=(2, 3)), verdict, CorrectorConfig(), 2, frozenset())
    assert ids(out) == ["c4", "c3"]
    assert reasons(out) == {"c1": "beyond_top_k", "c2": "beyond_top_k"}


def test_another_thing_is_marked_down_and_named():
    verdict = Verdict(out_of_scope={0: "about another thing: x300", 1: "about another thing: x300"})
    out = admit(ranked(0.9, 0.8, 0.5), verdict, CorrectorConfig(), 5, frozenset())
    assert ids(out) == ["c3", "c1"]
    assert reasons(out) == {"c2": "out_of_scope"}
    assert "x300" in out.dropped[0].detail


def test_what_lost_a_sentence_stands_behind_what_did_not():
    verdict = Verdict(lost_sentences={(0, 0): "older"})
    assert ids(admit(ranked(0.9, 0.8), verdict, CorrectorConfig(), 5, frozenset())) == ["c2", "c1"]


def test_the_winners_witness_comes_out_even_below_the_threshold():
    verdict = Verdict(winning_sentences=frozenset({(2, 0)}))
    out = admit(ranked(0.9, 0.8, 0.3, refused=(2,)), verdict, CorrectorConfig(), 2, frozenset())
    assert ids(out) == ["c1", "c2", "c3"]


def test_pinned_passages_come_out_beyond_top_k():
    out = admit(ranked(0.9, 0.8, 0.7), Verdict(lost_passages={2: "older"}), CorrectorConfig(), 1, frozenset({"c3"}))
    assert ids(out) == ["c1", "c3"]


def test_where_nothing_passes_the_best_does_and_it_is_said():
    out = admit(ranked(0.2, 0.1, refused=(0, 1)), Verdict(), CorrectorConfig(), 5, frozenset())
    assert ids(out) == ["c1"]
    assert [c.code for c in out.cautions] == ["nothing_admitted"]
    assert "c1" not in reasons(out)


@pytest.mark.parametrize("top_k", [1, 3, 50])
def test_every_passage_is_kept_or_listed(top_k):
    passages = ranked(0.9, 0.8, 0.3, 0.2, refused=(2, 3))
    out = admit(passages, Verdict(lost_passages={1: "x"}), CorrectorConfig(), top_k, frozenset())
    assert set(ids(out)) | set(reasons(out)) == {r.id for r in passages}
    assert not set(ids(out)) & set(reasons(out))


def test_where_nothing_passes_ids_that_repeat_are_told_apart():
    passages = [replace(r, passage=replace(r.passage, chunk=Chunk(r.passage.chunk.text, id="same")))
                for r in ranked(0.3, 0.2, 0.1, refused=(0, 1, 2))]
    out = admit(passages, Verdict(), CorrectorConfig(), 5, frozenset())
    assert len(out.passages) == 1 and len(out.dropped) == 2


def test_unasked_admission_keeps_top_k_and_pins_and_lists_the_rest():
    out = admit_unasked(ranked(0.9, 0.8, 0.7, 0.6), 1, frozenset({"c3"}))
    assert ids(out) == ["c1", "c3"]
    assert {d.chunk_id: d.reason for d in out.dropped} == {"c2": "beyond_top_k", "c4": "beyond_top_k"}


def test_what_is_out_of_force_stands_behind():
    verdict = Verdict(outdated={0: "a newer version is among the candidates"})
    out = admit(ranked(0.9, 0.8, 0.7), verdict, CorrectorConfig(), 2, frozenset())
    assert ids(out) == ["c2", "c3"]


def test_where_only_other_things_are_left_it_is_said():
    other = Verdict(out_of_scope={0: "about another thing: x300"})
    assert [c.code for c in admit(ranked(0.95), other, CorrectorConfig(), 5, frozenset()).cautions] == ["only_other_things"]
    nothing = admit(ranked(0.5, 0.2, refused=(1,)), other, CorrectorConfig(), 5, frozenset())
    assert ids(nothing) == ["c2"]
    assert [c.code for c in nothing.cautions] == ["nothing_admitted"]


def test_a_likely_answer_comes_out_whatever_its_score():
    out = admit(ranked(0.9, 0.1, refused=(1,)), Verdict(answering={1: 0.3}), CorrectorConfig(), 5, frozenset())
    assert ids(out) == ["c1", "c2"]
    assert ids(admit(ranked(0.9, 0.1, refused=(1,)), Verdict(answering={1: 0.2}), CorrectorConfig(), 5, frozenset())) == ["c1"]


def test_who_is_silent_where_others_speak_must_score_nearly_as_high():
    passages = ranked(0.9, 0.8, 0.6, 0.5)
    verdict = Verdict(answering={0: 0.6, 3: 0.4}, asks_value=True)
    out = admit(passages, verdict, CorrectorConfig(), 5, frozenset())
    assert ids(out) == ["c1", "c2", "c4"] and reasons(out) == {"c3": "no_value"}
    for other in (replace(verdict, asks_value=False), replace(verdict, answering={0: 0.2})):
        assert ids(admit(passages, other, CorrectorConfig(), 5, frozenset())) == ["c1", "c2", "c3", "c4"]
    assert ids(admit(passages, verdict, CorrectorConfig(silent_admission=0), 5, frozenset())) == ["c1", "c2", "c3", "c4"]
    assert "c3" in ids(admit(passages, verdict, CorrectorConfig(), 5, frozenset({"c3"})))


@pytest.mark.parametrize(("query", "needed", "others"), [
    ("How long is the trial?", "There is no trial for hardware products; you may return them unopened instead.",
     ["The trial lasts 14 days for every software product.", "Trial accounts are deleted after 30 days."]),
    ("企业版最多可以建多少个项目？", "企业版最多可以建的项目数量不限。", ["团队版最多可以建50个项目。", "个人版最多可以建3个项目。"]),
])
def test_who_says_that_there_is_none_is_not_silent(corrector, query, needed, others):
    result = corrector.refine(query, [{"text": t, "source": "docs"} for t in (needed, *others)], as_of="2025-01-01")
    assert needed in result.text


def test_copies_take_no_place_among_the_top_k(corrector):
    copies = [{"id": f"k{i}", "text": "澜川咖啡机整机保修18个月，自签收之日起计算。"} for i in range(5)]
    other = {"id": "o", "text": "客服回复：澜川咖啡机整机保修一年半，凭发票办理。"}
    result = corrector.refine("澜川咖啡机整机保修多久？", [*copies, other], top_k=2, as_of="2025-01-01")
    assert {c.id for c in result.chunks} == {"k0", "o"}


@pytest.mark.parametrize("text", ["全线设13个车站。", "port: 80", "5 stops."])
def test_short_copies_are_no_way_round_top_k(corrector, text):
    result = corrector.refine("全线设几个车站? how many stops? which port?", [text] * 300, top_k=3)
    assert len(result.chunks) == 1
    assert sum(d.reason == "duplicate" for d in result.dropped) == 299
