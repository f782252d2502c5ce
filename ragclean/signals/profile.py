"""An encoder's profile: its cosines mapped so that unrelated text (median) is 0 and identical text is 1."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ragclean.memo import Memo
from ragclean.signals.base import FloatArray, SemanticEncoder

#: A text is unrelated to the ones this many places further on in the list of its language; each topic stands once.
UNRELATED_SHIFTS = (7, 13)
#: Encoders told apart in one process.
_KNOWN_PROFILES = 32
#: Below this span between unrelated and identical the encoder tells nothing apart, and dividing by it is noise.
_SMALLEST_SPAN = 1e-3


@dataclass(frozen=True, slots=True)
class Profile:
    """``unrelated_*``: the encoder's median raw score of unrelated pairs, measured on the shipped pairs.
    ``identical_*``: its score of identical text (1 for a cosine)."""

    fingerprint: str
    unrelated_passage: float
    identical_passage: float
    unrelated_sentence: float
    identical_sentence: float

    def passage(self, raw: NDArray[np.floating]) -> FloatArray:
        """Raw query-passage scores to 0..1, clipped below (and above: what beats identity is identical)."""
        return _rescale(raw, self.unrelated_passage, self.identical_passage)

    def sentence(self, raw: NDArray[np.floating]) -> FloatArray:
        """Raw sentence-sentence cosines to 0..1, clipped below and above."""
        return _rescale(raw, self.unrelated_sentence, self.identical_sentence)


def _rescale(raw: NDArray[np.floating], unrelated: float, identical: float) -> FloatArray:
    span = max(identical - unrelated, _SMALLEST_SPAN)
    scaled = (np.asarray(raw, dtype=np.float32) - np.float32(unrelated)) / np.float32(span)
    # nan_to_num: a third-party encoder that returns NaN for an empty text must not poison the ranking.
    return np.asarray(np.clip(np.nan_to_num(scaled, nan=0.0), 0.0, 1.0), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class TextPair:
    """One topic of the shipped set: a question, a passage, one of its statements and the same in other words."""

    language: str
    query: str
    passage: str
    sentence: str
    paraphrase: str


@lru_cache(maxsize=1)
def shipped_pairs() -> tuple[TextPair, ...]:
    """Thirty topics in Chinese and thirty in English, written for this purpose; no two share a topic."""
    data = json.loads(files("ragclean.signals.data").joinpath("pairs.json").read_text(encoding="utf-8"))
    return tuple(TextPair(language, **item) for language, items in data.items() for item in items)


def unrelated(column: Callable[[TextPair], str], other: Callable[[TextPair], str]) -> tuple[list[str], list[str]]:
    """Pairs of texts about different topics, inside one language."""
    left: list[str] = []
    right: list[str] = []
    for language in ("zh", "en"):
        topics = [pair for pair in shipped_pairs() if pair.language == language]
        for shift in UNRELATED_SHIFTS:
            for i, topic in enumerate(topics):
                left.append(column(topic))
                right.append(other(topics[(i + shift) % len(topics)]))
    return left, right


def measure_profile(encoder: SemanticEncoder) -> Profile:
    """Measure (once per fingerprint, cached in memory with a bound) on the shipped zh and en pairs.

    An encoder with a ``profile`` of its own fingerprint (the embedded one ships it) is not measured.
    """
    own = getattr(encoder, "profile", None)
    if isinstance(own, Profile) and own.fingerprint == encoder.fingerprint:
        return own
    return _MEASURED.fetch([encoder.fingerprint], lambda _: [measure(encoder)])[0]


_MEASURED: Memo[str, Profile] = Memo(_KNOWN_PROFILES)


def measure(encoder: SemanticEncoder) -> Profile:
    """Measure an encoder now, whatever is known of it."""
    pairs = shipped_pairs()
    sentences, others = unrelated(lambda p: p.sentence, lambda p: p.sentence)
    queries, passages = unrelated(lambda p: p.query, lambda p: p.passage)
    own_passages = [pair.passage for pair in pairs]
    if callable(getattr(encoder, "score", None)):
        identical_passage = np.median(_scores(encoder, own_passages, own_passages))
        unrelated_passage = np.median(_scores(encoder, queries, passages))
    else:
        identical_passage = np.median(_cosines(encoder.encode_queries(own_passages), own_passages, encoder))
        unrelated_passage = np.median(_cosines(encoder.encode_queries(queries), passages, encoder))
    return Profile(
        fingerprint=encoder.fingerprint,
        unrelated_passage=round(float(unrelated_passage), 4),
        identical_passage=round(float(identical_passage), 4),
        unrelated_sentence=round(float(np.median(_sentence_cosines(encoder, sentences, others))), 4),
        identical_sentence=1.0,
    )


def _scores(encoder: SemanticEncoder, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
    score: Callable[[str, Sequence[str]], FloatArray] = encoder.score  # type: ignore[attr-defined]
    return np.array([score(q, [t])[0] for q, t in zip(queries, texts, strict=True)], dtype=np.float32)


def _cosines(vectors: FloatArray, texts: Sequence[str], encoder: SemanticEncoder) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", vectors, encoder.encode_passages(texts)), dtype=np.float32)


def _sentence_cosines(encoder: SemanticEncoder, left: Sequence[str], right: Sequence[str]) -> FloatArray:
    return _cosines(encoder.encode_passages(left), right, encoder)
