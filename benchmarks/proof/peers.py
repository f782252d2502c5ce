"""What other projects' compressors leave of the same passages, with the same encoder.

    python -m pip install -r benchmarks/proof/peers.txt
    python -m pip install --no-deps ragcompress==0.1.0     # without its models, which it is not asked to use

Each is set up as its own documentation shows it, with two concessions where it would otherwise fail on Chinese: the
text splitter and the sentence optimiser are given the Chinese stops. All aim at about half of the text, as their users
set them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from plain_scores import Index, words

from proof.arms import Arm, passages_of
from ragclean.evaluation.cleaning import TOP, Cleaner, VectorRerank
from ragclean.signals.base import SemanticEncoder
from ragclean.signals.loading import load_encoder
from ragclean.text.folding import fold, language
from ragclean.tokencount import estimate_tokens
from ragclean.types import Chunk

#: A sentence ends here, for peers that know ASCII stops only.
_STOP = re.compile(r"(?<=[。！？!?；;\n])|(?<=\. )")
#: Characters of a piece and share of the text that is kept.
_PIECE, _SHARE = 120, 0.5


def langchain(encoder: SemanticEncoder) -> Cleaner:
    """Split, drop what is redundant, keep the most similar half, put the best at both ends: the how-to's pipeline."""
    from langchain_classic.retrievers.document_compressors import DocumentCompressorPipeline, EmbeddingsFilter
    from langchain_community.document_transformers import EmbeddingsRedundantFilter, LongContextReorder
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Same(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return encoder.encode_passages(texts).tolist()  # type: ignore[no-any-return]

        def embed_query(self, text: str) -> list[float]:
            return encoder.encode_queries([text])[0].tolist()  # type: ignore[no-any-return]

    split = RecursiveCharacterTextSplitter(
        chunk_size=_PIECE, chunk_overlap=0, separators=["\n\n", "\n", "。", ". ", " ", ""], keep_separator="end"
    )

    def clean(query: str, passages: Sequence[Chunk]) -> list[Chunk]:
        pieces = max(4, round(sum(len(p.text) for p in passages) * _SHARE / _PIECE))
        pipeline = DocumentCompressorPipeline(
            transformers=[split, EmbeddingsRedundantFilter(embeddings=Same()),
                          EmbeddingsFilter(embeddings=Same(), k=pieces), LongContextReorder()]
        )  # fmt: skip
        given = [Document(page_content=p.text, metadata={"id": p.id}) for p in passages]
        left = pipeline.compress_documents(given, query)
        return _as_passages(passages, [(d.metadata["id"], d.page_content) for d in left])

    return clean


def llama_index(encoder: SemanticEncoder, top_k: int = TOP) -> Cleaner:
    """Similarity top-k, the better half of the sentences, the best passages at both ends."""
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.postprocessor import LongContextReorder, SentenceEmbeddingOptimizer
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

    class Same(BaseEmbedding):
        def _get_query_embedding(self, query: str) -> list[float]:
            return encoder.encode_queries([query])[0].tolist()  # type: ignore[no-any-return]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return encoder.encode_passages(texts).tolist()  # type: ignore[no-any-return]

    rerank = VectorRerank(top_k, encoder)
    optimiser = SentenceEmbeddingOptimizer(embed_model=Same(), percentile_cutoff=_SHARE, tokenizer_fn=sentences)

    def clean(query: str, passages: Sequence[Chunk]) -> list[Chunk]:
        nodes = [NodeWithScore(node=TextNode(text=p.text, id_=p.id), score=1.0 - i / 100)
                 for i, p in enumerate(rerank(query, passages))]  # fmt: skip
        asked = QueryBundle(query)
        left = optimiser.postprocess_nodes(nodes, query_bundle=asked)
        left = LongContextReorder().postprocess_nodes(left, query_bundle=asked)
        return _as_passages(passages, [(n.node.node_id, n.node.get_content()) for n in left])

    return clean


def bm25_sentences(_: SemanticEncoder | None = None) -> Cleaner:
    """Half of the sentences, by BM25 over jieba's words, in text order: what a script of one's own does."""

    def clean(query: str, passages: Sequence[Chunk]) -> list[Chunk]:
        found = [(p.id, s) for p in passages for s in sentences(p.text)]
        lang = language(fold(query))
        index = Index([s for _, s in found], lang)
        scores = index.bm25(words(query, lang), [words(s, lang) for _, s in found])
        best = sorted(range(len(found)), key=lambda i: -scores[i])[: math.ceil(len(found) * _SHARE)]
        return _as_passages(passages, [found[i] for i in sorted(best)], merge=True)

    return clean


def ragcompress(encoder: SemanticEncoder) -> Cleaner:
    """Sentences by likeness within a budget of half the tokens; its own splitter, which knows ASCII stops only."""
    from ragcompress import Chunk as Given
    from ragcompress import Compressor, FixedBudget
    from ragcompress.scoring import BaseScorer
    from ragcompress.types import ScoredSentence

    class Likeness(BaseScorer):
        def score(
            self, query: str, sentences: list[ScoredSentence], context: list[ScoredSentence]
        ) -> list[ScoredSentence]:
            near = encoder.encode_passages([s.text for s in sentences]) @ encoder.encode_queries([query])[0]
            return [replace(s, score=float(n)) for s, n in zip(sentences, near, strict=True)]

        def embed(self, texts: list[str]) -> Any:
            return encoder.encode_passages(texts)

    scorer = Likeness()

    def clean(query: str, passages: Sequence[Chunk]) -> list[Chunk]:
        budget = FixedBudget(max_tokens=max(1, round(sum(estimate_tokens(p.text) for p in passages) * _SHARE)))
        compressor = Compressor(scorer=scorer, budget=budget, token_counter=estimate_tokens)
        kept = compressor.compress(query, [Given(p.id, p.id, p.text) for p in passages])
        return _as_passages(passages, [(s.source_chunk_id, s.text) for s in kept.sentences], merge=True)

    return clean


def sentences(text: str) -> list[str]:
    return [s for s in _STOP.split(text) if s.strip()]


def _as_passages(passages: Sequence[Chunk], left: Sequence[tuple[str, str]], merge: bool = False) -> list[Chunk]:
    """Pieces under the metadata of the passage they come from; ``merge`` puts those of one passage together."""
    of = {p.id: p for p in passages}
    if merge:
        joined: dict[str, str] = {}
        for name, text in left:
            joined[name] = joined.get(name, "") + text
        left = list(joined.items())
    return [replace(of[name], text=text) for name, text in left]


#: By the name that tables give them.
PEERS: Mapping[str, Callable[[Any], Cleaner]] = {
    "LangChain pipeline": langchain, "LlamaIndex optimiser": llama_index, "ragcompress": ragcompress,
    "BM25 sentences": bm25_sentences,
}  # fmt: skip
#: Packages that a peer needs.
NEEDS: Mapping[str, Sequence[str]] = {
    "LangChain pipeline": ("langchain_classic", "langchain_community", "langchain_text_splitters"),
    "LlamaIndex optimiser": ("llama_index",), "ragcompress": ("ragcompress",),
}  # fmt: skip


def peer_arms(encoder: str | None = None) -> Mapping[str, Arm]:
    """Raises ``ImportError`` where ``peers.txt`` is not installed."""
    return {name: _arm(make(load_encoder(encoder))) for name, make in PEERS.items()}


def _arm(clean: Cleaner) -> Arm:
    return lambda case: clean(case.query, passages_of(case))
