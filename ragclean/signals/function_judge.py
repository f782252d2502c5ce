"""A user's function as judge."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragclean.signals.base import FloatArray

logger = logging.getLogger(__name__)


class FunctionJudge:
    """A user's function as judge: ``fn(query, text) -> float`` or, batched, ``fn(queries, texts) -> (n,)``.

    Args:
        fn: returns scores in 0..1; anything outside is clamped, with a warning in the log. NaN says that there is no
            score for the pair, and so does an error of a function that is not batched, unless all pairs fail.
        fingerprint: changes whenever the function's scores may.
        cheap: True if it may see every chunk, False for the shortlist only.
        batched: the function takes two lists and returns a sequence of the same length.
    """

    def __init__(
        self, fn: Callable[..., object], fingerprint: str, *, cheap: bool = False, batched: bool = False
    ) -> None:
        if not callable(fn):
            raise TypeError(f"FunctionJudge: expected a function, got {type(fn).__name__}")
        if not isinstance(fingerprint, str):
            raise TypeError(f"FunctionJudge: the fingerprint must be a string, got {type(fingerprint).__name__}")
        if not fingerprint:
            raise ValueError("FunctionJudge: the fingerprint must not be empty, it is part of every cache key")
        self._fn, self.cheap, self.fingerprint, self._batched = fn, cheap, fingerprint, batched

    def score_pairs(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """(n,) in 0..1.

        Raises:
            ValueError: the sequences differ in length, or the function returned something of another shape or no
                numbers.
            Exception: what the function itself raised, where it raised for every pair.
        """
        scores = self.unclamped(queries, texts)
        outside = int(((scores < 0) | (scores > 1)).sum())
        if outside:
            logger.warning("judge %s: %d of %d scores outside 0..1, clamped", self.fingerprint, outside, len(scores))
        return np.clip(scores, 0.0, 1.0).astype(np.float32)

    def unclamped(self, queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
        """(n,) as the function gave them, on whatever scale; raises as :meth:`score_pairs` does."""
        if len(queries) != len(texts):
            raise ValueError(f"score_pairs: {len(queries)} queries for {len(texts)} texts")
        if self._batched:
            raw = self._fn(list(queries), list(texts)) if texts else []
        else:
            raw = self._one_by_one(queries, texts)
        return self._checked(raw, len(texts))

    def _one_by_one(self, queries: Sequence[str], texts: Sequence[str]) -> list[object]:
        raw: list[object] = []
        errors: list[Exception] = []
        for query, text in zip(queries, texts, strict=True):
            try:
                raw.append(self._fn(query, text))
            except Exception as error:
                raw.append(np.nan)
                errors.append(error)
        if errors:
            if len(errors) == len(texts):
                raise errors[0]
            # The kind alone of an error whose message cannot be had, as user's ones may raise there.
            logger.warning("judge %s: failed for %d of %d pairs, the first: %s",
                           self.fingerprint, len(errors), len(texts), _shown(errors[0]))  # fmt: skip
        return raw

    def _checked(self, raw: object, n: int) -> NDArray[np.float64]:
        try:
            scores = np.asarray(raw, np.float64)
        except (TypeError, ValueError, OverflowError) as e:
            raise ValueError(f"judge {self.fingerprint}: expected {n} numbers, got {type(raw).__name__} ({e})") from e
        if scores.shape != (n,):
            raise ValueError(f"judge {self.fingerprint}: expected scores of shape ({n},), got {scores.shape}")
        return scores


def _shown(error: Exception) -> str:
    try:
        return ascii(error)[:200]
    except Exception:
        return type(error).__name__
