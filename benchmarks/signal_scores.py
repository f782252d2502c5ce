"""Scores of a question's texts by each signal, by plain baselines, and by the fusion whole and in parts.

All but the baselines come from ``ragclean.ranking.rank``, so that what is measured is what is used.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import jieba
import numpy as np
from plain_scores import Index, standardised, words

from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, PreparedText, prepare_text
from ragclean.ranking import rank
from ragclean.signals.base import FloatArray, SemanticEncoder
from ragclean.signals.judge import FeatureJudge
from ragclean.signals.judge_features import Likeness
from ragclean.signals.keyword import JiebaKeywordAnalyzer
from ragclean.signals.profile import measure_profile
from ragclean.signals.scorers import Scorers
from ragclean.signals.semantic import StaticEncoder
from ragclean.text.question import Question, parse_question
from ragclean.types import Chunk, Signals

#: The fusion without something: what is changed in the configuration.
VARIANTS: dict[str, dict[str, float]] = {
    "fusion": {},
    "without corroboration": {"corroboration": 0.0},
    "without semantic": {"weight_semantic": 0.0},
    "without judge": {"weight_judge": 0.0},
    "without keyword": {"weight_keyword": 0.0},
}
BASELINES = ("cosine of means", "BM25", "coverage", "sum of the three")
WAYS = ("semantic", "semantic, corroborated", "judge", "keyword", *BASELINES, *VARIANTS)
#: What each way spends its time on. The fusion's own time is measured whole; the rest would do the same work again.
PARTS = {
    "semantic": ("encoder",), "judge": ("judge",), "keyword": ("keyword",), "cosine of means": ("cosine",),
    "BM25": ("words", "bm25"), "coverage": ("words", "coverage"),
    "sum of the three": ("cosine", "words", "bm25", "coverage"), "fusion": ("rank",),
}  # fmt: skip
ENCODES = ("encode_queries", "encode_passages")


class Clock:
    """Seconds spent on each part."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._runs = True

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        """Count what happens inside."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            if self._runs:
                self.spent[part] = self.spent.get(part, 0.0) + time.perf_counter() - begin

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Count nothing of what happens inside: it is done a second time."""
        self._runs = False
        try:
            yield
        finally:
            self._runs = True

    def cuts(self, way: str) -> float | None:
        """The time of a way in jieba cuts of the same texts; None where it is not measured apart."""
        parts = PARTS.get(way, ())
        known = parts and all(part in self.spent for part in parts)
        return sum(self.spent[part] for part in parts) / self.spent["cut"] if known else None


class _Timed:
    """A part of the ranking whose calls are timed; the rest of it shows through."""

    def __init__(self, part: Any, name: str, clock: Clock, methods: Sequence[str]) -> None:
        self._part, self._name, self._clock, self._methods = part, name, clock, frozenset(methods)

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._part, attribute)
        if attribute not in self._methods:
            return found

        def timed(*given: Any) -> Any:
            with self._clock.of(self._name):
                return found(*given)

        return timed


class _JudgeOnce(FeatureJudge):
    """The embedded judge; variants of one ranking do not ask it twice."""

    _last: tuple[Any, Any] = (None, None)

    def score_prepared(
        self, question: Question, prepared: Sequence[PreparedText], likeness: Likeness | None = None
    ) -> tuple[FloatArray, list[FloatArray]]:
        """As the judge's own."""
        key = (question.text, [p.text for p in prepared])
        if self._last[0] != key:
            self._last = (key, super().score_prepared(question, prepared, likeness))
        answer: tuple[FloatArray, list[FloatArray]] = self._last[1]
        return answer


