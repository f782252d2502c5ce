"""LlamaIndex: a node postprocessor for query engines and retrievers (extra ``llama-index``)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

try:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import ConfigDict, Field
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle
except ImportError as error:  # pragma: no cover - without the extra there is nothing to test
    needed = 'the LlamaIndex integration needs llama-index-core: pip install "ragclean[llama-index]"'
    raise ImportError(needed) from error

from ragclean.corrector import NoiseCorrector
from ragclean.integrations.documents import KEY, clean
from ragclean.integrations.vectors import GivenVectors

__all__ = ["RagcleanPostprocessor", "encoder_of"]


class RagcleanPostprocessor(BaseNodePostprocessor):
    """Drops noise, settles contradictions and shortens what is left, between retriever and response synthesis.

    Nodes come back in the order of the context, as copies with the kept text, the fused relevance as score, and, under
    ``metadata["ragclean"]``, signals, offsets, flags, conflicts and warnings (kept out of prompts and embeddings).
    Vectors that nodes and query bring along are used where the corrector's encoder is that of :func:`encoder_of`.

    Args:
        corrector: None for one with the defaults.
        top_k, as_of, max_tokens: as for ``refine``.
        on_result: called with each ``RefinedContext``, for logs and traces.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    corrector: Any = Field(default_factory=NoiseCorrector, exclude=True)
    top_k: int = 8
    as_of: str | None = None
    max_tokens: int | None = None
    on_result: Callable[[Any], None] | None = Field(default=None, exclude=True)

    @classmethod
    def class_name(cls) -> str:
        """As LlamaIndex stores it."""
        return "RagcleanPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None:
            raise ValueError("query_bundle: there is no query to clean for")
        options = {"top_k": self.top_k, "as_of": self.as_of, "max_tokens": self.max_tokens}
        cleaned, found = clean(self.corrector, query_bundle.query_str, nodes, options, query_bundle.embedding)
        if self.on_result is not None:
            self.on_result(found)
        return [_with_text(nodes[c.place], c.text, c.score, c.notes) for c in cleaned]

    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._postprocess_nodes, nodes, query_bundle)


def _with_text(given: NodeWithScore, text: str, score: float, notes: dict[str, Any]) -> NodeWithScore:
    """A copy: the node may be one of a document store's."""
    node = given.node.model_copy(deep=False)
    node.metadata = {**node.metadata, KEY: notes}
    for name in ("excluded_llm_metadata_keys", "excluded_embed_metadata_keys"):
        keys = list(getattr(node, name))
        setattr(node, name, keys if KEY in keys else [*keys, KEY])
    node.set_content(text)
    return NodeWithScore(node=node, score=score)


def encoder_of(embed_model: BaseEmbedding) -> GivenVectors:
    """An encoder for ``NoiseCorrector(encoder=...)`` of a LlamaIndex embedding model."""
    return GivenVectors(
        lambda texts: [embed_model.get_query_embedding(t) for t in texts],
        lambda texts: embed_model.get_text_embedding_batch(texts),
        f"llama-index:{embed_model.model_name}",
    )
