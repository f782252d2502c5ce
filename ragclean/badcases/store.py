"""Recorded cases in one SQLite file: what was acknowledged is on the disk, whatever happens to the process."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal

from ragclean.badcases.database import Database, StoreError
from ragclean.badcases.lines import numbered_cases
from ragclean.badcases.record import VERDICTS, BadCase, Expected, Verdict, check_id, check_verdict
from ragclean.badcases.recording import as_expected, as_note, case_of
from ragclean.badcases.redaction import Redact, redacted_case, redacted_expected, redacted_note
from ragclean.config import CorrectorConfig
from ragclean.json_lines import CaseFileError, write_lines
from ragclean.result import RefinedContext
from ragclean.screen import shown

__all__ = ["BadCaseStore", "Imported", "StoreError"]

#: Cases written in one transaction while importing: short enough that a recording application hardly waits.
_BATCH = 100
_COLUMNS = "id, verdict, label, record"
_LABEL = ("expected", "note")


class _Unset:
    """What a label that is not given is; None is a verdict's own value."""


_UNSET: Final = _Unset()


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: cases added, replaced, and left as they were since their id was known."""

    added: int
    replaced: int
    known: int


class BadCaseStore:
    """Cases from production, in the order in which they were recorded.

    Safe for several threads and processes at once. :meth:`record` and :meth:`label` return once the case is on the
    disk: a process killed afterwards, or a machine without power, loses nothing acknowledged. A writer that finds
    another at work waits, for 30 seconds at most.

    Args:
        path: the SQLite file; made, readable by its owner only, with its folder, where there is none.
        redact: applied to every text before anything of it is written: query, chunk texts, titles, uris, metadata,
            options, outcome, note, labels. Ids, sources and dates are left as they are. Texts are redacted one by
            one, so a label still matches its chunk only where the hook changes a part as it changes the whole.
        create: False refuses a file that does not exist.

    Raises:
        FileNotFoundError: there is no such file, and ``create`` is False.
        StoreError: the file is no store, or was written by a newer version.
    """

    def __init__(self, path: str | Path, *, redact: Redact | None = None, create: bool = True) -> None:
        if redact is not None and not callable(redact):
            raise TypeError(f"redact: expected a callable, got {type(redact).__name__}")
        self.path = Path(path)
        self._redact = redact
        self._database = Database(self.path, create=create)

    def __enter__(self) -> BadCaseStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied as its path and its redaction."""
        return partial(BadCaseStore, redact=self._redact), (self.path,)

    def close(self) -> None:
        """Close the file; any further use raises ``StoreError``. Closing twice is no error."""
        self._database.close()

    def record(
        self,
        result: RefinedContext,
        *,
        verdict: Verdict | None = None,
        expected: Expected | Mapping[str, Any] | None = None,
        note: str = "",
        candidates: Iterable[Any] | None = None,
        options: Mapping[str, Any] | None = None,
        config: CorrectorConfig | Mapping[str, Any] | None = None,
    ) -> str:
        """Write a result with what can be said of it, and return its id once it is on the disk.

        Args:
            result: what ``refine`` gave back.
            candidates: what ``refine`` was given; the result knows them unless it was restored from JSON.
            options: ``top_k`` and its kin; the same.
            config: the configuration of the run, kept for people to read.

        Raises:
            ValueError: the result knows no candidates and none are given; a label is malformed; the redaction failed
                (``RedactionError``). Nothing was written.
            StoreError: the file cannot be written. Nothing was written.
        """
        case = case_of(
            result, verdict=verdict, expected=expected, note=note, candidates=candidates, options=options, config=config
        )
        row = self._row(case)
        if self._database.write(lambda db: _insert(db, row, replacing=False)) != "added":
            raise StoreError(f"{self.path}: the id {case.id} is taken; record the case again")
        return case.id

    def get(self, case_id: str) -> BadCase:
        """One case.

        Raises:
            KeyError: there is none with this id.
        """
        found = self._database.read(f"SELECT {_COLUMNS} FROM cases WHERE id = ?", (check_id(case_id),))
        if not found:
            raise KeyError(f"no case has the id {case_id}")
        return self._case(found[0])

    def cases(
        self, *, verdict: Verdict | Literal["unreviewed"] | None = None, labelled: bool | None = None
    ) -> Iterator[BadCase]:
        """The cases in the order in which they were recorded, one in memory at a time.

        Cases recorded meanwhile come too; cases deleted meanwhile do not.

        Args:
            verdict: only those with this one; ``"unreviewed"``: without any.
            labelled: only those of which something is expected (True), or nothing (False).
        """
        if verdict is not None and verdict != "unreviewed" and verdict not in VERDICTS:
            raise ValueError(f"verdict: expected one of {', '.join((*VERDICTS, 'unreviewed'))}, got {shown(verdict)}")
        wanted, values = "1", []
        if verdict == "unreviewed":
            wanted += " AND verdict IS NULL"
        elif verdict is not None:
            wanted += " AND verdict = ?"
            values.append(verdict)
        if labelled is not None:
            wanted += f" AND labelled = {int(bool(labelled))}"
        return self._iterate(wanted, tuple(values))

    def __iter__(self) -> Iterator[BadCase]:
        return self.cases()

    def __len__(self) -> int:
        return self._count("1")

    def pending(self) -> Iterator[BadCase]:
        """The cases that want a look: without a verdict, or with a bad one and nothing expected."""
        return self._iterate(_PENDING, ())

    def count_pending(self) -> int:
        """How many :meth:`pending` gives."""
        return self._count(_PENDING)

    def label(
        self,
        case_id: str,
        *,
        verdict: Verdict | _Unset | None = _UNSET,
        expected: Expected | Mapping[str, Any] | _Unset = _UNSET,
        note: str | _Unset = _UNSET,
    ) -> None:
        """Change what people say of a case; what is not named stays. Returns once it is on the disk.

        Raises:
            KeyError: no case has this id.
            ValueError: a label is malformed, or the redaction failed. Nothing was changed.
        """
        check_id(case_id)
        changes: dict[str, Any] = {}
        if not isinstance(verdict, _Unset):
            changes["verdict"] = check_verdict(verdict)
        if not isinstance(expected, _Unset):
            labels = as_expected(expected)
            changes["expected"] = labels if self._redact is None else redacted_expected(labels, self._redact)
        if not isinstance(note, _Unset):
            text = as_note(note)
            changes["note"] = text if self._redact is None else redacted_note(text, self._redact)

        def change(db: sqlite3.Connection) -> None:
            row = db.execute(f"SELECT {_COLUMNS} FROM cases WHERE id = ?", (case_id,)).fetchone()
            if row is None:
                raise KeyError(f"no case has the id {case_id}")
            case = replace(self._case(row), **changes)
            db.execute(
                "UPDATE cases SET verdict = ?, labelled = ?, label = ? WHERE id = ?",
                (case.verdict, case.labelled, _packed(_label_of(case.to_dict())), case_id),
            )

        self._database.write(change)

    def delete(self, case_id: str) -> bool:
        """Take a case out, its text overwritten in the file; False where there was none."""
        check_id(case_id)
        gone = self._database.write(lambda db: db.execute("DELETE FROM cases WHERE id = ?", (case_id,)).rowcount)
        if gone:
            self._database.checkpoint()
        return bool(gone)

    def export_jsonl(self, path: str | Path) -> int:
        """Write all cases to a JSON Lines file (UTF-8, its owner's alone), the whole file or none of it.

        JSON cannot tell two lone surrogates that happen to form a pair from the character that the pair stands for.

        Returns:
            How many cases were written.

        Raises:
            OSError: the file cannot be written.
            ValueError: it is the store itself.
        """
        if os.path.exists(path) and os.path.samefile(path, self.path):
            raise ValueError(f"{path}: is the store itself")
        return write_lines(path, (case.to_dict() for case in self))

    def import_jsonl(self, path: str | Path, *, replacing: bool = False) -> Imported:
        """Add the cases of a file that :meth:`export_jsonl` wrote, redacted like any other.

        A case whose id is known is left as it is, so that importing twice is importing once. The file is checked
        whole before anything is written; an import that is interrupted can be done again.

        Args:
            replacing: take the file's version of a known case, in the place of the old one.

        Raises:
            OSError: the file cannot be read.
            CaseFileError: a line is no recorded case; the message names file, line and field.
        """
        if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
            raise OSError(errno.EINVAL, "not a regular file, and it has to be read twice", str(path))
        for number, case in _recorded(path):
            self._row(case, f"{Path(path).name}:{number}: ")  # a hook that fails does so before anything is written
        rows = (self._row(case, f"{Path(path).name}:{number}: ") for number, case in _recorded(path))
        counts = {"added": 0, "replaced": 0, "known": 0}
        while batch := list(islice(rows, _BATCH)):

            def add(db: sqlite3.Connection, batch: list[Any] = batch) -> list[str]:
                return [_insert(db, row, replacing=replacing) for row in batch]

            for what in self._database.write(add):
                counts[what] += 1
        return Imported(**counts)

    def _row(self, case: BadCase, where: str = "") -> tuple[Any, ...]:
        if self._redact is not None:
            try:
                case = redacted_case(case, self._redact)
            except ValueError as error:
                raise type(error)(f"{where}{error}") from error
        data = case.to_dict()
        record = {k: v for k, v in data.items() if k not in ("id", "verdict", *_LABEL)}
        return case.id, case.recorded_at, case.verdict, case.labelled, _packed(_label_of(data)), _packed(record)

    def _case(self, row: tuple[Any, ...]) -> BadCase:
        case_id, verdict, label, record = row
        try:
            data = {**_unpacked(record), **_unpacked(label), "id": case_id, "verdict": verdict}
            return BadCase.from_dict(data)
        except (ValueError, TypeError, AttributeError) as error:
            raise StoreError(f"{self.path}: the case {case_id} cannot be read: {error}") from error

    def _iterate(self, wanted: str, values: tuple[Any, ...]) -> Iterator[BadCase]:
        # Row by row, each for itself: a transaction held open would keep the log from being written back.
        last = 0
        query = f"SELECT seq, {_COLUMNS} FROM cases WHERE seq > ? AND {wanted} ORDER BY seq LIMIT 1"
        while found := self._database.read(query, (last, *values)):
            last = found[0][0]
            yield self._case(found[0][1:])

    def _count(self, wanted: str) -> int:
        return int(self._database.read(f"SELECT count(*) FROM cases WHERE {wanted}", ())[0][0])


