"""What compression hands to the output guard."""

from __future__ import annotations

from dataclasses import dataclass

from ragclean.arbitration.verdict import SentenceKey
from ragclean.prepare import RankedPassage
from ragclean.types import Caution, Dropped


@dataclass(frozen=True, slots=True)
class KeptPassage:
    """A passage of the context and the numbers of the sentences kept, in text order."""

    ranked: RankedPassage
    sentences: tuple[int, ...]
    protected: frozenset[int] = frozenset()
    also_in: dict[int, tuple[str, ...]] | None = None
    """Sentence number -> ids of chunks whose copy of it was dropped."""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Compressed:
    """The context by sentence numbers, and what went."""

    kept: tuple[KeptPassage, ...]
    dropped: tuple[Dropped, ...]
    cautions: tuple[Caution, ...] = ()
    untouchable: frozenset[SentenceKey] = frozenset()
    """Sentences that only a duplicate, a lost conflict, another scope or the token budget may remove."""
