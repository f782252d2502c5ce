"""Connections to the one SQLite file of a cache: one for each operation, or one that all threads share for a while."""

from __future__ import annotations

import math
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

#: The form of the file; another one is left alone.
_FORM = 1
#: Says in the file's header whose it is ('ragc'): another program's database is not ours to write into.
_OURS = 0x72616763

#: Who reads looks this often whether the file is still the same; who writes looks each time.
_LOOK_SECONDS = 0.05

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS answers(
    key TEXT PRIMARY KEY, value TEXT NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS by_use ON answers(used);
CREATE TABLE IF NOT EXISTS held(bytes INTEGER NOT NULL);
INSERT INTO held SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM held);
CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON answers
    BEGIN UPDATE held SET bytes = bytes + NEW.size; END;
CREATE TRIGGER IF NOT EXISTS removed AFTER DELETE ON answers
    BEGIN UPDATE held SET bytes = bytes - OLD.size; END;
PRAGMA user_version = {_FORM};
PRAGMA application_id = {_OURS};
COMMIT;
"""


def _connected(path: Path, seconds: float, *, threads: bool = False) -> sqlite3.Connection:
    """A connection to a file that is a cache, or is made one; ``threads``: to be used by several, in turn.

    Raises:
        sqlite3.Error: it cannot be opened, or is another program's or another version's file.
    """
    db = sqlite3.connect(path, timeout=seconds, isolation_level=None, check_same_thread=not threads)
    try:
        db.execute("PRAGMA synchronous = NORMAL")  # a lost last answer is asked for again
        db.execute("BEGIN")  # so that the three are of one moment: another process may be making the tables
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (owner,) = db.execute("PRAGMA application_id").fetchone()
        (form,) = db.execute("PRAGMA user_version").fetchone()
        db.execute("COMMIT")
        if not (tables or owner or form):
            db.executescript(_SCHEMA)
        elif owner != _OURS:
            raise sqlite3.DatabaseError("it is another program's file")
        elif form != _FORM:
            raise sqlite3.DatabaseError(f"its form is {form}, this version reads {_FORM}")
    except BaseException:
        db.close()
        raise
    return db


@dataclass(eq=False, slots=True)
class Row:
    """A text on its way into the file."""

    key: str
    packed: str
    size: int
    used: int
    held: str | None = None
    """What the file holds under the key already."""
    seconds: float = 0.0
    """To wait for another process."""
    since: float = 0.0
    ended: bool = False
    error: Exception | None = None


Write = Callable[[sqlite3.Connection, Sequence[Row]], None]


class Shared:
    """Connections for the threads of a process, each used by one of them at a time.

    No thread waits for another one to read. Of threads that write at once one writes for all of them: what a write
    takes is waiting for the disk, and so they wait together. One lock around both would be passed from thread to
    thread, each of which has to wait for the interpreter first; that took half the time of a busy run.
    """

    def __init__(self, path: Path) -> None:
        self.pid = os.getpid()
        self.path = path
        self._turn = threading.Condition()
        self._queue: list[Row] = []
        self._led = self._closed = False
        self._free: list[_Open] = []
        self._file: tuple[int, int] | None = None
        self._looked = -math.inf

    def there(self, *, now: bool = False) -> bool:
        """Whether there is a file; looked at from time to time, or ``now``."""
        if now or time.monotonic() - self._looked > _LOOK_SECONDS:
            self._file = _identity(self.path)
            self._looked = time.monotonic()
        return self._file is not None

    @contextmanager
    def lent(self, seconds: float, *, checked: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else has meanwhile.

        Args:
            seconds: to wait for other processes.
            checked: look first whether the file is still a cache of this form.
        """
        with _using():
            opened = self._take(seconds, checked)
            try:
                yield opened.db
            except BaseException:
                opened.db.close()  # with what was begun
                raise
            if self._closed:
                opened.db.close()
            else:
                self._free.append(opened)

    def _take(self, seconds: float, checked: bool) -> _Open:
        while self._free:
            try:
                found = self._free.pop()
            except IndexError:  # another thread was faster
                break
            if found.file == self._file and (not checked or _is_ours(found.db)):
                if found.seconds != seconds:
                    found.db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
                    found.seconds = seconds
                return found
            found.db.close()
        db = _connected(self.path, seconds, threads=True)
        self.there(now=True)  # it was made just now, or replaced
        return _Open(db, self._file, seconds)

    def put(self, row: Row, write: Write, make: Callable[[], None], patience: float) -> None:
        """Write a row.

        Args:
            write: writes rows.
            make: makes the file where there is none.
            patience: seconds to wait for the thread that writes for others.

        Raises:
            sqlite3.Error: it was not written.
        """
        row.since = time.monotonic()
        rows: list[Row] = []
        try:
            rows = self._turn_of(row, patience)
            if rows:
                self._write(rows, row, write, make)
        finally:
            with self._turn:
                if row in self._queue:
                    self._queue.remove(row)
                if rows:
                    self._led = False
                    self._queue[:0] = [r for r in rows if not r.ended and r is not row]
                    self._turn.notify_all()
        if row.error is not None:
            raise row.error

    def _turn_of(self, row: Row, patience: float) -> list[Row]:
        """Wait until the row was written; or until this thread is to write, which gets all rows that wait."""
        until = row.since + patience
        with self._turn:
            self._queue.append(row)
            while self._led and not row.ended:
                left = min(until - time.monotonic(), threading.TIMEOUT_MAX)
                if left <= 0.0:
                    raise sqlite3.OperationalError("other threads hold it")
                self._turn.wait(left)
            if row.ended:
                return []
            self._led = True
            rows, self._queue = self._queue, []
            return rows

    def _write(self, rows: list[Row], own: Row, write: Write, make: Callable[[], None]) -> None:
        """Write all rows. Where that fails it fails for this thread's own, and for those that have waited long enough;
        the others are tried again, each by its own thread."""
        try:
            try:
                self._write_once(rows, own.seconds, write, make)
            except sqlite3.OperationalError:
                raise
            except Exception:
                if len(rows) == 1:
                    raise
                rows = [own]  # one of them cannot be written: this thread answers for its own alone
                self._write_once(rows, own.seconds, write, make)
        except Exception as error:
            now = time.monotonic()
            for row in rows:
                if row is own or now - row.since >= row.seconds:
                    row.error, row.ended = error, True
        else:
            for row in rows:
                row.ended = True

    def _write_once(self, rows: Sequence[Row], seconds: float, write: Write, make: Callable[[], None]) -> None:
        make()
        self.there(now=True)
        with _writing(self.path), self.lent(seconds, checked=True) as db:
            write(db, rows)

    def close(self) -> None:
        """Close what is open; what is in use meanwhile is closed when it comes back. A child leaves what it inherited
        as it is."""
        if self.pid != os.getpid():
            _of_parents.append(self)
            return
        self._closed = True
        while self._free:
            self._free.pop().db.close()


