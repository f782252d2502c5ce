"""Evaluation cases: read, written, and cut into points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.evaluation.cases import (
    CaseFileError,
    case_from_dict,
    case_to_dict,
    keypoints_of,
    read_cases,
    with_keypoints,
    write_cases,
)

CASE = {
    "id": "q1", "question": "How long is the warranty?", "reference": "24 months.", "keypoints": ["24 months"], "as_of": "2025-06-01",
    "contexts": [{"id": "a", "text": "24 months.", "published_at": "2025-01-01"}, {"text": "Other."}], "gold": ["a"],
    "old_versions": [{"text": "12 months."}], "category": "price", "difficulty": "single",
}  # fmt: skip


def test_a_case_survives_json(tmp_path):
    case = case_from_dict(CASE)
    assert [c.id for c in case.contexts] == ["a", "c2"]
    assert case.answerable
    assert case_from_dict(case_to_dict(case)) == case
    write_cases([case], tmp_path / "c.jsonl")
    assert read_cases(tmp_path / "c.jsonl") == [case]


def test_labelled_cases_can_be_evaluated_as_they_are(root):
    cases = read_cases(root / "tests" / "data" / "cases.jsonl")
    assert len(cases) == 40
    assert all(c.gold for c in cases if c.answerable)
    assert all(c.category for c in cases)


@pytest.mark.parametrize(("change", "message"), [
    ({"question": ""}, "question: it is blank"),
    ({"question": None}, "question: expected a string, got nothing"),
    ({"gold": ["z"]}, "gold: no context has the id 'z'"),
    ({"contexts": {}}, "contexts: expected a list of chunks"),
    ({"contexts": [{"text": " "}], "gold": []}, "contexts[0].text: it is blank"),
    ({"contexts": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]}, "contexts: the id 'a' is used twice"),
    ({"keypoints": ["a", " "]}, "keypoints: one of them is blank"),
    ({"as_of": "one day"}, "as_of: 'one day' is no date"),
    ({"old_versions": [3]}, "old_versions[0].text"),
])  # fmt: skip
def test_a_bad_case_is_refused_by_field(change, message):
    with pytest.raises(ValueError) as caught:
        case_from_dict({**CASE, **change})
    assert message in str(caught.value)


def test_faults_are_listed_with_their_lines(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"question": "q"}\n{}\n[', encoding="utf-8")
    with pytest.raises(CaseFileError) as caught:
        read_cases(tmp_path / "c.jsonl")
    assert [p.split(": ")[0] for p in caught.value.problems] == ["c.jsonl:2", "c.jsonl:3"]


@pytest.mark.parametrize(("reference", "points"), [
    ("保修期为24个月，自发票日期起计算；人为损坏除外。", ("保修期为24个月，自发票日期起计算", "人为损坏除外")),
    ("Yes. The refund takes 7 days, and shipping is not refunded.", ("Yes. The refund takes 7 days", "and shipping is not refunded.")),
    ("24小时", ("24小时",)),
    ("", ()),
])  # fmt: skip
def test_points_are_made_from_a_reference_by_rule(reference, points):
    assert keypoints_of(reference) == points


def test_points_of_ones_own_are_left_alone():
    assert with_keypoints(case_from_dict(CASE)).keypoints == ("24 months",)
    assert with_keypoints(case_from_dict({**CASE, "keypoints": []})).keypoints == ("24 months.",)


@given(st.text(max_size=200))
def test_no_letter_of_a_reference_is_lost(reference):
    letters = [c for c in reference if c.isalnum()]
    points = "".join(keypoints_of(reference))
    assert set(letters) <= set(points) or len(keypoints_of(reference)) < len(reference)


@pytest.mark.parametrize("status", ["open", "dropped", None, 3])
def test_a_draft_that_nobody_accepted_is_no_case(status):
    with pytest.raises(ValueError, match="draft: nobody has accepted"):
        case_from_dict({"question": "保修多久？", "reference": "24个月", "draft": {"status": status}})


def test_an_accepted_draft_is_a_case():
    assert case_from_dict({"question": "保修多久？", "reference": "24个月", "draft": {"status": "accepted"}}).answerable


@pytest.mark.parametrize(("name", "meant"), [("referance", "reference"), ("keypoint", "keypoints"), ("Question", "question"), ("oldversions", "old_versions")])
def test_a_misspelt_field_is_named(name, meant):
    with pytest.raises(ValueError, match=rf"{name}.*{meant}"):
        case_from_dict({"query": "保修多久？", name: "x"})


def test_fields_of_the_users_own_are_passed_over():
    case = case_from_dict({"question": "保修多久？", "reference": "24个月", "answer": "24", "owner": "x", "note": "y", "noise": []})
    assert case.reference == "24个月"
