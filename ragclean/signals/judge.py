"""The judge: does a text directly answer the query? 'About the same topic' must not be enough.

``FeatureJudge`` reads four things of every sentence, in a window with its neighbour:

* ``topic``: coverage of the query's terms in the window, and in the whole text with less weight;
* ``answer``: something of the kind asked for (a value, a name, the wording of a rule, a step, a reason), counted
  by how near it stands to the attribute asked about;
* ``scope``: a text that names another code of the same family (X300 for X200), or another year, is marked down;
* ``form``: questions without an answer, headings, promotion and 'where to look it up' are marked down.

``score = sigmoid(bias + T * topic + A * answer + X * topic * answer) * scope * form``; a text scores what its best
sentence in its window scores. Sentences of a passage are scored with weights of their own. The constants were set by
hand on public question sets and hand-written cases and are rounded; the scores hardly move when one of them does.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragclean.prepare import PreparedText, TextCache
from ragclean.signals.evidence import CUES, VALUE_KINDS, Evidence, EvidenceCache
from ragclean.signals.keyword import coverage
from ragclean.signals.matching import (
    JoinedTexts,
    code_family,
    code_pattern,
    find_terms,
    find_words,
    strengths_by,
)
from ragclean.text.question import Facet, Question, parse_question

logger = logging.getLogger(__name__)

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_SEPARATORS = re.compile(r"[-_ ·/]")
_SERIES = re.compile(r" ?(?:全?系列|全系|series|family|range)")


class Weights(NamedTuple):
    """Of the logistic form ``bias + topic * t + answer * a + both * t * a``."""

    bias: float
    topic: float
    answer: float
    both: float


#: A passage has to answer: the other two signals of the ranking say how near its topic is.
PASSAGE = Weights(-3.3, 2.5, 2.0, 4.5)
#: A sentence of an admitted passage has to be on the point, whether the answer stands in it or beside it.
SENTENCE = Weights(-3.5, 5.0, 1.0, 1.0)
#: Share of the topic that the whole text may lend to its sentence (title, subject named once at the top).
TEXT_SHARE = 0.4
#: A term in the neighbouring sentence belongs to the window, but less than one in the sentence itself.
NEIGHBOUR = 0.5
#: A name or code stands at the top of a text and goes without saying after it, unlike the attribute asked about.
NAME_LENT = 0.8
#: Characters over which the nearness of a value to the attribute falls to 1/e; English needs three for one.
REACH = {"zh": 30.0, "en": 80.0}
#: What a value of the right kind counts even where no attribute word stands near: the attribute may be paraphrased.
VALUE_ALONE = 0.4
#: The wording of a rule or a step stands in most texts, so that alone it says little.
CUE_ALONE = 0.15
#: What a new name counts as the answer to who, which or where: most names in a text answer nothing.
NAME_WORTH = 0.6
#: What 'located in' and the like count in a sentence without a name that is known to be a place.
CUE_WORTH = 0.6
#: Of a kind that may stand in for the one asked for, or in another unit than the one asked for.
SECOND_KIND = 0.6
#: Nothing to look for: the question's kind says nothing about the answer's form.
NEUTRAL = 0.5
OTHER_MODEL = 0.35
OTHER_YEAR = 0.5
QUESTION_FORM = 0.4
HEADING_FORM = 0.6
PROMOTION_FORM = 0.75
EVASIVE_FORM = 0.8
SEEKING_FORM = 0.6
#: Texts that one judge keeps prepared for ``score_pairs``.
CACHE = 2048

_CUE = {name: i for i, name in enumerate(CUES)}
#: The wording by which each kind of answer without a value is known; the kinds are the names of the columns but one.
_CUE_OF_KIND = {"yes_no": "polarity", **{kind: kind for kind in ("party", "action", "reason", "definition")}}

class FeatureJudge:
    """The embedded judge: hand-set features, no model, under a tenth of a millisecond a chunk."""

    cheap = True

    def __init__(self) -> None:
        self._evidence = EvidenceCache(2 * CACHE)
        self._texts = TextCache(CACHE)

    @property
    def fingerprint(self) -> str:
        return "feature-judge-1"

    def score_pairs(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """(n,) in 0..1, pair by pair.

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
            scores[rows] = self.score_prepared(parse_question(query), prepared)[0]
        return scores

    def score_prepared(
        self, question: Question, prepared: Sequence[PreparedText]
    ) -> tuple[FloatArray, list[FloatArray]]:
        """Scores of the texts (n,) and, one array a text, of their sentences; both in 0..1."""
        evidence = [self._evidence.get(p) for p in prepared]
        pool = _Pool.of(question, prepared, evidence)
        return pool.scores()


