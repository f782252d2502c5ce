"""LangChain: a document compressor that drops into ``ContextualCompressionRetriever`` (extra ``langchain``)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.runnables import run_in_executor
    from pydantic import ConfigDict, Field
except ImportError as error:  # pragma: no cover - without the extra there is nothing to test
    raise ImportError('the LangChain integration needs langchain-core: pip install "ragclean[langchain]"') from error

from ragclean.corrector import NoiseCorrector
from ragclean.integrations.documents import KEY, Cleaned, Form, clean
from ragclean.integrations.vectors import GivenVectors
from ragclean.memo import Memo
from ragclean.signals.profile import Profile

if TYPE_CHECKING:
    from langchain_core.callbacks import Callbacks

__all__ = ["RagcleanCompressor", "RememberedEmbeddings", "encoder_of"]

#: Texts whose vectors :class:`RememberedEmbeddings` keeps: 8 bytes a number, so 134 MB where a vector has 1,024.
KEPT = 16_384


def _read(document: Document) -> dict[str, Any]:
    return {"text": document.page_content, "id": document.id, "metadata": document.metadata}


def _write(document: Document, cleaned: Cleaned) -> Document:
    metadata = {**document.metadata, KEY: cleaned.notes}
    return Document(page_content=cleaned.text, id=document.id, metadata=metadata)


_FORM: Form[Document] = Form(_read, _write)


class RagcleanCompressor(BaseDocumentCompressor):
    """Drops noise, settles contradictions and shortens what is left, for ``ContextualCompressionRetriever``.

    Documents come back as copies in the order of the context, with id and metadata as they were and, under
    ``metadata["ragclean"]``, score and signals, offsets of the kept sentences in the original text, flags, conflicts
    and warnings. Fields of ragclean (``source``, ``published_at``, ``lineage_id`` ...) are read from the metadata.

    Args:
        corrector: left out, one with the defaults.
        top_k: documents that come out at most.
        as_of: the day to judge age by; None is today.
        max_tokens: budget of all texts together.
        on_result: called with each ``RefinedContext``, for logs and traces.
        vector_of: called with each document where the corrector's encoder is that of :func:`encoder_of`; its stored
            vector, or None. Without it, a vector is looked for under ``metadata["embedding"]``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    corrector: NoiseCorrector = Field(default_factory=NoiseCorrector)
    top_k: int = Field(default=8, ge=1)
    as_of: str | date | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    on_result: Callable[[Any], Any] | None = None
    vector_of: Callable[[Any], Any] | None = None

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """The documents that stay, each with its kept text. ``callbacks`` are accepted and not called: no chain and
        no model of LangChain runs in here."""
        options = {"top_k": self.top_k, "as_of": self.as_of, "max_tokens": self.max_tokens}
        kept, _ = clean(
            self.corrector, _FORM, query, documents, options, vector_of=self.vector_of, on_result=self.on_result
        )
        return kept

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """The same on a worker thread; the event loop stays free."""
        return await run_in_executor(None, self.compress_documents, documents, query, callbacks)


class RememberedEmbeddings(Embeddings):
    """An embedding model that embeds no text twice: give it to the vector store and to :func:`encoder_of` alike.

    LangChain's documents do not carry their vectors, and a compressor is not given the query's, so that a reranker
    would embed both anew. Safe to share between threads; two that ask for one new text at the same moment both embed
    it. The ``a...`` methods run the model's plain ones on a worker thread.

    Args:
        embeddings: the model.
        kept: texts remembered at most, least recently used out first.
    """

    def __init__(self, embeddings: Embeddings, kept: int = KEPT) -> None:
        self.embeddings = embeddings
        self._kept = kept
        self._known: Memo[tuple[str, str], array[float]] = Memo(kept)

    def __getstate__(self) -> dict[str, Any]:
        """Without what is remembered."""
        return {"embeddings": self.embeddings, "_kept": self._kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["embeddings"], state["_kept"])  # type: ignore[misc]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """As the model's own, remembered."""
        return self._fetch([("passage", t) for t in texts], self.embeddings.embed_documents)

    def embed_query(self, text: str) -> list[float]:
        """As the model's own, remembered."""
        return self._fetch([("query", text)], lambda new: [self.embeddings.embed_query(new[0])])[0]

    def _fetch(
        self, keys: list[tuple[str, str]], embed: Callable[[list[str]], Sequence[Sequence[float]]]
    ) -> list[list[float]]:
        found = self._known.fetch(keys, lambda new: [array("d", v) for v in embed([text for _, text in new])])
        return [list(vector) for vector in found]


def encoder_of(
    embeddings: Embeddings, name: str, *, profile: Profile | str | Path | None = None, sentences: bool = True
) -> GivenVectors:
    """An encoder for ``NoiseCorrector(encoder=...)`` of a LangChain embedding model.

    Args:
        name: of the embedding model; a configuration that was calibrated under another one warns.
        profile, sentences: as for :class:`~ragclean.integrations.vectors.GivenVectors`.
    """
    return GivenVectors(
        partial(_queries, embeddings), embeddings.embed_documents, f"langchain:{name}",
        profile=profile, sentences=sentences,
    )  # fmt: skip


def _queries(embeddings: Embeddings, texts: list[str]) -> list[list[float]]:
    return [embeddings.embed_query(t) for t in texts]
