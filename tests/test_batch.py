"""Many queries over processes: the same results in the same order, and every fault reaches the caller by name."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.batch import refine_in_processes
from ragclean.screen import BadCandidateError

DAY = "2025-06-01"
CHUNKS = [
    {"id": "terms", "source": "official_policy", "published_at": "2025-02-01", "text": "云舟K3的电池自签收之日起保修18个月。电机保修三年。"},
    {"id": "forum", "source": "forum", "text": "我记得云舟K3电池保修只有6个月，第七个月就收费了。"},
    {"id": "news", "source": "news", "text": "云舟科技昨日宣布与三家商场签约，将在春季开设体验店。"},
]
QUERIES = [f"云舟K3的{part}保修多久？" for part in ("电池", "电机", "主机", "滤网", "刷头", "充电座", "遥控", "尘杯")]


def told(result):
    """A result without its times and cache figures, which depend on the machine."""
    return {**result.to_dict(), "stats": None}


def shifted(n):
    """As many candidate lists, each in another order."""
    return [CHUNKS[i % 3 :] + CHUNKS[: i % 3] for i in range(n)]


def half(query, text):
    return 0.5


def letters(text):
    return len(text)


class Gone:
    """A judge whose process is killed when it is asked about a marked query."""

    fingerprint, cheap = "gone-1", True

    def score_pairs(self, queries, texts):
        if any("遥控" in query for query in queries):
            os.kill(os.getpid(), signal.SIGKILL)
        return np.full(len(texts), 0.5)


class Stranded:
    """A judge that can be sent, and not be received."""

    fingerprint, cheap = "stranded-1", True

    def score_pairs(self, queries, texts):
        return np.full(len(texts), 0.5)

    def __reduce__(self):
        return int, ("no number",)


@pytest.fixture(scope="module")
def serial(corrector):
    return [told(corrector.refine(q, c, as_of=DAY, top_k=2)) for q, c in zip(QUERIES, shifted(8), strict=True)]


# -- what costs no process


def test_one_worker_and_none_asked_are_the_same(corrector, serial):
    found = corrector.refine_batch(QUERIES, shifted(8), as_of=DAY, top_k=2)
    assert [told(r) for r in found] == serial
    assert corrector.refine_batch([], [], workers=4) == []
    assert len(corrector.refine_batch(QUERIES[:1], shifted(1), workers=4)) == 1


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2"])
def test_a_number_of_workers_that_is_none_is_refused(corrector, workers):
    with pytest.raises(ValueError, match="workers: must be a whole number from 1 on"):
        corrector.refine_batch(QUERIES, shifted(8), workers=workers)


def test_parts_that_cannot_be_sent_are_named(corrector):
    with pytest.raises(TypeError, match="workers: judge cannot be sent"):
        NoiseCorrector(judge=lambda q, t: 0.5).refine_batch(QUERIES, shifted(8), workers=2)
    with pytest.raises(TypeError, match="workers: count_tokens cannot be sent"):
        NoiseCorrector(count_tokens=lambda t: 1).refine_batch(QUERIES, shifted(8), workers=2)
    with pytest.raises(TypeError, match="workers: protected_terms cannot be sent"):
        corrector.refine_batch(QUERIES, shifted(8), workers=2, protected_terms=(t for t in ["保修"]))


def test_a_candidate_that_cannot_be_sent_is_named_by_its_query(corrector):
    lists = shifted(200)
    lists[5] = [{"text": "云舟", "metadata": {"connection": threading.Lock()}}]
    with pytest.raises(TypeError, match=r"workers: candidates\[5\] cannot be sent"):
        corrector.refine_batch(QUERIES * 25, lists, workers=2)


def test_the_bar_shows_and_changes_nothing(corrector, serial):
    assert [told(r) for r in corrector.refine_batch(QUERIES, shifted(8), progress=True, as_of=DAY, top_k=2)] == serial


# -- processes


@pytest.mark.slow
def test_processes_give_the_same_in_order_from_generators_too(corrector, serial):
    lists = [(chunk for chunk in chunks) for chunks in shifted(8)]
    found = corrector.refine_batch(QUERIES, lists, workers=2, progress=True, as_of=DAY, top_k=2)
    assert [told(r) for r in found] == serial
    assert [[c.id for c in r.candidates] for r in found] == [[c["id"] for c in chunks] for chunks in shifted(8)]


@pytest.mark.slow
def test_every_part_and_the_configuration_travel():
    made = NoiseCorrector(config=CorrectorConfig(admission_threshold=0.3), judge=half, count_tokens=letters)
    here = [told(r) for r in made.refine_batch(QUERIES[:4], shifted(4), as_of=DAY)]
    there = made.refine_batch(QUERIES[:4], shifted(4), as_of=DAY, workers=2)
    assert [told(r) for r in there] == here
    assert all(r.fingerprint == made.fingerprint and r.stats["tokens_out"] == len(r.text) for r in there)


@pytest.mark.slow
def test_what_refine_raises_reaches_the_caller(corrector):
    strict = NoiseCorrector(config=CorrectorConfig(on_bad_candidate="raise"))
    lists = shifted(8)
    lists[6] = [*CHUNKS, {"text": 5}]
    with pytest.raises(BadCandidateError, match="candidate 3: text"):
        strict.refine_batch(QUERIES, lists, workers=2)
    lists[6] = "云舟K3的电池保修18个月。"  # one string is no list of its characters
    with pytest.raises(TypeError, match="candidates: expected an iterable of chunks, got str"):
        corrector.refine_batch(QUERIES, lists, workers=2)


@pytest.mark.slow
def test_leaving_early_ends_the_processes_and_reads_no_further(corrector):
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield QUERIES[0], CHUNKS

    results = refine_in_processes(corrector, endless(), {"as_of": DAY}, 2)
    assert "18个月" in next(results).text
    results.close()
    assert multiprocessing.active_children() == []
    # Two portions a process, and the one that its first result let in.
    assert len(taken) <= 16 * (2 * 2 + 1)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed in this way here")
def test_a_killed_process_is_a_clear_error_and_no_hang():
    with pytest.raises(RuntimeError, match="a worker process ended before its work was done"):
        NoiseCorrector(judge=Gone()).refine_batch(QUERIES, shifted(8), workers=2)


@pytest.mark.slow
def test_a_part_that_cannot_be_received_is_a_clear_error():
    with pytest.raises(RuntimeError, match="cannot be made in another process: ValueError"):
        NoiseCorrector(judge=Stranded()).refine_batch(QUERIES, shifted(8), workers=2)


SCRIPT = """
import json, sys
from ragclean import NoiseCorrector
queries, lists = json.load(open(sys.argv[1], encoding="utf-8"))
{guard}
    found = NoiseCorrector().refine_batch(queries, lists, workers=2, as_of="2025-06-01")
    sys.stdout.reconfigure(encoding="utf-8")
    print(json.dumps([r.text for r in found], ensure_ascii=False))
"""


def script(tmp_path: Path, guard):
    (tmp_path / "given.json").write_text(json.dumps([QUERIES, shifted(8)]), encoding="utf-8")
    (tmp_path / "script.py").write_text(SCRIPT.format(guard=guard), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "script.py", "given.json"], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=300, check=False
    )


@pytest.mark.slow
def test_a_script_needs_its_guard_and_is_told_so(tmp_path, corrector):
    done = script(tmp_path, 'if __name__ == "__main__":')
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [r.text for r in corrector.refine_batch(QUERIES, shifted(8), as_of=DAY)]
    bare = script(tmp_path, "if True:")
    assert bare.returncode != 0
    assert "lacks its `if __name__" in bare.stderr
