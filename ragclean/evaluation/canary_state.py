"""What a canary remembers, in one SQLite file: whole after a kill, shared by processes, bounded."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from ragclean.evaluation.canary_detection import Baseline, Detector, Window

T = TypeVar("T")

#: 'RgCn': tells the state of a canary from any other SQLite file.
_OURS = 0x5267436E
#: The form of the file, in SQLite's ``user_version``; another one is left alone.
_FORM = 1
#: Seconds to wait while another process writes; a write takes milliseconds, and the first one after the baseline is
#: learnt half a second.
_BUSY_SECONDS = 30.0
#: Closed windows that are kept: more than a year of days.
KEPT_WINDOWS = 400

_SCHEMA = (
    "CREATE TABLE parts(name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE windows(seq INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL)",
    f"PRAGMA application_id = {_OURS}",
    f"PRAGMA user_version = {_FORM}",
)


class CanaryStateError(Exception):
    """A state that cannot be read or written, or that is none; the message names the file."""


@dataclass(slots=True)
class Progress:
    """Where a canary is: counters, the open window, what it has learnt, and the statistic. Times are ISO, UTC."""

    queries: int = 0
    empty: int = 0
    """Queries for which nothing was retrieved; they have no share."""
    chunks: int = 0
    noisy: int = 0
    alarms: int = 0
    """How many were raised so far."""
    window: Window | None = None
    learning: dict[str, int] = field(default_factory=dict)
    """While the baseline is learnt: how many queries had which share, by step."""
    learnt: list[list[float]] = field(default_factory=list)
    """While the baseline is learnt: queries and sum of shares of each closed window."""
    statistic: float = 0.0
    since: str = ""
    """When the statistic last left 0: where a rise began, if it is one."""
    since_queries: int = 0
    since_total: float = 0.0
    raised: str = ""
    """When the alarm that is on was raised; empty where none is."""
    acknowledged: bool = False

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Progress:
        """Rebuild from :meth:`to_dict`.

        Raises:
            ValueError, TypeError, AttributeError: the data is no progress.
        """
        expected = cls()
        for f in fields(cls):
            wanted = (dict, type(None)) if f.name == "window" else (type(getattr(expected, f.name)),)
            wanted = (*wanted, int) if float in wanted else wanted
            if not isinstance(data[f.name], wanted):
                raise TypeError(f"{f.name}: a {type(data[f.name]).__name__}")
        window = data["window"]
        return cls(**{**data, "window": None if window is None else Window(**window)})


@dataclass(slots=True)
class Held:
    """All that is remembered, while it is worked on."""

    settings: dict[str, Any]
    progress: Progress
    baseline: Baseline | None = None
    detector: Detector | None = None
    closed: list[Window] = field(default_factory=list)
    """Windows closed since it was read."""


class Memory:
    """A state that ends with the process."""

    name = "memory"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Held | None = None
        self._windows: list[Window] = []

    def change(self, fresh: Callable[[], Held], work: Callable[[Held], T]) -> T:
        """What ``work`` makes of what is held; ``fresh`` makes it on first use."""
        with self._lock:
            held = self._held or fresh()
            copy = Held(held.settings, Progress.from_dict(held.progress.to_dict()), held.baseline, held.detector)
            made = work(copy)  # which leaves everything as it was where it raises
            self._windows = [*self._windows, *copy.closed][-KEPT_WINDOWS:]
            copy.closed = []
            self._held = copy
            return made

    def windows(self) -> tuple[Window, ...]:
        """The windows closed last, oldest first."""
        with self._lock:
            return tuple(self._windows)


class File:
    """A state in a file. Each change is one transaction: processes take turns, and a kill leaves the last whole one.

    Raises:
        CanaryStateError: the file is another program's, or damaged.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self.name = os.fspath(path)
        self._lock = threading.Lock()  # threads that wait for the file side by side would wait for each other too

    def change(self, fresh: Callable[[], Held], work: Callable[[Held], T]) -> T:
        """What ``work`` makes of what is held, written when this returns; ``fresh`` makes it where there is none."""

        def transaction(db: sqlite3.Connection) -> T:
            before = self._read(db)
            held = before or fresh()
            known = held.baseline
            made = work(held)
            self._write(db, held, everything=before is None or held.baseline is not known)
            return made

        return self._in_transaction(transaction)

    def windows(self) -> tuple[Window, ...]:
        """The windows closed last, oldest first."""
        rows = self._in_transaction(lambda db: db.execute("SELECT value FROM windows ORDER BY seq").fetchall())
        return tuple(self._parsed(row[0], lambda data: Window(**data)) for row in rows)

    def _in_transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            try:
                self._make_file()
                with closing(sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)) as db:
                    db.execute("BEGIN IMMEDIATE")  # a connection that is closed within it leaves no trace
                    self._check(db)
                    made = work(db)
                    db.execute("COMMIT")
                    return made
            except (sqlite3.Error, OSError) as error:
                why = error.strerror or error if isinstance(error, OSError) else error
                raise CanaryStateError(f"{self.name}: {why}") from error

    def _make_file(self) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))

    def _check(self, db: sqlite3.Connection) -> None:
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (owner,) = db.execute("PRAGMA application_id").fetchone()
        (form,) = db.execute("PRAGMA user_version").fetchone()
        if not (tables or owner or form):
            for statement in _SCHEMA:
                db.execute(statement)
        elif owner != _OURS:
            raise CanaryStateError(f"{self.name}: an SQLite file of another program, no state of a canary")
        elif form != _FORM:
            raise CanaryStateError(f"{self.name}: written in form {form} by another version; this one reads {_FORM}")

    def _read(self, db: sqlite3.Connection) -> Held | None:
        parts: dict[str, Any] = dict(db.execute("SELECT name, value FROM parts"))
        if not parts:
            return None
        for name in ("settings", "progress", "baseline", "detector"):
            if name not in parts:
                raise CanaryStateError(f"{self.name}: damaged, it has no {name}")
        baseline = self._parsed(parts["baseline"], lambda data: None if data is None else Baseline.from_dict(data))
        detector = self._parsed(parts["detector"], lambda data: None if data is None else Detector(**data))
        progress = self._parsed(parts["progress"], Progress.from_dict)
        return Held(self._parsed(parts["settings"], dict), progress, baseline, detector)

    def _write(self, db: sqlite3.Connection, held: Held, everything: bool) -> None:
        parts: dict[str, Any] = {"progress": held.progress.to_dict()}
        if everything:
            parts["settings"] = held.settings
            parts["baseline"] = None if held.baseline is None else held.baseline.to_dict()
            parts["detector"] = None if held.detector is None else asdict(held.detector)
        rows = [(name, json.dumps(value, allow_nan=False)) for name, value in parts.items()]
        db.executemany("INSERT OR REPLACE INTO parts VALUES (?, ?)", rows)
        self._keep(db, held.closed)

    def _keep(self, db: sqlite3.Connection, closed: Sequence[Window]) -> None:
        if closed:
            rows = [(json.dumps(asdict(window)),) for window in closed[-KEPT_WINDOWS:]]
            db.executemany("INSERT INTO windows(value) VALUES (?)", rows)
            db.execute("DELETE FROM windows WHERE seq <= (SELECT max(seq) FROM windows) - ?", (KEPT_WINDOWS,))

    def _parsed(self, text: Any, build: Callable[[Any], T]) -> T:
        try:
            return build(json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
            why = f"{type(error).__name__}: {error}"
            raise CanaryStateError(f"{self.name}: damaged, a part of it cannot be read ({why:.120})") from error
