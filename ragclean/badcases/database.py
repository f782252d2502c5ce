"""The SQLite file of a store: opened with care, one transaction at a time, tried again while another one writes."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

#: 'RgBC': tells a store from any other SQLite file.
APPLICATION_ID = 0x52674243
#: The form of the file, in SQLite's ``user_version``; a newer one is left alone.
FORM = 1
#: Seconds for which an operation is tried while other processes hold the file. A write takes milliseconds.
BUSY_SECONDS = 30.0
#: Seconds between two tries, at most. SQLite's own waits grow to 0.1: with four writers, most of the time nobody wrote.
_WAIT = (0.001, 0.01)
_BUSY, _LOCKED = 5, 6

_SCHEMA = (
    """CREATE TABLE cases(
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, recorded_at TEXT NOT NULL, verdict TEXT,
        labelled INTEGER NOT NULL, label BLOB NOT NULL, record BLOB NOT NULL)""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORM}",
)


class StoreError(Exception):
    """A file that is no store, or that cannot be read or written; the message names it."""


class Database:
    """One connection behind a lock, opened on first use and again after a fork.

    Raises:
        FileNotFoundError: there is no such file, and ``create`` is False.
        StoreError: the file is no store, or was written by a newer version.
    """

    def __init__(self, path: Path, *, create: bool) -> None:
        self._path = path
        # Absolute, so that a working directory that changes, or a file named ':memory:', changes nothing.
        self._file = os.path.abspath(path)
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._closed = False
        if create:
            self._make_file()
        elif not os.path.exists(self._file):
            raise FileNotFoundError(f"{path}: no such file")
        self._tried(lambda db: None)
        with _FORKING:
            _OPEN.add(self)

    def __del__(self) -> None:
        if getattr(self, "_db", None) is not None:
            self._disconnect()

    def read(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """The rows of one query."""
        return self._tried(lambda db: db.execute(query, values).fetchall())

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What ``work`` gives, in one transaction that is on the disk when this returns, or undone.

        Raises:
            StoreError: the file cannot be written, or others held it for 30 seconds.
        """

        def transaction(db: sqlite3.Connection) -> T:
            db.execute("BEGIN IMMEDIATE")
            try:
                made = work(db)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return made

        return self._tried(transaction)

    def checkpoint(self) -> None:
        """Write the log back and empty it, unless another process is at work on it: then that one will."""
        with suppress(StoreError):
            self._tried(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._disconnect()

    def _make_file(self) -> None:
        try:
            Path(self._file).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Only where there is none: closing a handle of a file drops all locks of this process on it (POSIX), those
            # of another store object's connection too, and other processes would take its log for abandoned.
            with suppress(FileExistsError):
                os.close(os.open(self._file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except OSError as error:
            raise StoreError(f"{self._path}: {error.strerror or error}") from error

    def _tried(self, work: Callable[[sqlite3.Connection], T]) -> T:
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                with self._connected() as db:
                    return work(db)
            except sqlite3.Error as error:
                if not _is_busy(error):
                    raise StoreError(f"{self._path}: {error}") from error
                if time.monotonic() >= deadline:
                    message = f"{self._path}: other processes held it for {BUSY_SECONDS:.0f} seconds"
                    raise StoreError(message) from error
            time.sleep(random.uniform(*_WAIT))  # outside the lock; apart, so that waiters do not meet again

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._closed:
                raise StoreError(f"{self._path}: the store is closed")
            if self._db is None:
                self._db = self._opened()
            yield self._db

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._file, timeout=0.0, isolation_level=None, check_same_thread=False)
        try:
            # Nothing is changed before it is known whose file it is.
            db.execute("BEGIN")  # one look, though another process may be making the file
            new = self._is_new(db)
            db.execute("COMMIT")
            if new:
                self._create(db)
            db.execute("PRAGMA journal_mode = WAL").fetchone()
            db.execute("PRAGMA synchronous = FULL")  # NORMAL may lose the last commits with the power
            db.execute("PRAGMA fullfsync = ON")  # macOS: fsync alone does not reach the platter
            db.execute("PRAGMA secure_delete = ON")  # a deleted case may have been deleted for a reason
        except BaseException:
            db.close()
            raise
        return db

    def _is_new(self, db: sqlite3.Connection) -> bool:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (form,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not (application or form or tables):
            return True
        if application != APPLICATION_ID:
            raise StoreError(f"{self._path}: an SQLite file of another program, no store of cases")
        if form != FORM:
            raise StoreError(f"{self._path}: written in form {form} by another version; this one reads {FORM}")
        return False

    def _create(self, db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")
        if self._is_new(db):  # another process may have been first
            for statement in _SCHEMA:
                db.execute(statement)
        db.execute("COMMIT")

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _before_fork(self) -> None:
        self._lock.acquire()
        self._disconnect()

    def _after_fork(self) -> None:
        self._lock.release()


_OPEN: weakref.WeakSet[Database] = weakref.WeakSet()
_FORKING = threading.Lock()
_held: list[Database] = []


def _before_fork() -> None:
    """A connection must not be carried into a child: close it, and both sides open their own at the next use."""
    _FORKING.acquire()
    _held.extend(_OPEN)
    for database in _held:
        database._before_fork()


def _after_fork() -> None:
    while _held:
        _held.pop()._after_fork()
    _FORKING.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


def _is_busy(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)  # from Python 3.11 on
    if code is None:
        return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
    return code & 0xFF in (_BUSY, _LOCKED)
