"""Haystack: a component between retriever and prompt builder (extra ``haystack``)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:  # pragma: no cover - without the extra there is nothing to test
    raise ImportError('the Haystack integration needs haystack-ai: pip install "ragclean[haystack]"') from error

from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector
from ragclean.integrations.documents import KEY, clean
from ragclean.integrations.vectors import Embed, GivenVectors

__all__ = ["RagcleanRanker", "encoder_of"]


@component
class RagcleanRanker:
    """Drops noise, settles contradictions and shortens what is left.

    Documents come back in the order of the context, as copies with the kept text, the fused relevance as score, and,
    under ``meta["ragclean"]``, signals, offsets, flags, conflicts and warnings. Embeddings that documents and query
    bring along are used where the corrector's encoder is that of :func:`encoder_of`.

    Args:
        corrector: None for one with the defaults, or with ``config``. A pipeline that is written to YAML keeps the
            configuration, and a corrector of its own parts only under its defaults.
        config: as ``CorrectorConfig.to_dict`` writes it.
        top_k, as_of, max_tokens: as for ``refine``.
    """

    def __init__(
        self, corrector: NoiseCorrector | None = None, *, config: dict[str, Any] | None = None, top_k: int = 8,
        as_of: str | None = None, max_tokens: int | None = None,
    ) -> None:  # fmt: skip
        self.config, self.top_k, self.as_of, self.max_tokens = config, top_k, as_of, max_tokens
        self._corrector = corrector

    def warm_up(self) -> None:
        """Load the models, where a pipeline wants that done before its first run."""
        if self._corrector is None:
            made = CorrectorConfig.from_dict(self.config) if self.config else CorrectorConfig()
            self._corrector = NoiseCorrector(config=made)

    @component.output_types(documents=list[Document], context=str, warnings=list[str], trace=dict[str, Any])
    def run(
        self, query: str, documents: list[Document], query_embedding: list[float] | None = None,
        top_k: int | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """The documents that stay, the context as one text, warnings, and the whole decision as plain data."""
        self.warm_up()
        assert self._corrector is not None
        options = {"top_k": top_k or self.top_k, "as_of": self.as_of, "max_tokens": self.max_tokens}
        cleaned, found = clean(self._corrector, query, documents, options, query_embedding)
        kept = [
            replace(documents[c.place], content=c.text, score=c.score, meta={**documents[c.place].meta, KEY: c.notes})
            for c in cleaned
        ]
        return {
            "documents": kept, "context": found.text, "warnings": [str(w) for w in found.warnings],
            "trace": found.to_dict(),
        }  # fmt: skip

    @component.output_types(documents=list[Document], context=str, warnings=list[str], trace=dict[str, Any])
    async def run_async(
        self, query: str, documents: list[Document], query_embedding: list[float] | None = None,
        top_k: int | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """The same on a worker thread; the event loop stays free."""
        found: dict[str, Any] = await asyncio.to_thread(self.run, query, documents, query_embedding, top_k)
        return found

    def to_dict(self) -> dict[str, Any]:
        """For pipelines that are written to YAML."""
        config = self._corrector.config.to_dict() if self._corrector is not None else self.config
        made: dict[str, Any] = default_to_dict(
            self, config=config, top_k=self.top_k, as_of=self.as_of, max_tokens=self.max_tokens
        )
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RagcleanRanker:
        """Read what :meth:`to_dict` wrote."""
        made: RagcleanRanker = default_from_dict(cls, data)
        return made


def encoder_of(embed_queries: Embed, embed_passages: Embed, name: str) -> GivenVectors:
    """An encoder for ``NoiseCorrector(encoder=...)``: Haystack has an embedder of its own for texts and for documents,
    so that both functions are the caller's.

    Args:
        name: of the embedding model.
    """
    return GivenVectors(embed_queries, embed_passages, f"haystack:{name}")
