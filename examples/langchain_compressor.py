"""LangChain: a retriever whose documents are cleaned before the model reads them.

    pip install "ragclean[langchain]" langchain-classic
    python examples/langchain_compressor.py

Offline, without a key: the store is in memory, the embedding is the one that ships with ragclean, and a fake model
answers. Put yours in their places.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore

from ragclean import NoiseCorrector
from ragclean.integrations.langchain import RagcleanCompressor, RememberedEmbeddings, encoder_of
from ragclean.signals.loading import embedded_encoder

QUESTION = "保修期内屏幕闪烁怎么办？"
DATA = Path(__file__).with_name("screen_flicker.zh.jsonl")


class OfflineEmbeddings(Embeddings):
    """Stands for your embedding model, and counts the texts that it is given."""

    texts = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.texts += len(texts)
        return embedded_encoder().encode_passages(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def document_of(line: str) -> Document:
    row: dict[str, Any] = json.loads(line)
    return Document(page_content=row.pop("text"), id=row["id"], metadata=row)


def joined(documents: list[Document]) -> str:
    return "\n\n".join(d.page_content for d in documents)


def main() -> None:
    model = OfflineEmbeddings()
    embeddings = RememberedEmbeddings(model)  # one memory for store, retriever and compressor
    corrector = NoiseCorrector(encoder=encoder_of(embeddings, "offline-example"))
    print(f"measuring the embedding model: {model.texts} short texts, once (save_profile avoids it)")

    model.texts = 0
    store = InMemoryVectorStore(embeddings)
    store.add_documents([document_of(line) for line in DATA.read_text(encoding="utf-8").splitlines()])
    base = store.as_retriever(search_kwargs={"k": 10})
    results: list[Any] = []
    compressor = RagcleanCompressor(corrector=corrector, top_k=3, as_of="2025-06-01", on_result=results.append)
    retriever = ContextualCompressionRetriever(base_compressor=compressor, base_retriever=base)

    found, kept = base.invoke(QUESTION), retriever.invoke(QUESTION)
    print(f"\n{QUESTION}\nretrieved: {len(found)} documents, {len(joined(found))} characters")
    for document in found:
        print("  ", document.metadata["title"])
    print(f"\nkept: {len(kept)} documents, {len(joined(kept))} characters")
    for document in kept:
        notes = document.metadata["ragclean"]
        print(f"   {document.metadata['title']}  score {notes['score']:.2f}, spans {notes['spans'][:3]} ...")
        print("     ", document.page_content.replace("\n", " ")[:70])
    for gone in (d for d in results[0].dropped if d.start is None):
        print(f"   gone: {gone.chunk_id} ({gone.reason})")
    beside = model.texts - len(found) - 1
    print(f"\ntexts embedded: {model.texts} ({len(found)} documents, 1 question, {beside} best sentences)")

    chain = (
        {"context": retriever | joined, "question": RunnablePassthrough()}
        | ChatPromptTemplate.from_template("{context}\n\n{question}")
        | FakeListChatModel(responses=["凭购买凭证和产品序列号免费检测维修。"])
        | StrOutputParser()
    )
    print("a chain answers:", chain.invoke(QUESTION))


if __name__ == "__main__":
    main()
