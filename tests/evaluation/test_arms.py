"""The corrector on and off, over the same cases and the same noise."""

from __future__ import annotations

import json

import pytest
from evaluator_samples import written_cases

from ragclean.evaluation import ExtractiveReader, NoiseMaker, NoiseSettings, RobustAnswerer, read_cases
from ragclean.evaluation.arms import compare_arms, strict_match, value_match
from ragclean.evaluation.evaluating import gate_report
from ragclean.evaluation.gating import GateError
from ragclean.evaluation.records import EvalCase, Judgement, Outcome, Score, Shown
from ragclean.tokencount import estimate_tokens

SETTINGS = NoiseSettings(on_empty_band="nearest")


@pytest.fixture(scope="module")
def cases():
    return written_cases(8)


def first(question, contexts):
    return contexts[0].text if contexts else ""


@pytest.fixture(scope="module")
def arms(cases):
    return compare_arms(cases, first, pipeline="rag-1", top_k=2, noise=SETTINGS)


def test_every_arm_has_a_report_and_figures_by_variant(arms, cases):
    assert list(arms.reports) == ["raw", "vector rerank", "corrected"]
    assert [(f.arm, f.variant) for f in arms.figures] == [(a, v) for a in arms.reports for v in ("v0", "v3")]
    assert all(f.cases == len(cases) for f in arms.figures)
    assert set(arms.degradations) == set(arms.reports)
    plain = arms.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert [f["arm"] for f in plain["figures"]] == [f.arm for f in arms.figures]


def test_lengths_are_those_of_what_the_model_reads(arms, cases):
    figures = {(f.arm, f.variant): f for f in arms.figures}
    raw = figures["raw", "v0"]
    assert raw.tokens == pytest.approx(sum(estimate_tokens(c.text) for case in cases for c in case.contexts) / len(cases))
    assert raw.shorter == 0.0
    for arm in ("vector rerank", "corrected"):
        for variant in ("v0", "v3"):
            mine, before = figures[arm, variant], figures["raw", variant]
            assert mine.shorter == pytest.approx(1 - mine.tokens / before.tokens)
    assert figures["vector rerank", "v3"].shorter > 0.3  # two of five contexts are left
    assert figures["corrected", "v0"].shorter > 0.0


def test_all_arms_are_shown_the_same_noise_and_share_one_check(arms):
    first_report, *others = arms.reports.values()
    assert first_report.checked is True
    for report in others:
        assert [o.shown for o in report.outcomes] == [o.shown for o in first_report.outcomes]
        assert (report.checks, report.checked) == (first_report.checks, True)
    assert len({r.pipeline for r in arms.reports.values()}) == 3
    assert all(r.pipeline.startswith(f"rag-1+{arm}:") for arm, r in arms.reports.items())
    corrected = arms.reports["corrected"]
    with pytest.raises(GateError, match="not of 'rag-1'"):
        gate_report(corrected, releasing="rag-1")
    assert gate_report(corrected, releasing=corrected.pipeline).exit_code == 4  # eight cases


def test_answers_of_one_arm_are_not_taken_for_those_of_another(cases, tmp_path):
    """The same arm, another setting of its cleaner: what the cache holds of the one says nothing of the other."""

    class Only:
        def __init__(self, at):
            self._at = at
            self.fingerprint = f"only:{at}"

        def __call__(self, question, contexts):
            return contexts[self._at : self._at + 1]

    def answers(at):
        found = compare_arms(cases, first, pipeline="p", arms={"one": Only(at)}, variants=("v0",), cache=tmp_path, check="off")
        return [o.answer for o in found.reports["one"].outcomes]

    gold, beside = answers(0), answers(1)
    assert gold == [c.contexts[0].text for c in cases]
    assert beside == [c.contexts[1].text for c in cases]
    assert answers(0) == gold


