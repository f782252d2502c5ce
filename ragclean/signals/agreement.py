"""What other texts of the pool say too: a sentence's support by likeness, and by the words and values they share.

An answer that several pages give is more often the answer (redundancy: Dumais et al. 2002, 'Web question answering: is
more always better?'), and a page that puts it in other words is near the pages that use the query's words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ragclean.memo import Memo
from ragclean.prepare import PreparedText
from ragclean.signals.evidence import VALUE_KINDS
from ragclean.text.tokens import informativeness, is_stopword
from ragclean.text.value import canonical

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_VALUE_CODE = {kind: i for i, kind in enumerate(VALUE_KINDS)}
#: Texts whose best sentence the others are compared with: enough for one from each of several pages, few enough that
#: a page cannot be carried by the seventh best.
LEADS = 6
#: A cosine of two sentences' mean vectors up to this one is that of any two about anything.
UNRELATED_COSINE = 0.3
#: Texts whose scores make up what full agreement would be: of thirty candidates rarely more answer.
_ANSWERING = 8
#: Characters of a word of the question that may stand in a longer word: 保修 in the question makes 保修 no news.
_LONGEST_PIECE = 5


@dataclass(frozen=True, slots=True)
class Offers:
    """Words, values and names of one text as numbers (checksums of what they are), with the sentence of each."""

    words: IntArray
    word_at: IntArray
    weights: FloatArray
    """Of the words: how rare each is in its language."""
    values: IntArray
    value_at: IntArray
    value_kinds: IntArray
    value_texts: IntArray
    """The checksum of each value as written, to tell whether the question holds it."""
    names: IntArray
    name_at: IntArray


class OfferCache(Memo[str, Offers]):
    """Offers by text."""

    def get(self, prepared: PreparedText) -> Offers:
        """The offers of a text, worked out on first sight."""
        return self.one(prepared.text, lambda: gather_offers(prepared))


def gather_offers(prepared: PreparedText) -> Offers:
    """Work out the offers of one text; linear in its length."""
    folded = prepared.folded
    starts = np.array([s.start for s in prepared.sentences], np.int64)
    words, word_at = [], []
    for start, end, kind in prepared.tokens:
        word = folded[start:end]
        if (kind != "han" or end - start > 1) and not is_stopword(word):
            words.append(word)
            word_at.append(start)
    values = [v for v in prepared.values if v.kind in _VALUE_CODE]
    names = [f for f in prepared.facts if f.kind == "name"]
    return Offers(
        words=_keys(words),
        word_at=_rows(word_at, starts),
        weights=np.array([informativeness(w) for w in words], np.float32),
        values=_keys([canonical(v) for v in values]),
        value_at=_rows([v.start for v in values], starts),
        value_kinds=np.array([_VALUE_CODE[v.kind] for v in values], np.int64),
        value_texts=_keys([folded[v.start : v.end] for v in values]),
        names=_keys([folded[f.start : f.end] for f in names]),
        name_at=_rows([f.start for f in names], starts),
    )


def _keys(strings: list[str]) -> IntArray:
    return np.array([crc32(s.encode("utf-8", "surrogatepass")) for s in strings], np.int64)


def _rows(at: list[int], starts: IntArray) -> IntArray:
    return np.maximum(np.searchsorted(starts, np.array(at, np.int64), side="right") - 1, 0)


def asked_keys(folded: str) -> IntArray:
    """Checksums of the pieces and words of a question: what it holds already is no answer to it."""
    pieces = {folded[i : i + size] for size in range(1, _LONGEST_PIECE + 1) for i in range(len(folded) - size + 1)}
    return _keys(sorted(pieces.union(folded.split())))


@dataclass(frozen=True, slots=True)
class Pooled:
    """The offers of all texts of a query: rows are sentences of the pool."""

    words: tuple[IntArray, IntArray, FloatArray]
    """Keys, rows, weights; without what the question holds."""
    values: tuple[IntArray, IntArray, FloatArray]
    """Of the kinds asked for."""
    names: tuple[IntArray, IntArray, FloatArray]

    @classmethod
    def of(cls, offers: list[Offers], edges: IntArray, asked: IntArray, kinds: frozenset[str]) -> Pooled:
        """``edges``: (n + 1,) first sentence of each text. No kinds: values of all of them."""

        counts = [(len(o.words), len(o.values), len(o.names)) for o in offers]
        firsts = [np.repeat(edges[:-1], column) for column in zip(*counts, strict=True)]
        words, at, weights = (np.concatenate([getattr(o, k) for o in offers]) for k in ("words", "word_at", "weights"))
        new = ~np.isin(words, asked)
        news = words[new], (at + firsts[0])[new], weights[new]

        codes = np.array([_VALUE_CODE[k] for k in kinds if k in _VALUE_CODE], np.int64)
        keys, at, of_kind, written = (
            np.concatenate([getattr(o, k) for o in offers])
            for k in ("values", "value_at", "value_kinds", "value_texts")
        )
        new = ~np.isin(written, asked) & (np.isin(of_kind, codes) | (len(codes) == 0))
        values = keys[new], (at + firsts[1])[new], np.ones(int(new.sum()), np.float32)

        keys, at = (np.concatenate([getattr(o, k) for o in offers]) for k in ("names", "name_at"))
        new = ~np.isin(keys, asked)
        names = keys[new], (at + firsts[2])[new], np.ones(int(new.sum()), np.float32)
        return cls(news, values, names)


def said_elsewhere(
    offered: tuple[IntArray, IntArray, FloatArray], owner: IntArray, scores: FloatArray, n: int
) -> FloatArray:
    """(s,) the best support that something said in a sentence has in *other* texts.

    Of each thing offered: the sum, over the other texts, of the best score among their sentences that offer it too,
    times its weight; as a share of what the best texts of the pool score together.
    """
    keys, rows, weights = offered
    out = np.zeros(len(owner), np.float32)
    if not len(keys):
        return out
    distinct, at = np.unique(keys, return_inverse=True)
    pairs, pair_at = np.unique(at * n + owner[rows], return_inverse=True)
    best = np.zeros(len(pairs))
    np.maximum.at(best, pair_at, scores[rows])
    total = np.bincount(pairs // n, best, len(distinct))
    np.maximum.at(out, rows, (weights * (total[at] - best[pair_at])).astype(np.float32))
    full = np.sort(best_by_text(owner, scores, n))[::-1][:_ANSWERING].sum()
    return out / np.float32(max(float(full), 1e-6))


def best_by_text(owner: IntArray, scores: FloatArray, n: int) -> FloatArray:
    """(n,) the best score of each text's sentences."""
    best = np.zeros(n, np.float32)
    np.maximum.at(best, owner, scores)
    return best


def likeness_to_leads(
    vectors: Callable[[IntArray], FloatArray], owner: IntArray, scores: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(s,) likeness to the best sentences of *other* texts, by their scores: the best one, and the mean.

    ``vectors``: rows of sentences to (s, k) cosines with them. Pseudo-relevance feedback (Rocchio 1971) with sentences
    instead of terms.
    """
    leads: list[int] = []
    taken: set[int] = set()
    for i in np.argsort(-scores, kind="stable"):
        if owner[i] not in taken:
            taken.add(int(owner[i]))
            leads.append(int(i))
            if len(leads) == LEADS:
                break
    at = np.array(leads, np.int64)
    alike = np.maximum((vectors(at) - UNRELATED_COSINE) / (1.0 - UNRELATED_COSINE), 0.0) * scores[at]
    alike[owner[:, None] == owner[at][None, :]] = 0.0
    total = max(float(scores[at].sum()), 1e-6)
    return np.asarray(alike.max(axis=1, initial=0.0), np.float32), np.asarray(alike.sum(axis=1) / total, np.float32)
