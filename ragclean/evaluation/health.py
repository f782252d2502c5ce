"""Content health: v3 measures the knowledge base as much as the model. Which pages should be mended?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.records import EvalCase
from ragclean.text.dates import parse_date
from ragclean.types import Chunk, Conflict

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
    found = _Found()
    for case in known:
        day = (parse_date(case.as_of) if case.as_of else as_of) or date.today()
        result = asked.refine(case.question, case.contexts, top_k=len(case.contexts), as_of=day)
        chunks = {c.id: c for c in result.candidates}
        for stale in _stale_versions(case.contexts, day):
            found.add_stale(stale, case.id)
        for conflict in result.conflicts:
            for stale in _gone(conflict, chunks):
                found.add_stale(stale, case.id)
            found.count(conflict, chunks, case.id)
    return ContentHealth(len(known), found.stale(), found.losing())


@dataclass(frozen=True, slots=True)
class _Stale:
    """One page that should not be found beside another."""

    newest: Chunk
    old: Chunk
    reason: str


@dataclass(frozen=True, slots=True)
class _Page:
    chunk: Chunk
    lost: int = 0
    conflicts: int = 0
    cases: tuple[str, ...] = ()


class _Found:
    """What was seen so far. A page is one by id and text: in contexts of several cases the same id may be another."""

    def __init__(self) -> None:
        self._stale: dict[tuple[str, ...], dict[tuple[str, str], tuple[_Stale, list[str]]]] = {}
        self._pages: dict[tuple[str, str], _Page] = {}
        self._told: set[tuple[str, str, str]] = set()

    def add_stale(self, stale: _Stale, case_id: str) -> None:
        """A page is listed once a case, for the first reason found."""
        page = (stale.old.id, stale.old.text)
        if (case_id, *page) in self._told:
            return
        self._told.add((case_id, *page))
        document = (stale.old.lineage_id,) if stale.old.lineage_id else page
        of = self._stale.setdefault((*document, stale.newest.id, stale.newest.text, stale.reason), {})
        of.setdefault(page, (stale, []))[1].append(case_id)

    def count(self, conflict: Conflict, chunks: Mapping[str, Chunk], case_id: str) -> None:
        """Who won and who lost a conflict that was settled."""
        if conflict.winner is None:
            return
        won = set(conflict.winner.chunk_ids)
        for chunk_id in sorted({i for side in conflict.sides for i in side.chunk_ids} & set(chunks)):
            chunk = chunks[chunk_id]
            page = self._pages.get((chunk.id, chunk.text), _Page(chunk))
            lost = chunk_id not in won
            cases = tuple(dict.fromkeys((*page.cases, case_id))) if lost else page.cases
            self._pages[chunk.id, chunk.text] = _Page(chunk, page.lost + lost, page.conflicts + 1, cases)

    def stale(self) -> tuple[StaleLineage, ...]:
        lines = []
        for pages in self._stale.values():
            one = next(iter(pages.values()))[0]
            cases = tuple(sorted({c for _, ids in pages.values() for c in ids}))
            old = tuple(dict.fromkeys(i for i, _ in pages))
            lines.append(StaleLineage(one.old.lineage_id or one.old.id, one.newest.id, old, one.reason, cases))
        return tuple(sorted(lines, key=lambda s: (-len(s.cases), s.lineage_id, s.reason, s.stale)))

    def losing(self) -> tuple[LosingPage, ...]:
        lines = [
            LosingPage(p.chunk.id, p.chunk.title, p.chunk.source or "", p.lost, p.conflicts, p.cases)
            for p in self._pages.values() if p.lost
        ]  # fmt: skip
        return tuple(sorted(lines, key=lambda p: (-p.lost, p.conflicts, p.chunk_id)))


# -- versions of one document


def _stale_versions(contexts: Sequence[Chunk], day: date) -> list[_Stale]:
    """Of every lineage that stands there in more than one version: those that are expired, or older than the newest
    one in force. A version that is not in force yet makes no other stale."""
    groups: dict[str, list[Chunk]] = {}
    for chunk in contexts:
        if chunk.lineage_id and not _is_to_come(chunk, day):
            groups.setdefault(chunk.lineage_id, []).append(chunk)
    found: list[_Stale] = []
    for versions in groups.values():
        in_force = [c for c in versions if not _is_expired(c, day)]
        if not in_force:
            continue  # nothing that should be found in their place
        newest = max(in_force, key=lambda c: sum(_is_older(other, c) for other in in_force))
        for chunk in versions:
            if _is_expired(chunk, day):
                found.append(_Stale(newest, chunk, "expired"))
            elif _is_older(chunk, newest):
                found.append(_Stale(newest, chunk, "older"))
    return found


def stale_lineages(chunks: Sequence[Chunk], day: date) -> tuple[StaleLineage, ...]:
    """The same of a corpus, whatever is asked of it: lineages with versions that should no longer be found."""
    found = _Found()
    for stale in _stale_versions(chunks, day):
        found.add_stale(stale, "")
    return tuple(replace(line, cases=()) for line in found.stale())


def _is_expired(chunk: Chunk, day: date) -> bool:
    ends = parse_date(chunk.expires_at) if chunk.expires_at else None
    return ends is not None and ends < day


def _is_to_come(chunk: Chunk, day: date) -> bool:
    starts = parse_date(chunk.effective_from) if chunk.effective_from else None
    return starts is not None and starts > day


def _is_older(chunk: Chunk, other: Chunk) -> bool:
    """By the dates where both have one and they differ, else by the version numbers where both have one."""
    mine, its = _written(chunk), _written(other)
    if mine is not None and its is not None and mine != its:
        return mine < its
    number, its_number = _version(chunk), _version(other)
    return bool(number and its_number) and number < its_number


def _written(chunk: Chunk) -> date | None:
    """When a version was made: in force from, else changed, else published."""
    dates = (parse_date(w) for w in (chunk.effective_from, chunk.updated_at, chunk.published_at) if w)
    return next((d for d in dates if d is not None), None)


def _version(chunk: Chunk) -> tuple[int, ...]:
    """``v2.10`` -> ``(2, 10)``; empty where it has no number."""
    return tuple(int(n) for n in _NUMBERS.findall(chunk.version or ""))


# -- what arbitration says


def _gone(conflict: Conflict, chunks: Mapping[str, Chunk]) -> list[_Stale]:
    """The losing witnesses that are marked as withdrawn, superseded or expired, each beside the winner's page."""
    if conflict.winner is None:
        return []
    best = next((chunks[i] for i in conflict.winner.chunk_ids if i in chunks), None)
    if best is None:
        return []
    losers = [w for side in conflict.sides if side != conflict.winner for w in side.witnesses]
    return [
        _Stale(best, chunks[w.chunk_id], reason)
        for w in losers
        for reason in [next((_GONE[note] for note in _GONE if note in w.notes), "")]
        if reason and w.chunk_id in chunks and w.chunk_id not in conflict.winner.chunk_ids
    ]
