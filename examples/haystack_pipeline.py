"""Haystack: a pipeline whose documents are cleaned between retriever and prompt.

    pip install "ragclean[haystack]"
    python examples/haystack_pipeline.py

Offline, without a key: the store is in memory and the embedding is the one that ships with ragclean. Put yours in their
places, and a generator after the prompt.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")  # an offline example sends nothing

from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder
from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.integrations.haystack import RagcleanRanker, encoder_of
from ragclean.signals.loading import embedded_encoder

QUESTION = "保修期内屏幕闪烁怎么办？"
DATA = Path(__file__).with_name("screen_flicker.zh.jsonl")
TEMPLATE = "{{ context }}\n\n{{ question }}"
TEXTS = {"embedded": 0}


def embed(texts: list[str]) -> list[list[float]]:
    """Stands for your embedding model, and counts the texts that it is given."""
    TEXTS["embedded"] += len(texts)
    return embedded_encoder().encode_passages(texts).tolist()


@component
class OfflineTextEmbedder:
    """Stands for your text embedder."""

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, Any]:
        return {"embedding": embed([text])[0]}


def filled_store() -> InMemoryDocumentStore:
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    vectors = embed([row["text"] for row in rows])
    store = InMemoryDocumentStore()
    documents = [
        Document(id=row["id"], content=row.pop("text"), meta=row, embedding=vector)
        for row, vector in zip(rows, vectors, strict=True)
    ]
    store.write_documents(documents)
    return store


def connected(store: InMemoryDocumentStore, cleaner: RagcleanRanker) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component("embedder", OfflineTextEmbedder())
    pipeline.add_component("retriever", InMemoryEmbeddingRetriever(store, top_k=10, return_embedding=True))
    pipeline.add_component("cleaner", cleaner)
    pipeline.add_component("prompt", PromptBuilder(TEMPLATE, required_variables=["context", "question"]))
    pipeline.connect("embedder.embedding", "retriever.query_embedding")
    pipeline.connect("embedder.embedding", "cleaner.query_embedding")  # so that the question is embedded once
    pipeline.connect("retriever.documents", "cleaner.documents")
    pipeline.connect("cleaner.context", "prompt.context")
    return pipeline


def main() -> None:
    corrector = NoiseCorrector(encoder=encoder_of(embed, embed, "offline-example"))
    print(f"measuring the embedding model: {TEXTS['embedded']} short texts, once (save_profile avoids it)")

    TEXTS["embedded"] = 0
    pipeline = connected(filled_store(), RagcleanRanker(corrector, top_k=3, as_of="2025-06-01"))
    asked = {"embedder": {"text": QUESTION}, "cleaner": {"query": QUESTION}, "prompt": {"question": QUESTION}}
    found = pipeline.run(asked, include_outputs_from={"retriever", "cleaner"})
    retrieved, cleaned = found["retriever"]["documents"], found["cleaner"]

    print(f"\n{QUESTION}\nretrieved: {len(retrieved)} documents, {sum(len(d.content) for d in retrieved)} characters")
    print(f"\nkept: {len(cleaned['documents'])} documents, {len(cleaned['context'])} characters")
    for document in cleaned["documents"]:
        notes = document.meta["ragclean"]
        print(f"   {document.meta['title']}  score {document.score:.2f}, spans {notes['spans'][:3]} ...")
        print("     ", document.content.replace("\n", " ")[:70])
    for gone in (d for d in cleaned["trace"]["dropped"] if d["start"] is None):
        print(f"   gone: {gone['chunk_id']} ({gone['reason']})")
    for warning in cleaned["warnings"]:
        print("   warning:", warning[:100])
    beside = TEXTS["embedded"] - len(retrieved) - 1
    print(f"\ntexts embedded: {TEXTS['embedded']} ({len(retrieved)} documents, 1 question, {beside} best sentences)")

    written = Pipeline()
    written.add_component("cleaner", RagcleanRanker(config=CorrectorConfig(protection="graded").to_dict(), top_k=3))
    read = Pipeline.loads(written.dumps(), allowed_modules=["ragclean.*"])
    cleaned = read.run({"cleaner": {"query": QUESTION, "documents": retrieved}})["cleaner"]
    print(f"from YAML, with graded protection: {len(cleaned['context'])} characters")


if __name__ == "__main__":
    main()