def test_contexts_may_be_retrieved_once_for_all_arms(cases):
    asked = []

    def bring(question):
        asked.append(question)
        return next(c.contexts for c in cases if c.question == question)

    bare = [EvalCase(c.id, c.question, c.reference, c.keypoints, (), c.gold, as_of=c.as_of) for c in cases]
    found = compare_arms(bare, first, pipeline="p", retrieve=bring, check="off", noise=SETTINGS)
    assert sorted(asked) == sorted(c.question for c in cases)
    shown = [[o.shown for o in r.outcomes] for r in found.reports.values()]
    assert shown[0] == shown[1] == shown[2]
    assert {o.variant for o in shown[0]} == {"v0", "v3"}


def test_repeats_reach_every_arm(cases):
    found = compare_arms(cases[:2], first, pipeline="p", variants=("v0",), repeats=2, check="off")
    assert [len(r.outcomes) for r in found.reports.values()] == [4, 4, 4]


def test_a_cleaner_that_fails_is_a_failure_of_that_answer_and_not_the_end(cases):
    def broken(question, contexts):
        if question == cases[0].question:
            raise RuntimeError("no such index")
        return contexts

    found = compare_arms(cases, first, pipeline="p", arms={"broken": broken}, variants=("v0",), check="off")
    assert found.figures[0].cases == len(cases) - 1
    assert [o.failed for o in found.reports["broken"].outcomes if o.failed] == ["RuntimeError: no such index"]


def test_no_cases_and_a_bad_top_k_are_named(cases):
    with pytest.raises(ValueError, match="cases: there is none"):
        compare_arms([], first, pipeline="p")
    with pytest.raises(ValueError, match="top_k"):
        compare_arms(cases, first, pipeline="p", top_k=0)


# -- the two matches


def _outcome(answer):
    return Outcome(Shown("a", "v0", ()), answer, Judgement(), Score(None, None, None, None, None, None, False))


CASE = EvalCase("a", "年费会员一年多少钱，多久生效？", "年费为1,299元，24小时内生效。", ("年费为1,299元", "24小时内生效"))


@pytest.mark.parametrize(("answer", "strict", "value"), [
    ("年费为1,299元，24小时内生效。", True, True),
    ("年费为 1,299 元；２４小时内生效", True, True),
    ("年费为1299.00元，二十四小时内生效。", False, True),
    ("年费为1,299元。", False, False),
    ("年费为299元，24小时内生效。", False, False),
    ("年费为1,299元或1,399元，24小时内生效。", False, False),
    ("资料中没有提到。", False, False),
    ("", False, False),
])  # fmt: skip
def test_strict_match_wants_the_words_and_value_match_the_values(answer, strict, value):
    assert strict_match(_outcome(answer), CASE) is strict
    assert value_match(_outcome(answer), CASE) is value


def test_a_robust_application_is_right_in_every_arm_that_keeps_the_gold(cases):
    found = compare_arms(cases, RobustAnswerer(cases), pipeline="p", noise=SETTINGS, variants=("v0",), check="off")
    assert {f.arm: (f.strict_match, f.value_match, f.correctness) for f in found.figures}["raw"] == (1.0, 1.0, 1.0)


# -- the floor


@pytest.mark.slow
def test_the_corrector_halves_at_least_what_contradictions_cost(root):
    """Over the labelled cases that nothing was tuned on, with a reader that noise hurts."""
    files = sorted((root / "benchmarks" / "data" / "cases").glob("*-frozen.jsonl"))
    known = [case for path in files for case in read_cases(path)[::2]]
    maker = NoiseMaker.of_cases(known, SETTINGS)
    found = compare_arms(known, ExtractiveReader(), pipeline="reader", noise=maker, check="off")
    raw, corrected = found.degradations["raw"], found.degradations["corrected"]
    assert raw.correctness.value > 0.05  # otherwise there is nothing to halve
    assert corrected.correctness.value <= raw.correctness.value / 2
    assert corrected.faithfulness.value <= raw.faithfulness.value / 2
    assert raw.faithfulness.value > 0.05
    figures = {(f.arm, f.variant): f for f in found.figures}
    assert figures["corrected", "v3"].value_match > figures["raw", "v3"].value_match
    assert figures["corrected", "v3"].shorter > figures["vector rerank", "v3"].shorter > 0.0
