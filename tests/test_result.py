"""The result's own promises, on results built by hand."""

import json

import pytest

from ragclean.result import RefinedContext
from ragclean.types import (
    Caution,
    Chunk,
    Conflict,
    Dropped,
    KeptChunk,
    KeptSentence,
    Side,
    Signals,
    Witness,
)

SIGNALS = Signals(0.5, 0.6, None, 0.55)


def side(value, chunk_id):
    return Side(value, value, (Witness(chunk_id, 1.0, 0.5, 1.0, 0.8, ("copy",), ("undated",)),), 1.0, (f"是{value}。",))


def made(**changes):
    a = KeptChunk(
        Chunk("甲说三天。再见。", id="a", title="规则\n第一页", source="faq", published_at="2024-01-02", uri="kb/1",
              metadata={"page": 1}),
        SIGNALS, (KeptSentence("甲说三天。", 0, 5, 0.7, True, ("c",)),), "甲说三天。", ("demoted",))
    b = KeptChunk(Chunk("乙说五天。", id="b"), SIGNALS, (KeptSentence("乙说五天。", 0, 5, 0.7),), "乙说五天。")
    tie = Conflict("期限", (side("三天", "a"), side("五天", "b")), None, 0.0, "tie", "duration", "说法不一。")
    fields = {
        "query": "几天？", "text": "甲说三天。\n\n乙说五天。", "chunks": (a, b),
        "dropped": (Dropped("d", "rank", "below_admission", "score 0.10", "天气。", score=0.1),
                    Dropped("a", "compress", "below_threshold", "0.1 < 0.3", "再见。", 5, 8, 0.1)),
        "conflicts": (tie,), "warnings": (Caution("unresolved_conflict", "期限", None),), "as_of": "2025-01-01",
        "stats": {"chunks_in": 3, "shorter": 0.25}, "fingerprint": "f",
    }
    return RefinedContext(**{**fields, **changes})


def test_json_round_trip_keeps_everything():
    result = made()
    again = RefinedContext.from_json(result.to_json())
    assert again == result
    assert again.chunks[0].chunk.metadata == {"page": 1}
    assert again.conflicts[0].sides[0].witnesses[0].copies == ("copy",)


def test_another_schema_is_refused():
    data = made().to_dict()
    with pytest.raises(ValueError, match="schema"):
        RefinedContext.from_dict({**data, "schema": 99})


def test_lone_surrogates_can_be_written():
    result = made(text="坏\ud800字")
    result.to_json().encode("utf-8")
    assert RefinedContext.from_json(result.to_json()).text == "坏\ud800字"


def test_prompt_names_source_and_date_and_the_unresolved_sides():
    prompt = made().to_prompt()
    first = prompt.text.split("\n")[0]
    assert first == "[1] 规则 第一页 | faq | 2024-01-02 | kb/1"
    assert prompt.citations == {1: "a", 2: "b"}
    assert "unresolved" in prompt.text and "三天 [1]" in prompt.text and "五天 [2]" in prompt.text
    assert made().to_prompt(citations=False).text == "甲说三天。\n\n乙说五天。"


def test_explain_has_a_line_for_everything():
    words = made().explain()
    for part in ("25%", "kept    a", "demoted", "below_admission", "再见", "说法不一", "unresolved_conflict"):
        assert part in words


def test_plain_data_only():
    json.dumps(made().to_dict())
