"""All texts of one query side by side, as the judge looks at them: sentences in one axis, positions in one string."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragclean.prepare import PreparedText
from ragclean.signals.evidence import CUES, VALUE_KINDS, Evidence
from ragclean.signals.keyword import term_weights
from ragclean.signals.matching import (
    JoinedTexts,
    code_family,
    code_pattern,
    find_terms,
    find_words,
    strengths_by,
)
from ragclean.text.question import Facet, Question

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_SEPARATORS = re.compile(r"[-_ ·/]")
_SERIES = re.compile(r" ?(?:全?系列|全系|series|family|range)")

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

_CUE = {name: i for i, name in enumerate(CUES)}
#: The wording by which each kind of answer without a value is known; the kinds are the names of the columns but one.
_CUE_OF_KIND = {"yes_no": "polarity", **{kind: kind for kind in ("party", "action", "reason", "definition")}}


@dataclass(frozen=True, slots=True)
class Pool:
    """``s`` sentences of ``n`` texts, and what of the question each of them holds."""

    question: Question
    prepared: Sequence[PreparedText]
    evidence: list[Evidence]
    texts: JoinedTexts
    edges: IntArray
    """(n + 1,) first sentence of each text."""
    starts: IntArray
    """(s,) where each sentence begins in the joined string."""
    owner: IntArray
    """(s,) the text of each sentence."""
    cues: BoolArray
    """(s, len(CUES))"""
    terms: FloatArray
    """(s, t) how well each sentence holds each term of the question."""

    @classmethod
    def of(cls, question: Question, prepared: Sequence[PreparedText], evidence: list[Evidence]) -> Pool:
        """Put the texts of one query side by side."""
        texts = JoinedTexts.of([p.folded for p in prepared])
        counts = np.array([len(e.starts) for e in evidence], np.int64)
        edges = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        owner = np.repeat(np.arange(len(evidence)), counts)
        starts = joined([e.starts for e in evidence]) + texts.starts[owner] if len(owner) else np.zeros(0, np.int64)
        cues = np.concatenate([e.cues for e in evidence]) if evidence else np.zeros((0, len(CUES)), bool)
        terms = strengths_by(find_terms(question.terms, texts), starts, len(starts))
        return cls(question, prepared, evidence, texts, edges, starts, owner, cues, terms)

    @property
    def n(self) -> int:
        """Number of texts."""
        return len(self.edges) - 1

    @property
    def size(self) -> int:
        """Number of sentences."""
        return len(self.starts)

    def by_text(self, values: NDArray[np.floating]) -> FloatArray:
        """The best of each text's sentences; (s,) to (n,), or (s, k) to (n, k). 0 for a text without sentences."""
        best = np.zeros((self.n, *values.shape[1:]), np.float32)
        np.maximum.at(best, self.owner, np.asarray(values, np.float32))
        return best

    def per_text(self, values: Sequence[float] | NDArray[np.generic]) -> FloatArray:
        """A value a text, handed to its sentences; (n,) to (s,)."""
        return np.asarray(np.asarray(values, np.float32)[self.owner], np.float32)

    def previous(self, values: NDArray[np.generic]) -> FloatArray:
        """(s,) the value of the sentence before, in the same text; 0 for the first."""
        before = np.zeros(self.size, np.float32)
        if self.size > 1:
            before[1:] = np.where(self.owner[1:] == self.owner[:-1], np.asarray(values, np.float32)[:-1], 0.0)
        return before

    def windows(self, table: FloatArray) -> FloatArray:
        """Best of each sentence with either neighbour of the same text; (s, t) or (s,)."""
        best = table.copy()
        if len(table) > 1:
            same = self.owner[1:] == self.owner[:-1]
            first, second = np.flatnonzero(same), np.flatnonzero(same) + 1
            best[first] = np.maximum(best[first], table[second] * NEIGHBOUR)
            best[second] = np.maximum(best[second], table[first] * NEIGHBOUR)
        return best

    def cue(self, name: str) -> BoolArray:
        """(s,): does the sentence hold wording of this sort?"""
        return np.asarray(self.cues[:, _CUE[name]], bool)

    # -- the topic

    def whole(self) -> FloatArray:
        """(n, t) how well each text holds each term."""
        return self.by_text(self.terms)

    def lent(self, whole: FloatArray) -> FloatArray:
        """(s, t) terms in each sentence's window; names and codes are lent to it by the whole text."""
        windows = self.windows(self.terms)
        named = self.named
        if named.any():
            windows[:, named] = np.maximum(windows[:, named], NAME_LENT * whole[:, named][self.owner])
        return windows

    @property
    def named(self) -> BoolArray:
        """(t,) terms that are names or codes."""
        return np.array([t.kind != "word" for t in self.question.terms], bool)

    @property
    def weights(self) -> FloatArray:
        """(t,) weights of the terms, adding up to 1; zeros where none weighs anything."""
        weights = term_weights(self.question)
        total = float(weights.sum())
        return weights / np.float32(total) if total > 0 else weights

    # -- something of the kind asked for

    def attributes(self, facet: Facet) -> FloatArray:
        """(s, a) strengths of the facet's attribute words."""
        return strengths_by(find_words(facet.attributes, self.texts), self.starts, self.size)

    def answers(self) -> FloatArray:
        """(s,) something that the question may ask for, by nearness to the attribute asked about; 0..1."""
        answer = np.zeros(self.size, np.float32)
        known = [f for f in self.question.facets if f.kind != "unknown"]
        for facet in known or self.question.facets[:1]:
            np.maximum(answer, self._answer(facet), out=answer)
        return answer

    def new_names(self) -> BoolArray:
        """(s,): the sentence holds a name that the question does not."""
        at, weight = self._new([(e.name_at, e.names) for e in self.evidence])
        return np.asarray(self._near(at, weight, np.zeros(0, np.int64)) > 0)

    def values_held(self) -> FloatArray:
        """(s,) number of values in each sentence."""
        at = joined([e.value_at + self.texts.starts[i] for i, e in enumerate(self.evidence)])
        rows = np.searchsorted(self.starts, at, side="right") - 1
        return np.bincount(rows[rows >= 0], minlength=self.size).astype(np.float32)

    def _answer(self, facet: Facet) -> FloatArray:
        found = find_words(facet.attributes, self.texts)
        anchors = np.sort(joined([h.positions for h in found]))
        cue = _CUE_OF_KIND.get(facet.kind)
        if cue is not None:
            near = self.windows(strengths_by(found, self.starts, self.size).max(axis=1, initial=0.0))
            return np.asarray(self.cue(cue) * (CUE_ALONE + (1 - CUE_ALONE) * near), np.float32)
        if facet.kind in ("name", "place"):
            return self._names(facet, anchors)
        if facet.kind == "unknown":
            return np.full(self.size, NEUTRAL, np.float32)
        return self._values(facet, anchors)

    def _values(self, facet: Facet, anchors: IntArray) -> FloatArray:
        worth = np.array(
            [1.0 if k == facet.kind else SECOND_KIND if k in facet.alternatives else 0.0 for k in VALUE_KINDS]
        )
        at = joined([e.value_at + self.texts.starts[i] for i, e in enumerate(self.evidence)])
        weight = worth[joined([e.value_kind for e in self.evidence])]
        if facet.units:
            units = [u for e in self.evidence for u in e.value_units]
            weight = weight * np.array([1.0 if u in facet.units or not u else SECOND_KIND for u in units])
        return self._near(at, weight, anchors)

    def _names(self, facet: Facet, anchors: IntArray) -> FloatArray:
        """Names that the question does not hold already; for a place also words that end as places do."""
        found = self._near(*self._new([(e.name_at, e.names) for e in self.evidence]), anchors)
        if facet.kind == "place":
            places = self._near(*self._new([(e.place_at, e.places) for e in self.evidence]), anchors)
            found = np.maximum(np.maximum(found, places), np.float32(CUE_WORTH) * self.cue("place"))
        return np.asarray(found, np.float32)

    def _new(self, spans: Sequence[tuple[IntArray, tuple[str, ...]]]) -> tuple[IntArray, NDArray[np.float64]]:
        asked = self.question.folded
        at = joined([starts + self.texts.starts[i] for i, (starts, _) in enumerate(spans)])
        return at, np.array([0.0 if word in asked else NAME_WORTH for _, words in spans for word in words])

    def _near(self, at: IntArray, weight: NDArray[np.floating], anchors: IntArray) -> FloatArray:
        """Per sentence the best of its values, each by weight and nearness to the attribute words."""
        found = np.zeros(self.size, np.float32)
        use = weight > 0
        at, weight = at[use], weight[use]
        if not len(at):
            return found
        near = np.zeros(len(at))
        if len(anchors):
            right = np.minimum(np.searchsorted(anchors, at), len(anchors) - 1)
            left = np.maximum(right - 1, 0)
            texts, of_anchors = self.texts.owner(at), self.texts.owner(anchors)
            reach = REACH[self.question.lang]
            for side in (left, right):  # a word of the text before or after says nothing of a value in this one
                distance = np.where(of_anchors[side] == texts, np.abs(anchors[side] - at), np.inf)
                near = np.maximum(near, np.exp(-distance / reach))
        rows = np.searchsorted(self.starts, at, side="right") - 1
        np.maximum.at(found, rows, (weight * (VALUE_ALONE + (1 - VALUE_ALONE) * near)).astype(np.float32))
        return found

    # -- about the thing asked about

    def other_model(self) -> BoolArray:
        """(n,) texts that name another member of the family of a code asked about, and not the code itself."""
        other = np.zeros(self.n, bool)
        for thing in self.question.things:
            if any(c.isdigit() for c in thing):
                other |= _other_model(thing, self.texts, self.n)
        return other

    def other_year(self) -> BoolArray:
        """(n,) texts that hold years, and none of those asked about."""
        asked = set(self.question.years)
        return np.array([bool(asked and e.years) and not asked & set(e.years) for e in self.evidence], bool)


def joined(parts: Sequence[NDArray[np.int64]]) -> IntArray:
    """The parts in one array of integers."""
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _other_model(code: str, texts: JoinedTexts, n: int) -> BoolArray:
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
