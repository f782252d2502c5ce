"""One recorded case: what was asked and retrieved, what came of it, what was wrong, and what would have been right."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Any, Literal, get_args

from ragclean.result import RefinedContext
from ragclean.screen import shown
from ragclean.types import Chunk, KeptChunk, Signals
from ragclean.visible import quoted

Verdict = Literal["lost_answer", "wrong_value", "noise", "good", "other"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

#: Characters of an id: one that a terminal and a file can show whole.
_ID_LENGTH = 200
_STRINGS = ("accepted", "wrong", "keep", "drop")
_PARTS = ("keep_sentences", "drop_sentences")
_CHUNK_NUMBERS = ("source_weight", "score")
_CHUNK_FIELDS = tuple(f.name for f in fields(Chunk) if f.name not in ("embedding", "metadata"))
_NO_CHUNK = Chunk("")
_NO_SIGNALS = Signals(0.0, 0.0, None, 0.0)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a chunk's text, as it stands there; white space may differ."""

    chunk_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Expected:
    """What a right clean-up of a case does. Everything is optional.

    Raises:
        ValueError: a field has another form, or two contradict each other; the message names them.
    """

    accepted: tuple[str, ...] = ()
    """Strings any of which shows that the right answer is in the context."""
    wrong: tuple[str, ...] = ()
    """Strings that must not be in the context."""
    keep: tuple[str, ...] = ()
    """Ids of chunks that must stay."""
    drop: tuple[str, ...] = ()
    """Ids of chunks that must go."""
    keep_sentences: tuple[Part, ...] = ()
    drop_sentences: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        for name in _STRINGS:
            object.__setattr__(self, name, _texts(getattr(self, name), name))
        for name in _PARTS:
            object.__setattr__(self, name, _parts(getattr(self, name), name))
        both = next((v for v in self.accepted if v in self.wrong), None)
        if both is not None:
            raise ValueError(f"accepted, wrong: {shown(both)} is in both")
        both = next((v for v in self.keep if v in self.drop), None)
        if both is not None:
            raise ValueError(f"keep, drop: the chunk {shown(both)} is in both")
        for i, part in enumerate(self.keep_sentences):
            if part.chunk_id in self.drop:
                raise ValueError(f"keep_sentences[{i}]: its chunk {shown(part.chunk_id)} is in drop")

    def __bool__(self) -> bool:
        """Something is expected."""
        return any(getattr(self, f.name) for f in fields(self))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without what is empty."""
        data: dict[str, Any] = {name: list(getattr(self, name)) for name in _STRINGS}
        data.update((name, [_part_dict(p) for p in getattr(self, name)]) for name in _PARTS)
        return {name: value for name, value in data.items() if value}

    @classmethod
    def from_dict(cls, data: Any) -> Expected:
        """Rebuild from :meth:`to_dict`.

        Raises:
            ValueError: the message names the field.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"expected: not a JSON object but {shown(data)}")
        _refuse_unknown(data, (*_STRINGS, *_PARTS), "expected.")
        try:
            return cls(**data)
        except ValueError as error:
            raise ValueError(f"expected.{error}") from None