_PENDING = "(verdict IS NULL OR (verdict <> 'good' AND labelled = 0))"


def _insert(db: sqlite3.Connection, row: tuple[Any, ...], *, replacing: bool) -> str:
    added = db.execute(
        "INSERT INTO cases(id, recorded_at, verdict, labelled, label, record) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT(id) DO NOTHING",
        row,
    ).rowcount
    if added:
        return "added"
    if replacing:
        db.execute(
            "UPDATE cases SET recorded_at = ?, verdict = ?, labelled = ?, label = ?, record = ? WHERE id = ?",
            (*row[1:], row[0]),
        )
    return "replaced" if replacing else "known"


def _label_of(data: Mapping[str, Any]) -> dict[str, Any]:
    return {k: data[k] for k in _LABEL if k in data}


def _packed(data: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8 that takes lone surrogates as well, singly and in pairs."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _unpacked(stored: Any) -> dict[str, Any]:
    data = json.loads(bytes(stored).decode("utf-8", "surrogatepass"))
    if not isinstance(data, dict):
        raise ValueError(f"expected an object, got {shown(data)}")
    return data


def _recorded(path: str | Path) -> Iterator[tuple[int, BadCase]]:
    for number, case in numbered_cases(path, need_id=True):
        if not isinstance(case, BadCase):
            raise CaseFileError(
                [f"{Path(path).name}:{number}: a labelled case, no recorded one: it has chunks in place of candidates"]
            )
        yield number, case
