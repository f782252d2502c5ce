"""Labelled cases: a query, what was retrieved for it, and what a right clean-up keeps and drops. JSON Lines both ways.

Two forms are read, and may be mixed. The full one names roles and sentences::

    {"id": "a-1", "query": "...", "as_of": "2025-06-01", "scenario": "aftersales", "accepted": ["24 months"],
     "chunks": [{"id": "c1", "text": "...", "source": "faq", "role": "answer",
                 "must_keep": ["..."], "must_drop": ["..."]}]}

The minimal one says of each chunk whether it is to stay and which of its sentences are to go::

    {"query": "...", "chunks": [{"text": "...", "keep": true, "drop": ["..."]}, {"text": "...", "keep": false}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ragclean.screen import coerce, shown
from ragclean.text.dates import parse_date
from ragclean.types import Chunk

#: What the roles of the full form say of a chunk. A duplicate says nothing: its copy may stay in its place.
ROLES: Mapping[str, bool | None] = {
    "answer": True, "support": True, "duplicate": None, "keyword_noise": False, "different_entity": False,
    "irrelevant": False, "conflict_stale": False, "conflict_untrusted": False,
}  # fmt: skip
#: Faults of one file that a message lists: enough to see their kind.
_LISTED = 20
_CHUNK_FIELDS = tuple(f.name for f in fields(Chunk) if f.name not in ("text", "embedding", "metadata"))
_NO_CHUNK = Chunk("")
_BLANK = " \t\r\n\v\f"


class CaseFileError(ValueError):
    """Cases that cannot be used; ``problems`` holds one line a fault, each with file, line and field."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        more = len(problems) - _LISTED
        tail = [f"... and {more} more"] if more > 0 else []
        super().__init__("\n".join([*problems[:_LISTED], *tail]))


@dataclass(frozen=True, slots=True)
class LabelledChunk:
    """A candidate and its labels."""

    chunk: Chunk
    keep: bool | None = None
    """Must it stay (True), go (False), or is either right (None)?"""
    must_keep: tuple[str, ...] = ()
    """Parts of its text that must reach the context."""
    must_drop: tuple[str, ...] = ()
    """Parts of its text that must not."""
    complete: bool = False
    """``must_drop`` is the whole list: everything else of the text must stay."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without what is left at its default."""
        data = {k: v for k in _CHUNK_FIELDS if (v := getattr(self.chunk, k)) != getattr(_NO_CHUNK, k)}
        data["text"] = self.chunk.text
        if self.keep is not None:
            data["keep"] = self.keep
        if self.must_keep:
            data["must_keep"] = list(self.must_keep)
        if self.must_drop or self.complete:
            data["drop" if self.complete else "must_drop"] = list(self.must_drop)
        return data


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """One query with its labelled candidates, in the retriever's order."""

    id: str
    query: str
    chunks: tuple[LabelledChunk, ...]
    as_of: str | None = None
    """The day to judge by (ISO); None: today."""
    sub_queries: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    """Strings any of which shows that the right answer is there."""
    wrong: tuple[str, ...] = ()
    """Strings that show a wrong one."""
    scenario: str = ""
    """What the case is about; folds hold equal shares of each."""
    group: str = ""
    """Cases of one group are never divided between fitting and testing."""

    @property
    def labelled(self) -> bool:
        """Something in it can be got wrong: a chunk or a sentence has a label."""
        return any(c.keep is not None or c.must_keep or c.must_drop for c in self.chunks)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; :func:`case_from_dict` reads it back."""
        data: dict[str, Any] = {"id": self.id, "query": self.query}
        for name in ("as_of", "scenario", "group"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        for name in ("sub_queries", "accepted", "wrong"):
            if getattr(self, name):
                data[name] = list(getattr(self, name))
        data["chunks"] = [c.to_dict() for c in self.chunks]
        return data


def read_cases(path: str | Path) -> list[LabelledCase]:
    """Read a JSON Lines file of cases; blank lines are skipped, a case without an id is named by its line.

    Raises:
        OSError: the file cannot be read.
        CaseFileError: it is not UTF-8, or lines of it are no cases; all faults are listed, with line and field.
    """
    name = Path(path).name
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise CaseFileError([f"{name}: not UTF-8 (byte {e.start})"]) from e
    problems: list[str] = []
    cases: list[LabelledCase] = []
    seen: dict[str, int] = {}
    # Split at line feeds alone: a JSON string may hold U+2028 and its kin unescaped.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip(_BLANK):
            continue
        try:
            case = case_from_dict(_parsed(line), f"line-{number}")
        except ValueError as e:
            problems.append(f"{name}:{number}: {e}")
            continue
        if case.id in seen:
            problems.append(f"{name}:{number}: id: {shown(case.id)} is already that of line {seen[case.id]}")
        seen[case.id] = number
        cases.append(case)
    if problems:
        raise CaseFileError(problems)
    return cases


def write_cases(cases: Iterable[LabelledCase], path: str | Path) -> int:
    """Write cases as JSON Lines; returns how many."""
    lines = [case_line(c.to_dict()) for c in cases]
    Path(path).write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    return len(lines)


def case_line(data: Mapping[str, Any]) -> str:
    """One line of JSON that UTF-8 can hold: lone surrogates are escaped."""
    text = json.dumps(data, ensure_ascii=False)
    return text if text.isascii() or _encodable(text) else json.dumps(data)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def case_from_dict(data: Any, default_id: str = "") -> LabelledCase:
    """A case of plain data, in either form.

    Raises:
        ValueError: the message names the field, and the chunk by its place.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"expected a JSON object, got {type(data).__name__}")
    query = _string(data, "query")
    if not query.strip():
        raise ValueError("query: it is blank")
    raw = data.get("chunks")
    if not isinstance(raw, list) or not raw:
        raise ValueError("chunks: expected a list of at least one chunk")
    as_of = _string(data, "as_of", "")
    day = parse_date(as_of) if as_of else None
    if as_of and day is None:
        raise ValueError(f"as_of: {shown(as_of)} is no date")
    chunks = [_chunk(item, f"chunks[{i}]") for i, item in enumerate(raw)]
    ids = [c.chunk.id for c in chunks if c.chunk.id]
    twice = next((i for i in ids if ids.count(i) > 1), None)
    if twice is not None:
        raise ValueError(f"chunks: the id {shown(twice)} is used twice")
    return LabelledCase(
        id=_string(data, "id", "") or default_id,
        query=query,
        chunks=tuple(_named(c, f"c{i}", set(ids)) for i, c in enumerate(chunks, 1)),
        as_of=day.isoformat() if day else None,
        sub_queries=_strings(data, "sub_queries"),
        accepted=_strings(data, "accepted"),
        wrong=_strings(data, "wrong"),
        scenario=_string(data, "scenario", ""),
        group=_string(data, "group", ""),
    )


