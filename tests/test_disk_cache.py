"""The cache on disk: bounded, shared, and never in the way."""

import os
import pickle
import random
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from types import SimpleNamespace

import pytest

from ragclean.disk_cache import DiskCache, Visit, default_folder

ROOM = 1_000_000


@pytest.fixture
def file(tmp_path):
    return tmp_path / "deep" / "answers.sqlite3"


def test_what_was_put_is_there_for_another_object_on_the_file(file):
    DiskCache(file, ROOM).put("a", "保修三年 \ud800")
    assert DiskCache(file, ROOM).get("a") == "保修三年 \ud800"
    assert DiskCache(file, ROOM).get("b") is None


def test_reading_makes_no_file(file):
    assert DiskCache(file, ROOM).get("a") is None
    assert DiskCache(file, ROOM).held_bytes() == 0
    assert not file.parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_the_file_is_its_owners_alone(file):
    DiskCache(file, ROOM).put("a", "b")
    assert (file.stat().st_mode & 0o077, file.parent.stat().st_mode & 0o077) == (0, 0)


def test_the_first_to_write_is_kept(file):
    cache = DiskCache(file, ROOM)
    cache.put("a", "first")
    cache.put("a", "second")
    assert cache.get("a") == "first"


def test_what_is_dropped_can_be_put_again(file):
    cache = DiskCache(file, ROOM)
    cache.drop("a")
    cache.put("a", "first")
    cache.drop("a")
    assert (cache.get("a"), cache.held_bytes()) == (None, 0)
    cache.put("a", "second")
    assert cache.get("a") == "second"


def test_the_bound_holds_and_the_least_recently_used_go(file):
    cache, kept = DiskCache(file, 20_000), []
    for i in range(40):
        cache.put(f"{i:03}", "x" * 1000)
        assert cache.held_bytes() <= 20_000
        with closing(sqlite3.connect(file)) as db, db:  # a clock that runs: one second an entry
            db.execute("UPDATE answers SET used = ? WHERE key = ?", (i, f"{i:03}"))
            kept = [key for (key,) in db.execute("SELECT key FROM answers ORDER BY key")]
            assert db.execute("SELECT sum(size) FROM answers").fetchone()[0] == cache.held_bytes()
    assert kept == [f"{i:03}" for i in range(40 - len(kept), 40)]
    assert 13 <= len(kept) <= 16


def test_reading_counts_as_use(file):
    cache = DiskCache(file, ROOM)
    cache.put("old", "x")
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE answers SET used = 5")
        db.commit()
        cache.get("old")
        assert db.execute("SELECT used FROM answers").fetchone()[0] > 5


def test_what_is_larger_than_the_bound_is_not_kept(file):
    cache = DiskCache(file, 1000)
    cache.put("a", "x" * 2000)
    assert cache.get("a") is None


WRITER = """
import sys
from ragclean import disk_cache
from ragclean.disk_cache import DiskCache
disk_cache._BUSY_SECONDS = 60.0
cache = DiskCache(sys.argv[1], 1_000_000)
for i in range(40):
    cache.put(f"{sys.argv[2]}-{i}", sys.argv[2])
    cache.put(f"both-{i}", sys.argv[2])
"""


def test_processes_and_threads_write_side_by_side(file, monkeypatch):
    monkeypatch.setattr("ragclean.disk_cache._BUSY_SECONDS", 60.0)  # six writers at once on a busy machine
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(file), name], stderr=subprocess.PIPE)
               for name in ("one", "two")]
    cache = DiskCache(file, ROOM)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: cache.put(f"three-{i}", "three"), range(40)))
    assert [w.communicate()[1] for w in writers] == [b"", b""]
    for name in ("one", "two", "three"):
        assert [cache.get(f"{name}-{i}") for i in range(40)] == [name] * 40
    assert {cache.get(f"both-{i}") for i in range(40)} <= {"one", "two"}
    assert cache.held_bytes() > 160 * 200


