"""LlamaIndex's own query engines, indexes and nodes around the postprocessor."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
import threading

import pytest
from embedding_samples import AS_OF, KEPT, KEPT_ZH, PAGES, PAGES_ZH, QUERY, QUERY_ZH, Counting, metadata_of

pytest.importorskip("llama_index.core")

from llama_index.core import VectorStoreIndex  # noqa: E402
from llama_index.core.embeddings import BaseEmbedding  # noqa: E402
from llama_index.core.llms import MockLLM  # noqa: E402
from llama_index.core.query_engine import RetrieverQueryEngine  # noqa: E402
from llama_index.core.schema import (  # noqa: E402
    Document,
    ImageNode,
    IndexNode,
    MediaResource,
    MetadataMode,
    Node,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.storage.kvstore import SimpleKVStore  # noqa: E402
from pydantic import PrivateAttr, ValidationError  # noqa: E402

from ragclean import CorrectorConfig, NoiseCorrector  # noqa: E402
from ragclean.integrations.llama_index import RagcleanPostprocessor, encoder_of  # noqa: E402

pytestmark = pytest.mark.slow


class Model(BaseEmbedding):
    """The counting embedding as one of LlamaIndex's."""

    _count: Counting = PrivateAttr(default_factory=Counting)

    def _get_query_embedding(self, query):
        return self._count.embed_queries([query])[0]

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text):
        return self._count.embed_passages([text])[0]

    def _get_text_embeddings(self, texts):
        return self._count.embed_passages(texts)


def made_nodes(pages=PAGES):
    """Nodes whose embedding is that of their text alone, as far as the index is concerned."""
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="handbook")}
    return [
        TextNode(
            text=p[3], id_=p[0], metadata=metadata_of(p), relationships=source, start_char_idx=5,
            excluded_embed_metadata_keys=list(metadata_of(p)),
        )
        for p in pages
    ]  # fmt: skip


@pytest.fixture
def nodes():
    return [NodeWithScore(node=node, score=0.9 - 0.1 * i) for i, node in enumerate(made_nodes())]


@pytest.fixture
def postprocessor(corrector):
    return RagcleanPostprocessor(corrector=corrector, as_of=AS_OF)


def engine_of(model, postprocessor, **retriever):
    index = VectorStoreIndex(made_nodes(), embed_model=model)
    found = RetrieverQueryEngine.from_args(
        index.as_retriever(similarity_top_k=5, **retriever), llm=MockLLM(), node_postprocessors=[postprocessor]
    )
    return index, found


# ---------------------------------------------------------------- inside LlamaIndex


def test_in_a_query_engine_the_prompt_holds_the_clean_context_alone(postprocessor):
    _, engine = engine_of(Model(), postprocessor)
    answer = engine.query(QUERY)
    assert KEPT in answer.response, "the mock model answers with its prompt"
    for gone in ("600 requests", "300 requests", "coffee machine", "Thanks for building", "ragclean", "spans"):
        assert gone not in answer.response
    assert answer.source_nodes[0].node.node_id == "docs"
    assert answer.source_nodes[0].metadata["ragclean"]["conflicts"]


def test_async_gives_the_same_on_another_thread(corrector):
    threads = []
    noting = RagcleanPostprocessor(
        corrector=corrector, as_of=AS_OF, on_result=lambda _: threads.append(threading.get_ident())
    )
    _, engine = engine_of(Model(), noting)
    plain = engine.query(QUERY)

    async def run():
        return await asyncio.gather(*(engine.aquery(QUERY) for _ in range(3)))

    for answer in asyncio.run(run()):
        assert answer.response == plain.response
    assert threads[0] == threading.get_ident()
    assert threading.get_ident() not in threads[1:]


def test_the_index_and_its_document_store_stay_as_they_were(postprocessor):
    index, engine = engine_of(Model(), postprocessor)
    before = {i: node.to_dict() for i, node in index.docstore.docs.items()}
    engine.query(QUERY)
    assert {i: node.to_dict() for i, node in index.docstore.docs.items()} == before
    assert all("ragclean" not in node.metadata for node in index.docstore.docs.values())


def test_chinese(postprocessor):
    given = [NodeWithScore(node=node) for node in made_nodes(PAGES_ZH)]
    found = postprocessor.postprocess_nodes(given, query_str=QUERY_ZH)
    assert found[0].node.get_content() == KEPT_ZH


def test_a_query_is_needed(postprocessor, nodes):
    with pytest.raises(ValueError, match="query_bundle"):
        postprocessor.postprocess_nodes(nodes)
    with pytest.raises(ValueError, match="query_bundle"):
        asyncio.run(postprocessor.apostprocess_nodes(nodes))


# ---------------------------------------------------------------- the nodes


