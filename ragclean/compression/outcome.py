"""What compression hands to the output guard."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ragclean.arbitration.verdict import SentenceKey, Verdict
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


def without_copies(compressed: Compressed, verdict: Verdict, pinned: frozenset[str]) -> Compressed:
    """Each text once: the copies that merging sentence by sentence has left, since they took no place in ``top_k``."""
    kept: list[KeptPassage] = []
    gone: list[Dropped] = []
    first: dict[str, str] = {}
    for k in compressed.kept:
        r = k.ranked
        if r.prepared.folded not in first or r.id in pinned or r.passage.index in verdict.front:
            first.setdefault(r.prepared.folded, r.id)
            kept.append(k)
            continue
        detail = f"the same text as {first[r.prepared.folded]}, which stays"
        gone.append(Dropped(r.id, "compress", "duplicate", detail, text=r.passage.chunk.text, score=r.signals.final))
    return replace(compressed, kept=tuple(kept), dropped=(*compressed.dropped, *gone)) if gone else compressed
