"""Which sentences may not simply go: how much a sentence's facts weigh for the question, in four classes."""

from __future__ import annotations

import re
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

_VALUE_KINDS = frozenset(
    {"duration", "date", "time", "money", "percent", "count", "quantity", "version", "number"}
)
_DATA = frozenset({"code", "term", "abbreviation"})
_QUOTES = ("\u201c", "\u2018", '"')
_QUALIFIES = frozenset({"negation", "condition"})
#: How far from a fact asked for its exceptions are looked for, in sentences of the same block. They follow the rule
#: more often than they precede it.
EXCEPTIONS_BEFORE, EXCEPTIONS_AFTER = 2, 5
#: Says what follows when the figure of the sentence before is passed or missed.
_CONSEQUENCE = re.compile(
    r"[\s\d.、()（）]{0,8}(?:逾期|过期|过时|超[过出期时额]|此[前后]|之后|否则|届时|期满|到期"
    r"|(?:after|beyond|before|until) (?:that|this|then)\b|otherwise\b|thereafter\b|afterwards\b|beyond (?:that|this)\b)"
)
#: Kinds of question to which a prohibition or an exclusion is part of the answer.
_RULED_KINDS = frozenset({"action", "yes_no", "party"})
_RULING = re.compile(
    r"请勿|切勿|不得|禁止|严禁|不要自行|除外|不予|不适用|不在[^,。;\n]{0,12}(?:范围|之内|之列)|不(?:包括|包含|含)|概不"
    r"|\b(?:do not|don't|must not|mustn't|never|not (?:be )?(?:covered|included|allowed|permitted|eligible)|except"
    r"|excluded?|excludes|excluding|unless|prohibited|forbidden)\b"
)
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
        _facts(classes, prepared, question)
        _asked(classes, prepared, links, scores, question, config)
        _exceptions(classes, prepared)
        _rulings(classes, prepared, question)
    for i in _term_sentences(prepared, protected_terms, config.protected_patterns):
        classes[i] = UNTOUCHABLE
    if verdict.winning_sentences or verdict.tied_sentences:
        for i in range(n):
            if (index, i) in verdict.winning_sentences or (index, i) in verdict.tied_sentences:
                classes[i] = UNTOUCHABLE
    return classes


def _facts(classes: ClassArray, prepared: PreparedText, question: Question) -> None:
    """FACT where a sentence holds data, or a negation, condition or consequence tied to the data just before it.

    '30元' without the next sentence's '偏远地区除外' would be wrong, not shorter; a lone 'if' or 'not' elsewhere
    protects nothing.
    """
    before = -1
    for i, facts in enumerate(prepared.sentence_facts):
        paragraph = prepared.sentences[i].paragraph
        if _holds_data(prepared, i, facts, question):
            classes[i] = FACT
            before = paragraph
            continue
        if before == paragraph and (
            any(f.kind in _QUALIFIES for f in facts) or _CONSEQUENCE.match(prepared.folded_sentences[i])
        ):
            classes[i] = FACT
        before = -1


def _holds_data(prepared: PreparedText, i: int, facts: Sequence[Fact], question: Question) -> bool:
    if any(not is_article(v) for v in prepared.sentence_values[i]):
        return True
    return any(f.kind in _DATA or (f.kind == "name" and _tells(prepared, f, question)) for f in facts)


def _tells(prepared: PreparedText, name: Fact, question: Question) -> bool:
    """A name that is neither the thing asked about (every page has it) nor a mere word in quotation marks."""
    if prepared.text[name.start - 1 : name.start] in _QUOTES:
        return False
    written = prepared.folded[name.start : name.end]
    return not any(thing in written or written in thing for thing in question.things)


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
        kinds = facet.kinds & _VALUE_KINDS
        if not kinds:
            continue
        for i, values in enumerate(prepared.sentence_values):
            if classes[i] < ASKED and values and any(_answers(v, facet, kinds) for v in values):
                if scores[i] >= config.sentence_threshold or _beside(prepared, links, i, facet, question):
                    classes[i] = ASKED


def _exceptions(classes: ClassArray, prepared: PreparedText) -> None:
    """FACT where a negation stands in the block of a fact asked for: what it does not cover is part of the answer."""
    for i in np.flatnonzero(classes == ASKED).tolist():
        paragraph = prepared.sentences[i].paragraph
        for j in range(max(0, i - EXCEPTIONS_BEFORE), min(len(classes), i + EXCEPTIONS_AFTER + 1)):
            if classes[j] == PLAIN and prepared.sentences[j].paragraph == paragraph:
                if any(f.kind == "negation" for f in prepared.sentence_facts[j]):
                    classes[j] = FACT


def _rulings(classes: ClassArray, prepared: PreparedText, question: Question) -> None:
    """FACT where something is forbidden or excluded, if the question asks whether or how: 'do not open the case' is
    no filler to 'the screen flickers, what do I do?', however few words they share."""
    if not any(f.kind in _RULED_KINDS for f in question.facets):
        return
    for i in np.flatnonzero(classes == PLAIN).tolist():
        if _RULING.search(prepared.folded_sentences[i]):
            classes[i] = FACT


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
    sentences = prepared.sentences
    found: set[int] = set()
    for fact in find_terms(prepared.folded, terms, patterns):
        i = max(0, prepared.sentence_at(fact.start))
        while i < len(sentences) and sentences[i].start < fact.end:
            found.add(i)
            i += 1
    return found
