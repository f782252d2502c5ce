"""The embedded encoder: a static vector a word, distilled from a transformer and fitted, matched word by word.

The mean of static vectors ranks poorly; what ranks is how well each informative word of the query is met somewhere
in the text. ``score`` is mostly that, with a share of the means' cosine; the means alone serve for comparing
sentences. Figures: ``docs/decisions/0003-embedded-encoder.md``, ``docs/decisions/0013-fitted-encoder.md``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragclean.memo import Memo
from ragclean.signals.base import FloatArray
from ragclean.signals.profile import Profile
from ragclean.signals.vocabulary import Bag, Vocabulary

#: Goes up with every change of the computation that changes a score, so that no cached value outlives it.
_ALGORITHM = 2

#: Weight of a word: a / (a + p), p its share in its language (Arora et al. 2017, smooth inverse frequency). They
#: advise 1e-3..1e-4; between 1e-4 and 1e-3 the order of chunks and sentences hardly changes, below it gets worse.
FREQUENCY_SCALE = 3e-4
#: A cosine of two words up to this one says nothing: two random words reach it easily among a text's hundred.
COSINE_FLOOR = 0.3
#: Share of the mean vectors' cosine in ``score``; flat between 0.15 and 0.35, and the rest is word by word.
MEAN_SHARE = 0.25
#: Words without an entry are rare, numbers and codes identify; a lone digit occurs everywhere.
UNKNOWN_WEIGHT = 1.0
CODE_WEIGHT = 1.0
DIGIT_WEIGHT = 0.5

#: Logarithms of learned factors on the weights; a folder without the file has none.
_FACTORS = "log_factor.npy"

#: Characters of the texts whose words and mean are kept, and what a text costs beyond its characters: room for some
#: 8,000 chunks and sentences, about 1 kB each, or for twenty huge pages.
_CACHED_CHARACTERS = 4_000_000
_TEXT_OVERHEAD = 400
#: Unknown words of one text that its mean vector takes in; a text with more of them is a blob, not language.
_MOST_UNKNOWN = 1000
#: Entries, codes and unknown words of a query that are matched, the most informative of each kind: a long question has
#: forty words, and what is longer is a pasted page, of which these say what it is about. Without a bound 2,000 words
#: over 3,000 texts take half a minute.
_MOST_ASKED = 128
#: Cosines of query entries with text entries that are held at once: 16 MB.
_MOST_COSINES = 4_000_000
_GRAM = 3
#: Shared letter groups (Dice) from which two unknown words are taken to be forms of one.
_SAME_WORD_FLOOR = 0.5


@dataclass(frozen=True, slots=True)
class _Reading:
    bag: Bag
    vector: FloatArray
    """Its weighted mean, L2-normalised; zero for a text without words."""


class StaticEncoder:
    """Implements :class:`~ragclean.signals.base.SemanticEncoder`, and ``score``. Thread- and fork-safe.

    Args:
        folder: the encoder's files (``rows.npy``, ``log_share.npy``, ``words.txt``, ``about.json``, and
            ``log_factor.npy`` where weights are learned); the embedded ones where left out. They are read at the
            first use.
    """

    cheap = True

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = Path(folder) if folder is not None else Path(str(files("ragclean.models"))) / "encoder"
        about = json.loads((self._folder / "about.json").read_text(encoding="utf-8"))
        self.fingerprint = f"static-{_ALGORITHM}-{about['sha256'][:16]}"
        self.dims: int = about["dims"]
        self.profile = Profile(self.fingerprint, **about["profile"]) if about.get("profile") else None
        self._tables: _Tables | None = None
        self._readings: Memo[str, _Reading] = Memo(_CACHED_CHARACTERS, lambda text: _TEXT_OVERHEAD + len(text))

    def __getstate__(self) -> dict[str, Any]:
        """Without tables and memory: the other side reads the files itself."""
        return {"_folder": self._folder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_folder"])  # type: ignore[misc]

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Weighted mean vectors, (n, dims) float32, L2-normalised; zero for a text without words."""
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str]) -> FloatArray:
        """The same as :meth:`encode_queries`: the static vectors know no sides."""
        if not texts:
            return np.zeros((0, self.dims), dtype=np.float32)
        return np.stack([reading.vector for reading in self._read(texts)])

    def score(self, query: str, texts: Sequence[str]) -> FloatArray:
        """How well the words of ``query`` are met in each text: (n,) float32 in 0..1, higher is better.

        For each distinct word of the query the best cosine among the text's words, averaged with the query words'
        weights, and a share of the cosine of the two mean vectors. 1 for the query itself; all zero for a query
        without words.
        """
        if not texts:
            return np.zeros(0, dtype=np.float32)
        asked, *readings = self._read([query, *texts])
        if asked.bag.empty:
            return np.zeros(len(readings), dtype=np.float32)
        met = self._words_met(asked.bag, [reading.bag for reading in readings])
        alike = np.einsum("ij,j->i", np.stack([reading.vector for reading in readings]), asked.vector)
        mixed = (1.0 - MEAN_SHARE) * met + MEAN_SHARE * np.clip(alike, 0.0, 1.0)
        return np.asarray(mixed, dtype=np.float32)

    def _words_met(self, asked: Bag, bags: Sequence[Bag]) -> FloatArray:
        tables = self._load()
        ids, codes, words = _most_informative(asked, tables)
        weight = tables.weights[ids]
        total = weight @ _best_cosines(ids, bags, tables)
        sum_of_weights = float(weight.sum())
        wanted = set(codes)
        held = [wanted.intersection(bag.codes) for bag in bags] if wanted else []
        for code in codes:
            total += _code_weight(code) * np.fromiter((code in own for own in held), np.float32, len(bags))
            sum_of_weights += _code_weight(code)
        for met in _best_forms(words, bags):
            total += UNKNOWN_WEIGHT * met
            sum_of_weights += UNKNOWN_WEIGHT
        return np.asarray(total / sum_of_weights, dtype=np.float32)

    def _means(self, bags: Sequence[Bag]) -> FloatArray:
        out = np.zeros((len(bags), self.dims), dtype=np.float32)
        self._add_entries(out, bags, self._load())
        self._add_others(out, bags)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return np.asarray(out / np.where(norms > 0, norms, 1.0), dtype=np.float32)

    def _add_entries(self, out: FloatArray, bags: Sequence[Bag], tables: _Tables) -> None:
        held = [i for i, bag in enumerate(bags) if len(bag.ids)]
        if not held:
            return
        ids = np.concatenate([bags[i].ids for i in held])
        unique, place = tables.distinct(ids)
        weighted = tables.unit_rows(unique) * tables.weights[unique][:, None]
        # One small gather a text stays in the processor's cache: a single large one takes ten times as long.
        places = np.split(place[ids], np.cumsum([len(bags[i].ids) for i in held])[:-1])
        for i, at in zip(held, places, strict=True):
            out[i] = weighted.take(at, axis=0).sum(axis=0)

    def _add_others(self, out: FloatArray, bags: Sequence[Bag]) -> None:
        """Codes, numbers and unknown words, each with a vector of its own."""
        codes = {code: i for i, code in enumerate(dict.fromkeys(c for bag in bags for c in bag.codes))}
        unknown = [bag.words[:_MOST_UNKNOWN] for bag in bags]
        words = {word: i for i, word in enumerate(dict.fromkeys(w for own in unknown for w in own), len(codes))}
        if not codes and not words:
            return
        weights = np.array([_code_weight(code) for code in codes], dtype=np.float32)
        table = np.concatenate(
            [
                _signs(list(codes), self.dims) * weights[:, None],
                *(UNKNOWN_WEIGHT * _word_vector(word, self.dims)[None] for word in words),
            ]
        )
        for row, bag, own in zip(out, bags, unknown, strict=True):
            if bag.codes or own:
                at = [codes[code] for code in bag.codes] + [words[word] for word in own]
                row += table.take(at, axis=0).sum(axis=0)

    def _read(self, texts: Sequence[str]) -> list[_Reading]:
        """What is known of texts, from the memory where they were read before."""
        return self._readings.fetch(texts, self._read_anew)

    def _read_anew(self, texts: list[str]) -> list[_Reading]:
        bags = self._load().vocabulary.bags(texts)
        return [_Reading(bag, vector) for bag, vector in zip(bags, self._means(bags), strict=True)]

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
        self.vocabulary = Vocabulary(words)
        share = np.exp(log_share)
        weights = FREQUENCY_SCALE / (FREQUENCY_SCALE + share)
        if (folder / _FACTORS).exists():
            weights *= np.exp(np.load(folder / _FACTORS).astype(np.float32))
        self.weights = np.asarray(weights, dtype=np.float32)

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


