"""The embedded judge: does a text directly answer the query? 'About the same topic' must not be enough.

Linear models over named features (``judge_features.py``), fitted on question sets whose licence allows shipping
(``scripts/fit_judge.py``, ``ragclean/models/README.md``). The *sentence* model reads each sentence in its window and
its text; the *passage* model adds what the other passages of the query say too, and a passage scores what its best
sentence scores; the *absence* model says how likely it is that none of them answers. Figures, and how far the
probabilities can be taken at their word: ``docs/decisions/0014-fitted-judge.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ragclean.prepare import PreparedText, TextCache
from ragclean.signals.agreement import OfferCache
from ragclean.signals.base import FloatArray
from ragclean.signals.evidence import EvidenceCache
from ragclean.signals.function_judge import FunctionJudge
from ragclean.signals.judge_features import (
    Likeness,
    absence_features,
    pool_features,
    question_features,
    sentence_features,
)
from ragclean.signals.judge_model import JudgeModel, embedded_model, probability
from ragclean.signals.judge_pool import Pool
from ragclean.text.question import Question, parse_question

__all__ = ["FeatureJudge", "FunctionJudge"]

#: Texts that one judge keeps prepared for ``score_pairs``.
CACHE = 2048
#: Goes up with every change of the computation that changes a score, so that no cached value outlives it.
_ALGORITHM = 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the embedded judge says of the texts of one query; probabilities, 0..1."""

    passages: FloatArray
    """(n,) does the text answer?"""
    sentences: list[FloatArray]
    """The same of its sentences, one array a text."""
    absence: float
    """That no text answers; 0 where nothing can be said."""


class FeatureJudge:
    """The embedded judge: fitted weights of named features, a tenth of a millisecond a chunk, no key, no download.

    Args:
        model: other weights than those that ship.
    """

    cheap = True

    def __init__(self, model: JudgeModel | None = None) -> None:
        self._model = model
        self._evidence = EvidenceCache(2 * CACHE)
        self._offers = OfferCache(2 * CACHE)
        self._texts = TextCache(CACHE)

    def __getstate__(self) -> dict[str, Any]:
        """Without what it remembers, which holds locks and is soon made again."""
        return {"_model": self._model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_model"])  # type: ignore[misc]

    @property
    def model(self) -> JudgeModel:
        """The weights in use, read at the first call."""
        if self._model is None:
            self._model = embedded_model()
        return self._model

    @property
    def fingerprint(self) -> str:
        return f"feature-judge-{_ALGORITHM}-{self.model.checksum}"

    def score_pairs(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """(n,) in 0..1, pair by pair; the texts of one query are judged beside each other.

        Raises:
            ValueError: the two sequences differ in length.
        """
        if len(queries) != len(texts):
            raise ValueError(f"score_pairs: {len(queries)} queries for {len(texts)} texts")
        scores = np.zeros(len(texts), np.float32)
        by_query: dict[str, list[int]] = {}
        for i, query in enumerate(queries):
            by_query.setdefault(query, []).append(i)
        for query, rows in by_query.items():
            prepared = [self._texts.get(texts[i]) for i in rows]
            scores[rows] = self.score_prepared(parse_question(query), prepared).passages
        return scores

    def score_prepared(
        self, question: Question, prepared: Sequence[PreparedText], likeness: Likeness | None = None
    ) -> Judgement:
        """Judge texts and their sentences beside each other.

        Args:
            likeness: what the embedded encoder says of them, where that is known already.
        """
        pool = self.pool(question, prepared)
        if not pool.size or not question.terms:
            # A question without a content word: nothing in any text can be seen to answer it.
            return Judgement(
                np.zeros(pool.n, np.float32), [np.zeros(len(p.sentences), np.float32) for p in prepared], 0.0
            )
        found = self.features(pool, likeness or Likeness.of(question.text, prepared))
        sentences = probability(found["sentence"])
        logits = self.model.passage.logit(found)
        absence = probability(self.model.absence.logit(absence_features(pool, found, logits)))
        passages = pool.by_text(probability(logits))
        return Judgement(passages, np.split(sentences, pool.edges[1:-1]), float(absence[0]))

    def pool(self, question: Question, prepared: Sequence[PreparedText]) -> Pool:
        """The texts of one query side by side."""
        return Pool.of(question, prepared, [self._evidence.get(p) for p in prepared])

    def features(self, pool: Pool, likeness: Likeness) -> dict[str, FloatArray]:
        """Every feature that the models know, (s,) each."""
        found = {**sentence_features(pool, likeness), **question_features(pool)}
        found["sentence"] = self.model.sentence.logit(found)
        return found | pool_features(pool, likeness, probability(found["sentence"]), self._offers)
