"""Three signals, cheap ones first, fused into one score for every chunk and every sentence.

``final = 0.45 semantic + 0.40 judge + 0.15 keyword`` by default. A judge or encoder that is not cheap sees the
shortlist only (``judge_limit``); what it did not see is scored on the signals there are, weights renormalised, and
ranks below what it saw.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, PreparedText, RankedPassage
from ragclean.signals.base import FloatArray, JudgeScorer, KeywordAnalyzer, ScoringEncoder, SemanticEncoder
from ragclean.signals.judge import Judgement
from ragclean.signals.judge_features import Likeness
from ragclean.signals.profile import Profile
from ragclean.text.question import Question
from ragclean.types import Caution, Signals

BoolArray = NDArray[np.bool_]

logger = logging.getLogger(__name__)


class PreparedJudge(JudgeScorer, Protocol):
    """The embedded judge: scores chunks and their sentences from the prepared structure in one pass."""

    def score_prepared(
        self, question: Question, prepared: Sequence[PreparedText], likeness: Likeness | None = None
    ) -> Judgement: ...


@dataclass(frozen=True, slots=True)
class Scorers:
    """The parts ranking works with. The embedded ones are always there: they cut the shortlist, score sentences,
    and stand in where a dear part did not look."""

    encoder: SemanticEncoder
    judge: JudgeScorer
    keywords: KeywordAnalyzer
    profile: Profile
    """Of ``encoder``."""
    embedded_encoder: ScoringEncoder
    embedded_judge: PreparedJudge
    embedded_profile: Profile


@dataclass(frozen=True, slots=True)
class _Measured:
    """Signals of one query over all passages (n,) and over all their sentences (m,)."""

    semantic: FloatArray
    judge: FloatArray
    keyword: FloatArray
    judged: BoolArray
    seen: BoolArray
    """Neither a dear judge nor a dear encoder passed it over."""
    absence: float
    """The embedded judge's probability that no passage answers."""
    final: FloatArray
    sentence: FloatArray


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
    if not passages:
        return [], 0
    counts = np.array([len(p.prepared.sentences) for p in passages])
    edges = np.concatenate([[0], np.cumsum(counts)])
    calls = 0
    notes: list[Caution] = [] if cautions is None else cautions
    best: _Measured | None = None
    for question, limit in zip(questions, _limits(config.judge_limit, len(questions)), strict=True):
        measured, n = _measure(question, passages, edges, scorers, config, notes, limit)
        calls += n
        best = measured if best is None else _better(best, measured)
    assert best is not None
    standing = best.final * _trust_share(passages, config)
    order = sorted(range(len(passages)), key=lambda i: (not best.seen[i], -float(standing[i]), i))
    top = float(best.final.max())
    if top < config.admission_threshold:
        message = f"the best passage scores {top:.2f}, below the admission threshold {config.admission_threshold:.2f}"
        notes.append(Caution("low_relevance", message + "; the answer may be in none of them"))
    if best.absence >= config.no_answer_threshold and len(passages) >= _FEWEST_FOR_ABSENCE:
        message = f"none of the {len(passages)} chunks seems to answer the query (probability {best.absence:.2f})"
        notes.append(Caution("no_answer_likely", message + "; retrieve wider, or let the application say so"))
    bar = _Bar.of(best, config)
    ranked = []
    for i in order:
        p = passages[i]
        signals = Signals(
            semantic=round(float(best.semantic[i]), 4),
            keyword=round(float(best.keyword[i]), 4),
            judge=round(float(best.judge[i]), 4) if best.judged[i] else None,
            final=round(float(best.final[i]), 4),
        )
        refusal = ("", "") if p.chunk.id in pinned else bar.refusal(signals)
        sentences = best.sentence[edges[i] : edges[i + 1]]
        ranked.append(RankedPassage(p, signals, sentences, not refusal[0], refusal))
    return ranked, calls


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
    def of(cls, measured: _Measured, config: CorrectorConfig) -> _Bar:
        threshold = config.admission_threshold
        relative = max(config.relative_admission * float(measured.final.max()), threshold / 2)
        best_judge = float(measured.judge[measured.judged].max(initial=0.0))
        return cls(min(threshold, relative), config.judge_floor * best_judge, best_judge)

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


