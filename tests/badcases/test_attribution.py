"""Where the expected went: each stage broken on purpose, and the result's offsets mapped to items."""

from dataclasses import replace

import pytest
from badcase_samples import CANDIDATES, NO_CUTTING, NO_RANKING, QUERY
from case_figures import squeezed
from case_form import holds

from ragclean import RefinedContext
from ragclean.badcases import STAGES, Expected, Part, attribute, expected_of
from ragclean.types import Caution, Chunk, Dropped, KeptChunk, KeptSentence, Signals

ALL = 30


def refined(corrector, case, chunks=None, top_k=ALL):
    return corrector.refine(
        case.query, [c.chunk for c in case.chunks] if chunks is None else chunks, top_k=top_k, as_of=case.as_of,
        sub_queries=case.sub_queries,
    )  # fmt: skip


def bare(text):
    """Letters and digits alone: a copy may differ from its original in marks."""
    return "".join(c for c in text.lower() if c.isalnum())


def truly_kept(result, case, attribution):
    """The same question, asked of the context alone."""
    if attribution.kind == "chunk":
        return any(c.id == attribution.item for c in result.chunks)
    if attribution.kind == "sentence":
        copied = attribution.reason == "duplicate" and bare(attribution.item) in bare(result.text)
        return copied or squeezed(attribution.item) in squeezed(result.text)
    return any(holds(result.text, a) for a in case.accepted)


def stages(corrector, cases, stage):
    """How many items were lost at ``stage``; fails where one was lost at any other, or wrongly called lost or kept."""
    lost = 0
    for case in cases:
        result = refined(corrector, case)
        found = attribute(result, expected_of(case))
        assert found.attributions or not (case.accepted or any(c.keep for c in case.chunks))
        for a in found.attributions:
            kept = truly_kept(result, case, a)
            assert a.stage == ("kept" if kept else stage), (case.id, a.explain(), [str(d) for d in result.dropped])
            assert a.lost is not kept
            lost += not kept
    return lost


def test_an_admission_that_refuses_all_but_the_best_ranks_out(with_config, labelled):
    strict = with_config(
        admission_threshold=0.9, relative_admission=1.0, answer_admission=1.0, judge_floor=1.0,
        arbitration=False, compression=False,
    )  # fmt: skip
    assert stages(strict, labelled, "ranked_out") > 50


def test_a_place_beyond_top_k_ranks_out(with_config, labelled):
    loose = with_config(**NO_RANKING, arbitration=False, compression=False)
    lost = 0
    for case in labelled:
        for a in attribute(refined(loose, case, top_k=1), expected_of(case)).attributions:
            assert a.stage in ("kept", "ranked_out"), a.explain()
            assert not a.lost or a.reason == "beyond_top_k"
            lost += a.lost
    assert lost > 30


@pytest.mark.parametrize("protection", ["all", "graded"])
def test_a_sentence_threshold_that_nothing_reaches_compresses_out(with_config, labelled, protection):
    strict = with_config(
        **NO_RANKING, arbitration=False, protection=protection, sentence_threshold=1.0, sentence_share=1.0,
        duplicate_threshold=1.0, graded_keep_share=0.0, graded_max_share=0.0, graded_strong=1.0,
    )  # fmt: skip
    lost = 0
    for case in labelled:
        result = refined(strict, case)
        # The sentences that are to go as well: under "all" no other is cut, since they hold the facts.
        every = tuple(Part(c.chunk.id, s) for c in case.chunks for s in (*c.must_keep, *c.must_drop))
        for a in attribute(result, Expected(accepted=case.accepted, keep_sentences=every)).attributions:
            assert a.stage == ("kept" if truly_kept(result, case, a) else "compressed_out"), (case.id, a.explain())
            lost += a.lost
    assert lost > 10


