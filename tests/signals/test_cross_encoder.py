"""On a tiny CrossEncoder of random weights that the test builds."""

import numpy as np
import pytest

pytestmark = pytest.mark.slow
pytest.importorskip("sentence_transformers", reason="needs the extra sentence-transformers")

from ragclean.signals.base import JudgeScorer  # noqa: E402
from ragclean.signals.cross_encoder import CrossEncoderJudge  # noqa: E402
from ragclean.signals.loading import load_judge  # noqa: E402

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "warranty", "months", "screen", "long", "how", "保", "修", "期"]


def build(folder, outputs=1, seed=0):
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    folder.mkdir()
    torch.manual_seed(seed)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=64, num_labels=outputs, initializer_range=2.0,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizer(str(vocabulary), model_max_length=64).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("models") / "one")


@pytest.fixture(scope="module")
def judge(folder):
    return load_judge(str(folder))


QUERIES = ["how long warranty"] * 4
TEXTS = ["warranty months", "screen", "保修期 months", "long long screen"]


def test_a_folder_name_becomes_a_judge(judge):
    assert isinstance(judge, CrossEncoderJudge)
    assert isinstance(judge, JudgeScorer)
    assert judge.cheap is False


def test_scores_are_the_sigmoid_of_the_models_output(judge):
    from torch.nn import Identity

    raw = judge._model.predict(list(zip(QUERIES, TEXTS, strict=True)), activation_fn=Identity())
    scores = judge.score_pairs(QUERIES, TEXTS)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, 1 / (1 + np.exp(-raw)), atol=1e-4)
    assert len(set(scores.round(4))) == 4


def test_two_outputs_are_read_as_no_and_yes(tmp_path):
    from torch.nn import Identity

    two = load_judge(build(tmp_path / "two", outputs=2))
    raw = two._model.predict(list(zip(QUERIES, TEXTS, strict=True)), activation_fn=Identity())
    expected = np.exp(raw[:, 1]) / np.exp(raw).sum(axis=1)
    np.testing.assert_allclose(two.score_pairs(QUERIES, TEXTS), expected, atol=1e-4)


def test_more_outputs_are_refused(tmp_path):
    with pytest.raises(ValueError, match="3 outputs"):
        load_judge(str(build(tmp_path / "three", outputs=3)))


def test_blank_and_broken_texts_are_judged(judge):
    scores = judge.score_pairs(["", "warranty", "\ud800", "warranty"], ["months", " ", "\x00", "months " * 50_000])
    assert scores[:2].tolist() == [0, 0]
    assert ((scores >= 0) & (scores <= 1)).all()
    assert judge.score_pairs([], []).shape == (0,)


def test_unequal_numbers_are_refused(judge):
    with pytest.raises(ValueError, match="2 and 1"):
        judge.score_pairs(["a", "b"], ["c"])


def test_a_pair_seen_before_is_not_read_again(judge, monkeypatch):
    first = judge.score_pairs(QUERIES, TEXTS)

    def fail(*args, **kwargs):
        raise AssertionError("read again")

    monkeypatch.setattr(judge._model, "predict", fail)
    np.testing.assert_array_equal(judge.score_pairs(QUERIES, TEXTS[::-1]), first[::-1])


def test_the_fingerprint_is_the_folders_content(judge, folder, tmp_path):
    assert CrossEncoderJudge(folder).fingerprint == judge.fingerprint
    other = build(tmp_path / "one", outputs=2)
    assert CrossEncoderJudge(other).fingerprint != judge.fingerprint


def test_an_opened_cross_encoder_is_wrapped(judge):
    wrapped = load_judge(judge._model)
    assert isinstance(wrapped, CrossEncoderJudge)
    np.testing.assert_allclose(wrapped.score_pairs(QUERIES, TEXTS), judge.score_pairs(QUERIES, TEXTS), atol=1e-5)
