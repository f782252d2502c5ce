"""A framework's documents in, the same documents with their kept text out: what all integrations share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragclean.corrector import NoiseCorrector
from ragclean.integrations.vectors import GivenVectors
from ragclean.result import RefinedContext
from ragclean.screen import coerce
from ragclean.types import Chunk, KeptChunk

#: Under this key of a document's metadata lies what was found out about it.
KEY = "ragclean"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A document that stays: where it stood, its kept text, and what goes into its metadata."""

    place: int
    """Among the documents as they came."""
    text: str
    score: float
    """The fused relevance, 0..1."""
    notes: dict[str, Any]


def clean(
    corrector: NoiseCorrector, query: str, documents: Sequence[Any], options: dict[str, Any],
    query_vector: Any = None,
) -> tuple[list[Cleaned], RefinedContext]:  # fmt: skip
    """Refine a framework's documents.

    A document without text, or whose metadata cannot be read, is left out with a warning of the result
    (``bad_candidate``), unless the configuration says that it raises.
    """
    chunks = _chunks(documents)
    places = {c.id: place for place, c in enumerate(chunks) if isinstance(c, Chunk)}
    encoder = corrector.scorers.encoder
    if isinstance(encoder, GivenVectors):
        known = [(c.text, c.embedding) for c in chunks if isinstance(c, Chunk) and c.embedding is not None]
        encoder.store((query, query_vector) if query_vector is not None else None, known)
    found = corrector.refine(query, chunks, **options)
    if found.mode == "observe":
        whole = [Cleaned(p, c.text, 1.0, {}) for p, c in enumerate(chunks) if isinstance(c, Chunk)]
        return whole, found
    return [_cleaned(kept, places[kept.id], found) for kept in found.chunks], found


def _chunks(documents: Sequence[Any]) -> list[Any]:
    """The documents as chunks, each with an id of its own: documents may lack one, or share it (parts of a page)."""
    read = [coerce(document, []) for document in documents]
    count = Counter(c.id for c in read if c is not None)
    taken = set(count)
    named: list[Any] = []
    for place, (document, chunk) in enumerate(zip(documents, read, strict=True)):
        if chunk is None:
            named.append(document)  # refine says what is wrong with it
        elif chunk.id and count[chunk.id] == 1:
            named.append(chunk)
        else:
            named.append(replace(chunk, id=_free(f"{chunk.id or 'document'}#{place}", taken)))
    return named


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def _cleaned(kept: KeptChunk, place: int, found: RefinedContext) -> Cleaned:
    signals = kept.signals
    conflicts = [c.explain() for c in found.conflicts if any(kept.id in s.chunk_ids for s in c.sides)]
    warnings = [str(w) for w in found.warnings if w.chunk_id in (None, kept.id)]
    notes = {
        "score": round(signals.final, 4),
        "semantic": round(signals.semantic, 4),
        "judge": None if signals.judge is None else round(signals.judge, 4),
        "keyword": round(signals.keyword, 4),
        "source": kept.chunk.source,
        "spans": [[s.start, s.end] for s in kept.sentences],
        "flags": list(kept.flags),
        "conflicts": conflicts,
        "warnings": warnings,
        "as_of": found.as_of,
    }
    return Cleaned(place, kept.text, signals.final, notes)
