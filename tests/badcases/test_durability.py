"""What was acknowledged is there, whoever is killed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import islice

import pytest

from ragclean.badcases import BadCaseStore

#: Records cases, and after each writes its id to a file of its own, on the disk before the next one begins.
WRITER = """
import json, os, sys
from ragclean import RefinedContext
from ragclean.badcases import BadCaseStore

store, data, acknowledged, count = sys.argv[1:]
with open(data, encoding="utf-8") as file:
    given = json.load(file)
result = RefinedContext.from_dict(given["result"])
with BadCaseStore(store) as store, open(acknowledged, "a", encoding="utf-8") as out:
    for number in range(int(count)):
        case_id = store.record(result, candidates=given["candidates"], note=str(number))
        out.write(case_id + "\\n")
        out.flush()
        os.fsync(out.fileno())
"""

CANDIDATES = [{"id": "a", "text": "整机保修24个月。"}]
PROCESSES = 4
CASES = 10_000


@pytest.fixture(scope="module")
def result(corrector):
    return corrector.refine("保修多久？", CANDIDATES, as_of="2025-06-01")


class Writers:
    def __init__(self, folder, result):
        self.folder, self.store, self.data = folder, folder / "cases.sqlite3", folder / "given.json"
        given = {"result": result.to_dict(), "candidates": CANDIDATES}
        self.data.write_text(json.dumps(given), encoding="utf-8")
        self.started = 0

    def start(self, count):
        acknowledged = self.folder / f"acknowledged-{self.started}.txt"
        self.started += 1
        return subprocess.Popen(
            [sys.executable, "-c", WRITER, str(self.store), str(self.data), str(acknowledged), str(count)]
        )

    def acknowledged(self):
        """Every id that a writer was given; a last line that was cut off by a kill is none."""
        files = sorted(self.folder.glob("acknowledged-*.txt"))
        return [line for file in files for line in file.read_text(encoding="utf-8").split("\n")[:-1]]

    def wait_for(self, count):
        until = time.monotonic() + 120
        while len(self.acknowledged()) < count:
            assert time.monotonic() < until, "the writers do not get on"
            time.sleep(0.02)


def check(writers, killed):
    """The file is sound and holds what was acknowledged, and at most what each killed writer had under way besides."""
    acknowledged = writers.acknowledged()
    with BadCaseStore(writers.store, create=False) as store:
        stored = len(store)
        assert all(case.candidates[0].text == CANDIDATES[0]["text"] for case in islice(store, 500))
    with closing(sqlite3.connect(writers.store)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert set(acknowledged) <= {case_id for (case_id,) in db.execute("SELECT id FROM cases")}
    assert len(acknowledged) <= stored <= len(acknowledged) + killed
    return stored


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_four_processes_record_ten_thousand_cases_while_some_are_killed(tmp_path, result):
    writers = Writers(tmp_path, result)
    running = [writers.start(CASES // PROCESSES) for _ in range(PROCESSES)]
    try:
        writers.wait_for(1000)
        running[0].send_signal(signal.SIGKILL)  # one, while the others go on
        assert running.pop(0).wait() == -signal.SIGKILL
        writers.wait_for(4000)
        for process in running:  # then all of them
            process.send_signal(signal.SIGKILL)
        assert [p.wait() for p in running] == [-signal.SIGKILL] * len(running)
        left = CASES - check(writers, killed=PROCESSES)
        assert 0 < left < CASES
        running = [writers.start(left // PROCESSES + (n < left % PROCESSES)) for n in range(PROCESSES)]
        assert [p.wait() for p in running] == [0] * PROCESSES
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert check(writers, killed=PROCESSES) == CASES


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_one_killed_process_loses_nothing_acknowledged(tmp_path, result):
    writers = Writers(tmp_path, result)
    process = writers.start(CASES)
    try:
        writers.wait_for(50)
    finally:
        process.kill()
        process.wait()
    assert check(writers, killed=1) >= 50


def test_a_record_is_asked_to_reach_the_disk(store):
    def settings(db):
        return [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode", "secure_delete")]

    assert store._database._tried(settings) == [2, "wal", 1]
