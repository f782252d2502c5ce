"""LlamaIndex: a query engine whose nodes are cleaned before the model reads them.

    pip install "ragclean[llama-index]"
    python examples/llama_index_postprocessor.py

Offline, without a key: the index is in memory, the embedding is the one that ships with ragclean, and LlamaIndex's mock
model answers with its prompt. Put yours in their places.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode

from ragclean import NoiseCorrector
from ragclean.integrations.llama_index import RagcleanPostprocessor, encoder_of
from ragclean.signals.loading import embedded_encoder

QUESTION = "How many API requests per minute does the Larkspur Team plan allow?"
DATA = Path(__file__).with_name("rate_limit.en.jsonl")


class OfflineEmbedding(BaseEmbedding):
    """Stands for your embedding model, and counts the texts that it is given."""

    texts: int = 0

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self.texts += len(texts)
        return embedded_encoder().encode_passages(texts).tolist()

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def node_of(line: str) -> TextNode:
    row: dict[str, Any] = json.loads(line)
    return TextNode(text=row.pop("text"), id_=row["id"], metadata=row)


def main() -> None:
    model = OfflineEmbedding(model_name="offline-example")
    corrector = NoiseCorrector(encoder=encoder_of(model))
    print(f"measuring the embedding model: {model.texts} short texts, once (save_profile avoids it)")

    model.texts = 0
    nodes = [node_of(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    index = VectorStoreIndex(nodes, embed_model=model)

    def stored(given: NodeWithScore) -> list[float]:
        """Nodes that an index retrieves carry no vector; its store does."""
        return index.vector_store.get(given.node.node_id)

    results: list[Any] = []
    cleaner = RagcleanPostprocessor(
        corrector=corrector, top_k=3, as_of="2025-06-01", vector_of=stored, on_result=results.append
    )
    retriever = index.as_retriever(similarity_top_k=len(nodes))
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM(), node_postprocessors=[cleaner])
    response = engine.query(QUESTION)

    print(f"\n{QUESTION}\nindexed and retrieved: {len(nodes)} nodes, {sum(len(n.text) for n in nodes)} characters")
    kept = response.source_nodes
    print(f"\nkept: {len(kept)} nodes, {sum(len(n.node.get_content()) for n in kept)} characters")
    for given in kept:
        notes = given.metadata["ragclean"]
        was = "none" if notes["retriever_score"] is None else f"{notes['retriever_score']:.2f}"
        print(f"   {given.metadata['title']}  score {given.score:.2f} (retriever's own {was}), spans {notes['spans']}")
        print("     ", given.node.get_content().replace("\n", " ")[:90])
        for conflict in notes["conflicts"]:
            print("      conflict:", conflict.splitlines()[0][:100])
    for gone in (d for d in results[0].dropped if d.start is None):
        print(f"   gone: {gone.chunk_id} ({gone.reason})")
    whole = len(nodes) + 1
    print(f"\ntexts embedded: {model.texts} ({len(nodes)} nodes, 1 question, {model.texts - whole} best sentences)")
    print("the model's prompt holds the old limit:", "600 requests" in response.response)


if __name__ == "__main__":
    main()
