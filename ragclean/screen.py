"""Input check: coerce, validate, drop empties, resolve trust and dates. The text itself is never changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, PreparedText
from ragclean.text.dates import parse_date
from ragclean.types import Caution, Chunk, Dropped

_TEXT_KEYS = ("text", "content", "page_content")
_FIELDS = tuple(f.name for f in fields(Chunk) if f.name not in ("text", "metadata"))
_DATE_FIELDS = ("published_at", "updated_at", "effective_from", "expires_at")
_STRING_FIELDS = ("id", "title", "lineage_id", "version", "source", "uri")

@dataclass(frozen=True, slots=True)
class Screened:
    """The passages that can be used, what was dropped, and what was odd."""

    passages: tuple[Passage, ...]
    dropped: tuple[Dropped, ...]
    cautions: tuple[Caution, ...]


class BadCandidateError(ValueError):
    """A candidate cannot be read; the message names its index and field."""


def screen(
    candidates: Iterable[Any], config: CorrectorConfig, prepare: Callable[[str], PreparedText], as_of: date
) -> Screened:
    """Turn whatever the retriever gave into passages.

    A candidate without usable text is skipped, a field that cannot be read is left out, each with a caution that
    names index and field.

    Raises:
        BadCandidateError: in either case, with ``on_bad_candidate="raise"``.
    """
    dropped: list[Dropped] = []
    cautions: list[Caution] = []
    passages: list[Passage] = []
    trust_of = _TrustTable(config)
    read: list[tuple[Chunk | None, list[str]]] = []
    for candidate in candidates:
        complaints: list[str] = []
        read.append((coerce(candidate, complaints), complaints))
    given = {chunk.id for chunk, _ in read if chunk is not None and chunk.id}
    seen: set[str] = set()
    for index, (chunk, complaints) in enumerate(read):
        if complaints and config.on_bad_candidate == "raise":
            raise BadCandidateError(f"candidate {index}: {complaints[0]}")
        chunk_id = chunk.id if chunk is not None and chunk.id else f"c{index + 1}"
        cautions += [Caution("bad_candidate", f"candidate {index}: {c}", chunk_id) for c in complaints]
        if chunk is None:
            dropped.append(Dropped(chunk_id, "screen", "bad_candidate", complaints[0]))
            continue
        if not chunk.id:
            chunk = replace(chunk, id=_unused(chunk_id, given))
        elif chunk.id in seen:
            cautions.append(Caution("duplicate_id", f"candidate {index}: id {chunk.id!r} is used twice", chunk.id))
        seen.add(chunk.id)
        if not chunk.text.strip() or not chunk.text.replace("\0", "").strip():
            dropped.append(Dropped(chunk.id, "screen", "empty", "the text is blank", text=chunk.text))
            continue
        passages.append(_resolve(index, chunk, prepare(chunk.text), trust_of, cautions))
    return Screened(tuple(passages), tuple(dropped), tuple(cautions))


def coerce(candidate: Any, complaints: list[str]) -> Chunk | None:
    """A ``Chunk`` of a string, mapping, ``Chunk`` or a framework's document; None where there is no text."""
    if isinstance(candidate, Chunk):
        return _checked(
            {f: getattr(candidate, f) for f in _FIELDS}, candidate.text, candidate.metadata, complaints
        )
    if isinstance(candidate, str):
        return Chunk(candidate)
    data = _as_mapping(candidate)
    if data is None:
        complaints.append(f"text: expected a string, mapping, Chunk or document, got {type(candidate).__name__}")
        return None
    text = next((data[k] for k in _TEXT_KEYS if data.get(k) is not None), None)
    metadata = data.get("metadata") or data.get("meta") or {}
    if not isinstance(metadata, Mapping):
        complaints.append(f"metadata: expected a mapping, got {type(metadata).__name__}")
        metadata = {}
    values = {f: data[f] if data.get(f) is not None else metadata.get(f) for f in _FIELDS}
    return _checked(values, text, metadata, complaints)


