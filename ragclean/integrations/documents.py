"""A framework's documents in, the same documents with their kept text out: what all integrations share."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ragclean.corrector import BadCandidateError, NoiseCorrector
from ragclean.integrations.vectors import GivenVectors
from ragclean.result import RefinedContext
from ragclean.screen import coerce, free_id
from ragclean.types import Caution, Chunk, KeptChunk

logger = logging.getLogger(__name__)

#: Under this key of a document's metadata lies what was found out about it.
KEY = "ragclean"
#: Characters of a foreign error's message that a warning quotes.
_MESSAGE = 120

D = TypeVar("D")
VectorOf = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A document that stays: its kept text, and what goes into its metadata."""

    text: str
    score: float
    """The fused relevance, 0..1."""
    notes: dict[str, Any]
    """Plain data that JSON can hold."""


@dataclass(frozen=True, slots=True)
class Form(Generic[D]):
    """How a framework's documents are read and written."""

    read: Callable[[D], dict[str, Any]]
    """To a mapping with ``text``, ``id``, ``metadata``, ``score``, ``embedding``, as far as there are such."""
    write: Callable[[D, Cleaned], D]
    """A copy of the document with the kept text; the document itself is never changed."""
    textless: Callable[[D], bool] = lambda _: False
    """An image, a sound: nothing that could be read, and nothing that is missing."""


def clean(
    corrector: NoiseCorrector, form: Form[D], query: str, documents: Sequence[D], options: Mapping[str, Any], *,
    query_vector: Any = None, vector_of: VectorOf | None = None,
    on_result: Callable[[RefinedContext], Any] | None = None,
) -> tuple[list[D], RefinedContext]:  # fmt: skip
    """Refine a framework's documents.

    A document without usable text is left out with a warning of the result (``bad_candidate``, or a dropped ``empty``),
    unless the configuration says that it raises. Documents that are no text at all (images) come back as they are,
    after the others. With ``mode="observe"`` all documents come back as they are, in their order.

    Args:
        options: of ``refine``.
        query_vector: of the query, where the application has it.
        vector_of: called with a document that carries no vector; its stored one, or None.
        on_result: called with the result; where it raises, that is logged.
    """
    worded = [d for d in documents if not form.textless(d)]
    views = _named([form.read(d) for d in worded])
    by_id = {view["id"]: document for view, document in zip(views, worded, strict=True)}
    found = _refined(corrector, query, views, worded, options, query_vector, vector_of)
    if on_result is not None:
        try:
            on_result(found)
        except Exception:
            logger.exception("on_result failed; the documents are handed on")
    if found.mode == "observe":
        return list(documents), found
    kept = [form.write(by_id[k.id], _cleaned(k, found)) for k in found.chunks]
    return [*kept, *(d for d in documents if form.textless(d))], found


def _refined(
    corrector: NoiseCorrector, query: str, views: Sequence[Mapping[str, Any]], documents: Sequence[Any],
    options: Mapping[str, Any], query_vector: Any, vector_of: VectorOf | None,
) -> RefinedContext:  # fmt: skip
    encoder = corrector.scorers.encoder
    if not isinstance(encoder, GivenVectors):
        return corrector.refine(query, views, **options)
    complaints: list[Caution] = []
    passages: list[tuple[str, Any]] = []
    for place, (view, document) in enumerate(zip(views, documents, strict=True)):
        chunk = coerce(view, [])
        if chunk is None:
            passages.append(("", None))  # refine says what is wrong with it
            continue
        vector = chunk.embedding
        if vector is None and vector_of is not None:
            try:
                vector = vector_of(document)
            except Exception as error:
                why = f"vector_of raised {type(error).__name__}: {error}"[:_MESSAGE]
                complaints.append(Caution("bad_candidate", f"candidate {place}: embedding: {why}", chunk.id))
        passages.append((chunk.text, vector))
    asked = None if query_vector is None else (query, query_vector)
    with encoder.holding(asked, passages) as left_out:
        for at, why in left_out:
            what, owner = ("query_embedding", None) if at is None else (f"candidate {at}: embedding", views[at]["id"])
            complaints.append(Caution("bad_candidate", f"{what}: {why}; left out", owner))
        if complaints and corrector.config.on_bad_candidate == "raise":
            raise BadCandidateError(complaints[0].message)
        found = corrector.refine(query, views, **options)
    return replace(found, warnings=(*found.warnings, *complaints)) if complaints else found


def _named(views: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each with an id of its own: documents may lack one, or share it (parts of a page)."""
    read: list[Chunk | None] = [coerce(view, []) for view in views]
    ids = [chunk.id if chunk is not None else "" for chunk in read]
    count = Counter(ids)
    taken = set(count)
    for place, (view, name) in enumerate(zip(views, ids, strict=True)):
        view["id"] = name if name and count[name] == 1 else free_id(f"{name or 'document'}#{place}", taken)
    return views


def _cleaned(kept: KeptChunk, found: RefinedContext) -> Cleaned:
    signals = kept.signals
    score = float(signals.final)
    notes = {
        "score": round(score, 4),
        "semantic": round(float(signals.semantic), 4),
        "judge": None if signals.judge is None else round(float(signals.judge), 4),
        "keyword": round(float(signals.keyword), 4),
        "retriever_score": kept.chunk.score,
        "source": kept.chunk.source,
        "spans": [[s.start, s.end] for s in kept.sentences],
        "flags": list(kept.flags),
        "conflicts": [c.explain() for c in found.conflicts if any(kept.id in s.chunk_ids for s in c.sides)],
        "warnings": [str(w) for w in found.warnings if w.chunk_id in (None, kept.id)],
        "as_of": found.as_of,
    }
    return Cleaned(kept.text, score, notes)
