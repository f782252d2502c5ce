"""LangChain's own retrievers, pipelines and chains around the compressor."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
import threading
from datetime import date

import pytest
from embedding_samples import AS_OF, KEPT, KEPT_ZH, PAGES, PAGES_ZH, QUERY, QUERY_ZH, Counting, metadata_of

pytest.importorskip("langchain_core")
pytest.importorskip("langchain_classic")

from langchain_classic.retrievers import ContextualCompressionRetriever  # noqa: E402
from langchain_classic.retrievers.document_compressors import DocumentCompressorPipeline  # noqa: E402
from langchain_core.callbacks import BaseCallbackHandler, CallbackManager  # noqa: E402
from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document  # noqa: E402
from langchain_core.embeddings import Embeddings  # noqa: E402
from langchain_core.language_models import FakeListChatModel  # noqa: E402
from langchain_core.output_parsers import StrOutputParser  # noqa: E402
from langchain_core.prompts import ChatPromptTemplate  # noqa: E402
from langchain_core.retrievers import BaseRetriever  # noqa: E402
from langchain_core.runnables import RunnableLambda, RunnablePassthrough  # noqa: E402
from langchain_core.vectorstores import InMemoryVectorStore  # noqa: E402
from pydantic import ValidationError  # noqa: E402

from ragclean import CorrectorConfig, NoiseCorrector  # noqa: E402
from ragclean.integrations.langchain import RagcleanCompressor, RememberedEmbeddings, encoder_of  # noqa: E402

pytestmark = pytest.mark.slow


class Model(Embeddings):
    """The counting embedding as one of LangChain's."""

    def __init__(self):
        self.count = Counting()

    def embed_documents(self, texts):
        return self.count.embed_passages(texts)

    def embed_query(self, text):
        return self.count.embed_queries([text])[0]


class Fixed(BaseRetriever):
    """A retriever that always finds the same."""

    found: list[Document]

    def _get_relevant_documents(self, query, *, run_manager):
        return self.found


@pytest.fixture
def documents():
    return [Document(page_content=p[3], id=p[0], metadata=metadata_of(p)) for p in PAGES]


@pytest.fixture
def compressor(corrector):
    return RagcleanCompressor(corrector=corrector, as_of=AS_OF)


@pytest.fixture
def retriever(compressor, documents):
    return ContextualCompressionRetriever(base_compressor=compressor, base_retriever=Fixed(found=documents))


# ---------------------------------------------------------------- inside LangChain


def test_it_drops_into_the_compression_retriever(retriever):
    found = retriever.invoke(QUERY)
    assert found[0].page_content == KEPT
    assert not [d for d in found if "600" in d.page_content or "coffee" in d.page_content]


def test_async_gives_the_same_and_leaves_the_event_loop_free(retriever):
    async def run():
        return (await retriever.ainvoke(QUERY)), (await asyncio.gather(*(retriever.ainvoke(QUERY) for _ in range(4))))

    one, many = asyncio.run(run())
    assert one == retriever.invoke(QUERY)
    assert all(m == one for m in many)


def test_async_work_is_done_on_another_thread(documents, corrector):
    seen = []
    compressor = RagcleanCompressor(corrector=corrector, on_result=lambda _: seen.append(threading.get_ident()))
    asyncio.run(compressor.acompress_documents(documents, QUERY))
    assert seen != [threading.get_ident()]


def test_chinese(compressor):
    documents = [Document(page_content=p[3], metadata=metadata_of(p)) for p in PAGES_ZH]
    (found, *_) = compressor.compress_documents(documents, QUERY_ZH)
    assert found.page_content == KEPT_ZH
    assert found.metadata["title"] == "文档"


def test_in_a_chain(retriever):
    def joined(documents):
        return "\n\n".join(d.page_content for d in documents)

    prompts = []

    def note(prompt):
        prompts.append(prompt.to_string())
        return prompt

    chain = (
        {"context": retriever | joined, "question": RunnablePassthrough()}
        | ChatPromptTemplate.from_template("{context}\n\nQuestion: {question}")
        | RunnableLambda(note)
        | FakeListChatModel(responses=["1,200", "1,200"])
        | StrOutputParser()
    )
    assert chain.invoke(QUERY) == "1,200"
    assert asyncio.run(chain.ainvoke(QUERY)) == "1,200"
    assert all(KEPT in p and "600" not in p for p in prompts)


def test_as_a_step_of_its_own(compressor, documents):
    step = RunnableLambda(lambda asked: compressor.compress_documents(asked["documents"], asked["query"]))
    assert step.invoke({"documents": documents, "query": QUERY})[0].page_content == KEPT