def _named(labelled: LabelledChunk, name: str, taken: set[str]) -> LabelledChunk:
    """A chunk without an id gets the one that refining would give it."""
    while not labelled.chunk.id and name in taken:
        name += "'"
    return labelled if labelled.chunk.id else replace(labelled, chunk=replace(labelled.chunk, id=name))


def _chunk(item: Any, where: str) -> LabelledChunk:
    complaints: list[str] = []
    chunk = coerce(item, complaints)
    if complaints or chunk is None:
        raise ValueError(f"{where}.{complaints[0] if complaints else 'text: there is none'}")
    if isinstance(item, str):
        return LabelledChunk(chunk)
    keep, role = item.get("keep"), item.get("role")
    if keep is not None and not isinstance(keep, bool):
        raise ValueError(f"{where}.keep: expected true or false, got {shown(keep)}")
    if role is not None and (not isinstance(role, str) or role not in ROLES):
        raise ValueError(f"{where}.role: expected one of {', '.join(ROLES)}, got {shown(role)}")
    stay, go = _parts(item, "must_keep", chunk.text, where), _parts(item, "must_drop", chunk.text, where)
    gone = _parts(item, "drop", chunk.text, where)
    if keep is None:
        keep = True if stay else ROLES.get(role or "")
    if keep is False and stay:
        raise ValueError(f"{where}: keep is false, and must_keep is not empty")
    return LabelledChunk(chunk, keep, stay, (*go, *gone), complete=keep is True and "drop" in item and not stay)


def _parts(item: Mapping[str, Any], field: str, text: str, where: str) -> tuple[str, ...]:
    try:
        parts = _strings(item, field)
    except ValueError as e:
        raise ValueError(f"{where}.{e}") from None
    for i, part in enumerate(parts):
        if not part.strip() or part not in text:
            raise ValueError(f"{where}.{field}[{i}]: {shown(part)} is not in the chunk's text")
    return parts


def _string(data: Mapping[str, Any], field: str, default: str | None = None) -> str:
    value = data.get(field)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise ValueError(f"{field}: expected a string, got {'nothing' if value is None else shown(value)}")
    return value


def _strings(data: Mapping[str, Any], field: str) -> tuple[str, ...]:
    value = data.get(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ValueError(f"{field}: expected a list of strings, got {shown(value)}")
    return tuple(value)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as e:
        raise ValueError(f"not JSON: {e.msg} (column {e.colno})") from None
    except (RecursionError, ValueError) as e:  # nested too deep; a number of thousands of digits
        raise ValueError(f"not usable JSON: {e}") from None
