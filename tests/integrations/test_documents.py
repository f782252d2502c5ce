"""What all integrations share: ids, vectors, notes, what comes back where, and correctors as plain data."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from embedding_samples import AS_OF, KEPT, PAGES, QUERY, Counting, metadata_of

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.corrector import BadCandidateError
from ragclean.integrations.documents import KEY, Form, clean
from ragclean.integrations.vectors import GivenVectors
from ragclean.integrations.written import read_corrector, write_corrector
from ragclean.signals.profile import Profile


@dataclass
class Page:
    """A framework's document."""

    text: Any
    id: Any = None
    meta: dict = field(default_factory=dict)
    vector: Any = None
    image: bool = False


FORM = Form(
    lambda page: {"text": page.text, "id": page.id, "metadata": page.meta, "embedding": page.vector},
    lambda page, cleaned: replace(page, text=cleaned.text, meta={**page.meta, KEY: cleaned.notes}),
    lambda page: page.image,
)


@pytest.fixture
def pages():
    return [Page(page[3], page[0], metadata_of(page)) for page in PAGES]


def cleaned(corrector, pages, query=QUERY, options=None, **more):
    return clean(corrector, FORM, query, pages, {"as_of": AS_OF, **(options or {})}, **more)


def test_each_document_comes_back_with_its_own_text_in_the_order_of_the_context(corrector, pages):
    kept, found = cleaned(corrector, pages)
    assert kept[0].text == KEPT
    assert [p.id for p in kept] == [c.id for c in found.chunks]
    assert [p.text for p in kept] == [c.text for c in found.chunks]
    assert [p.text for p in pages] == [page[3] for page in PAGES], "the documents given are as they were"
    assert all(KEY not in p.meta for p in pages)


def test_spans_point_into_the_original_text(corrector, pages):
    kept, _ = cleaned(corrector, pages)
    originals = {p.id: p.text for p in pages}
    for page in kept:
        pieces = [originals[page.id][start:end] for start, end in page.meta[KEY]["spans"]]
        assert "".join("".join(pieces).split()) == "".join(page.text.split())
        assert all(piece in page.text for piece in pieces)


def test_notes_are_plain_json_and_say_what_was_found(corrector, pages):
    kept, found = cleaned(corrector, pages)
    notes = kept[0].meta[KEY]
    assert json.loads(json.dumps(notes)) == notes
    assert set(notes) == {
        "score", "semantic", "judge", "keyword", "retriever_score", "source", "spans", "flags", "conflicts", "warnings", "as_of",
    }  # fmt: skip
    assert notes["source"] == "docs"
    assert notes["as_of"] == AS_OF
    assert 0.0 < notes["score"] <= 1.0
    assert len(found.conflicts) == 1
    assert "600" in notes["conflicts"][0]


@pytest.mark.parametrize("ids", [[None] * 5, ["same"] * 5, ["a", "a", "", None, "a#1"], [1, 1, 2, 2.5, True]])
def test_documents_without_an_id_or_with_the_same_are_told_apart(corrector, pages, ids):
    for page, name in zip(pages, ids, strict=True):
        page.id = name
    kept, found = cleaned(corrector, pages)
    assert kept[0].text == KEPT
    assert kept[0].meta["title"] == "docs"
    assert kept[0].id == ids[0], "the document keeps the id that it came with"
    assert "duplicate_id" not in [w.code for w in found.warnings]
    names = [c.id for c in found.chunks] + [d.chunk_id for d in found.dropped if d.start is None]
    assert len(names) == len(set(names))


def test_an_id_in_the_metadata_names_the_document_in_the_result(corrector, pages):
    for number, page in enumerate(pages):
        page.id, page.meta["id"] = None, f"row-{number}"
    _, found = cleaned(corrector, pages)
    assert found.chunks[0].id == "row-0"


def test_documents_without_text_are_left_out_and_said_so(corrector, pages):
    kept, found = cleaned(corrector, [Page(None, "none"), Page("  ", "blank"), Page(7, "number"), *pages])
    assert kept[0].text == KEPT
    assert [d.reason for d in found.dropped if d.stage == "screen"] == ["bad_candidate", "empty", "bad_candidate"]
    assert [w.message for w in found.warnings if w.code == "bad_candidate"] == [
        "candidate 0: text: expected a string, got nothing", "candidate 2: text: expected a string, got int",
    ]  # fmt: skip


