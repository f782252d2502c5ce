"""How likely a value is an answer to the question, from what stands around it and from what other pages say.

The words of the question around a value say less than one would think: pages about something else hold them too, and
answers are often given in other words. What tells most is whether the value is the best of its page, and whether
another page says the same in the same terms. A logistic model weighs these signs; ``scripts/fit_claims.py`` fits it
to labelled cases and prints the weights below.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ragclean.arbitration.logistic import logistic
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.tokens import informativeness, is_stopword
from ragclean.text.values import Value, canonical

#: Fitted on 285 labelled cases (benchmarks/data/cases without the frozen third, benchmarks/data/tuning, tests/data):
#: area under the curve 0.87 in ten folds by case, 0.69 for the share of the question's words alone; 0.90 on the tuning
#: cases while they were not fitted to.
WEIGHTS: Mapping[str, float] = MappingProxyType({
    "words": 1.07,
    "exact": 0.80,
    "best": 2.83,
    "sentence": 0.30,
    "sibling": -0.96,
    "seconded": 0.21,
    "voices": 1.72,
    "row": 1.03,
    "heading": -0.99,
    "question": -0.91,
    "own": 0.63,
    "unit": -0.28,
    "notice": 1.02,
})  # fmt: skip
BIAS = -5.78
#: Rarity of shared words, added up, beyond which another page's agreement says no more; and pages counted.
_MOST_SHARED, _MOST_VOICES = 3.0, 3
_STEM = 5
#: Statements by which a page announces a value, and sentences between the two.
_NOTICES, _NOTICE_REACH = frozenset(("supersedes", "corrects", "effective", "draft")), 2
_ROWS, _LONGEST_LIST = frozenset(("table_row", "list_item")), 20
#: Share of a sentence's words found in another from which one copies the other, and words that are no coincidence.
_COPY_SHARE, _TELLING_WORDS = 0.8, 5
#: Only values this near to the best of their page are compared across pages, and so many of one value at most: the
#: best ranked ones, since a thousand pages must not cost a million comparisons.
_LEADING, _MOST_COMPARED = 0.6, 40
#: Words of one sentence that are compared: a sentence without end must not cost more than a long one.
_MOST_WORDS = 60


@dataclass(frozen=True, slots=True)
class Bid:
    """A value that may be the answer, in one sentence of one passage."""

    place: int
    sentence: int
    value: Value
    words: float
    """Share of the question's words around it, 0..1."""
    exact: bool
    own: float
    """Share of the question's words in the sentence itself, 0..1."""
    sibling: bool
    """The passage speaks of a sibling of what is asked for."""


def signs(bids: Sequence[Bid], passages: Sequence[RankedPassage]) -> list[dict[str, float]]:
    """What speaks for each of the values of one facet, by the names of ``WEIGHTS``."""
    best_words: dict[int, float] = {}
    best_own: dict[int, float] = {}
    for bid in bids:
        best_words[bid.place] = max(best_words.get(bid.place, 0.0), bid.words)
        best_own[bid.place] = max(best_own.get(bid.place, 0.0), bid.own)
    any_exact = any(bid.exact for bid in bids)
    top = max((float(r.sentence_scores.max()) for r in passages if len(r.sentence_scores)), default=0.0) or 1.0
    seconded, voices = _agreement(bids, passages, best_words)
    notices = {place: _notices(passages[place].prepared) for place in best_words}
    found = []
    for number, bid in enumerate(bids):
        r = passages[bid.place]
        sentence = r.prepared.sentences[bid.sentence]
        score = float(r.sentence_scores[bid.sentence]) if bid.sentence < len(r.sentence_scores) else 0.0
        found.append({
            "words": bid.words,
            "exact": float(bid.exact),
            "best": bid.words / best_words[bid.place] if best_words[bid.place] else 0.0,
            "sentence": score / top,
            "sibling": float(bid.sibling),
            "seconded": seconded[number],
            "voices": float(voices[number]),
            "row": float(sentence.kind in ("table_row", "list_item")),
            "heading": float(sentence.kind == "heading"),
            "question": float(r.prepared.folded_sentences[bid.sentence].rstrip().endswith("?")),
            "own": bid.own / best_own[bid.place] if best_own[bid.place] else 0.0,
            "unit": float(bid.exact or not any_exact),
            "notice": float(_announced(r.prepared, bid.sentence, notices[bid.place])),
        })
    return found


