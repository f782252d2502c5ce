"""An encoder over vectors that are there already: what is taken, what is asked for, what is refused."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from embedding_samples import DIMS, KEPT, PAGES, QUERY, Counting

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.integrations.vectors import GivenVectors
from ragclean.signals.base import SemanticEncoder
from ragclean.signals.profile import Profile

#: Of a model that needs no measuring, since these tests count embeddings.
PROFILE = Profile("given:test", 0.1, 1.0, 0.1, 1.0)
TEXTS = [text for *_, text in PAGES]


@pytest.fixture
def model():
    return Counting()


@pytest.fixture
def encoder(model):
    made = GivenVectors(model.embed_queries, model.embed_passages, "test", profile=PROFILE)
    assert made.dims == DIMS
    model.clear()
    return made


def axis(number, dims=DIMS):
    return [1.0 if i == number else 0.0 for i in range(dims)]


def test_it_has_the_protocol_and_is_not_cheap(encoder):
    assert isinstance(encoder, SemanticEncoder)
    assert encoder.cheap is False


def test_vectors_come_at_length_one_in_order_and_each_text_is_asked_for_once(encoder, model):
    found = encoder.encode_passages([TEXTS[0], TEXTS[1], TEXTS[0]])
    assert found.shape == (3, DIMS)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0)
    assert np.array_equal(found[0], found[2])
    encoder.encode_passages(TEXTS)
    assert set(model.passages.values()) == {1}
    assert encoder.encode_passages([]).shape == (0, DIMS)


def test_a_query_and_a_passage_of_the_same_words_are_two_things(encoder, model):
    encoder.encode_queries([TEXTS[0]])
    encoder.encode_passages([TEXTS[0]])
    assert (model.queries[TEXTS[0]], model.passages[TEXTS[0]]) == (1, 1)


def test_stored_vectors_are_used_as_they_are_and_only_inside_the_block(encoder, model):
    with encoder.holding((QUERY, axis(1)), [(TEXTS[0], axis(0)), (TEXTS[1], None)]) as left_out:
        assert left_out == []
        assert np.array_equal(encoder.encode_queries([QUERY])[0], np.float32(axis(1)))
        found = encoder.encode_passages([TEXTS[0], TEXTS[1]])
        assert np.array_equal(found[0], np.float32(axis(0)))
        assert dict(model.passages) == {TEXTS[1]: 1}
        assert not model.queries
    assert not np.array_equal(encoder.encode_passages([TEXTS[0]])[0], np.float32(axis(0)))


@pytest.mark.parametrize(
    "vector, reason",
    [
        (axis(0, 7), f"7 numbers, the model's vectors have {DIMS}"),
        ([float("nan")] * DIMS, "no vector"),
        ([float("inf")] * DIMS, "no vector"),
        ([0.0] * DIMS, "all zero"),
        ("[0.1, 0.2]", "no vector"),
        (["a"] * DIMS, "no vector"),
        ([[1.0] * DIMS], "no vector"),
        ([[1.0], [1.0, 2.0]], "no vector"),
        ([], "no vector"),
        ({"dense": axis(0)}, "no vector"),
        (object(), "no vector"),
        (3.0, "no vector"),
    ],
)
def test_what_is_no_vector_of_the_model_is_left_out_with_a_reason_and_the_text_embedded(encoder, model, vector, reason):
    for query, passages, place in (((QUERY, vector), [], None), (None, [("x", None), (TEXTS[0], vector)], 1)):
        with encoder.holding(query, passages) as left_out:
            assert [at for at, _ in left_out] == [place]
            assert reason in left_out[0][1]
            assert encoder.encode_passages([TEXTS[0]]).shape == (1, DIMS)
            assert encoder.encode_queries([QUERY]).shape == (1, DIMS)
    assert (model.queries[QUERY], model.passages[TEXTS[0]]) == (1, 1)


def test_numpy_vectors_of_any_number_type_and_size_are_taken(encoder):
    given = np.arange(1, DIMS + 1)
    for vector in (given, given.astype(np.float16), given.astype(np.float64) * 1e300, tuple(given.tolist())):
        with encoder.holding(None, [(TEXTS[0], vector)]) as left_out:
            assert left_out == []
            found = encoder.encode_passages([TEXTS[0]])[0]
        assert np.allclose(found, given / np.linalg.norm(given), atol=1e-3)


def test_threads_with_different_vectors_for_one_text_do_not_mix(encoder):
    def seen(number):
        with encoder.holding((QUERY, axis(number)), [(TEXTS[0], axis(number))]):
            rows = [encoder.encode_passages([TEXTS[0]])[0] for _ in range(200)]
            rows += [encoder.encode_queries([QUERY])[0]]
        return all(np.array_equal(row, np.float32(axis(number))) for row in rows)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(seen, range(32)))


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda texts: [], "0 vectors for 1 texts"),
        (lambda texts: [[float("nan")]] * len(texts), "no number"),
        (lambda texts: [["a"]] * len(texts), "no number"),
        (lambda texts: [[1.0, 2.0]] * len(texts), "different sizes: .2, 96"),
    ],
)
def test_a_model_that_answers_nonsense_is_an_error_that_says_what(encoder, answer, message):
    encoder._embed["passage"] = answer
    with pytest.raises(ValueError, match=message):
        encoder.encode_passages(["new"])


def test_a_failing_model_costs_a_refine_nothing_but_its_scores():
    def fails(texts):
        raise ConnectionError("no route")

    result = NoiseCorrector(encoder=GivenVectors(fails, fails, "test", profile=PROFILE)).refine(QUERY, TEXTS)
    assert "encoder_failed" in [w.code for w in result.warnings]
    assert KEPT in result.text


def test_where_the_model_is_down_vectors_that_are_all_stored_still_serve():
    def fails(texts):
        raise ConnectionError("no route")

    encoder = GivenVectors(fails, fails, "test", profile=PROFILE, sentences=False)
    with encoder.holding((QUERY, axis(0)), [("a", axis(1)), ("b", axis(2)), ("c", axis(0, 5))]) as left_out:
        assert left_out == [(2, f"5 numbers, the model's vectors have {DIMS}")]
        assert encoder.encode_passages(["a", "b", "a sentence"]).shape == (3, DIMS)
        assert encoder.encode_queries([QUERY]).shape == (1, DIMS)


# ---------------------------------------------------------------- what a query costs


def held(model):
    return (QUERY, model.vector(QUERY)), [(t, model.vector(t)) for t in TEXTS]


def test_with_everything_stored_only_best_sentences_are_embedded_and_those_once(encoder, model):
    corrector = NoiseCorrector(encoder=encoder)
    for _ in range(3):
        with encoder.holding(*held(model)):
            found = corrector.refine(QUERY, TEXTS)
    assert KEPT in found.text
    assert not model.queries
    assert not set(model.passages) & set(TEXTS)
    assert all(any(sentence in text for text in TEXTS) for sentence in model.passages)
    assert 0 < len(model.passages) <= len(TEXTS)
    assert set(model.passages.values()) == {1}


def test_without_sentences_nothing_is_embedded_at_all(model):
    encoder = GivenVectors(model.embed_queries, model.embed_passages, "test", profile=PROFILE, sentences=False)
    assert encoder.dims == DIMS
    model.clear()
    corrector = NoiseCorrector(encoder=encoder)
    with encoder.holding(*held(model)):
        found = corrector.refine(QUERY, TEXTS)
    assert KEPT in found.text
    assert not [w for w in found.warnings if w.code == "encoder_failed"]
    assert not model.queries
    assert not model.passages
    query, passages = held(model)
    with encoder.holding(query, [(passages[0][0], None), *passages[1:]]):
        corrector.refine(QUERY, TEXTS)
    assert dict(model.passages) == {TEXTS[0]: 1}, "a document without a vector is embedded all the same"


def test_similarity_is_the_stored_vectors_own(model):
    """Of two pages that read alike, the one whose stored vector is the query's comes out with the higher score."""
    texts = ["A Team workspace may send 1,200 requests.", "A Team workspace may send 1,200 requests!"]
    encoder = GivenVectors(model.embed_queries, model.embed_passages, "test", profile=PROFILE, sentences=False)
    corrector = NoiseCorrector(encoder=encoder, config=CorrectorConfig(arbitration=False, compression=False))
    for near in (0, 1):
        with encoder.holding((QUERY, axis(0)), [(t, axis(0 if i == near else 5)) for i, t in enumerate(texts)]):
            found = corrector.refine(QUERY, texts)
        assert max(found.chunks, key=lambda c: c.signals.semantic).chunk.text == texts[near]


