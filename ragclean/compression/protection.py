"""Which sentences may not simply go: how much a sentence's facts weigh for the question, in four classes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragclean.arbitration.verdict import Verdict
from ragclean.compression.context import Links
from ragclean.config import CorrectorConfig
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.facts import Fact, find_terms
from ragclean.text.question import Facet, Question
from ragclean.text.values import Value

PLAIN, FACT, ASKED, UNTOUCHABLE = 0, 1, 2, 3
"""No fact; a fact; a fact of the kind asked for beside what is asked about; a winner, a tie, a user's own term."""

ClassArray = NDArray[np.int8]

#: Kinds of values that can answer a question of a kind. 'What is the limit' may be answered by any figure.
_ANSWERING: dict[str, frozenset[str]] = {
    "duration": frozenset({"duration", "date", "time"}),
    "date": frozenset({"date", "time"}),
    "time": frozenset({"time", "date", "duration"}),
    "money": frozenset({"money"}),
    "percent": frozenset({"percent"}),
    "count": frozenset({"count", "number"}),
    "quantity": frozenset({"quantity", "number"}),
    "version": frozenset({"version"}),
    "number": frozenset({"number", "count", "quantity", "money", "percent", "duration", "version", "date"}),
}
_DATA = frozenset({"code", "term", "abbreviation", "name"})
_QUALIFIES = frozenset({"negation", "condition"})
#: '一份', '一次', 'one': so often an article that a lone one is no figure anybody could get wrong.
_ARTICLE_KINDS = frozenset({"count", "number"})


def classify(
    question: Question,
    ranked: RankedPassage,
    links: Links,
    scores: NDArray[np.float32],
    verdict: Verdict,
    config: CorrectorConfig,
    protected_terms: Sequence[str] = (),
) -> ClassArray:
    """Class of every sentence of a passage (n,)."""
    prepared, index = ranked.prepared, ranked.passage.index
    n = len(prepared.sentences)
    classes = np.zeros(n, np.int8)
    if index not in verdict.out_of_scope:
        _facts(classes, prepared, links, scores, config)
        _asked(classes, prepared, links, scores, question, config)
    for i in _term_sentences(prepared, protected_terms, config.protected_patterns):
        classes[i] = UNTOUCHABLE
    if verdict.winning_sentences or verdict.tied_sentences:
        for i in range(n):
            if (index, i) in verdict.winning_sentences or (index, i) in verdict.tied_sentences:
                classes[i] = UNTOUCHABLE
    return classes


def _facts(
    classes: ClassArray, prepared: PreparedText, links: Links, scores: NDArray[np.float32], config: CorrectorConfig
) -> None:
    """FACT where a sentence holds data, or a negation or condition tied to the data of the sentence before."""
    values, facts = prepared.sentence_values, prepared.sentence_facts
    before = -1
    for i in range(len(classes)):
        hard = _holds_data(values[i], facts[i])
        if not hard and before == prepared.sentences[i].paragraph and any(f.kind in _QUALIFIES for f in facts[i]):
            classes[i] = FACT
        if hard:
            classes[i] = FACT
        before = prepared.sentences[i].paragraph if hard else -1


def _holds_data(values: Sequence[Value], facts: Sequence[Fact]) -> bool:
    return any(not is_article(v) for v in values) or any(f.kind in _DATA for f in facts)


def is_article(value: Value) -> bool:
    """A count of one, exactly: 一份, 一次, one."""
    return value.kind in _ARTICLE_KINDS and value.low == 1 and value.high == 1 and value.end - value.start <= 3


def _asked(
    classes: ClassArray,
    prepared: PreparedText,
    links: Links,
    scores: NDArray[np.float32],
    question: Question,
    config: CorrectorConfig,
) -> None:
    """ASKED where a value of the kind asked for stands beside the attribute or the thing, or in a relevant sentence."""
    for facet in question.facets:
        kinds = _ANSWERING.get(facet.kind)
        if kinds is None:
            continue
        for i, values in enumerate(prepared.sentence_values):
            if classes[i] < ASKED and values and any(_answers(v, facet, kinds) for v in values):
                if scores[i] >= config.sentence_threshold or _beside(prepared, links, i, facet, question):
                    classes[i] = ASKED


def _answers(value: Value, facet: Facet, kinds: frozenset[str]) -> bool:
    if value.kind not in kinds or is_article(value):
        return False
    return not facet.units or value.kind != facet.kind or value.unit in facet.units or not value.unit


def _beside(prepared: PreparedText, links: Links, i: int, facet: Facet, question: Question) -> bool:
    """The attribute or the thing is named in the sentence, in what it answers, or in the sentence before."""
    near = prepared.folded_sentences[i]
    if links.leader[i] >= 0:
        near += prepared.folded_sentences[links.leader[i]]
    return any(a in near for a in facet.attributes) or any(t in near for t in question.things)


def _term_sentences(prepared: PreparedText, terms: Sequence[str], patterns: Sequence[str]) -> set[int]:
    """Sentences that hold (a part of) a user's own term or pattern."""
    if not terms and not patterns:
        return set()
    starts = [s.start for s in prepared.sentences]
    found: set[int] = set()
    for fact in find_terms(prepared.folded, terms, patterns):
        i = max(0, bisect_right(starts, fact.start) - 1)
        while i < len(starts) and starts[i] < fact.end:
            found.add(i)
            i += 1
    return found
