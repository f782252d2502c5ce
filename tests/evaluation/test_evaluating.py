"""An evaluation whole: check, run, report; and what gate and comparison make of reports."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import pytest
from evaluator_samples import many_cases, written_cases

from ragclean.evaluation import DAILY, WEEKLY, GullibleAnswerer, NoiseMaker, NoiseSettings, OfflineJudge, RobustAnswerer
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.cases import with_keypoints
from ragclean.evaluation.comparing import ComparisonError
from ragclean.evaluation.degradation import degradations, measure
from ragclean.evaluation.evaluating import compare_reports, evaluate, gate_report
from ragclean.evaluation.gating import GateError
from ragclean.evaluation.records import EvalCase
from ragclean.evaluation.scoring import averages
from ragclean.types import Chunk

SETTINGS = NoiseSettings(on_empty_band="nearest")


@pytest.fixture(scope="module")
def cases():
    return written_cases(10)


@pytest.fixture(scope="module")
def many():
    return many_cases(100)


@pytest.fixture(scope="module")
def robust(many):
    return evaluate(many, RobustAnswerer(many), pipeline="robust-1")


@pytest.fixture(scope="module")
def gullible(many):
    return believed(evaluate(many, GullibleAnswerer(many), pipeline="gullible-1", check="off"))


def believed(report):
    """As if its check had passed: the same evaluator's does, with the robust."""
    return replace(report, checked=True)


class Seen:
    """Answers with its first context, and remembers what it was shown."""

    def __init__(self):
        self.shown, self._lock = [], threading.Lock()

    def __call__(self, question, contexts):
        with self._lock:
            self.shown.append((question, tuple(contexts)))
        return contexts[0].text if contexts else ""


# -- the report


def test_a_report_says_what_was_run_by_whom_and_when(cases, tmp_path):
    report = evaluate(cases, RobustAnswerer(cases), pipeline="rag-7", noise=SETTINGS, variants=WEEKLY)
    assert (report.pipeline, report.judge, report.variants) == ("rag-7", OfflineJudge().fingerprint, WEEKLY)
    assert report.date == date.today().isoformat()
    assert (report.checked, report.valid, report.check_failures) == (True, True, ())
    assert {c.name for c in report.checks} >= {"oracle", "strangers", "agreement", "contradictions", "controls", "no change", "contexts"}
    assert report.noise["on_empty_band"] == "nearest"
    assert report.corpus
    assert [c.id for c in report.cases] == [c.id for c in cases]
    assert {o.shown.variant for o in report.outcomes} == set(WEEKLY)
    report.save(tmp_path / "r.json")
    assert EvalReport.load(tmp_path / "r.json") == report


def test_the_base_is_always_among_the_variants(cases):
    report = evaluate(cases, RobustAnswerer(cases), pipeline="p", variants=("v3",), check="off")
    assert report.variants == DAILY


def test_without_a_check_a_report_is_not_valid_and_gates_nothing(cases):
    report = evaluate(cases, RobustAnswerer(cases), pipeline="p", check="off")
    assert (report.checked, report.valid, report.checks) == (None, False, ())
    with pytest.raises(GateError, match="was not made") as error:
        gate_report(report, releasing="p")
    assert error.value.exit_code == 3


def test_a_judge_that_cannot_judge_makes_the_report_invalid(cases):
    class Blind(OfflineJudge):
        fingerprint = "blind"

        def coverage(self, question, answer, reference, points):
            return [replace(p, covered=True, contradicted=False, evidence=answer) for p in super().coverage(question, answer, reference, points)]

    report = evaluate(cases, RobustAnswerer(cases), Blind(), pipeline="p")
    assert (report.checked, report.valid) == (False, False)
    assert any(f.startswith("strangers: correctness of other cases' references") for f in report.check_failures)
    with pytest.raises(GateError, match="check of itself failed") as error:
        gate_report(report, releasing="p")
    assert error.value.exit_code == 3


def test_few_cases_say_why_the_check_could_not_be_made(cases):
    report = evaluate(cases[:3], RobustAnswerer(cases), pipeline="p")
    assert report.checked is None
    assert {c.name: c.detail for c in report.checks}["oracle"] == "3 cases have a score; 5 are needed"
    bare = [replace(c, contexts=()) for c in cases]
    report = evaluate(bare, lambda question, contexts: "?", pipeline="p", variants=("v0",))
    assert report.checked is None
    assert {c.detail for c in report.checks} == {"no case has contexts"}


