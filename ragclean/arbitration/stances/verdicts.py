"""Verdicts: sides that a sentence takes in its own words, where it does not repeat the predicate of the question.

The predicate is stripped to what it is about (包不包 of a coating asks about the coating), the sentence must speak of
that itself, and say in a word of the question's class that it is granted or refused. A clause without a subject of its
own ('..., 一律不得使用') speaks of what the clause before it names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.stances import verdict_lexicon as lexicon
from ragclean.arbitration.stances.coverage import INTRODUCED, ON_PAGE, clauses_of, share_of
from ragclean.arbitration.stances.polarity import EXCEPTION, NOT_DENIED, need_in, without_attributes
from ragclean.arbitration.stances.proposition import Modal, Proposition
from ragclean.arbitration.terms import FocusTerm, term_of

#: Share of what is asked about that the sentence and its surroundings must speak of; less of a whole question's words.
_LEAST, _LEAST_OF_ALL = 0.5, 0.35
#: So much more for a grant, which is worded like many another thing, and for a grant in a weak word.
_GRANTED, _WEAKLY_GRANTED = 1.2, 1.4
#: Share that must stand in the sentence itself, and credit of the clause before for a clause without a subject.
_LEAST_OWN, _CARRIED = 0.5, 0.95
#: A verdict this far into its clause (Chinese characters, English letters) leaves room for a subject of its own.
_SUBJECTLESS, _SUBJECTLESS_EN = 10, 24
#: Words of the question that say hardly anything, and how many tell what it is about.
_TELLING, _MOST_TERMS = 0.25, 8
#: Credit of another name of a thing, or of the kind it belongs to.
_OTHER_NAME = 0.85
#: What the name of the deed asked about counts as speaking of.
_DONE, _DONE_TO = 0.7, 0.15
#: A word with a hyphen (point-in-time) is rarer than its parts.
_HYPHENATED = 0.6
#: No grant must speak of more than this; what a restriction to something else counts as speaking of.
_MOST_ASKED, _RESTRICTED = 0.8, 0.8
_CACHE = 256


@dataclass(frozen=True, slots=True)
class Matter:
    """What a question is about without its predicate, and the classes of verdict that answer it."""

    terms: tuple[FocusTerm, ...]
    classes: frozenset[str]
    least: float
    rivals: tuple[re.Pattern[str], ...]
    """Restrictions to something else than what is asked about."""
    deeds: tuple[re.Pattern[str], ...] = ()
    """Other names of what is done: 转让, 过户, 本人使用 where the question is 能给别人用吗."""
    done_to: tuple[FocusTerm, ...] = ()
    """The question's other words: what it is done to."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A word of verdict: which side, where in the clause, and whether it is a word of many other uses."""

    sign: int
    at: int
    weak: bool = False


@lru_cache(maxsize=_CACHE)
def matter_of(facet: FacetFocus, asked: Proposition) -> Matter:
    """The question's predicate without words that only name its class; without any left, the question's other words."""
    names = {w for t in facet.key_names for w in (t.text, *t.text.split())}
    telling = tuple(w for w in asked.key if w not in lexicon.CLASS_WORDS)
    said = tuple(w for w in telling if w not in names) or telling
    classes = classes_of(facet.slot_text)
    rivals = tuple(only for about, only in lexicon.RIVALS if about.search(facet.slot_text))
    asked_deeds = tuple(d for d in lexicon.DEEDS if d[0].search(facet.slot_text))
    deeds = tuple(told for _, told in asked_deeds)
    done_to = tuple(
        _thing(t.text) for t in facet.terms
        if t.text not in lexicon.CLASS_WORDS
        and t not in facet.key_names
        and not any(about.search(t.text) for about, _ in asked_deeds)
    )
    if any(len(w) > 1 for w in said):
        return Matter(tuple(_thing(w) for w in said), classes, _LEAST, rivals, deeds, done_to)
    rest = sorted(
        (t for t in facet.terms if t.text not in lexicon.CLASS_WORDS and t.text not in names and t.weight >= _TELLING),
        key=lambda t: -t.weight,
    )
    return Matter(tuple(_thing(t.text) for t in rest[:_MOST_TERMS]), classes, _LEAST_OF_ALL, rivals, deeds, done_to)


def can_read(facet: FacetFocus, asked: Proposition) -> bool:
    """The question asks for a grant or a duty; of what is the case only where it asks whether something is covered."""
    if asked.modal == "is":
        return bool(classes_of(facet.slot_text) & {lexicon.COVERAGE, lexicon.OPENING})
    return asked.modal != "free"


def asks_deed(facet: FacetFocus, asked: Proposition) -> bool:
    """What one may or must do is asked, so that advice answers; not what a thing can do or whether it comes back."""
    if asked.kind == "choice" or asked.modal in ("need", "may"):
        return True
    classes = classes_of(facet.slot_text)
    return lexicon.PERMISSION in classes and lexicon.RECOVERY not in classes


def asks_cover(facet: FacetFocus) -> bool:
    """The question is whether something is covered or included."""
    return lexicon.COVERAGE in classes_of(facet.slot_text)


@lru_cache(maxsize=_CACHE)
def classes_of(question: str) -> frozenset[str]:
    """The classes of verdict that a folded question asks for."""
    return frozenset(name for name, pattern in lexicon.ASKS if pattern.search(question))


