"""Votes and the margin: sides of one slot, what each weighs, who wins and by what.

The rule, in order:

1. A source above one half in trust weighs its log-odds ln(t / (1 - t)), times age, times relevance; independent ones
   add up. Sources of one half and below weigh a little each, up to a bound, so that no number of hearsay pages
   outvotes one trusted page. Where no source above one half takes part, all weigh alike but for age and relevance:
   two witnesses against one decide.
2. A page that is expired, withdrawn, superseded, a draft or not yet in force keeps next to nothing of its vote.
3. For what changes: of pages of comparable trust the newest says what holds now. All earlier witnesses of other
   values lose most of their vote, however many they are: they were written before the change.
4. The winner must lead the runner-up by ``margin_min`` of both votes (``margin_known`` where trust is known), else
   the conflict is unresolved. One witness
   against one without known trust is decided by a clear difference of date, where the matter changes at all. Where
   trust and number are level, trusted pages that are all a year or more newer than all others decide the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.lateness import clearly_newest, later_by_years, mark_stale
from ragclean.arbitration.names.sides import name_sides, names_agree, names_comparable
from ragclean.arbitration.stances.reading import go_together, of_one_question
from ragclean.arbitration.timing import Standing
from ragclean.arbitration.voices import voice_weight
from ragclean.arbitration.witnesses import Voice, group_copies
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.text.units import COUNT_SYNONYM, GENERIC_COUNT
from ragclean.text.values import Value, agrees, same_value
from ragclean.types import ConflictReason

#: Log-odds are taken of trust up to here: nobody is beyond doubt.
_TRUST_MAX = 0.98
#: What a source of trust one half weighs beside trusted ones, and what all of a side's such sources weigh at most.
_LOW_WEIGHT = 0.2
_LOW_CAP = 0.6
#: A side of hearsay alone (below one half) has at most this share of a trusted side's vote.
_HEARSAY_SHARE = 0.5
#: Relevance makes a vote this much weaker at most; it must not break a tie by itself.
_RELEVANCE_FLOOR = 0.8
_DATE_PARTS = 3
#: Valid trusted witnesses by which a side must lead to win by their number.
_MAJORITY = 2
#: Difference in trust from which the source is the reason.
_TRUST_GAP = 0.2


@dataclass(frozen=True, slots=True)
class Ballot:
    """One witness: the most original of a group of copies, and what its vote weighs."""

    claim: Claim
    ranked: RankedPassage
    standing: Standing
    relevance: float
    copies: tuple[Claim, ...] = ()
    weight: float = 0.0
    stale: bool = False
    refuted: bool = False
    """Another page says that what it says is wrong, or does not hold for who asks."""

    @property
    def trust(self) -> float:
        return self.ranked.passage.trust

    @property
    def known(self) -> bool:
        return self.ranked.passage.trust_known

    @property
    def trusted(self) -> bool:
        return self.trust > 0.5 and self.standing.in_force


@dataclass(frozen=True, slots=True)
class Position:
    """One value with its ballots."""

    key: str
    ballots: tuple[Ballot, ...]
    weight: float = 0.0

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(c for b in self.ballots for c in (b.claim, *b.copies))

    @property
    def lead(self) -> Ballot:
        return self.ballots[0]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision on one slot."""

    positions: tuple[Position, ...]
    """Heaviest first."""
    winner: Position | None
    margin: float
    reason: ConflictReason


def comparable(a: Claim, b: Claim) -> bool:
    """Values that can be held against each other: of one kind, in units that measure the same."""
    if a.bids and b.bids:
        return names_comparable(a, b)
    if a.value is None or b.value is None:
        return a.value is None and b.value is None and of_one_question(a.stance, b.stance, a.actions, b.actions)
    if a.value.kind == b.value.kind == "money" and 0 in (_limit(a.value), _limit(b.value)):
        return True  # nothing is nothing in any currency
    return measure_alike(a.value, b.value) and not _unrelated_dates(a.value, b.value)


def measure_alike(a: Value, b: Value) -> bool:
    """Two values measure the same, whatever they say."""
    return _family(a) == _family(b)


def _unrelated_dates(a: Value, b: Value) -> bool:
    """The one tells the day and the other the year: nothing in them can be compared."""
    days = len(a.parts) == len(b.parts) == _DATE_PARTS and a.kind == b.kind == "date"
    return days and not any(x and y for x, y in zip(a.parts, b.parts, strict=True))


def consistent(a: Claim, b: Claim) -> bool:
    """The claims do not contradict each other."""
    if a.bids and b.bids:
        return names_agree(a, b)
    if a.value is None or b.value is None:
        return go_together(a.stance, b.stance, a.actions, b.actions)
    return values_consistent(a.value, b.value)