def _measure(
    question: Question,
    passages: Sequence[Passage],
    edges: NDArray[Any],
    scorers: Scorers,
    config: CorrectorConfig,
    notes: list[Caution],
    limit: int,
) -> tuple[_Measured, int]:
    n = len(passages)
    prepared = [p.prepared for p in passages]
    texts = [p.text for p in prepared]
    flat = texts + [s for p in prepared for s in p.sentence_texts]
    w_sem, w_judge, w_key = config.weight_semantic, config.weight_judge, config.weight_keyword
    total = w_sem + w_judge + w_key

    likeness = Likeness.of(question.text, prepared, scorers.embedded_encoder)
    similarity = scorers.embedded_profile.passage(np.concatenate([likeness.texts, likeness.sentences]))
    keyword = _shares("keywords", scorers.keywords.hit_ratio(question.text, flat), len(flat))
    judgement = scorers.embedded_judge.score_prepared(question, prepared, likeness)
    judge = judgement.passages
    sentence_judge = np.concatenate(judgement.sentences)
    sentence = (w_sem * similarity[n:] + w_judge * sentence_judge + w_key * keyword[n:]) / total

    support = np.zeros(n, np.float32)
    if config.corroboration > 0.0:
        support = _corroboration(likeness.vectors, sentence, np.repeat(np.arange(n), np.diff(edges)), n, scorers)
        support *= np.float32(config.corroboration)
    semantic = np.minimum(_with_window(similarity[:n], similarity[n:], edges) + support, 1.0)
    keyword = keyword[:n]
    judged = np.ones(n, bool)
    seen = np.ones(n, bool)
    calls = 0
    if not (_cheap(scorers.encoder) and _cheap(scorers.judge)):
        first = (w_sem * semantic + w_judge * judge + w_key * keyword) / total
        short = np.sort(np.argsort(-first, kind="stable")[:limit])
        seen = np.zeros(n, bool)
        seen[short] = True
    if scorers.encoder is not scorers.embedded_encoder:
        at = np.arange(n) if _cheap(scorers.encoder) else short
        found = None if not len(at) else _guarded(
            "encoder",
            lambda: _dear_similarity(question.text, [prepared[i] for i in at], sentence, edges, at, scorers),
            notes,
        )  # fmt: skip
        if found is not None:
            semantic = semantic.copy()
            semantic[at] = np.minimum(found + support[at], 1.0)
    if scorers.judge is not scorers.embedded_judge:
        at = np.arange(n) if _cheap(scorers.judge) else short
        embedded, shown = judge[at], [texts[i] for i in at]
        scores = _guarded("judge", lambda: _judged(scorers.judge, question.text, shown, embedded, notes), notes)
        calls = len(at)
        if scores is not None:
            judge, judged = np.zeros(n, np.float32), np.zeros(n, bool)
            judge[at], judged[at] = scores, True
    final = np.where(
        judged,
        (w_sem * semantic + w_judge * judge + w_key * keyword) / total,
        (w_sem * semantic + w_key * keyword) / max(w_sem + w_key, 1e-9),
    ).astype(np.float32)
    sentence = sentence.astype(np.float32)
    return _Measured(semantic, judge, keyword, judged, seen, judgement.absence, final, sentence), calls


def _limits(judge_limit: int, questions: int) -> list[int]:
    """What each question may show a dear part: the limit is the query's, its sub-queries share it, the first ones
    take what does not divide."""
    share, left = divmod(judge_limit, questions)
    return [share + (i < left) for i in range(questions)]


def _judged(
    judge: JudgeScorer, query: str, texts: Sequence[str], embedded: FloatArray, notes: list[Caution]
) -> FloatArray:
    """(n,) scores of the judge; for pairs that it could not judge (NaN) those of the embedded one, with a caution."""
    if not texts:
        return np.zeros(0, np.float32)
    given = np.asarray(judge.score_pairs([query] * len(texts), texts), np.float64)
    failed = np.isnan(given)
    if given.shape == embedded.shape and failed.any() and not failed.all():
        message = f"no score for {int(failed.sum())} of {len(texts)} chunks; the embedded judge stands in for them"
        notes.append(Caution("judge_failed", message))
        given = np.where(failed, embedded, given)
    return _shares("judge", given, len(texts))


def _guarded(part: str, work: Callable[[], FloatArray], notes: list[Caution]) -> FloatArray | None:
    """What a user's part gives; None, with a caution, where it fails: the embedded part's scores stay then."""
    try:
        return work()
    except Exception as error:
        logger.exception("the %s failed; the embedded one stands in", part)
        notes.append(Caution(f"{part}_failed", f"{type(error).__name__}: {error}; the embedded {part} stands in"))
        return None


