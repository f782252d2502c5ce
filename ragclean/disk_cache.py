"""Texts by key in one SQLite file: bounded, shared by threads and processes, still there the next day."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

logger = logging.getLogger(__name__)
T = TypeVar("T")

#: The form of the file; another one is left alone.
_FORM = 1
#: Says in the file's header whose it is ('ragc'): another program's database is not ours to write into.
_OURS = 0x72616763
#: Seconds to wait while another process writes. A write takes milliseconds; who holds the file longer than this has
#: been suspended or copies it, and an answer that is asked for again costs less than a user's waiting.
_BUSY_SECONDS = 2.0
#: Characters of an error that the log quotes: SQLite puts pieces of a damaged file into it.
_QUOTED = 200
#: A use is written down at most this often, so that reading hardly ever writes.
_USE_SECONDS = 3600
#: What one entry takes beside its value: key, row, index.
_OVERHEAD = 200
#: After eviction this share of the bound is left, so that not every write evicts.
_LEFT_AFTER = 0.9

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


def default_folder() -> Path:
    """Where this system's users keep what can be made again.

    Raises:
        RuntimeError: the user has no home folder.
    """
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "ragclean"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ragclean"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ragclean"


class DiskCache:
    """At most ``max_bytes`` of texts, least recently used out first.

    A connection lives for one operation (a fifth of a millisecond), or for a :meth:`session`, so that threads, forks
    and copies of the object need no care. The first to write a key is the one that is kept, so that processes side by
    side agree. A file that is damaged, locked or another program's is said once in the log, and the cache is empty
    then: whatever is wrong with it, it never fails its user.

    Args:
        path: the file; made, readable by its owner only, with its folder, at the first write.
        max_bytes: bound on what is held; the file itself is somewhat larger.
    """

    def __init__(self, path: str | os.PathLike[str], max_bytes: int) -> None:
        self.path = Path(path)
        self._max_bytes = max_bytes
        self._complained = False
        self._shared: _Shared | None = None
        self._sessions = 0

    def __getstate__(self) -> dict[str, Any]:
        """Without what is open, which stays with its process."""
        return {**self.__dict__, "_shared": None, "_sessions": 0}

    @contextmanager
    def session(self) -> Iterator[None]:
        """Meanwhile all operations of this object share one connection: reading takes a tenth of the time then, and
        writing half. What happens to the file meanwhile is noticed all the same."""
        with _changing:
            self._sessions += 1
        try:
            yield
        finally:
            with _changing:
                self._sessions -= 1
                last = self._shared if not self._sessions else None
                self._shared = None if last is not None else self._shared
            if last is not None:
                last.close()

    def get(self, key: str) -> str | None:
        """The text of a key; None where there is none, or the file cannot be read."""
        return Visit(self).get(key)

    def put(self, key: str, value: str) -> None:
        """Keep a text under a key that has none yet; make room where the bound is passed."""
        Visit(self).put(key, value)

    def drop(self, key: str) -> None:
        """Forget one key, so that another text can be kept under it."""
        Visit(self).drop(key)

    def held_bytes(self) -> int:
        """What is held now, as the bound counts it; 0 where the file cannot be read."""
        return Visit(self).held_bytes()

    def _make_room(self, db: sqlite3.Connection) -> None:
        if _held(db) > self._max_bytes:
            newest_first = "SELECT key, sum(size) OVER (ORDER BY used DESC, rowid DESC) AS so_far FROM answers"
            gone = f"SELECT key FROM ({newest_first}) WHERE so_far > ?"
            db.execute(f"DELETE FROM answers WHERE key IN ({gone})", (int(self._max_bytes * _LEFT_AFTER),))

    def _make_file(self) -> None:
        if not self.path.exists():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))

    @contextmanager
    def _opened(self, seconds: float) -> Iterator[sqlite3.Connection]:
        if self._sessions:
            with self._common().lent(seconds) as db:
                yield db
        else:
            with closing(_connected(self.path, seconds)) as db:
                yield db

    def _common(self) -> _Shared:
        """The connection of a session; a new one in a forked child, whose parent goes on using its own."""
        with _changing:
            if self._shared is None or self._shared.pid != os.getpid():
                if self._shared is not None:
                    _of_parents.append(self._shared)
                self._shared = _Shared(self.path)
                _open_ones.add(self._shared)
            return self._shared

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            # As ASCII, since a path or a damaged page may hold what no log can be written in.
            path, why = ascii(os.fspath(self.path)), ascii(f"{type(error).__name__}: {error}")[1:-1]
            logger.warning("cache %s cannot be used, answers are asked for again: %s", path, why[:_QUOTED])


class _Shared:
    """One connection for all threads, one after another; opened anew where the file has become another one."""

    def __init__(self, path: Path) -> None:
        self.pid = os.getpid()
        self._path, self.lock = path, threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    @contextmanager
    def lent(self, seconds: float) -> Iterator[sqlite3.Connection]:
        if not self.lock.acquire(timeout=seconds):
            raise sqlite3.OperationalError("other threads hold it")
        try:
            db = self._open(seconds)
            try:
                yield db
            except BaseException:
                self._shut()  # with what was begun
                raise
        finally:
            self.lock.release()

    def close(self) -> None:
        with self.lock:
            self._shut()

    def _open(self, seconds: float) -> sqlite3.Connection:
        if self._db is not None and self._file != _identity(self._path):
            self._shut()
        if self._db is None:
            self._db = _connected(self._path, seconds, threads=True)
            self._file = _identity(self._path)
        self._db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
        return self._db

    def _shut(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db = None


#: Guards which connection is the shared one.
_changing = threading.RLock()
_open_ones: weakref.WeakSet[_Shared] = weakref.WeakSet()
#: Connections that a forked child inherited, which it may neither use nor close.
_of_parents: list[_Shared] = []


def _before_fork() -> None:
    """A child takes over what its parent's SQLite knows: that a thread of the parent is in mid-write, and it would
    wait for that thread for ever."""
    _changing.acquire()
    for shared in _open_ones:
        shared.lock.acquire()


def _after_fork() -> None:
    for shared in _open_ones:
        shared.lock.release()
    _changing.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _connected(path: Path, seconds: float, *, threads: bool = False) -> sqlite3.Connection:
    """A connection to a file that is a cache, or is made one; ``threads``: to be used by several, in turn."""
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


class Visit:
    """One call's use of a cache. After the first failure it is left alone, so that a file that another process keeps
    locked costs one short wait, and not one for every key.

    Args:
        cache: None for none.
        until: the moment, on the monotonic clock, from which there is no more time for a cache.
    """

    def __init__(self, cache: DiskCache | None, until: float = float("inf")) -> None:
        self._cache, self._until, self._failed = cache, until, False

    def get(self, key: str) -> str | None:
        """As :meth:`DiskCache.get`."""

        def look_up(cache: DiskCache, seconds: float) -> str | None:
            if not cache.path.exists():
                return None
            with cache._opened(seconds) as db:
                row = db.execute("SELECT value, used FROM answers WHERE key = ?", (key,)).fetchone()
                if row is None:
                    return None
                value, now = _text(row[0]), int(time.time())
                if value is None or row[1] < now - _USE_SECONDS:
                    # The reader need not wait for that, and a file that may only be read serves all the same.
                    with suppress(sqlite3.OperationalError):
                        db.execute("PRAGMA busy_timeout = 0")
                        if value is None:
                            db.execute("DELETE FROM answers WHERE key = ?", (key,))
                        else:
                            db.execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
                return value

        return self._tried(look_up, None)

    def put(self, key: str, value: str) -> None:
        """As :meth:`DiskCache.put`."""
        packed = json.dumps(value)  # ASCII: a lone surrogate cannot be written as UTF-8
        size = len(packed) + _OVERHEAD

        def keep(cache: DiskCache, seconds: float) -> None:
            if size > cache._max_bytes:
                return
            cache._make_file()
            with cache._opened(seconds) as db:
                db.execute("BEGIN IMMEDIATE")
                row = (key, packed, size, int(time.time()))
                db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", row)
                cache._make_room(db)
                db.execute("COMMIT")

        if self._cache is not None:
            with _writing(self._cache.path):  # side by side they would wait for the file, and some of them too long
                self._tried(keep, None)

    def drop(self, key: str) -> None:
        """As :meth:`DiskCache.drop`."""

        def forget(cache: DiskCache, seconds: float) -> None:
            if cache.path.exists():
                with cache._opened(seconds) as db:
                    db.execute("DELETE FROM answers WHERE key = ?", (key,))

        self._tried(forget, None)

    def held_bytes(self) -> int:
        """As :meth:`DiskCache.held_bytes`."""

        def count(cache: DiskCache, seconds: float) -> int:
            if not cache.path.exists():
                return 0
            with cache._opened(seconds) as db:
                return _held(db)

        return self._tried(count, 0)

    def _tried(self, work: Callable[[DiskCache, float], T], otherwise: T) -> T:
        seconds = min(_BUSY_SECONDS, self._until - time.monotonic())
        if self._cache is None or self._failed or seconds <= 0:
            return otherwise
        try:
            return work(self._cache, seconds)
        except Exception as error:  # a damaged file raises any kind: UnicodeDecodeError, TypeError, MemoryError ...
            self._failed = True
            self._cache._complain(error)
            return otherwise


#: One lock for each file, shared by all objects of this process; a child begins with its own.
_locks: dict[tuple[int, str], threading.Lock] = {}


def _writing(path: Path) -> threading.Lock:
    return _locks.setdefault((os.getpid(), os.path.abspath(path)), threading.Lock())


def _text(packed: object) -> str | None:
    """What :meth:`Visit.put` packed; None for anything else."""
    try:
        value = json.loads(packed) if isinstance(packed, str) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _held(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT bytes FROM held").fetchone()[0])