@pytest.mark.parametrize("harm", ["garbage", "folder", "newer"])
def test_a_file_that_cannot_be_used_is_said_once_and_left_alone(tmp_path, harm, caplog):
    file = tmp_path / "answers"
    if harm == "folder":
        file.mkdir()
    elif harm == "garbage":
        file.write_bytes(b"no database at all, for sure" * 100)
    else:
        with closing(sqlite3.connect(file)) as db, db:
            db.execute("PRAGMA user_version = 99")
    before = None if harm == "folder" else file.read_bytes()
    cache = DiskCache(file, ROOM)
    cache.put("a", "b")
    assert cache.get("a") is None
    assert cache.held_bytes() == 0
    assert before is None or file.read_bytes() == before
    assert caplog.text.count("cannot be used") == 1


@pytest.mark.parametrize("value", ["'{'", "'[1]'", "5", "NULL + 5", "x'00ff'", "x'2238ff'", f"'{'[' * 50_000}'", f"'{'1' * 5000}'"])
def test_an_entry_that_was_tampered_with_is_none_and_makes_room_for_another(file, value, caplog):
    cache = DiskCache(file, ROOM)
    for key in "ab":
        cache.put(key, "x")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(f"UPDATE OR IGNORE answers SET value = {value} WHERE key = 'a'")
        if db.execute("SELECT value FROM answers WHERE key = 'a'").fetchone()[0] == '"x"':
            return  # what the table itself does not take
    assert [cache.get(k) for k in "ab"] == [None, "x"]
    cache.put("a", "y")
    assert cache.get("a") == "y"
    assert caplog.text == ""


@pytest.mark.parametrize("harm", [
    "DELETE FROM held", "UPDATE answers SET used = 'abc'", "DROP TABLE answers",
    "DROP TABLE held",
])  # fmt: skip
def test_tables_that_were_tampered_with_never_fail_their_user(file, harm, caplog):
    cache = DiskCache(file, ROOM)
    cache.put("a", "x")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(harm)
    for work in (lambda: cache.get("a"), lambda: cache.put("b", "y"), lambda: cache.drop("a"), cache.held_bytes):
        work()
    assert caplog.text.count("cannot be used") == 1


def test_damaged_bytes_never_fail_their_user(file):
    cache = DiskCache(file, ROOM)
    for i in range(40):
        cache.put(f"k{i}", "8")
    whole, chance = file.read_bytes(), random.Random(3)
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 2, 5, 20))):
            damaged[chance.randrange(18, len(damaged))] = chance.randrange(256)
        file.write_bytes(damaged)
        cache = DiskCache(file, ROOM)
        assert cache.get("k7") is None or isinstance(cache.get("k7"), str)
        cache.put("k99", "v")
        cache.drop("k8")
        cache.held_bytes()


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "x" * 300])
def test_a_path_that_no_file_can_have_is_said_once(tmp_path, name, caplog):
    cache = DiskCache(tmp_path / name, ROOM)
    cache.put("a", "x")
    assert (cache.get("a"), cache.held_bytes()) == (None, 0)
    cache.drop("a")
    assert caplog.text.count("cannot be used") == 1
    assert caplog.text.isascii()


@pytest.mark.parametrize("form", [0, 1, 7])
@pytest.mark.parametrize("table", ["users(id, text)", "answers(key, value, size, used)"])
def test_another_programs_file_is_left_alone(tmp_path, form, table, caplog):
    file = tmp_path / "theirs.sqlite3"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(f"CREATE TABLE {table}")
        db.execute(f"PRAGMA user_version = {form}")
    before = file.read_bytes()
    cache = DiskCache(file, ROOM)
    cache.put("a", "x")
    cache.drop("a")
    assert (cache.get("a"), cache.held_bytes()) == (None, 0)
    assert file.read_bytes() == before
    assert caplog.text.count("another program's file") == 1


