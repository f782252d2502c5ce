"""Content health: v3 measures the knowledge base as much as the model. Which pages should be mended?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.records import EvalCase
from ragclean.text.dates import parse_date
from ragclean.types import Chunk, Conflict, Side

#: Notes by which arbitration says that a page should no longer be found.
_GONE = {"withdrawn": "withdrawn", "superseded": "older", "expired": "expired"}
_NUMBERS = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class StaleLineage:
    """A document of which an old, expired or withdrawn version is still retrieved beside the new one."""

    lineage_id: str
    newest: str
    """Id of the newest version that was retrieved."""
    stale: tuple[str, ...]
    """Ids of the versions that should no longer be found."""
    reason: str
    """``older``, ``expired`` or ``withdrawn``."""
    cases: tuple[str, ...]
    """Cases whose contexts held both."""


@dataclass(frozen=True, slots=True)
class LosingPage:
    """A page that loses arbitrations: it says something that better evidence contradicts."""

    chunk_id: str
    title: str
    source: str
    lost: int
    """Conflicts in which all sides it stood on lost."""
    conflicts: int
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContentHealth:
    """The work list for whoever keeps the documents, worst first."""

    cases: int
    stale: tuple[StaleLineage, ...]
    losing: tuple[LosingPage, ...]


def content_health(
    cases: Iterable[EvalCase], corrector: NoiseCorrector | None = None, *, as_of: date | None = None
) -> ContentHealth:
    """What the contexts of the cases (as the retriever brings them, without injected noise) say of the documents.

    Args:
        cases: with their contexts.
        corrector: whose arbitration is asked; None for one with the defaults.
        as_of: the day to judge cases without one of their own by; None is today.
    """
    asked = corrector or NoiseCorrector()
    known = [case for case in cases if case.contexts]
    stale: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    pages: dict[tuple[str, str], _Page] = {}
    for case in known:
        day = parse_date(case.as_of) if case.as_of else as_of or date.today()
        for lineage, newest, old, reason in _stale_versions(case.contexts, day):
            stale.setdefault((lineage, newest, reason), {}).setdefault(old, []).append(case.id)
        found = asked.refine(case.question, case.contexts, top_k=len(case.contexts), as_of=day)
        chunks = {c.id: c for c in found.candidates}
        for conflict in found.conflicts:
            for newest, old, reason in _gone(conflict):
                page = chunks[old]
                stale.setdefault((page.lineage_id or old, newest, reason), {}).setdefault(old, []).append(case.id)
            _count(conflict, chunks, case.id, pages)
    lines = [
        StaleLineage(lineage, newest, tuple(old), reason, tuple(sorted({c for ids in old.values() for c in ids})))
        for (lineage, newest, reason), old in stale.items()
    ]
    losing = [p.line() for p in pages.values() if p.lost]
    return ContentHealth(
        len(known),
        tuple(sorted(lines, key=lambda s: (-len(s.cases), s.lineage_id, s.reason))),
        tuple(sorted(losing, key=lambda p: (-p.lost, p.conflicts, p.chunk_id))),
    )


# -- versions of one document


def _stale_versions(contexts: Sequence[Chunk], as_of: date | None) -> list[tuple[str, str, str, str]]:
    """(lineage, newest, stale one, reason) of every lineage that stands there in more than one version."""
    groups: dict[str, list[Chunk]] = {}
    for chunk in contexts:
        if chunk.lineage_id:
            groups.setdefault(chunk.lineage_id, []).append(chunk)
    found: list[tuple[str, str, str, str]] = []
    for lineage, versions in groups.items():
        newest = max(versions, key=_age)
        for chunk in versions:
            ends = parse_date(chunk.expires_at) if chunk.expires_at else None
            if chunk is newest:
                continue
            if ends is not None and as_of is not None and ends < as_of:
                found.append((lineage, newest.id, chunk.id, "expired"))
            elif _is_older(chunk, newest):
                found.append((lineage, newest.id, chunk.id, "older"))
    return found


Age = tuple[date, tuple[int, ...]]


def _age(chunk: Chunk) -> Age:
    """When a version was made, by its dates, and its number: larger is newer."""
    written = (chunk.effective_from, chunk.updated_at, chunk.published_at)
    days = [d for w in written if w and (d := parse_date(w)) is not None]
    return (days[0] if days else date.min, tuple(int(n) for n in _NUMBERS.findall(chunk.version or "")))


def _is_older(chunk: Chunk, newest: Chunk) -> bool:
    """By the dates where both have one, else by the version numbers where both have one."""
    (day, number), (new_day, new_number) = _age(chunk), _age(newest)
    if day != date.min and new_day != date.min and day != new_day:
        return day < new_day
    return bool(number and new_number) and number < new_number


# -- what arbitration says


def _gone(conflict: Conflict) -> list[tuple[str, str, str]]:
    """(winner's page, page that is gone, reason) of the witnesses marked as withdrawn, superseded or expired."""
    if conflict.winner is None or not conflict.winner.witnesses:
        return []
    best = conflict.winner.witnesses[0].chunk_id
    losers = [w for side in conflict.sides if side != conflict.winner for w in side.witnesses]
    marked = ((w, next((reason for note, reason in _GONE.items() if note in w.notes), "")) for w in losers)
    return [(best, w.chunk_id, reason) for w, reason in marked if reason and w.chunk_id != best]


@dataclass(frozen=True, slots=True)
class _Page:
    chunk: Chunk
    lost: int = 0
    conflicts: int = 0
    cases: tuple[str, ...] = ()

    def line(self) -> LosingPage:
        found = self.chunk
        return LosingPage(found.id, found.title, found.source or "", self.lost, self.conflicts, self.cases)


def _count(conflict: Conflict, chunks: dict[str, Chunk], case_id: str, pages: dict[tuple[str, str], _Page]) -> None:
    """A page is one by id and text: in contexts of several cases the same id may be another page."""
    if conflict.winner is None:
        return
    won = set(conflict.winner.chunk_ids)
    for chunk_id in sorted({i for side in conflict.sides for i in _ids(side)}):
        chunk = chunks.get(chunk_id)
        if chunk is None:
            continue
        page = pages.get((chunk.id, chunk.text), _Page(chunk))
        lost = chunk_id not in won
        cases = tuple(dict.fromkeys((*page.cases, case_id))) if lost else page.cases
        pages[chunk.id, chunk.text] = replace(page, lost=page.lost + lost, conflicts=page.conflicts + 1, cases=cases)


def _ids(side: Side) -> tuple[str, ...]:
    return side.chunk_ids
