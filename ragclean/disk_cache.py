"""Texts by key in one SQLite file: bounded, shared by threads and processes, still there the next day."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

logger = logging.getLogger(__name__)

#: The form of the file; another one is left alone.
_FORM = 1
#: Seconds to wait while another process writes. A write takes milliseconds.
_BUSY_SECONDS = 10.0
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

    A connection lives for one operation (a fifth of a millisecond), so that threads, forks and copies of the object
    need no care. The first to write a key is the one that is kept, so that processes side by side agree. A file that
    cannot be read or written is said once in the log, and the cache is empty then: it never fails its user.

    Args:
        path: the file; made, readable by its owner only, with its folder, at the first write.
        max_bytes: bound on what is held; the file itself is somewhat larger.
    """

    def __init__(self, path: str | os.PathLike[str], max_bytes: int) -> None:
        self.path = Path(path)
        self._max_bytes = max_bytes
        self._complained = False

    def get(self, key: str) -> str | None:
        """The text of a key; None where there is none, or the file cannot be read."""
        try:
            if not self.path.exists():
                return None
            with self._opened() as db:
                row = db.execute("SELECT value, used FROM answers WHERE key = ?", (key,)).fetchone()
                if row is None:
                    return None
                now = int(time.time())
                if row[1] < now - _USE_SECONDS:
                    with suppress(sqlite3.OperationalError):  # a file that may only be read serves all the same
                        db.execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
            value = json.loads(row[0])
        except (sqlite3.Error, OSError, ValueError) as error:
            self._complain(error)
            return None
        return value if isinstance(value, str) else None

    def put(self, key: str, value: str) -> None:
        """Keep a text under a key that has none yet; make room where the bound is passed."""
        packed = json.dumps(value)  # ASCII: a lone surrogate cannot be written as UTF-8
        size = len(packed) + _OVERHEAD
        if size > self._max_bytes:
            return
        try:
            self._make_file()
            with self._opened() as db:
                db.execute("BEGIN IMMEDIATE")
                row = (key, packed, size, int(time.time()))
                db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", row)
                self._make_room(db)
                db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            self._complain(error)

    def drop(self, key: str) -> None:
        """Forget one key, so that another text can be kept under it."""
        try:
            if self.path.exists():
                with self._opened() as db:
                    db.execute("DELETE FROM answers WHERE key = ?", (key,))
        except (sqlite3.Error, OSError) as error:
            self._complain(error)

    def _make_room(self, db: sqlite3.Connection) -> None:
        if _held(db) > self._max_bytes:
            newest_first = "SELECT key, sum(size) OVER (ORDER BY used DESC, rowid DESC) AS so_far FROM answers"
            gone = f"SELECT key FROM ({newest_first}) WHERE so_far > ?"
            db.execute(f"DELETE FROM answers WHERE key IN ({gone})", (int(self._max_bytes * _LEFT_AFTER),))

    def held_bytes(self) -> int:
        """What is held now, as the bound counts it; 0 where the file cannot be read."""
        try:
            if not self.path.exists():
                return 0
            with self._opened() as db:
                return _held(db)
        except (sqlite3.Error, OSError) as error:
            self._complain(error)
            return 0

    def _make_file(self) -> None:
        if not self.path.exists():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = NORMAL")  # a lost last answer is asked for again
            (form,) = db.execute("PRAGMA user_version").fetchone()
            if form == 0:
                db.executescript(_SCHEMA)
            elif form != _FORM:
                raise sqlite3.DatabaseError(f"its form is {form}, this version reads {_FORM}")
            yield db

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            logger.warning("cache %s cannot be used, answers are asked for again: %s", self.path, error)


def _held(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT bytes FROM held").fetchone()[0])
