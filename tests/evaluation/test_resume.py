"""A run that is killed, stopped or run twice at once: the same report, and nothing paid for twice."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest
from chat_server import say, send

from ragclean.endpoint import Endpoint
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.llm_answer_judge import EndpointAnswerJudge
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.running import failures, run_evaluation

pytest.importorskip("openai")
#: A run of its own process: url, folder of the cases, folder of the caches, report, concurrency.
RUN = """
import sys, os
from ragclean.endpoint import Endpoint
from ragclean.evaluation.answerers import EndpointAnswerer
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.llm_answer_judge import EndpointAnswerJudge
from ragclean.evaluation.running import run_evaluation

url, data, kept, report, concurrency = sys.argv[1:]
cases = read_cases(data)[:5]
given = {"base_url": url, "api_key": "sk-secret-0123456789", "concurrency": int(concurrency), "timeout": 30}
answerer = EndpointAnswerer(Endpoint("answerer", cache=False, **given), may_refuse=True)
judge = EndpointAnswerJudge(Endpoint("judge", cache=os.path.join(kept, "judge.sqlite3"), **given))
made = run_evaluation(cases, answerer, judge, pipeline=answerer.fingerprint, cache=kept, concurrency=int(concurrency))
made.save(report)
"""


def reply(seen):
    """The same reply to the same request: an answer out of the passages, or verdicts that depend on every word."""
    if seen.body["model"] == "answerer":
        passages = seen.user.split("\n\n")[1:-2]
        return passages[len(seen.user) % len(passages)].split("] ", 1)[1].split("。")[0][:120]
    data = json.loads(seen.user)
    if "claims" in data:
        held = {c["id"]: c["text"] for c in data["claims"] if any(c["text"] in p["text"] for p in data["passages"])}
        items = [{"id": c["id"], "verdict": "supported" if c["id"] in held else "not_mentioned", "evidence": held.get(c["id"], "")} for c in data["claims"]]
    else:
        verdicts = [("covered", data["answer"][:12]), ("missing", ""), ("contradicted", data["answer"][-12:])]
        items = [{"id": p["id"], "verdict": v, "evidence": e} for p in data["points"] for v, e in [verdicts[(len(p["text"]) + len(data["answer"])) % 3]]]
    return json.dumps({"items": items}, ensure_ascii=False)


class Killer:
    """Answers; kills the process it is told of as it receives the request of a number, before that is answered."""

    def __init__(self, server, root, tmp_path):
        self.server, self.root, self.tmp = server, root, tmp_path
        self.process, self.at, self.lock = None, None, threading.Lock()
        server.script = self.script

    def script(self, seen):
        with self.lock:
            if self.at is not None and len(self.server.seen) >= self.at:
                self.at = None
                self.process.kill()
                self.process.wait()
        time.sleep(0.005)  # so that requests are in flight side by side
        return say(reply(seen))

    def start(self, kept, report, concurrency, at=None):
        arguments = [self.server.url, self.root / "tests" / "data" / "cases.jsonl", self.tmp / kept, self.tmp / report, concurrency]
        self.at = at
        self.process = subprocess.Popen([sys.executable, "-c", RUN, *map(str, arguments)])
        return self.process

    def whole(self, kept, report, concurrency):
        before = len(self.server.seen)
        assert self.start(kept, report, concurrency).wait(120) == 0
        return bodies(self.server.seen[before:]), (self.tmp / report).read_bytes()


def bodies(seen):
    return [json.dumps(s.body, sort_keys=True) for s in seen]


@pytest.fixture
def killer(chat_server, root, tmp_path):
    return Killer(chat_server, root, tmp_path)


def killed_and_resumed(killer, at, concurrency, name):
    """Requests before the kill and after it, and the report."""
    killer.server.seen.clear()
    assert killer.start(name, "none.json", concurrency, at).wait(120) == -signal.SIGKILL
    before = bodies(killer.server.seen)
    killer.server.seen.clear()
    after, report = killer.whole(name, f"{name}.json", concurrency)
    return before, after, report


@pytest.mark.slow
def test_a_run_killed_between_the_two_questions_of_a_verdict_pays_for_neither_twice(killer):
    asked, whole = killer.whole("whole", "whole.json", 1)
    assert Counter(asked).most_common(1)[0][1] == 1  # equal requests are sent once
    kinds = ["answer" if '"answerer"' in b else "support" if "claims" in b else "coverage" for b in asked]
    between = kinds.index("coverage") + 1  # the support of this verdict is answered, its coverage is under way
    assert kinds[between - 2] == "support"
    before, after, report = killed_and_resumed(killer, between, 1, "killed")
    assert before[:-1] + after == asked  # the one under way is asked again, and no other
    assert report == whole


@pytest.mark.slow
def test_a_run_killed_anywhere_ends_in_the_same_report_and_repeats_only_what_was_under_way(killer):
    for concurrency in (1, 4):
        asked, whole = killer.whole(f"whole-{concurrency}", "whole.json", concurrency)
        for at in [2, len(asked) // 2, len(asked)] if concurrency == 1 else [3, len(asked) // 3, len(asked) - 1]:
            before, after, report = killed_and_resumed(killer, at, concurrency, f"killed-{concurrency}-{at}")
            assert report == whole
            assert killer.whole(f"killed-{concurrency}-{at}", "again.json", concurrency) == ([], whole)
            assert set(before) | set(after) == set(asked)
            repeated = Counter(before + after) - Counter(asked)
            assert sum(repeated.values()) <= concurrency  # a worker has one call under way
            if concurrency == 1:
                assert before[:-1] + after == asked


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_run_killed_at_random_times_again_and_again_comes_to_its_end(killer, seed):
    asked, whole = killer.whole("whole", "whole.json", 4)
    killer.server.seen.clear()
    chance = random.Random(seed)
    kills = 0
    for _ in range(6):
        process, before = killer.start("kept", "kept.json", 4), len(killer.server.seen)
        while len(killer.server.seen) == before and process.poll() is None:  # loading says nothing of a run
            time.sleep(0.01)
        time.sleep(chance.uniform(0.0, 0.25))
        process.kill()
        kills += process.wait() == -signal.SIGKILL
    _, report = killer.whole("kept", "kept.json", 4)
    assert report == whole
    assert kills
    assert set(bodies(killer.server.seen)) == set(asked)
    assert len(killer.server.seen) <= len(asked) + 4 * kills


@pytest.mark.slow
def test_two_processes_on_one_cache_end_in_the_same_report(killer):
    asked, whole = killer.whole("whole", "whole.json", 4)
    killer.server.seen.clear()
    side = [killer.start("kept", f"{i}.json", 4) for i in range(2)]
    assert [p.wait(120) for p in side] == [0, 0]
    assert [(killer.tmp / f"{i}.json").read_bytes() for i in range(2)] == [whole, whole]
    assert set(bodies(killer.server.seen)) == set(asked)
    assert len(killer.server.seen) <= 2 * len(asked)
    killer.server.seen.clear()
    assert killer.whole("kept", "after.json", 4) == ([], whole)


def test_a_verdict_whose_second_question_failed_does_not_pay_for_the_first_again(chat_server, root, tmp_path):
    cases = read_cases(root / "tests" / "data" / "cases.jsonl")[:3]

    def made():
        endpoint = Endpoint("judge", base_url=chat_server.url, api_key="k", cache=tmp_path / "judge.sqlite3", max_retries=0)
        return run_evaluation(cases, lambda q, c: c[0].text, EndpointAnswerJudge(endpoint), pipeline="p", variants=("v0",), cache=tmp_path)

    chat_server.script = lambda seen: say(reply(seen)) if '"claims"' in seen.user else send(500, "")
    assert [r.startswith("coverage: HTTP 500") for r in failures(made().outcomes)] == [True]
    chat_server.script = lambda seen: say(reply(seen))
    chat_server.seen.clear()
    assert failures(made().outcomes) == {}
    assert chat_server.seen and not any('"claims"' in s.user for s in chat_server.seen)
    chat_server.seen.clear()
    made()
    assert chat_server.seen == []


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_ends_a_run_whose_application_hangs_and_what_was_answered_is_kept(root, tmp_path):
    program = f"""
import signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are begun without one
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.noise import NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.running import run_evaluation

cases = read_cases({str(root / "tests" / "data" / "cases.jsonl")!r})[:6]

def answer(question, contexts):
    if question in [c.question for c in cases[4:]]:
        if question == cases[5].question:
            print("hangs", flush=True)
        time.sleep(600)
    return contexts[0].text

try:
    run_evaluation(cases, answer, OfflineJudge(), pipeline="p", variants=("v0",), cache={str(tmp_path)!r}, concurrency=2)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "hangs\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "stopped\n"
    assert process.returncode == 0
    cases = read_cases(root / "tests" / "data" / "cases.jsonl")[:6]
    asked = []
    run_evaluation(cases, lambda q, c: asked.append(q) or c[0].text, OfflineJudge(), pipeline="p", variants=("v0",), cache=tmp_path)
    assert set(asked) == {c.question for c in cases[4:]}


# -- caches that cannot be used


@pytest.fixture(scope="module")
def small(root):
    cases = read_cases(root / "tests" / "data" / "cases.jsonl")
    return cases[:4], NoiseMaker.of_cases(cases, NoiseSettings(on_empty_band="nearest"))


def run(small, cache, answer=lambda q, c: c[0].text, **options):
    return run_evaluation(small[0], answer, OfflineJudge(), pipeline="p", noise=small[1], cache=cache, **options)


