"""Sweep: what does each setting bring in recall, and cost in degradation?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragclean.evaluation.degradation import Degradation


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One setting, run over all cases."""

    settings: Mapping[str, Any]
    """``{"top_k": 8, "admission_threshold": 0.5}``"""
    recall: float | None
    """Mean share of the gold chunks among what the model reads without noise."""
    correctness: float | None
    """Mean under v0."""
    degradation: Degradation
    """v3 against v0."""
    passages: float
    """Mean number of chunks that the model reads without noise."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """All settings of a sweep, in the order they were given."""

    points: tuple[SweepPoint, ...]
    best: int | None
    """Index of the sweet spot; None where no setting can be told from the others."""
    reason: str
    """Why it is the sweet spot, in one sentence."""