def test_an_unprotected_answer_is_compressed_out(with_config):
    strict = with_config(sentence_threshold=0.9, sentence_share=1.0)
    answer = "放在阴凉处慢慢晾干就好。"
    text = f"滤网清洗的办法是先把滤网拆下来清洗。{answer}感谢大家的支持。"
    got = strict.refine("怎样清洗滤网？", [{"id": "a", "text": text}], as_of="2025-06-01")
    assert answer not in got.text
    expected = Expected(accepted=("慢慢晾干",), keep_sentences=(Part("a", answer),), keep=("a",))
    assert [(a.kind, a.stage, a.reason) for a in attribute(got, expected).attributions] == [
        ("answer", "compressed_out", "below_threshold"),
        ("sentence", "compressed_out", "below_threshold"),
        ("chunk", "kept", ""),
    ]


def turned(raw):
    """Make the wrong side official and new, the right one hearsay and old."""
    chunks = []
    for c in raw["chunks"]:
        wrong = c["role"].startswith("conflict")
        side = {"source": "official_policy", "source_weight": 0.99, "published_at": "2030-01-01"} if wrong else {
            "source": "forum", "source_weight": 0.05, "published_at": "2010-01-01"}  # fmt: skip
        chunks.append({"id": c["id"], "text": c["text"], **side})
    return chunks


@pytest.mark.parametrize("compression", [True, False])
def test_turned_sources_arbitrate_out(with_config, labelled, raw_cases, compression):
    """Without compression the sentences are taken out by the output guard."""
    only = with_config(**NO_RANKING, **NO_CUTTING, compression=compression)
    lost, by_stage = 0, set()
    for case in labelled:
        if not (raw_cases[case.id]["conflict"] or {}).get("winner"):
            continue
        result = refined(only, replace(case, as_of="2030-06-01"), turned(raw_cases[case.id]))
        by_stage |= {d.stage for d in result.dropped}
        for a in attribute(result, expected_of(case)).attributions:
            kept = truly_kept(result, case, a)
            assert a.stage == ("kept" if kept else "arbitrated_out"), (case.id, a.explain())
            assert kept or a.reason in ("lost_conflict", "out_of_scope")
            lost += not kept
    assert lost > 20
    assert by_stage == ({"arbitrate", "compress"} if compression else {"arbitrate", "verify"})


def test_an_answer_that_no_candidate_holds_was_not_retrieved(corrector, labelled):
    checked = 0
    for case in labelled:
        chunks = [c.chunk for c in case.chunks if not any(holds(c.chunk.text, a) for a in case.accepted)]
        if not case.accepted or not chunks:
            continue
        result = refined(corrector, case, chunks)
        (answer,) = attribute(result, Expected(accepted=case.accepted)).attributions
        assert (answer.stage, answer.chunk_id) == ("not_retrieved", None)
        gone = {c.chunk.id for c in case.chunks} - {c.id for c in chunks}
        for a in attribute(result, Expected(keep=tuple(gone))).attributions:
            assert a.stage == "not_retrieved"
        checked += 1
    assert checked > 30


def test_blank_and_unreadable_chunks_are_screened_out(corrector):
    rows = [*CANDIDATES, {"id": "blank", "text": " \n　"}, {"id": "nul", "text": "\0\0"}, {"id": "none"}]  # the last has no text: its id is its place
    result = corrector.refine(QUERY, rows, as_of="2025-06-01")
    found = attribute(result, Expected(keep=("blank", "nul", "c6", "elsewhere")))
    assert [(a.item, a.stage, a.reason) for a in found.attributions] == [
        ("blank", "screened_out", "empty"),
        ("nul", "screened_out", "empty"),
        ("c6", "screened_out", "bad_candidate"),
        ("elsewhere", "not_retrieved", ""),
    ]


def test_every_item_of_every_case_ends_at_one_stage(corrector, labelled):
    for case in labelled:
        result = refined(corrector, case, top_k=5)
        expected = expected_of(case)
        found = attribute(result, expected).attributions
        assert len(found) == bool(expected.accepted) + len(expected.keep_sentences) + len(expected.keep)
        gone = {d.chunk_id: d for d in result.dropped if d.start is None}
        for a in found:
            assert a.stage in STAGES
            if a.kind == "chunk" and a.lost:
                assert (a.reason, a.detail) == (gone[a.item].reason, gone[a.item].detail)


