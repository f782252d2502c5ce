"""Which questions a corpus is asked, to find pages that answer them differently."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ragclean.evaluation.audit_statements import Statement, compared, in_shared_words, page_name, statements
from ragclean.evaluation.building import normalised
from ragclean.evaluation.case_rules import Drafted, draft
from ragclean.types import Chunk

#: Pages read for questions, for each that may be asked: in a larger corpus these are drawn at random.
_PAGES = 20
#: Questions of a page that are taken by rule.
_PER_PAGE = 2


@dataclass(frozen=True, slots=True)
class AuditQuestion:
    """A question, and the page that it was made of."""

    page: int
    drafted: Drafted
    text: str
    """What is asked: the subject of the page stands before what was drafted, which seldom names it."""


@dataclass(frozen=True, slots=True)
class AuditQuestions:
    """What is asked, in the order of the pages, and which pages give a subject of theirs different values."""

    asked: tuple[AuditQuestion, ...]
    partners: frozenset[tuple[int, int]]
    """Pairs of pages, both ways."""
    strangers: frozenset[tuple[int, int]]
    """Pairs of pages that say much the same of different things."""

    @property
    def pages(self) -> int:
        """Pages of which something is asked."""
        return len({question.page for question in self.asked})


def draw_questions(places: Sequence[int], pages: Sequence[Chunk], limit: int, seed: int) -> AuditQuestions:
    """First what several pages answer in other words, then what two pages give different values; others at random."""
    if not limit:
        return AuditQuestions((), frozenset(), frozenset())
    rng = random.Random(seed)
    read = sorted(rng.sample(places, min(len(places), limit * _PAGES)))
    groups: dict[str, list[AuditQuestion]] = defaultdict(list)
    stated: list[Statement] = []
    for place in read:
        drafts = draft(pages[place])
        for made in sorted(drafts, key=_doubtful)[:_PER_PAGE]:
            groups[normalised(made.question)].append(_question(place, pages[place], made))
        stated += statements(place, pages[place], drafts)
    found = compared(stated)
    pairs = found.differing
    disputed = [g[0] for g in groups.values() if len({normalised(q.drafted.point) for q in g}) > 1]
    one_sided = [q for g in groups.values() for q in g]
    paired, mates = _of_pairs(pairs, pages)
    chosen: dict[tuple[int, str], AuditQuestion] = {}
    for kind in (disputed, paired, mates + one_sided):
        fresh = {_key(q): q for q in kind if _key(q) not in chosen}
        drawn = rng.sample(list(fresh), min(limit - len(chosen), len(fresh)))
        chosen.update((key, fresh[key]) for key in drawn)
    partners = frozenset(p for a, b in pairs for p in ((a.page, b.page), (b.page, a.page)))
    return AuditQuestions(tuple(sorted(chosen.values(), key=lambda q: (q.page, q.text))), partners, found.strangers)


def _of_pairs(
    pairs: Sequence[tuple[Statement, Statement]], pages: Sequence[Chunk]
) -> tuple[list[AuditQuestion], list[AuditQuestion]]:
    """A question of each pair in the words that both share, and each page's in its own."""
    first: list[AuditQuestion] = []
    own: list[AuditQuestion] = []
    for pair in pairs:
        a, b = sorted(pair, key=lambda s: (len(s.drafted.point), s.page))
        for one, other in ((a, b), (b, a)):
            own.append(_question(one.page, pages[one.page], one.drafted))
            made = in_shared_words(one, other)
            if made is not None:
                (first if one is a else own).append(_question(one.page, pages[one.page], made))
    return first, own


def _key(question: AuditQuestion) -> tuple[int, str]:
    return question.page, normalised(question.text)


def _doubtful(made: Drafted) -> int:
    """Values first: they are what goes wrong, and a yes is easily said."""
    return {"yes_no": 2, "faq": 1}.get(made.kind, 0)


def _question(place: int, page: Chunk, made: Drafted) -> AuditQuestion:
    return AuditQuestion(place, made, f"{_subject(page, made)} {made.question}".strip())


def _subject(page: Chunk, made: Drafted) -> str:
    """What the page calls itself; nothing where that is what is asked about, and so would give the answer."""
    told = page_name(page)
    return "" if not page.title.strip() and normalised(told) in normalised(made.reference) else told