def test_a_damaged_cache_is_said_and_the_run_goes_on_without_it(small, tmp_path, caplog):
    expected = run(small, None)
    (tmp_path / "evaluation.sqlite3").write_bytes(b"SQLite format 3\0" + os.urandom(5000))
    assert run(small, tmp_path) == expected
    assert [r.getMessage() for r in caplog.records if "cannot be used" in r.getMessage()]


def test_what_was_kept_in_another_form_is_asked_for_again(small, tmp_path):
    import sqlite3

    expected = run(small, tmp_path)
    with sqlite3.connect(tmp_path / "evaluation.sqlite3") as db:
        for value in ('"[1]"', '"{}"', '"null"', '"not json"', '"{\\"claims\\": [{\\"x\\": 1}], \\"points\\": [], \\"refusal\\": false, \\"failed\\": \\"\\"}"'):
            db.execute("UPDATE answers SET value = ? WHERE key = (SELECT key FROM answers WHERE value LIKE '%claims%' AND value NOT LIKE '%\"x%' LIMIT 1)", (value,))
    db.close()
    asked = []
    assert run(small, tmp_path, lambda q, c: asked.append(q)) == expected
    assert asked == []
    assert run(small, tmp_path) == expected


@pytest.mark.parametrize("place", ["a file", "/proc/none", "a folder in place of the file"])
def test_a_cache_that_cannot_be_written_is_said_and_the_run_goes_on(small, tmp_path, caplog, place):
    folder = tmp_path / "cache"
    if place == "a file":
        folder.write_text("")
    elif place == "/proc/none":
        if not os.path.isdir("/proc/self"):
            pytest.skip("no such file system")
        folder = place
    else:
        (folder / "evaluation.sqlite3").mkdir(parents=True)
    assert run(small, folder) == run(small, None)
    assert any("cannot be used" in r.getMessage() for r in caplog.records)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="limits are set otherwise there")
def test_a_disk_that_fills_up_ends_no_run(root, tmp_path):
    program = f"""
import logging, resource
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))  # what is written beyond fails, as on a full disk
logging.basicConfig()
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.running import failures, run_evaluation

cases = read_cases({str(root / "tests" / "data" / "cases.jsonl")!r})[:8]
report = run_evaluation(cases, lambda q, c: c[0].text * 40, OfflineJudge(), pipeline="p", variants=("v0",), cache={str(tmp_path)!r})
print(len(report.outcomes), failures(report.outcomes))
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert ended.stdout == "8 {}\n"
    assert "cannot be used, answers are asked for again" in ended.stderr
