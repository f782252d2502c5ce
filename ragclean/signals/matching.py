"""Find every term of a query in many texts at once, without cutting the texts into words.

The folded texts are joined into one string, each term is searched in it (``str.find`` or one linear pattern, at C
speed), and positions are mapped back to texts, sentences or windows by ``searchsorted``. One pass over the joined
string therefore serves chunk coverage, sentence coverage and proximity.

What meets what:

* Chinese words as substrings; a compound of three characters or more also in part, by the dictionary words it holds;
* English words at word borders, with light inflection (s, es, ies, ed, ing, 's);
* codes through separators and width (x200, x-200, X 200), never inside a longer code (x2000) nor another (x300);
* names that stand nowhere as written, by edit similarity (rapidfuzz), never across differing digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from ragclean.signals.synonyms import synonyms
from ragclean.text.question import QueryTerm, Question
from ragclean.text.question_content import in_dictionary
from ragclean.text.tokens import informativeness, is_stopword

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float32]

#: Stands between joined texts; no term holds it and no pattern crosses it.
SEPARATOR = "\n"
#: Credit for the dictionary word inside a compound (保修 for 保修期): most of the meaning, not all.
PART_STRENGTH = 0.6
#: Credit for a derived form (coverage for cover, replacement for replace).
DERIVED_STRENGTH = 0.7
#: Credit for another word of the same meaning: less than the word itself, since such pairs fit most uses, not all.
SYNONYM_STRENGTH = 0.6
FUZZY_STRENGTH = 0.8
#: Two names are one above this similarity (0..100): one letter in six or seven may differ.
FUZZY_SIMILARITY = 85.0
#: Shorter names differ by too little for an edit similarity to mean anything.
_FUZZY_MIN_LATIN, _FUZZY_MIN_HAN = 6, 4
#: Places looked at for a similar name, and hits of one term kept: bounds for hostile texts, far above real ones.
_MAX_FUZZY_PLACES = 200
_MAX_HITS = 200_000

#: What may follow the stem of an English word, by how the stem was cut: of repair, of release or stopped, of policy.
_TAILS = {
    "whole": re.compile(r"(?:'?s|es|[b-df-hj-np-tvz]?(?:ed|ing|ings|ers?))?(?![a-z0-9])"),
    "short": re.compile(r"(?:'?s|(?<=[sxzho])es)?(?![a-z0-9])"),
    "e": re.compile(r"(?:e|e?'?s|es|ed|ing|ings|ers?)(?![a-z0-9])"),
    "cut": re.compile(r"(?:e|e?'?s|[b-df-hj-np-tvz]?(?:ed|ing|ings|ers?))?(?![a-z0-9])"),
    "y": re.compile(r"(?:y|ys|y's|ies|ied|ying)(?![a-z0-9])"),
}
_POSSESSIVE = re.compile(r"(?:'?s)?(?![a-z0-9])")
_DERIVATION = re.compile(
    r"(?:e?ments?|age|ions?|ations?|al|ance|able|ably|ly|ive|ors?|ality|ity|ness|ful|th)(?![a-z0-9])"
)
_CODE_PARTS = re.compile(r"[a-z]{1,40}|\d{1,40}(?:\.\d{1,20}){0,6}|[\u4e00-\u9fff]{1,40}")
_SHORT_WORD = 3
#: The part of a compound must itself say something: 公司 (0.3) inside a company's name does not.
_TELLING = 0.5
_DIGITS = re.compile(r"[\d〇零一二两三四五六七八九十百千]{1,40}")
@dataclass(frozen=True, slots=True)
class JoinedTexts:
    """Folded texts as one string, with the place where each begins."""

    joined: str
    starts: IntArray

    @classmethod
    def of(cls, folded_texts: Sequence[str]) -> JoinedTexts:
        """Join texts; ``starts[i]`` is the offset of text ``i`` in ``joined``."""
        lengths = np.fromiter((len(t) + len(SEPARATOR) for t in folded_texts), np.int64, len(folded_texts))
        starts = np.zeros(len(folded_texts), np.int64)
        np.cumsum(lengths[:-1], out=starts[1:])
        return cls(SEPARATOR.join(folded_texts), starts)

    def owner(self, positions: IntArray) -> IntArray:
        """Index of the text each position lies in."""
        return np.searchsorted(self.starts, positions, side="right") - 1


@dataclass(frozen=True, slots=True)
class TermHits:
    """Places of one term in the joined string, in order, with how well each matches (1: as asked, less: in part)."""

    positions: IntArray
    strengths: FloatArray


def find_terms(terms: Sequence[QueryTerm], texts: JoinedTexts) -> list[TermHits]:
    """Every place of every term; one entry a term."""
    return [_find(t.text, t.kind, texts.joined) for t in terms]


def find_words(words: Sequence[str], texts: JoinedTexts) -> list[TermHits]:
    """The same for plain words, such as a facet's attributes."""
    return [_find(w, "word", texts.joined) for w in words]


