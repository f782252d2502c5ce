"""Haystack's own pipelines, stores and YAML around the component."""

from __future__ import annotations

import asyncio
import inspect
import json
from dataclasses import replace
from datetime import date

import pytest
from embedding_samples import AS_OF, KEPT, KEPT_ZH, PAGES, PAGES_ZH, QUERY, QUERY_ZH, Counting, metadata_of

pytest.importorskip("haystack")

import haystack  # noqa: E402
from haystack import Document, Pipeline, component  # noqa: E402
from haystack.components.builders import PromptBuilder  # noqa: E402
from haystack.components.retrievers.in_memory import (  # noqa: E402
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
)
from haystack.dataclasses import ByteStream  # noqa: E402
from haystack.document_stores.in_memory import InMemoryDocumentStore  # noqa: E402

from ragclean import CorrectorConfig, NoiseCorrector  # noqa: E402
from ragclean.integrations.haystack import RagcleanRanker, encoder_of  # noqa: E402

pytestmark = pytest.mark.slow

TEMPLATE = "{% for d in documents %}{{ d.content }}\n{% endfor %}Question: {{ query }}"
#: Haystack 3 reads classes of named modules only; before it, there was nothing to name.
TRUSTED = {"allowed_modules": ["ragclean.*"]} if "allowed_modules" in inspect.signature(Pipeline.loads).parameters else {}
#: Haystack 2 runs a pipeline asynchronously in a class of its own.
AsyncPipeline = getattr(haystack, "AsyncPipeline", Pipeline)


@component
class QueryEmbedder:
    """The counting embedding as one of Haystack's text embedders."""

    def __init__(self, count: Counting) -> None:
        self.count = count

    @component.output_types(embedding=list[float])
    def run(self, text: str):
        return {"embedding": self.count.embed_queries([text])[0]}


@pytest.fixture
def documents():
    return [Document(content=p[3], meta=metadata_of(p)) for p in PAGES]


@pytest.fixture
def store(documents):
    made = InMemoryDocumentStore()
    made.write_documents(documents)
    return made


@pytest.fixture
def ranker(corrector):
    return RagcleanRanker(corrector, as_of=AS_OF)


def bm25(store, ranker, kind=Pipeline):
    pipeline = kind()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component("cleaner", ranker)
    pipeline.add_component("prompt", PromptBuilder(TEMPLATE, required_variables=["documents", "query"]))
    pipeline.connect("retriever.documents", "cleaner.documents")
    pipeline.connect("cleaner.documents", "prompt.documents")
    return pipeline


ASKED = {name: {"query": QUERY} for name in ("retriever", "cleaner", "prompt")}
SHOWN = {"cleaner", "prompt"}


# ---------------------------------------------------------------- inside Haystack


def test_in_a_pipeline_the_prompt_holds_the_clean_context_alone(store, ranker):
    found = bm25(store, ranker).run(ASKED, include_outputs_from=SHOWN)
    prompt, cleaned = found["prompt"]["prompt"], found["cleaner"]
    assert KEPT in prompt
    for gone in ("600 requests", "300 requests", "coffee machine"):
        assert gone not in prompt
    assert cleaned["context"].startswith(KEPT)
    assert cleaned["documents"][0].content == KEPT
    assert json.loads(json.dumps(cleaned["trace"]))["conflicts"]
    assert all(isinstance(w, str) for w in cleaned["warnings"])


def test_async_pipelines_give_the_same(store, ranker):
    plain = bm25(store, ranker).run(ASKED, include_outputs_from=SHOWN)
    pipeline = bm25(store, RagcleanRanker(NoiseCorrector(), as_of=AS_OF), AsyncPipeline)

    async def run():
        return await asyncio.gather(*(pipeline.run_async(ASKED, include_outputs_from=SHOWN) for _ in range(3)))

    for found in asyncio.run(run()):
        assert found["prompt"] == plain["prompt"]
        assert found["cleaner"]["documents"] == plain["cleaner"]["documents"]


def test_chinese(ranker):
    given = [Document(content=p[3], meta=metadata_of(p)) for p in PAGES_ZH]
    found = ranker.run(QUERY_ZH, given)
    assert found["documents"][0].content == KEPT_ZH
    assert found["context"].startswith(KEPT_ZH)


def test_the_store_stays_as_it_was(store, ranker, documents):
    before = [d.to_dict() for d in store.filter_documents()]
    bm25(store, ranker).run(ASKED)
    assert [d.to_dict() for d in store.filter_documents()] == before


# ---------------------------------------------------------------- the documents


