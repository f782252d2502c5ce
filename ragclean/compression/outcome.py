"""What compression hands to the output guard."""

from __future__ import annotations

from dataclasses import dataclass

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
    kept: tuple[KeptPassage, ...]
    dropped: tuple[Dropped, ...]
    cautions: tuple[Caution, ...] = ()