@dataclass(frozen=True, slots=True)
class _Pool:
    """All texts of one query side by side: sentences in one axis, positions in the joined string."""

    question: Question
    texts: JoinedTexts
    edges: IntArray
    """(n + 1,) first sentence of each text."""
    starts: IntArray
    """(s,) where each sentence begins in the joined string."""
    owner: IntArray
    """(s,) the text of each sentence."""
    evidence: list[Evidence]
    cues: NDArray[np.bool_]

    @classmethod
    def of(cls, question: Question, prepared: Sequence[PreparedText], evidence: list[Evidence]) -> _Pool:
        texts = JoinedTexts.of([p.folded for p in prepared])
        counts = np.array([len(e.starts) for e in evidence], np.int64)
        edges = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        owner = np.repeat(np.arange(len(evidence)), counts)
        starts = _joined([e.starts for e in evidence]) + texts.starts[owner] if len(owner) else np.zeros(0, np.int64)
        cues = np.concatenate([e.cues for e in evidence]) if evidence else np.zeros((0, len(CUES)), bool)
        return cls(question, texts, edges, starts, owner, evidence, cues)

    def scores(self) -> tuple[FloatArray, list[FloatArray]]:
        """Of the texts, by their best sentence in its window, and of the sentences, text by text."""
        chunks = np.zeros(len(self.edges) - 1, np.float32)
        if not len(self.starts):
            return chunks, [np.zeros(0, np.float32) for _ in chunks]
        hits = find_terms(self.question.terms, self.texts)
        topic = self._topic(strengths_by(hits, self.starts, len(self.starts)))
        answer = np.zeros(len(self.starts), np.float32)
        known = [f for f in self.question.facets if f.kind != "unknown"]
        for facet in known or self.question.facets[:1]:
            np.maximum(answer, self._answer(facet), out=answer)
        factor = self._form() * self._scope()[self.owner]
        np.maximum.at(chunks, self.owner, factor * _logistic(PASSAGE, topic, answer))
        return chunks, np.split(factor * _logistic(SENTENCE, topic, answer), self.edges[1:-1])

    # -- features

    def _windows(self, table: FloatArray) -> FloatArray:
        """Best of each sentence with either neighbour of the same text; (s, t) or (s,)."""
        best = table.copy()
        if len(table) > 1:
            same = self.owner[1:] == self.owner[:-1]
            first, second = np.flatnonzero(same), np.flatnonzero(same) + 1
            best[first] = np.maximum(best[first], table[second] * NEIGHBOUR)
            best[second] = np.maximum(best[second], table[first] * NEIGHBOUR)
        return best

    def _topic(self, own: FloatArray) -> FloatArray:
        """(s,) coverage of the terms in each sentence's window and, with less weight, in its whole text."""
        whole = np.zeros((len(self.edges) - 1, own.shape[1]), np.float32)
        np.maximum.at(whole, self.owner, own)
        windows = self._windows(own)
        named = np.array([t.kind != "word" for t in self.question.terms], bool)
        if named.any():
            lent = NAME_LENT * whole[:, named][self.owner]
            windows[:, named] = np.maximum(windows[:, named], lent)
        share = coverage(self.question, whole)[self.owner]
        return (1.0 - TEXT_SHARE) * coverage(self.question, windows) + TEXT_SHARE * share

    def _answer(self, facet: Facet) -> FloatArray:
        attributes = find_words(facet.attributes, self.texts)
        anchors = _merged([h.positions for h in attributes])
        cue = _CUE_OF_KIND.get(facet.kind)
        if cue is not None:
            near = self._windows(strengths_by(attributes, self.starts, len(self.starts)).max(axis=1, initial=0.0))
            return self.cues[:, _CUE[cue]] * (CUE_ALONE + (1 - CUE_ALONE) * near)
        if facet.kind in ("name", "place"):
            return self._names(facet, anchors)
        if facet.kind == "unknown":
            return np.full(len(self.starts), NEUTRAL, np.float32)
        return self._values(facet, anchors)

    def _values(self, facet: Facet, anchors: IntArray) -> FloatArray:
        worth = np.array(
            [1.0 if k == facet.kind else SECOND_KIND if k in facet.alternatives else 0.0 for k in VALUE_KINDS]
        )
        at = _joined([e.value_at + self.texts.starts[i] for i, e in enumerate(self.evidence)])
        weight = worth[_joined([e.value_kind for e in self.evidence])]
        if facet.units:
            units = [u for e in self.evidence for u in e.value_units]
            weight = weight * np.array([1.0 if u in facet.units or not u else SECOND_KIND for u in units])
        return self._near(at, weight, anchors)

    def _names(self, facet: Facet, anchors: IntArray) -> FloatArray:
        """Names that the question does not hold already; for a place also words that end as places do."""
        found = self._near(*self._new([(e.name_at, e.names) for e in self.evidence]), anchors)
        if facet.kind == "place":
            places = self._near(*self._new([(e.place_at, e.places) for e in self.evidence]), anchors)
            found = np.maximum(np.maximum(found, places), CUE_WORTH * self.cues[:, _CUE["place"]])
        return found

    def _new(self, spans: Sequence[tuple[IntArray, tuple[str, ...]]]) -> tuple[IntArray, NDArray[np.float64]]:
        asked = self.question.folded
        at = _joined([starts + self.texts.starts[i] for i, (starts, _) in enumerate(spans)])
        return at, np.array([0.0 if word in asked else NAME_WORTH for _, words in spans for word in words])

    def _near(self, at: IntArray, weight: NDArray[np.floating], anchors: IntArray) -> FloatArray:
        """Per sentence the best of its values, each by weight and nearness to the attribute words."""
        found = np.zeros(len(self.starts), np.float32)
        use = weight > 0
        at, weight = at[use], weight[use]
        if not len(at):
            return found
        near = np.zeros(len(at))
        if len(anchors):
            right = np.minimum(np.searchsorted(anchors, at), len(anchors) - 1)
            left = np.maximum(right - 1, 0)
            distance = np.minimum(np.abs(anchors[right] - at), np.abs(anchors[left] - at))
            near = np.exp(-distance / REACH[self.question.lang])
        rows = np.searchsorted(self.starts, at, side="right") - 1
        np.maximum.at(found, rows, (weight * (VALUE_ALONE + (1 - VALUE_ALONE) * near)).astype(np.float32))
        return found

    def _form(self) -> FloatArray:
        asks = np.concatenate([e.asks for e in self.evidence])
        heads = np.concatenate([e.heads for e in self.evidence])
        form = np.ones(len(self.starts), np.float32)
        for mark, factor in (
            (asks, QUESTION_FORM),
            (heads, HEADING_FORM),
            (self.cues[:, _CUE["promotion"]], PROMOTION_FORM),
            (self.cues[:, _CUE["evasive"]], EVASIVE_FORM),
            (self.cues[:, _CUE["seeking"]], SEEKING_FORM),
        ):
            form[mark] *= factor
        return form

    def _scope(self) -> FloatArray:
        """(n,) 1, or less for texts about another model or another year."""
        scope = np.ones(len(self.evidence), np.float32)
        for thing in self.question.things:
            if any(c.isdigit() for c in thing):
                scope[_other_model(thing, self.texts, len(scope))] = OTHER_MODEL
        if self.question.years:
            for i, e in enumerate(self.evidence):
                if e.years and not set(e.years) & set(self.question.years):
                    scope[i] *= OTHER_YEAR
        return scope


