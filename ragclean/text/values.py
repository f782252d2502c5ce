"""Values with offsets, normalised: durations, dates, money, percentages, counts, versions, sizes, plain numbers."""

from __future__ import annotations

from ragclean.text.value import Value, ValueKind, agrees, canonical, same_value, size_ratio
from ragclean.text.value_reader import find_values

__all__ = ["Value", "ValueKind", "agrees", "canonical", "find_values", "same_value", "size_ratio"]
