"""Reports on parts of the cases become one; what does not belong together is refused by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragclean.evaluation import ExtractiveReader, NoiseMaker, NoiseSettings, OfflineJudge, read_cases, run_evaluation
from ragclean.evaluation.merging import merge_reports
from ragclean.evaluation.records import Check


@pytest.fixture(scope="module")
def cases(root):
    return read_cases(root / "tests" / "data" / "cases.jsonl")[:9]


@pytest.fixture(scope="module")
def run(cases):
    maker = NoiseMaker.of_cases(cases, NoiseSettings(on_empty_band="nearest"))
    return lambda part, **options: run_evaluation(part, ExtractiveReader(), OfflineJudge(), **{"pipeline": "p", "noise": maker, **options})


@pytest.fixture(scope="module")
def parts(run, cases):
    return [run(cases[:4]), run(cases[4:])]


def test_the_parts_together_are_the_report_on_all(parts, run, cases):
    assert merge_reports(parts).to_dict() == run(cases).to_dict()
    assert merge_reports(parts[:1]) == parts[0]


@pytest.mark.parametrize(
    ("field", "value"),
    [("pipeline", "q"), ("judge", "other"), ("variants", ("v0", "v1")), ("repeats", 2), ("noise", {"count": 9}), ("corpus", "other")],
)
def test_what_was_made_otherwise_is_refused_by_name(parts, field, value):
    with pytest.raises(ValueError, match=rf"reports\[1\]: its {field} is another than that of reports\[0\]"):
        merge_reports([parts[0], replace(parts[1], **{field: value})])


def test_nothing_and_the_same_case_twice_are_refused(parts, cases):
    with pytest.raises(ValueError, match="there is none to merge"):
        merge_reports([])
    with pytest.raises(ValueError, match=rf"the case '{cases[0].id}' is in two of them"):
        merge_reports([*parts, parts[0]])


@pytest.mark.parametrize(
    ("states", "whole"),
    [((True, True), True), ((True, False), False), ((None, False), False), ((True, None), None), ((None, None), None)],
)
def test_the_self_check_passed_where_it_passed_everywhere(parts, states, whole):
    checks = [Check("oracle", state, 1.0, "at least 0.90", 4) for state in states]
    made = [replace(p, checked=s, checks=(c,)) for p, s, c in zip(parts, states, checks, strict=True)]
    merged = merge_reports(made)
    assert merged.checked is whole
    assert merged.checks == tuple(checks)


def test_the_latest_day_and_every_warning_once(parts):
    made = [replace(parts[0], date="2025-06-02", warnings=("a", "b")), replace(parts[1], date="2025-06-01", warnings=("b", "c"))]
    merged = merge_reports(made)
    assert merged.date == "2025-06-02" and merged.warnings == ("a", "b", "c")
