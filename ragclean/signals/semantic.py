"""The embedded encoder: a static vector a word, distilled from a transformer, matched word by word.

The mean of static vectors ranks poorly; what ranks is how well each informative word of the query is met somewhere
in the text. ``score`` does that; the means serve for comparing sentences.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragclean.signals.base import FloatArray
from ragclean.signals.memo import Memo
from ragclean.signals.vocabulary import Bag, Vocabulary

#: Goes up with every change of the computation that changes a score, so that no cached value outlives it.
_ALGORITHM = 1

#: Weight of a word: a / (a + p), p its share in its language (Arora et al. 2017, smooth inverse frequency).
FREQUENCY_SCALE = 1e-4
#: Words without an entry are rare, numbers and codes identify; a lone digit occurs everywhere.
UNKNOWN_WEIGHT = 1.0
CODE_WEIGHT = 1.0
DIGIT_WEIGHT = 0.5

#: Distinct texts whose words are kept: thirty queries' worth of chunks, sentences and windows, about 1 kB each.
_CACHED_TEXTS = 8192
_GRAM = 3
#: Shared letter groups (Dice) from which two unknown words are taken to be forms of one.
_SAME_WORD_FLOOR = 0.5


class StaticEncoder:
    """Implements :class:`~ragclean.signals.base.SemanticEncoder`, and ``score``. Thread- and fork-safe.

    Args:
        folder: the encoder's files (``rows.npy``, ``log_share.npy``, ``words.txt``, ``about.json``); the embedded
            ones where left out. They are read at the first use.
    """

    cheap = True

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = Path(folder) if folder is not None else Path(str(files("ragclean.models"))) / "encoder"
        about = json.loads((self._folder / "about.json").read_text(encoding="utf-8"))
        self.fingerprint = f"static-{_ALGORITHM}-{about['sha256'][:16]}"
        self.dims: int = about["dims"]
        self._tables: _Tables | None = None
        self._bags: Memo[str, Bag] = Memo(_CACHED_TEXTS)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Weighted mean vectors, (n, dims) float32, L2-normalised; zero for a text without words."""
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str]) -> FloatArray:
        """The same as :meth:`encode_queries`: the static vectors know no sides."""
        tables, bags = self._load(), self._read(texts)
        out = np.zeros((len(bags), self.dims), dtype=np.float32)
        self._add_entries(out, bags, tables)
        for row, bag in zip(out, bags, strict=True):
            for code in bag.codes:
                row += _code_weight(code) * _signs(code, self.dims)
            for word in bag.words:
                row += UNKNOWN_WEIGHT * _word_vector(word, self.dims)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return np.asarray(out / np.where(norms > 0, norms, 1.0), dtype=np.float32)

    def score(self, query: str, texts: Sequence[str]) -> FloatArray:
        """How well the words of ``query`` are met in each text: (n,) float32 in 0..1, higher is better.

        For each distinct word of the query the best cosine among the text's words, averaged with the query words'
        weights. All zero for a query without words.
        """
        tables, bags = self._load(), self._read(texts)
        asked = self._read([query])[0]
        total = np.zeros(len(bags), dtype=np.float32)
        if asked.empty or not bags:
            return total
        weight = tables.weights[asked.ids]
        total += weight @ _best_cosines(asked.ids, bags, tables)
        sum_of_weights = float(weight.sum())
        for code in asked.codes:
            held = np.fromiter((code in bag.codes for bag in bags), np.float32, len(bags))
            total += _code_weight(code) * held
            sum_of_weights += _code_weight(code)
        for word in asked.words:
            total += UNKNOWN_WEIGHT * _best_forms(word, bags)
            sum_of_weights += UNKNOWN_WEIGHT
        return np.asarray(total / sum_of_weights, dtype=np.float32)

    def _add_entries(self, out: FloatArray, bags: Sequence[Bag], tables: _Tables) -> None:
        held = [i for i, bag in enumerate(bags) if len(bag.ids)]
        if not held:
            return
        ids = np.concatenate([bags[i].ids for i in held])
        counts = np.concatenate([bags[i].counts for i in held])
        unique, place = tables.distinct(ids)
        weighted = tables.unit_rows(unique)[place[ids]] * (counts * tables.weights[ids])[:, None]
        out[held] = np.add.reduceat(weighted, _starts([len(bags[i].ids) for i in held]), axis=0)

    def _read(self, texts: Sequence[str]) -> list[Bag]:
        """The bags of texts, from the cache where they are known."""
        return self._bags.fetch(texts, lambda missing: self._load().vocabulary.bags(missing))

    def _load(self) -> _Tables:
        if self._tables is None:
            self._tables = _tables(str(self._folder))
        return self._tables