def test_metadata_of_odd_types_is_kept_and_what_cannot_be_read_is_warned_about_in_the_notes(corrector, pages):
    odd = {"source": ["a", "list"], "source_weight": "high", "updated_at": object(), "n": np.float32(1), ("k",): {1, 2}}
    pages[0].meta = dict(odd)
    (page,), _ = cleaned(corrector, pages[:1])
    assert {k: v for k, v in page.meta.items() if k != KEY} == odd
    assert all(page.meta[k] is v for k, v in odd.items())
    warned = [w for w in page.meta[KEY]["warnings"] if w.startswith("bad_candidate")]
    assert len(warned) == 3
    assert any("source_weight: expected a number in 0..1, got 'high'" in w for w in warned)


def test_a_corrector_that_raises_on_bad_candidates_does_so_here(pages):
    strict = NoiseCorrector(config=CorrectorConfig(on_bad_candidate="raise"))
    pages[1].meta["source_weight"] = "high"
    with pytest.raises(BadCandidateError, match="candidate 1: source_weight"):
        cleaned(strict, pages)


def test_options_reach_refine_and_misuse_raises(corrector, pages):
    kept, found = cleaned(corrector, pages, options={"top_k": 1, "as_of": "2025-01-02", "max_tokens": 30})
    assert len(kept) == 1
    assert found.as_of == "2025-01-02"
    with pytest.raises(ValueError, match="top_k"):
        cleaned(corrector, pages, options={"top_k": 0})
    with pytest.raises(TypeError, match="query"):
        cleaned(corrector, pages, query=None)


def test_no_documents(corrector):
    kept, found = cleaned(corrector, [])
    assert kept == []
    assert [w.code for w in found.warnings] == ["no_candidates"]


def test_what_is_no_text_comes_back_as_it_is_after_the_others(corrector, pages):
    image = Page("", "picture", image=True)
    kept, found = cleaned(corrector, [image, *pages], options={"top_k": 1})
    assert [p.id for p in kept] == ["docs", "picture"]
    assert kept[1] is image
    assert not [d for d in found.dropped if d.chunk_id == "picture"]


def test_observing_hands_back_the_documents_as_they_are(pages):
    observer = NoiseCorrector(config=CorrectorConfig(mode="observe"))
    given = [*pages, Page(None), Page("", image=True)]
    kept, found = cleaned(observer, given)
    assert all(a is b for a, b in zip(kept, given, strict=True))
    assert found.dropped, "what would have been done is told"


def test_on_result_gets_the_result_and_its_failure_costs_nothing(corrector, pages, caplog):
    seen = []
    kept, found = cleaned(corrector, pages, on_result=seen.append)
    assert seen == [found]

    def fails(_):
        raise OSError("disk full")

    with caplog.at_level(logging.ERROR):
        again, _ = cleaned(corrector, pages, on_result=fails)
    assert [p.text for p in again] == [p.text for p in kept]
    assert "on_result failed" in caplog.text


# ---------------------------------------------------------------- vectors of documents


@pytest.fixture
def model():
    return Counting()


@pytest.fixture
def with_vectors(model):
    profile = Profile("given:documents", 0.1, 1.0, 0.1, 1.0)
    encoder = GivenVectors(model.embed_queries, model.embed_passages, "documents", profile=profile, sentences=False)
    assert encoder.dims
    model.clear()
    return NoiseCorrector(encoder=encoder)


def test_vectors_of_documents_and_query_are_used(with_vectors, model, pages):
    for page in pages:
        page.vector = model.vector(page.text)
    kept, found = cleaned(with_vectors, pages, query_vector=model.vector(QUERY))
    assert kept[0].text == KEPT
    assert not model.queries
    assert not model.passages
    assert not [w for w in found.warnings if w.code in ("encoder_failed", "bad_candidate")]


def test_vectors_are_fetched_for_documents_that_carry_none(with_vectors, model, pages):
    pages[0].vector = model.vector(pages[0].text)
    asked = []

    def vector_of(page):
        asked.append(page.id)
        return None if page.id == "blog" else model.vector(page.text)

    cleaned(with_vectors, pages, query_vector=model.vector(QUERY), vector_of=vector_of)
    assert asked == ["old docs", "forum", "blog", "pricing"]
    assert not set(model.passages) - {PAGES[3][3]}