# ---------------------------------------------------------------- its profile


def test_the_profile_is_measured_once_a_name_and_can_be_saved_so_that_it_is_never_again(tmp_path, model):
    first = GivenVectors(model.embed_queries, model.embed_passages, "measured-once")
    NoiseCorrector(encoder=first)
    cost = model.queries.total() + model.passages.total()
    assert 150 < cost < 400
    first.save_profile(tmp_path / "profile.json")
    NoiseCorrector(encoder=GivenVectors(model.embed_queries, model.embed_passages, "measured-once"))
    assert model.queries.total() + model.passages.total() == cost

    model.clear()
    later = GivenVectors(model.embed_queries, model.embed_passages, "measured-once", profile=tmp_path / "profile.json")
    assert later.measured() == first.measured()
    assert later.dims == DIMS
    NoiseCorrector(encoder=later)
    assert model.queries.total() + model.passages.total() == 0


def test_a_saved_profile_serves_with_and_without_sentences(tmp_path, model):
    GivenVectors(model.embed_queries, model.embed_passages, "both").save_profile(tmp_path / "profile.json")
    model.clear()
    whole = GivenVectors(
        model.embed_queries, model.embed_passages, "both", profile=str(tmp_path / "profile.json"), sentences=False
    )
    assert NoiseCorrector(encoder=whole).scorers.profile.fingerprint == whole.fingerprint
    assert not model.passages


