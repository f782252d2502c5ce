"""Texts by key in one SQLite file: bounded, shared by threads and processes, still there the next day."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from ragclean.disk_connection import Row, Shared, changing

logger = logging.getLogger(__name__)
T = TypeVar("T")

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
        self._shared: Shared | None = None
        self._sessions = 0

    def __getstate__(self) -> dict[str, Any]:
        """Without what is open, which stays with its process."""
        return {**self.__dict__, "_shared": None, "_sessions": 0}

    @contextmanager
    def session(self) -> Iterator[None]:
        """Meanwhile all operations of this object share one connection, and what several threads have to write at once
        is written at once: the waiting for the disk, most of what a write takes, is shared as well. What happens to
        the file meanwhile is noticed all the same."""
        with changing:
            self._sessions += 1
        try:
            yield
        finally:
            with changing:
                self._sessions -= 1
                if self._shared is not None and not self._sessions:
                    self._shared.close()
                    self._shared = None

    def get(self, key: str) -> str | None:
        """The text of a key; None where there is none, or the file cannot be read."""
        return Visit(self).get(key)

    def put(self, key: str, value: str) -> str:
        """Keep a text under a key that has none yet; make room where the bound is passed.

        Returns:
            What holds from now on: the text, or the one that was there before.
        """
        return Visit(self).put(key, value)

    def drop(self, key: str) -> None:
        """Forget one key, so that another text can be kept under it."""
        Visit(self).drop(key)

    def held_bytes(self) -> int:
        """What is held now, as the bound counts it; 0 where the file cannot be read."""
        return Visit(self).held_bytes()

    def _make_room(self, db: sqlite3.Connection) -> None:
        if _held(db) > self._max_bytes:
            newest_first = "SELECT key, size, sum(size) OVER (ORDER BY used DESC, rowid DESC) AS so_far FROM answers"
            gone = f"SELECT key FROM ({newest_first}) WHERE so_far > ? AND so_far > size"  # never the newest itself
            db.execute(f"DELETE FROM answers WHERE key IN ({gone})", (int(self._max_bytes * _LEFT_AFTER),))

    def _make_file(self) -> None:
        if not self.path.exists():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))

    @contextmanager
    def _connections(self) -> Iterator[Shared]:
        """Those of the session; without one, such as live for one operation."""
        if self._sessions:
            yield self._common()
        else:
            with closing(Shared(self.path)) as alone:
                yield alone

    @contextmanager
    def _opened(self, seconds: float) -> Iterator[sqlite3.Connection | None]:
        """A connection; None where there is no file."""
        with self._connections() as shared:
            if shared.there():
                with shared.lent(seconds) as db:
                    yield db
            else:
                yield None

    def _put(self, row: Row, seconds: float, patience: float) -> None:
        row.seconds = seconds
        with self._connections() as shared:
            shared.put(row, self._write, self._make_file, patience)

    def _write(self, db: sqlite3.Connection, rows: Sequence[Row]) -> None:
        db.execute("BEGIN IMMEDIATE")
        for row in rows:
            values = (row.key, row.packed, row.size, row.used)
            if not db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", values).rowcount:
                found = db.execute("SELECT value FROM answers WHERE key = ?", (row.key,)).fetchone()
                row.held = _text(found[0]) if found else None
        self._make_room(db)
        db.execute("COMMIT")

    def _common(self) -> Shared:
        """The connection of a session; a new one in a forked child, whose parent goes on using its own."""
        with changing:
            if self._shared is None or self._shared.pid != os.getpid():
                if self._shared is not None:
                    self._shared.close()
                self._shared = Shared(self.path)
            return self._shared

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            # As ASCII, since a path or a damaged page may hold what no log can be written in.
            path, why = ascii(os.fspath(self.path)), ascii(f"{type(error).__name__}: {error}")[1:-1]
            logger.warning("cache %s cannot be used, answers are asked for again: %s", path, why[:_QUOTED])


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
            with cache._opened(seconds) as db:
                if db is None:
                    return None
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
                    db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
                return value

        return self._tried(look_up, None)

    def put(self, key: str, value: str) -> str:
        """As :meth:`DiskCache.put`."""
        packed = json.dumps(value)  # ASCII: a lone surrogate cannot be written as UTF-8
        row = Row(key, packed, len(packed) + _OVERHEAD, int(time.time()))
        if self._cache is not None and row.size <= self._cache._max_bytes:
            self._tried(lambda cache, seconds: cache._put(row, seconds, self._left), None)
        return value if row.held is None else row.held

    def drop(self, key: str) -> None:
        """As :meth:`DiskCache.drop`."""

        def forget(cache: DiskCache, seconds: float) -> None:
            with cache._opened(seconds) as db:
                if db is not None:
                    db.execute("DELETE FROM answers WHERE key = ?", (key,))

        self._tried(forget, None)

    def held_bytes(self) -> int:
        """As :meth:`DiskCache.held_bytes`."""

        def count(cache: DiskCache, seconds: float) -> int:
            with cache._opened(seconds) as db:
                return 0 if db is None else _held(db)

        return self._tried(count, 0)

    @property
    def _left(self) -> float:
        """Seconds."""
        return max(self._until - time.monotonic(), 0.0)

    def _tried(self, work: Callable[[DiskCache, float], T], otherwise: T) -> T:
        seconds = min(_BUSY_SECONDS, self._left)
        if self._cache is None or self._failed or seconds <= 0:
            return otherwise
        try:
            return work(self._cache, seconds)
        except Exception as error:  # a damaged file raises any kind: UnicodeDecodeError, TypeError, MemoryError ...
            self._failed = True
            self._cache._complain(error)
            return otherwise


def _text(packed: object) -> str | None:
    """What :meth:`Visit.put` packed; None for anything else."""
    try:
        value = json.loads(packed) if isinstance(packed, str) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _held(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT bytes FROM held").fetchone()[0])
