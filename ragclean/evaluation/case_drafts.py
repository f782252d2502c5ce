"""Drafts of evaluation cases, and their file: the lines of a case file, each with a ``draft`` marker until reviewed.

    {"id": "...", "question": "...", ..., "draft": {"status": "open", "origin": "rule:duration", "needs": ["reference"],
     "notes": ["..."], "answer": "what the application said"}}

``read_cases`` knows nothing of the marker, so that a drafts file must not be evaluated as it is: a review writes the
accepted cases, without a marker, to a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from ragclean.evaluation.cases import case_from_dict, case_to_dict
from ragclean.evaluation.records import EvalCase
from ragclean.json_lines import read_all, string_of, strings_of, write_lines
from ragclean.screen import free_id, shown
from ragclean.types import Chunk

Status = Literal["open", "accepted", "dropped"]
Need = Literal["reference", "gold"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A case that nobody has looked at yet, or what a reviewer said of it."""

    case: EvalCase
    status: Status = "open"
    origin: str = ""
    """``rule:duration`` (the kind of value), ``rule:faq``, ``rule:yes_no``, ``model``, ``log``, ``badcase``."""
    needs: tuple[Need, ...] = ()
    """What is missing: without a reference a case says that refusing is right."""
    notes: tuple[str, ...] = ()
    """What a reviewer should know."""
    answer: str = ""
    """What the application answered when it was asked; nobody says that it was right."""


@dataclass(frozen=True, slots=True)
class Built:
    """Drafts, and what did not become one."""

    drafts: tuple[Draft, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many, by reason."""

    def explain(self) -> str:
        """How many drafts there are, and what was left out and why."""
        lines = [f"{len(self.drafts)} drafts"]
        wanting = sum(bool(d.needs) for d in self.drafts)
        if wanting:
            lines.append(f"{wanting} of them want a reference or gold chunks")
        lines += [f"left out: {number}: {reason}" for reason, number in self.left_out.items()]
        return "\n".join(lines)


def read_drafts(path: str | Path) -> list[Draft]:
    """Read a file of drafts, of cases, or of both; a line without a marker is a case that is accepted already.

    Raises:
        OSError: the file cannot be read.
        CaseFileError: lines of it are no drafts; all faults are listed, with line and field.
    """
    return read_all(path, lambda data, number: _draft(data, f"line-{number}"), lambda draft: draft.case.id)


def write_drafts(drafts: Iterable[Draft], path: str | Path) -> int:
    """Write drafts as JSON Lines, the whole file or none of it; returns how many.

    Raises:
        OSError: it cannot be written; what stood there before is still there.
    """
    return write_lines(path, map(draft_to_dict, drafts))


def draft_to_dict(draft: Draft) -> dict[str, Any]:
    """Plain data for JSON, without what is left at its default."""
    marker: dict[str, Any] = {"status": draft.status}
    for name in ("origin", "answer"):
        if getattr(draft, name):
            marker[name] = getattr(draft, name)
    for name in ("needs", "notes"):
        if getattr(draft, name):
            marker[name] = list(getattr(draft, name))
    return {**case_to_dict(draft.case), "draft": marker}


def _draft(data: Any, default_id: str) -> Draft:
    marker = data.get("draft") if isinstance(data, Mapping) else None
    case = case_from_dict({k: v for k, v in data.items() if k != "draft"} if marker is not None else data, default_id)
    if marker is None:
        return Draft(case, "accepted")
    if not isinstance(marker, Mapping):
        raise ValueError(f"draft: expected an object, got {shown(marker)}")
    status = marker.get("status", "open")
    if status not in get_args(Status):
        raise ValueError(f"draft.status: expected open, accepted or dropped, got {shown(status)}")
    needs = strings_of(marker, "needs")
    unknown = [n for n in needs if n not in get_args(Need)]
    if unknown:
        raise ValueError(f"draft.needs: expected reference or gold, got {shown(unknown[0])}")
    made: tuple[Any, ...] = needs
    return Draft(case, status, string_of(marker, "origin", ""), made, strings_of(marker, "notes"),
                 string_of(marker, "answer", ""))  # fmt: skip


def with_chunk_ids(chunks: Iterable[Chunk], prefix: str = "c") -> list[Chunk]:
    """Chunks each with an id of its own: a second one of the same id, or one without, gets another."""
    from dataclasses import replace

    taken: set[str] = set()
    named: list[Chunk] = []
    for number, chunk in enumerate(chunks, 1):
        name = free_id(chunk.id or f"{prefix}{number}", taken)
        named.append(chunk if chunk.id == name else replace(chunk, id=name))
    return named