class Scoring:
    """Scores the questions of one set, with parts that have seen none of its texts.

    Args:
        encoder: a dear one, which every text is shown to; the embedded one where left out.
        texts: all texts of the set, for the document frequencies of the baselines. Left out, nothing is scored but the
            judge, the keywords and the whole fusion.
    """

    def __init__(self, lang: str, texts: Sequence[str] = (), encoder: SemanticEncoder | None = None) -> None:
        self.clock = Clock()
        self._lang = lang
        self._index = Index(texts, lang) if texts else None
        self._scorers = _scorers(encoder, self.clock)
        # A dear encoder is not made to read everything twice: its cosines come from memory, and are not timed.
        self._plain: Any = encoder or _Timed(StaticEncoder(), "cosine", self.clock, ENCODES)

    def scores(self, query: str, texts: Sequence[str]) -> dict[str, FloatArray]:
        """(n,) scores of the texts in each way that is wanted."""
        with self.clock.of("cut"):
            for text in texts:
                jieba.lcut(text)
        return {**self._ranked(query, texts), **(self._baselines(query, texts) if self._index else {})}

    def _ranked(self, query: str, texts: Sequence[str]) -> dict[str, FloatArray]:
        with self.clock.of("prepare"):
            prepared = [prepare_text(text) for text in texts]
        passages = [_passage(i, p) for i, p in enumerate(prepared)]
        # A dear encoder reads every text here: which ten it would be shown in use is the embedded signals' doing.
        config = CorrectorConfig(judge_limit=max(CorrectorConfig().judge_limit, len(texts)))
        found: dict[str, list[Signals]] = {}
        for name, changes in (VARIANTS if self._index else {"fusion": VARIANTS["fusion"]}).items():
            with self.clock.of("rank") if name == "fusion" else self.clock.stopped():
                ranked, _ = rank([parse_question(query)], passages, self._scorers, config.with_changes(**changes))
            found[name] = [r.signals for r in sorted(ranked, key=lambda r: r.passage.index)]
        whole = found["fusion"]
        scores = {
            "judge": _array(s.judge for s in whole),
            "keyword": _array(s.keyword for s in whole),
            **{name: _array(s.final for s in signals) for name, signals in found.items()},
        }
        if self._index:
            scores["semantic"] = _array(s.semantic for s in found["without corroboration"])
            scores["semantic, corroborated"] = _array(s.semantic for s in whole)
        return scores

    def _baselines(self, query: str, texts: Sequence[str]) -> dict[str, FloatArray]:
        assert self._index is not None
        cosines = self._plain.encode_passages(list(texts)) @ self._plain.encode_queries([query])[0]
        with self.clock.of("words"):
            asked, cut = words(query, self._lang), [words(text, self._lang) for text in texts]
        with self.clock.of("bm25"):
            bm25 = self._index.bm25(asked, cut)
        with self.clock.of("coverage"):
            coverage = self._index.coverage(asked, cut)
        three = (cosines, bm25, coverage)
        return dict(zip(BASELINES, (*three, sum(map(standardised, three))), strict=True))


def _scorers(encoder: SemanticEncoder | None, clock: Clock) -> Scorers:
    embedded, judge = StaticEncoder(), _JudgeOnce()
    own: Any = _Timed(embedded, "embedded encoder" if encoder else "encoder", clock, ("score", *ENCODES))
    chosen: Any = _Timed(encoder, "encoder", clock, ENCODES) if encoder else own
    timed_judge: Any = _Timed(judge, "judge", clock, ("score_prepared",))
    keywords: Any = _Timed(JiebaKeywordAnalyzer(), "keyword", clock, ("hit_ratio",))
    profile = measure_profile(embedded)
    return Scorers(
        encoder=chosen,
        judge=timed_judge,
        keywords=keywords,
        profile=measure_profile(encoder) if encoder else profile,
        embedded_encoder=own,
        embedded_judge=timed_judge,
        embedded_profile=profile,
    )


def _passage(i: int, prepared: PreparedText) -> Passage:
    """A page of which nothing is known but its text."""
    return Passage(
        index=i,
        chunk=Chunk(prepared.text, id=str(i)),
        prepared=prepared,
        trust=0.5,
        trust_known=False,
        dated=None,
        effective=None,
        expires=None,
    )


@lru_cache(maxsize=1)
def warm() -> None:
    """Load dictionaries, tables and weights, which every process does once."""
    Scoring("zh", ["x"]).scores("保修多久？", ["整机保修24个月。"])


def _array(values: Any) -> FloatArray:
    return np.array(list(values), np.float32)
