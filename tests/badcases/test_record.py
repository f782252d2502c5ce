"""Cases as plain data: both ways, and errors that name the field."""

import json
import math

import pytest

from ragclean import CorrectorConfig, RefinedContext
from ragclean.badcases import BadCase, BadCaseStore, Expected, Part
from ragclean.types import Chunk

FULL = Expected(
    accepted=("36个月",), wrong=("12个月",), keep=("terms",), drop=("menu",),
    keep_sentences=(Part("terms", "保修期为36个月"),), drop_sentences=(Part("old", "反正不长"),),
)  # fmt: skip


def test_expectations_go_to_plain_data_and_back():
    assert Expected.from_dict(json.loads(json.dumps(FULL.to_dict()))) == FULL
    assert Expected.from_dict({}) == Expected()
    assert (bool(FULL), bool(Expected()), Expected().to_dict()) == (True, False, {})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected: not a JSON object"),
        ({"kept": []}, "expected.kept: unknown"),
        ({"accepted": "36"}, "expected.accepted: expected a list of strings, got '36'"),
        ({"wrong": ["a", 3]}, "expected.wrong: expected a list of strings"),
        ({"accepted": ["a", " "]}, r"expected.accepted\[1\]: it is blank"),
        ({"keep": [""]}, r"expected.keep\[0\]: it is blank"),
        ({"keep_sentences": {"a": "b"}}, "expected.keep_sentences: expected a list"),
        ({"keep_sentences": ["x"]}, r"expected.keep_sentences\[0\]: expected an object with chunk_id and text"),
        ({"drop_sentences": [{"chunk_id": "a"}]}, r"expected.drop_sentences\[0\].text: expected a string"),
        ({"drop_sentences": [{"chunk_id": 1, "text": "x"}]}, r"expected.drop_sentences\[0\].chunk_id"),
        ({"drop_sentences": [{"chunk_id": "a", "text": "x", "start": 1}]}, r"drop_sentences\[0\]: expected an object"),
        ({"accepted": ["a"], "wrong": ["a"]}, "accepted, wrong: 'a' is in both"),
        ({"keep": ["a"], "drop": ["a"]}, "keep, drop: the chunk 'a' is in both"),
        ({"drop": ["a"], "keep_sentences": [{"chunk_id": "a", "text": "x"}]}, r"keep_sentences\[0\]: its chunk 'a'"),
    ],
)
def test_wrong_expectations_name_their_field(data, message):
    with pytest.raises(ValueError, match=message):
        Expected.from_dict(data)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"query": None}, "query: missing"),
        ({"query": 3}, "query: expected a string, got 3"),
        ({"candidates": "x"}, "candidates: expected a list"),
        ({"candidates": ["x"]}, r"candidates\[0\]: expected an object"),
        ({"candidates": [{"id": "a"}]}, r"candidates\[0\].text: missing"),
        ({"candidates": [{"text": "a"}, {"text": 1}]}, r"candidates\[1\].text: expected a string, got 1"),
        ({"candidates": [{"text": "a", "score": "high"}]}, r"candidates\[0\].score: expected a number"),
        ({"candidates": [{"text": "a", "source_weight": math.nan}]}, r"candidates\[0\].source_weight"),
        ({"candidates": [{"text": "a", "score": 10**400}]}, r"candidates\[0\].score"),
        ({"candidates": [{"text": "a", "page": 1}]}, r"candidates\[0\].page: unknown"),
        ({"candidates": [{"text": "a", "metadata": [1]}]}, r"candidates\[0\].metadata: expected an object"),
        ({"as_of": "tomorrow"}, "as_of: expected a date as 2025-06-01, got 'tomorrow'"),
        ({"verdict": "bad"}, "verdict: expected one of lost_answer"),
        ({"options": {"top_k": 0}}, "options.top_k: expected a whole number above 0"),
        ({"options": {"top_k": True}}, "options.top_k"),
        ({"options": {"pinned": "a"}}, "options.pinned: expected a list of strings"),
        ({"options": {"k": 3}}, "options.k: unknown"),
        ({"options": [1]}, "options: expected an object"),
        ({"id": "a\x1b[2J"}, "id: expected 1 to 200 printable characters"),
        ({"id": "x" * 201}, "id: expected"),
        ({"note": 3}, "note: expected a string"),
        ({"outcome": "x"}, "outcome: expected an object"),
        ({"answer": "x"}, "answer: unknown"),
        ({"expected": {"keep": 1}}, "expected.keep: expected a list"),
    ],
)
def test_wrong_cases_name_their_field(changes, message):
    data = {"id": "a", "query": "q", "candidates": [{"text": "t"}], **changes}
    with pytest.raises(ValueError, match=message):
        BadCase.from_dict(data)


