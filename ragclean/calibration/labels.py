"""What the labels of a case ask for, and how many of them a clean-up got right: counts, and F1 from counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragclean.calibration.cases import LabelledCase, LabelledChunk
from ragclean.prepare import PreparedText
from ragclean.result import RefinedContext

#: Columns of a row of counts: chunks that must stay and did, that must go and stayed, that must stay; sentences alike.
CHUNK_HIT, CHUNK_FALSE, CHUNK_WANTED, SENTENCE_HIT, SENTENCE_FALSE, SENTENCE_WANTED = range(6)
COLUMNS = 6
Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a text that must stay or must go, and every place of the case where it stands."""

    text: str
    """Without white space."""
    keep: bool
    places: tuple[tuple[int, tuple[int, ...]], ...]
    """(chunk, its sentences that hold the part); any of them is enough."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and F1 of chunks and of sentences, over all labels of some cases together.

    ``f1`` is the harmonic mean of the two F1: neither admission nor compression can be bought with the other. A figure
    without labels is NaN, and ``f1`` is the other one's alone.
    """

    chunk_precision: float
    chunk_recall: float
    chunk_f1: float
    sentence_precision: float
    sentence_recall: float
    sentence_f1: float
    f1: float

    def to_dict(self) -> dict[str, float | None]:
        """Rounded to four places; None where there were no labels."""
        return {n: None if np.isnan(v := getattr(self, n)) else round(v, 4) for n in self.__slots__}


def squeezed(text: str) -> str:
    """Without white space and case: how parts of texts are compared."""
    return re.sub(r"\s+", "", text).lower()


def items(case: LabelledCase, prepare: Callable[[str], PreparedText]) -> list[Item]:
    """The sentence labels of a case. A part that several chunks hold may be kept in any of them."""
    prepared = [prepare(c.chunk.text) for c in case.chunks]
    wanted: dict[str, bool] = {}
    for labelled, text in zip(case.chunks, prepared, strict=True):
        for part, keep in _parts(labelled, text):
            # What must stay anywhere may stay everywhere.
            wanted[part] = wanted.get(part, False) or keep
    found = []
    for part, keep in wanted.items():
        places = [(i, p) for i, text in enumerate(prepared) for p in _places(part, text)]
        found.append(Item(squeezed(part), keep, tuple(places)))
    return found


def _parts(labelled: LabelledChunk, text: PreparedText) -> Iterator[tuple[str, bool]]:
    yield from ((part, True) for part in labelled.must_keep)
    yield from ((part, False) for part in labelled.must_drop)
    if labelled.complete:
        gone = {n for part in labelled.must_drop for place in _places(part, text) for n in place}
        yield from ((s, True) for n, s in enumerate(text.sentence_texts) if n not in gone and s.strip())


def _places(part: str, text: PreparedText) -> Iterator[tuple[int, ...]]:
    """The sentences over which each occurrence of a part extends."""
    at = text.text.find(part)
    while at >= 0:
        end = at + len(part)
        over = [
            n
            for n, s in enumerate(text.sentences)
            if s.start < end and at < s.end and text.text[max(s.start, at) : min(s.end, end)].strip()
        ]
        if over:
            yield tuple(over)
        at = text.text.find(part, end)


def wanted(case: LabelledCase, parts: Sequence[Item]) -> Counts:
    """A row of counts with what must stay, before anything was kept."""
    row = np.zeros(COLUMNS)
    row[CHUNK_WANTED] = sum(c.keep is True for c in case.chunks)
    row[SENTENCE_WANTED] = sum(item.keep for item in parts)
    return row


def count(case: LabelledCase, parts: Sequence[Item], result: RefinedContext) -> Counts:
    """The row of counts of a finished clean-up. A chunk that gave way to its copy counts as kept."""
    row = wanted(case, parts)
    copies = {d.chunk_id for d in result.dropped if d.start is None and d.reason == "duplicate"}
    merged = {i for c in result.chunks for s in c.sentences for i in s.also_in}
    kept = {c.id for c in result.chunks} | copies | merged
    context = squeezed(result.text)
    for labelled in case.chunks:
        if labelled.chunk.id in kept and labelled.keep is not None:
            row[CHUNK_HIT if labelled.keep else CHUNK_FALSE] += 1
    for item in parts:
        if item.text in context:
            row[SENTENCE_HIT if item.keep else SENTENCE_FALSE] += 1
    return row


def scores(counts: Counts) -> Scores:
    """Scores of the sum of some rows, (6,)."""
    chunk = _rates(*counts[:3])
    sentence = _rates(*counts[3:])
    both = [f for f in (chunk[2], sentence[2]) if not np.isnan(f)]
    return Scores(*chunk, *sentence, float(f_of(counts)) if both else float("nan"))


def f_of(counts: Counts, beta: float = 1.0) -> NDArray[np.float64]:
    """The harmonic mean of both F over counts (..., 6); NaN where nothing is labelled.

    Args:
        beta: F1 weighs recall and precision alike, F2 recall four times (van Rijsbergen 1979).
    """
    chunk = _f(counts[..., CHUNK_HIT], counts[..., CHUNK_FALSE], counts[..., CHUNK_WANTED], beta)
    sentence = _f(counts[..., SENTENCE_HIT], counts[..., SENTENCE_FALSE], counts[..., SENTENCE_WANTED], beta)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(chunk + sentence > 0, 2 * chunk * sentence / (chunk + sentence), 0.0)
    mean = np.where(np.isnan(chunk), sentence, np.where(np.isnan(sentence), chunk, mean))
    return np.asarray(mean, np.float64)


def _f(hit: Counts, false: Counts, total: Counts, beta: float) -> Counts:
    """(1 + b2) TP / ((1 + b2) TP + b2 FN + FP); NaN where nothing must stay."""
    squared = beta * beta
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, (1 + squared) * hit / (squared * total + hit + false), np.nan)


def _rates(hit: float, false: float, total: float) -> tuple[float, float, float]:
    if not total:
        return (float("nan"),) * 3
    precision = hit / (hit + false) if hit + false else 0.0
    return float(precision), float(hit / total), float(2 * hit / (hit + false + total))