def test_in_a_pipeline_of_compressors(compressor, documents):
    class Upper(BaseDocumentTransformer):
        def transform_documents(self, documents, **kwargs):
            return [Document(page_content=d.page_content.upper(), metadata=d.metadata, id=d.id) for d in documents]

    class First(BaseDocumentCompressor):
        def compress_documents(self, documents, query, callbacks=None):
            return documents[:3]

    pipeline = DocumentCompressorPipeline(transformers=[First(), compressor, Upper()])
    found = pipeline.compress_documents(documents, QUERY)
    assert found[0].page_content == KEPT.upper()
    assert {d.id for d in found} <= {"docs", "old docs", "forum"}
    assert asyncio.run(pipeline.acompress_documents(documents, QUERY)) == found


def test_callbacks_of_any_form_are_accepted(compressor, documents, retriever):
    class Handler(BaseCallbackHandler):
        ended = 0

        def on_retriever_end(self, documents, **kwargs):
            self.ended += 1

    handler = Handler()
    plain = compressor.compress_documents(documents, QUERY)
    for callbacks in (None, [], [handler], CallbackManager(handlers=[handler])):
        assert compressor.compress_documents(documents, QUERY, callbacks=callbacks) == plain
        assert asyncio.run(compressor.acompress_documents(documents, QUERY, callbacks)) == plain
    retriever.invoke(QUERY, config={"callbacks": [handler]})
    assert handler.ended == 2, "the retriever's own and the one inside"


# ---------------------------------------------------------------- the documents


def test_id_and_metadata_are_as_they_were_beside_the_notes(compressor):
    marker = object()
    metadata = {"b": [1, {"c": (2, 3)}], "a": "é\u0000", "source": "s3://bucket/page.md", "n": float("inf"), "o": marker}
    given = Document(page_content=KEPT, id="7", metadata=metadata)
    (found,) = compressor.compress_documents([given], QUERY)
    assert found.id == "7"
    assert list(found.metadata) == [*metadata, "ragclean"]
    assert all(found.metadata[k] is v for k, v in metadata.items())
    assert found.metadata["ragclean"]["source"] == "s3://bucket/page.md"
    assert "ragclean" not in given.metadata


def test_order_is_the_contexts_and_spans_point_into_the_page(documents, corrector):
    results = []
    compressor = RagcleanCompressor(corrector=corrector, as_of=AS_OF, on_result=results.append)
    found = compressor.compress_documents(list(reversed(documents)), QUERY)
    assert [d.id for d in found] == [c.id for c in results[0].chunks]
    assert [d.page_content for d in found] == [c.text for c in results[0].chunks]
    pages = {d.id: d.page_content for d in documents}
    for document in found:
        pieces = [pages[document.id][start:end] for start, end in document.metadata["ragclean"]["spans"]]
        assert "".join("".join(pieces).split()) == "".join(document.page_content.split())


def test_warnings_and_conflicts_land_in_the_metadata(compressor, documents):
    documents[0].metadata["source_weight"] = "high"
    found = {d.id: d.metadata["ragclean"] for d in compressor.compress_documents(documents, QUERY)}
    assert any("source_weight" in w for w in found["docs"]["warnings"])
    assert not any("source_weight" in w for name, n in found.items() if name != "docs" for w in n["warnings"])
    assert any("1,200" in c for c in found["docs"]["conflicts"])
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("ids", [[None] * 5, ["same"] * 5])
def test_documents_without_ids_or_with_the_same_one(compressor, documents, ids):
    given = [Document(page_content=d.page_content, id=i, metadata=d.metadata) for d, i in zip(documents, ids, strict=True)]
    found = compressor.compress_documents(given, QUERY)
    assert found[0].page_content == KEPT
    assert {d.id for d in found} == {ids[0]}
    assert len({d.metadata["title"] for d in found}) == len(found)


def test_empty_documents_and_none_at_all(compressor, documents):
    found = compressor.compress_documents([Document(page_content=""), Document(page_content=" \n"), *documents], QUERY)
    assert found[0].page_content == KEPT
    assert compressor.compress_documents([], QUERY) == []
    assert compressor.compress_documents([Document(page_content="")], QUERY) == []


def test_observing_changes_nothing(documents):
    observer = RagcleanCompressor(corrector=NoiseCorrector(config=CorrectorConfig(mode="observe")))
    assert observer.compress_documents(documents, QUERY) == documents


# ---------------------------------------------------------------- options, copies


def test_options(corrector, documents):
    few = RagcleanCompressor(corrector=corrector, top_k=1, as_of=date(2025, 6, 1), max_tokens=40)
    (found,) = few.compress_documents(documents, QUERY)
    assert found.metadata["ragclean"]["as_of"] == "2025-06-01"
    early = RagcleanCompressor(corrector=corrector, as_of="2024-01-01").compress_documents(documents, QUERY)
    assert early[0].metadata["ragclean"]["as_of"] == "2024-01-01"