def test_a_case_written_by_hand_needs_a_query_and_candidates_only():
    case = BadCase.from_dict({"query": "q", "candidates": [{"text": "a"}, {"id": "c1", "text": "b"}]}, "line-3")
    assert (case.id, case.as_of, case.verdict, case.labelled) == ("line-3", None, None, False)
    assert [c.id for c in case.candidates] == ["c1'", "c1"], "the ids that refining would give"


def test_a_recorded_result_is_all_in_the_case(store, result):
    config = CorrectorConfig()
    case = store.get(store.record(result, verdict="wrong_value", expected=FULL, note="见工单", config=config))
    assert (case.query, case.as_of, case.fingerprint) == (result.query, "2025-06-01", result.fingerprint)
    assert (case.verdict, case.expected, case.note, case.labelled) == ("wrong_value", FULL, "见工单", True)
    assert case.options == {"top_k": 2, "sub_queries": ["保修期"], "pinned": ["terms"]}
    assert CorrectorConfig.from_dict(case.config) == config
    assert case.candidates == result.candidates
    assert case.candidates[0].metadata == {"page": 3}
    assert case.recorded_at.endswith("+00:00")
    plain = result.to_dict()
    assert case.outcome["text"] == result.text
    assert (case.outcome["conflicts"], case.outcome["warnings"]) == (plain["conflicts"], plain["warnings"])
    assert [k["id"] for k in case.outcome["kept"]] == [c.id for c in result.chunks]
    assert [(d["chunk_id"], d["stage"], d["reason"]) for d in case.outcome["dropped"]] == [
        (d.chunk_id, d.stage, d.reason) for d in result.dropped
    ]
    assert all("text" in d for d in case.outcome["dropped"] if d["start"] is not None)


def test_a_restored_result_is_recorded_with_its_candidates(store, result):
    restored = RefinedContext.from_json(result.to_json())
    with pytest.raises(ValueError, match="restored from JSON"):
        store.record(restored)
    with pytest.raises(ValueError, match="candidates: expected an iterable"):
        store.record(restored, candidates="text")
    assert len(store) == 0
    given = ["first", {"id": "b"}, Chunk("third"), {"content": "fourth", "metadata": {"id": "d"}}]
    case = store.get(store.record(restored, candidates=given, options={"top_k": 3}))
    assert [(c.id, c.text) for c in case.candidates] == [("c1", "first"), ("c3", "third"), ("d", "fourth")]
    assert case.options == {"top_k": 3}


def test_a_run_without_candidates_can_be_recorded(store, corrector):
    empty = corrector.refine("保修多久？", [], as_of="2025-06-01")
    assert store.get(store.record(empty)).candidates == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"verdict": "bad"}, "verdict: expected one of"),
        ({"expected": {"keep": "a"}}, "expected.keep"),
        ({"note": None}, "note: expected a string"),
        ({"config": {"top_p": 1}}, "unknown key top_p"),
        ({"options": {"top_k": "8"}}, "options.top_k"),
    ],
)
def test_what_is_malformed_is_not_recorded(store, result, arguments, message):
    with pytest.raises(ValueError, match=message):
        store.record(result, **arguments)
    assert len(store) == 0


def test_only_results_are_recorded(store):
    with pytest.raises(TypeError, match="result: expected a RefinedContext, got str"):
        store.record("text")


class Odd:
    def __str__(self):
        return "an object"


def test_metadata_without_a_form_in_json_is_written_as_text(store, corrector):
    loop = {}
    loop["self"] = loop
    row = {"id": "a", "text": "整机保修24个月。", "metadata": {"odd": Odd(), "nan": math.nan, 3: {1}, "loop": loop}}
    case = store.get(store.record(corrector.refine("保修多久？", [row], as_of="2025-06-01")))
    assert case.candidates[0].metadata == {"odd": "an object", "nan": None, "3": [1], "loop": {"self": "..."}}



def test_a_store_is_made_where_there_is_none(tmp_path):
    with BadCaseStore(tmp_path / "a" / "b" / "cases.sqlite3") as store:
        assert len(store) == 0
