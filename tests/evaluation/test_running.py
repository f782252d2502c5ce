"""A run: every case under every variant, nothing asked twice, what failed is no 0."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.records import ClaimVerdict, Judgement, PointVerdict
from ragclean.evaluation.running import DAILY, WEEKLY, failures, plan_run, run_evaluation


class WordForWord:
    """A judge that believes what stands word for word in the answer and in the trusted contexts."""

    fingerprint = "word-for-word-1"

    def __init__(self):
        self.calls = 0
        self._lock = threading.Lock()

    def judge(self, question, answer, case, shown):
        with self._lock:
            self.calls += 1
        points = tuple(PointVerdict(p, p in answer, evidence=p if p in answer else "") for p in case.keypoints)
        held = next((c for c in shown.trusted if answer and answer in c.text), None)
        claim = ClaimVerdict(answer, "supported" if held else "not_mentioned", answer if held else "", held.id if held else "")
        return Judgement((claim,) if answer else (), points, refusal=not answer)


class First:
    """An application that gives back the first context, and counts."""

    def __init__(self):
        self.calls = 0
        self._lock = threading.Lock()

    def __call__(self, question, contexts):
        with self._lock:
            self.calls += 1
        return contexts[0].text


@pytest.fixture(scope="module")
def cases(root):
    return read_cases(root / "tests" / "data" / "cases.jsonl")[:8]


@pytest.fixture(scope="module")
def maker(root):
    return NoiseMaker.of_cases(read_cases(root / "tests" / "data" / "cases.jsonl"), NoiseSettings(on_empty_band="nearest"))


def run(cases, maker, answer, judge, **options):
    return run_evaluation(cases, answer, judge, pipeline="first-1", noise=maker, **options)


def test_every_case_is_shown_under_every_variant_in_order(cases, maker):
    report = run(cases, maker, First(), WordForWord(), variants=WEEKLY)
    made = [(o.shown.case_id, o.shown.variant) for o in report.outcomes]
    short = {(s.case_id, s.variant) for s in report.short}
    assert made == [(c.id, v) for c in cases for v in WEEKLY if (c.id, v) not in short]
    assert all(o.shown.contexts == c.contexts for c in cases for o in report.outcomes if (o.shown.case_id, o.shown.variant) == (c.id, "v0"))


def test_the_plan_counts_the_calls_that_are_made(cases, maker):
    answer, judge = First(), WordForWord()
    plan = plan_run(cases, DAILY, noise=maker, price_answer=0.01, price_judge_call=0.001)
    run(cases, maker, answer, judge)
    assert (answer.calls, judge.calls) == (plan.answers, plan.judge_calls // 2)
    assert plan.price == pytest.approx(plan.answers * 0.01 + plan.judge_calls * 0.001)


def test_nothing_is_asked_twice_and_the_report_is_the_same_byte_for_byte(cases, maker, tmp_path):
    first, again = First(), First()
    judges = WordForWord(), WordForWord()
    run(cases, maker, first, judges[0], cache=tmp_path / "cache").save(tmp_path / "a.json")
    run(cases, maker, again, judges[1], cache=tmp_path / "cache").save(tmp_path / "b.json")
    assert first.calls > 0
    assert (again.calls, judges[1].calls) == (0, 0)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_run_that_was_stopped_pays_for_the_rest_only(cases, maker, tmp_path):
    class Stopped(First):
        def __call__(self, question, contexts):
            if self.calls == 5:
                raise KeyboardInterrupt
            return super().__call__(question, contexts)

    stopped, resumed, whole = Stopped(), First(), First()
    with pytest.raises(KeyboardInterrupt):
        run(cases, maker, stopped, WordForWord(), cache=tmp_path, concurrency=1)
    report = run(cases, maker, resumed, WordForWord(), cache=tmp_path)
    reference = run(cases, maker, whole, WordForWord())
    assert stopped.calls + resumed.calls == whole.calls
    assert report == reference


def test_another_pipeline_or_repeat_is_asked_anew(cases, maker, tmp_path):
    answer = First()
    run(cases, maker, answer, WordForWord(), cache=tmp_path)
    before = answer.calls
    run_evaluation(cases, answer, WordForWord(), pipeline="first-2", noise=maker, cache=tmp_path)
    assert answer.calls == 2 * before
    run(cases, maker, answer, WordForWord(), cache=tmp_path, repeats=2)
    assert answer.calls == 3 * before  # the first repeat is known


def test_an_application_that_fails_is_counted_as_failed_and_not_as_wrong(cases, maker):
    def down(question, contexts):
        raise ConnectionError("no route")

    report = run(cases, maker, down, WordForWord())
    assert failures(report.outcomes) == {"ConnectionError: no route": len(report.outcomes)}
    assert all(o.score.correctness is None for o in report.outcomes)


def test_a_judge_that_fails_is_asked_again_the_next_time(cases, maker, tmp_path):
    class Down(WordForWord):
        def judge(self, *given):
            super().judge(*given)
            raise TimeoutError("slow")

    report = run(cases, maker, First(), Down(), cache=tmp_path)
    assert all(o.judgement.failed == "TimeoutError: slow" and o.score.faithfulness is None for o in report.outcomes)
    judge = WordForWord()
    run(cases, maker, First(), judge, cache=tmp_path)
    assert judge.calls == len(report.outcomes)


def test_an_async_application_runs_on_one_loop(cases, maker):
    loops = set()

    async def answer(question, contexts):
        loops.add(id(asyncio.get_running_loop()))
        await asyncio.sleep(0)
        return contexts[0].text

    report = run(cases, maker, answer, WordForWord())
    assert len(loops) == 1
    assert report.outcomes == run(cases, maker, First(), WordForWord()).outcomes


def test_a_retriever_brings_the_contexts_of_cases_that_have_none(cases, maker):
    from dataclasses import replace

    bare = [replace(case, contexts=(), gold=()) for case in cases]
    by_question = {case.question: case.contexts for case in cases}
    report = run(bare, maker, First(), WordForWord(), retrieve=lambda q: by_question[q], variants=("v0",))
    assert [o.shown.contexts for o in report.outcomes] == [c.contexts for c in cases]


def test_a_report_survives_its_file(cases, maker, tmp_path):
    report = run(cases, maker, First(), WordForWord(), variants=WEEKLY)
    report.save(tmp_path / "r.json")
    assert EvalReport.load(tmp_path / "r.json") == report
    (tmp_path / "bad.json").write_text('{"schema": 99}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.json: schema: this version reads 1, got 99"):
        EvalReport.load(tmp_path / "bad.json")


def _set(data, path, value):
    *way, last = path
    for step in way:
        data = data[step]
    data[last] = value


@pytest.mark.parametrize(("path", "value", "message"), [
    (("outcomes", 0, "score", "correctness"), "1.0", r"outcomes\[0\]\.score\.correctness: expected float, got '1.0'"),
    (("outcomes", 1, "score", "refusal"), 0, "score.refusal: expected bool"),
    (("outcomes", 0, "answer"), None, "answer: expected str, got None"),
    (("outcomes", 0, "variant"), "v9", "shown.variant: expected 'v0' or 'v1'"),
    (("outcomes", 0, "case"), "no such", "there is no case 'no such'"),
    (("outcomes", 0, "judgement", "refusal"), "no", "judgement.refusal: expected bool"),
    (("chunks", 0, "text"), 7, "text: expected str, got 7"),
    (("checked",), "yes", "report.checked: expected bool, got 'yes'"),
    (("repeats",), True, "report.repeats: expected int, got True"),
    (("pipeline",), ["p"], "report.pipeline: expected str"),
    (("outcomes", 0, "score", "correctness"), 10**400, r"score\.correctness: expected float"),
    (("outcomes", 0, "score", "correctness"), 2, r"outcomes\[0\]\.score\.correctness: expected a share from 0 to 1, got 2"),
    (("outcomes", 1, "contexts"), [-1], r"outcomes\[1\]: .*there is no chunk -1"),
    (("outcomes", 1, "judgement", "claims"), None, r"outcomes\[1\]: not of the form"),
    (("outcomes", 1, "repeat"), 1, r"outcomes\[1\]: the report has no v3, repeat 1"),
    (("outcomes", 1, "variant"), "v0", r"outcomes\[1\]: '.*', v0 stands there twice"),
    (("outcomes",), {}, "outcomes: expected a list, got dict"),
    (("warnings",), "ab", "warnings: expected a list, got str"),
    (("schema",), True, "schema: this version reads 1, got True"),
])  # fmt: skip
def test_a_report_with_a_field_of_another_kind_is_refused_by_name(cases, maker, path, value, message):
    data = json.loads(json.dumps(run(cases[:2], maker, First(), WordForWord()).to_dict()))
    EvalReport.from_dict(data)
    _set(data, path, value)
    with pytest.raises(ValueError, match=message):
        EvalReport.from_dict(data)


@pytest.mark.parametrize(("change", "message"), [
    ({"variants": ("v9",)}, "variants: expected some of v0"), ({"repeats": 0}, "repeats: must be 1 or more"),
])  # fmt: skip
def test_misuse_is_refused_by_name(cases, maker, change, message):
    with pytest.raises(ValueError, match=message):
        run(cases, maker, First(), WordForWord(), **change)
    with pytest.raises(ValueError, match="cases: there is none"):
        run([], maker, First(), WordForWord())
    with pytest.raises(ValueError, match="is used twice"):
        run([cases[0], cases[0]], maker, First(), WordForWord())