# ------------------------------------------------------------------ results made by hand


def sentences(text, *parts):
    spans = [(text.index(p), text.index(p) + len(p)) for p in parts]
    return tuple(KeptSentence(text[a:b], a, b, 0.9) for a, b in spans)


def kept(chunk, *parts):
    found = sentences(chunk.text, *parts)
    return KeptChunk(chunk, Signals(1, 1, 1, 1), found, "".join(s.text for s in found))


def cut(chunk, part, reason="below_threshold", stage="compress"):
    at = chunk.text.index(part)
    return Dropped(chunk.id, stage, reason, "why", part, at, at + len(part))


def context(chunks, dropped, candidates, warnings=()):
    return RefinedContext(
        "q", "\n\n".join(c.text for c in chunks), tuple(chunks), tuple(dropped), (), tuple(warnings), "2025-06-01",
        candidates=tuple(candidates), options={"top_k": 8},
    )  # fmt: skip


A = Chunk("先关机。 再拔电源。最后等三十秒。", "a")


def test_a_part_over_several_sentences_is_lost_with_any_of_them():
    result = context([kept(A, "先关机。", "最后等三十秒。")], [cut(A, "再拔电源。")], [A])

    def stage(text):
        return attribute(result, Expected(keep_sentences=(Part("a", text),))).attributions[0].stage

    assert stage("先关机。 再拔电源。") == "compressed_out"
    assert stage("关机。\n再") == "compressed_out"
    assert stage("先关机。 ") == "kept"
    assert stage("后等三十秒") == "kept"
    assert stage("电源") == "compressed_out"
    assert stage("先 关 机。") == "kept"
    assert stage("先开机。") == "not_retrieved"


def test_the_earliest_stage_that_took_some_of_a_part_is_named():
    result = context(
        [kept(A, "先关机。")], [cut(A, "再拔电源。"), cut(A, "最后等三十秒。", "lost_conflict")], [A]
    )
    (a,) = attribute(result, Expected(keep_sentences=(Part("a", A.text),))).attributions
    assert (a.stage, a.reason) == ("arbitrated_out", "lost_conflict")


def test_the_output_guard_counts_as_arbitration():
    result = context([kept(A, "先关机。")], [cut(A, "再拔电源。", "lost_conflict", "verify")], [A])
    (a,) = attribute(result, Expected(accepted=("再拔电源",))).attributions
    assert (a.stage, a.chunk_id) == ("arbitrated_out", "a")


def test_what_is_not_verbatim_was_taken_by_the_guard():
    warned = context([kept(A, "先关机。")], [], [A], [Caution("not_verbatim", "removed", "a")])
    silent = context([kept(A, "先关机。")], [], [A])
    want = Expected(accepted=("三十秒",))
    assert attribute(warned, want).attributions[0].stage == "arbitrated_out"
    assert attribute(silent, want).attributions[0].detail == "the result does not say why"


def test_the_candidate_that_came_furthest_names_the_stage():
    b, c = Chunk("无关。等三十秒。", "b"), Chunk("三十秒。", "c")
    gone = [Dropped("b", "rank", "below_admission", "low", b.text), cut(A, "最后等三十秒。"),
            Dropped("c", "arbitrate", "out_of_scope", "other", c.text)]  # fmt: skip
    result = context([kept(A, "先关机。")], gone, [b, A, c])
    (a,) = attribute(result, Expected(accepted=("三十秒", "30秒"))).attributions
    assert (a.item, a.stage, a.chunk_id) == ("三十秒", "compressed_out", "a")
    (a,) = attribute(result, Expected(accepted=("三十秒",), drop=("a",))).attributions
    assert (a.stage, a.chunk_id) == ("arbitrated_out", "c"), "a chunk that is to go is no place for the answer"
    (a,) = attribute(result, Expected(accepted=("三十秒",), drop=("a", "b", "c"))).attributions
    assert a.stage == "compressed_out"


