"""Evaluation cases as JSON Lines, and key points made from a reference where there are none.

    {"id": "q1", "question": "...", "reference": "24 months from the invoice date.", "keypoints": ["24 months", "..."],
     "contexts": [{"id": "c1", "text": "..."}], "gold": ["c1"], "old_versions": [{"text": "..."}],
     "category": "price", "difficulty": "single", "as_of": "2025-06-01"}

``query`` is understood for ``question``, ``answer`` for ``reference`` and ``chunks`` for ``contexts``, so that labelled
cases can be evaluated as they are: chunks with the role ``answer`` or ``support`` are gold then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from ragclean.evaluation.records import EvalCase
from ragclean.json_lines import CaseFileError, read_all, string_of, strings_of, write_lines
from ragclean.screen import coerce, free_id, shown
from ragclean.text.dates import parse_date
from ragclean.text.sentences import split_sentences
from ragclean.types import Chunk

__all__ = ["CaseFileError", "case_from_dict", "case_to_dict", "keypoints_of", "read_cases", "write_cases"]

_GOLD_ROLES = frozenset({"answer", "support"})
_CHUNK_FIELDS = tuple(f.name for f in fields(Chunk) if f.name not in ("text", "embedding", "metadata"))
_NO_CHUNK = Chunk("")
#: Where one sentence makes several points: between clauses that can each be right or wrong.
_CLAUSES = re.compile(r"[；;]|，(?=(?:且|并且|同时|另外|此外|而且|以及)|(?:but|and) )|(?<=[a-z]), (?=and |but )")
#: A shorter piece ('是的', 'Yes') says nothing that could be checked alone; it stays with what follows.
_SHORTEST_POINT = 4


def read_cases(path: str | Path) -> list[EvalCase]:
    """Read a JSON Lines file of cases; blank lines are skipped, a case without an id is named by its line.

    Raises:
        OSError: the file cannot be read.
        CaseFileError: lines of it are no cases; all faults are listed, with line and field.
    """
    return read_all(path, lambda data, number: case_from_dict(data, f"line-{number}"), lambda case: case.id)


def write_cases(cases: Iterable[EvalCase], path: str | Path) -> int:
    """Write cases as JSON Lines; returns how many."""
    return write_lines(path, map(case_to_dict, cases))


def case_from_dict(data: Any, default_id: str = "") -> EvalCase:
    """A case of plain data.

    Raises:
        ValueError: the message names the field, and the chunk by its place.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"expected a JSON object, got {type(data).__name__}")
    marker = data.get("draft")
    if marker is not None and not (isinstance(marker, Mapping) and marker.get("status") == "accepted"):
        raise ValueError("draft: nobody has accepted this case yet; see 'ragclean cases review'")
    _check_names(data)
    question_field = "query" if "question" not in data and "query" in data else "question"
    question = string_of(data, question_field)
    if not question.strip():
        raise ValueError(f"{question_field}: it is blank")
    contexts_field = "chunks" if "contexts" not in data and "chunks" in data else "contexts"
    contexts, roles = _chunks(data, contexts_field)
    gold = strings_of(data, "gold")
    there = {c.id for c in contexts}
    unknown = [i for i in gold if i not in there]
    if unknown and contexts:
        raise ValueError(f"gold: no context has the id {shown(unknown[0])}")
    as_of = string_of(data, "as_of", "")
    day = parse_date(as_of) if as_of else None
    if as_of and day is None:
        raise ValueError(f"as_of: {shown(as_of)} is no date")
    reference = string_of(data, "reference", "") or string_of(data, "answer", "")
    keypoints = strings_of(data, "keypoints")
    if any(not point.strip() for point in keypoints):
        raise ValueError("keypoints: one of them is blank")
    return EvalCase(
        id=string_of(data, "id", "") or default_id,
        question=question,
        reference=reference,
        keypoints=keypoints,
        contexts=contexts,
        gold=gold or tuple(c.id for c, role in zip(contexts, roles, strict=True) if role in _GOLD_ROLES),
        old_versions=_chunks(data, "old_versions")[0],
        category=string_of(data, "category", "") or string_of(data, "scenario", ""),
        difficulty=string_of(data, "difficulty", ""),
        as_of=day.isoformat() if day else None,
    )