@lru_cache(maxsize=4096)
def _thing(word: str) -> FocusTerm:
    """A word with other names of the thing; of a verb with its object in one word (带猫) the object."""
    if len(word) > 1 and word[0] in lexicon.LIGHT_VERBS and word not in lexicon.THINGS and word[1:] in lexicon.THINGS:
        word = word[1:]
    term = term_of(word)
    names = lexicon.THINGS.get(word, ())
    forms = dict(term.forms)
    for name in names:
        forms.setdefault(name, _OTHER_NAME)
    weight = max(term.weight, _HYPHENATED) if "-" in word else term.weight
    return replace(term, weight=weight, forms=tuple(sorted(forms.items(), key=lambda f: -f[1])))


def verdict_in(text: str, introduction: str, page: str, matter: Matter, modal: Modal) -> tuple[float, int]:
    """How much of the matter the plainest verdict of a sentence speaks of, and its sign; (0, 0) for none."""
    restricted = modal != "need" and any(only.search(text) for only in matter.rivals)
    named = any(deed.search(text) for deed in matter.deeds)
    if not matter.terms or not (restricted or named or share_of(matter.terms, text) >= _LEAST_OWN * matter.least):
        return 0.0, 0
    best, sign = 0.0, 0
    before = ""
    for start, clause in clauses_of(text):
        if start and text[start - 1] == ";":
            before = ""
        if EXCEPTION.search(clause) or lexicon.CASE_APART.search(clause) or of_another(clause, matter):
            before = ""
            continue
        if restricted and any(only.search(clause) for only in matter.rivals):
            best, sign = max(best, _RESTRICTED), -1
        found = None if lexicon.CASE_NAMED.search(clause) else verdict_of(clause, matter.classes, modal)
        found = _only_in(clause, matter, modal) or found
        joined = f"{before},{clause}" if before else clause
        if found is not None:
            spoken, said = _spoken(found, clause, joined, introduction, matter, modal)
            whole = page if matter.least == _LEAST else ""  # a page on the topic holds any word of a whole question
            around = max(spoken, _with_introduction(matter, joined, introduction, whole)) if spoken else 0.0
            least = matter.least * (1.0 if said < 0 or modal == "need" else _WEAKLY_GRANTED if found.weak else _GRANTED)
            if spoken >= _LEAST_OWN * matter.least and around >= min(least, _MOST_ASKED) and around > best:
                best, sign = around, said
        before = clause if found is not None else joined
    return best, sign


def of_another(clause: str, matter: Matter) -> bool:
    """The clause says of something else that it is refused or granted: 真正找不回来的是彻底删除."""
    m = lexicon.CLEFT.match(clause)
    return m is not None and share_of((*matter.terms, *matter.done_to), clause[m.end() :]) == 0


def _only_in(clause: str, matter: Matter, modal: Modal) -> Verdict | None:
    """只许喝水 grants water and denies all else of the kind."""
    m = lexicon.ONLY.search(clause) if modal != "need" else None
    if m is None:
        return None
    tail = clause[m.end() :]
    granted = share_of(matter.terms, tail) > 0 or any(deed.search(tail) for deed in matter.deeds)
    return Verdict(1 if granted else -1, m.start())


def _spoken(
    found: Verdict, clause: str, joined: str, introduction: str, matter: Matter, modal: Modal
) -> tuple[float, int]:
    """How much of the matter a clause speaks of, with what it leaves to the clause before, and the sign of the two."""
    spoken = share_of(matter.terms, clause)
    done = any(deed.search(clause) for deed in matter.deeds)
    if done and (not matter.done_to or share_of(matter.done_to, f"{introduction}\n{joined}") >= _DONE_TO):
        spoken = max(spoken, _DONE)
    near = _SUBJECTLESS_EN if clause.isascii() else _SUBJECTLESS
    carried = _CARRIED * share_of(matter.terms, joined)
    if carried > spoken and (spoken > 0 or found.at <= near):
        doubly = modal == "need" and lexicon.NO_WITHOUT.search(joined)
        return carried, 1 if doubly else found.sign
    return spoken, found.sign


def _with_introduction(matter: Matter, joined: str, introduction: str, page: str) -> float:
    total = sum(t.weight for t in matter.terms)
    got = sum(
        t.weight * max(t.credit(joined), INTRODUCED * t.credit(introduction), ON_PAGE * t.credit(page))
        for t in matter.terms
    )
    return got / total if total else 0.0


def verdict_of(clause: str, classes: frozenset[str], modal: Modal) -> Verdict | None:
    """The side that a clause takes by a word of verdict."""
    if modal == "need":
        sign, at = need_in(clause)
        return Verdict(sign, at) if sign else None
    if m := NOT_DENIED.search(clause):
        return Verdict(1, m.start())
    for pattern in (lexicon.DENIES, *(lexicon.CLASS_DENIES[name] for name in sorted(classes))):
        if m := pattern.search(clause):
            return Verdict(-1, m.start())
    told = without_attributes(clause)
    for pattern in (lexicon.AFFIRMS, *(lexicon.CLASS_AFFIRMS[name] for name in sorted(classes))):
        if m := pattern.search(told):
            return Verdict(1, m.start(), lexicon.WEAK.match(m.group()) is not None)
    return None