@pytest.mark.parametrize("wrong", [{"top_k": 0}, {"topk": 3}, {"max_tokens": 0}, {"corrector": "default"}, {"on_result": 3}])
def test_a_wrong_option_is_refused_by_name(wrong):
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        RagcleanCompressor(**wrong)


def test_copies_and_pickles_work_alike(documents):
    compressor = RagcleanCompressor(
        corrector=NoiseCorrector(config=CorrectorConfig(protection="graded"), encoder=encoder_of(Model(), "pickled")),
        top_k=3, as_of=AS_OF,
    )  # fmt: skip
    expected = compressor.compress_documents(documents, QUERY)
    for other in (
        compressor.model_copy(), compressor.model_copy(deep=True), copy.deepcopy(compressor),
        pickle.loads(pickle.dumps(compressor)),
    ):  # fmt: skip
        assert other.corrector.fingerprint == compressor.corrector.fingerprint
        assert other.compress_documents(documents, QUERY) == expected


# ---------------------------------------------------------------- no embedding twice


def test_no_text_is_embedded_twice_between_index_retriever_and_compressor(documents):
    model = Model()
    shared = RememberedEmbeddings(model)
    corrector = NoiseCorrector(encoder=encoder_of(shared, "counted"))
    profile = model.count.passages.total() + model.count.queries.total()
    assert 150 < profile < 400, "what measuring the profile costs, once"
    model.count.clear()
    store = InMemoryVectorStore(shared)
    store.add_documents(documents)
    retriever = ContextualCompressionRetriever(
        base_compressor=RagcleanCompressor(corrector=corrector, as_of=AS_OF),
        base_retriever=store.as_retriever(search_kwargs={"k": 5}),
    )
    assert retriever.invoke(QUERY)[0].page_content == KEPT
    once = dict(model.count.passages)
    assert dict(model.count.queries) == {QUERY: 1}
    assert {p[3]: 1 for p in PAGES}.items() <= once.items()
    assert set(once.values()) == {1}
    beside = set(once) - {p[3] for p in PAGES}
    assert all(any(sentence in p[3] for p in PAGES) for sentence in beside), "best sentences of longer documents"
    retriever.invoke(QUERY)
    asyncio.run(retriever.ainvoke(QUERY))
    assert dict(model.count.passages) == once
    assert dict(model.count.queries) == {QUERY: 1}


def test_a_store_that_tells_its_vectors_needs_no_embedding_of_documents(documents):
    """As after a restart: the index is there, the memory of what was embedded is not."""
    model = Model()
    store = InMemoryVectorStore(model)
    store.add_documents(documents)
    shared = RememberedEmbeddings(model)
    store.embedding = shared
    corrector = NoiseCorrector(encoder=encoder_of(shared, "restarted", sentences=False))
    model.count.clear()
    compressor = RagcleanCompressor(corrector=corrector, vector_of=lambda d: store.store[d.id]["vector"])
    retriever = ContextualCompressionRetriever(base_compressor=compressor, base_retriever=store.as_retriever())
    assert retriever.invoke(QUERY)[0].page_content == KEPT
    assert dict(model.count.queries) == {QUERY: 1}
    assert not model.count.passages


def test_vectors_in_the_metadata_are_taken(documents):
    model = Model()
    encoder = encoder_of(model, "in metadata", sentences=False)
    compressor = RagcleanCompressor(corrector=NoiseCorrector(encoder=encoder))
    model.count.clear()
    for document in documents:
        document.metadata["embedding"] = model.count.vector(document.page_content)
    assert compressor.compress_documents(documents, QUERY)[0].page_content == KEPT
    assert not model.count.passages


def test_remembered_embeddings_are_the_models_own():
    model = Model()
    remembered = RememberedEmbeddings(model)
    texts = ["one", "two", "one"]
    for _ in range(2):
        assert remembered.embed_documents(texts) == model.count.embed_passages(texts)
        assert remembered.embed_query("one") == model.embed_query("one")
    assert remembered.embed_documents([]) == []
    first = remembered.embed_query("one")
    first[0] = 99.0
    assert remembered.embed_query("one") == model.embed_query("one"), "a caller's change does not get in"
    assert asyncio.run(remembered.aembed_documents(["two"])) == [model.count.vector("two")]
    assert pickle.loads(pickle.dumps(remembered)).embed_query("one") == model.embed_query("one")


def test_remembered_embeddings_forget_the_oldest():
    model = Model()
    remembered = RememberedEmbeddings(model, kept=2)
    for text in ("one", "two", "three", "three", "two", "one"):
        remembered.embed_query(text)
    assert model.count.queries == {"one": 2, "two": 1, "three": 1}