def test_scores_with_and_without_sentences_have_different_fingerprints(model):
    made = [GivenVectors(model.embed_queries, model.embed_passages, "test", sentences=s) for s in (True, False)]
    assert made[0].fingerprint != made[1].fingerprint


def test_a_profile_of_another_model_is_refused_with_both_names(tmp_path, model):
    with pytest.raises(ValueError, match=r"'given:test'.*'given:other'"):
        GivenVectors(model.embed_queries, model.embed_passages, "other", profile=PROFILE)


@pytest.mark.parametrize("change", [{"schema": 2}, {"dims": "many"}, {"unrelated_passage": None}, {"identical_sentence": 1e999}])
def test_a_file_that_is_no_profile_is_refused_with_its_name(tmp_path, model, change):
    path = tmp_path / "profile.json"
    GivenVectors(model.embed_queries, model.embed_passages, "test", profile=PROFILE).save_profile(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=r"profile\.json: not what save_profile writes"):
        GivenVectors(model.embed_queries, model.embed_passages, "test", profile=path)
    path.write_text("[]")
    with pytest.raises(ValueError, match=r"profile\.json"):
        GivenVectors(model.embed_queries, model.embed_passages, "test", profile=path)


# ---------------------------------------------------------------- copies and threads of the corrector


def test_pickled_and_copied_it_stores_nothing_and_encodes_the_same(encoder):
    encoder.store(None, [(TEXTS[0], axis(0))])
    expected = encoder.encode_passages([TEXTS[1]])
    for other in (pickle.loads(pickle.dumps(encoder)), copy.deepcopy(encoder), copy.copy(encoder)):
        assert other.fingerprint == encoder.fingerprint
        assert other.profile == encoder.profile
        assert np.array_equal(other.encode_passages([TEXTS[1]]), expected)
        assert not np.array_equal(other.encode_passages([TEXTS[0]])[0], np.float32(axis(0)))
    corrector = pickle.loads(pickle.dumps(NoiseCorrector(encoder=encoder)))
    assert KEPT in corrector.refine(QUERY, TEXTS).text


def test_arefine_of_a_corrector_with_such_an_encoder(encoder):
    corrector = NoiseCorrector(encoder=encoder)

    async def both():
        return await asyncio.gather(*(corrector.arefine(QUERY, TEXTS) for _ in range(4)))

    results = asyncio.run(both())
    assert {r.text for r in results} == {corrector.refine(QUERY, TEXTS).text}


def test_a_configuration_calibrated_under_another_embedding_model_warns(encoder):
    config = replace(CorrectorConfig(), provenance={"encoder": "given:another"})
    with pytest.warns(UserWarning, match="given:another"):
        NoiseCorrector(encoder=encoder, config=config)
