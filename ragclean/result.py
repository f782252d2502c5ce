"""What ``refine`` hands back: the clean context, and a reason for everything that is not in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from ragclean.types import (
    Caution,
    Chunk,
    Conflict,
    Dropped,
    KeptChunk,
    KeptSentence,
    Side,
    Signals,
    Witness,
)

RESULT_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """Numbered blocks for a prompt, and the map from number back to the chunk id."""

    text: str
    citations: Mapping[int, str]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class RefinedContext:
    """The outcome of one ``refine``.

    ``text`` holds verbatim sentences only. ``chunks`` are the kept ones in their order, ``dropped`` every chunk and
    sentence that went, with stage and reason; ``conflicts`` who voted for what. ``as_of`` is the date used (ISO),
    so that a run can be repeated. With ``mode="observe"`` the text is the input's, unchanged, while ``chunks`` and
    ``dropped`` tell what would have been done.
    """

    query: str
    text: str
    chunks: tuple[KeptChunk, ...]
    dropped: tuple[Dropped, ...]
    conflicts: tuple[Conflict, ...]
    warnings: tuple[Caution, ...]
    as_of: str
    stats: Mapping[str, float] = field(default_factory=dict)
    mode: Literal["correct", "observe"] = "correct"
    fingerprint: str = ""
    """Encoder, judge, keywords and configuration that made this result."""

    def __str__(self) -> str:
        return self.text

    def to_prompt(self, citations: bool = True) -> Prompt:
        """Blocks ``[1] title | source | date`` with the kept text, notes on unresolved conflicts after them.

        Args:
            citations: number the blocks and name source and date; without it, the plain text of the blocks.
        """
        blocks, numbers = [], {}
        for number, kept in enumerate(self.chunks, 1):
            numbers[number] = kept.id
            head = " | ".join(_one_line(p) for p in _provenance(kept.chunk)) if citations else ""
            blocks.append((f"[{number}] {head}\n" if citations else "") + kept.text)
        notes = [_tie_note(c, numbers) for c in self.conflicts if c.winner is None] if citations else []
        return Prompt("\n\n".join([*blocks, *notes]), numbers)

    def explain(self) -> str:
        """The whole decision in words: what stayed with its score, what went and why, conflicts, warnings."""
        lines = [
            f"{self.query!r} as of {self.as_of}: {int(self.stats.get('chunks_in', 0))} chunks in, "
            f"{len(self.chunks)} out, {self.stats.get('shorter', 0.0):.0%} shorter"
        ]
        for kept in self.chunks:
            s = kept.signals
            judge = "-" if s.judge is None else f"{s.judge:.2f}"
            flags = f" [{', '.join(kept.flags)}]" if kept.flags else ""
            lines.append(
                f"kept    {kept.id}: {s.final:.2f} (semantic {s.semantic:.2f}, judge {judge}, "
                f"keyword {s.keyword:.2f}), {len(kept.sentences)} sentences{flags}"
            )
        for gone in self.dropped:
            what = "dropped" if gone.start is None else "cut    "
            quote = "" if gone.start is None else f" «{_one_line(gone.text)[:60]}»"
            lines.append(f"{what} {gone.chunk_id}{quote}: {gone.stage}, {gone.reason}. {gone.detail}".rstrip(". "))
        lines += [f"conflict: {c.explain()}" for c in self.conflicts]
        lines += [f"warning: {w}" for w in self.warnings]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; :meth:`from_dict` reads it back (embeddings are left out)."""
        data: dict[str, Any] = {"schema": RESULT_SCHEMA}
        data.update((f.name, _plain(getattr(self, f.name))) for f in fields(self))
        return data

    def to_json(self, *, indent: int | None = None) -> str:
        """JSON text; lone surrogates are escaped, so that it can always be encoded."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, default=str)
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = json.dumps(self.to_dict(), indent=indent, default=str)
        return text

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RefinedContext:
        """Rebuild from :meth:`to_dict`.

        Raises:
            ValueError: the data was written under another schema.
        """
        if data.get("schema") != RESULT_SCHEMA:
            raise ValueError(f"schema: this version reads {RESULT_SCHEMA}, got {data.get('schema')!r}")
        return cls(
            query=data["query"],
            text=data["text"],
            chunks=tuple(_kept_chunk(c) for c in data["chunks"]),
            dropped=tuple(Dropped(**d) for d in data["dropped"]),
            conflicts=tuple(_conflict(c) for c in data["conflicts"]),
            warnings=tuple(Caution(**w) for w in data["warnings"]),
            as_of=data["as_of"],
            stats=dict(data["stats"]),
            mode=data["mode"],
            fingerprint=data["fingerprint"],
        )

    @classmethod
    def from_json(cls, text: str) -> RefinedContext:
        return cls.from_dict(json.loads(text))


def _provenance(chunk: Chunk) -> list[str]:
    day = chunk.effective_from or chunk.updated_at or chunk.published_at
    parts = [chunk.title, chunk.source, day, chunk.uri]
    return [p for p in parts if p] or [chunk.id]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _tie_note(conflict: Conflict, numbers: Mapping[int, str]) -> str:
    at = {chunk_id: n for n, chunk_id in numbers.items()}
    sides = "; ".join(
        f"{_one_line(s.value)} " + "".join(f"[{at[i]}]" for i in s.chunk_ids if i in at) for s in conflict.sides
    )
    return f"(unresolved: {_one_line(conflict.slot)}: {sides})"


def _plain(value: Any) -> Any:
    """Dataclasses to dicts, tuples to lists; a chunk's embedding is left out."""
    if hasattr(value, "__dataclass_fields__"):
        names = (n for n in value.__dataclass_fields__ if n != "embedding")
        return {n: _plain(getattr(value, n)) for n in names}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(v) for v in value]
    return value.item() if hasattr(value, "item") and callable(value.item) and getattr(value, "ndim", 1) == 0 else value


def _build(kind: Callable[..., Any], data: Mapping[str, Any], **converted: Any) -> Any:
    return kind(**{**{k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}, **converted})


def _kept_chunk(data: Mapping[str, Any]) -> KeptChunk:
    made = _build(
        KeptChunk,
        data,
        chunk=Chunk(**data["chunk"]),
        signals=Signals(**data["signals"]),
        sentences=tuple(_build(KeptSentence, s) for s in data["sentences"]),
    )
    assert isinstance(made, KeptChunk)
    return made


def _conflict(data: Mapping[str, Any]) -> Conflict:
    sides = tuple(_side(s) for s in data["sides"])
    made = _build(Conflict, data, sides=sides, winner=_side(data["winner"]) if data["winner"] else None)
    assert isinstance(made, Conflict)
    return made


def _side(data: Mapping[str, Any]) -> Side:
    made = _build(Side, data, witnesses=tuple(_build(Witness, w) for w in data["witnesses"]))
    assert isinstance(made, Side)
    return made
