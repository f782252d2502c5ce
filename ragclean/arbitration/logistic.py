"""The logistic models of arbitration: weighted signs, added up, as a probability."""

from __future__ import annotations

import math
from collections.abc import Mapping

#: Beyond it a probability differs from 0 or 1 by less than 1e-13; without it ``exp`` overflows at 710.
_FAR = 30.0


def logistic(bias: float, weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    """The probability, 0..1, that a logistic model gives to ``signs``; each must have a weight.

    Raises:
        KeyError: for a sign without a weight.
    """
    x = bias + sum(weights[name] * sign for name, sign in signs.items())
    return 1.0 / (1.0 + math.exp(-max(-_FAR, min(_FAR, x))))