def test_nodes_are_copies_that_keep_id_metadata_and_relationships(postprocessor, nodes):
    before = [n.model_dump() for n in nodes]
    found = postprocessor.postprocess_nodes(nodes, query_str=QUERY)
    assert [n.model_dump() for n in nodes] == before
    by_id = {n.node.node_id: n.node for n in nodes}
    for given in found:
        original = by_id[given.node.node_id]
        assert given.node is not original
        assert given.node.relationships == original.relationships
        assert given.node.ref_doc_id == "handbook"
        assert given.node.start_char_idx == 5
        assert {k: v for k, v in given.node.metadata.items() if k != "ragclean"} == original.metadata
        spans = given.node.metadata["ragclean"]["spans"]
        pieces = "".join(original.text[start:end] for start, end in spans)
        assert "".join(pieces.split()) == "".join(given.node.text.split())


def test_scores_are_the_fused_relevance_and_the_retrievers_own_is_noted(postprocessor, nodes):
    found = postprocessor.postprocess_nodes(nodes, query_str=QUERY)
    given = {n.node.node_id: n.score for n in nodes}
    for node in found:
        notes = node.metadata["ragclean"]
        assert notes["score"] == round(node.score, 4)
        assert notes["retriever_score"] == given[node.node.node_id]
        assert json.loads(json.dumps(notes)) == notes
    assert found[0].score == max(n.score for n in found)


def test_notes_stay_out_of_prompts_and_embeddings(postprocessor, nodes):
    (first, *_) = postprocessor.postprocess_nodes(nodes, query_str=QUERY)
    for mode in (MetadataMode.LLM, MetadataMode.EMBED):
        assert "ragclean" not in first.node.get_content(metadata_mode=mode)
    assert "title: docs" in first.node.get_content(metadata_mode=MetadataMode.LLM)
    (again, *_) = postprocessor.postprocess_nodes([first], query_str=QUERY)
    assert again.node.excluded_llm_metadata_keys.count("ragclean") == 1


def test_nodes_of_other_kinds(postprocessor, nodes):
    obj = TextNode(text="what stands behind it")
    kinds = [
        IndexNode(text=PAGES[0][3], id_="index", index_id="table-1", obj=obj),
        Node(text_resource=MediaResource(text=PAGES[0][3]), id_="node"),
        Document(text=PAGES[0][3], id_="document"),
        ImageNode(text=PAGES[0][3], id_="image", image_url="https://example.invalid/limits.png"),
    ]
    for kind in kinds:
        (found, *_) = postprocessor.postprocess_nodes([NodeWithScore(node=kind), *nodes[3:]], query_str=QUERY)
        assert type(found.node) is type(kind)
        assert found.node.node_id == kind.node_id
        assert found.node.get_content(metadata_mode=MetadataMode.NONE) == KEPT
        assert kind.get_content(metadata_mode=MetadataMode.NONE) == PAGES[0][3]
    (found, *_) = postprocessor.postprocess_nodes([NodeWithScore(node=kinds[0])], query_str=QUERY)
    assert (found.node.index_id, found.node.obj) == ("table-1", obj)
    (found, *_) = postprocessor.postprocess_nodes([NodeWithScore(node=kinds[3])], query_str=QUERY)
    assert found.node.image_url == kinds[3].image_url


def test_images_without_text_come_back_as_they_are_after_the_others(corrector, nodes):
    image = NodeWithScore(node=ImageNode(image_url="https://example.invalid/a.png"), score=0.5)
    sound = NodeWithScore(node=Node(audio_resource=MediaResource(path="a.mp3")), score=0.4)
    few = RagcleanPostprocessor(corrector=corrector, top_k=1)
    found = few.postprocess_nodes([image, *nodes, sound], query_str=QUERY)
    assert len(found) == 3
    assert found[1] is image
    assert found[2] is sound


def test_empty_nodes_and_none_at_all(postprocessor, nodes):
    empty = NodeWithScore(node=TextNode(text=""))
    assert postprocessor.postprocess_nodes([empty, *nodes], query_str=QUERY)[0].node.text == KEPT
    assert postprocessor.postprocess_nodes([empty], query_str=QUERY) == []
    assert postprocessor.postprocess_nodes([], query_str=QUERY) == []


def test_the_same_node_twice(postprocessor, nodes):
    found = postprocessor.postprocess_nodes([*nodes, nodes[0]], query_str=QUERY)
    assert [n.node.node_id for n in found].count("docs") == 1, "what it says is said once"
    assert found[0].node.text == KEPT


def test_observing_changes_nothing(nodes):
    observer = RagcleanPostprocessor(corrector=NoiseCorrector(config=CorrectorConfig(mode="observe")))
    found = observer.postprocess_nodes(nodes, query_str=QUERY)
    assert all(a is b for a, b in zip(found, nodes, strict=True))


# ---------------------------------------------------------------- options and data


def test_options(corrector, nodes):
    few = RagcleanPostprocessor(corrector=corrector, top_k=1, max_tokens=40, as_of="2025-01-02")
    (found,) = few.postprocess_nodes(nodes, query_str=QUERY)
    assert found.metadata["ragclean"]["as_of"] == "2025-01-02"
    for wrong in ({"top_k": 0}, {"topk": 2}, {"max_tokens": -1}):
        with pytest.raises(ValidationError, match=next(iter(wrong))):
            RagcleanPostprocessor(**wrong)


