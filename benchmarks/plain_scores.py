"""What anyone would score texts with first: words in common. The signals are measured against it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import jieba
import numpy as np

from ragclean.signals.base import FloatArray
from ragclean.text.folding import fold

#: The usual setting of BM25 (Robertson and Zaragoza 2009).
K1, B = 1.5, 0.75


def words(text: str, lang: str) -> list[str]:
    """Words of a text: by jieba, or runs of letters and digits in English."""
    if lang == "en":
        return re.findall(r"[a-z0-9]+", fold(text))
    return [word for word in jieba.lcut(fold(text)) if word[0].isalnum()]


class Index:
    """Document frequencies over all texts of a set, as a search engine has them."""

    def __init__(self, texts: Sequence[str], lang: str) -> None:
        cut = [words(text, lang) for text in dict.fromkeys(texts)]
        self._held = Counter(word for own in cut for word in set(own))
        self._texts = len(cut)
        self._length = sum(map(len, cut)) / max(1, len(cut)) or 1.0

    def rarity(self, word: str) -> float:
        """Inverse document frequency, above 0."""
        held = self._held[word]
        return math.log(1.0 + (self._texts - held + 0.5) / (held + 0.5))

    def bm25(self, asked: Sequence[str], texts: Sequence[Sequence[str]]) -> FloatArray:
        """(n,) BM25 of texts in words."""
        scores = np.zeros(len(texts), np.float32)
        for i, text in enumerate(texts):
            counts, damp = Counter(text), K1 * (1.0 - B + B * len(text) / self._length)
            for word in set(asked) & counts.keys():
                scores[i] += self.rarity(word) * counts[word] * (K1 + 1.0) / (counts[word] + damp)
        return scores

    def coverage(self, asked: Sequence[str], texts: Sequence[Sequence[str]]) -> FloatArray:
        """(n,) share of the question's words, by rarity, that each text holds."""
        rarity = {word: self.rarity(word) for word in sorted(set(asked))}
        total = sum(rarity.values()) or 1.0
        return np.array([sum(rarity[w] for w in sorted(rarity.keys() & set(t))) / total for t in texts], np.float32)


def standardised(scores: FloatArray) -> FloatArray:
    """Mean 0 and deviation 1 over the texts of one question; all 0 where they are alike."""
    spread = float(scores.std())
    return np.asarray((scores - scores.mean()) / spread if spread > 1e-9 else np.zeros_like(scores), np.float32)
