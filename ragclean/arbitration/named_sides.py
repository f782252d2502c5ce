"""Which names are sides of a conflict: what pages say together tells more than what each says alone.

A page takes the side of a name where it states it, and no other side's name stands anywhere on it: who lost the
final, who directed the sequel and who was replaced stand beside the answer on the pages that know it. Only names that
one page states surely found a side; pages that merely speak of one of them may second it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.equivalence_names import mentions, same_name
from ragclean.arbitration.named import NameBid

#: A name founds a side from this probability on; another name of the page that is nearly as sure makes it a list.
FOUNDS = 0.5
_SECONDS = 0.13
#: Names of one page closer in probability than this answer together (two authors), or cannot be told apart.
_TOGETHER = 0.08
#: Names looked at: more are a list.
_MOST = 12
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


def name_sides(claims: Sequence[Claim], strong: Callable[[Claim], bool]) -> list[list[Claim]]:
    """Group the claims of one facet by the name they state; each claim is told by its side's name."""
    ordered = sorted(claims, key=lambda c: (-c.confidence, c.key, c.written, c.page))
    founders = [c for c in ordered if strong(c) and c.confidence >= FOUNDS and c.bids and c.bids[0].related]
    names: list[str] = []
    for c in founders:
        if not any(same_name(c.key, n) for n in names):
            names.append(c.key)
    names = _without_companions(names[:_MOST], founders)
    if len(names) < 2:
        return [[c for c in founders if any(same_name(c.key, n) for n in names)]] if names else []
    groups: dict[str, list[Claim]] = {n: [] for n in names}
    for c in ordered:
        sides = [n for n in names if _speaks_of(c, n)]
        if len(sides) == 1:
            told = _told_as(c, sides[0])
            if told is not None:
                groups[sides[0]].append(told)
    return [g for g in groups.values() if any(strong(c) and c.confidence >= FOUNDS for c in g)]


def _without_companions(names: list[str], founders: Sequence[Claim]) -> list[str]:
    """Names that stand on the page of a surer one are spoken of beside it, and dispute nothing."""
    kept: list[str] = []
    for name in names:
        pages = [c for c in founders if not same_name(c.key, name)]
        beside = any(_speaks_of(c, name) for c in pages if any(same_name(c.key, n) for n in names))
        if not beside:
            kept.append(name)
    if kept:
        return kept if len(kept) > 1 else kept
    return []


def _speaks_of(claim: Claim, name: str) -> bool:
    return any(same_name(b.key, name) for b in claim.bids) or mentions(claim.page, name)


def _told_as(claim: Claim, name: str) -> Claim | None:
    """The claim as one of that name; ``None`` where the page only drops the name."""
    if same_name(claim.key, name):
        return claim
    bid = next((b for b in claim.bids if same_name(b.key, name)), None)
    if bid is None or bid.confidence < _SECONDS:
        return None
    return replace(
        claim, key=bid.key, written=bid.written, sentence=bid.sentence, sentences=bid.sentences, confidence=bid.confidence
    )


def names_agree(a: Claim, b: Claim) -> bool:
    """Two claims of names do not contradict each other: one name, or a page that holds both."""
    return same_name(a.key, b.key) or _speaks_of(a, b.key) or _speaks_of(b, a.key)


def _told(claim: Claim) -> str:
    """The sentence that states the claim's name."""
    return next((b.told for b in claim.bids if b.key == claim.key), "")


def names_comparable(a: Claim, b: Claim) -> bool:
    """They can be held against each other: not of two different years, as films and finals of one name are."""
    mine, theirs = (frozenset(_YEAR.findall(_told(c))) for c in (a, b))
    return not mine or not theirs or bool(mine & theirs)