def strengths_by(hits: Sequence[TermHits], starts: IntArray, n: int) -> FloatArray:
    """(n, t): the best match of each term inside each stretch that begins at ``starts`` and ends at the next."""
    table = np.zeros((n, len(hits)), np.float32)
    if n == 0:
        return table
    for j, h in enumerate(hits):
        if len(h.positions):
            np.maximum.at(table[:, j], np.searchsorted(starts, h.positions, side="right") - 1, h.strengths)
    return table


def term_strengths(question: Question, folded_texts: Sequence[str]) -> FloatArray:
    """(n, t): how well each text holds each term of the question, 0..1."""
    texts = JoinedTexts.of(folded_texts)
    return strengths_by(find_terms(question.terms, texts), texts.starts, len(folded_texts))


def term_hits(question: Question, folded_texts: Sequence[str]) -> NDArray[np.bool_]:
    """(n, t): does the text hold the term, whole or in part?"""
    return term_strengths(question, folded_texts) > 0


# -- one term -----------------------------------------------------------------------------------------------------


def _find(term: str, kind: str, joined: str) -> TermHits:
    if kind == "code" or (not term.isascii() and any(c.isascii() and c.isalnum() for c in term)):
        found = _find_code(term, joined)
    elif term.isascii():
        found = _find_latin(term, joined, name=kind == "name")
    else:
        found = _find_han(term, joined, whole=kind == "name" and len(term) >= _FUZZY_MIN_HAN)
    if kind == "name" and not found:
        found = _find_similar(term, joined)
    if not found:
        return _NO_HITS
    places = sorted(found.items())
    return TermHits(np.array([p for p, _ in places], np.int64), np.array([s for _, s in places], np.float32))


_NO_HITS = TermHits(np.zeros(0, np.int64), np.zeros(0, np.float32))


def _places(needle: str, hay: str) -> list[int]:
    places: list[int] = []
    at = hay.find(needle)
    while at >= 0 and len(places) < _MAX_HITS:
        places.append(at)
        at = hay.find(needle, at + len(needle))
    return places


def _find_han(term: str, joined: str, whole: bool) -> dict[int, float]:
    found = dict.fromkeys(_places(term, joined), 1.0)
    if whole:
        return found
    for part, offset in _dictionary_parts(term):
        for at in _places(part, joined):
            if at - offset not in found:
                found.setdefault(at, PART_STRENGTH)
    _add_synonyms(term, joined, found)
    return found


@lru_cache(maxsize=4096)
def _dictionary_parts(term: str) -> tuple[tuple[str, int], ...]:
    """Two-character dictionary words at either end of a longer word: 保修期 -> 保修, 住房补贴 -> 住房, 补贴."""
    if len(term) < 3:
        return ()
    ends = {term[:2]: 0, term[-2:]: len(term) - 2}
    return tuple((w, at) for w, at in ends.items() if _tells_something(w))


def _tells_something(word: str) -> bool:
    return in_dictionary(word) and informativeness(word) > _TELLING and not is_stopword(word)


def _find_latin(term: str, joined: str, name: bool) -> dict[int, float]:
    found: dict[int, float] = {}
    if name:
        for at in _places(term, joined):
            if not (at and _is_alnum(joined[at - 1])) and _POSSESSIVE.match(joined, at + len(term)):
                found[at] = 1.0
        return found
    stem, cut = stem_of(term)
    tail = _TAILS[cut]
    for at in _places(stem, joined):
        if at and _is_alnum(joined[at - 1]):
            continue
        if tail.match(joined, at + len(stem)):
            found[at] = 1.0
        elif len(stem) >= 4 and _DERIVATION.match(joined, at + len(stem)):
            found[at] = DERIVED_STRENGTH
    _add_synonyms(term, joined, found)
    return found


