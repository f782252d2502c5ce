"""How the sentences of *one* passage compare: the question's words weighted by how few of its sentences hold them.

Rarity in the language ranks pages; inside a page the name it is about stands in every sentence and tells nothing,
while a plain word of the question may stand in one sentence only. So words weigh by their rarity among the
passage's own sentences (BM25 with its usual constants), and Chinese character pairs count beside the words, since a
question and a text are rarely cut alike.
"""

from __future__ import annotations

import re
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
    """Relevance of each sentence (n,) beside the best of its passage, which is 1; all 0 where no word is shared."""
    n = len(prepared.sentences)
    patterns, pairs = _needles(question)
    if not n or not (patterns or pairs):
        return np.zeros(n, np.float32)
    lengths = np.array([s.end - s.start for s in prepared.sentences], np.float32)
    sentences = prepared.folded_sentences
    words = np.zeros(n, np.float32)
    norm = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(1.0, float(lengths.mean())))
    for needle in patterns:
        counts = np.array(_counts(needle, sentences), np.float32)
        words += _rarity(counts) * counts * (BM25_K1 + 1) / (counts + norm)
    characters = np.zeros(n, np.float32)
    for pair in pairs:
        held = np.array([pair in s for s in sentences], np.float32)
        characters += _rarity(held) * held
    measures = [m / m.max() for m in (words, characters) if m.max() > 0]
    if not measures:
        return np.zeros(n, np.float32)
    both = np.sum(measures, axis=0)
    best: Scores = (both / both.max()).astype(np.float32)
    return best


def _counts(needle: str | re.Pattern[str], sentences: tuple[str, ...]) -> list[int]:
    if isinstance(needle, str):
        return [s.count(needle) for s in sentences]
    return [len(needle.findall(s)) for s in sentences]


def _rarity(counts: Scores) -> float:
    n, holding = len(counts), int(np.count_nonzero(counts))
    return float(np.log1p((n - holding + 0.5) / (holding + 0.5)))


@lru_cache(maxsize=64)
def _needles(question: Question) -> tuple[tuple[str | re.Pattern[str], ...], tuple[str, ...]]:
    """What to look for: words (Latin ones by their stem, at the start of a word) and pairs of Chinese characters."""
    words: list[str | re.Pattern[str]] = []
    pairs: dict[str, None] = {}
    for term in question.terms[:TERM_LIMIT]:
        if term.text.isascii():
            words.append(re.compile(r"(?<![a-z0-9])" + re.escape(_stem(term.text))))
        else:
            words.append(term.text)
    for a, b in pairwise(question.folded):
        if _is_han(a) and _is_han(b) and a not in _FUNCTION and b not in _FUNCTION:
            pairs[a + b] = None
    return tuple(words), tuple(pairs)[:PAIR_LIMIT]


def _stem(word: str) -> str:
    if len(word) < STEM_FROM or not word.isalpha():
        return word
    cut = _ENDING.sub("", word)
    return cut if len(cut) >= STEM_FROM - 2 else word


def _is_han(c: str) -> bool:
    return "\u3400" <= c <= "\u9fff"
