"""A corpus looked through ahead of retrieval: copies, stale versions, pages that contradict each other.

Contradictions are looked for where they would hurt: questions are drafted by rule from the corpus's own statements, the
pages nearest to each are retrieved, and arbitrated. What no rule asks for is not found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from ragclean.arbitration.witnesses import shingles
from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.building import from_documents
from ragclean.evaluation.case_drafts import with_chunk_ids
from ragclean.evaluation.corpus import Corpus
from ragclean.evaluation.health import StaleLineage, stale_lineages
from ragclean.evaluation.records import EvalCase
from ragclean.types import Chunk, Conflict

#: Questions asked of a corpus unless told otherwise: some ten seconds' worth.
QUESTIONS = 500
#: Share of a page's runs of letters that stand in another from which it is its copy; 1 is word for word.
COPY = 0.9
#: Runs of letters that stand in more pages than this are boilerplate, and tell no copy.
_COMMON = 100
#: Pages looked at for each question.
_NEAREST = 10


@dataclass(frozen=True, slots=True)
class CopyGroup:
    """Pages that say the same, nearly word for word: they fill places in a context, and count as one voice."""

    kept: str
    """Id of the longest."""
    copies: tuple[str, ...]
    likeness: float
    """The least share of a copy that stands in the longest."""


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

    @property
    def decided(self) -> bool:
        return bool(self.taken)


@dataclass(frozen=True, slots=True)
class CorpusAudit:
    """What should be mended in a corpus, worst first."""

    pages: int
    questions: int
    """Drafted and asked."""
    as_of: str
    copies: tuple[CopyGroup, ...]
    stale: tuple[StaleLineage, ...]
    contradictions: tuple[Contradiction, ...]

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

    Args:
        chunks: anything that ``refine`` takes as candidates, or a corpus of them.
        corrector: whose arbitration decides; None for one with the defaults.
        as_of: the day to judge age and validity by; None is today.
        questions: asked at most, drawn at random from all that can be drafted.

    Raises:
        ValueError: no chunk has text, or ``questions`` is below 0.
    """
    if questions < 0:
        raise ValueError(f"questions: must be 0 or more, got {questions}")
    corpus = chunks if isinstance(chunks, Corpus) else Corpus(chunks)
    day = as_of or date.today()
    named = with_chunk_ids(corpus.chunks, "doc")
    drafted: list[EvalCase] = []
    if questions:
        built = from_documents(corpus, limit=questions, top_k=_NEAREST, least_trust=0.0, seed=seed)
        drafted = [draft.case for draft in built.drafts]
    return CorpusAudit(
        len(named), len(drafted), day.isoformat(), copy_groups(named), stale_lineages(named, day),
        _contradictions(drafted, corrector or NoiseCorrector(), day),
    )  # fmt: skip


# -- copies


def copy_groups(chunks: Sequence[Chunk], share: float = COPY) -> tuple[CopyGroup, ...]:
    """Pages that stand, nearly whole, in a longer one; the largest groups first.

    An index of runs of letters finds the candidates, so that time grows with the corpus and not with its square.
    """
    texts = [shingles("".join(c.text.lower().split())) for c in chunks]
    longest_first = sorted(range(len(chunks)), key=lambda i: (-len(texts[i]), i))
    holders: dict[int, list[int]] = {}
    groups: dict[int, list[tuple[int, float]]] = {}
    for place in longest_first:
        votes = Counter(owner for run in texts[place] for owner in holders.get(run, ()))
        best = min(votes.items(), key=lambda v: (-v[1], v[0]), default=None)
        if best is not None and best[1] >= share * len(texts[place]):
            groups.setdefault(best[0], []).append((place, best[1] / len(texts[place])))
            continue
        for run in texts[place]:
            known = holders.setdefault(run, [])
            if len(known) < _COMMON:
                known.append(place)
    found = [
        CopyGroup(chunks[owner].id, tuple(chunks[i].id for i, _ in members), round(min(s for _, s in members), 4))
        for owner, members in groups.items()
    ]
    return tuple(sorted(found, key=lambda g: (-len(g.copies), g.kept)))


# -- contradictions


def _contradictions(cases: Sequence[EvalCase], corrector: NoiseCorrector, day: date) -> tuple[Contradiction, ...]:
    """One for each set of pages that disagree: several questions find the same one."""
    found: dict[frozenset[frozenset[str]], Contradiction] = {}
    for case in cases:
        result = corrector.refine(case.question, case.contexts, top_k=len(case.contexts), as_of=day)
        for conflict in result.conflicts:
            key = frozenset(frozenset(side.chunk_ids) for side in conflict.sides)
            found.setdefault(key, _contradiction(case.question, conflict))
    return tuple(sorted(found.values(), key=lambda c: (c.decided, -sum(len(ids) for _, ids in c.sides), c.question)))


def _contradiction(question: str, conflict: Conflict) -> Contradiction:
    sides = tuple((side.value, side.chunk_ids) for side in conflict.sides)
    taken = conflict.winner.value if conflict.winner is not None else ""
    return Contradiction(question, taken, sides, conflict.explain())