def _add_synonyms(term: str, joined: str, found: dict[int, float]) -> None:
    for other in synonyms(term):
        latin = other.isascii()
        for at in _places(other, joined):
            end = at + len(other)
            if latin and ((at and _is_alnum(joined[at - 1])) or (end < len(joined) and _is_alnum(joined[end]))):
                continue
            found.setdefault(at, SYNONYM_STRENGTH)


def _is_alnum(char: str) -> bool:
    return char.isascii() and char.isalnum()


@lru_cache(maxsize=4096)
def stem_of(word: str) -> tuple[str, str]:
    """The part of an English word that its inflected forms share, and which endings may follow it."""
    if word.endswith("'s"):
        word = word[:-2]
    if len(word) <= _SHORT_WORD:
        return word, "short"
    for ending in ("ies", "ied", "y"):
        if word.endswith(ending):
            return word[: -len(ending)], "y"
    for ending in ("ing", "ed", "es", "e"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) >= _SHORT_WORD and any(c in "aeiouy" for c in stem):
            doubled = ending in ("ing", "ed") and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return (stem[:-1] if doubled else stem), "e" if ending == "e" else "cut"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1], "whole"
    return word, "whole"


@lru_cache(maxsize=4096)
def code_pattern(term: str) -> re.Pattern[str]:
    """Letters and digits of a code with at most one separator between them, and no letter or digit after."""
    parts = _CODE_PARTS.findall(term)
    body = "[-_ ·/]?".join(map(re.escape, parts)) or re.escape(term)
    last = parts[-1][-1] if parts else ""
    after = r"(?![a-z0-9]|\.\d)" if last.isascii() else ""
    return re.compile(body + after)


@lru_cache(maxsize=1024)
def code_family(code: str) -> re.Pattern[str] | None:
    """Codes that differ from this one in its last number or the letters after it: x300 and x200s for x200.

    None for a code that does not hold a number after letters.
    """
    parts = _CODE_PARTS.findall(code)
    last = max((i for i, p in enumerate(parts) if p[0].isdigit()), default=0)
    if last == 0:
        return None
    stem = "[-_ ·/]?".join(map(re.escape, parts[:last]))
    return re.compile(rf"(?<![a-z0-9]){stem}[-_]?\d{{1,6}}[-_]?[a-z]{{0,3}}(?![a-z0-9])")


def _find_code(term: str, joined: str) -> dict[int, float]:
    found: dict[int, float] = {}
    for m in code_pattern(term).finditer(joined):
        at = m.start()
        if at and _is_alnum(joined[at - 1]) and _is_alnum(joined[at]):
            continue
        if term[0].isdigit() and at > 1 and joined[at - 1] == "." and joined[at - 2].isdigit():
            continue
        found[at] = 1.0
        if len(found) >= _MAX_HITS:
            break
    return found


def _find_similar(name: str, joined: str) -> dict[int, float]:
    """Near spellings of a name that stands nowhere as written, looked for where its head or tail stands."""
    latin = name.isascii()
    if len(name) < (_FUZZY_MIN_LATIN if latin else _FUZZY_MIN_HAN):
        return {}
    digits = _DIGITS.findall(name)
    edge = 3 if latin else 2
    found: dict[int, float] = {}
    looked = 0
    for anchor, back in ((name[:edge], 0), (name[-edge:], len(name) - edge)):
        for at in _places(anchor, joined):
            looked += 1
            if looked > _MAX_FUZZY_PLACES:
                return found
            start = max(0, at - back - 1)
            window = joined[start : start + len(name) + 2].split(SEPARATOR)[0]
            if latin:
                start, window = _word_around(joined, at)
            score = fuzz.ratio(name, window) if latin else fuzz.partial_ratio(name, window)
            if score >= FUZZY_SIMILARITY and _DIGITS.findall(window) == digits:
                found.setdefault(start, FUZZY_STRENGTH)
    return found


def _word_around(joined: str, at: int, reach: int = 24) -> tuple[int, str]:
    low = at
    while low > max(0, at - reach) and _is_alnum(joined[low - 1]):
        low -= 1
    high = at
    while high < min(len(joined), at + reach) and _is_alnum(joined[high]):
        high += 1
    return low, joined[low:high]
