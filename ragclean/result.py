"""What ``refine`` hands back: the clean context, and a reason for everything that is not in it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from ragclean.text.dates import parse_date
from ragclean.typed_form import check_types
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
#: Levels of a chunk's metadata that :meth:`RefinedContext.to_dict` writes; no real metadata is deeper, and no reader
#: of JSON is asked for more than it can take.
METADATA_DEPTH = 40
#: Bits from which Python refuses to write a whole number in decimal (4,300 digits).
_WRITABLE_BITS = 14_000
#: Characters of a date that the head of a block shows ('2025-03-10T08:00:00.000000+08:00'); what is longer says more.
_LONGEST_DATE = 40
#: A line of a text that looks like the head of a block of ours, or like one of our notes.
_LIKE_OURS = re.compile(r"(^|[\n\r\v\f\x85\u2028\u2029])([ \t]{0,64})(?=\[[0-9]{1,9}\]|\(unresolved:)")


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
    candidates: tuple[Chunk, ...] = field(default=(), compare=False, repr=False)
    """All candidates that could be read, in the retriever's order. Not written by :meth:`to_dict`: most of their text
    stands there as kept or dropped."""
    options: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """``top_k`` and the other options that the call named, as plain data. Not written either."""

    def __str__(self) -> str:
        return self.text

    def to_prompt(self, citations: bool = True) -> Prompt:
        """Blocks ``[1] title | source | date`` with the kept text, notes on unresolved conflicts after them.

        A text cannot forge a block: where one of its lines begins like a head or a note of ours, a backslash stands
        before it, and the parts of a head lose their line breaks and bars. With ``mode="observe"`` the blocks are the
        candidates, whole.

        Args:
            citations: number the blocks and name source and date; without it, the plain text of the blocks.
        """
        blocks, numbers = [], {}
        observing = self.mode == "observe"
        for number, (chunk, text) in enumerate(self._shown(observing), 1):
            numbers[number] = chunk.id
            if citations:
                head = " | ".join(_one_line(p).replace("|", "/") for p in _provenance(chunk))
                blocks.append(f"[{number}] {head}\n" + _LIKE_OURS.sub(r"\1\2\\", text))
            else:
                blocks.append(text)
        tied = [] if observing or not citations else [c for c in self.conflicts if c.winner is None]
        notes = [_tie_note(c, numbers) for c in tied]
        return Prompt("\n\n".join([*blocks, *notes]), numbers)

    def _shown(self, observing: bool) -> list[tuple[Chunk, str]]:
        """What the blocks of a prompt show: the kept text, or all candidates whole where nothing is to be changed."""
        if not observing:
            return [(kept.chunk, kept.text) for kept in self.chunks]
        if self.text and not self.candidates:
            raise ValueError("to_prompt: this observing result was read back without its candidates; use .text")
        return [(chunk, chunk.text) for chunk in self.candidates if chunk.text.strip()]

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

    def to_html(self, lang: Literal["zh", "en"] | None = None) -> str:
        """One self-contained page of the whole decision: chunks with what stayed and what went, conflicts, timing.

        It needs no network and runs no script; whatever the texts hold is shown as text. A result that was read back
        shows what it still holds.

        Args:
            lang: of the page's own words; None: of the query.
        """
        from ragclean.report.trace_page import trace_html

        return trace_html(self, lang)

    def _repr_html_(self) -> str:
        """In a notebook: the same page in a frame of its own."""
        from ragclean.report.page import framed
        from ragclean.report.trace_page import trace_page

        return framed(trace_page(self))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; :meth:`from_dict` reads it back.

        Embeddings are left out. Metadata that JSON has no form for is written as text, numbers that are none (NaN) as
        null, and what refers to itself or lies deeper than 40 levels as ``"..."``.
        """
        data: dict[str, Any] = {"schema": RESULT_SCHEMA}
        data.update((f.name, _plain(getattr(self, f.name))) for f in fields(self) if f.compare)
        return data

    def to_json(self, *, indent: int | None = None) -> str:
        """JSON text; lone surrogates are escaped, so that it can always be encoded."""
        data = self.to_dict()
        text = json.dumps(data, ensure_ascii=False, indent=indent)
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = json.dumps(data, indent=indent)
        return text

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RefinedContext:
        """Rebuild from :meth:`to_dict`.

        Raises:
            ValueError: the data is no result, or was written under another schema.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"result: expected a JSON object, got {type(data).__name__}")
        if data.get("schema") != RESULT_SCHEMA:
            raise ValueError(f"schema: this version reads {RESULT_SCHEMA}, got {data.get('schema')!r:.60}")
        try:
            found = cls._read(data)
            check_types(found, "result")
            return found
        except KeyError as error:
            raise ValueError(f"result: the field {error} is missing") from error
        except (TypeError, AttributeError) as error:
            raise ValueError(f"result: not of the form that to_dict writes ({error})") from error

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> RefinedContext:
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
    # A date that could not be read did not count, and what stands in its place may be any text.
    days = (chunk.effective_from, chunk.updated_at, chunk.published_at)
    day = next((d for d in days if d and len(d) <= _LONGEST_DATE and parse_date(d) is not None), None)
    parts = [chunk.title, chunk.source, day, chunk.uri]
    return [p for p in parts if p] or [chunk.id]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _tie_note(conflict: Conflict, numbers: Mapping[int, str]) -> str:
    at = {chunk_id: n for n, chunk_id in numbers.items()}
    # A side that was set aside (older, hearsay) is in no block, and its value must not come back here.
    shown = [s for s in conflict.sides if any(i in at for i in s.chunk_ids)]
    sides = "; ".join(
        f"{_one_line(s.value)} " + "".join(f"[{at[i]}]" for i in s.chunk_ids if i in at) for s in shown
    )
    return f"(unresolved: {_one_line(conflict.slot)}: {sides})"


#: The result's own parts, which hold each other and nothing foreign but a chunk's metadata and embedding.
_OWN = (Caution, Chunk, Conflict, Dropped, KeptChunk, KeptSentence, Side, Signals, Witness)


def _plain(value: Any) -> Any:
    """Our own parts to dicts, tuples to lists; a chunk's embedding is left out."""
    if isinstance(value, _OWN):
        names = (f.name for f in fields(value) if f.name not in ("embedding", "metadata"))
        plain = {name: _plain(getattr(value, name)) for name in names}
        return {**plain, "metadata": _foreign(value.metadata, ())} if isinstance(value, Chunk) else plain
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value if value is None or isinstance(value, str) else _foreign(value, ())


def _foreign(value: Any, around: tuple[int, ...]) -> Any:
    """Whatever a caller put into the metadata, as data that JSON has a form for; never raises.

    Args:
        around: identities of the containers that the value stands in.
    """
    try:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return int(value) if value.bit_length() < _WRITABLE_BITS else hex(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        if isinstance(value, (Mapping, list, tuple, set, frozenset)):
            if id(value) in around or len(around) >= METADATA_DEPTH:
                return "..."
            inside = (*around, id(value))
            if isinstance(value, Mapping):
                return {_written(k): _foreign(v, inside) for k, v in value.items()}
            items = [_foreign(v, inside) for v in value]
            return sorted(items, key=repr) if isinstance(value, (set, frozenset)) else items
        if hasattr(value, "dtype") and hasattr(value, "tolist"):  # numpy, torch: numbers or nested lists of them
            return _foreign(value.tolist(), around)
        return _written(value)
    except Exception:
        return f"<{type(value).__name__}>"


def _written(value: Any) -> str:
    try:
        return str(value)
    except Exception:  # a foreign __str__, or a number of thousands of digits
        return f"<{type(value).__name__}>"


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
