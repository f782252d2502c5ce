"""The store: order, labels, files both ways, odd text, other people's files, threads and forks."""

import copy
import json
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragclean.badcases import BadCase, BadCaseStore, Expected, Part, StoreError, database
from ragclean.calibration.cases import CaseFileError
from ragclean.types import Chunk

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


def plain(case):
    """All of a case: comparing cases leaves the metadata out."""
    return case.to_dict()


def test_cases_come_in_the_order_of_recording_and_by_label(store, result):
    ids = [store.record(result, note=str(i)) for i in range(5)]
    store.label(ids[1], verdict="noise", expected={"keep": ["terms"]})
    store.label(ids[3], verdict="good")
    assert [c.id for c in store] == ids
    assert [c.id for c in store.cases(verdict="noise")] == [ids[1]]
    assert [c.id for c in store.cases(verdict="unreviewed")] == [ids[0], ids[2], ids[4]]
    assert [c.id for c in store.cases(labelled=True)] == [ids[1]]
    assert [c.id for c in store.cases(labelled=False, verdict="good")] == [ids[3]]
    with pytest.raises(ValueError, match="verdict: expected one of"):
        store.cases(verdict="bad")


def test_pending_are_cases_without_a_verdict_and_bad_ones_without_a_label(store, result):
    fresh, bad, labelled, good = (store.record(result) for _ in range(4))
    store.label(bad, verdict="lost_answer")
    store.label(labelled, verdict="lost_answer", expected={"accepted": ["36个月"]})
    store.label(good, verdict="good")
    assert [c.id for c in store.pending()] == [fresh, bad]
    assert store.count_pending() == 2


def test_a_label_changes_what_it_names_and_nothing_else(store, result):
    case_id = store.record(result, verdict="other", expected={"keep": ["terms"]}, note="first")
    before = store.get(case_id)
    store.label(case_id, note="second")
    assert plain(store.get(case_id)) == plain(replace(before, note="second"))
    store.label(case_id, verdict=None, expected=Expected(drop=("menu",)))
    assert plain(store.get(case_id)) == plain(
        replace(before, note="second", verdict=None, expected=Expected(drop=("menu",)))
    )
    for wrong in ({"verdict": "bad"}, {"expected": {"keep": 1}}, {"note": 3}):
        with pytest.raises(ValueError):
            store.label(case_id, **wrong)
    with pytest.raises(KeyError, match="no case has the id nobody"):
        store.label("nobody", note="x")
    with pytest.raises(KeyError, match="no case has the id nobody"):
        store.get("nobody")


def test_what_is_deleted_is_gone_from_the_file(store, result, tmp_path):
    secret = "机密的水泵" * 3
    keep, gone = store.record(result), store.record(result, note=secret)
    assert store.delete(gone)
    assert not store.delete(gone)
    assert [c.id for c in store] == [keep]
    store.close()
    assert not any(secret.encode() in f.read_bytes() for f in tmp_path.iterdir())


def test_iterating_sees_what_comes_and_not_what_went(store, result):
    ids = [store.record(result) for _ in range(3)]
    seen = []
    for case in store:
        seen.append(case.id)
        if len(seen) == 1:
            store.delete(ids[1])
            ids.append(store.record(result))
    assert seen == [ids[0], ids[2], ids[3]]


# ------------------------------------------------------------------ files


def test_export_and_import_give_the_same_cases(store, result, tmp_path):
    for i in range(3):
        store.record(result, note=f"{i}\n\u2028", verdict="noise", expected={"accepted": ["36个月"]})
    assert store.export_jsonl(tmp_path / "out.jsonl") == 3
    with BadCaseStore(tmp_path / "other.sqlite3") as other:
        assert other.import_jsonl(tmp_path / "out.jsonl").added == 3
        assert [plain(c) for c in other] == [plain(c) for c in store]
        again = other.import_jsonl(tmp_path / "out.jsonl")
        assert (again.added, again.replaced, again.known, len(other)) == (0, 0, 3, 3)


