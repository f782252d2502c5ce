"""Sentences of one frame about different things: 'the battery has a warranty of' and 'the phone has a warranty of'.

Where one sentence answers the question in its own words, and another says the same with another word in the place of
one of the question's, which its page never names, the second is about another thing, person, place or case, and is no
contradiction, however trusted or new it is.
"""

from __future__ import annotations

import re

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.focus import FacetFocus
from ragclean.prepare import RankedPassage
from ragclean.text.tokens import informativeness, is_stopword

#: Share of the question's words in a sentence that answers in its own words.
_IN_FULL = 0.7
#: Weight of a word of the question that tells things apart.
_TELLING = 0.4
#: Words of a sentence that is a frame and little else; in longer ones something differs in any case.
_FRAME = 6
_HEAD, _CAPITALISED = 60, re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,20}\b")
#: A word as rare as this is in no dictionary.
_UNKNOWN = 0.99995
#: Share of a word's spellings that must be there.
_SAID = 0.9
#: The thing may be named by a pronoun, or by who speaks.
_REFERS = re.compile(r"\b(?:it|its|it's|this|these|they|we|our)\b|[它该此本]|我们|我司|我方")


def substituted(a: Claim, b: Claim, pages: tuple[RankedPassage, RankedPassage], facet: FacetFocus) -> bool:
    """One of the two answers in the question's words, and the other is the same sentence about something else."""
    return _instead(a, b, pages, facet) or _instead(b, a, (pages[1], pages[0]), facet)


def _instead(full: Claim, other: Claim, pages: tuple[RankedPassage, RankedPassage], facet: FacetFocus) -> bool:
    mine = pages[0].prepared.folded_sentences[full.sentence]
    theirs = pages[1].prepared.folded_sentences[other.sentence]
    words, others = sentence_words(pages[0], full.sentence), sentence_words(pages[1], other.sentence)
    if full.bids or other.bids or _REFERS.search(theirs):
        return False
    if len(words) > _FRAME or len(others) > _FRAME or not words & others:
        return False
    asked = [t for t in facet.terms if t.weight >= _TELLING and len(t.text) > 1]
    said = [t for t in asked if t.credit(mine) >= _SAID]
    if sum(t.weight for t in said) < _IN_FULL * sum(t.weight for t in asked):
        return False
    page = pages[1].passage.titled
    # Of a Chinese word no character may be there: 免费 and 收费, 费率 and 手续费 are of one matter.
    missing = [t for t in said if not t.credit(page) and (t.text.isascii() or not set(t.text) & set(theirs))]
    unasked = [w for w in others - words if not any(w in t.text or t.text in w or t.credit(w) for t in facet.terms)]
    if missing and all(" " in t.text or informativeness(t.text) >= _UNKNOWN for t in missing):
        # A page need not name the thing in every chunk: only another name in its place tells of another thing.
        told = (pages[1].prepared.text[:_HEAD], pages[1].prepared.sentence_texts[other.sentence])
        unasked = [w for w in unasked if _is_name(w, told[1])] or _names_in(told[0], facet.slot_text)
    return bool(missing) and bool(unasked) and any(t.credit(theirs) for t in asked)


def _names_in(head: str, question: str) -> list[str]:
    """Capitalised words within the opening of a page that the question does not hold."""
    return [w for w in _CAPITALISED.findall(head) if w.lower() not in question]


def _is_name(word: str, sentence: str) -> bool:
    """A capitalised word within a sentence, or a Chinese word that no dictionary knows."""
    if not word.isascii():
        return informativeness(word) >= _UNKNOWN
    at = sentence.lower().find(word)
    return at > 0 and sentence[at].isupper()


def sentence_words(page: RankedPassage, number: int) -> frozenset[str]:
    """The content words of a sentence, its values left out."""
    prepared = page.prepared
    sentence = prepared.sentences[number]
    tokens = prepared.tokens_between(sentence.start, sentence.end)[: 4 * _FRAME]
    values = prepared.sentence_values[number]
    return frozenset(
        prepared.folded[t.start : t.end]
        for t in tokens
        if t.kind in ("han", "latin")
        and not is_stopword(prepared.folded[t.start : t.end])
        and not any(v.start < t.end and t.start < v.end for v in values)
    )
