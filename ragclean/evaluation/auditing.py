"""A corpus looked through ahead of retrieval: copies, stale versions, pages that contradict each other.

Contradictions are looked for where they would hurt: questions are made of the corpus's own statements, by rule and
where two pages give one subject different values; the pages nearest to each are retrieved, and arbitrated. What no
page is asked is not found.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.audit_copies import COPY, CopyGroup, copy_groups
from ragclean.evaluation.audit_questions import AuditQuestion, AuditQuestions, draw_questions
from ragclean.evaluation.audit_statements import codes_of, page_name
from ragclean.evaluation.case_drafts import with_chunk_ids
from ragclean.evaluation.corpus import Corpus
from ragclean.evaluation.health import StaleLineage, stale_lineages
from ragclean.run import read_request
from ragclean.text.dates import parse_date
from ragclean.text.folding import fold
from ragclean.text.question import parse_question
from ragclean.text.tokens import tokenize
from ragclean.types import Chunk, Conflict

__all__ = ["COPY", "QUESTIONS", "Contradiction", "CopyGroup", "CorpusAudit", "audit_corpus", "copy_groups"]

#: Questions asked of a corpus unless told otherwise: some twenty seconds' worth.
QUESTIONS = 500
#: Pages that a question is put to, and the nearest by vector that they are the best of.
_ASKED, _NEAREST = 10, 200


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Pages of the corpus that answer the same question differently."""

    question: str
    """Made of the statement of one of them."""
    taken: str
    """The value that arbitration takes; empty where it cannot decide."""
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    """Each value with the ids of the pages that state it."""
    explanation: str
    page: str = ""
    """Id of the page that the question was drafted from."""

    @property
    def decided(self) -> bool:
        return bool(self.taken)


@dataclass(frozen=True, slots=True)
class CorpusAudit:
    """What should be mended in a corpus, worst first."""

    pages: int
    """With text that can be read."""
    questions: int
    """Made and asked."""
    as_of: str
    copies: tuple[CopyGroup, ...]
    stale: tuple[StaleLineage, ...]
    contradictions: tuple[Contradiction, ...]
    unreadable: int = 0
    """Given, but without text that can be read: nothing was looked for in them."""
    questioned: int = 0
    """Pages of which something was asked: in the others no contradiction was looked for by a question of their own."""

    @property
    def clean(self) -> bool:
        """Nothing was found."""
        return not (self.copies or self.stale or self.contradictions)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def audit_corpus(
    chunks: Iterable[Any] | Corpus, corrector: NoiseCorrector | None = None, *, as_of: str | date | None = None,
    questions: int = QUESTIONS, seed: int = 0,
) -> CorpusAudit:  # fmt: skip
    """Look through a corpus for what retrieval should not bring together.

    The same corpus, day, configuration and seed give the same audit. A page without an id is called ``doc`` and its
    number; a second one of the same id gets a stroke.

    Args:
        chunks: anything that ``refine`` takes as candidates, or a corpus of them.
        corrector: whose arbitration decides; None for one with the defaults.
        as_of: the day to judge age and validity by (date or any date string, as for ``refine``); None is today.
        questions: asked at most: first those that several pages answer in other words, then those of subjects to
            which two pages give different values, then others drawn at random.

    Raises:
        TypeError, ValueError: no chunk has text, ``questions`` is below 0, or ``as_of`` is no date. The arguments are
            read before any work is done.
    """
    if questions < 0:
        raise ValueError(f"questions: must be 0 or more, got {questions}")
    day = read_request("", (), 1, as_of, None, (), (), ()).as_of
    given = chunks if isinstance(chunks, Corpus) else list(chunks)
    corpus = given if isinstance(given, Corpus) else Corpus(given)
    pages = with_chunk_ids(corpus.chunks, "doc")
    stale = _stale(pages, day)
    old = {chunk_id for line in stale for chunk_id in line.stale}
    drawn = draw_questions([i for i, p in enumerate(pages) if p.id not in old], pages, questions, seed)
    found = _contradictions(drawn, pages, old, corpus, corrector or NoiseCorrector(), day) if drawn.asked else ()
    return CorpusAudit(
        len(pages), len(drawn.asked), day.isoformat(), copy_groups(pages), stale, found, len(given) - len(pages),
        drawn.pages,
    )


# -- stale pages


def _stale(pages: Sequence[Chunk], day: date) -> tuple[StaleLineage, ...]:
    """Versions that have a newer one, then pages that are past their last day and have none."""
    versions = stale_lineages(pages, day)
    known = {chunk_id for line in versions for chunk_id in line.stale}
    ended: dict[str, list[str]] = {}
    for page in pages:
        if page.id not in known and _has_ended(page, day):
            ended.setdefault(page.lineage_id or f"\0{page.id}", []).append(page.id)
    alone = [StaleLineage(name.lstrip("\0"), "", tuple(ids), "expired", ()) for name, ids in ended.items()]
    return (*versions, *sorted(alone, key=lambda line: (line.lineage_id, line.stale)))


def _has_ended(page: Chunk, day: date) -> bool:
    """Its last day has passed: of a month or a year, the last of its days, as ``refine`` reads it."""
    last = parse_date(page.expires_at, end_of_period=True) if page.expires_at else None
    return last is not None and last < day


# -- contradictions

# The three below were chosen by hand on what 378 questions found among 2,081 pages of the project's own (three corpora
# of cases): docs/scaling.md has how much of it is right.
#: What two pages' shared rare words must be worth to be about the same thing; a word that only they hold is worth 1.
_KIN = 1.3
#: A word is rare that stands in this share of the pages at most, or in so few pages of a small corpus.
_RARE, _RARE_PAGES = 0.02, 12
#: Share of a question's words that a sentence must hold to answer it; more where it holds no value, since then nothing
#: else shows what it is about.
_ADDRESSED, _ADDRESSED_BARE = 0.3, 0.6