@dataclass(frozen=True, slots=True)
class BadCase:
    """A query, its candidates, what the corrector made of them, and what people say of it."""

    id: str
    query: str
    candidates: tuple[Chunk, ...]
    """In the retriever's order, each with an id."""
    as_of: str | None = None
    """The date judged by (ISO); None, in a case written by hand: the day it is replayed."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """``top_k``, ``max_tokens``, ``sub_queries``, ``pinned``, ``protected_terms``: those that the call named."""
    config: Mapping[str, Any] | None = None
    """The configuration of the run, where it was given to the store."""
    fingerprint: str = ""
    """Encoder, judge, keywords and configuration of the run."""
    outcome: Mapping[str, Any] = field(default_factory=dict)
    """Plain data: ``text``, ``kept``, ``dropped``, ``conflicts``, ``warnings``, ``mode``, ``stats``."""
    verdict: Verdict | None = None
    """None: nobody has looked at it yet."""
    expected: Expected = field(default_factory=Expected)
    note: str = ""
    recorded_at: str = ""
    """UTC, ISO."""

    @property
    def labelled(self) -> bool:
        """Something is expected of it, so that a replay can tell right from wrong."""
        return bool(self.expected)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without what is empty; :meth:`from_dict` reads it back."""
        data: dict[str, Any] = {"id": self.id, "query": self.query}
        for name in ("as_of", "config", "fingerprint", "outcome", "verdict", "note", "recorded_at"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        if self.options:
            data["options"] = dict(self.options)
        if self.expected:
            data["expected"] = self.expected.to_dict()
        data["candidates"] = plain_chunks(self.candidates)
        return data

    @classmethod
    def from_dict(cls, data: Any, default_id: str = "") -> BadCase:
        """Rebuild from :meth:`to_dict`, or from a case written by hand: a query and candidates are enough.

        Raises:
            ValueError: the message names the field.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"expected a JSON object, got {shown(data)}")
        _refuse_unknown(data, tuple(f.name for f in fields(cls)), "")
        for name in ("query", "candidates"):
            if data.get(name) is None:
                raise ValueError(f"{name}: missing")
        raw = data["candidates"]
        if not isinstance(raw, list):
            raise ValueError(f"candidates: expected a list, got {shown(raw)}")
        chunks = [chunk_from_dict(item, f"candidates[{i}]") for i, item in enumerate(raw)]
        day = _optional(data, "as_of", str, "a string")
        return cls(
            id=check_id(data.get("id", default_id)),
            query=_optional(data, "query", str, "a string"),
            candidates=with_ids(chunks),
            as_of=None if day is None else _iso(day, "as_of"),
            options=check_options(data.get("options") or {}),
            config=_optional(data, "config", Mapping, "an object"),
            fingerprint=_optional(data, "fingerprint", str, "a string") or "",
            outcome=_optional(data, "outcome", Mapping, "an object") or {},
            verdict=check_verdict(data.get("verdict")),
            expected=Expected.from_dict(data.get("expected") or {}),
            note=_optional(data, "note", str, "a string") or "",
            recorded_at=_optional(data, "recorded_at", str, "a string") or "",
        )


def outcome_of(result: RefinedContext) -> dict[str, Any]:
    """A result as plain data: what stayed, what went, what was warned about.

    The text of a chunk that went whole is left out: it is the candidate's.
    """
    plain = result.to_dict()
    kept = [
        {
            "id": chunk["chunk"]["id"],
            "text": chunk["text"],
            "signals": chunk["signals"],
            "sentences": [[s["start"], s["end"]] for s in chunk["sentences"]],
            "flags": chunk["flags"],
        }
        for chunk in plain["chunks"]
    ]
    dropped = [{k: v for k, v in d.items() if k != "text" or d["start"] is not None} for d in plain["dropped"]]
    same = {name: plain[name] for name in ("text", "conflicts", "warnings", "mode", "stats")}
    return {**same, "kept": kept, "dropped": dropped}


def plain_chunks(chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
    """Chunks as plain data, without what is left at its default; metadata as :meth:`RefinedContext.to_dict` does it."""
    kept = tuple(KeptChunk(c, _NO_SIGNALS, (), "") for c in chunks)
    plain = RefinedContext("", "", kept, (), (), (), "").to_dict()["chunks"]
    return [
        {k: v for k, v in item["chunk"].items() if v != getattr(_NO_CHUNK, k) or k == "text"} for item in plain
    ]


def chunk_from_dict(data: Any, where: str) -> Chunk:
    """A chunk of plain data, field by field; nothing is looked up in the metadata.

    Raises:
        ValueError: the message names ``where`` and the field.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"{where}: expected an object, got {shown(data)}")
    _refuse_unknown(data, (*_CHUNK_FIELDS, "metadata"), f"{where}.")
    values: dict[str, Any] = {}
    for name in _CHUNK_FIELDS:
        value = data.get(name)
        if value is None:
            continue
        number = name in _CHUNK_NUMBERS
        if not (_is_number(value) if number else isinstance(value, str)):
            raise ValueError(f"{where}.{name}: expected a {'number' if number else 'string'}, got {shown(value)}")
        values[name] = value
    if "text" not in values:
        raise ValueError(f"{where}.text: missing")
    metadata = data.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise ValueError(f"{where}.metadata: expected an object, got {shown(metadata)}")
    return Chunk(**values, metadata=metadata)