def test_bad_vectors_are_warned_about_by_index_and_field(with_vectors, model, pages):
    pages[1].vector = [1.0, 2.0]

    def fails(page):
        raise KeyError(page.id)

    kept, found = cleaned(with_vectors, pages, query_vector=[float("nan")], vector_of=fails)
    assert kept[0].text == KEPT
    messages = [w.message for w in found.warnings if w.code == "bad_candidate"]
    assert "candidate 0: embedding: vector_of raised KeyError: 'docs'" in messages
    assert "candidate 1: embedding: 2 numbers, the model's vectors have 96; left out" in messages
    assert "query_embedding: no vector of finite numbers, or all zero; left out" in messages
    assert any("vector_of raised KeyError" in w for w in kept[0].meta[KEY]["warnings"])
    strict = with_vectors.with_config(CorrectorConfig(on_bad_candidate="raise"))
    with pytest.raises(BadCandidateError, match="candidate 0: embedding"):
        cleaned(strict, pages, vector_of=fails)


def test_nothing_stays_stored_after_a_call_not_even_after_one_that_raised(with_vectors, model, pages):
    for page in pages:
        page.vector = model.vector("something else")
    cleaned(with_vectors, pages)
    with pytest.raises(TypeError):
        cleaned(with_vectors, pages, options={"top_k": "many"})
    encoder = with_vectors.scorers.encoder
    text = PAGES[0][3]
    assert np.allclose(encoder.encode_passages([text])[0], model.vector(text) / np.linalg.norm(model.vector(text)))


def test_calls_at_once_with_different_vectors_of_the_same_texts_do_not_mix(with_vectors, model, pages):
    """In each call the vectors make another page the nearest one, and that page has the highest semantic signal."""
    free = with_vectors.with_config(CorrectorConfig(
        weight_semantic=1.0, weight_judge=0.0, weight_keyword=0.0, admission_threshold=0.0, relative_admission=0.0,
        judge_floor=0.0, arbitration=False, corroboration=0.0, compression=False,
    ))  # fmt: skip

    def nearest(number):
        vectors = [[float(i == n) for i in range(model.dims)] for n in range(len(pages))]
        given = [replace(p, vector=vectors[i]) for i, p in enumerate(pages)]
        _, found = cleaned(free, given, query_vector=vectors[number])
        return {c.id for c in found.chunks if c.signals.semantic > 0.99}

    with ThreadPoolExecutor(5) as pool:
        turns = [i % len(pages) for i in range(20)]
        assert all(names == {PAGES[n][0]} for n, names in zip(turns, pool.map(nearest, turns), strict=True))


def test_the_embedded_encoder_takes_no_foreign_vectors(corrector, pages):
    plain, _ = cleaned(corrector, pages)
    for page in pages:
        page.vector = [1.0, 2.0]
    kept, found = cleaned(corrector, pages, query_vector=[1.0, 2.0], vector_of=lambda _: 1 / 0)
    assert [p.text for p in kept] == [p.text for p in plain]
    assert not [w for w in found.warnings if w.code == "bad_candidate"]


# ---------------------------------------------------------------- correctors as data


def test_a_corrector_is_written_as_json_and_read_back():
    config = CorrectorConfig(admission_threshold=0.3, protection="graded")
    data = write_corrector(NoiseCorrector(config=config, encoder="embedded"))
    again = read_corrector(json.loads(json.dumps(data)))
    assert again.config == config
    assert again.fingerprint == NoiseCorrector(config=config).fingerprint
    assert data["encoder"] == "embedded"
    assert read_corrector({}).config == CorrectorConfig()


@pytest.mark.parametrize(
    "parts, named",
    [({"judge": lambda query, text: 0.5}, "judge: a function"), ({"count_tokens": len}, "count_tokens: a builtin_function"), ({"encoder": "given"}, "encoder: a GivenVectors")],
)
def test_a_part_that_no_name_stands_for_is_refused_by_name(parts, named, model):
    if parts.get("encoder"):
        parts = {"encoder": GivenVectors(model.embed_queries, model.embed_passages, "written")}
    with pytest.raises(ValueError, match=named):
        write_corrector(NoiseCorrector(**parts))


@pytest.mark.parametrize(
    "data, message",
    [({"encoders": "x"}, "unknown keys encoders"), ({"judge": 1}, "judge: expected a name"), ({"config": "x.json"}, "config: expected a mapping"), ({"config": {"nonsense": 1}}, "nonsense")],
)
def test_data_that_is_no_corrector_is_refused_with_the_key(data, message):
    with pytest.raises((TypeError, ValueError), match=message):
        read_corrector(data)
