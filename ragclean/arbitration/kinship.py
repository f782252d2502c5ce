"""Claims that are of one slot by the words the pages share, though the question says it in others.

People ask 'how many days until I can no longer give it back', pages say 'cooling-off period': a rare word that stands
beside both values, and is none of the question's, tells that they are values of one thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.focus import FacetFocus
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.tokens import informativeness, is_stopword

#: Rarity of the shared words, added up, from which two claims are of one slot; words in the value's own clause count
#: in full, those elsewhere in the sentence by half.
_ENOUGH = 0.8
_ELSEWHERE = 0.5
#: Words more common than this say nothing.
_TELLING = 0.6
_STEM = 5
_CLAUSE_MARK = re.compile(r"[,;。:|()\n]")


def kin(
    claims: Sequence[Claim],
    passages: Sequence[RankedPassage],
    facet: FacetFocus,
    contradicts: Callable[[Claim, Claim], bool],
) -> frozenset[Claim]:
    """The claims that share enough words beside their values with a claim of another value."""
    words = [_words_beside(c, passages[c.place].prepared, facet) for c in claims]
    by_word: dict[str, dict[str, tuple[float, Claim]]] = {}
    for claim, mine in zip(claims, words, strict=True):
        for word, weight in mine.items():
            best = by_word.setdefault(word, {})
            if claim.key not in best or best[claim.key][0] < weight:
                best[claim.key] = (weight, claim)
    found: set[Claim] = set()
    for claim, mine in zip(claims, words, strict=True):
        shared: dict[str, float] = {}
        voice: dict[str, Claim] = {}
        for word, weight in mine.items():
            for key, (theirs, other) in by_word[word].items():
                if key != claim.key:
                    shared[key] = shared.get(key, 0.0) + min(weight, theirs)
                    voice.setdefault(key, other)
        # Values are compared last and once a pair: most pairs share too little to ask.
        if any(total >= _ENOUGH and contradicts(claim, voice[key]) for key, total in shared.items()):
            found.add(claim)
    return frozenset(found)


def _words_beside(claim: Claim, prepared: PreparedText, facet: FacetFocus) -> dict[str, float]:
    """Rare words of the claim's sentence with their weight; the question's own words and values left out."""
    if claim.value is None:
        return {}
    sentence = prepared.sentences[claim.sentence]
    folded = prepared.folded
    left, right = _clause(folded, sentence.start, sentence.end, claim.value.start, claim.value.end)
    words: dict[str, float] = {}
    for token in prepared.tokens_between(sentence.start, sentence.end):
        if token.kind not in ("han", "latin") or token.end - token.start < 2:
            continue
        if claim.value.start < token.end and token.start < claim.value.end:
            continue
        word = folded[token.start : token.end]
        rarity = informativeness(word)
        if rarity < _TELLING or is_stopword(word) or any(word in t.text or t.text in word for t in facet.subject):
            continue
        key = word[:_STEM] if word.isascii() else word
        weight = rarity if left <= token.start < right else _ELSEWHERE * rarity
        words[key] = max(words.get(key, 0.0), weight)
    return words


def _clause(folded: str, start: int, end: int, value_start: int, value_end: int) -> tuple[int, int]:
    left = start
    for m in _CLAUSE_MARK.finditer(folded, start, value_start):
        left = m.end()
    following = _CLAUSE_MARK.search(folded, value_end, end)
    return left, following.start() if following else end
