"""How the sentences of *one* passage compare: the question's words weighted by how few of its sentences hold them.

Rarity in the language ranks pages; inside a page the name it is about stands in every sentence and tells nothing,
while a plain word of the question may stand in one sentence only. So words weigh by their rarity among the
passage's own sentences (BM25 with its usual constants). Chinese characters count beside the words, in pairs since a
question and a text are rarely cut alike, and one by one since most of a compound's sense is in one of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ragclean.prepare import PreparedText
from ragclean.text.question import Question

#: Saturation and length normalisation of BM25, the textbook values.
BM25_K1, BM25_B = 1.2, 0.75
#: Terms and character pairs looked for at most; each is searched in the whole passage.
TERM_LIMIT = 32
PAIR_LIMIT = 48
#: English words this long are matched without their ending (founded / founding).
STEM_FROM = 5

#: Characters that only join or ask; a pair with one of them says nothing about the subject.
_FUNCTION = frozenset("的了吗呢么什哪谁几是在和与及")

_ENDING = re.compile(r"(?:ations?|ings?|ied|ies|ers?|ed|es|s|ly|e|y)$")

Scores = NDArray[np.float32]


def compare_sentences(question: Question, prepared: PreparedText) -> Scores:
    """Relevance of each sentence (n,) beside the best of its passage, which is 1; all 0 where nothing is shared.

    The mean of three comparisons, each scaled to its best sentence: words (BM25), pairs of Chinese characters, and
    single characters of the question's plain words (谥号 and 谥文通, 颜色 and 黄色).
    """
    n = len(prepared.sentences)
    needles = _needles(question)
    total = np.zeros(n, np.float32)
    if not n:
        return total
    sentences = prepared.folded_sentences
    if needles.words:
        counts = np.array([_counts(w, sentences) for w in needles.words], np.float32)
        lengths = np.array([len(s) for s in sentences], np.float32)
        norm = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(1.0, float(lengths.mean())))
        saturated = counts * (BM25_K1 + 1) / (counts + norm)
        total += _scaled(_rarity(counts) @ saturated.astype(np.float32))
    for marks in (needles.pairs, needles.characters):
        if marks:
            held = np.array([[mark in s for s in sentences] for mark in marks], np.float32)
            total += _scaled(_rarity(held) @ held)
    return _scaled(total)


def _scaled(scores: Scores) -> Scores:
    top = float(scores.max(initial=0.0))
    return scores / np.float32(top) if top > 0 else scores


def _counts(needle: str | re.Pattern[str], sentences: tuple[str, ...]) -> list[int]:
    if isinstance(needle, str):
        return [s.count(needle) for s in sentences]
    return [len(needle.findall(s)) for s in sentences]


def _rarity(counts: Scores) -> Scores:
    """Weight of each row's needle (k,) by how few of the n sentences hold it."""
    n = counts.shape[1]
    holding = np.count_nonzero(counts, axis=1)
    weights: Scores = np.log1p((n - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    return weights


@dataclass(frozen=True, slots=True)
class _Needles:
    """What to look for: words (Latin ones by their stem, at the start of a word), Chinese pairs and characters."""

    words: tuple[str | re.Pattern[str], ...]
    pairs: tuple[str, ...]
    characters: tuple[str, ...]


@lru_cache(maxsize=64)
def _needles(question: Question) -> _Needles:
    words: list[str | re.Pattern[str]] = []
    characters: dict[str, None] = {}
    named = {c for t in question.terms if t.kind == "name" or t.text in question.things for c in t.text}
    for term in question.terms[:TERM_LIMIT]:
        if term.text.isascii():
            words.append(re.compile(r"(?<![a-z0-9])" + re.escape(_stem(term.text))))
        else:
            words.append(term.text)
            characters.update((c, None) for c in term.text if _is_han(c) and c not in named and c not in _FUNCTION)
    pairs = {
        a + b: None
        for a, b in pairwise(question.folded)
        if _is_han(a) and _is_han(b) and a not in _FUNCTION and b not in _FUNCTION
    }
    return _Needles(tuple(words), tuple(pairs)[:PAIR_LIMIT], tuple(characters)[:PAIR_LIMIT])


def _stem(word: str) -> str:
    if len(word) < STEM_FROM or not word.isalpha():
        return word
    cut = _ENDING.sub("", word)
    return cut if len(cut) >= STEM_FROM - 2 else word


def _is_han(c: str) -> bool:
    return "\u3400" <= c <= "\u9fff"