def with_ids(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Chunks without an id get the one that refining would give them."""
    given = {c.id for c in chunks if c.id}

    def named(chunk: Chunk, name: str) -> Chunk:
        while name in given:
            name += "'"
        return chunk if chunk.id else replace(chunk, id=name)

    return tuple(named(c, f"c{i}") for i, c in enumerate(chunks, 1))


def check_id(value: Any) -> str:
    """An id that can be shown and written anywhere.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, str) or not 0 < len(value) <= _ID_LENGTH or not value.isprintable():
        raise ValueError(f"id: expected 1 to {_ID_LENGTH} printable characters, got {shown(value)}")
    return value


def check_verdict(value: Any) -> Verdict | None:
    """A verdict, or None.

    Raises:
        ValueError: it is neither.
    """
    if value is not None and (not isinstance(value, str) or value not in VERDICTS):
        raise ValueError(f"verdict: expected one of {', '.join(VERDICTS)}, got {shown(value)}")
    return value


def check_options(value: Any) -> dict[str, Any]:
    """The options of a call as plain data.

    Raises:
        ValueError: the message names the option.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"options: expected an object, got {shown(value)}")
    counts, lists = ("top_k", "max_tokens"), ("sub_queries", "pinned", "protected_terms")
    _refuse_unknown(value, (*counts, *lists), "options.")
    out: dict[str, Any] = {}
    for name, option in value.items():
        if name in counts:
            if not isinstance(option, int) or isinstance(option, bool) or option < 1:
                raise ValueError(f"options.{name}: expected a whole number above 0, got {shown(option)}")
            out[name] = option
        else:
            if not isinstance(option, (list, tuple)) or not all(isinstance(o, str) for o in option):
                raise ValueError(f"options.{name}: expected a list of strings, got {shown(option)}")
            out[name] = list(option)
    return out


def _texts(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
        raise ValueError(f"{name}: expected a list of strings, got {shown(value)}")
    # An id is whatever the application calls its chunk, a blank for all we know.
    blank = next((i for i, v in enumerate(value) if not (v if name in ("keep", "drop") else v.strip())), None)
    if blank is not None:
        raise ValueError(f"{name}[{blank}]: it is blank")
    return tuple(value)


def _parts(value: Any, name: str) -> tuple[Part, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{name}: expected a list, got {shown(value)}")
    return tuple(_part(item, f"{name}[{i}]") for i, item in enumerate(value))


def _part(item: Any, where: str) -> Part:
    read: Callable[[str], Any] = (
        item.get if isinstance(item, Mapping) else lambda key: getattr(item, key, None)
    )
    if not isinstance(item, Part) and (not isinstance(item, Mapping) or set(item) - {"chunk_id", "text"}):
        raise ValueError(f"{where}: expected an object with chunk_id and text, got {shown(item)}")
    chunk_id, text = read("chunk_id"), read("text")
    for key, given in (("chunk_id", chunk_id), ("text", text)):
        if not isinstance(given, str) or not (given.strip() if key == "text" else given):
            raise ValueError(f"{where}.{key}: expected a string that is not blank, got {shown(given)}")
    return Part(chunk_id, text)


def _part_dict(part: Part) -> dict[str, str]:
    return {"chunk_id": part.chunk_id, "text": part.text}


def _optional(data: Mapping[str, Any], name: str, kind: Any, wanted: str) -> Any:
    value = data.get(name)
    if value is not None and not isinstance(value, kind):
        raise ValueError(f"{name}: expected {wanted}, got {shown(value)}")
    return value


def _iso(value: str, name: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise ValueError(f"{name}: expected a date as 2025-06-01, got {shown(value)}") from None


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _refuse_unknown(data: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for name in data:
        if name not in known:
            raise ValueError(f"{where}{quoted(str(name))}: unknown; known are {', '.join(known)}")