def test_importing_keeps_the_labels_of_here_unless_told_otherwise(store, result, tmp_path):
    first, second = store.record(result, note="there"), store.record(result)
    store.export_jsonl(tmp_path / "out.jsonl")
    store.label(first, note="here")
    assert store.import_jsonl(tmp_path / "out.jsonl").known == 2
    assert store.get(first).note == "here"
    assert store.import_jsonl(tmp_path / "out.jsonl", replacing=True).replaced == 2
    assert store.get(first).note == "there"
    assert [c.id for c in store] == [first, second], "in their old places"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", r"cases.jsonl:2: not JSON"),
        (b"[1]", r"cases.jsonl:2: expected a JSON object"),
        (b'{"id": "b", "query": "q"}', "cases.jsonl:2: neither candidates"),
        (b'{"query": "q", "candidates": []}', "cases.jsonl:2: id: expected 1 to 200"),
        (b'{"id": "b", "query": 1, "candidates": []}', "cases.jsonl:2: query: expected a string"),
        (b'{"id": "b", "query": "q", "chunks": [{"text": "t", "keep": true}]}', "cases.jsonl:2: a labelled case"),
        (b'{"id": "b", "query": "\xff", "candidates": []}', "cases.jsonl:2: not UTF-8"),
        (b"[" * 100_000, "cases.jsonl:2: not usable JSON"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(store, tmp_path, line, message):
    good = b'{"id": "a", "query": "q", "candidates": [{"text": "t"}]}\n'
    (tmp_path / "cases.jsonl").write_bytes(good + line + b"\n" + good)
    with pytest.raises(CaseFileError, match=message):
        store.import_jsonl(tmp_path / "cases.jsonl")
    assert len(store) == 0


def test_more_cases_than_one_transaction_takes_are_imported(store, tmp_path):
    rows = [{"id": f"n{i}", "query": "q", "candidates": [{"text": "t"}]} for i in range(250)]
    text = "\ufeff" + "\r\n\n".join(json.dumps(r) for r in rows)
    (tmp_path / "cases.jsonl").write_text(text, encoding="utf-8", newline="")
    assert store.import_jsonl(tmp_path / "cases.jsonl").added == 250
    assert [c.id for c in store] == [r["id"] for r in rows]


def test_an_export_that_fails_leaves_what_was_there(store, result, tmp_path):
    store.record(result)
    (tmp_path / "out.jsonl").write_text("before", encoding="utf-8")
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE cases SET record = 'no JSON'")
    with pytest.raises(StoreError, match="cannot be read"):
        store.export_jsonl(tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "before"
    assert {f.name.split("-")[0] for f in tmp_path.iterdir()} == {"out.jsonl", "cases.sqlite3"}


def test_a_store_is_not_exported_onto_itself(store):
    with pytest.raises(ValueError, match="is the store itself"):
        store.export_jsonl(store.path)


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_files_are_their_owners_alone(store, result, tmp_path):
    store.record(result)
    store.export_jsonl(tmp_path / "out.jsonl")
    assert {f.name: f.stat().st_mode & 0o077 for f in tmp_path.iterdir()} == {f.name: 0 for f in tmp_path.iterdir()}


# ------------------------------------------------------------------ odd text


@pytest.mark.parametrize("text", ["\ud800", "\udc00\ud800", "\ud83d" + "\ude00", "\0\x1b[2J", "\u202e\u2028\r\n", "长" * 350_000])
def test_odd_and_large_text_comes_back_equal(store, result, text):
    made = replace(
        result, query=text, candidates=(replace(result.candidates[0], text=text, title=text, metadata={text: [text]}),)
    )
    want = Expected(accepted=(text + "x",), keep_sentences=(Part("terms", "x" + text),))
    case = store.get(store.record(made, note=text, expected=want))
    assert (case.query, case.note, case.expected) == (text, text, want)
    assert case.candidates == made.candidates
    assert case.candidates[0].metadata == {text: [text]}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=ANY_TEXT, text=ANY_TEXT, title=ANY_TEXT, note=ANY_TEXT, uri=st.none() | ANY_TEXT,
    metadata=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3), max_leaves=6,
    ).map(lambda value: {"m": value}),
    accepted=st.lists(ANY_TEXT.filter(str.strip), max_size=3),
)  # fmt: skip
def test_any_text_comes_back_equal(store, result, query, text, title, note, uri, metadata, accepted):
    chunk = Chunk(text, "a", title=title, uri=uri, metadata=metadata)
    made = replace(result, query=query, candidates=(chunk,))
    case = store.get(store.record(made, note=note, expected=Expected(accepted=tuple(accepted))))
    assert (case.query, case.note, case.expected.accepted) == (query, note, tuple(accepted))
    assert (case.candidates[0], case.candidates[0].metadata) == (chunk, metadata)
    assert plain(BadCase.from_dict(plain(case))) == plain(case)


# ------------------------------------------------------------------ other people's files