#: Fields of a case, in all names that are understood.
_KNOWN = frozenset({
    "id", "question", "query", "reference", "answer", "keypoints", "contexts", "chunks", "gold", "old_versions",
    "category", "scenario", "difficulty", "as_of", "draft",
})  # fmt: skip
#: Likeness (0..100) from which an unknown name is a known one misspelt, and not a field of the user's own.
_MISSPELT = 80.0


def _check_names(data: Mapping[str, Any]) -> None:
    """A field whose name is nearly that of one of ours would be passed over without a word."""
    for name in data:
        if not isinstance(name, str) or name in _KNOWN:
            continue
        nearest = max(_KNOWN, key=lambda known: fuzz.ratio(name.lower(), known))
        if fuzz.ratio(name.lower(), nearest) >= _MISSPELT and nearest not in data:
            raise ValueError(f"{shown(name)}: there is no such field; is {nearest!r} meant?")


def case_to_dict(case: EvalCase) -> dict[str, Any]:
    """Plain data for JSON, without what is left at its default; :func:`case_from_dict` reads it back."""
    data: dict[str, Any] = {"id": case.id, "question": case.question}
    for name in ("reference", "category", "difficulty", "as_of"):
        if getattr(case, name):
            data[name] = getattr(case, name)
    for name in ("keypoints", "gold"):
        if getattr(case, name):
            data[name] = list(getattr(case, name))
    for name in ("contexts", "old_versions"):
        if getattr(case, name):
            data[name] = [_chunk_data(c) for c in getattr(case, name)]
    return data


def keypoints_of(reference: str) -> tuple[str, ...]:
    """The points of a reference by rule: its sentences, divided where clauses can be right or wrong by themselves.

    A rule sees no meaning: show the points to someone who knows the answer before they are relied on
    (``ragclean cases build`` does).
    """
    points: list[str] = []
    rest = ""
    for sentence in split_sentences(reference):
        for piece in _CLAUSES.split(reference[sentence.start : sentence.end]):
            piece = (rest + piece).strip()
            rest = ""
            if len(piece.strip("。.!！?？，, ")) < _SHORTEST_POINT:
                rest = piece + " " if piece.isascii() else piece
            elif piece:
                points.append(piece.rstrip("。；;"))
    if rest.strip():
        points.append(rest.strip().rstrip("。；;"))
    return tuple(dict.fromkeys(p for p in points if p))


def with_keypoints(case: EvalCase) -> EvalCase:
    """The case with key points: its own, or those made from its reference."""
    return case if case.keypoints or not case.answerable else replace(case, keypoints=keypoints_of(case.reference))


def _chunks(data: Mapping[str, Any], field: str) -> tuple[tuple[Chunk, ...], tuple[str, ...]]:
    raw = data.get(field)
    if raw is None:
        return (), ()
    if not isinstance(raw, list):
        raise ValueError(f"{field}: expected a list of chunks, got {shown(raw)}")
    chunks: list[Chunk] = []
    roles: list[str] = []
    for i, item in enumerate(raw):
        complaints: list[str] = []
        chunk = coerce(item, complaints)
        if complaints or chunk is None:
            raise ValueError(f"{field}[{i}].{complaints[0] if complaints else 'text: there is none'}")
        if not chunk.text.strip():
            raise ValueError(f"{field}[{i}].text: it is blank")
        chunks.append(chunk)
        role = item.get("role") if isinstance(item, Mapping) else None
        roles.append(role if isinstance(role, str) else "")
    taken = {c.id for c in chunks if c.id}
    named = [c if c.id else replace(c, id=free_id(f"{field[0]}{i}", taken)) for i, c in enumerate(chunks, 1)]
    twice = next((name for name, times in Counter(c.id for c in named).items() if times > 1), None)
    if twice is not None:
        raise ValueError(f"{field}: the id {shown(twice)} is used twice")
    return tuple(named), tuple(roles)


def _chunk_data(chunk: Chunk) -> dict[str, Any]:
    data = {k: v for k in _CHUNK_FIELDS if (v := getattr(chunk, k)) != getattr(_NO_CHUNK, k)}
    return {**data, "text": chunk.text}
