"""What every configuration of a grid keeps of a case, with its signals measured once.

Two things are left out, for speed: arbitration decides under the present weights, and copies of a sentence in other
chunks are not merged. Both move few labels; the figures that calibration reports come from whole runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from ragclean.admission import admit
from ragclean.arbitration import Verdict, arbitrate
from ragclean.arbitration.verdict import merge
from ragclean.calibration.cases import LabelledCase
from ragclean.calibration.grid import Grid
from ragclean.calibration.labels import (
    CHUNK_FALSE,
    CHUNK_HIT,
    COLUMNS,
    SENTENCE_FALSE,
    SENTENCE_HIT,
    Counts,
    Item,
    wanted,
)
from ragclean.compression.compressor import kept_alone
from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector
from ragclean.prepare import Passage, RankedPassage
from ragclean.ranking import admission, fused, measure_all, order
from ragclean.screen import screen
from ragclean.signals.measured import Fused, Measured
from ragclean.text.question import Question, parse_question

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Case:
    """A case with all that does not depend on the grid."""

    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]
    measured: tuple[Measured, ...]
    verdict: Verdict
    items: tuple[Item, ...]


class Configs:
    """The configurations of a grid that counting needs, made once."""

    def __init__(self, present: CorrectorConfig, grid: Grid) -> None:
        self.present, self.grid = present, grid
        weights, admission, sentence = map(range, grid.shape)
        self.admission = [[grid.config(present, (w, a, 0)) for a in admission] for w in weights]
        """By weights and admission threshold."""
        self.sentence = [[grid.config(present, (w, 0, s)) for s in sentence] for w in weights]
        """By weights and the way to choose sentences."""


def count_all(
    case: LabelledCase, items: Sequence[Item], corrector: NoiseCorrector, configs: Configs, top_k: int, as_of: date
) -> Counts:
    """(w, a, s, 6) the counts of a case in every cell of the grid."""
    grid = configs.grid
    out = np.zeros((*grid.shape, COLUMNS)) + wanted(case, items)
    known = _measure(case, items, corrector, as_of)
    if known is None:  # nothing to rank by: the retriever's order stays under every configuration
        return out
    labels = np.array([0 if c.keep is None else (1 if c.keep else -1) for c in case.chunks])
    for w in range(len(grid.weights)):
        best = fused(known.measured, configs.admission[w][0])
        ranked = order(best, known.passages, configs.admission[w][0])
        inside = _admitted(known, ranked, best, configs.admission[w], top_k, len(labels))
        out[w, :, :, CHUNK_HIT] = (inside & (labels > 0)).sum(axis=1)[:, None]
        out[w, :, :, CHUNK_FALSE] = (inside & (labels < 0)).sum(axis=1)[:, None]
        _count_items(out[w], known, ranked, inside, configs.sentence[w])
    return out


def _measure(
    case: LabelledCase, items: Sequence[Item], corrector: NoiseCorrector, as_of: date
) -> _Case | None:
    config = corrector.config
    passages = screen([c.chunk for c in case.chunks], config, corrector.prepare, as_of).passages
    questions = tuple(parse_question(q) for q in (case.query, *case.sub_queries))
    if not passages or not any(q.terms for q in questions):
        return None
    measured, _ = measure_all(questions, passages, corrector.scorers, config, [])
    verdict = Verdict()
    if config.arbitration:
        ranked = order(fused(measured, config), passages, config)
        verdict = merge([arbitrate(q, ranked, config, as_of) for q in questions])
    return _Case(passages, questions, tuple(measured), verdict, tuple(items))


def _admitted(
    known: _Case,
    ranked: Sequence[RankedPassage],
    best: Fused,
    configs: Sequence[CorrectorConfig],
    top_k: int,
    chunks: int,
) -> BoolArray:
    """(a, chunks) which chunks come out at each admission threshold."""
    out = np.zeros((len(configs), chunks), bool)
    seen: dict[tuple[tuple[bool, ...], tuple[bool, ...]], BoolArray] = {}
    for a, here in enumerate(configs):
        asked = admission(ranked, best, here)
        # Most steps of the threshold change nothing; a page about another thing is measured against it once more.
        scoped = tuple(r.signals.final * here.out_of_scope_factor >= here.admission_threshold for r in asked)
        key = (tuple(r.admitted for r in asked), scoped)
        if key not in seen:
            row = np.zeros(chunks, bool)
            row[[r.passage.index for r in admit(asked, known.verdict, here, top_k, frozenset()).passages]] = True
            seen[key] = row
        out[a] = seen[key]
    return out


def _count_items(
    out: Counts,
    known: _Case,
    ranked: Sequence[RankedPassage],
    inside: BoolArray,
    configs: Sequence[CorrectorConfig],
) -> None:
    """Add what is kept of the sentence labels to the counts (a, s, 6) of one triple of weights."""
    holders = {chunk for item in known.items for chunk, _ in item.places}
    kept: dict[int, list[frozenset[int]]] = {}
    for r in ranked:
        if r.passage.index in holders:
            alone = kept_alone(known.questions[0], r, known.verdict, configs)
            kept[r.passage.index] = [frozenset(numbers) for numbers in alone]
    for item in known.items:
        stays = np.zeros(out.shape[:2], bool)
        for chunk, numbers in item.places:
            if chunk in kept:
                whole = np.array([all(n in sentences for n in numbers) for sentences in kept[chunk]])
                stays |= inside[:, chunk, None] & whole[None, :]
        out[:, :, SENTENCE_HIT if item.keep else SENTENCE_FALSE] += stays
