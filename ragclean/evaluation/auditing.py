"""A corpus looked through ahead of retrieval: copies, stale versions, pages that contradict each other.

Contradictions are looked for where they would hurt: questions are drafted by rule from the corpus's own statements, the
pages nearest to each are retrieved, and arbitrated. What no rule asks for is not found.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.building import normalised
from ragclean.evaluation.case_drafts import with_chunk_ids
from ragclean.evaluation.case_rules import Drafted, draft
from ragclean.evaluation.corpus import Corpus
from ragclean.evaluation.health import StaleLineage, stale_lineages
from ragclean.text.folding import fold
from ragclean.text.question import parse_question
from ragclean.text.tokens import tokenize
from ragclean.types import Chunk, Conflict

#: Questions asked of a corpus unless told otherwise: some twenty seconds' worth.
QUESTIONS = 500
#: Share of a page's letters that stand in another from which it is its copy; 1 is word for word.
COPY = 0.9
#: Pages read for questions, for each that may be asked: in a larger corpus these are drawn at random.
_PAGES = 20
#: Pages that a question is put to, and the nearest by vector that they are the best of.
_ASKED, _NEAREST = 10, 200


@dataclass(frozen=True, slots=True)
class CopyGroup:
    """Pages that say the same, nearly word for word: they fill places in a context, and count as one voice."""

    kept: str
    """Id of the longest."""
    copies: tuple[str, ...]
    likeness: float
    """The least share of a copy that stands in the longest."""
    differing: tuple[str, ...] = ()
    """Those of the copies that hold a number which the longest does not: another version or another product, made
    from the same page, more likely than a copy to be deleted."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Pages of the corpus that answer the same question differently."""

    question: str
    """Drafted by rule from the statement of one of them."""
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
    """Drafted and asked."""
    as_of: str
    copies: tuple[CopyGroup, ...]
    stale: tuple[StaleLineage, ...]
    contradictions: tuple[Contradiction, ...]
    unreadable: int = 0
    """Given, but without text that can be read: nothing was looked for in them."""

    @property
    def clean(self) -> bool:
        """Nothing was found."""
        return not (self.copies or self.stale or self.contradictions)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def audit_corpus(
    chunks: Iterable[Any] | Corpus, corrector: NoiseCorrector | None = None, *, as_of: date | None = None,
    questions: int = QUESTIONS, seed: int = 0,
) -> CorpusAudit:  # fmt: skip
    """Look through a corpus for what retrieval should not bring together.

    The same corpus, day, configuration and seed give the same audit. A page without an id is called ``doc`` and its
    number; a second one of the same id gets a stroke.

    Args:
        chunks: anything that ``refine`` takes as candidates, or a corpus of them.
        corrector: whose arbitration decides; None for one with the defaults.
        as_of: the day to judge age and validity by; None is today.
        questions: asked at most: first those that several pages answer in other words, then others drawn at random.

    Raises:
        ValueError: no chunk has text, or ``questions`` is below 0.
    """
    if questions < 0:
        raise ValueError(f"questions: must be 0 or more, got {questions}")
    given = chunks if isinstance(chunks, Corpus) else list(chunks)
    corpus = given if isinstance(given, Corpus) else Corpus(given)
    day = as_of or date.today()
    pages = with_chunk_ids(corpus.chunks, "doc")
    stale = stale_lineages(pages, day)
    old = {chunk_id for line in stale for chunk_id in line.stale}
    asked = _questions([i for i, p in enumerate(pages) if p.id not in old], pages, questions, seed)
    found = _contradictions(asked, pages, old, corpus, corrector or NoiseCorrector(), day) if asked else ()
    return CorpusAudit(
        len(pages), len(asked), day.isoformat(), copy_groups(pages), stale, found, len(given) - len(pages)
    )


# -- copies

