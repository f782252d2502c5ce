"""What a page tells to do and not to do, for questions that leave the action open ('what do I do?').

Two pages contradict each other where the one recommends what the other forbids. Only actions with a known name count:
any shared word would do, and pages of one topic share many. Words of the question name the trouble, not the cure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from ragclean.arbitration import actions
from ragclean.arbitration.polarity import CLAUSES
from ragclean.prepare import PreparedText

#: Characters behind a prohibition that it governs; English needs three times as many.
_REACH = 24
_MAX_SENTENCES = 200
_CACHE = 8192


def signed_actions(prepared: PreparedText, asked: Collection[str]) -> Iterator[tuple[int, frozenset[str]]]:
    """Per sentence the actions that it recommends (+) and forbids (-), by the number of their group."""
    known = {n for word in asked for n in actions.groups_of(word)}
    for number, text in enumerate(prepared.folded_sentences[:_MAX_SENTENCES]):
        if prepared.sentences[number].kind in ("heading", "table_header", "table_rule"):
            continue
        kept = frozenset(s for s in _signed(text) if int(s[1:]) not in known)
        if kept:
            yield number, kept


@lru_cache(maxsize=_CACHE)
def _signed(text: str) -> frozenset[str]:
    """The actions of one sentence, whatever is asked: pages are read again for every question."""
    found: set[str] = set()
    at = 0
    for end in (*(m.start() for m in CLAUSES.finditer(text)), len(text)):
        clause, at = text[at:end], end
        if not clause.strip() or actions.ATTEMPTED.search(clause):
            continue
        banned = actions.FORBIDDEN.search(clause)
        if banned:
            reach = _REACH * (3 if clause.isascii() else 1)
            clause = clause[banned.end() : banned.end() + reach]
        sign = "-" if banned or actions.advice(clause) < 0 else "+"
        found.update(f"{sign}{n}" for n in actions.groups_in(clause))
    both = {s[1:] for s in found if s[0] == "-"}
    return frozenset(s for s in found if s[0] == "-" or s[1:] not in both)
