"""Plain yes and no: which side of a predicate a sentence takes, clause by clause, exceptions set aside."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragclean.arbitration import lexicon
from ragclean.arbitration.focus import FacetFocus, FocusTerm

_CLAUSES = re.compile(r"[,;。\n]|(?<=\D)\.(?=\s|$)|但是?|不过|然而|\bbut\b|\bhowever\b|\bexcept\b|\bunless\b")
#: An exception or a condition says nothing about the rule it is an exception to.
_EXCEPTION = re.compile(r"除外|例外|除非|的除外|不在此限|except|unless|other than|excluding|apart from")
_QUESTION = re.compile(r"[?]|吗|是否|能否|能不能|可不可以|有没有|^(?:can|does|is|are|do|will) ")
#: A charge that is lifted is none: 收费项目已取消.
_FREE = "free"
_LIFTED = re.compile(r"取消|拿掉|停止|免除|废止|下线|abolished|scrapped|dropped|lifted")
#: Share of the question's words that the clause, or the clause with the one before, must hold.
_MIN_CLAUSE = 0.3
#: What the clause before, and the question that the sentence answers, add to that share.
_WITH_CLAUSE_BEFORE = 0.8
_INTRODUCED = 0.4


@dataclass(frozen=True, slots=True)
class Polarity:
    """Which side a sentence takes, and whether it names an exception."""

    sign: int
    conditional: bool


def polarity_of(
    text: str, introduction: str, terms: tuple[FocusTerm, ...], facet: FacetFocus
) -> Polarity | None:
    """+1 or -1 for the predicate asked for; None where the sentence takes no side or both."""
    predicate = _predicate(facet.slot_text)
    if _QUESTION.search(text):
        return None
    total = sum(t.weight for t in terms) or 1.0
    asked = introduction if "?" in introduction else ""
    led = _INTRODUCED * sum(t.weight * t.credit(asked) for t in terms) / total if asked else 0.0
    signs: list[tuple[float, int]] = []
    clauses = [c for c in _CLAUSES.split(text) if c and c.strip()]
    for i, clause in enumerate(clauses):
        if _EXCEPTION.search(clause):
            continue
        sign = _sign(clause, predicate)
        if not sign:
            continue
        covered = sum(t.weight * t.credit(clause) for t in terms) / total
        if covered < _MIN_CLAUSE and i:
            before = sum(t.weight * t.credit(clauses[i - 1] + clause) for t in terms) / total
            covered = max(covered, _WITH_CLAUSE_BEFORE * before)
        covered += led
        if covered >= _MIN_CLAUSE:
            signs.append((covered, sign))
    if not signs:
        return None
    best = max(c for c, _ in signs)
    leading = {s for c, s in signs if c >= best - 0.1}
    if len(leading) != 1:
        return None
    return Polarity(leading.pop(), bool(_EXCEPTION.search(text)))


def _sign(clause: str, predicate: int) -> int:
    """-1 where a clause denies the predicate anywhere, +1 where it only affirms it, else 0."""
    pattern, negative = _patterns()[predicate]
    found = {m.group() in negative for m in pattern.finditer(clause)}
    if True in found and lexicon.POLARITY[predicate][0] == _FREE and _LIFTED.search(clause):
        return 1
    return -1 if True in found else 1 if found else 0


@lru_cache(maxsize=256)
def _predicate(folded_question: str) -> int:
    for number, (pattern, _) in enumerate(_patterns()):
        if pattern.search(folded_question):
            return number
    return len(lexicon.POLARITY) - 1


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    """Per predicate all its forms, the longest first (不再收取 before 收取), and which of them deny it."""
    return tuple((_any((*positive, *negative)), frozenset(negative)) for _, positive, negative in lexicon.POLARITY)


def _any(words: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join(rf"\b{re.escape(w)}\b" if w.isascii() else re.escape(w) for w in ordered))