class _Tables:
    """The encoder's files: rows stay 8-bit in the file's pages, shared between processes."""

    def __init__(self, folder: Path) -> None:
        self.rows: NDArray[np.int8] = np.load(folder / "rows.npy", mmap_mode="r")
        log_share: NDArray[np.float32] = np.load(folder / "log_share.npy")
        words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")[: len(log_share)]
        self.vocabulary = Vocabulary(words, log_share)
        share = np.exp(log_share)
        self.weights = np.asarray(FREQUENCY_SCALE / (FREQUENCY_SCALE + share), dtype=np.float32)

    def unit_rows(self, ids: NDArray[np.int32]) -> FloatArray:
        rows = self.rows[ids].astype(np.float32)
        rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        return rows

    def distinct(self, ids: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The distinct ids, and for every entry its place among them (by marking: no sort)."""
        seen = np.zeros(len(self.weights), dtype=bool)
        seen[ids] = True
        unique = np.flatnonzero(seen).astype(np.int32)
        place = np.zeros(len(seen), dtype=np.int32)
        place[unique] = np.arange(len(unique), dtype=np.int32)
        return unique, place


@lru_cache(maxsize=4)
def _tables(folder: str) -> _Tables:
    """One set of tables a process, whatever the number of encoders."""
    return _Tables(Path(folder))


def _best_cosines(asked: NDArray[np.int32], bags: Sequence[Bag], tables: _Tables) -> FloatArray:
    """(query entries, texts): the best cosine, 0 where nothing is alike."""
    best = np.zeros((len(asked), len(bags)), dtype=np.float32)
    held = [i for i, bag in enumerate(bags) if len(bag.ids)]
    if not held or not len(asked):
        return best
    ids = np.concatenate([bags[i].ids for i in held])
    unique, place = tables.distinct(ids)
    cosines = tables.unit_rows(asked) @ tables.unit_rows(unique).T
    per_word = np.maximum.reduceat(cosines[:, place[ids]], _starts([len(bags[i].ids) for i in held]), axis=1)
    best[:, held] = np.clip(per_word, 0.0, 1.0)
    return best


def _starts(lengths: Sequence[int]) -> NDArray[np.intp]:
    return np.concatenate([[0], np.cumsum(lengths[:-1])]).astype(np.intp)


def _code_weight(code: str) -> float:
    return DIGIT_WEIGHT if len(code) == 1 else CODE_WEIGHT


@lru_cache(maxsize=8192)
def _signs(key: str, dims: int) -> FloatArray:
    """A unit vector of one's own for a string: signs from a hash, so nearly orthogonal to every other's."""
    digest = hashlib.shake_128(key.encode("utf-8", "surrogatepass")).digest((dims + 7) // 8)
    bits = np.unpackbits(np.frombuffer(digest, dtype=np.uint8), count=dims)
    vector = np.where(bits == 1, 1.0, -1.0) / np.sqrt(dims)
    return np.asarray(vector, dtype=np.float32)


def _grams(word: str) -> set[str]:
    padded = f"^{word}$"
    return {padded[i : i + _GRAM] for i in range(max(1, len(padded) - _GRAM + 1))}


def _word_vector(word: str, dims: int) -> FloatArray:
    """An unknown word by its letter groups, so that its other forms are near."""
    vector = np.sum([_signs(gram, dims) for gram in sorted(_grams(word))], axis=0)
    norm = float(np.linalg.norm(vector))
    return np.asarray(vector / norm if norm else vector, dtype=np.float32)


def _best_forms(word: str, bags: Sequence[Bag]) -> FloatArray:
    """(texts,): 1 where the unknown word stands in the text, less for another form of it, 0 for none."""
    grams = _grams(word)
    known: dict[str, float] = {}
    out = np.zeros(len(bags), dtype=np.float32)
    for i, bag in enumerate(bags):
        for other in bag.words:
            if other not in known:
                known[other] = 1.0 if other == word else _dice(grams, _grams(other))
            out[i] = max(out[i], known[other])
    return out


def _dice(a: set[str], b: set[str]) -> float:
    alike = 2 * len(a & b) / (len(a) + len(b))
    return alike if alike >= _SAME_WORD_FLOOR else 0.0