def _notices(prepared: PreparedText) -> list[int]:
    """The sentences, in order, in which a page says that something is replaced, corrected, or holds from a day.

    Looked up once a page: one with thousands of dated rules has as many values as it has such statements.
    """
    return [prepared.sentence_at(mark.start) for mark in prepared.marks if mark.kind in _NOTICES]


def _announced(prepared: PreparedText, sentence: int, notices: Sequence[int]) -> bool:
    """One of the ``notices`` of the page stands near the value.

    What stands near one row of a list or table stands near all of them.
    """
    first = last = sentence
    if prepared.sentences[sentence].kind in _ROWS:
        while first and prepared.sentences[first - 1].kind in _ROWS and sentence - first < _LONGEST_LIST:
            first -= 1
        while last + 1 < len(prepared.sentences) and prepared.sentences[last + 1].kind in _ROWS:
            last += 1
            if last - sentence >= _LONGEST_LIST:
                break
    nearest = bisect_left(notices, first - _NOTICE_REACH)
    return nearest < len(notices) and notices[nearest] <= last + _NOTICE_REACH


def believe(bids: Sequence[Bid], passages: Sequence[RankedPassage]) -> list[float]:
    """The probability, 0..1, that each value answers the question."""
    return [logistic(BIAS, WEIGHTS, s) for s in signs(bids, passages)]


def _agreement(
    bids: Sequence[Bid], passages: Sequence[RankedPassage], best_words: Mapping[int, float]
) -> tuple[list[float], list[int]]:
    """How much of the words beside a value another page with the same value shares, and how many such pages.

    Only the leading values of each page are heard, and copies of a page second nobody: who says the same in the same
    words is one voice.
    """
    by_value: dict[str, list[int]] = {}
    for number, bid in enumerate(bids):
        if bid.words >= _LEADING * best_words[bid.place]:
            by_value.setdefault(canonical(bid.value), []).append(number)
    shared, voices = [0.0] * len(bids), [0] * len(bids)
    for same in by_value.values():
        same = same[:_MOST_COMPARED]
        if len({bids[n].place for n in same}) < 2:
            continue
        said = {n: _said(passages[bids[n].place].prepared, bids[n].sentence) for n in same}
        for n, mine in said.items():
            others = [theirs for theirs in said.values() if not _one_voice(mine, theirs)]
            voices[n] = _count_apart(others)
            best = max((sum(w for word, w in mine.words.items() if word in o.words) for o in others), default=0.0)
            shared[n] = min(_MOST_SHARED, best)
    return shared, voices


def independent(at: Sequence[tuple[int, int]], passages: Sequence[RankedPassage]) -> int:
    """How many of some sentences, given by passage and number, are no copies of one another; three at the most."""
    return _count_apart(_said(passages[place].prepared, sentence) for place, sentence in at[:_MOST_COMPARED])


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence as a voice: the page it stands on, and its words."""

    page: str
    words: Mapping[str, float]


def _said(prepared: PreparedText, number: int) -> _Said:
    return _Said(prepared.folded, words_beside(prepared, number))


def _count_apart(said: Iterable[_Said]) -> int:
    """How many are no copies of one another; ``_MOST_VOICES`` at the most."""
    heard: list[_Said] = []
    for one in said:
        if not any(_one_voice(one, other) for other in heard):
            heard.append(one)
            if len(heard) == _MOST_VOICES:
                break
    return len(heard)


def _one_voice(a: _Said, b: _Said) -> bool:
    """One page, or two sentences made of the same words, and of too many for chance."""
    if a.page == b.page:
        return True
    less = min(len(a.words), len(b.words))
    return less >= _TELLING_WORDS and len(a.words.keys() & b.words.keys()) >= _COPY_SHARE * less


def words_beside(prepared: PreparedText, number: int) -> dict[str, float]:
    """The words of a sentence with their rarity, values and stop words left out."""
    sentence = prepared.sentences[number]
    values = prepared.sentence_values[number]
    found: dict[str, float] = {}
    for token in prepared.tokens_between(sentence.start, sentence.end)[: 2 * _MOST_WORDS]:
        if token.kind not in ("han", "latin") or token.end - token.start < 2 or len(found) >= _MOST_WORDS:
            continue
        if any(v.start < token.end and token.start < v.end for v in values):
            continue
        word = prepared.folded[token.start : token.end]
        if not is_stopword(word):
            found[word[:_STEM] if word.isascii() else word] = informativeness(word)
    return found
