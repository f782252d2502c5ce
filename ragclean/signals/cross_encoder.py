"""Any CrossEncoder that sentence-transformers opens, as the judge (extra ``sentence-transformers``)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ragclean.memo import Memo
from ragclean.signals.base import FloatArray
from ragclean.signals.hub import model_fingerprint, opened
from ragclean.signals.model_text import model_text, text_key

#: Scores kept: one number a pair.
_CACHED_SCORES = 65_536
#: What a transformer of 512 tokens can see of a text, with room to spare.
_LONGEST_TEXT = 8_000


class CrossEncoderJudge:
    """Reads query and text together; slow and good, so it sees the shortlist only.

    A model with one output is read through a sigmoid, one with two outputs (no, yes) through a softmax.

    Args:
        model: a hub's name, a folder, or a ``CrossEncoder``.
        allow_download: whether a hub may be asked for a model that is not on this machine.
        device: as sentence-transformers takes it; its own choice where left out.

    Raises:
        ImportError: the package is missing; the message has the pip line.
        OSError: the model cannot be had; the message says why.
        ValueError: the model has more than two outputs, so it is no relevance judge.
    """

    cheap = False

    def __init__(
        self, model: str | os.PathLike[str] | Any, *, allow_download: bool = True, device: str | None = None
    ) -> None:
        given, self._model = opened(model, "CrossEncoder", device=device, allow_download=allow_download)
        name = type(model).__name__ if given is None else given
        outputs = int(self._model.config.num_labels)
        if outputs > 2:
            raise ValueError(f"model {name!r} has {outputs} outputs; a relevance judge has one, or two (no, yes)")
        self.fingerprint = f"cross-encoder:{model_fingerprint(name, self._model)}"
        self._scores: Memo[bytes, float] = Memo(_CACHED_SCORES)

    def __getstate__(self) -> dict[str, Any]:
        """Without the scores that it remembers, which stand behind a lock."""
        return {k: v for k, v in self.__dict__.items() if k != "_scores"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._scores = Memo(_CACHED_SCORES)

    def score_pairs(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """(n,) float32 in 0..1; 0 for a blank query or text."""
        if len(queries) != len(texts):
            raise ValueError(f"queries and texts differ in number: {len(queries)} and {len(texts)}")
        pairs = {text_key(q, t): (q, t) for q, t in zip(queries, texts, strict=True)}
        keys = [text_key(q, t) for q, t in zip(queries, texts, strict=True)]
        scores = self._scores.fetch(keys, lambda missing: self._run([pairs[k] for k in missing]))
        return np.array(scores, dtype=np.float32)

    def _run(self, pairs: list[tuple[str, str]]) -> list[float]:
        out = np.zeros(len(pairs), dtype=np.float64)
        filled = [i for i, (query, text) in enumerate(pairs) if query.strip() and text.strip()]
        if filled:
            from torch.nn import Identity

            given = [tuple(model_text(part, _LONGEST_TEXT) for part in pairs[i]) for i in filled]
            # Without the model's own activation, so that a model that declares none (ms-marco) and one that
            # declares a sigmoid (bge-reranker) come out alike.
            raw = self._model.predict(given, activation_fn=Identity(), show_progress_bar=False, convert_to_numpy=True)
            out[filled] = _to_unit(np.asarray(raw, dtype=np.float64))
        return [float(value) for value in out]


def _to_unit(raw: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """One logit: sigmoid. Two: the second's softmax, which is a sigmoid of their difference."""
    logits = raw[:, 1] - raw[:, 0] if raw.ndim == 2 and raw.shape[1] == 2 else raw.reshape(len(raw))
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)))