def _most_informative(asked: Bag, tables: _Tables) -> tuple[NDArray[np.int32], Sequence[str], Sequence[str]]:
    """Entries, codes and unknown words of a query, of each at most what is matched; in their order."""
    ids = asked.ids
    if len(ids) > _MOST_ASKED:
        ids = ids[np.sort(np.argsort(-tables.weights[ids], kind="stable")[:_MOST_ASKED])]
    codes = asked.codes
    if len(codes) > _MOST_ASKED:
        kept = set(sorted(codes, key=lambda code: -_code_weight(code))[:_MOST_ASKED])
        codes = tuple(code for code in codes if code in kept)
    return ids, codes, asked.words[:_MOST_ASKED]


def _best_cosines(asked: NDArray[np.int32], bags: Sequence[Bag], tables: _Tables) -> FloatArray:
    """(query entries, texts): the best cosine, 0 where nothing is alike."""
    best = np.zeros((len(asked), len(bags)), dtype=np.float32)
    held = [i for i, bag in enumerate(bags) if len(bag.ids)]
    if not held or not len(asked):
        return best
    unique, place = tables.distinct(np.concatenate([bags[i].ids for i in held]))
    # Not by BLAS: the product is small, and its threads wait on each other for tens of ms on a busy machine.
    cosines = np.einsum("ik,jk->ij", tables.unit_rows(asked), tables.unit_rows(unique))
    for some in _blocks(held, [len(bags[i].ids) for i in held], _MOST_COSINES // len(asked)):
        ids = np.concatenate([bags[i].ids for i in some])
        per_word = np.maximum.reduceat(cosines[:, place[ids]], _starts([len(bags[i].ids) for i in some]), axis=1)
        best[:, some] = np.clip((per_word - COSINE_FLOOR) / (1.0 - COSINE_FLOOR), 0.0, 1.0)
    return best


def _blocks(items: Sequence[int], sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """Items in turn, in blocks whose sizes add up to at most ``most``, or of one that is larger."""
    block: list[int] = []
    held = 0
    for item, size in zip(items, sizes, strict=True):
        if block and held + size > most:
            yield block
            block, held = [], 0
        block.append(item)
        held += size
    yield block


def _starts(lengths: Sequence[int]) -> NDArray[np.intp]:
    return np.concatenate([[0], np.cumsum(lengths[:-1])]).astype(np.intp)


def _code_weight(code: str) -> float:
    return DIGIT_WEIGHT if len(code) == 1 else CODE_WEIGHT


def _signs(keys: Sequence[str], dims: int) -> FloatArray:
    """(n, dims): a unit vector of its own for each string, signs from a hash, so nearly orthogonal to every other's."""
    size = (dims + 7) // 8
    digests = b"".join(hashlib.shake_128(key.encode("utf-8", "surrogatepass")).digest(size) for key in keys)
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(len(keys), size), axis=1, count=dims)
    return np.asarray((bits * np.float32(2) - np.float32(1)) / np.float32(np.sqrt(dims)), dtype=np.float32)


def _grams(word: str) -> set[str]:
    padded = f"^{word}$"
    return {padded[i : i + _GRAM] for i in range(max(1, len(padded) - _GRAM + 1))}


@lru_cache(maxsize=8192)
def _word_vector(word: str, dims: int) -> FloatArray:
    """An unknown word by its letter groups, so that its other forms are near."""
    vector = _signs(sorted(_grams(word)), dims).sum(axis=0)
    norm = float(np.linalg.norm(vector))
    return np.asarray(vector / norm if norm else vector, dtype=np.float32)


def _best_forms(asked: Sequence[str], bags: Sequence[Bag]) -> FloatArray:
    """(unknown words of the query, texts): 1 where the word stands in the text, less for another form of it, else 0.

    Nearly every word of a text shares no letter group with the query's, so that its groups are made and looked up
    once, and it is compared with those words only that share one.
    """
    out = np.zeros((len(asked), len(bags)), dtype=np.float32)
    grams = [_grams(word) for word in asked]
    owners: dict[str, list[int]] = {}
    for i, own in enumerate(grams):
        for gram in own:
            owners.setdefault(gram, []).append(i)
    known: dict[str, list[tuple[int, float]]] = {}
    for at, bag in enumerate(bags if asked else ()):
        for word in bag.words:
            alike = known.get(word)
            if alike is None:
                alike = known[word] = _alike(word, asked, grams, owners)
            for i, share in alike:
                out[i, at] = max(out[i, at], share)
    return out


def _alike(
    word: str, asked: Sequence[str], grams: Sequence[set[str]], owners: dict[str, list[int]]
) -> list[tuple[int, float]]:
    """The query's words that a word is, or is a form of, and how much."""
    own = _grams(word)
    near = sorted({i for gram in own & owners.keys() for i in owners[gram]})
    shares = [(i, 1.0 if asked[i] == word else _dice(grams[i], own)) for i in near]
    return [(i, share) for i, share in shares if share > 0.0]


def _dice(a: set[str], b: set[str]) -> float:
    alike = 2 * len(a & b) / (len(a) + len(b))
    return alike if alike >= _SAME_WORD_FLOOR else 0.0
