"""Passages in rank order, best first, and which of them are admitted.

The scores come from :mod:`ragclean.signals.measured`. What a dear judge or encoder did not see ranks below what it saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, RankedPassage
from ragclean.signals.base import FloatArray
from ragclean.signals.measured import Fused, Measured, better, fuse, measure
from ragclean.signals.scorers import Scorers
from ragclean.text.question import Question
from ragclean.types import Caution, Signals


def rank(
    questions: Sequence[Question],
    passages: Sequence[Passage],
    scorers: Scorers,
    config: CorrectorConfig,
    pinned: frozenset[str] = frozenset(),
    cautions: list[Caution] | None = None,
) -> tuple[list[RankedPassage], int]:
    """Score and order passages, best first; ties keep the retriever's order.

    Args:
        questions: the query and its sub-queries; relevance to any counts.
        cautions: takes what the user should know: a part of theirs that failed and was replaced by the embedded one,
            a best score below the admission threshold.

    Returns:
        All passages in rank order, those below the admission threshold marked, and the number of judge calls.
    """
    notes: list[Caution] = [] if cautions is None else cautions
    if not passages:
        return [], 0
    found, calls = measure_all(questions, passages, scorers, config, notes)
    best = fused(found, config)
    notes += _cautions(best, config)
    return order(best, passages, config, pinned), calls


def measure_all(
    questions: Sequence[Question],
    passages: Sequence[Passage],
    scorers: Scorers,
    config: CorrectorConfig,
    notes: list[Caution],
) -> tuple[list[Measured], int]:
    """The signals of each question, and the number of judge calls: the questions share the limit."""
    prepared = [p.prepared for p in passages]
    limits = _limits(config.judge_limit, len(questions))
    pairs = [measure(q, prepared, scorers, config, n, notes) for q, n in zip(questions, limits, strict=True)]
    return [found for found, _ in pairs], sum(calls for _, calls in pairs)


def fused(found: Sequence[Measured], config: CorrectorConfig) -> Fused:
    """The signals of the questions under the configuration's weights; relevance to any of them counts."""
    return reduce(better, [fuse(one, config) for one in found])


def order(
    best: Fused, passages: Sequence[Passage], config: CorrectorConfig, pinned: frozenset[str] = frozenset()
) -> list[RankedPassage]:
    """The passages in rank order, those that are not admitted marked; arguments as in :func:`rank`."""
    standing = best.final * _trust_share(passages, config)
    places = sorted(range(len(passages)), key=lambda i: (not best.seen[i], -float(standing[i]), i))
    ranked = []
    for i in places:
        signals = Signals(
            semantic=round(float(best.semantic[i]), 4),
            keyword=round(float(best.keyword[i]), 4),
            judge=round(float(best.judge[i]), 4) if best.judged[i] else None,
            final=round(float(best.final[i]), 4),
        )
        sentences = best.sentence[best.edges[i] : best.edges[i + 1]]
        ranked.append(RankedPassage(passages[i], signals, sentences))
    return admission(ranked, best, config, pinned)


def admission(
    ranked: Sequence[RankedPassage], best: Fused, config: CorrectorConfig, pinned: frozenset[str] = frozenset()
) -> list[RankedPassage]:
    """Ranked passages, each admitted or refused by the configuration's thresholds."""
    bar = _Bar.of(best, config)
    refusals = [("", "") if r.id in pinned else bar.refusal(r.signals) for r in ranked]
    return [replace(r, admitted=not no[0], refusal=no) for r, no in zip(ranked, refusals, strict=True)]


def _cautions(best: Fused, config: CorrectorConfig) -> list[Caution]:
    notes, n, top = [], len(best.final), float(best.final.max())
    if top < config.admission_threshold:
        message = f"the best passage scores {top:.2f}, below the admission threshold {config.admission_threshold:.2f}"
        notes.append(Caution("low_relevance", message + "; the answer may be in none of them"))
    if best.absence >= config.no_answer_threshold and n >= _FEWEST_FOR_ABSENCE:
        message = f"none of the {n} chunks seems to answer the query (probability {best.absence:.2f})"
        notes.append(Caution("no_answer_likely", message + "; retrieve wider, or let the application say so"))
    return notes


#: Of fewer passages than a retriever brings, it cannot be told that they hold no answer: what the others say is half of
#: what is known of each.
_FEWEST_FOR_ABSENCE = 4


def _trust_share(passages: Sequence[Passage], config: CorrectorConfig) -> FloatArray:
    """(n,) what is left of a score when passages are put in order: a source of less trust stands further back."""
    trust = np.array([p.trust if p.trust_known else config.default_source_weight for p in passages], np.float32)
    return np.asarray(1.0 - config.trust_in_order * (1.0 - trust), np.float32)


@dataclass(frozen=True, slots=True)
class _Bar:
    """What a passage must reach: on the whole, and with the judge."""

    final: float
    judge: float
    best_judge: float

    @classmethod
    def of(cls, measured: Fused, config: CorrectorConfig) -> _Bar:
        threshold = config.admission_threshold
        relative = max(config.relative_admission * float(measured.final.max()), threshold / 2)
        final = min(threshold, relative)
        # A page that the other signals do not admit sets no bar: the judge may be sure of one about something else.
        considered = measured.judged & (measured.final >= threshold)
        best_judge = float(measured.judge[considered].max(initial=0.0))
        return cls(final, config.judge_floor * best_judge, best_judge)

    def refusal(self, signals: Signals) -> tuple[str, str]:
        if signals.final < self.final:
            return "below_admission", f"score {signals.final:.2f} is below the admission threshold {self.final:.2f}"
        if signals.judge is not None and signals.judge < self.judge:
            return "not_answering", f"judge {signals.judge:.2f}, the best passage has {self.best_judge:.2f}"
        return "", ""


def neutral(passages: Sequence[Passage], config: CorrectorConfig) -> list[RankedPassage]:
    """The retriever's own order, everything admitted: for a query that says nothing, or when ranking failed."""
    signals = Signals(semantic=0.0, keyword=0.0, judge=None, final=config.admission_threshold)
    return [RankedPassage(p, signals, np.ones(len(p.prepared.sentences), np.float32), True) for p in passages]


def _limits(judge_limit: int, questions: int) -> list[int]:
    """What each question may show a dear part: the limit is the query's, its sub-queries share it, the first ones
    take what does not divide."""
    share, left = divmod(judge_limit, questions)
    return [share + (i < left) for i in range(questions)]
