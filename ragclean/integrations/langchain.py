"""LangChain: a document compressor that drops into ``ContextualCompressionRetriever`` (extra ``langchain``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

try:
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.runnables import run_in_executor
    from pydantic import ConfigDict, Field
except ImportError as error:  # pragma: no cover - without the extra there is nothing to test
    raise ImportError('the LangChain integration needs langchain-core: pip install "ragclean[langchain]"') from error

from ragclean.corrector import NoiseCorrector
from ragclean.integrations.documents import KEY, clean
from ragclean.integrations.vectors import GivenVectors
from ragclean.memo import Memo

if TYPE_CHECKING:
    from langchain_core.callbacks import Callbacks

__all__ = ["RagcleanCompressor", "RememberedEmbeddings", "encoder_of"]


class RagcleanCompressor(BaseDocumentCompressor):
    """Drops noise, settles contradictions and shortens what is left, for ``ContextualCompressionRetriever``.

    Documents come back in the order of the context, with their metadata as it was and, under ``"ragclean"``, score and
    signals, offsets of the kept sentences in the original text, flags, conflicts and warnings. Fields of ragclean
    (``source``, ``published_at``, ``lineage_id`` ...) are read from the metadata.

    Args:
        corrector: None for one with the defaults.
        top_k: documents that come out at most.
        as_of: the day to judge age by; None is today.
        max_tokens: budget of all texts together.
        on_result: called with each ``RefinedContext``, for logs and traces.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    corrector: NoiseCorrector = Field(default_factory=NoiseCorrector)
    top_k: int = 8
    as_of: str | None = None
    max_tokens: int | None = None
    on_result: Callable[[Any], None] | None = None

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """The documents that stay, each with its kept text."""
        options = {"top_k": self.top_k, "as_of": self.as_of, "max_tokens": self.max_tokens}
        cleaned, found = clean(self.corrector, query, documents, options)
        if self.on_result is not None:
            self.on_result(found)
        return [
            Document(
                page_content=c.text, id=documents[c.place].id, metadata={**documents[c.place].metadata, KEY: c.notes}
            )
            for c in cleaned
        ]

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """The same on a worker thread; the event loop stays free."""
        return await run_in_executor(None, self.compress_documents, documents, query, callbacks)


#: Vectors kept by :class:`RememberedEmbeddings`, by text.
_KEPT = 65_536


class RememberedEmbeddings(Embeddings):
    """An embedding model that embeds no text twice: give it to the vector store and to :func:`encoder_of` alike.

    LangChain's documents do not carry their vectors, so that a reranker would embed them anew.

    Args:
        embeddings: the model.
        kept: texts remembered at most, least recently used out first.
    """

    def __init__(self, embeddings: Embeddings, kept: int = _KEPT) -> None:
        self.embeddings = embeddings
        self._known: Memo[tuple[str, str], list[float]] = Memo(kept)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """As the model's own, remembered."""
        keys = [("passage", t) for t in texts]
        return self._known.fetch(keys, lambda new: self.embeddings.embed_documents([t for _, t in new]))

    def embed_query(self, text: str) -> list[float]:
        """As the model's own, remembered."""
        return self._known.fetch([("query", text)], lambda new: [self.embeddings.embed_query(new[0][1])])[0]


def encoder_of(embeddings: Embeddings, name: str) -> GivenVectors:
    """An encoder for ``NoiseCorrector(encoder=...)`` of a LangChain embedding model.

    Args:
        name: of the embedding model; a configuration that was calibrated under another one warns.
    """
    return GivenVectors(
        lambda texts: [embeddings.embed_query(t) for t in texts], embeddings.embed_documents, f"langchain:{name}"
    )