#: Letters in a run, and runs in a window of which one is kept (winnowing, Schleimer, Wilkerson and Aiken 2003): any
#: 15 letters in a row that two pages share leave a common trace, and a page keeps some two traces in nine letters.
_RUN, _WINDOW = 8, 8
#: Letters of a page that are looked at: a longer one is no chunk.
_LONGEST = 200_000
#: Pages remembered for a trace: what stands in more of them is boilerplate, and leads to no copy by itself.
_COMMON = 20
#: Pages that a page is compared with in full: those that share most of its traces.
_COMPARED = 4
_NUMBERS = re.compile(r"[0-9]{1,18}")


def copy_groups(chunks: Sequence[Chunk], share: float = COPY) -> tuple[CopyGroup, ...]:
    """Pages that stand, nearly whole, in a longer one; the largest groups first.

    An index of traces finds the pages to compare with, so that work grows with the corpus and not with its square. A
    page without letters or digits is no copy of another.
    """
    texts = [_letters(c.text) for c in chunks]
    traces = [_traces(text) for text in texts]
    longest_first = sorted(range(len(chunks)), key=lambda i: (-len(texts[i]), i))
    holders: dict[int, list[int]] = {}
    groups: dict[int, list[tuple[int, float]]] = {}
    for place in longest_first:
        mine = traces[place]
        votes: dict[int, float] = defaultdict(float)
        for known in (holders.get(trace, []) for trace in mine):
            for owner in known:
                votes[owner] += 1 / len(known)  # what few pages hold tells more than boilerplate
        likely = sorted(votes, key=lambda owner: (-votes[owner], owner))[:_COMPARED]
        held = [(_held(texts[place], texts[owner]), -i, owner) for i, owner in enumerate(likely)]
        best = max(held, default=None)
        if best is not None and best[0] >= share:
            groups.setdefault(best[2], []).append((place, best[0]))
            continue
        for trace in mine:
            known = holders.setdefault(trace, [])
            if len(known) < _COMMON:
                known.append(place)
    found = [_group(chunks, owner, sorted(members)) for owner, members in groups.items()]
    return tuple(sorted(found, key=lambda g: (-len(g.copies), g.kept)))


def _group(chunks: Sequence[Chunk], owner: int, members: Sequence[tuple[int, float]]) -> CopyGroup:
    numbers = set(_NUMBERS.findall(fold(chunks[owner].text)))
    copies = [chunks[i] for i, _ in members]
    differing = tuple(c.id for c in copies if not numbers.issuperset(_NUMBERS.findall(fold(c.text))))
    least = round(min(share for _, share in members), 4)
    return CopyGroup(chunks[owner].id, tuple(c.id for c in copies), least, differing)


def _letters(text: str) -> str:
    return "".join(c for c in fold(text[:_LONGEST]) if c.isalnum())


def _held(letters: str, longer: str) -> float:
    """The share of a text's runs that stand in another: 1 where it stands there whole."""
    return float(np.isin(_runs(letters), _runs(longer)).mean()) if letters != longer else 1.0


def _traces(letters: str) -> frozenset[int]:
    """The least hash of each window of runs: all traces of a text are among those of a text that holds it."""
    hashes = _runs(letters)
    if not hashes.size:
        return frozenset()
    return frozenset(sliding_window_view(hashes, min(_WINDOW, hashes.size)).min(axis=1).tolist())


def _runs(letters: str) -> NDArray[np.uint64]:
    """A hash of each run of a text, the same in every process: multiply, fold and add, letter by letter."""
    codes = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    if not codes.size:
        return codes
    runs = sliding_window_view(codes, min(_RUN, codes.size))
    found = np.full(len(runs), 0x9E3779B97F4A7C15, np.uint64)
    for column in range(runs.shape[1]):
        found = (found ^ runs[:, column]) * np.uint64(0xBF58476D1CE4E5B9)
        found ^= found >> np.uint64(29)
    return found


# -- questions


@dataclass(frozen=True, slots=True)
class _Question:
    page: int
    drafted: Drafted
    text: str
    """What is asked: the subject of the page stands before what was drafted, which seldom names it."""


