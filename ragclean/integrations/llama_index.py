"""LlamaIndex: a node postprocessor for query engines and retrievers (extra ``llama-index``)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

try:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import ConfigDict, Field
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, QueryBundle
except ImportError as error:  # pragma: no cover - without the extra there is nothing to test
    needed = 'the LlamaIndex integration needs llama-index-core: pip install "ragclean[llama-index]"'
    raise ImportError(needed) from error

from ragclean.corrector import NoiseCorrector
from ragclean.integrations.documents import KEY, Cleaned, Form, clean
from ragclean.integrations.vectors import GivenVectors
from ragclean.integrations.written import NAMED, read_corrector, write_corrector
from ragclean.signals.profile import Profile

__all__ = ["RagcleanPostprocessor", "encoder_of"]

_MEDIA = ("image_resource", "audio_resource", "video_resource")


def _text(node: Any) -> str:
    text: str = node.get_content(metadata_mode=MetadataMode.NONE)
    return text


def _read(given: NodeWithScore) -> dict[str, Any]:
    node = given.node
    return {
        "text": _text(node), "id": node.node_id, "metadata": node.metadata, "score": given.score,
        "embedding": node.embedding,
    }  # fmt: skip


def _write(given: NodeWithScore, cleaned: Cleaned) -> NodeWithScore:
    """A copy: the node may be one of a document store's."""
    node = given.node.model_copy(deep=False)
    node.metadata = {**node.metadata, KEY: cleaned.notes}
    for name in ("excluded_llm_metadata_keys", "excluded_embed_metadata_keys"):
        keys = list(getattr(node, name))
        setattr(node, name, keys if KEY in keys else [*keys, KEY])
    node.set_content(cleaned.text)
    return NodeWithScore(node=node, score=cleaned.score)


def _textless(given: NodeWithScore) -> bool:
    node = given.node
    media = isinstance(node, ImageNode) or any(getattr(node, name, None) is not None for name in _MEDIA)
    return media and not (_text(node) or "").strip()


_FORM: Form[NodeWithScore] = Form(_read, _write, _textless)


class RagcleanPostprocessor(BaseNodePostprocessor):
    """Drops noise, settles contradictions and shortens what is left, between retriever and response synthesis.

    Nodes come back in the order of the context, as copies with the kept text, the fused relevance as score, and, under
    ``metadata["ragclean"]``, signals, offsets, flags, conflicts and warnings (kept out of prompts and embeddings).
    Images and sounds without text come back as they are, after the others. Vectors that nodes and query bring along are
    used where the corrector's encoder is that of :func:`encoder_of`.

    Args:
        corrector: left out, one with the defaults.
        top_k, as_of, max_tokens: as for ``refine``.
        on_result: called with each ``RefinedContext``, for logs and traces.
        vector_of: called with each ``NodeWithScore`` whose node carries no vector; its stored one, or None. The nodes
            that a ``VectorStoreIndex`` retrieves carry none: ``lambda n: index.vector_store.get(n.node.node_id)``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    corrector: Any = Field(default_factory=NoiseCorrector, exclude=True)
    top_k: int = Field(default=8, ge=1)
    as_of: str | date | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    on_result: Callable[[Any], Any] | None = Field(default=None, exclude=True)
    vector_of: Callable[[Any], Any] | None = Field(default=None, exclude=True)

    @classmethod
    def class_name(cls) -> str:
        """As LlamaIndex stores it."""
        return "RagcleanPostprocessor"

    def to_dict(self, **kwargs: Any) -> dict[str, Any]:
        """Plain data, with configuration and named parts of the corrector; ``on_result`` and ``vector_of`` are not in.

        Raises:
            ValueError: the corrector has a part that no name stands for.
        """
        data: dict[str, Any] = super().to_dict(**kwargs)
        as_of = self.as_of.isoformat() if isinstance(self.as_of, date) else self.as_of
        return {**data, "as_of": as_of, **write_corrector(self.corrector)}

    @classmethod
    def from_dict(cls, data: dict[str, Any], **kwargs: Any) -> RagcleanPostprocessor:
        """Read what :meth:`to_dict` wrote; ``kwargs`` (``on_result`` ...) over it."""
        rest = {name: value for name, value in {**data, **kwargs}.items() if name != "class_name"}
        parts = {name: rest.pop(name) for name in ("config", *NAMED) if name in rest}
        if "corrector" not in rest:
            rest["corrector"] = read_corrector(parts)
        return cls(**rest)

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None:
            raise ValueError("query_bundle: there is no query to clean for")
        options = {"top_k": self.top_k, "as_of": self.as_of, "max_tokens": self.max_tokens}
        kept, _ = clean(
            self.corrector, _FORM, query_bundle.query_str, nodes, options, query_vector=query_bundle.embedding,
            vector_of=self.vector_of, on_result=self.on_result,
        )  # fmt: skip
        return kept

    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._postprocess_nodes, nodes, query_bundle)


def encoder_of(
    embed_model: BaseEmbedding, name: str | None = None, *, profile: Profile | str | Path | None = None,
    sentences: bool = True,
) -> GivenVectors:  # fmt: skip
    """An encoder for ``NoiseCorrector(encoder=...)`` of a LlamaIndex embedding model.

    Args:
        name: of the embedding model; None: its class and its ``model_name``, which some models leave ``unknown``.
        profile, sentences: as for :class:`~ragclean.integrations.vectors.GivenVectors`.
    """
    named = name or f"{type(embed_model).__name__}:{embed_model.model_name}"
    return GivenVectors(
        partial(_queries, embed_model), partial(_passages, embed_model), f"llama-index:{named}",
        profile=profile, sentences=sentences,
    )  # fmt: skip


# Functions of the module, since a model's own methods are wrapped in what cannot be pickled.
def _queries(embed_model: BaseEmbedding, texts: list[str]) -> list[list[float]]:
    return [embed_model.get_query_embedding(t) for t in texts]


def _passages(embed_model: BaseEmbedding, texts: list[str]) -> list[list[float]]:
    found: list[list[float]] = embed_model.get_text_embedding_batch(texts)
    return found
