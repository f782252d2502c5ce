"""How common a word is in its language: function words, and the informativeness of the rest."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from ragclean.text.dictionary import tokenizer

#: The share of a language at which a word tells half of what a unique one tells (the `a` of SIF weighting, Arora
#: et al. 2017, who find 1e-3..1e-4 best).
SMOOTHING = 1e-4

#: Zipf's law: the word of rank r has the share ZIPF_SCALE / r. One over the harmonic number of a vocabulary of
#: 100,000 words; gives 'the' 0.083 (counted: 0.06) and rank 1,000 8e-5.
ZIPF_SCALE = 0.083

_CACHED_WORDS = 65536


def is_stopword(word: str) -> bool:
    """A function word (zh or en) or question word that carries no content of its own."""
    return word in _stopwords()


@lru_cache(maxsize=_CACHED_WORDS)
def informativeness(word: str) -> float:
    """a / (a + p(word)) with a = 1e-4, p the word's share in the language: near 1 for rare, near 0 for common words."""
    return SMOOTHING / (SMOOTHING + _share(word))


def _share(word: str) -> float:
    if word.isdecimal():
        return 10.0 ** -(len(word) + 2)
    if word.isascii():
        if not word.replace("-", "").replace("'", "").isalpha():
            return 0.0
        return _english_share(word)
    if word.isalpha():
        return _chinese_share(word)
    return 0.0


def _english_share(word: str) -> float:
    shares = _english()
    found = shares.get(word)
    if found is None and word.endswith("'s"):
        found = shares.get(word[:-2])
    if found is None and "-" in word:
        parts = [p for p in word.split("-") if p]
        return min((_english_share(p) for p in parts), default=0.0)
    return found or 0.0


def _chinese_share(word: str) -> float:
    dt = tokenizer()
    count = dt.FREQ.get(word)
    if count:
        return float(count / dt.total)
    if len(word) < 2:
        return 0.0
    parts = dt.lcut(word, HMM=False)
    shares = [dt.FREQ.get(part, 0) / dt.total for part in parts]
    if all(len(part) == 1 for part in parts):
        product = 1.0
        for share in shares:
            product *= share
        return product
    return float(min(shares))


@lru_cache(maxsize=1)
def _english() -> dict[str, float]:
    words = _read_words("english.txt")
    return {word: ZIPF_SCALE / rank for rank, word in enumerate(words, start=1)}


@lru_cache(maxsize=1)
def _stopwords() -> frozenset[str]:
    return frozenset(_read_words("stopwords.txt"))


def _read_words(name: str) -> list[str]:
    data = files("ragclean.text.data").joinpath(name).read_text(encoding="utf-8")
    return [word for line in data.splitlines() if not line.startswith("#") for word in line.split()]
