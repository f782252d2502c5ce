"""Input check: coerce, validate, drop empties, resolve trust and dates. The text itself is never changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timezone
from fnmatch import fnmatchcase
from typing import Any
from uuid import UUID

import numpy as np

from ragclean.config import DEFAULT_SOURCE_WEIGHTS, CorrectorConfig
from ragclean.prepare import Passage, PreparedText
from ragclean.text.dates import parse_date
from ragclean.types import Caution, Chunk, Dropped

_TEXT_KEYS = ("text", "content", "page_content")
_FIELDS = tuple(f.name for f in fields(Chunk) if f.name not in ("text", "metadata"))
_DATE_FIELDS = ("published_at", "updated_at", "effective_from", "expires_at")
_STRING_FIELDS = ("id", "title", "lineage_id", "version", "source", "uri")
#: Numbers in these spans are Unix times, in seconds and in milliseconds: September 2001 to February 2106, so that no
#: date written as a number (20250301) falls among them.
_EPOCH_SECONDS, _EPOCH_MILLISECONDS = (1e9, 4.29e9), (1e12, 4.29e12)
#: What databases write for 'never expires'.
_FOREVER = "9999"
#: Characters of a caller's value that a message quotes.
_QUOTED = 60

@dataclass(frozen=True, slots=True)
class Screened:
    """The passages that can be used, what was dropped, and what was odd."""

    passages: tuple[Passage, ...]
    dropped: tuple[Dropped, ...]
    cautions: tuple[Caution, ...]
    chunks: tuple[Chunk, ...]
    """All that could be read, blank ones too, in the order of the candidates, each with an id."""


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
    chunks: list[Chunk] = []
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
            cautions.append(Caution("duplicate_id", f"candidate {index}: id {shown(chunk.id)} is used twice", chunk.id))
        seen.add(chunk.id)
        chunks.append(chunk)
        if not chunk.text.strip() or not chunk.text.replace("\0", "").strip():
            dropped.append(Dropped(chunk.id, "screen", "empty", "the text is blank", text=chunk.text))
            continue
        passages.append(_resolve(index, chunk, prepare(chunk.text), trust_of, cautions))
    return Screened(tuple(passages), tuple(dropped), tuple(cautions), tuple(chunks))


def coerce(candidate: Any, complaints: list[str]) -> Chunk | None:
    """A ``Chunk`` of a string, mapping, ``Chunk`` or a framework's document; None where there is no text.

    Never raises: an object that fails while it is read is one complaint more.
    """
    try:
        return _coerce(candidate, complaints)
    except Exception as error:
        complaints.append(f"text: reading a {type(candidate).__name__} raised {type(error).__name__}")
        return None


def free_id(name: str, taken: set[str]) -> str:
    """The name, or the first one made of it that is not taken; it is taken from then on."""
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def shown(value: Any) -> str:
    """The beginning of ``repr(value)``, for a message; the type's name where even that fails."""
    try:
        written = repr(value)
    except Exception:  # a foreign __repr__, or a number of thousands of digits
        return f"a value of type {type(value).__name__}"
    return written if len(written) <= _QUOTED else written[: _QUOTED - 3] + "..."


def _coerce(candidate: Any, complaints: list[str]) -> Chunk | None:
    if isinstance(candidate, Chunk):
        return _checked(
            {f: getattr(candidate, f) for f in _FIELDS}, candidate.text, candidate.metadata, complaints
        )
    if isinstance(candidate, str):
        return Chunk(_exact(candidate))
    if isinstance(candidate, tuple) and len(candidate) == 2 and isinstance(candidate[1], int | float | np.number):
        return _scored(*candidate, complaints)
    data = _as_mapping(candidate)
    if data is None:
        complaints.append(f"text: expected a string, mapping, Chunk or document, got {type(candidate).__name__}")
        return None
    text = next((data[k] for k in _TEXT_KEYS if data.get(k) is not None), None)
    metadata: Any = next((m for m in (data.get("metadata"), data.get("meta")) if m is not None), {})
    if not isinstance(metadata, Mapping):
        complaints.append(f"metadata: expected a mapping, got {type(metadata).__name__}")
        metadata = {}
    values = {f: v if (v := _plain(data.get(f))) is not None else metadata.get(f) for f in _FIELDS}
    return _checked(values, text, metadata, complaints)


def _scored(candidate: Any, score: Any, complaints: list[str]) -> Chunk | None:
    """What a store's search 'with scores' returns: a document and its score."""
    chunk = _coerce(candidate, complaints)
    number = _number(_plain(score))
    return chunk if chunk is None or chunk.score is not None or number is None else replace(chunk, score=number)


def _as_mapping(candidate: Any) -> Mapping[str, Any] | None:
    """Mappings as they are; documents of frameworks (LangChain, LlamaIndex, Haystack) by their attributes."""
    if isinstance(candidate, Mapping):
        return candidate
    node = _attribute(candidate, "node")
    node = candidate if node is None else node
    text = next((t for t in (_attribute(node, k) for k in _TEXT_KEYS) if isinstance(t, str)), None)
    if text is None:
        return None
    return {
        "text": text,
        "metadata": next((m for m in (_attribute(node, "metadata"), _attribute(node, "meta")) if m is not None), None),
        "id": next((v for v in (_attribute(node, k) for k in ("id", "node_id", "id_")) if v not in (None, "")), None),
        "score": _attribute(candidate, "score"),
        "embedding": _attribute(node, "embedding"),
    }