@pytest.mark.parametrize(("change", "message"), [
    ({"pipeline": "  "}, "pipeline: it is blank"),
    ({"check": "x"}, "check: expected sample, full or off, got 'x'"),
    ({"variants": ("v0", "v9")}, "variants: expected some of v0, v1, v2, v3, v4, got 'v9'"),
    ({"repeats": 0, "check": "off"}, "repeats: must be 1 or more"),
    ({"cases": []}, "cases: there is none"),
    ({"cases": written_cases(2) * 2}, "cases: the id 'w00' is used twice"),
])  # fmt: skip
def test_what_cannot_be_run_is_named(cases, change, message):
    arguments = {"cases": cases, "answer": RobustAnswerer(cases), "pipeline": "p", **change}
    with pytest.raises(ValueError, match=message):
        evaluate(**arguments)


def test_what_a_retriever_brings_is_evaluated_and_checked(cases):
    bring = {c.question: c.contexts for c in cases}
    bare = [replace(c, contexts=()) for c in cases]
    application = Seen()
    report = evaluate(bare, application, pipeline="p", retrieve=lambda question: bring[question])
    assert report.checked is True
    assert [c.contexts for c in report.cases] == [c.contexts for c in cases]
    assert {o.shown.variant for o in report.outcomes} == {"v0", "v3"}


def test_question_and_real_contexts_reach_the_application_byte_for_byte(cases):
    odd = [replace(c, question=f"\u3000{c.question}\ufeff \u0041\u030a\r\n", contexts=tuple(replace(x, text=f"\ufeff{x.text}\u00a0\r\n") for x in c.contexts)) for c in cases[:6]]
    application = Seen()
    evaluate(odd, application, pipeline="p", noise=SETTINGS, variants=("v0", "v1", "v3"))
    of = {c.question: c.contexts for c in odd}
    assert {question for question, _ in application.shown} == set(of)
    for question, contexts in application.shown:
        assert tuple(c for c in contexts if c in of[question]) == of[question]


# -- what comes out


def test_base_against_base_shows_no_degradation(cases):
    report = evaluate(cases, Seen(), pipeline="p", variants=("v0",), repeats=2)
    sides = [[o for o in report.outcomes if o.repeat == r] for r in (0, 1)]
    found = measure(sides[0], sides[1], "v1")
    assert (found.correctness.value, found.faithfulness.value, found.grade) == (0.0, 0.0, "robust")
    assert {c.name: c.passed for c in report.checks}["no change"] is True


def test_an_application_that_always_refuses_is_not_robust_and_does_not_pass(many):
    report = believed(evaluate(many, lambda question, contexts: "The passages do not say.", pipeline="shy", check="off"))
    assert averages(report.outcomes)[0].correctness == 0.0
    assert {d.grade for d in degradations(report.outcomes, report.cases) if d.by == "all"} == {"inconclusive"}
    assert gate_report(report, releasing="shy").exit_code == 4


def test_the_check_of_an_application_that_always_refuses_passes_all_the_same(cases):
    """The evaluator is sound; the application is not."""
    report = evaluate(cases, lambda question, contexts: "The passages do not say.", pipeline="shy")
    assert report.valid is True
    assert {c.name: c.passed for c in report.checks}["no change"] is None


def test_refusing_under_noise_is_a_loss(many):
    def shy(question, contexts):
        return contexts[0].text if len(contexts) == 2 else "资料中没有提到。"

    report = believed(evaluate(many, shy, pipeline="shy", check="off"))
    (overall,) = [d for d in degradations(report.outcomes, report.cases) if d.by == "all"]
    assert (overall.correctness.value, overall.grade) == (1.0, "sensitive")
    assert gate_report(report, releasing="shy").exit_code == 1


