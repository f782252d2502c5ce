"""Labelled cases: both forms, errors with line and field, and nothing lost on the way through JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.calibration import CaseFileError, case_from_dict, read_cases, write_cases

FULL = {
    "id": "a-1", "query": "保修多久？", "as_of": "2025/6/1", "scenario": "aftersales", "accepted": ["24个月"], "wrong": ["12个月"],
    "chunks": [
        {"id": "c1", "text": "整机保修24个月。欢迎选购。", "source": "faq", "published_at": "2025-01-01", "role": "answer",
         "must_keep": ["整机保修24个月。"], "must_drop": ["欢迎选购。"]},
        {"id": "c2", "text": "保修12个月。", "role": "conflict_stale", "must_drop": ["保修12个月。"]},
        {"id": "c3", "text": "整机保修24个月。", "role": "duplicate"},
    ],
}  # fmt: skip
MINIMAL = {"query": "how long?", "chunks": [{"text": "Two years. Thanks.", "keep": True, "drop": ["Thanks."]},
                                            {"text": "Buy now.", "keep": False}, "No label."]}  # fmt: skip


def test_the_full_form_gives_roles_a_meaning():
    case = case_from_dict(FULL)
    assert [c.keep for c in case.chunks] == [True, False, None]
    assert case.as_of == "2025-06-01"
    assert case.chunks[0].chunk.source == "faq"
    assert case.chunks[0].must_drop == ("欢迎选购。",)
    assert not case.chunks[0].complete


def test_the_minimal_form_says_that_the_rest_of_a_kept_chunk_stays():
    case = case_from_dict(MINIMAL, "x")
    assert case.id == "x"
    assert [c.chunk.id for c in case.chunks] == ["c1", "c2", "c3"]
    assert [c.keep for c in case.chunks] == [True, False, None]
    assert case.chunks[0].complete
    assert case.labelled


@pytest.mark.parametrize("data", [FULL, MINIMAL])
def test_a_case_survives_json(data, tmp_path):
    case = case_from_dict(data, "line-1")
    write_cases([case], tmp_path / "c.jsonl")
    assert read_cases(tmp_path / "c.jsonl") == [case]


@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from([True, False, None]))
def test_any_text_survives_json(tmp_path_factory, query, text, keep):
    if not query.strip():
        return
    case = case_from_dict({"query": query, "chunks": [{"text": text, "keep": keep}]}, "line-1")
    path = tmp_path_factory.mktemp("cases") / "c.jsonl"
    write_cases([case], path)
    assert read_cases(path) == [case]


@pytest.mark.parametrize(("change", "message"), [
    ({"query": 3}, "query: expected a string, got 3"),
    ({"query": "  "}, "query: it is blank"),
    ({"chunks": []}, "chunks: expected a list of at least one chunk"),
    ({"as_of": "soon"}, "as_of: 'soon' is no date"),
    ({"accepted": "24"}, "accepted: expected a list of strings, got '24'"),
    ({"chunks": [{"text": "a", "keep": "yes"}]}, "chunks[0].keep: expected true or false, got 'yes'"),
    ({"chunks": [{"text": "a", "role": "good"}]}, "chunks[0].role: expected one of answer"),
    ({"chunks": [{"text": "a"}, {"text": "b", "must_keep": ["c"]}]}, "chunks[1].must_keep[0]: 'c' is not in the chunk's text"),
    ({"chunks": [{"text": "a", "drop": [" "]}]}, "chunks[0].drop[0]: ' ' is not in the chunk's text"),
    ({"chunks": [{"text": "a", "keep": False, "must_keep": ["a"]}]}, "chunks[0]: keep is false, and must_keep is not empty"),
    ({"chunks": [{"id": "x", "text": "a"}, {"id": "x", "text": "b"}]}, "chunks: the id 'x' is used twice"),
    ({"chunks": [7]}, "chunks[0].text: expected a string"),
    ({"acepted": ["x"]}, "acepted: unknown; did you mean accepted?"),
    ({"chunks": [{"text": "a", "must_kept": ["a"]}]}, "chunks[0].must_kept: unknown; did you mean must_keep?"),
])  # fmt: skip
def test_a_bad_case_is_refused_by_field(change, message):
    with pytest.raises(ValueError) as caught:
        case_from_dict({"query": "q", "chunks": ["a"], **change})
    assert message in str(caught.value)


def test_all_faults_of_a_file_are_listed_with_their_lines(tmp_path):
    good = json.dumps({"id": "g", "query": "q", "chunks": ["a"]})
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{good}\n\nnot json\n[1]\n{good}\n", encoding="utf-8")
    with pytest.raises(CaseFileError) as caught:
        read_cases(path)
    lines = caught.value.problems
    assert [line.split(": ")[0] for line in lines] == ["cases.jsonl:3", "cases.jsonl:4", "cases.jsonl:5"]
    assert "not JSON" in lines[0]
    assert "expected a JSON object" in lines[1]
    assert "already that of line 1" in lines[2]


def test_hundreds_of_faults_are_counted_not_shouted(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text("{}\n" * 300, encoding="utf-8")
    with pytest.raises(CaseFileError) as caught:
        read_cases(path)
    assert len(caught.value.problems) == 300
    assert str(caught.value).endswith("... and 280 more")


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"[" * 100_000 + b"\n", b'{"query": ' + b"9" * 5000 + b"}"])
def test_hostile_files_end_in_a_message(raw, tmp_path):
    (tmp_path / "c.jsonl").write_bytes(raw)
    with pytest.raises(CaseFileError):
        read_cases(tmp_path / "c.jsonl")


def test_keys_of_a_users_own_are_left_alone():
    case = case_from_dict({"query": "q", "ticket": 4711, "chunks": [{"text": "a", "keep": True, "page": 3}]})
    assert case.chunks[0].keep is True