def test_a_file_that_is_missing_is_not_made_where_it_must_exist(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cases\.sqlite3: no such file"):
        BadCaseStore(tmp_path / "cases.sqlite3", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path):
    text, other = tmp_path / "notes.txt", tmp_path / "other.sqlite3"
    text.write_text("no database, for all its length" * 100, encoding="utf-8")
    with closing(sqlite3.connect(other)) as db, db:
        db.execute("CREATE TABLE cases(id TEXT)")
    before = [f.read_bytes() for f in (text, other)]
    with pytest.raises(StoreError, match=r"notes\.txt: file is not a database"):
        BadCaseStore(text)
    with pytest.raises(StoreError, match=r"other\.sqlite3: an SQLite file of another program"):
        BadCaseStore(other)
    assert [f.read_bytes() for f in (text, other)] == before
    with pytest.raises(StoreError):
        BadCaseStore(tmp_path)


def test_a_store_of_a_newer_version_is_refused(tmp_path):
    BadCaseStore(tmp_path / "cases.sqlite3").close()
    with closing(sqlite3.connect(tmp_path / "cases.sqlite3")) as db, db:
        db.execute(f"PRAGMA user_version = {database.FORM + 1}")
    with pytest.raises(StoreError, match="written in form 2 by another version; this one reads 1"):
        BadCaseStore(tmp_path / "cases.sqlite3")


def test_a_closed_store_says_so(store, result):
    store.close()
    store.close()
    with pytest.raises(StoreError, match="the store is closed"):
        store.record(result)


def test_a_name_that_sqlite_reads_in_its_own_way_is_a_file(tmp_path, monkeypatch, result):
    monkeypatch.chdir(tmp_path)
    with BadCaseStore(":memory:") as store:
        store.record(result)
    assert (tmp_path / ":memory:").stat().st_size > 0


# ------------------------------------------------------------------ side by side


def test_threads_record_at_once(store, result):
    def work(n):
        ids = []
        for _ in range(25):
            ids.append(store.record(result, note=str(n)))
            assert store.get(ids[-1]).note == str(n)
            sum(1 for _ in islice(store, 3))
        return ids

    with ThreadPoolExecutor(8) as pool:
        ids = [i for part in pool.map(work, range(8)) for i in part]
    assert len(set(ids)) == len(store) == 200
    assert {c.id for c in store} == set(ids)


def test_stores_made_at_once_on_one_new_file_agree(tmp_path, result):
    start = threading.Barrier(8)

    def work(_):
        start.wait()
        with BadCaseStore(tmp_path / "cases.sqlite3") as store:
            return store.record(result)

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(work, range(8)))
    with BadCaseStore(tmp_path / "cases.sqlite3") as store:
        assert {c.id for c in store} == ids


def test_a_writer_waits_for_another_and_gives_up_in_the_end(store, result, monkeypatch):
    with closing(sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(1.5, lambda: other.execute("COMMIT"))
        release.start()
        store.record(result)
        release.join()
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
        with pytest.raises(StoreError, match="other processes held it"):
            store.record(result)
        other.execute("COMMIT")
    assert len(store) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_store_survives_forks_on_both_sides(store, result):
    ids = [store.record(result)]
    stop, others = threading.Event(), []

    def busy():
        while not stop.is_set():
            others.append(store.record(result))

    thread = threading.Thread(target=busy)
    thread.start()
    children = []
    for _ in range(4):
        child = os.fork()
        if not child:
            code = 1
            try:
                for _ in range(10):
                    store.record(result, note="child")
                code = 0
            finally:
                os._exit(code)
        children.append(child)
        ids.append(store.record(result))
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    stop.set()
    thread.join()
    assert codes == [0] * 4
    notes = [c.note for c in store]
    assert notes.count("child") == 40
    assert len(notes) == 40 + len(ids) + len(others)
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_store_is_copied_and_pickled_as_its_path(tmp_path, result):
    store = BadCaseStore(tmp_path / "cases.sqlite3", redact=str.upper)
    case_id = pickle.loads(pickle.dumps(store)).record(result, note="abc")
    assert copy.copy(store).get(case_id).note == "ABC"
    store.close()


def test_a_second_store_on_the_same_file_takes_nothing_from_the_first(tmp_path, result):
    """Closing any handle of a file drops the locks of the whole process on it: another process would take the log for
    abandoned and delete it."""
    path = tmp_path / "cases.sqlite3"
    first = BadCaseStore(path)
    first.record(result)
    BadCaseStore(path).close()
    code = "import sys; from ragclean.badcases import BadCaseStore; s = BadCaseStore(sys.argv[1]); len(s); s.close()"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    ids = [first.record(result) for _ in range(3)]
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    seen = subprocess.run(
        [sys.executable, "-c", code.replace("len(s)", "print(len(s))"), str(path)], check=True, capture_output=True, text=True
    )
    assert int(seen.stdout) == 4
    assert all(first.get(i) for i in ids)
    first.close()