def test_documents_are_copies_under_their_id_with_their_meta(ranker, documents):
    given = [replace(d, score=0.5, embedding=[0.1, 0.2]) for d in documents]
    before = [d.to_dict(flatten=False) for d in given]
    found = ranker.run(QUERY, given)
    assert [d.to_dict(flatten=False) for d in given] == before
    by_id = {d.id: d for d in given}
    assert found["documents"][0].id == given[0].id
    for document in found["documents"]:
        original = by_id[document.id]
        assert document is not original
        assert {k: v for k, v in document.meta.items() if k != "ragclean"} == original.meta
        assert document.embedding == original.embedding
        notes = document.meta["ragclean"]
        assert (notes["score"], notes["retriever_score"]) == (round(document.score, 4), 0.5)
        pieces = "".join(original.content[start:end] for start, end in notes["spans"])
        assert "".join(pieces.split()) == "".join(document.content.split())
        assert Document.from_dict(json.loads(json.dumps(document.to_dict(flatten=False)))).meta == document.meta


def test_documents_under_the_same_id(ranker, documents):
    found = ranker.run(QUERY, [replace(d, id="page") for d in documents])["documents"]
    assert found[0].content == KEPT
    assert {d.id for d in found} == {"page"}
    assert len({d.meta["title"] for d in found}) == len(found)


def test_documents_without_text_are_said_and_media_come_back_as_they_are(corrector, documents):
    image = Document(blob=ByteStream(b"png", mime_type="image/png"))
    given = [image, Document(content=None, id="nothing"), Document(content="", id="blank"), *documents]
    found = RagcleanRanker(corrector, top_k=1).run(QUERY, given)
    assert [d.content for d in found["documents"]] == [KEPT, None]
    assert found["documents"][1] is image
    assert "bad_candidate: candidate 0: text: expected a string, got nothing" in found["warnings"]
    assert RagcleanRanker(corrector).run(QUERY, [])["documents"] == []


def test_options_at_construction_and_at_run_time(corrector, documents):
    few = RagcleanRanker(corrector, top_k=1, max_tokens=40, as_of=date(2025, 1, 2))
    found = few.run(QUERY, documents)
    assert len(found["documents"]) == 1
    assert found["trace"]["as_of"] == "2025-01-02"
    more = RagcleanRanker(NoiseCorrector(config=CorrectorConfig(arbitration=False, admission_threshold=0.0)), top_k=1)
    assert len(more.run(QUERY, documents, top_k=3)["documents"]) == 3
    with pytest.raises(ValueError, match="top_k"):
        few.run(QUERY, documents, top_k=0)
    with pytest.raises(ValueError, match="corrector: it has its own config, judge"):
        RagcleanRanker(corrector, config={}, judge="openai:gpt-4o-mini")


def test_observing_changes_nothing(documents):
    found = RagcleanRanker(config=CorrectorConfig(mode="observe").to_dict()).run(QUERY, documents)
    assert all(a is b for a, b in zip(found["documents"], documents, strict=True))


# ---------------------------------------------------------------- YAML


def test_a_pipeline_goes_to_yaml_and_back(store):
    config = CorrectorConfig(protection="graded", admission_threshold=0.3)
    pipeline = Pipeline()
    pipeline.add_component("cleaner", RagcleanRanker(config=config.to_dict(), top_k=3, as_of=date(2025, 6, 1)))
    text = pipeline.dumps()
    again = Pipeline.loads(text, **TRUSTED)
    assert again.dumps() == text
    cleaner = again.get_component("cleaner")
    assert (cleaner.top_k, cleaner.as_of) == (3, AS_OF)
    found = again.run({"cleaner": {"query": QUERY, "documents": store.filter_documents()}})["cleaner"]
    assert found["documents"][0].content == KEPT
    assert found["trace"]["fingerprint"] == NoiseCorrector(config=config).fingerprint
    assert again.dumps() == text, "running it changes nothing of what is written"


def test_a_corrector_is_written_with_its_configuration():
    config = CorrectorConfig(protection="graded")
    ranker = RagcleanRanker(NoiseCorrector(config=config), top_k=4)
    again = RagcleanRanker.from_dict(json.loads(json.dumps(ranker.to_dict())))
    again.warm_up()
    assert again.to_dict() == ranker.to_dict()
    assert again.run(QUERY, [Document(content=KEPT)])["trace"]["fingerprint"] == NoiseCorrector(config=config).fingerprint


def test_named_parts_are_written_by_name_and_not_loaded_for_it():
    ranker = RagcleanRanker(encoder="no/such-model", judge="openai:some-model")
    data = ranker.to_dict()["init_parameters"]
    assert (data["encoder"], data["judge"], data["config"]) == ("no/such-model", "openai:some-model", None)
    assert RagcleanRanker.from_dict(ranker.to_dict()).to_dict() == ranker.to_dict()