def values_consistent(a: Value, b: Value) -> bool:
    """Equal, or a point inside a range, or a range inside another.

    Bounds are compared by their limit, whatever they leave open: 'within 24 hours' contradicts '48 hours', though
    both could be true of one case. Only an estimate (usually, about) agrees with a bound that holds it.
    """
    if same_value(a, b):
        return True
    if _unrelated_dates(a, b):
        return False
    if a.kind == "date" and b.kind == "date":
        return agrees(a, b) or _is_end_of(a, b) or _is_end_of(b, a)
    if _one_sided(a) and _one_sided(b) and a.unit == b.unit and _limit(a) == _limit(b):
        return True  # 'at least 48 hours before' and 'no later than 48 hours before' are one rule
    if _one_sided(a) or _one_sided(b):
        return (a.approximate or b.approximate) and agrees(a, b)
    if _is_range(a) and _is_range(b):
        return agrees(a, b) and (_holds(a, b) or _holds(b, a))
    return agrees(a, b)


def _is_end_of(point: Value, span: Value) -> bool:
    """A day that is the first or the last of a span of days: an event's date told in short."""
    if len(point.parts) != _DATE_PARTS or len(span.parts) != 2 * _DATE_PARTS or not all(point.parts[1:]):
        return False
    ends = (span.parts[:_DATE_PARTS], span.parts[_DATE_PARTS:])
    return any(
        e[1:] == point.parts[1:] and (e[0] == point.parts[0] or not e[0] or not point.parts[0]) for e in ends
    )


def _limit(v: Value) -> float | None:
    return v.low if v.low is not None else v.high


def _one_sided(v: Value) -> bool:
    return (v.low is None) != (v.high is None)


def _is_range(v: Value) -> bool:
    return v.low is not None and v.high is not None and v.low != v.high


def _holds(a: Value, b: Value) -> bool:
    if a.low is None or a.high is None or b.low is None or b.high is None or a.unit != b.unit:
        return False
    return a.low <= b.low and b.high <= a.high


def _family(v: Value) -> tuple[str, str]:
    """What a value measures: values of two families say nothing about each other."""
    if v.kind in ("duration", "percent", "date", "time", "version"):
        return v.kind, ""
    if v.kind == "number" or (v.kind == "count" and v.unit in GENERIC_COUNT):
        return "number", ""
    if v.kind == "count":
        return "count", COUNT_SYNONYM.get(v.unit, v.unit)
    return v.kind, v.unit


def take_positions(claims: Sequence[Claim], strong: Callable[[Claim], bool]) -> list[list[Claim]]:
    """Group the claims of one facet by what they say.

    Strong claims make positions; weak ones only join one. A range joins the one position it holds; a claim that fits
    several takes no side.
    """
    if any(c.bids for c in claims):
        return name_sides(claims, strong)
    ordered = sorted(claims, key=lambda c: (not _is_point(c), -c.confidence, c.key))
    positions: list[list[Claim]] = []
    for claim in (c for c in ordered if strong(c)):
        homes = [p for p in positions if consistent(p[0], claim)]
        if len(homes) == 1:
            homes[0].append(claim)
        elif not homes:
            positions.append([claim])
    for claim in (c for c in ordered if not strong(c)):
        homes = [p for p in positions if consistent(p[0], claim)]
        if len(homes) == 1:
            homes[0].append(claim)
    return positions


def _is_point(claim: Claim) -> bool:
    return claim.value is None or bool(claim.value.parts) or claim.value.is_point


def ballots_of(
    claims: Sequence[Claim],
    passages: Sequence[RankedPassage],
    standing_of: Callable[[Claim], Standing],
    top: float,
    config: CorrectorConfig,
) -> tuple[Ballot, ...]:
    """One ballot per independent witness; a group of copies speaks through its most original member."""

    def originality(c: Claim) -> tuple[float, date, str, int]:
        p = passages[c.place].passage
        return -p.trust, p.dated or date.max, p.prepared.folded, c.sentence

    def voice(c: Claim) -> Voice:
        prepared = passages[c.place].prepared
        return Voice(prepared.folded, prepared.folded_sentences[c.sentence])

    ballots = []
    for group in group_copies(sorted(claims, key=originality), voice, config.copy_containment):
        first = group[0]
        relevance = _RELEVANCE_FLOOR + (1 - _RELEVANCE_FLOOR) * min(1.0, passages[first.place].signals.final / top)
        ballots.append(Ballot(first, passages[first.place], standing_of(first), relevance, group[1:]))
    return tuple(ballots)