def test_after_a_failure_a_visit_asks_no_further(file, monkeypatch):
    monkeypatch.setattr("ragclean.disk_cache._BUSY_SECONDS", 0.05)
    cache = DiskCache(file, ROOM)
    cache.put("a", "x")
    waits, real = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: waits.append(k["timeout"]) or real(*a, **k))
    with closing(real(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        visit = Visit(cache)
        assert [visit.get(key) for key in "abc"] == [None] * 3
        visit.put("b", "y")
        visit.drop("a")
        assert waits == [0.05]
        other.execute("COMMIT")
    assert visit.get("a") is None  # until the next one
    assert Visit(cache).get("a") == "x"


def test_who_reads_does_not_wait_to_note_the_use(file, monkeypatch, caplog):
    cache = DiskCache(file, ROOM)
    cache.put("a", "x")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE answers SET used = 5")
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # writers wait, readers do not
        assert cache.get("a") == "x"
        other.execute("COMMIT")
    assert caplog.text == ""


def test_it_can_be_pickled(file):
    cache = DiskCache(file, ROOM)
    cache.put("a", "b")
    assert pickle.loads(pickle.dumps(cache)).get("a") == "b"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folder of this system")
def test_the_folder_is_the_one_the_user_set(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "ragclean"


def connections(monkeypatch):
    """Counts what is opened from now on."""
    opened = []
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: opened.append(a) or real(*a, **k))
    return opened


def test_a_session_keeps_as_many_connections_as_there_are_threads(file, monkeypatch):
    cache = DiskCache(file, ROOM)
    opened = connections(monkeypatch)
    with cache.session(), ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: cache.put(str(n), f"value {n}"), range(100)))
        assert list(pool.map(cache.get, map(str, range(100)))) == [f"value {n}" for n in range(100)]
        with cache.session():
            cache.get("1")
        cache.get("1")
    assert len(opened) <= 8, "of 202 operations"
    before = len(opened)
    assert DiskCache(file, ROOM).get("99") == "value 99"
    cache.get("1")
    assert len(opened) == before + 2, "after the session, one for each operation"


def test_a_session_sees_that_the_file_was_removed_or_replaced(file, tmp_path):
    cache, other = DiskCache(file, ROOM), DiskCache(tmp_path / "other.sqlite3", ROOM)
    other.put("b", "of another")
    with cache.session():
        cache.put("a", "first")
        file.unlink()
        cache.put("a", "second")
        assert cache.get("a") == DiskCache(file, ROOM).get("a") == "second"
        other.path.replace(file)
        time.sleep(0.1)  # who reads looks from time to time
        assert (cache.get("a"), cache.get("b")) == (None, "of another")


def test_after_an_error_in_a_session_nothing_is_left_locked(file, monkeypatch):
    monkeypatch.setattr("ragclean.disk_cache._BUSY_SECONDS", 0.05)
    cache = DiskCache(file, ROOM)
    with cache.session():
        cache.put("a", "kept")
        with closing(sqlite3.connect(file, isolation_level=None)) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            cache.put("b", "lost")
            holder.execute("COMMIT")
        cache.put("c", "kept")
        monkeypatch.setattr(DiskCache, "_make_room", lambda *_: 1 / 0)
        cache.put("d", "begun and not ended")
        monkeypatch.undo()
        assert DiskCache(file, ROOM).get("d") is None
        cache.put("e", "kept")
    assert [DiskCache(file, ROOM).get(key) for key in "abcde"] == ["kept", None, "kept", None, "kept"]


@pytest.fixture
def slow_disk(monkeypatch):
    """Writing says that it has begun, and waits until it is let go on; how many rows were written at once."""
    disk, real = SimpleNamespace(begun=threading.Event(), go_on=threading.Event(), written=[]), DiskCache._write

    def write(self, db, rows):
        disk.begun.set()
        disk.go_on.wait(5)
        disk.written.append(len(rows))
        real(self, db, rows)

    monkeypatch.setattr(DiskCache, "_write", write)
    return disk