def _contradictions(
    drawn: AuditQuestions, pages: Sequence[Chunk], old: set[str], corpus: Corpus, corrector: NoiseCorrector,
    day: date,
) -> tuple[Contradiction, ...]:  # fmt: skip
    """Those that are about one thing, each once: several questions find the same."""
    kinship = _Kinship(pages)
    places = {page.id: i for i, page in enumerate(pages)}
    found: list[Contradiction] = []
    for question in drawn.asked:
        contexts = [pages[i] for i in _nearest(question, pages, old, corpus)]
        result = corrector.refine(question.text, contexts, top_k=len(contexts), as_of=day)
        for conflict in result.conflicts:
            if _is_about_one_thing(conflict, question, pages, places, kinship, drawn):
                found.append(_contradiction(question.drafted.question, conflict, pages[question.page].id))
    distinct = _distinct(sorted(found, key=lambda c: (-_pages_of(c), c.question)))
    return tuple(sorted(distinct, key=lambda c: (c.decided, -_pages_of(c), c.question)))


def _nearest(question: AuditQuestion, pages: Sequence[Chunk], old: set[str], corpus: Corpus) -> list[int]:
    """The page itself and the best of those near it, old versions left out."""
    rows = [i for i in corpus.nearest(question.text, _NEAREST + len(old)).tolist() if pages[i].id not in old]
    rows = rows[:_NEAREST]
    similar = corpus.similarities(question.text, rows)
    ranked = sorted(range(len(rows)), key=lambda i: (-float(similar[i]), i))
    best = [rows[i] for i in ranked if rows[i] != question.page]
    return [question.page, *best[: _ASKED - 1]]


class _Kinship:
    """Which words of a corpus are rare enough to tell what a page is about."""

    def __init__(self, pages: Sequence[Chunk]) -> None:
        self._pages = pages
        self._held = Counter(word for page in pages for word in _words(page.text))
        self._most = max(_RARE_PAGES, int(_RARE * len(pages)))
        self._whole = math.log(max(len(pages), 2))
        self._rare = lru_cache(maxsize=1024)(self._rare_words)

    def of(self, a: int, b: int) -> float:
        """What the rare words that two pages share are worth, in words that stand in no other page."""
        shared = self._rare(a) & self._rare(b)
        return math.fsum(1 - math.log(self._held[word] / 2) / self._whole for word in shared)

    def _rare_words(self, place: int) -> frozenset[str]:
        return frozenset(word for word in _words(self._pages[place].text) if self._held[word] <= self._most)


def _words(text: str) -> frozenset[str]:
    folded = fold(text)
    return frozenset(folded[t.start : t.end] for t in tokenize(folded) if t.end - t.start > 1)


def _is_about_one_thing(
    conflict: Conflict, question: AuditQuestion, pages: Sequence[Chunk], places: dict[str, int],
    kinship: _Kinship, drawn: AuditQuestions,
) -> bool:  # fmt: skip
    """The page that was asked takes part, a page of another side is its kin or gives the subject another value, and two
    sides answer what was asked."""
    page = pages[question.page].id
    others = [side for side in conflict.sides if page not in side.chunk_ids]
    if len(others) == len(conflict.sides):
        return False
    opposed = [i for side in others for i in map(places.__getitem__, side.chunk_ids)]
    opposed = [i for i in opposed if not _are_apart(question, i, pages, drawn)]
    stated = any((question.page, other) in drawn.partners for other in opposed)
    if not stated and max((kinship.of(question.page, other) for other in opposed), default=0.0) < _KIN:
        return False
    wanted = [t.text for t in parse_question(question.drafted.question).terms]
    least = _ADDRESSED_BARE if conflict.kind in ("yes_no", "action") else _ADDRESSED
    return sum(_addressed(side.sentences, wanted) >= least for side in conflict.sides) > 1


def _are_apart(question: AuditQuestion, other: int, pages: Sequence[Chunk], drawn: AuditQuestions) -> bool:
    """The other page says much the same of another thing, or names codes of which the question names others."""
    if (question.page, other) in drawn.strangers:
        return True
    asked = codes_of(f"{page_name(pages[question.page])} {question.text}")
    named = codes_of(f"{pages[other].title}\n{pages[other].text}")
    return bool(asked and named) and not asked & named


def _addressed(sentences: Iterable[str], wanted: Sequence[str]) -> float:
    """The share of the words that the best of the sentences holds."""
    return max((sum(word in fold(s) for word in wanted) for s in sentences), default=0) / max(len(wanted), 1)


def _contradiction(question: str, conflict: Conflict, page: str) -> Contradiction:
    sides = tuple((side.value, side.chunk_ids) for side in conflict.sides)
    taken = conflict.winner.value if conflict.winner is not None else ""
    return Contradiction(question, taken, sides, conflict.explain(), page)


def _pages_of(found: Contradiction) -> int:
    return sum(len(ids) for _, ids in found.sides)


def _distinct(found: Iterable[Contradiction]) -> Iterator[Contradiction]:
    """Left out is what sets no two pages against each other that were not on different sides before."""
    seen: set[tuple[str, str]] = set()
    for one in found:
        owners = [(i, side) for side, (_, ids) in enumerate(one.sides) for i in ids]
        pairs = {(a, b) for a, of_a in owners for b, of_b in owners if of_a != of_b}
        if not pairs <= seen:
            seen |= pairs
            yield one