def decide(
    positions: Sequence[Position], changes: bool, config: CorrectorConfig, *, reissued: bool = False
) -> Outcome:
    """Weigh the positions against each other.

    ``reissued``: the sides are one text in several editions, so that date alone decides by the smaller margin.
    """
    marked = mark_stale(positions, changes, config)
    plain = not any(b.trusted for p in marked for b in p.ballots)
    # One witness against one stays open, however differently they speak.
    voiced = plain and any(len(p.ballots) > 1 for p in marked)
    weighed = [_weigh(p, plain, voiced, config) for p in marked]
    if not plain and config.vote == "log_odds":
        best = max(p.weight for p in weighed if any(b.trusted for b in p.ballots))
        weighed = [
            replace(p, weight=min(p.weight, _HEARSAY_SHARE * best)) if all(b.trust < 0.5 for b in p.ballots) else p
            for p in weighed
        ]
    weighed.sort(key=lambda p: (-p.weight, p.key))
    first, second = weighed[0], weighed[1]
    total = first.weight + second.weight
    margin = (first.weight - second.weight) / total if total > 0 else 0.0
    if margin >= (config.margin_min if plain or reissued or _plain_case(first, second) else config.margin_known):
        return Outcome(tuple(weighed), first, margin, _reason(first, weighed[1:]))
    if plain and changes:
        newest = clearly_newest(weighed)
        if newest is not None and len(newest.ballots) >= max(len(p.ballots) for p in weighed):
            rest = [p for p in weighed if p is not newest]
            return Outcome((newest, *rest), newest, margin, "time")
    later = None if plain else later_by_years(weighed, config)
    if later is not None:
        return Outcome((later, *(p for p in weighed if p is not later)), later, margin, "time")
    return Outcome(tuple(weighed), None, margin, "tie")


def _plain_case(first: Position, second: Position) -> bool:
    """Trust or date alone does not decide: the winner has a clear majority of valid trusted witnesses, or a page that
    says it replaces what was."""
    mine = [b for b in first.ballots if b.trusted and not b.stale]
    theirs = [b for b in second.ballots if b.trusted and not b.stale]
    replaces = any(b.standing.replaces for b in mine)
    return len(mine) - len(theirs) >= _MAJORITY or replaces


def _weigh(position: Position, plain: bool, voiced: bool, config: CorrectorConfig) -> Position:
    ballots = []
    trusted = low = stale = 0.0
    for b in position.ballots:
        factor = b.standing.factor * b.relevance * (config.stale_factor if b.stale else 1.0)
        if b.refuted:
            factor *= config.stale_factor
        if config.vote == "sum":
            weight = b.trust * factor
            trusted += weight
        elif plain:
            weight = max(b.trust, 0.1) / 0.5 * factor
            if voiced and not b.known:
                weight *= voice_weight(b.ranked.prepared.folded)
            trusted += weight
        elif b.trust > 0.5:
            trust = min(b.trust, _TRUST_MAX)
            weight = max(_LOW_WEIGHT, math.log(trust / (1 - trust))) * factor
            if b.stale:
                # All written before the change: together they say no more than one of them.
                stale = max(stale, weight)
            else:
                trusted += weight
        else:
            weight = _LOW_WEIGHT * b.trust / 0.5 * factor
            low += weight
        ballots.append(replace(b, weight=weight))
    ballots.sort(key=lambda b: (-b.weight, b.ranked.prepared.folded))
    return replace(position, ballots=tuple(ballots), weight=trusted + stale + min(low, _LOW_CAP))


def _reason(winner: Position, losers: Sequence[Position]) -> ConflictReason:
    """What separates the winner from each loser, in one word."""
    reasons = {_one_reason(winner, loser) for loser in losers}
    return reasons.pop() if len(reasons) == 1 else "mixed"


def _one_reason(winner: Position, loser: Position) -> ConflictReason:
    if any(b.standing.replaces == "applies" and b.standing.in_force for b in winner.ballots):
        return "scope"
    best = max(b.trust for b in winner.ballots)
    other = max(b.trust for b in loser.ballots)
    if not any(b.standing.in_force for b in loser.ballots) and any(b.standing.in_force for b in winner.ballots):
        return "time"
    if best - other >= _TRUST_GAP:
        return "source"
    if any(b.stale for b in loser.ballots):
        return "time"
    if len(winner.ballots) > len(loser.ballots):
        return "votes"
    return "time" if winner.lead.standing.factor > loser.lead.standing.factor else "source"