def test_a_sentence_that_gave_way_to_its_copy_is_kept():
    b = Chunk("各位好。最后等三十秒！", "b")
    stays = replace(sentences(A.text, "最后等三十秒。")[0], also_in=("b",))
    keeper = KeptChunk(A, Signals(1, 1, 1, 1), (stays,), stays.text)
    gone = [cut(b, "最后等三十秒！", "duplicate"), cut(b, "各位好。", "duplicate"), cut(A, "先关机。"), cut(A, "再拔电源。")]
    result = context([keeper], gone, [A, b])
    want = Expected(keep_sentences=(Part("b", "最后等三十秒！"), Part("b", "各位好。")), keep=("b",))
    assert [a.stage for a in attribute(result, want).attributions] == ["kept", "compressed_out", "kept"]


def test_a_chunk_merged_with_a_chunk_of_the_same_text_is_kept(with_config):
    rows = [{"id": i, "text": CANDIDATES[0]["text"]} for i in ("one", "two")]
    result = with_config().refine(QUERY, rows, as_of="2025-06-01")
    assert len(result.chunks) == 1
    found = attribute(result, Expected(keep=("one", "two"))).attributions
    assert [(a.stage, a.reason) for a in found] in ([("kept", ""), ("kept", "duplicate")], [("kept", "duplicate"), ("kept", "")])


def test_ids_that_repeat_are_told_apart_by_their_text():
    other = Chunk("等三十秒即可。", "a")
    result = context([kept(other, "等三十秒即可。")], [Dropped("a", "rank", "below_admission", "", A.text)], [A, other])
    want = Expected(keep_sentences=(Part("a", "再拔电源。"), Part("a", "等三十秒即可。")))
    assert [a.stage for a in attribute(result, want).attributions] == ["ranked_out", "kept"]


def test_a_sentence_is_found_where_chunks_are_cut_in_another_way_now():
    result = context([kept(A, A.text)], [], [A])
    (a,) = attribute(result, Expected(keep_sentences=(Part("page-7", "再拔电源。"),))).attributions
    assert (a.stage, a.chunk_id) == ("kept", "a")


def test_what_was_to_go_and_stands_in_the_context_is_adopted():
    b = Chunk("15元，不是115元。", "b")
    result = context([kept(A, "先关机。"), kept(b, b.text)], [cut(A, "再拔电源。"), cut(A, "最后等三十秒。")], [A, b])
    want = Expected(
        wrong=("15元", "5元"), drop=("b", "c"),
        drop_sentences=(Part("a", "再拔电源。"), Part("a", "先关机。 再拔"), Part("b", "不是115元"), Part("c", "x")),
    )  # fmt: skip
    assert [(a.kind, a.item, a.chunk_id) for a in attribute(result, want).adopted] == [
        ("wrong", "15元", "b"),
        ("sentence", "先关机。 再拔", "a"),
        ("sentence", "不是115元", "b"),
        ("chunk", "b", "b"),
    ]


def test_an_observing_corrector_is_judged_by_what_it_would_have_done(with_config):
    seen = with_config(mode="observe").refine(QUERY, CANDIDATES, as_of="2025-06-01")
    assert "红烧排骨" in seen.text
    found = attribute(seen, Expected(accepted=("36个月",), wrong=("红烧排骨",), keep=("menu",)))
    assert [a.stage for a in found.attributions] == ["kept", "ranked_out"]
    assert found.adopted == ()


def test_a_result_restored_from_json_needs_its_candidates(result):
    restored = RefinedContext.from_json(result.to_json())
    with pytest.raises(ValueError, match="candidates"):
        attribute(restored, Expected(keep=("terms",)))
    want = Expected(accepted=("36个月",), keep=("terms", "menu"))
    assert attribute(restored, want, CANDIDATES) == attribute(result, want)
