"""The objective that ``fit_encoder.py`` minimises: where words lie and how much each counts.

Every row is ``unit(row (I + turn) + shift)`` and every weight ``weight * exp(factor)``; the turn is one matrix for all
entries, so that words which no text here holds go along with the others, shift and factor are each word's own. Three
losses pull on them, and all three unknowns are held back by their squares: a word seen once hardly moves.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragclean.signals.semantic import COSINE_FLOOR

log = logging.getLogger(__name__)
Array = NDArray[np.float32]

#: Bounds of the logarithm of a weight's factor: no word counts less than a twentieth or more than seven times.
FACTOR_BOUNDS = (-3.0, 2.0)
_TINY = 1e-6


@dataclass(frozen=True)
class Settings:
    """What the losses weigh against each other and against standing still."""

    sentences: float = 0.5
    """Each text's distance from where the teacher puts it."""
    words: float = 3.0
    """Each question's loss by words met ..."""
    means: float = 1.5
    """... and by the cosine of means."""
    heat_words: float = 0.08
    """Differences of a score that count: about the spread among the texts of one question."""
    heat_means: float = 0.08
    hold_shift: float = 10.0
    """A word moves by about n / (n + this) of what n texts ask of it."""
    hold_factor: float = 30.0
    hold_turn: float = 30.0
    steps: int = 14
    """Stopped long before the end: later steps fit the texts at hand and lose on others."""
    fewest: int = 2
    """Texts in which a word must occur to have a shift and a factor of its own."""


@dataclass
class State:
    """Rows and weights at one point of the search, and the slopes that the losses add up."""

    rows: Array
    weights: Array

    def __post_init__(self) -> None:
        self.weighted = self.rows * self.weights[:, None]
        self.slope_rows = np.zeros_like(self.rows)
        self.slope_weighted = np.zeros_like(self.rows)
        self.slope_weights = np.zeros_like(self.weights)


def unit(rows: Array) -> Array:
    """Rows of length one."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _TINY), dtype=np.float32)


class Means:
    """Mean vectors of texts: counts of entries times weighted rows, plus what numbers and unknown words add."""

    def __init__(self, counts: Any, others: Array) -> None:
        self.counts, self.others = counts, others
        self._across = counts.T.tocsr()

    def at(self, state: State) -> tuple[Array, Array]:
        raw = self.counts @ state.weighted + self.others
        lengths = np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), _TINY)
        return raw / lengths, lengths

    def back(self, state: State, slope: Array, means: Array, lengths: Array) -> None:
        """Add what a slope on the unit means says of the weighted rows."""
        along = (slope * means).sum(axis=1, keepdims=True)
        state.slope_weighted += self._across @ ((slope - along * means) / lengths)


class Sentences:
    """One minus the cosine between a text's mean and its target, summed over texts."""

    def __init__(self, means: Means, targets: Array) -> None:
        self._means, self._targets = means, targets

    def loss(self, state: State, share: float) -> float:
        means, lengths = self._means.at(state)
        self._means.back(state, -share * self._targets, means, lengths)
        return share * float((1.0 - (means * self._targets).sum(axis=1)).sum())


@dataclass(frozen=True)
class Asked:
    """Questions and their texts, flat: one row a pair of question and text, pairs of a question together."""

    question: NDArray[np.intp]
    """Row of the question's bag among all bags, for each pair; ``text`` likewise."""
    text: NDArray[np.intp]
    good: Array
    others_met: Array
    """Weight of the question's numbers and unknown words that the text holds."""
    others_asked: Array
    """... and of all of them, one a question."""
    importance: Array


