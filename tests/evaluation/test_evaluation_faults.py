"""A run among faults: of endpoints, of the application, of the judge, of the retriever. What failed is said and is no 0."""

import asyncio
import functools
import json
import threading
import time
from dataclasses import replace

import pytest
from chat_server import completion, drop, hang, say, send

from ragclean.endpoint import Endpoint
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.degradation import degradations
from ragclean.evaluation.llm_answer_judge import EndpointAnswerJudge
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import Judgement
from ragclean.evaluation.running import LONGEST_ANSWER, failures, plan_run, run_evaluation
from ragclean.evaluation.scoring import averages
from ragclean.types import Chunk

KEY = "sk-secret-0123456789"


@pytest.fixture(scope="module")
def cases(root):
    return read_cases(root / "tests" / "data" / "cases.jsonl")


@pytest.fixture(scope="module")
def maker(cases):
    return NoiseMaker.of_cases(cases, NoiseSettings(on_empty_band="nearest"))


def run(cases, maker, answer, judge=None, **options):
    return run_evaluation(cases, answer, judge or OfflineJudge(), pipeline="p", noise=maker, **options)


def first(question, contexts):
    return contexts[0].text


# -- endpoints


def verdicts(seen):
    """Every point covered, no claim mentioned."""
    data = json.loads(seen.user)
    if "claims" in data:
        return json.dumps({"items": [{"id": c["id"], "verdict": "not_mentioned"} for c in data["claims"]]})
    return json.dumps({"items": [{"id": p["id"], "verdict": "covered", "evidence": data["answer"][:40]} for p in data["points"]]}, ensure_ascii=False)


FAULTS = [
    send(429, "{}", retry_after="0"), send(429, "{}", retry_after="3600"), send(500, "oops"), hang, drop, say(""),
    send(200, completion("{}")[:-20]), say('{"items": [{"id": 1, "verd'), say("Извините, я не могу ответить."), send(200, "<html>", kind="text/html"),
]  # fmt: skip


def test_a_run_over_a_bad_endpoint_ends_and_counts_only_what_came_through(cases, chat_server, tmp_path):
    pytest.importorskip("openai")
    bad = {case.question: fault for case, fault in zip(cases[::3], FAULTS * 2, strict=False)}
    chat_server.script = lambda seen: bad.get(json.loads(seen.user)["question"]) or say(verdicts(seen))

    def made(cases, cache=None, timeout=0.3):
        endpoint = Endpoint(
            "judge", base_url=chat_server.url, api_key=KEY, pause=0.0, timeout=timeout, patience=60.0, max_retries=1,
            concurrency=8, cache=tmp_path / "judge.sqlite3",
        )  # fmt: skip
        return run(cases, None, first, EndpointAnswerJudge(endpoint), variants=("v0",), cache=cache)

    report = made(cases, tmp_path)
    failed = {o.shown.case_id for o in report.outcomes if o.judgement.failed}
    assert failed >= {c.id for c in cases if c.question in bad}  # and, on a slow machine, one or another beside them
    assert all(o.score.correctness is None and o.score.faithfulness is None for o in report.outcomes if o.judgement.failed)
    assert sum(failures(report.outcomes).values()) == len(failed)
    assert KEY not in json.dumps(report.to_dict())
    (base,) = averages(report.outcomes)
    assert (base.cases, base.failed) == (len(cases) - len(failed), len(failed))
    (good,) = averages(made([c for c in cases if c.id not in failed]).outcomes)
    assert replace(base, failed=0) == good
    report.save(tmp_path / "r.json")
    assert EvalReport.load(tmp_path / "r.json") == report
    chat_server.release.set()
    bad.clear()
    chat_server.seen.clear()
    whole = made(cases, tmp_path, timeout=30.0)
    assert failures(whole.outcomes) == {}
    again = {json.loads(s.user)["question"] for s in chat_server.seen}
    assert again == {c.question for c in cases if c.id in failed}