def _as_mapping(candidate: Any) -> Mapping[str, Any] | None:
    """Mappings as they are; documents of frameworks (LangChain, LlamaIndex, Haystack) by their attributes."""
    if isinstance(candidate, Mapping):
        return candidate
    score = getattr(candidate, "score", None)
    node = getattr(candidate, "node", candidate)
    text = next((t for t in (getattr(node, k, None) for k in _TEXT_KEYS) if isinstance(t, str)), None)
    if text is None:
        return None
    metadata = getattr(node, "metadata", None) or getattr(node, "meta", None) or {}
    ident = next((v for v in (getattr(node, k, None) for k in ("id", "node_id", "id_")) if v), None)
    embedding = getattr(node, "embedding", None)
    return {"text": text, "metadata": metadata, "id": ident, "score": score, "embedding": embedding}


def _checked(
    values: dict[str, Any], text: Any, metadata: Mapping[str, Any], complaints: list[str]
) -> Chunk | None:
    """Validate field by field; a bad optional field is left out, so that no passage is lost for it."""
    if not isinstance(text, str):
        complaints.append(f"text: expected a string, got {'nothing' if text is None else type(text).__name__}")
        return None
    out: dict[str, Any] = {}
    for name in _STRING_FIELDS:
        value = values.get(name)
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            out[name] = str(value)
        elif value is not None:
            complaints.append(f"{name}: expected a string, got {type(value).__name__}; left out")
    for name in _DATE_FIELDS:
        value = values.get(name)
        if isinstance(value, date):
            out[name] = value.isoformat()
        elif isinstance(value, (str, int)) and not isinstance(value, bool):
            out[name] = str(value)
        elif value is not None:
            complaints.append(f"{name}: expected a date or a string, got {type(value).__name__}; left out")
    for name, low, high in (("source_weight", 0.0, 1.0), ("score", -math.inf, math.inf)):
        number = _number(values.get(name))
        if number is not None and low <= number <= high:
            out[name] = number
        elif values.get(name) is not None:
            wanted = "a number in 0..1" if high == 1.0 else "a number"
            complaints.append(f"{name}: expected {wanted}, got {values[name]!r:.60}; left out")
    return Chunk(text=text, embedding=values.get("embedding"), metadata=metadata, **out)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number == number else None


def _unused(wanted: str, seen: set[str]) -> str:
    while wanted in seen:
        wanted += "'"
    return wanted


class _TrustTable:
    """Trust by source category: exact names over wildcards, longer wildcards over shorter."""

    def __init__(self, config: CorrectorConfig) -> None:
        table = {k.lower(): v for k, v in config.source_weights.items()}
        self._exact = {k: v for k, v in table.items() if "*" not in k and "?" not in k}
        self._wild = sorted(((k, v) for k, v in table.items() if k not in self._exact), key=lambda kv: -len(kv[0]))
        self._default = config.default_source_weight

    def __call__(self, chunk: Chunk) -> tuple[float, bool]:
        if chunk.source_weight is not None:
            return chunk.source_weight, True
        if chunk.source:
            name = chunk.source.strip().lower()
            if name in self._exact:
                return self._exact[name], True
            for pattern, weight in self._wild:
                if fnmatchcase(name, pattern):
                    return weight, True
        return self._default, False


def _resolve(
    index: int, chunk: Chunk, prepared: PreparedText, trust_of: _TrustTable, cautions: list[Caution]
) -> Passage:
    dates: dict[str, date | None] = {}
    for name in _DATE_FIELDS:
        value = getattr(chunk, name)
        dates[name] = parse_date(value, end_of_period=name == "expires_at") if value else None
        if value and dates[name] is None:
            message = f"candidate {index}: {name}: {value!r:.60} is no date that can be read; left out"
            cautions.append(Caution("bad_date", message, chunk.id))
    stated = {m.kind: m.when for m in reversed(prepared.marks) if m.when is not None}
    effective = dates["effective_from"] or stated.get("effective")
    dated = (
        dates["effective_from"] or dates["updated_at"] or dates["published_at"]
        or stated.get("effective") or stated.get("updated") or stated.get("published")
    )
    flags: Sequence[str] = ()
    if prepared.addresses_model:
        flags = ("instruction_like",)
        cautions.append(Caution("instruction_like", f"candidate {index}: the text addresses the model", chunk.id))
    trust, known = trust_of(chunk)
    return Passage(
        index, chunk, prepared, trust, known, dated, effective,
        dates["expires_at"] or stated.get("expires"), tuple(flags),
    )
