"""The figures that every form of the report reads: what fails, what is missing, and that none of it is 0."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from report_samples import (
    CASES,
    a_comparison,
    a_gate,
    a_health,
    a_sweep,
    hostile_extras,
    hostile_report,
    large_report,
    real_report,
)

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.records import EvalCase, Injected, Judgement, Outcome, Score, Shown
from ragclean.report.evaluation_figures import figures_of, frontier
from ragclean.types import Chunk


def _answer(variant, correctness, *, repeat=0, failed="", unjudged="", case="a"):
    injected = (Injected(Chunk("n", id="x1"), "relevant_hard"),) if variant != "v0" else ()
    return Outcome(Shown(case, variant, (), injected), "answer", Judgement(failed=unjudged),
                   Score(correctness, correctness, 1.0, 1.0, None, None, False), repeat, failed)  # fmt: skip


def _report(*outcomes):
    return EvalReport("p", "j", ("v0", "v3"), 1, {}, "c", (EvalCase("a", "q", "r"), EvalCase("b", "q", "r")), outcomes, checked=True)


def failing(*outcomes):
    return [(f.case.id, f.variant, f.faults) for f in figures_of(_report(*outcomes)).failing]


def test_less_correct_under_noise_is_failing_and_as_correct_is_not():
    assert failing(_answer("v0", 1.0), _answer("v3", 0.5)) == [("a", "v3", ("lower",))]
    assert failing(_answer("v0", 0.5), _answer("v3", 0.5)) == []
    assert failing(_answer("v0", 0.1 + 0.2), _answer("v3", 0.3)) == []


def test_an_undefined_score_is_no_loss():
    assert failing(_answer("v0", None), _answer("v3", 0.0)) == []
    assert failing(_answer("v0", 1.0), _answer("v3", None)) == []


def test_v4_holds_no_answer_and_loses_none():
    assert failing(_answer("v0", 1.0), _answer("v4", 0.0)) == []


def test_failed_calls_are_listed_under_every_variant_and_by_who_failed():
    found = figures_of(_report(_answer("v0", None, failed="timeout"), _answer("v3", None, unjudged="no verdict"), _answer("v3", None, failed="timeout", case="b")))
    assert [(f.variant, f.faults) for f in found.failing if f.case.id == "a"] == [("v3", ("failed",)), ("v0", ("failed",))]
    assert [(f.variant, f.blame, f.reason, f.answers) for f in found.failures] == [
        ("v0", "application", "timeout", 1), ("v3", "application", "timeout", 1), ("v3", "judge", "no verdict", 1)]  # fmt: skip
    assert found.failed_answers == 3
    assert found.averages[0].correctness is None


def test_of_several_answers_the_worst_is_shown_beside_the_best_without_noise():
    found = figures_of(_report(_answer("v0", 0.0), _answer("v0", 1.0, repeat=1), _answer("v3", 0.5), _answer("v3", 0.0, repeat=1))).failing[0]
    assert (found.base.repeat, found.noisy.repeat, found.answers) == (1, 1, 2)
    assert (found.base_correctness, found.noisy_correctness) == (0.5, 0.25)


def test_the_largest_loss_comes_first():
    found = failing(_answer("v0", 1.0), _answer("v3", 0.5), _answer("v0", 1.0, case="b"), _answer("v3", 0.0, case="b"))
    assert [case for case, *_ in found] == ["b", "a"]


def test_the_gullible_application_adopts_and_the_failed_call_counts_as_nothing():
    found = figures_of(real_report())
    adopted = {f.case.id for f in found.failing if "adopted" in f.faults and f.variant == "v3"}
    assert adopted == {c.id for c in CASES if c.id != "zh-reply"}
    assert all(f.adopted for f in found.failing if "adopted" in f.faults)
    v3 = next(a for a in found.averages if a.variant == "v3")
    assert v3.failed == 1
    assert v3.correctness == 0.0
    assert found.headline.variant == "v3"
    assert found.headline.grade == "sensitive"


def test_what_loses_most_comes_first_among_the_buckets():
    found = figures_of(large_report(240))
    assert found.buckets("difficulty")[0] == "multi"
    assert set(found.buckets("category")) == {c.category for c in found.report.cases}


def test_shortages_are_counted_by_reason_with_the_similarities_there_are():
    short = next(s for s in figures_of(large_report()).shortages)
    assert (short.variant, len(short.cases), short.nearest) == ("v2", 8, (0.62, 0.69))


def test_the_frontier_holds_the_settings_that_no_other_beats():
    assert [i + 1 for i in frontier(a_sweep().points)] == [6, 1, 5, 3, 4]
    assert frontier([replace(p, recall=None) for p in a_sweep().points]) == ()


def test_the_plain_data_are_json_with_every_part():
    report = large_report()
    extras = {"gate": a_gate(report), "comparison": a_comparison(report, report), "sweep": a_sweep(), "health": a_health()}
    data = json.loads(json.dumps(figures_of(report, **extras).to_dict(), allow_nan=False))
    assert data["status"] == "valid"
    assert data["gate"]["verdict"] in ("pass", "blocked", "inconclusive")
    assert data["sweep"]["best"] == 4
    assert data["health"]["losing"][0]["chunk_id"] == "forum-77"
    assert {d["variant"] for d in data["degradations"]} == {"v1", "v2", "v3"}
    assert len(data["failing"]) >= data["failing_cases"] > 0
    json.dumps(figures_of(hostile_report(), **hostile_extras()).to_dict(), allow_nan=False)


@pytest.mark.parametrize(("checked", "status"), [(True, "valid"), (False, "failed"), (None, "unchecked")])
def test_a_report_is_valid_only_where_its_check_passed(checked, status):
    assert figures_of(large_report(10, checked=checked)).status == status


def test_an_outcome_of_an_unknown_case_is_refused_by_name():
    with pytest.raises(ValueError, match="stranger"):
        figures_of(_report(_answer("v0", 1.0, case="stranger"), _answer("v3", 1.0, case="stranger")))


def test_a_report_without_outcomes_has_no_headline():
    found = figures_of(_report())
    assert found.headline is None
    assert found.failing == ()