def test_a_failure_on_one_side_leaves_the_case_out_of_the_degradation(cases, maker):
    down = {c.question for c in cases[:4]}

    def answer(question, contexts):
        if question in down and len(contexts) > len(next(c.contexts for c in cases if c.question == question)):
            raise ConnectionError("no route")
        return contexts[-1].text

    report = run(cases[:12], maker, answer)
    all_cases = next(d for d in degradations(report.outcomes, report.cases) if d.by == "all")
    shown = {o.shown.case_id for o in report.outcomes if o.shown.variant == "v3"}
    assert all_cases.correctness.failed == len(shown & {c.id for c in cases[:4]}) > 0


# -- applications


@pytest.mark.parametrize(("given", "reason"), [
    (None, "expected a string, got NoneType"), (b"x", "expected a string, got bytes"), (3, "expected a string, got int"),
    ({"answer": "x"}, "expected a string, got dict"), (["x"], "expected a string, got list"),
    ("很长。" * 3_400_000, f"the answer has more than {LONGEST_ANSWER} characters"),
])  # fmt: skip
@pytest.mark.parametrize("asynchronous", [False, True])
def test_an_answer_that_is_none_is_a_failure(cases, given, reason, asynchronous, tmp_path, no_blow_up):
    async def later(question, contexts):
        return given

    with no_blow_up():
        for _ in range(2):  # the second run finds what the first one kept
            report = run(cases[:2], None, later if asynchronous else lambda q, c: given, variants=("v0",), cache=tmp_path)
            assert failures(report.outcomes) == {reason: 2}
            assert all(o.score.correctness is None for o in report.outcomes)
            report.save(tmp_path / "r.json")
            assert EvalReport.load(tmp_path / "r.json") == report
            assert (tmp_path / "r.json").stat().st_size < 2_000_000


@pytest.mark.parametrize("given", ["", "   ", "\ud800", "24\udfff个月", "\x00", "保修\u202e24个月", "😀" * 100, "。" * 40_000])
def test_any_string_is_an_answer_and_survives_cache_and_file(cases, given, tmp_path, no_blow_up):
    with no_blow_up():
        report = run(cases[:2], None, lambda q, c: given, variants=("v0",), cache=tmp_path)
        again = run(cases[:2], None, lambda q, c: pytest.fail("it was kept"), variants=("v0",), cache=tmp_path)
    assert [o.answer for o in report.outcomes] == [given] * 2
    assert again == report
    report.save(tmp_path / "r.json")
    assert EvalReport.load(tmp_path / "r.json") == report


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no message")


@pytest.mark.parametrize("error", [ValueError("bad\nline " * 400), Mute(), asyncio.CancelledError(), TimeoutError(), RecursionError(), MemoryError()])
def test_whatever_an_async_application_raises_is_a_failure_of_that_answer(cases, error):
    async def answer(question, contexts):
        if question == cases[0].question:
            raise error
        return contexts[0].text

    report = run(cases[:3], None, answer, variants=("v0",))
    (reason,) = failures(report.outcomes)
    assert reason.startswith(type(error).__name__) and len(reason) <= 300 and "\n" not in reason
    assert [bool(o.failed) for o in report.outcomes] == [True, False, False]


@pytest.mark.parametrize("kind", ["function", "lambda", "partial", "method", "object", "future"])
def test_async_applications_of_every_kind_run_side_by_side_on_one_loop(cases, kind):
    seen = {"loops": set(), "now": 0, "most": 0}

    async def answer(question, contexts, *, seen=seen):
        seen["loops"].add(id(asyncio.get_running_loop()))
        seen["now"] += 1
        seen["most"] = max(seen["most"], seen["now"])
        await asyncio.sleep(0.05)
        seen["now"] -= 1
        return contexts[0].text

    class Application:
        async def ask(self, question, contexts):
            return await answer(question, contexts)

        async def __call__(self, question, contexts):
            return await answer(question, contexts)

    made = {
        "function": answer, "lambda": lambda q, c: answer(q, c), "partial": functools.partial(answer, seen=seen),
        "method": Application().ask, "object": Application(), "future": lambda q, c: Application()(q, c),
    }  # fmt: skip
    report = run(cases[:8], None, made[kind], variants=("v0",), concurrency=8)
    assert failures(report.outcomes) == {}
    assert len(seen["loops"]) == 1
    assert seen["most"] > 1


