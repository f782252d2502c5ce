"""The protocols of the swappable parts: batched, numpy in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]


@runtime_checkable
class SemanticEncoder(Protocol):
    """Texts to L2-normalised float32 vectors of shape (n, d).

    May also have ``score(query, texts) -> (n,)`` where it has something better than a cosine; the result is on
    the raw scale of its *passage* profile.
    """

    @property
    def fingerprint(self) -> str: ...

    @property
    def cheap(self) -> bool:
        """True: may see every chunk and sentence. False: the shortlist only."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> FloatArray: ...

    def encode_passages(self, texts: Sequence[str]) -> FloatArray: ...


class ScoringEncoder(SemanticEncoder, Protocol):
    """An encoder with something better than a cosine (the embedded one matches word by word)."""

    def score(self, query: str, texts: Sequence[str]) -> FloatArray: ...


@runtime_checkable
class JudgeScorer(Protocol):
    """Does the text directly answer the query? (n,) in 0..1; NaN for a pair without a score: the embedded judge's
    stands in for it, with a caution. An error says that there is no score at all."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def cheap(self) -> bool: ...

    def score_pairs(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray: ...


@runtime_checkable
class KeywordAnalyzer(Protocol):
    """Share of the query's informative terms that each text holds, weighted by rarity; (n,) in 0..1."""

    @property
    def fingerprint(self) -> str: ...

    def hit_ratio(self, query: str, texts: Sequence[str]) -> FloatArray: ...
