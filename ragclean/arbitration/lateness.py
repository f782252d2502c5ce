"""What a later page does to earlier ones: outdates, replaces or corrects them, or breaks a tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from ragclean.arbitration.voices import voice_weight
from ragclean.config import CorrectorConfig

if TYPE_CHECKING:
    from ragclean.arbitration.decision import Ballot, Position

#: Days by which the one must be newer to decide one witness against one.
_CLEAR_DAYS = 30
#: ... and by which all pages of a side must be newer to decide what does not change.
_A_YEAR = 365
#: ... several of them: one later page alone may as well be the wrong one.
_SEVERAL = 2
#: Difference in trust up to which a page is believed that corrects another.
_CORRECTOR_GAP = 0.4


def mark_stale(positions: Sequence[Position], changes: bool, config: CorrectorConfig) -> list[Position]:
    """Once a page of comparable trust says otherwise later, the earlier witnesses of other values are stale.

    What does not change is not outdated by a later page, but still by one that corrects it.
    """
    replacing = _replacing(positions, config)
    if replacing is not None:
        return [p if p is replacing[0] else _stale_before(p, replacing[1], undated=True) for p in positions]
    if not changes:
        return list(positions)
    known = [b for p in positions for b in p.ballots if b.trusted]
    if not known:
        return list(positions)
    best = max(b.trust for b in known)
    newest: list[date | None] = []
    for p in positions:
        dates = [
            b.standing.dated
            for b in p.ballots
            if b.trusted and b.standing.dated is not None and b.trust >= best - config.comparable_trust
        ]
        newest.append(max(dates) if dates else None)
    stated = [d for d in newest if d is not None]
    if len(stated) < 2:
        return list(positions)
    last = max(stated)
    if stated.count(last) > 1:
        return list(positions)
    return [
        p if mine == last else _stale_before(p, last, undated=False)
        for p, mine in zip(positions, newest, strict=True)
    ]


def _replacing(positions: Sequence[Position], config: CorrectorConfig) -> tuple[Position, date | None] | None:
    """The one position with a page that says it replaces what was, or that what another page says is wrong.

    It must be as trusted as any; who corrects may be less, since errors of official pages are found by the staff.
    With it comes the latest date of such a page: a correction counts against undated pages and later copies of the
    error as well.
    """
    best = max(b.trust for p in positions for b in p.ballots)
    gap = {"applies": 1.0, "corrects": _CORRECTOR_GAP, "supersedes": config.comparable_trust,
           "effective": config.comparable_trust}  # fmt: skip
    for kind in gap:
        found = [
            (p, b.standing.dated if kind in ("supersedes", "effective") else date.max)
            for p in positions
            for b in p.ballots
            if b.standing.in_force and b.standing.replaces == kind and b.trust >= best - gap[kind]
            and (b.trust > 0.5 or not b.known)
        ]
        if len({id(p) for p, _ in found}) == 1:
            return max(found, key=lambda f: f[1] or date.min)
    return None


def _stale_before(position: Position, day: date | None, *, undated: bool) -> Position:
    """Mark the ballots that were cast before ``day``; without a date, by ``undated``.

    Where another page replaces what was (``undated``), what somebody says in passing later on is no news either.
    """

    def is_stale(b: Ballot) -> bool:
        if undated and not b.known and voice_weight(b.ranked.prepared.folded) <= 1.0:
            return True
        return undated if day is None or b.standing.dated is None else b.standing.dated < day

    return replace(position, ballots=tuple(
        replace(b, stale=b.stale or is_stale(b), refuted=b.refuted or day == date.max) for b in position.ballots
    ))  # fmt: skip


def clearly_newest(positions: Sequence[Position]) -> Position | None:
    """The side whose newest valid page is a month or more newer than any of the others; all valid pages have dates."""
    dates = []
    for p in positions:
        valid = [b for b in p.ballots if not b.stale]
        mine = [b.standing.dated for b in valid if b.standing.dated is not None and b.standing.in_force]
        dates.append(max(mine) if mine and len(mine) == len(valid) else None)
    if None in dates or len(dates) < 2:
        return None
    ordered = sorted(((d, i) for i, d in enumerate(dates) if d is not None), reverse=True)
    return positions[ordered[0][1]] if (ordered[0][0] - ordered[1][0]).days >= _CLEAR_DAYS else None


def later_by_years(positions: Sequence[Position], config: CorrectorConfig) -> Position | None:
    """Where nothing else tells: the side whose every trusted page was written a year or more after all others.

    What does not change is not outdated by a later page; but several who write years later have seen what was written.
    """
    spans = []
    for p in positions:
        dates = [b.standing.dated for b in p.ballots if b.trusted]
        known = [d for d in dates if d is not None]
        if not known or len(known) < len(dates):
            return None
        spans.append((min(known), max(known), p))
    spans.sort(key=lambda s: s[0], reverse=True)
    last, best = spans[0][2], max(b.trust for p in positions for b in p.ballots)
    apart = all((spans[0][0] - latest).days >= _A_YEAR for _, latest, _ in spans[1:])
    as_trusted = max(b.trust for b in last.ballots) >= best - config.comparable_trust
    as_many = len(last.ballots) >= max(_SEVERAL, *(len(p.ballots) for p in positions))
    return last if apart and as_trusted and as_many else None