def test_what_an_async_application_runs_in_threads_runs_as_many_at_a_time_as_the_run(cases):
    together = threading.Barrier(12, timeout=30)

    async def answer(question, contexts):
        await asyncio.to_thread(together.wait)
        return contexts[0].text

    assert failures(run(cases[:12], None, answer, variants=("v0",), concurrency=12).outcomes) == {}


def test_an_error_that_is_no_exception_ends_the_run_and_waits_for_no_one(cases):
    never = threading.Event()

    def answer(question, contexts):
        if question == cases[3].question:
            raise KeyboardInterrupt
        never.wait(600)

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run(cases[:8], None, answer, variants=("v0",), concurrency=4)
    never.set()
    assert time.monotonic() - started < 300  # it hangs for twice as long


def test_an_answer_asked_for_twice_at_once_is_asked_once(cases):
    twins = [cases[0], replace(cases[0], id="twin")]
    calls, together = [], threading.Event()

    def answer(question, contexts):
        calls.append(question)
        together.wait(0.3)
        return contexts[0].text

    report = run(twins, None, answer, variants=("v0",))
    assert len(calls) == 1
    assert report.outcomes[0].answer == report.outcomes[1].answer


# -- judges


@pytest.mark.parametrize(("made", "reason"), [
    (lambda: None, "TypeError: expected a Judgement, got NoneType"), (lambda: "right", "TypeError: expected a Judgement, got str"),
    (lambda: 1 / 0, "ZeroDivisionError: division by zero"), (lambda: Judgement(points=("x",)), "TypeError"),
    (lambda: Judgement(failed="no money left"), "no money left"),
])  # fmt: skip
def test_a_judge_that_gives_no_verdict_is_a_failure(cases, made, reason):
    class Bad:
        fingerprint = "bad"

        def judge(self, *given):
            return made()

    report = run(cases[:2], None, first, Bad(), variants=("v0",))
    (said,) = failures(report.outcomes)
    assert said.startswith(reason)
    assert all(o.answer and o.score.correctness is None for o in report.outcomes)


# -- contexts and questions


def test_the_question_passes_byte_for_byte(cases):
    odd = [replace(cases[0], id=str(i), question=q) for i, q in enumerate(["  保修多久？\n", "Ｘ２００保修？", "a\u0301 e\u0301?", "ﬁne print?", "\u200b是吗\ufeff", "a\ud800?"])]
    asked = []
    run(odd, None, lambda q, c: asked.append(q) or "x", variants=("v0", "v3"), concurrency=1)
    assert set(asked) == {c.question for c in odd}


def test_cases_without_contexts_are_said_where_there_is_no_retriever(cases, maker, caplog):
    bare = [replace(c, contexts=(), gold=()) for c in cases[:2]]
    report = run([*bare, cases[2]], maker, lambda q, c: "x", variants=("v0", "v1", "v3", "v4"))
    (said,) = [r.getMessage() for r in caplog.records if "no contexts" in r.getMessage()]
    assert "2 of 3 cases" in said and bare[0].id in said
    assert report.warnings == (said,)
    assert run(cases[:2], None, first, variants=("v0",)).warnings == ()
    made = {(o.shown.case_id, o.shown.variant): o.shown.contexts for o in report.outcomes}
    assert made[bare[0].id, "v0"] == ()
    assert made[bare[0].id, "v4"]
    short = {(s.case_id, s.variant): s.reason for s in report.short}
    assert "no contexts" in short[bare[0].id, "v1"] and "no contexts" in short[bare[1].id, "v3"]
    assert (cases[2].id, "v1") not in short


