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
from ragclean.arbitration.names.equivalence import mentions, same_name, script_of
from ragclean.arbitration.names.lexicon import COUNTRIES_EN, COUNTRIES_ZH
from ragclean.arbitration.witnesses import Voice, group_copies

#: A name founds a side from this probability on.
FOUNDS = 0.45
_SECONDS = 0.13
#: A side whose surest page is this much less sure than another's states something else.
_BEHIND = 0.2
#: Names looked at: more are a list.
_MOST = 12
_MANY_TIMES, _SURE = 3, 0.7
#: Share of the smaller text found in the larger one from which two pages are copies (as for votes).
_COPY_SHARE = 0.6
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


def name_sides(claims: Sequence[Claim], strong: Callable[[Claim], bool]) -> list[list[Claim]]:
    """Group the claims of one facet by the name they state; each claim is told by its side's name."""
    ordered = sorted(claims, key=lambda c: (-c.confidence, c.key, c.written, c.page))
    founders = [c for c in ordered if strong(c) and c.confidence >= FOUNDS and c.bids and c.bids[0].firm]
    names: list[str] = []
    for c in founders:
        if not any(same_name(c.key, n) for n in names):
            names.append(c.key)
    originals = _originals(ordered)
    names = _without_companions(names[:_MOST], originals)
    groups: dict[str, list[Claim]] = {n: [] for n in names}
    for c in ordered:
        taken = side_taken(c, names)
        if taken is not None:
            groups[taken[0]].append(taken[1])
    places = {c.place for c in originals}
    voices = {n: [c for c in g if c.place in places] for n, g in groups.items()}
    lead = max((len(g) for g in voices.values()), default=0)
    heard = [groups[n] for n, g in voices.items() if g and _is_heard(g, lead)]
    surest = max((_surest(g) for g in heard), default=0.0)
    heard = [g for g in heard if _surest(g) >= surest - _BEHIND or _stated_by(g, places) > 1]
    variants = [{c.bids[0].variant for c in g} - {""} for g in heard]
    if any(a and b and not a & b for i, a in enumerate(variants) for b in variants[:i]):
        return heard[:1]  # things of one name, each with its own answer
    return heard


def side_taken(claim: Claim, names: Sequence[str]) -> tuple[str, Claim] | None:
    """Which of the names a page states, and its claim told by it; None where it speaks of several, or drops it only."""
    sides = [n for n in names if _speaks_of(claim, n)]
    told = _told_as(claim, sides[0]) if len(sides) == 1 else None
    return (sides[0], told) if told is not None else None


def _originals(claims: Sequence[Claim]) -> list[Claim]:
    """Without copies of a page that states the same name: they are one voice, however many."""
    by_name: dict[str, list[Claim]] = {}
    for c in claims:
        by_name.setdefault(c.key, []).append(c)
    found = {
        group[0].place
        for same in by_name.values()
        for group in group_copies(same, lambda c: Voice(c.page, c.bids[0].told), _COPY_SHARE)
    }
    return [c for c in claims if c.place in found]


def _stated_by(group: Sequence[Claim], places: set[int]) -> int:
    return sum(_states(c) for c in group if c.place in places)


def _surest(group: Sequence[Claim]) -> float:
    return max(c.confidence for c in group)


def _is_heard(group: Sequence[Claim], lead: int) -> bool:
    """One voice against many must be sure: on many pages something always looks like another answer."""
    needed = FOUNDS if lead < _MANY_TIMES * len(group) else _SURE
    return any(c.confidence >= needed and _states(c) for c in group)


def _states(claim: Claim) -> bool:
    """The page states its name, and does not only speak of it."""
    return claim.confidence >= FOUNDS and claim.bids[0].firm and same_name(claim.key, claim.bids[0].key)


def _without_companions(names: list[str], claims: Sequence[Claim]) -> list[str]:
    """Names, the surest first, without those that mostly stand beside a surer one on pages that speak of the matter."""
    speaking = [c for c in claims if c.bids and c.bids[0].firm]
    kept: list[str] = []
    for name in names:
        together = alone = 0
        for c in speaking:
            if _speaks_of(c, name):
                beside = any(_speaks_of(c, k) for k in kept)
                together += beside
                alone += not beside and _states(c) and same_name(c.key, name)
        if not kept or alone > together:
            kept.append(name)
    return kept


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
        claim,
        key=bid.key,
        written=bid.written,
        sentence=bid.sentence,
        sentences=bid.sentences,
        confidence=bid.confidence,
    )


def names_agree(a: Claim, b: Claim) -> bool:
    """Two claims of names do not contradict each other: one name, or a page that holds both."""
    return same_name(a.key, b.key) or _speaks_of(a, b.key) or _speaks_of(b, a.key)


def _is_country(key: str) -> bool:
    return key in COUNTRIES_ZH or key in COUNTRIES_EN


def _told(claim: Claim) -> str:
    """The sentence that states the claim's name."""
    return next((b.told for b in claim.bids if b.key == claim.key), "")


def names_comparable(a: Claim, b: Claim) -> bool:
    """They can be held against each other: in one script, countries among themselves, and of one thing.

    Films and finals of one name are told apart by their years or by the bracket behind the name.
    """
    if script_of(a.key) != script_of(b.key) or _is_country(a.key) != _is_country(b.key):
        return False
    if a.bids[0].variant and b.bids[0].variant and a.bids[0].variant != b.bids[0].variant:
        return False
    mine, theirs = (frozenset(_YEAR.findall(_told(c))) for c in (a, b))
    return not mine or not theirs or bool(mine & theirs)