def test_threads_that_write_at_once_wait_for_the_disk_together(file, slow_disk):
    cache = DiskCache(file, ROOM)
    with cache.session(), ThreadPoolExecutor(16) as pool:
        threading.Timer(0.3, slow_disk.go_on.set).start()
        held = list(pool.map(lambda n: cache.put(str(n % 8), f"value {n}"), range(16)))
    assert sum(slow_disk.written) == 16 and len(slow_disk.written) < 16
    assert [DiskCache(file, ROOM).get(str(n)) for n in range(8)] == held[:8] == held[8:], "all are told which one is kept"


def test_who_has_no_more_time_does_not_wait_for_who_writes(file, slow_disk):
    cache = DiskCache(file, ROOM)
    with cache.session(), ThreadPoolExecutor(1) as pool:
        first = pool.submit(cache.put, "a", "1")
        slow_disk.begun.wait(5)
        assert Visit(cache, time.monotonic() + 0.05).put("b", "2") == "2"
        assert not first.done()
        slow_disk.go_on.set()
        first.result()
        cache.put("c", "3")
    assert [DiskCache(file, ROOM).get(key) for key in "abc"] == ["1", None, "3"]


FORKED = """
import os, sys, threading
from ragclean import disk_cache
from ragclean.disk_cache import DiskCache

disk_cache._BUSY_SECONDS = 30.0  # what is tested is not who comes first
cache = DiskCache(sys.argv[1], 1_000_000)
with cache.session():
    cache.put("parent", "1")
    stop = threading.Event()
    def write():
        n = 0
        while not stop.is_set():
            cache.put(f"parent {n}", "1")
            n += 1
            stop.wait(0.002)
    writer = threading.Thread(target=write)
    writer.start()
    children = []
    for child in range(8):
        pid = os.fork()
        if not pid:
            cache.put(f"child {child}", "1")
            os._exit(0 if cache.get("parent") == cache.get(f"child {child}") == "1" else 1)
        children.append(pid)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
    stop.set()
    writer.join()
    assert all(cache.get(f"child {n}") == "1" for n in range(8))
sys.exit(any(codes))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_children_forked_in_a_session_have_their_own(file):
    done = subprocess.run([sys.executable, "-c", FORKED, file], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert b"cannot be used" not in done.stderr


def test_a_copy_made_in_a_session_has_none(file):
    cache = DiskCache(file, ROOM)
    with cache.session():
        cache.put("a", "b")
        again = pickle.loads(pickle.dumps(cache))
    assert again.get("a") == "b"


class Interrupted(BaseException):
    pass


def test_a_thread_that_is_interrupted_while_it_waits_holds_nobody_up(file, slow_disk, monkeypatch):
    cache = DiskCache(file, ROOM)
    waited = threading.Condition.wait

    def interrupted(self, timeout=None):
        if threading.current_thread().name == "interrupted":
            raise Interrupted
        return waited(self, timeout)

    def waits():
        with suppress(Interrupted):
            cache.put("b", "2")

    with cache.session(), ThreadPoolExecutor(1) as pool:
        first = pool.submit(cache.put, "a", "1")
        slow_disk.begun.wait(5)
        monkeypatch.setattr(threading.Condition, "wait", interrupted)
        other = threading.Thread(target=waits, name="interrupted")
        other.start()
        other.join(5)
        monkeypatch.setattr(threading.Condition, "wait", waited)
        slow_disk.go_on.set()
        first.result(5)
        assert pool.submit(cache.put, "c", "3").result(5) == "3"
    assert [DiskCache(file, ROOM).get(key) for key in "abc"] == ["1", None, "3"]


def test_threads_that_give_up_at_any_moment_hold_nobody_up(file):
    cache, kept = DiskCache(file, ROOM), {}
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def work(seed):
        chance = random.Random(seed)
        for n in range(60):
            key = f"{seed}-{n}"
            Visit(cache, time.monotonic() + chance.random() * 0.02).put(key, key)

    try:
        with cache.session():
            crew = [threading.Thread(target=work, args=(seed,), daemon=True) for seed in range(12)]
            for thread in crew:
                thread.start()
            for thread in crew:
                thread.join(60)
            assert not any(thread.is_alive() for thread in crew)
            kept["last"] = cache.put("last", "x")
    finally:
        sys.setswitchinterval(before)
    assert DiskCache(file, ROOM).get("last") == kept["last"] == "x"


def test_a_row_that_cannot_be_written_takes_no_other_with_it(file, slow_disk):
    cache = DiskCache(file, ROOM)
    with cache.session(), ThreadPoolExecutor(8) as pool:
        threading.Timer(0.3, slow_disk.go_on.set).start()
        list(pool.map(lambda key: cache.put(key, "v"), ["a", "b", "bad\ud800", "c", "d"]))
    assert [DiskCache(file, ROOM).get(key) for key in "abcd"] == ["v"] * 4


def test_who_has_more_time_is_not_failed_by_who_has_less(file):
    cache = DiskCache(file, ROOM)
    with cache.session():
        cache.put("z", "0")
        with closing(sqlite3.connect(file, isolation_level=None)) as holder, ThreadPoolExecutor(3) as pool:
            holder.execute("BEGIN EXCLUSIVE")
            short = pool.submit(Visit(cache, time.monotonic() + 0.2).put, "a", "1")
            time.sleep(0.05)
            long = pool.submit(Visit(cache, time.monotonic() + 30).put, "b", "2")
            short.result(10)
            time.sleep(0.2)
            holder.execute("COMMIT")
            long.result(10)
    assert DiskCache(file, ROOM).get("b") == "2"


def test_in_a_session_a_file_that_became_another_form_is_left_alone(file, caplog):
    cache = DiskCache(file, ROOM)
    with cache.session():
        cache.put("a", "1")
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            db.execute("PRAGMA user_version = 7")
        cache.put("b", "2")
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("SELECT key FROM answers").fetchall() == [("a",)]
    assert "its form is 7" in caplog.text


def test_noting_a_use_leaves_the_time_to_wait_as_it_was(file):
    cache = DiskCache(file, ROOM)
    with cache.session():
        cache.put("old", "1")
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            db.execute("UPDATE answers SET used = 0")
        assert cache.get("old") == "1"
        with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            threading.Timer(0.3, lambda: holder.execute("COMMIT")).start()
            cache.put("b", "2")
    assert DiskCache(file, ROOM).get("b") == "2"


def test_a_text_nearly_as_large_as_the_bound_is_kept(file):
    cache = DiskCache(file, 10_000)
    for n in range(5):
        cache.put(str(n), "x" * 500)
    cache.put("large", "y" * 9_300)
    assert cache.get("large") == "y" * 9_300
    assert cache.held_bytes() <= 10_000


FORKED_ALONE = """
import os, sys, threading
from ragclean.disk_cache import DiskCache

cache, stop = DiskCache(sys.argv[1], 1_000_000), threading.Event()
def write():
    n = 0
    while not stop.is_set():
        cache.put(f"parent {n}", "1")
        n += 1
        stop.wait(0.001)
writer = threading.Thread(target=write)
writer.start()
children = []
for child in range(6):
    pid = os.fork()
    if not pid:
        sys.stdin.read()  # until the parent has stopped writing
        cache.put(f"child {child}", "1")
        os._exit(0 if cache.get(f"child {child}") == "1" else 1)
    children.append(pid)
stop.set()
writer.join()
print("stopped", flush=True)
sys.exit(any(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_forked_while_a_thread_writes_can_use_the_cache(file):
    with subprocess.Popen([sys.executable, "-c", FORKED_ALONE, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"stopped\n"
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said.decode()
