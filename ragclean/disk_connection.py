"""Connections to the one SQLite file of a cache: one for each operation, or one that all threads share for a while."""

from __future__ import annotations

import math
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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


def connected(path: Path, seconds: float, *, threads: bool = False) -> sqlite3.Connection:
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
    """A text on its way into the file, and what its thread waits for."""

    key: str
    packed: str
    size: int
    used: int
    held: str | None = None
    """What the file holds under the key already."""
    ended: bool = False
    error: BaseException | None = None
    waiting: threading.Lock = field(default_factory=threading.Lock)


Write = Callable[[sqlite3.Connection, Sequence[Row]], None]


class Shared:
    """Connections for the threads of a process, each used by one of them at a time.

    No thread waits for another one to read. Of threads that write at once the first writes for all of them: what a
    write takes is waiting for the disk, and so they wait together. One lock around both would be passed from thread to
    thread, each of which has to wait for the interpreter first; that took half the time of a busy run.
    """

    def __init__(self, path: Path) -> None:
        self.pid = os.getpid()
        self.path = path
        self._queueing = threading.Lock()
        self._queue: list[Row] = []
        self._led = False
        self._free: list[_Open] = []
        self._gate = threading.Condition()
        self._inside = 0
        self._file: tuple[int, int] | None = None
        self._looked = -math.inf
        _open_ones.add(self)

    def there(self, *, now: bool = False) -> bool:
        """Whether there is a file; looked at from time to time, or ``now``."""
        if now or time.monotonic() - self._looked > _LOOK_SECONDS:
            self._file = _identity(self.path)
            self._looked = time.monotonic()
        return self._file is not None

    @contextmanager
    def lent(self, seconds: float) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else has meanwhile; ``seconds`` to wait for other processes."""
        with self._gate:
            self._inside += 1
        opened: _Open | None = None
        try:
            opened = self._take(seconds)
            yield opened.db
        except BaseException:
            if opened is not None:
                opened.db.close()  # with what was begun
            raise
        else:
            self._free.append(opened)
        finally:
            with self._gate:
                self._inside -= 1
                self._gate.notify_all()

    def _take(self, seconds: float) -> _Open:
        while self._free:
            try:
                found = self._free.pop()
            except IndexError:  # another thread was faster
                break
            if found.file == self._file:
                if found.seconds != seconds:
                    found.db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
                    found.seconds = seconds
                return found
            found.db.close()
        db = connected(self.path, seconds, threads=True)
        self.there(now=True)  # it was made just now, or replaced
        return _Open(db, self._file, seconds)

    def put(self, row: Row, write: Write, make: Callable[[], None], seconds: float, patience: float) -> None:
        """Write a row.

        Args:
            write: writes rows.
            make: makes the file where there is none.
            seconds: to wait for other processes.
            patience: seconds to wait for the thread that writes for others.

        Raises:
            sqlite3.OperationalError: it was not written.
        """
        row.waiting.acquire()
        with self._queueing:
            self._queue.append(row)
            lead, self._led = not self._led, True
        if not lead and not row.waiting.acquire(timeout=min(patience, threading.TIMEOUT_MAX)):
            self._give_up(row)
        if not row.ended:
            self._lead(write, make, seconds)
        if row.error is not None:
            raise sqlite3.OperationalError(str(row.error)) from row.error

    def _give_up(self, row: Row) -> None:
        with self._queueing:
            if row in self._queue and row.waiting.locked():  # else it is being written, or this thread is to write
                self._queue.remove(row)
                raise sqlite3.OperationalError("other threads hold it")
        row.waiting.acquire()

    def _lead(self, write: Write, make: Callable[[], None], seconds: float) -> None:
        """Write what waits, this thread's row among it, and leave what came meanwhile to its first thread."""
        with self._queueing:
            rows, self._queue = self._queue, []
        try:
            make()
            self.there(now=True)
            with writing(self.path), self.lent(seconds) as db:
                write(db, rows)
        except BaseException as error:
            for row in rows:
                row.error = error
            if not isinstance(error, Exception):
                raise
        finally:
            for row in rows:
                row.ended = True
            with self._queueing:
                self._led = bool(self._queue)
                wake = [*rows, *self._queue[:1]]
            for row in wake:
                row.waiting.release()

    def close(self) -> None:
        """Wait for who reads or writes, and close what is open."""
        with self._gate:
            self._gate.wait_for(lambda: not self._inside)
            while self._free:
                self._free.pop().db.close()

    def stop(self) -> None:
        """Until :meth:`go_on` nobody is in the middle of anything."""
        self._gate.acquire()
        self._gate.wait_for(lambda: not self._inside)

    def go_on(self) -> None:
        """After :meth:`stop`."""
        self._gate.release()


@dataclass(slots=True)
class _Open:
    """A connection, the file it was opened to, and what it waits for other processes."""

    db: sqlite3.Connection
    file: tuple[int, int] | None
    seconds: float


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


#: One lock for each file, shared by all objects of this process; a child begins with its own.
_locks: dict[tuple[int, str], threading.Lock] = {}


def writing(path: Path) -> threading.Lock:
    """Who writes side by side would wait for the file, and some of them too long."""
    return _locks.setdefault((os.getpid(), os.path.abspath(path)), threading.Lock())


# -- forks

#: Guards which connection is a cache's shared one.
changing = threading.RLock()
_open_ones: weakref.WeakSet[Shared] = weakref.WeakSet()
#: Connections that a forked child inherited, which it may neither use nor close.
_of_parents: list[Shared] = []


def leave_to_parent(shared: Shared) -> None:
    """Keep what a child inherited from being closed with the last reference to it."""
    _of_parents.append(shared)


def _before_fork() -> None:
    """A child takes over what its parent's SQLite knows: that a thread of the parent is in mid-write, and it would
    wait for that thread for ever."""
    changing.acquire()
    for shared in _open_ones:
        shared.stop()


def _after_fork() -> None:
    for shared in _open_ones:
        shared.go_on()
    changing.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