def test_what_is_left_to_the_defaults_is_left_to_those_of_the_reader():
    ranker = RagcleanRanker()
    ranker.run(QUERY, [Document(content=KEPT)])
    assert ranker.to_dict()["init_parameters"]["config"] is None


def test_a_corrector_with_an_object_for_a_part_is_not_written_as_another():
    count = Counting()
    ranker = RagcleanRanker(NoiseCorrector(encoder=encoder_of(count.embed_queries, count.embed_passages, "unwritten")))
    with pytest.raises(ValueError, match="encoder: a GivenVectors cannot be written"):
        ranker.to_dict()


@pytest.mark.skipif(not TRUSTED, reason="before Haystack 3 every module is read")
def test_without_naming_the_module_haystack_says_what_to_name():
    pipeline = Pipeline()
    pipeline.add_component("cleaner", RagcleanRanker())
    with pytest.raises(Exception, match="allowed_modules"):
        Pipeline.loads(pipeline.dumps())


def test_warm_up_makes_the_corrector_once():
    ranker = RagcleanRanker(config=CorrectorConfig(protection="graded").to_dict())
    ranker.warm_up()
    first = ranker._corrector
    ranker.warm_up()
    ranker.run(QUERY, [Document(content=KEPT)])
    assert ranker._corrector is first is not None
    with pytest.raises((TypeError, ValueError), match="nonsense"):
        RagcleanRanker(config={"nonsense": 1}).warm_up()


# ---------------------------------------------------------------- no embedding twice


def embedded(count, corrector, return_embedding=True):
    """Index, retriever by vectors, ranker: as an application with embeddings has them."""
    store = InMemoryDocumentStore()
    texts = [p[3] for p in PAGES]
    vectors = count.embed_passages(texts)
    store.write_documents(
        [Document(content=p[3], meta=metadata_of(p), embedding=v) for p, v in zip(PAGES, vectors, strict=True)]
    )
    pipeline = Pipeline()
    pipeline.add_component("embedder", QueryEmbedder(count))
    pipeline.add_component("retriever", InMemoryEmbeddingRetriever(store, top_k=5, return_embedding=return_embedding))
    pipeline.add_component("cleaner", RagcleanRanker(corrector, as_of=AS_OF))
    pipeline.connect("embedder.embedding", "retriever.query_embedding")
    pipeline.connect("embedder.embedding", "cleaner.query_embedding")
    pipeline.connect("retriever.documents", "cleaner.documents")
    return pipeline


def test_no_text_is_embedded_twice_between_index_retriever_and_ranker():
    count = Counting()
    corrector = NoiseCorrector(encoder=encoder_of(count.embed_queries, count.embed_passages, "counted"))
    assert 150 < count.passages.total() + count.queries.total() < 400, "what measuring the profile costs, once"
    count.clear()
    pipeline = embedded(count, corrector)
    found = pipeline.run({"embedder": {"text": QUERY}, "cleaner": {"query": QUERY}})["cleaner"]
    assert found["documents"][0].content == KEPT
    assert not [w for w in found["warnings"] if "embedding" in w or "encoder_failed" in w]
    assert dict(count.queries) == {QUERY: 1}
    assert set(count.passages.values()) == {1}
    beside = set(count.passages) - {p[3] for p in PAGES}
    assert all(any(sentence in p[3] for p in PAGES) for sentence in beside), "best sentences of longer documents"


def test_whole_documents_alone_cost_no_embedding_at_all():
    count = Counting()
    encoder = encoder_of(count.embed_queries, count.embed_passages, "whole", sentences=False)
    corrector = NoiseCorrector(encoder=encoder)
    count.clear()
    pipeline = embedded(count, corrector)
    pipeline.run({"embedder": {"text": QUERY}, "cleaner": {"query": QUERY}})
    assert dict(count.queries) == {QUERY: 1}
    assert dict(count.passages) == {p[3]: 1 for p in PAGES}


def test_without_return_embedding_documents_are_embedded_once_more_and_then_remembered():
    count = Counting()
    encoder = encoder_of(count.embed_queries, count.embed_passages, "not returned", sentences=False)
    pipeline = embedded(count, NoiseCorrector(encoder=encoder), return_embedding=False)
    count.clear()
    for _ in range(2):
        pipeline.run({"embedder": {"text": QUERY}, "cleaner": {"query": QUERY}})
    assert dict(count.passages) == {p[3]: 1 for p in PAGES}
