"""Haystack: a component between retriever and prompt builder (extra ``haystack``)."""

# Haystack reads annotations to connect components. Its version 2 takes them as they are, so that they are types here
# and no text, and does not know ``X | None``.

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Optional

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:  # pragma: no cover - without the extra there is nothing to test
    raise ImportError('the Haystack integration needs haystack-ai: pip install "ragclean[haystack]"') from error

from ragclean.corrector import NoiseCorrector
from ragclean.integrations.documents import KEY, Cleaned, Form, clean
from ragclean.integrations.vectors import Embed, GivenVectors
from ragclean.integrations.written import read_corrector, write_corrector
from ragclean.signals.profile import Profile

__all__ = ["RagcleanRanker", "encoder_of"]


def _read(document: Document) -> dict[str, Any]:
    return {
        "text": document.content, "id": document.id, "metadata": document.meta, "score": document.score,
        "embedding": document.embedding,
    }  # fmt: skip


def _write(document: Document, cleaned: Cleaned) -> Document:
    """A copy under the same id, though Haystack makes ids from contents: it is the same document."""
    meta = {**document.meta, KEY: cleaned.notes}
    copy: Document = replace(document, content=cleaned.text, score=cleaned.score, meta=meta)
    return copy


def _textless(document: Document) -> bool:
    return document.blob is not None and not (document.content or "").strip()


_FORM: Form[Document] = Form(_read, _write, _textless)


@component
class RagcleanRanker:
    """Drops noise, settles contradictions and shortens what is left.

    Documents come back in the order of the context, as copies with the kept text, the fused relevance as score, and,
    under ``meta["ragclean"]``, signals, offsets, flags, conflicts and warnings. Images and sounds without text come
    back as they are, after the others. Embeddings that documents and query bring along are used where the corrector's
    encoder is that of :func:`encoder_of`.

    Args:
        corrector: None for one of ``config``, ``encoder`` and ``judge``, made at the first run or at ``warm_up``.
        config: as ``CorrectorConfig.to_dict`` writes it; None for the defaults.
        encoder, judge: names, as for ``NoiseCorrector``.
        top_k, as_of, max_tokens: as for ``refine``.

    Raises:
        ValueError: a corrector, and beside it what one is made of.
    """

    def __init__(
        self, corrector: NoiseCorrector | None = None, *, config: dict[str, Any] | None = None,
        encoder: str | None = None, judge: str | None = None, top_k: int = 8, as_of: str | date | None = None,
        max_tokens: int | None = None,
    ) -> None:  # fmt: skip
        self._parts = {"config": config, "encoder": encoder, "judge": judge}
        beside = [name for name, part in self._parts.items() if part is not None]
        if corrector is not None and beside:
            raise ValueError(f"corrector: it has its own {', '.join(beside)}; give one or the other")
        self.top_k, self.as_of, self.max_tokens = top_k, as_of, max_tokens
        self._given = self._corrector = corrector

    def warm_up(self) -> None:
        """Load the models, where a pipeline wants that done before its first run."""
        self._ready()

    def _ready(self) -> NoiseCorrector:
        if self._corrector is None:
            self._corrector = read_corrector(self._parts)
        return self._corrector

    @component.output_types(documents=list[Document], context=str, warnings=list[str], trace=dict[str, Any])
    def run(
        self, query: str, documents: list[Document], query_embedding: Optional[list[float]] = None,  # noqa: UP045
        top_k: Optional[int] = None,  # noqa: UP045
    ) -> dict[str, Any]:  # fmt: skip
        """The documents that stay, the context as one text, warnings, and the whole decision as plain data."""
        options = {
            "top_k": self.top_k if top_k is None else top_k, "as_of": self.as_of, "max_tokens": self.max_tokens,
        }  # fmt: skip
        kept, found = clean(self._ready(), _FORM, query, documents, options, query_vector=query_embedding)
        return {
            "documents": kept, "context": found.text, "warnings": [str(w) for w in found.warnings],
            "trace": found.to_dict(),
        }  # fmt: skip

    @component.output_types(documents=list[Document], context=str, warnings=list[str], trace=dict[str, Any])
    async def run_async(
        self, query: str, documents: list[Document], query_embedding: Optional[list[float]] = None,  # noqa: UP045
        top_k: Optional[int] = None,  # noqa: UP045
    ) -> dict[str, Any]:  # fmt: skip
        """The same on a worker thread; the event loop stays free."""
        found: dict[str, Any] = await asyncio.to_thread(self.run, query, documents, query_embedding, top_k)
        return found

    def to_dict(self) -> dict[str, Any]:
        """For pipelines that are written to YAML; reading needs ``allowed_modules=["ragclean.*"]`` from Haystack 3 on.

        Raises:
            ValueError: the corrector has a part that no name stands for.
        """
        parts = self._parts if self._given is None else write_corrector(self._given)
        as_of = self.as_of.isoformat() if isinstance(self.as_of, date) else self.as_of
        made: dict[str, Any] = default_to_dict(
            self, **parts, top_k=self.top_k, as_of=as_of, max_tokens=self.max_tokens
        )
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "RagcleanRanker":
        """Read what :meth:`to_dict` wrote."""
        made: RagcleanRanker = default_from_dict(cls, data)
        return made


def encoder_of(
    embed_queries: Embed, embed_passages: Embed, name: str, *, profile: Profile | str | Path | None = None,
    sentences: bool = True,
) -> GivenVectors:  # fmt: skip
    """An encoder for ``NoiseCorrector(encoder=...)``: Haystack has an embedder of its own for texts and for documents,
    so that both functions are the caller's.

    Args:
        name: of the embedding model.
        profile, sentences: as for :class:`~ragclean.integrations.vectors.GivenVectors`.
    """
    return GivenVectors(
        embed_queries, embed_passages, f"haystack:{name}", profile=profile, sentences=sentences
    )