class Questions:
    """Softmax over the texts of each question: minus the log of the share that its good texts get."""

    def __init__(self, means: Means, asked: Asked, bags: Sequence[NDArray[np.int32]]) -> None:
        self._means, self._asked, self._bags = means, asked, bags
        self._start = np.flatnonzero(np.r_[True, np.diff(asked.question) != 0])
        self._of = np.cumsum(np.r_[False, np.diff(asked.question) != 0])
        self._query_counts = means.counts[asked.question[self._start]]

    def _softmax(self, scores: Array, heat: float, share: float) -> tuple[float, Array]:
        asked, start, of = self._asked, self._start, self._of
        scaled = scores / heat
        powers = np.exp(scaled - np.maximum.reduceat(scaled, start)[of])
        all_of, good_of = np.add.reduceat(powers, start), np.add.reduceat(powers * asked.good, start)
        importance = share * asked.importance
        loss = -float((importance * np.log(np.maximum(good_of, 1e-20) / all_of)).sum())
        slope = powers / all_of[of] - powers * asked.good / np.maximum(good_of, 1e-20)[of]
        return loss, slope * importance[of] / heat

    def loss_of_means(self, state: State, heat: float, share: float) -> float:
        asked = self._asked
        means, lengths = self._means.at(state)
        queries, texts = means[asked.question], means[asked.text]
        loss, slope = self._softmax((queries * texts).sum(axis=1), heat, share)
        back = np.zeros_like(means)
        back[asked.text] = slope[:, None] * queries
        back[asked.question[self._start]] = np.add.reduceat(slope[:, None] * texts, self._start, axis=0)
        self._means.back(state, back, means, lengths)
        return loss

    def match(self, rows: Array) -> None:
        """Fix which word of each text meets each word of its question: the nearest now."""
        wanted, met, pair = [], [], []
        for k, (q, t) in enumerate(zip(self._asked.question, self._asked.text, strict=True)):
            query, text = self._bags[q], self._bags[t]
            if len(query) and len(text):
                wanted.append(query)
                met.append(text[(rows[query] @ rows[text].T).argmax(axis=1)])
                pair.append(np.full(len(query), k))
        self._wanted, self._met, self._pair = (np.concatenate(x) for x in (wanted, met, pair))

    def loss_of_words(self, state: State, heat: float, share: float) -> float:
        asked, weights, wanted, met = self._asked, state.weights, self._wanted, self._met
        cosines = np.einsum("ij,ij->i", state.rows[wanted], state.rows[met])
        height = np.clip((cosines - COSINE_FLOOR) / (1.0 - COSINE_FLOOR), 0.0, 1.0)
        total = np.bincount(self._pair, weights[wanted] * height, len(asked.good)) + asked.others_met
        whole = self._query_counts @ weights + asked.others_asked
        scores = total / whole[self._of]
        loss, slope = self._softmax(scores, heat, share)
        slope = slope / whole[self._of]
        entries = len(weights)
        state.slope_weights += np.bincount(wanted, slope[self._pair] * height, entries)
        state.slope_weights += self._query_counts.T @ np.add.reduceat(-slope * scores, self._start)
        moved = (cosines > COSINE_FLOOR) & (wanted != met)
        by_pair = (moved * slope[self._pair] * weights[wanted] / (1.0 - COSINE_FLOOR)).astype(np.float32)
        between = sp.csr_matrix((by_pair, (wanted, met)), shape=(entries, entries))
        state.slope_rows += between @ state.rows + between.T @ state.rows
        return loss


class Fit:
    """The search, over the entries that occur anywhere (``rows``, ``weights``: theirs; ``seen``: texts with each)."""

    def __init__(
        self, rows: Array, weights: Array, seen: Array, sentences: Sentences, questions: Questions, settings: Settings
    ) -> None:
        self._rows, self._weights, self._settings = rows, weights, settings
        self._free = (seen >= settings.fewest).astype(np.float32)
        self._sentences, self._questions = sentences, questions

    def run(self) -> tuple[Array, Array, Array]:
        """Turn (dims, dims), shift (entries, dims), factor (entries,)."""
        entries, dims = self._rows.shape
        self._questions.match(self._rows)
        found = minimize(
            self._loss, np.zeros(entries * dims + entries + dims * dims), jac=True, method="L-BFGS-B",
            options={"maxiter": self._settings.steps, "maxcor": 6},
        )  # fmt: skip
        log.info("loss %.0f after %d steps", found.fun, found.nit)
        shift, factor, turn = self._unpack(found.x.astype(np.float32))
        return turn, shift, factor

    def _unpack(self, x: Array) -> tuple[Array, Array, Array]:
        entries, dims = self._rows.shape
        shift, factor, turn = np.split(x, [entries * dims, entries * dims + entries])
        return shift.reshape(entries, dims) * self._free[:, None], factor * self._free, turn.reshape(dims, dims)

    def _loss(self, x64: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        s = self._settings
        shift, factor, turn = self._unpack(x64.astype(np.float32))
        moved = self._rows + self._rows @ turn + shift
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        state = State(moved / lengths, self._weights * np.exp(np.clip(factor, *FACTOR_BOUNDS)))
        loss = self._sentences.loss(state, s.sentences)
        loss += self._questions.loss_of_means(state, s.heat_means, s.means)
        loss += self._questions.loss_of_words(state, s.heat_words, s.words)

        slope_weights = state.slope_weights + (state.slope_weighted * state.rows).sum(axis=1)
        slope_rows = state.slope_rows + state.slope_weighted * state.weights[:, None]
        slope = (slope_rows - (slope_rows * state.rows).sum(axis=1, keepdims=True) * state.rows) / lengths
        held = ((shift, s.hold_shift), (factor, s.hold_factor), (turn, s.hold_turn))
        loss += sum(0.5 * hold * float((part**2).sum()) for part, hold in held)
        slopes = (
            slope * self._free[:, None] + s.hold_shift * shift,
            slope_weights * state.weights * self._free + s.hold_factor * factor,
            self._rows.T @ slope + s.hold_turn * turn,
        )
        return loss, np.concatenate([part.ravel() for part in slopes]).astype(np.float64)
