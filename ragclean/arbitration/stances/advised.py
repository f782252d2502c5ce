"""What a page tells to do and not to do, for questions that leave the action open ('what do I do?').

Two pages contradict each other where the one recommends what the other forbids. Actions with a known name count by
themselves; of others a word is not enough, since pages of one topic share many: the means must be the same (with a wire
brush), or the deed together with what it is done to. Words of the question name the trouble, not the cure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from ragclean.arbitration.stances import actions
from ragclean.arbitration.stances.coverage import clauses_of
from ragclean.arbitration.stances.deeds import deeds_of
from ragclean.arbitration.stances.directives import Directive, directives_of
from ragclean.arbitration.stances.polarity import CLAUSES
from ragclean.arbitration.stances.proposition import words_of
from ragclean.prepare import PreparedText
from ragclean.text.tokens import informativeness

#: Characters behind a prohibition that it governs; English needs three times as many.
_REACH = 24
_MAX_SENTENCES, _MAX_LENGTH = 200, 1500
_CACHE = 8192
#: The means of a deed: 用牙膏涂抹, with a wire brush, use bleach.
_MEANS = re.compile(
    r"(?:用|以|拿|涂抹?|抹|喷|倒|加|撒|敷|放[进入到]?|[进入])(?P<zh>[\u4e00-\u9fff]{2,8})"
    r"|\b(?:with|using|use|apply|add|pour|spray|put|in|into)(?: (?:a|an|the|some|any|on|in))? "
    r"(?P<en>[a-z-]{3,14}(?: [a-z-]{3,14})?)"
)
#: A word as rare as this tells what is meant.
_TELLING = 0.25
#: English words are compared by so many first letters less than they have.
_ENDING = re.compile(r"(?:bed|bing|ed|ing|es|s)$")
_SHORTEST = 4


def signed_actions(prepared: PreparedText, asked: Collection[str]) -> Iterator[tuple[int, frozenset[str]]]:
    """Per sentence the actions that it recommends (+) and forbids (-): a group's number, a means, a deed and object."""
    known = {str(n) for word in asked for n in actions.groups_of(word)}
    plain = {_stem(word) for word in asked}
    for number, text in enumerate(prepared.folded_sentences[:_MAX_SENTENCES]):
        if prepared.sentences[number].kind in ("heading", "table_header", "table_rule") or len(text) > _MAX_LENGTH:
            continue
        kept = frozenset(s for s in _signed(text) if s[1:] not in known and not plain.issuperset(s[1:].split("|")))
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
    for _, clause in clauses_of(text):
        for directive in directives_of(clause):
            if directive.explicit:
                found.update(_said(directive))
    both = {s[1:] for s in found if s[0] == "-"}
    return frozenset(s for s in found if s[0] == "-" or s[1:] not in both)


def _said(directive: Directive) -> Iterator[str]:
    """The means of a directive, and its words two by two; a deed of a known kind stands for its verb."""
    sign = "+" if directive.sign > 0 else "-"
    for m in _MEANS.finditer(directive.words):
        for word in words_of(m.group("zh") or m.group("en"))[:2]:
            if informativeness(word) >= _TELLING and len(word) > 1:
                yield f"{sign}{_stem(word)}"
    words = [w for w in words_of(directive.words) if len(w) > 1 and informativeness(w) >= _TELLING]
    for one, other in combinations(sorted({_stem(w) for w in words}), 2):
        yield f"{sign}{one}|{other}"
    against = "-" if sign == "+" else "+"
    for number, pole in deeds_of(directive.words):
        for word in words:
            if not deeds_of(word):
                yield f"{sign if pole > 0 else against}deed {number}|{_stem(word)}"


def contested(actions_of: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Of each page's advice what another page says the opposite of: the rest is in no dispute."""
    said = frozenset(a for page in actions_of for a in page)
    disputed = {a[1:] for a in said if a[0] == "-" and f"+{a[1:]}" in said}
    return [frozenset(a for a in page if a[1:] in disputed) for page in actions_of]


def _stem(word: str) -> str:
    short = _ENDING.sub("", word) if word.isascii() else word
    return short if len(short) >= _SHORTEST else word