def test_written_as_data_and_read_back(nodes):
    config = CorrectorConfig(protection="graded", admission_threshold=0.3)
    given = RagcleanPostprocessor(corrector=NoiseCorrector(config=config), top_k=3, as_of=AS_OF, on_result=print)
    data = given.to_dict()
    assert data["class_name"] == RagcleanPostprocessor.class_name() == "RagcleanPostprocessor"
    seen = []
    for again in (
        RagcleanPostprocessor.from_dict(json.loads(json.dumps(data)), on_result=seen.append),
        RagcleanPostprocessor.from_json(given.to_json(), on_result=seen.append),
    ):
        assert again.corrector.config == config
        assert (again.top_k, again.as_of) == (3, AS_OF)
        assert again.to_dict() == data
        assert again.postprocess_nodes(nodes, query_str=QUERY)
    assert len(seen) == 2


def test_a_corrector_with_an_object_for_a_part_is_not_written_as_another():
    given = RagcleanPostprocessor(corrector=NoiseCorrector(encoder=encoder_of(Model(), "not written")))
    with pytest.raises(ValueError, match="encoder: a GivenVectors cannot be written"):
        given.to_dict()


def test_copies_and_pickles_work_alike(nodes):
    corrector = NoiseCorrector(config=CorrectorConfig(protection="graded"), encoder=encoder_of(Model(), "copied"))
    given = RagcleanPostprocessor(corrector=corrector, top_k=3, as_of=AS_OF)
    expected = given.postprocess_nodes(nodes, query_str=QUERY)
    for other in (given.model_copy(), copy.deepcopy(given), pickle.loads(pickle.dumps(given))):
        assert other.corrector.fingerprint == corrector.fingerprint
        assert other.top_k == 3
        assert other.postprocess_nodes(nodes, query_str=QUERY) == expected


# ---------------------------------------------------------------- no embedding twice


def test_no_text_is_embedded_twice_between_index_retriever_and_postprocessor():
    model = Model()
    corrector = NoiseCorrector(encoder=encoder_of(model, "counted"))
    profile = model._count.passages.total() + model._count.queries.total()
    assert 150 < profile < 400, "what measuring the profile costs, once"
    model._count.clear()
    store = {}
    postprocessor = RagcleanPostprocessor(
        corrector=corrector, as_of=AS_OF, vector_of=lambda n: store["index"].vector_store.get(n.node.node_id)
    )
    store["index"], engine = engine_of(model, postprocessor)
    assert dict(model._count.passages) == {p[3]: 1 for p in PAGES}
    assert KEPT in engine.query(QUERY).response
    once = dict(model._count.passages)
    assert dict(model._count.queries) == {QUERY: 1}, "the query bundle brings the retriever's vector along"
    assert set(once.values()) == {1}
    beside = set(once) - {p[3] for p in PAGES}
    assert all(any(sentence in p[3] for p in PAGES) for sentence in beside), "best sentences of longer nodes"


def test_nodes_of_a_vector_index_carry_no_vector_so_that_the_hook_is_needed():
    index, _ = engine_of(Model(), RagcleanPostprocessor())
    found = index.as_retriever().retrieve(QUERY)
    assert {n.node.embedding for n in found} == {None}
    assert index.vector_store.get(found[0].node.node_id) == Counting().vector(found[0].node.text)


def test_async_too_with_the_cache_of_llama_index_since_its_bundle_loses_the_vector():
    model = Model(embeddings_cache=SimpleKVStore())
    corrector = NoiseCorrector(encoder=encoder_of(model, "counted async", sentences=False))
    store = {}
    postprocessor = RagcleanPostprocessor(
        corrector=corrector, vector_of=lambda n: store["index"].vector_store.get(n.node.node_id)
    )
    model._count.clear()
    store["index"], engine = engine_of(model, postprocessor)
    assert KEPT in asyncio.run(engine.aquery(QUERY)).response
    assert dict(model._count.queries) == {QUERY: 1}
    assert dict(model._count.passages) == {p[3]: 1 for p in PAGES}


def test_vectors_on_nodes_and_bundle_are_taken(nodes):
    model = Model()
    seen = []
    corrector = NoiseCorrector(encoder=encoder_of(model, "bundle", sentences=False))
    postprocessor = RagcleanPostprocessor(corrector=corrector, on_result=seen.append)
    model._count.clear()
    for given in nodes:
        given.node.embedding = model._count.vector(given.node.text)
    bundle = QueryBundle(QUERY, embedding=model._count.vector(QUERY))
    assert postprocessor.postprocess_nodes(nodes, bundle)[0].node.text == KEPT
    assert not model._count.queries
    assert not model._count.passages
    nodes[0].node.embedding = [1.0, 2.0]
    (first, *_) = postprocessor.postprocess_nodes(nodes, bundle)
    assert any("embedding: 2 numbers" in w for w in first.metadata["ragclean"]["warnings"])
    assert dict(model._count.passages) == {PAGES[0][3]: 1}


def test_two_models_of_one_class_without_a_name_are_told_apart_by_the_name_given():
    first, second = encoder_of(Model()), encoder_of(Model(), "mine")
    assert first.fingerprint == "given:llama-index:Model:unknown"
    assert second.fingerprint == "given:llama-index:mine"
