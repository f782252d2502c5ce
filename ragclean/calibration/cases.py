"""Labelled cases: a query, what was retrieved for it, and what a right clean-up keeps and drops. JSON Lines both ways.

Two forms are read, and may be mixed. The full one names roles and sentences::

    {"id": "a-1", "query": "...", "as_of": "2025-06-01", "scenario": "aftersales", "accepted": ["24 months"],
     "chunks": [{"id": "c1", "text": "...", "source": "faq", "role": "answer",
                 "must_keep": ["..."], "must_drop": ["..."]}]}

The minimal one says of each chunk whether it is to stay and which of its sentences are to go::

    {"query": "...", "chunks": [{"text": "...", "keep": true, "drop": ["..."]}, {"text": "...", "keep": false}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ragclean.json_lines import CaseFileError, read_all, string_of, strings_of, write_lines
from ragclean.screen import coerce, shown
from ragclean.text.dates import parse_date
from ragclean.types import Chunk

__all__ = ["CaseFileError", "LabelledCase", "LabelledChunk", "case_from_dict", "read_cases", "write_cases"]

#: What the roles of the full form say of a chunk. A duplicate says nothing: its copy may stay in its place.
ROLES: Mapping[str, bool | None] = {
    "answer": True, "support": True, "duplicate": None, "keyword_noise": False, "different_entity": False,
    "irrelevant": False, "conflict_stale": False, "conflict_untrusted": False,
}  # fmt: skip
_CHUNK_FIELDS = tuple(f.name for f in fields(Chunk) if f.name not in ("text", "embedding", "metadata"))
_NO_CHUNK = Chunk("")
_CASE_KEYS = frozenset({
    "id", "query", "chunks", "as_of", "sub_queries", "accepted", "wrong", "scenario", "group", "lang", "difficulty",
    "noise_types", "answer", "keypoints", "tags", "conflict", "note", "question",
})  # fmt: skip
_CHUNK_KEYS = frozenset({
    *_CHUNK_FIELDS, "text", "content", "page_content", "metadata", "embedding", "keep", "drop", "role", "must_keep",
    "must_drop",
})  # fmt: skip
#: From here on a key is a misspelt one of ours ('acepted' 0.93, 'asof' 0.89, 'must_kept' 0.89, 'updated' 0.82).
_ALIKE = 0.8


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
    return read_all(path, lambda data, number: case_from_dict(data, f"line-{number}"), lambda case: case.id)


def write_cases(cases: Iterable[LabelledCase], path: str | Path) -> int:
    """Write cases as JSON Lines; returns how many."""
    return write_lines(path, (case.to_dict() for case in cases))


def case_from_dict(data: Any, default_id: str = "") -> LabelledCase:
    """A case of plain data, in either form.

    Raises:
        ValueError: the message names the field, and the chunk by its place.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"expected a JSON object, got {type(data).__name__}")
    _known(data, _CASE_KEYS, "")
    query = string_of(data, "query")
    if not query.strip():
        raise ValueError("query: it is blank")
    raw = data.get("chunks")
    if not isinstance(raw, list) or not raw:
        raise ValueError("chunks: expected a list of at least one chunk")
    as_of = string_of(data, "as_of", "")
    day = parse_date(as_of) if as_of else None
    if as_of and day is None:
        raise ValueError(f"as_of: {shown(as_of)} is no date")
    chunks = [_chunk(item, f"chunks[{i}]") for i, item in enumerate(raw)]
    ids = [c.chunk.id for c in chunks if c.chunk.id]
    twice = next((i for i in ids if ids.count(i) > 1), None)
    if twice is not None:
        raise ValueError(f"chunks: the id {shown(twice)} is used twice")
    return LabelledCase(
        id=string_of(data, "id", "") or default_id,
        query=query,
        chunks=tuple(_named(c, f"c{i}", set(ids)) for i, c in enumerate(chunks, 1)),
        as_of=day.isoformat() if day else None,
        sub_queries=strings_of(data, "sub_queries"),
        accepted=strings_of(data, "accepted"),
        wrong=strings_of(data, "wrong"),
        scenario=string_of(data, "scenario", ""),
        group=string_of(data, "group", ""),
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
    _known(item, _CHUNK_KEYS, f"{where}.")
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


def _known(data: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    """A key that is nearly one of ours is a slip of the pen; others may be a user's own."""
    for key in data:
        if key not in known:
            meant = get_close_matches(str(key), known, n=1, cutoff=_ALIKE)
            if meant:
                raise ValueError(f"{where}{key}: unknown; did you mean {meant[0]}?")


def _parts(item: Mapping[str, Any], field: str, text: str, where: str) -> tuple[str, ...]:
    try:
        parts = strings_of(item, field)
    except ValueError as e:
        raise ValueError(f"{where}.{e}") from None
    for i, part in enumerate(parts):
        if not part.strip() or part not in text:
            raise ValueError(f"{where}.{field}[{i}]: {shown(part)} is not in the chunk's text")
    return parts
