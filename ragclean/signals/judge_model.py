"""The fitted numbers of the embedded judge: linear models over named features."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragclean.signals.base import FloatArray
from ragclean.signals.judge_features import matrix

#: A feature counts up to this many of its standard deviations: an odd text must not outweigh everything else.
_FARTHEST = 5.0


@dataclass(frozen=True, slots=True)
class LinearModel:
    """``bias + weights @ clip((features - means) / scales)``, read through a sigmoid as a probability."""

    names: tuple[str, ...]
    means: NDArray[np.float32]
    scales: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: float

    def logit(self, found: Mapping[str, FloatArray]) -> FloatArray:
        """(s,) log-odds from the named features, (s,) each."""
        x = np.clip((matrix(dict(found), self.names) - self.means) / self.scales, -_FARTHEST, _FARTHEST)
        # Not by BLAS: the product is small, and its threads wait on each other on a busy machine.
        return np.asarray(np.einsum("ij,j->i", x, self.weights) + np.float32(self.bias), np.float32)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LinearModel:
        """From the JSON of :meth:`to_dict`."""
        rows = data["features"]
        means, scales, weights = (
            np.array([row[key] for row in rows.values()], np.float32) for key in ("mean", "scale", "weight")
        )
        return cls(tuple(rows), means, scales, weights, float(data["bias"]))

    def to_dict(self) -> dict[str, Any]:
        """Numbers by feature, rounded to what matters."""
        rows = zip(self.names, self.means, self.scales, self.weights, strict=True)
        features = {
            n: {"mean": round(float(m), 4), "scale": round(float(s), 4), "weight": round(float(w), 4)}
            for n, m, s, w in rows
        }
        return {"bias": round(self.bias, 4), "features": features}


def probability(logits: FloatArray) -> FloatArray:
    """Log-odds as probabilities, without overflow at either end."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)), np.float32)


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """What was fitted, with the checksum that the judge's fingerprint carries."""

    sentence: LinearModel
    """Does the sentence answer? From the text and the question alone."""
    passage: LinearModel
    """Does the passage answer, by its best sentence? Beside the other passages of the query."""
    absence: LinearModel
    """Is the answer in none of the passages?"""
    checksum: str


@lru_cache(maxsize=1)
def embedded_model() -> JudgeModel:
    """The model that ships, read once."""
    raw = files("ragclean.models").joinpath("judge", "weights.json").read_bytes()
    data = json.loads(raw)
    checksum = hashlib.sha256(raw).hexdigest()[:16]
    sentence, passage, absence = (LinearModel.from_dict(data[name]) for name in ("sentence", "passage", "absence"))
    return JudgeModel(sentence, passage, absence, checksum)
