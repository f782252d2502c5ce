"""What arbitration hands to the later stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ragclean.types import Caution, Conflict

K = TypeVar("K")
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
    answering: dict[int, float] = field(default_factory=dict)
    """Passages with a value that answers the question, by the probability that it does: index -> 0..1."""
    asks_value: bool = False
    """The question asks for values alone, so that a page without one hardly answers it."""
    cautions: tuple[Caution, ...] = ()

    def about_others_only(self, indices: Sequence[int]) -> str:
        """The warning where all of some passages are about another thing than the one asked about; else empty."""
        if not indices or not all(index in self.out_of_scope for index in indices):
            return ""
        return f"no chunk about what was asked is left; {self.out_of_scope[indices[0]]}"


def merge(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict of several questions about the same passages.

    What wins or is tied for one question is lost for none; what is about another thing must be so for all of them.
    """
    if len(verdicts) == 1:
        return verdicts[0]
    winning = frozenset().union(*(v.winning_sentences for v in verdicts))
    tied = frozenset().union(*(v.tied_sentences for v in verdicts))
    needed = winning | tied
    kept = {index for index, _ in needed}
    lost = {k: w for v in verdicts for k, w in v.lost_sentences.items() if k not in needed}
    return Verdict(
        conflicts=tuple(dict.fromkeys(c for v in verdicts for c in v.conflicts)),
        lost_passages={i: w for v in verdicts for i, w in v.lost_passages.items() if i not in kept},
        lost_sentences=lost,
        winning_sentences=winning,
        tied_sentences=tied,
        out_of_scope=_shared([v.out_of_scope for v in verdicts]),
        out_of_scope_sentences={k: w for k, w in _shared([v.out_of_scope_sentences for v in verdicts]).items()
                                if k not in needed},
        outdated=_shared([v.outdated for v in verdicts]),
        front=tuple(dict.fromkeys(i for v in verdicts for i in v.front)),
        answering={i: max(v.answering.get(i, 0.0) for v in verdicts) for v in verdicts for i in v.answering},
        asks_value=all(v.asks_value for v in verdicts),
        cautions=tuple(dict.fromkeys(c for v in verdicts for c in v.cautions)),
    )


def _shared(marks: Sequence[dict[K, str]]) -> dict[K, str]:
    """The keys that all hold, with the words of the first."""
    return {k: w for k, w in marks[0].items() if all(k in other for other in marks[1:])}
