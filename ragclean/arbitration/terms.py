"""Words and names of a question with the spellings under which a text may hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragclean.arbitration import lexicon
from ragclean.text.question import Question
from ragclean.text.tokens import informativeness, is_stopword

#: Credit for a neighbour in meaning in place of the word itself, and for the first two characters of a longer word.
_SYNONYM_CREDIT = 0.9
_PARTIAL_CREDIT = 0.7
#: English words are compared by this many first letters at the least, so that 'refunded' meets 'refund'.
_STEM_MIN = 4
_STEM_CUT = 3
_LONGEST_WORD = 24
#: Words as common as this (才, have) say nothing of what a value is of.
_MIN_WEIGHT = 0.08
#: An attribute word that the question's terms do not hold counts like a common noun.
_UNWEIGHED = 0.7
_HAN = re.compile(r"[\u3400-\u9fff]")
_VARIANT_AFTER = re.compile(r"[ -]?([a-z]{1,8})(?![a-z0-9])")
_CODE_JOIN = re.compile(r"[-_ ./]")


@dataclass(frozen=True, slots=True)
class FocusTerm:
    """A word of the question and the spellings under which a text may hold it."""

    text: str
    weight: float
    attribute: bool
    forms: tuple[tuple[str, float], ...]
    """(folded spelling, credit 0..1), best credit first."""

    def credit(self, text: str) -> float:
        """The best credit of a spelling that ``text`` holds; 0 where it holds none."""
        for form, credit in self.forms:
            if form in text:
                return credit
        return 0.0

    def place(self, text: str, near: int) -> int:
        """Distance in characters of the occurrence nearest to offset ``near``; -1 where there is none."""
        for form, _ in self.forms:
            before = text.rfind(form, 0, near)
            after = text.find(form, near)
            if before >= 0 or after >= 0:
                left = near - before - len(form) if before >= 0 else len(text)
                right = after - near if after >= 0 else len(text)
                return max(0, min(left, right))
        return -1


@dataclass(frozen=True, slots=True)
class Thing:
    """A code or name of what is asked about."""

    text: str
    key: str
    family: str
    """Leading letters of a code (``n`` of n07b); empty for a name."""
    variant: str
    """The variant word that follows it in the question (``pro``), or empty."""
    aliases: tuple[str, ...] = ()


def code_key(text: str) -> str:
    """x-200, X 200 and x200 are one code."""
    return _CODE_JOIN.sub("", text)


def code_family(key: str) -> str:
    """The letters a code begins with; a code that begins with a digit has none."""
    for i, char in enumerate(key):
        if char.isdigit():
            return key[:i]
    return key


def is_code(text: str) -> bool:
    """Letters and digits in one word: x200, n-07b."""
    return any(c.isdigit() for c in text) and any(c.isascii() and c.isalpha() for c in text)


def term_of(word: str) -> FocusTerm:
    """A word by itself as a term, weighed by its rarity."""
    return FocusTerm(word, max(_MIN_WEIGHT, informativeness(word)), True, _forms(word))


def terms_of(question: Question, attributes: tuple[str, ...], things: tuple[Thing, ...]) -> tuple[FocusTerm, ...]:
    """The words of a question, those of the attribute asked for marked, and the names of its things."""
    named = {t.text for t in things} | {t.key for t in things} | {w for t in things for w in t.text.split()}
    weights = {t.text: t.weight for t in question.terms}
    seen: dict[str, FocusTerm] = {}
    for word in (*weights, *attributes):
        if word in named or word in seen or word.isdigit() or any(word in t.text for t in things if t.aliases):
            continue
        weight = weights.get(word, _UNWEIGHED)
        if weight >= _MIN_WEIGHT:
            seen[word] = FocusTerm(word, weight, word in attributes, _forms(word))
    for thing in things:
        if not any(thing is not other and thing.text in other.text for other in things):
            forms = ((thing.text, 1.0), (thing.key, 1.0), *((a, 1.0) for a in thing.aliases))
            seen[thing.text] = FocusTerm(thing.text, 1.0, False, (*forms, *_words_of_name(thing.text)))
    return tuple(seen.values())


def _words_of_name(name: str) -> tuple[tuple[str, float], ...]:
    """The words of a longer name, for pages that use a short form of it."""
    words = [w for w in name.split() if len(w) >= _STEM_MIN and not is_stopword(w)]
    return tuple((w, _PARTIAL_CREDIT) for w in words) if len(words) > 1 else ()


@lru_cache(maxsize=4096)
def _forms(word: str) -> tuple[tuple[str, float], ...]:
    """Spellings of a word with their credit: itself, its stem, neighbours in meaning, the heart of a long word."""
    han = bool(_HAN.search(word))
    forms: dict[str, float] = {_stem(word) if not han else word: 1.0}
    for group in sorted({g for part in _parts_of(word, han) for g in _group_index().get(part, ())}):
        for member in lexicon.SYNONYM_GROUPS[group]:
            forms.setdefault(member, _SYNONYM_CREDIT)
    if han and len(word) > 2:
        for part in (word[:2], word[-2:]):
            if not is_stopword(part):
                forms.setdefault(part, _PARTIAL_CREDIT)
    return tuple(sorted(forms.items(), key=lambda f: -f[1]))


def _parts_of(word: str, han: bool) -> tuple[str, ...]:
    """What of a word may be a member of a synonym group: itself, parts of a Chinese word, beginnings of an English."""
    word = word[:_LONGEST_WORD]
    if not han:
        return (word, *(word[:n] for n in range(_STEM_MIN, len(word))))
    return (word, *(word[i:j] for i in range(len(word)) for j in range(i + 2, len(word) + 1)))


@lru_cache(maxsize=1)
def _group_index() -> dict[str, tuple[int, ...]]:
    index: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(lexicon.SYNONYM_GROUPS):
        for member in group:
            index[member] = (*index.get(member, ()), number)
    return index


def _stem(word: str) -> str:
    """The first letters of an English word, enough to meet its other forms."""
    if not word.isascii() or len(word) <= _STEM_MIN or not word.isalpha():
        return word
    return word[: max(_STEM_MIN, len(word) - _STEM_CUT)]


def named_by_alias(folded: str, aliases: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The names of the user's alias table that a question holds, the longest first, none inside another."""
    held = sorted({n for pair in aliases for n in pair if n and n in folded}, key=lambda n: (-len(n), n))
    return tuple(n for i, n in enumerate(held) if not any(n in other for other in held[:i]))


def thing_of(text: str, folded: str, aliases: tuple[tuple[str, str], ...]) -> Thing:
    """A name or code of the question with its variant word and the user's other names for it."""
    head, _, last = text.rpartition(" ")
    variant = last if head and is_code(head) and last in lexicon.VARIANT_WORDS else ""
    if not variant and is_code(text):
        place = folded.find(text)
        after = _VARIANT_AFTER.match(folded, place + len(text)) if place >= 0 else None
        variant = after.group(1) if after and after.group(1) in lexicon.VARIANT_WORDS else ""
    key = code_key(text)
    other = tuple(name for pair in aliases if text in pair for name in pair if name != text)
    return Thing(text, key, code_family(key) if is_code(text) else "", variant, other)
