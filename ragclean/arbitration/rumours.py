"""Pages that pass on what does not hold: a draft, a rule to come, terms of other customers, another edition's figure.

Once such a page is among the candidates, later pages of little authority with the same value are no witnesses of their
own: they report it, mostly without its reservation. Three posts about a proposed cap are three echoes of the proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.decision import Ballot, Position, consistent
from ragclean.arbitration.timing import Standing

#: Reservations that others leave out when they pass a value on.
_RESERVED = frozenset(("draft", "not_yet_in_force", "other_customers"))
#: A source above this in trust speaks for itself.
_BELIEVED = 0.6
_HEARSAY = 0.5


@dataclass(frozen=True, slots=True)
class Origin:
    """A claim that does not hold for the question, and since when it could be passed on."""

    claim: Claim
    dated: date | None
    elsewhere: bool
    """It holds for another thing: only hearsay is taken to confuse the two."""


def origins_of(
    claims: Sequence[Claim], elsewhere: Sequence[Claim], standing_of: Callable[[Claim], Standing]
) -> list[Origin]:
    """The claims with a reservation, and those about another thing."""
    found = []
    for claim in claims:
        standing = standing_of(claim)
        if _RESERVED & set(standing.notes):
            found.append(Origin(claim, standing.dated, False))
    return found + [Origin(c, standing_of(c).dated, True) for c in elsewhere]


def mark_rumours(positions: Sequence[Position], origins: Sequence[Origin]) -> list[Position]:
    """The positions with those ballots marked that only pass on what does not hold."""
    return [_marked(p, origins) for p in positions] if origins else list(positions)


def _marked(position: Position, origins: Sequence[Origin]) -> Position:
    mine = [o for o in origins if consistent(o.claim, position.ballots[0].claim)]
    if not mine or any(b.known and b.trust > _BELIEVED and b.standing.in_force for b in position.ballots):
        return position
    return replace(position, ballots=tuple(
        replace(b, stale=True, refuted=True) if any(_passes_on(b, o) for o in mine) else b for b in position.ballots
    ))  # fmt: skip


def _passes_on(ballot: Ballot, origin: Origin) -> bool:
    if origin.claim.place == ballot.claim.place or not ballot.standing.in_force:
        return False
    if origin.elsewhere and not (ballot.known and ballot.trust < _HEARSAY):
        return False
    dated = ballot.standing.dated
    return origin.dated is None or dated is None or dated >= origin.dated