#: Questions of a page, and letters of its first clause that are taken for its subject.
_PER_PAGE, _SUBJECT = 2, 30
_CLAUSE = re.compile(r"[\n。：:，,；;！!？?（(]")


def _questions(places: Sequence[int], pages: Sequence[Chunk], limit: int, seed: int) -> list[_Question]:
    """Those that several pages answer in other words first; the others at random. In the order of their pages."""
    if not limit:
        return []
    rng = random.Random(seed)
    read = sorted(rng.sample(places, min(len(places), limit * _PAGES)))
    groups: dict[str, list[_Question]] = defaultdict(list)
    for place in read:
        for made in sorted(draft(pages[place]), key=_doubtful)[:_PER_PAGE]:
            asked = f"{_subject(pages[place], made)} {made.question}".strip()
            groups[normalised(made.question)].append(_Question(place, made, asked))
    disputed = [g[0] for g in groups.values() if len({normalised(q.drafted.point) for q in g}) > 1]
    rest = [q for g in groups.values() for q in g if q is not g[0] or q not in disputed]
    chosen = [*rng.sample(disputed, min(limit, len(disputed)))]
    chosen += rng.sample(rest, min(limit - len(chosen), len(rest)))
    return sorted(chosen, key=lambda q: (q.page, q.text))


def _doubtful(made: Drafted) -> int:
    """Values first: they are what goes wrong, and a yes is easily said."""
    return {"yes_no": 2, "faq": 1}.get(made.kind, 0)


def _subject(page: Chunk, made: Drafted) -> str:
    """The title, else the first clause; nothing where that is what is asked about, and so would give the answer."""
    title = page.title.strip() or _CLAUSE.split(page.text.strip()[: 4 * _SUBJECT], maxsplit=1)[0]
    told = " ".join("".join(c if c.isprintable() else " " for c in title).split())[:_SUBJECT]
    return "" if not page.title.strip() and normalised(told) in normalised(made.reference) else told


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
    asked: Sequence[_Question], pages: Sequence[Chunk], old: set[str], corpus: Corpus, corrector: NoiseCorrector,
    day: date,
) -> tuple[Contradiction, ...]:  # fmt: skip
    """Those that are about one thing, each once: several questions find the same."""
    kinship = _Kinship(pages)
    places = {page.id: i for i, page in enumerate(pages)}
    found: list[Contradiction] = []
    for question in asked:
        contexts = [pages[i] for i in _nearest(question, pages, old, corpus)]
        result = corrector.refine(question.text, contexts, top_k=len(contexts), as_of=day)
        for conflict in result.conflicts:
            if _is_about_one_thing(conflict, question, pages, places, kinship):
                found.append(_contradiction(question.drafted.question, conflict, pages[question.page].id))
    distinct = _distinct(sorted(found, key=lambda c: (-_pages_of(c), c.question)))
    return tuple(sorted(distinct, key=lambda c: (c.decided, -_pages_of(c), c.question)))


def _nearest(question: _Question, pages: Sequence[Chunk], old: set[str], corpus: Corpus) -> list[int]:
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
    conflict: Conflict, question: _Question, pages: Sequence[Chunk], places: dict[str, int], kinship: _Kinship
) -> bool:
    """The page that was asked takes part, a page of another side is its kin, and two sides answer what was asked."""
    page = pages[question.page].id
    others = [side for side in conflict.sides if page not in side.chunk_ids]
    if len(others) == len(conflict.sides):
        return False
    kin = max((kinship.of(question.page, places[i]) for side in others for i in side.chunk_ids), default=0.0)
    if kin < _KIN:
        return False
    wanted = [t.text for t in parse_question(question.drafted.question).terms]
    least = _ADDRESSED_BARE if conflict.kind in ("yes_no", "action") else _ADDRESSED
    return sum(_addressed(side.sentences, wanted) >= least for side in conflict.sides) > 1


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