@pytest.mark.parametrize(("value", "unit", "answer", "right"), [
    ("70", "元", "70元", True),
    ("70", "元", "170元", False),
    ("170", "元", "70元", False),
    ("2.3", "%", "2.3%", True),
    ("2.3", "%", "12.3%", False),
    ("12.3", "%", "2.3%", False),
    ("二十四", "小时", "24h", True),
    ("24", "h", "二十四小时", True),
    ("24", "小时", "四十八小时", False),
    ("1,299.00", "元", "1299元", True),
    ("1299", "元", "1,299.00元", True),
    ("1299", "元", "1,2990元", False),
    ("1299", "元", "299元", False),
])  # fmt: skip
def test_numbers_are_judged_right_both_ways_through_the_whole_machine(value, unit, answer, right):
    text = f"套餐的办理标准为{value}{unit}。"
    case = with_keypoints(EvalCase("n", "套餐的办理标准是多少？", text, (), (Chunk(text, id="c1"),), ("c1",)))
    report = evaluate([case], lambda question, contexts: f"套餐的办理标准为{answer}。", pipeline="p", variants=("v0",), check="off")
    (outcome,) = report.outcomes
    assert (outcome.score.correctness, outcome.score.faithfulness) == (float(right), float(right))


# -- gate and comparison


def test_the_robust_pass_and_the_gullible_are_blocked(robust, gullible):
    assert robust.valid is True
    passed = gate_report(robust, releasing="robust-1", critical=["price"])
    assert (passed.verdict, passed.exit_code) == ("pass", 0)
    assert [(b.name, b.critical) for b in passed.buckets] == [("price", True), ("保修", False)]
    blocked = gate_report(gullible, releasing="gullible-1", critical=["price"])
    assert (blocked.verdict, blocked.exit_code) == ("blocked", 1)
    root = ElementTree.fromstring(blocked.to_junit().encode("utf-8"))
    assert (root.get("tests"), root.get("failures")) == ("2", "2")
    assert [c.get("name") for c in root.iter("testcase")] == ["price (critical)", "保修"]


def test_a_gate_refuses_another_pipeline_and_an_unchecked_report(robust):
    for report, releasing, code in ((robust, "robust-2", 2), (replace(robust, checked=None), "robust-1", 3), (replace(robust, checked=False), "robust-1", 3)):
        with pytest.raises(GateError) as error:
            gate_report(report, releasing=releasing)
        assert error.value.exit_code == code


def test_too_few_cases_are_an_outcome_of_their_own(robust):
    few = {c.id for c in robust.cases[:12]}
    report = replace(robust, cases=robust.cases[:12], outcomes=tuple(o for o in robust.outcomes if o.shown.case_id in few))
    assert gate_report(report, releasing="robust-1", critical=["price"]).exit_code == 4


def test_the_gullible_come_out_worse_than_the_robust(robust, gullible):
    assert compare_reports(robust, gullible).worse() == "second"
    assert compare_reports(gullible, robust).worse() == "first"
    assert compare_reports(robust, robust).worse() == ""


@pytest.mark.parametrize(("change", "message"), [
    ({"judge": "another-judge"}, "another-judge"),
    ({"noise": {"count": 3, "position": "front", "seed": 0}}, "different noise: position spread and front"),
    ({"corpus": "0123"}, "different corpus of noise: .* and 0123"),
    ({"variants": ("v0",)}, "different variants: only the first has v3"),
    ({"cases": 1}, "different cases of v0: only the first has t000"),
])  # fmt: skip
def test_what_cannot_be_compared_is_named(robust, change, message):
    if "cases" in change:
        change = {"cases": robust.cases[1:], "outcomes": tuple(o for o in robust.outcomes if o.shown.case_id != "t000")}
    if "variants" in change:
        change = {**change, "outcomes": tuple(o for o in robust.outcomes if o.shown.variant == "v0")}
    if "noise" in change:
        change = {"noise": {**robust.noise, **change["noise"]}}
    with pytest.raises(ComparisonError, match=message):
        compare_reports(robust, replace(robust, **change))


def test_a_maker_of_ones_own_is_used_for_check_and_run(cases):
    class Counting(NoiseMaker):
        made = 0

        def make(self, case, variant, contexts=None):
            Counting.made += 1
            return super().make(case, variant, contexts)

    base = NoiseMaker.of_cases(cases, SETTINGS)
    report = evaluate(cases, RobustAnswerer(cases), pipeline="p", noise=Counting(base.corpus, base.settings))
    assert Counting.made > len(cases)
    assert report.corpus == base.corpus.fingerprint