@dataclass(slots=True)
class _Open:
    """A connection, the file it was opened to, and what it waits for other processes."""

    db: sqlite3.Connection
    file: tuple[int, int] | None
    seconds: float


def _is_ours(db: sqlite3.Connection) -> bool:
    try:
        (owner,) = db.execute("PRAGMA application_id").fetchone()
        (form,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError:
        return False
    return bool(owner == _OURS and form == _FORM)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        seen = os.stat(path)
    except (OSError, ValueError):  # a name that no file can have
        return None
    return seen.st_dev, seen.st_ino


#: One lock for each file, shared by all objects of this process; a child begins with its own.
_locks: dict[tuple[int, str], threading.Lock] = {}


def _writing(path: Path) -> threading.Lock:
    """Who writes side by side would wait for the file, and some of them too long."""
    return _locks.setdefault((os.getpid(), os.path.abspath(path)), threading.Lock())


# -- forks

#: Guards which connection is a cache's shared one.
changing = threading.RLock()
#: Connections that a forked child inherited, which it may neither use nor close, not even with the last reference.
_of_parents: list[Shared] = []


class _Gate:
    """Who is inside SQLite now, and whether a fork waits until nobody is."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside, self._closed = 0, False

    def enter(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._closed)
            self._inside += 1

    def leave(self) -> None:
        with self._changed:
            self._inside -= 1
            if not self._inside:
                self._changed.notify_all()

    def close(self) -> None:
        self._changed.acquire()
        self._closed = True
        self._changed.wait_for(lambda: not self._inside)

    def open(self) -> None:
        self._closed = False
        self._changed.notify_all()
        self._changed.release()


_gate = _Gate()


@contextmanager
def _using() -> Iterator[None]:
    """Around all that SQLite does. A child takes over what its parent's SQLite knows: that a thread of the parent is in
    mid-write, for which it would wait for ever. So a fork waits until no thread is in the middle of anything."""
    _gate.enter()
    try:
        yield
    finally:
        _gate.leave()


def _before_fork() -> None:
    changing.acquire()
    _gate.close()


def _after_fork() -> None:
    _gate.open()
    changing.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