def _attribute(item: Any, name: str) -> Any:
    """An attribute, None where there is none or where it cannot be had (a lazy field of a closed session)."""
    try:
        return getattr(item, name, None)
    except Exception:
        return None


def _exact(text: str) -> str:
    """A plain ``str`` of a subclass (a member of a string enumeration, ``numpy.str_``)."""
    return text if type(text) is str else str.__str__(text)


def _plain(value: Any) -> Any:
    """NumPy scalars as Python's; None for what tables write where nothing is (NaN, NaT)."""
    if isinstance(value, np.datetime64):
        return None if np.isnat(value) else value.astype("datetime64[D]").item()
    if isinstance(value, np.generic) and not isinstance(value, str):
        value = value.item()
    if isinstance(value, (float, datetime)) and value != value:
        return None
    return value


def _checked(
    values: dict[str, Any], text: Any, metadata: Mapping[str, Any], complaints: list[str]
) -> Chunk | None:
    """Validate field by field; a bad optional field is left out, so that no passage is lost for it."""
    if not isinstance(text, str):
        complaints.append(f"text: expected a string, got {'nothing' if text is None else type(text).__name__}")
        return None
    out: dict[str, Any] = {}
    values = {name: _plain(value) for name, value in values.items()}
    readers = (
        (_STRING_FIELDS, _string, "a string"),
        (_DATE_FIELDS, _day, "a date or a string"),
        (("source_weight",), _share, "a number in 0..1"),
        (("score",), _number, "a number"),
    )
    for names, read, wanted in readers:
        for name in names:
            value = values.get(name)
            if value is None:
                continue
            out[name] = read(value)
            if out[name] is None:
                del out[name]
                complaints.append(f"{name}: expected {wanted}, got {shown(value)}; left out")
    return Chunk(text=_exact(text), embedding=values.get("embedding"), metadata=metadata, **out)


def _string(value: Any) -> str | None:
    if isinstance(value, str):
        return _exact(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, UUID)):
        return None
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits
        return None


def _day(value: Any) -> str | None:
    """A date as a string: as it stands, ISO, or the day (UTC) of a Unix time."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        for (low, high), unit in ((_EPOCH_SECONDS, 1.0), (_EPOCH_MILLISECONDS, 1e3)):
            if low <= value < high:
                return datetime.fromtimestamp(value / unit, timezone.utc).date().isoformat()
        return _string(value) if isinstance(value, int) else None
    return _exact(value) if isinstance(value, str) else None


def _share(value: Any) -> float | None:
    number = _number(value)
    return number if number is not None and 0.0 <= number <= 1.0 else None


def _number(value: Any) -> float | None:
    """A finite number, but for strings and truth values: what is written in quotes may be meant otherwise."""
    if isinstance(value, (bool, str)):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _unused(wanted: str, seen: set[str]) -> str:
    while wanted in seen:
        wanted += "'"
    return wanted


class _TrustTable:
    """Trust by source category: the configuration's table, then the default one for what it does not name; in each,
    exact names over wildcards, longer wildcards over shorter."""

    def __init__(self, config: CorrectorConfig) -> None:
        self._tables = [_split_table(config.source_weights)]
        if config.source_weights != DEFAULT_SOURCE_WEIGHTS:
            self._tables.append(_split_table(DEFAULT_SOURCE_WEIGHTS))
        self._default = config.default_source_weight

    def __call__(self, chunk: Chunk) -> tuple[float, bool]:
        if chunk.source_weight is not None:
            return chunk.source_weight, True
        if chunk.source:
            name = chunk.source.strip().lower()
            for exact, wild in self._tables:
                if name in exact:
                    return exact[name], True
                for pattern, weight in wild:
                    if fnmatchcase(name, pattern):
                        return weight, True
        return self._default, False


def _split_table(weights: Mapping[str, float]) -> tuple[dict[str, float], list[tuple[str, float]]]:
    """Exact names, and wildcards longest first; in the order of the names, so that equal tables decide alike."""
    table = {k.lower(): v for k, v in sorted(weights.items())}
    exact = {k: v for k, v in table.items() if "*" not in k and "?" not in k}
    return exact, sorted(((k, v) for k, v in table.items() if k not in exact), key=lambda kv: -len(kv[0]))


def _resolve(
    index: int, chunk: Chunk, prepared: PreparedText, trust_of: _TrustTable, cautions: list[Caution]
) -> Passage:
    dates: dict[str, date | None] = {}
    for name in _DATE_FIELDS:
        value = getattr(chunk, name)
        dates[name] = parse_date(value, end_of_period=name == "expires_at") if value else None
        if value and dates[name] is None and not (name == "expires_at" and value.lstrip().startswith(_FOREVER)):
            message = f"candidate {index}: {name}: {shown(value)} is no date that can be read; left out"
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
