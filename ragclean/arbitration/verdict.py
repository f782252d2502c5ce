"""What arbitration hands to the later stages."""

from __future__ import annotations

from dataclasses import dataclass, field

from ragclean.types import Caution, Conflict

SentenceKey = tuple[int, int]
"""(``Passage.index``, sentence number in ``prepared.sentences``)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Decisions by passage index and sentence number; everything absent is untouched."""

    conflicts: tuple[Conflict, ...] = ()
    lost_passages: dict[int, str] = field(default_factory=dict)
    """Whole passages to drop (policy ``drop``) or to send to the end (``demote``): index -> words."""
    lost_sentences: dict[SentenceKey, str] = field(default_factory=dict)
    """Losing sentences of passages that stay for other things they hold."""
    winning_sentences: frozenset[SentenceKey] = frozenset()
    """Sentences that carry the winner's claim: untouchable for compression."""
    tied_sentences: frozenset[SentenceKey] = frozenset()
    """Sentences of unresolved sides: untouchable, and their passages go to the front."""
    out_of_scope: dict[int, str] = field(default_factory=dict)
    """Passages about another thing (model, region, year, audience): index -> words."""
    out_of_scope_sentences: dict[SentenceKey, str] = field(default_factory=dict)
    outdated: dict[int, str] = field(default_factory=dict)
    """Passages that are expired, not yet in force, or replaced by a newer version among the candidates: index -> words.
    They stand behind the others, whether or not they disagree with them."""
    front: tuple[int, ...] = ()
    """Passages of unresolved sides, in the order to put them side by side at the front."""
    cautions: tuple[Caution, ...] = ()