def _logistic(w: Weights, topic: FloatArray, answer: FloatArray) -> FloatArray:
    z = w.bias + w.topic * topic + w.answer * answer + w.both * topic * answer
    return np.asarray(1.0 / (1.0 + np.exp(-z)), np.float32)


def _joined(parts: Sequence[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _merged(parts: Sequence[IntArray]) -> IntArray:
    return np.sort(_joined(parts))


def _other_model(code: str, texts: JoinedTexts, n: int) -> NDArray[np.bool_]:
    """(n,) texts that name another member of the code's family and not the code itself."""
    family = code_family(code)
    own, other = np.zeros(n, bool), np.zeros(n, bool)
    if family is None:
        return other
    mine = code_pattern(code)
    own[texts.owner(np.array([m.start() for m in mine.finditer(texts.joined)], np.int64))] = True
    places = [
        m.start()
        for m in family.finditer(texts.joined)
        if not mine.match(texts.joined, m.start()) and not _whole_series(m, code)
    ]
    other[texts.owner(np.array(places, np.int64))] = True
    return other & ~own


def _whole_series(m: re.Match[str], code: str) -> bool:
    """'P8系列' and 'P8 series' speak of the P8 Pro too."""
    named = _SEPARATORS.sub("", m.group())
    return _SEPARATORS.sub("", code).startswith(named) and _SERIES.match(m.string, m.end()) is not None


class FunctionJudge:
    """A user's function as judge: ``fn(query, text) -> float`` or, batched, ``fn(queries, texts) -> (n,)``.

    Args:
        fn: returns scores in 0..1; anything outside is clamped, with a warning in the log. NaN says that there is no
            score for the pair, and so does an error of a function that is not batched, unless all pairs fail.
        fingerprint: changes whenever the function's scores may.
        cheap: True if it may see every chunk, False for the shortlist only.
        batched: the function takes two lists and returns a sequence of the same length.
    """

    def __init__(
        self, fn: Callable[..., object], fingerprint: str, *, cheap: bool = False, batched: bool = False
    ) -> None:
        if not callable(fn):
            raise TypeError(f"FunctionJudge: expected a function, got {type(fn).__name__}")
        if not fingerprint:
            raise ValueError("FunctionJudge: the fingerprint must not be empty, it is part of every cache key")
        self._fn, self.cheap, self.fingerprint, self._batched = fn, cheap, fingerprint, batched

    def score_pairs(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """(n,) in 0..1.

        Raises:
            ValueError: the sequences differ in length, or the function returned something of another shape or no
                numbers.
            Exception: what the function itself raised, where it raised for every pair.
        """
        if len(queries) != len(texts):
            raise ValueError(f"score_pairs: {len(queries)} queries for {len(texts)} texts")
        if self._batched:
            raw = self._fn(list(queries), list(texts)) if texts else []
        else:
            raw = self._one_by_one(queries, texts)
        return self._checked(raw, len(texts))

    def _one_by_one(self, queries: Sequence[str], texts: Sequence[str]) -> list[object]:
        raw: list[object] = []
        errors: list[Exception] = []
        for query, text in zip(queries, texts, strict=True):
            try:
                raw.append(self._fn(query, text))
            except Exception as error:
                raw.append(np.nan)
                errors.append(error)
        if errors:
            if len(errors) == len(texts):
                raise errors[0]
            logger.warning("judge %s: failed for %d of %d pairs, the first: %r",
                           self.fingerprint, len(errors), len(texts), errors[0])  # fmt: skip
        return raw

    def _checked(self, raw: object, n: int) -> FloatArray:
        try:
            scores = np.asarray(raw, np.float64)
        except (TypeError, ValueError) as e:
            raise ValueError(f"judge {self.fingerprint}: expected {n} numbers, got {type(raw).__name__} ({e})") from e
        if scores.shape != (n,):
            raise ValueError(f"judge {self.fingerprint}: expected scores of shape ({n},), got {scores.shape}")
        outside = int(((scores < 0) | (scores > 1)).sum())
        if outside:
            logger.warning("judge %s: %d of %d scores outside 0..1, clamped", self.fingerprint, outside, n)
        return np.clip(scores, 0.0, 1.0).astype(np.float32)
