"""What a decision means for the passages and sentences: who is lost, who is tied, and the conflict as it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from ragclean.arbitration.claims import HEARSAY, Claim
from ragclean.arbitration.decision import (
    Outcome,
    Position,
)
from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.verdict import SentenceKey, Verdict
from ragclean.arbitration.wording import explain, notes_of, value_of
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.types import Caution, Conflict, Side, Witness

#: Independent witnesses of a side that go to the front of an unresolved conflict.
_FRONT_PER_SIDE = 2
#: A page of unknown origin stays where this share of it is something else than the losing sentences.
_MUCH_ELSE = 0.4
#: A sentence that scores this share of the losing one's is worth keeping by itself.
_WORTH_SHARE = 0.9
_SCOPE_WORDS = {
    "other": ("说的是另一个对象", "about another thing"),
    "scope": ("适用于另一类对象", "for another group"),
    "version": ("说的是另一个版本", "about another version"),
    "year": ("说的是另一年", "about another year"),
}


@dataclass(slots=True)
class Book:
    """Decisions as they are made, frozen into a verdict at the end."""

    conflicts: list[Conflict] = field(default_factory=list)
    lost_passages: dict[int, str] = field(default_factory=dict)
    lost_sentences: dict[SentenceKey, str] = field(default_factory=dict)
    winning: set[SentenceKey] = field(default_factory=set)
    tied: set[SentenceKey] = field(default_factory=set)
    out: dict[int, str] = field(default_factory=dict)
    out_sentences: dict[SentenceKey, str] = field(default_factory=dict)
    outdated: dict[int, str] = field(default_factory=dict)
    front: list[int] = field(default_factory=list)
    answering: dict[int, float] = field(default_factory=dict)
    asks_value: bool = False
    cautions: list[Caution] = field(default_factory=list)

    def verdict(self) -> Verdict:
        losing = {k: w for k, w in self.lost_sentences.items() if k not in self.winning and k not in self.tied}
        return Verdict(
            tuple(self.conflicts), self.lost_passages, losing, frozenset(self.winning),
            frozenset(self.tied), self.out, self.out_sentences, self.outdated, tuple(dict.fromkeys(self.front)),
            self.answering, self.asks_value, tuple(self.cautions),
        )

def _latest(position: Position) -> date | None:
    """The newest date of a side of which every page is dated."""
    dates = [b.standing.dated for b in position.ballots]
    return max((d for d in dates if d is not None), default=None) if None not in dates else None


def split_tie(
    outcome: Outcome, changes: bool, config: CorrectorConfig
) -> tuple[list[Position], list[Position]]:
    """The sides that are level with the first, and those that lose to all of them for their age, standing or source."""
    level_with: list[Position] = []
    beaten: list[Position] = []
    first = outcome.positions[0].weight
    ahead = [_latest(p) for p in outcome.positions[:2]]
    for p in outcome.positions:
        behind = (first - p.weight) >= config.margin_min * (first + p.weight)
        mine = _latest(p)
        older = changes and mine is not None and all(d is not None and mine < d for d in ahead)
        out = older or all(
            b.stale or not b.standing.in_force or (b.known and b.trust < HEARSAY) for b in p.ballots
        )
        (beaten if behind and out and len(outcome.positions) > 2 else level_with).append(p)
    if len(level_with) == 1:
        # One side alone is no open question: the runner-up is shown beside it.
        level_with.append(outcome.positions[1])
        beaten = [p for p in beaten if p is not outcome.positions[1]]
    return level_with, beaten


def why_beaten(position: Position) -> Literal["time", "source"]:
    """Why a side goes while others are level: by hearsay alone, or by age."""
    hearsay = all(b.known and b.trust < HEARSAY for b in position.ballots)
    return "source" if hearsay else "time"


def record_tie(tied: Sequence[Position], conflict: Conflict, passages: Sequence[RankedPassage], book: Book) -> None:
    """Put the sides of an unresolved conflict in front, their sentences untouchable, and say so."""
    leads = [[b.claim for b in p.ballots[:_FRONT_PER_SIDE]] for p in tied]
    for rank in range(_FRONT_PER_SIDE):
        book.front += [passages[side[rank].place].passage.index for side in leads if rank < len(side)]
    for p in tied:
        for c in p.claims:
            book.tied.update((passages[c.place].passage.index, s) for s in c.sentences)
    book.cautions.append(Caution("unresolved_conflict", conflict.explanation))


def record_loss(
    position: Position,
    words: str,
    all_claims: Iterable[Claim],
    passages: Sequence[RankedPassage],
    config: CorrectorConfig,
    book: Book,
) -> None:
    """Take a losing side out: its sentences, or the passage where little else is in it."""
    by_place: dict[int, set[int]] = {}
    for c in position.claims:
        by_place.setdefault(c.place, set()).update(c.sentences)
    for place, losing in by_place.items():
        r = passages[place]
        index = r.passage.index
        lost = {(c.facet, c.key) for c in position.claims if c.place == place}
        others = any(c.place == place and (c.facet, c.key) not in lost for c in all_claims)
        if config.conflict_policy == "demote" or not (others or _worth_keeping(r, losing, config)):
            book.lost_passages[index] = words
        else:
            for s in losing:
                book.lost_sentences[(index, s)] = words


def _worth_keeping(r: RankedPassage, losing: set[int], config: CorrectorConfig) -> bool:
    """The chunk holds another sentence that says about as much for the question as the losing one.

    A page of unknown origin keeps the rest of its text more easily: nothing but one sentence speaks against it.
    """
    scores = r.sentence_scores
    best_lost = max((float(scores[s]) for s in losing if s < len(scores)), default=1.0)
    bar = max(config.admission_threshold, _WORTH_SHARE * best_lost)
    if not r.passage.trust_known:
        left = sum(
            len(text) for s, text in enumerate(r.prepared.folded_sentences) if s not in losing
        )
        if left >= _MUCH_ELSE * len(r.prepared.folded):
            return True
        bar = config.sentence_threshold
    return any(
        float(score) >= bar and r.prepared.sentences[s].kind not in ("heading", "table_header", "table_rule")
        for s, score in enumerate(scores)
        if s not in losing
    )


def conflict_of(
    facet: FacetFocus, outcome: Outcome, passages: Sequence[RankedPassage], lang: str, gone: Mapping[str, str]
) -> Conflict:
    """The conflict as the result tells it."""
    sides = {p.key: _side(p, passages) for p in outcome.positions}
    return Conflict(
        slot=facet.slot,
        sides=tuple(sides.values()),
        winner=sides[outcome.winner.key] if outcome.winner else None,
        margin=round(outcome.margin, 4),
        reason=outcome.reason,
        kind=facet.kind,
        explanation=explain(facet.slot, outcome, lang, gone),
    )


def _side(position: Position, passages: Sequence[RankedPassage]) -> Side:
    witnesses = tuple(
        Witness(
            chunk_id=b.ranked.id,
            weight=round(b.weight, 4),
            trust=b.trust,
            time_factor=round(b.standing.factor, 4),
            relevance=round(b.relevance, 4),
            copies=tuple(passages[c.place].id for c in b.copies),
            notes=(*notes_of(b), *(("stale",) if b.stale else ())),
        )
        for b in position.ballots
    )
    sentences = tuple(dict.fromkeys(
        passages[b.claim.place].prepared.sentence_texts[b.claim.sentence] for b in position.ballots
    ))
    return Side(value_of(position), position.key, witnesses, round(position.weight, 4), sentences)


def scope_words(reason: str, lang: str) -> str:
    """Why a passage is about something else, in the question's language."""
    kind, _, what = reason.partition(":")
    zh, en = _SCOPE_WORDS[kind]
    return f"{zh}：{what}" if lang == "zh" else f"{en}: {what}"