def test_a_run_without_any_contexts_still_runs(cases, tmp_path):
    bare = [replace(c, contexts=(), gold=()) for c in cases[:2]]
    report = run_evaluation(bare, lambda q, c: "x", OfflineJudge(), pipeline="p")
    assert [(o.shown.variant, o.shown.contexts) for o in report.outcomes] == [("v0", ())] * 2
    assert [s.variant for s in report.short] == ["v3"] * 2
    report.save(tmp_path / "r.json")
    assert EvalReport.load(tmp_path / "r.json") == report


def test_a_retriever_is_asked_once_for_a_case_and_its_failures_are_those_of_the_case(cases, tmp_path):
    bare = [replace(c, contexts=(), gold=()) for c in cases[:4]]
    asked, lock = [], threading.Lock()

    def retrieve(question):
        with lock:
            asked.append(question)
        if question == cases[1].question:
            raise ConnectionError("index is down")
        if question == cases[2].question:
            return []
        return [{"text": "甲", "id": "x"}, {"text": "乙", "id": "x"}, "丙", {"text": 3}, Chunk("丁", metadata={"page": 7})]

    def answer(question, contexts):
        return "+".join(c.text + str(c.metadata.get("page", "")) for c in contexts)

    def made():
        return run_evaluation(bare, answer, OfflineJudge(), pipeline="p", retrieve=retrieve, variants=("v0",), cache=tmp_path)

    report, again = made(), made()
    assert again == report
    assert sorted(asked) == sorted([c.question for c in bare] + [cases[1].question, cases[2].question])  # what failed or is empty
    assert [o.answer for o in report.outcomes] == ["甲+乙+丙+丁7", "", "", "甲+乙+丙+丁7"]
    assert failures(report.outcomes) == {"retrieve: ConnectionError: index is down": 1}
    assert ["2 of 4 cases have no contexts (the retriever brought none)" in w for w in report.warnings] == [True]
    assert len({c.id for c in report.outcomes[0].shown.contexts}) == 4


def test_a_retriever_of_objects_that_cannot_be_kept_is_asked_again(cases, tmp_path):
    bare, asked = [replace(cases[0], contexts=(), gold=())], []

    def retrieve(question):
        asked.append(question)
        return [Chunk("甲", metadata={"own": object()})]

    for _ in range(2):
        run_evaluation(bare, lambda q, c: str("own" in c[0].metadata), OfflineJudge(), pipeline="p", retrieve=retrieve, variants=("v0",), cache=tmp_path)
    assert len(asked) == 2


# -- the plan


def test_the_plan_counts_v0_and_tells_how_many_judge_calls_there_are_at_most(cases, maker):
    plan = plan_run(cases[:6], ("v3",), noise=maker, repeats=2)
    shown = 12 - len(plan.short)
    assert plan.variants == ("v0", "v3")
    assert (plan.answers, plan.judge_calls) == (2 * shown, 4 * shown)
    assert plan.judge_calls_most == plan.judge_calls + 2 * (shown - 6)
    bare = [replace(c, contexts=(), gold=()) for c in cases[:3]]
    assert plan_run(bare, ("v3",)).answers == 3
    assert plan_run(bare, ("v3",), retrieved=True).answers == 6


@pytest.mark.parametrize("concurrency", [0, -1, True])
def test_a_wrong_concurrency_is_refused(cases, concurrency):
    with pytest.raises(ValueError, match="concurrency: must be 1 or more"):
        run(cases[:1], None, first, concurrency=concurrency)


def test_an_endpoint_that_lets_fewer_through_than_the_run_asks_is_warned_of(cases, caplog):
    class Narrow(OfflineJudge):
        endpoint = type("Endpoint", (), {"concurrency": 4})()

    run(cases[:1], None, first, Narrow(), variants=("v0",), concurrency=4)
    assert not caplog.records
    run(cases[:1], None, first, Narrow(), variants=("v0",), concurrency=5)
    assert "lets through 4 requests at a time" in caplog.text