def _shares(part: str, given: Any, n: int) -> FloatArray:
    """(n,) what a part of the caller's measured, on 0..1.

    Raises:
        ValueError: not n numbers; the message names the part. A NaN would pass every threshold unseen.
    """
    scores = np.asarray(given, np.float64)
    if scores.shape != (n,):
        raise ValueError(f"{part}: expected {n} scores, got an array of shape {scores.shape}")
    if np.isnan(scores).any():
        raise ValueError(f"{part}: {int(np.isnan(scores).sum())} of {n} scores are NaN")
    return np.clip(scores, 0.0, 1.0).astype(np.float32)


def _vectors(given: Any, n: int) -> FloatArray:
    """(n, d) vectors of a caller's encoder; raises as :func:`_shares` does."""
    vectors = np.asarray(given, np.float32)
    if vectors.ndim != 2 or len(vectors) != n:
        raise ValueError(f"encoder: expected {n} vectors, got an array of shape {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError("encoder: a vector holds NaN or infinity")
    return vectors


def _cheap(part: object) -> bool:
    return bool(getattr(part, "cheap", False))


def _with_window(whole: FloatArray, sentences: FloatArray, edges: NDArray[Any]) -> FloatArray:
    """The better of the whole chunk and its best sentence, so that a buried answer counts."""
    best = np.zeros_like(whole)
    filled = np.diff(edges) > 0
    if filled.any():
        best[filled] = np.maximum.reduceat(sentences, edges[:-1][filled])
    return np.maximum(whole, best)


#: Sentences of the pool, the best answering ones, that others are compared with: enough for one from each of several
#: pages, few enough that a page cannot be carried by the seventh best.
_LEADS = 6


def _corroboration(
    vectors: FloatArray, scores: FloatArray, owner: NDArray[Any], n: int, scorers: Scorers
) -> FloatArray:
    """(n,) how well a sentence of *another* passage that answers the query says what this passage says, 0..1.

    Passages are judged together: a page that puts the answer in other words than the query is near the pages that
    use the query's words. Pseudo-relevance feedback (Rocchio 1971) with sentences instead of terms. Own measurement,
    mean AUC per question of the fused score without and with it: public Chinese web passages 0.864 -> 0.889,
    English 0.690 -> 0.763, hand-written cases unchanged (+0.002).
    """
    support = np.zeros(n, np.float32)
    if len(vectors) < 2:
        return support
    leads = np.argsort(-scores, kind="stable")[:_LEADS]
    likeness = scorers.embedded_profile.sentence(vectors @ vectors[leads].T) * scores[leads]
    likeness[owner[:, None] == owner[leads][None, :]] = 0.0
    np.maximum.at(support, owner, likeness.max(axis=1))
    return support


def _dear_similarity(
    query: str,
    prepared: Sequence[PreparedText],
    sentence: FloatArray,
    edges: NDArray[Any],
    at: NDArray[Any],
    scorers: Scorers,
) -> FloatArray:
    """Cosine of the query with each whole chunk and with its best sentence (found by the embedded signals)."""
    best = [
        p.sentence_texts[int(np.argmax(sentence[edges[i] : edges[i + 1]]))] if p.sentence_texts else p.text
        for p, i in zip(prepared, at, strict=True)
    ]
    texts = [p.text for p in prepared] + best
    q = _vectors(scorers.encoder.encode_queries([query]), 1)[0]
    vectors = _vectors(scorers.encoder.encode_passages(texts), len(texts))
    raw = vectors @ q
    return scorers.profile.passage(np.maximum(raw[: len(at)], raw[len(at) :]))


def _better(a: _Measured, b: _Measured) -> _Measured:
    """Element by element, the signals of the query that a passage answers better."""
    pick = b.final > a.final
    return _Measured(
        semantic=np.where(pick, b.semantic, a.semantic),
        judge=np.where(pick, b.judge, a.judge),
        keyword=np.where(pick, b.keyword, a.keyword),
        judged=np.where(pick, b.judged, a.judged),
        seen=a.seen | b.seen,
        absence=min(a.absence, b.absence),
        final=np.maximum(a.final, b.final),
        sentence=np.maximum(a.sentence, b.sentence),
    )
