"""How likely a value is an answer to the question, from what stands around it and from what other pages say.

The words of the question around a value say less than one would think: pages about something else hold them too, and
answers are often given in other words. What tells most is whether the value is the best of its page, and whether
another page says the same in the same terms. A logistic model weighs these signs; ``scripts/fit_claims.py`` fits it
to labelled cases and prints the weights below.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ragclean.arbitration.witnesses import Voice, group_copies
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.tokens import informativeness, is_stopword
from ragclean.text.values import Value, canonical

#: Fitted on 240 labelled cases (benchmarks/data/cases without the frozen third, tests/data): area under the curve
#: 0.86 in ten folds by case, 0.69 for the share of the question's words alone; 0.91 on 36 cases of another hand.
WEIGHTS: Mapping[str, float] = MappingProxyType({
    "words": 1.15,
    "exact": 0.68,
    "best": 2.71,
    "sentence": -0.09,
    "sibling": -1.02,
    "seconded": 0.41,
    "voices": 1.08,
    "row": 0.71,
    "heading": -1.27,
    "question": -0.67,
    "own": 0.63,
    "unit": 0.41,
})  # fmt: skip
BIAS = -5.92
#: Rarity of shared words, added up, beyond which another page's agreement says no more; and pages counted.
_MOST_SHARED, _MOST_VOICES = 3.0, 3
_STEM = 5
#: Share of the smaller text found in the larger one from which two pages are copies (as for votes).
_COPY_SHARE = 0.6
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
    seconded, voices = _agreement(bids, passages)
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
        })
    return found


def believe(bids: Sequence[Bid], passages: Sequence[RankedPassage]) -> list[float]:
    """The probability, 0..1, that each value answers the question."""
    return [_logistic(BIAS + sum(WEIGHTS[name] * x for name, x in s.items())) for s in signs(bids, passages)]


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


def _agreement(bids: Sequence[Bid], passages: Sequence[RankedPassage]) -> tuple[list[float], list[int]]:
    """How much of the words beside a value another page with the same value shares, and how many such pages."""
    by_value: dict[str, list[int]] = {}
    for number, bid in enumerate(bids):
        by_value.setdefault(canonical(bid.value), []).append(number)
    shared, voices = [0.0] * len(bids), [0] * len(bids)
    for same in by_value.values():
        places = {bids[n].place for n in same}
        if len(places) < 2:
            continue
        page = _originals(same, bids, passages)
        words = {n: _words_beside(bids[n], passages[bids[n].place].prepared) for n in same}
        for n in same:
            others = [m for m in same if page[bids[m].place] != page[bids[n].place]]
            voices[n] = min(_MOST_VOICES, len({page[bids[m].place] for m in others}))
            mine = words[n]
            best = max((sum(w for word, w in mine.items() if word in words[m]) for m in others), default=0.0)
            shared[n] = min(_MOST_SHARED, best)
    return shared, voices


def _originals(same: Sequence[int], bids: Sequence[Bid], passages: Sequence[RankedPassage]) -> dict[int, int]:
    """For each passage the number of its group of copies: copies second nobody."""
    first: dict[int, Bid] = {}
    for n in same:
        first.setdefault(bids[n].place, bids[n])
    ordered = sorted(first.values(), key=lambda b: (passages[b.place].prepared.folded, b.sentence))

    def voice(bid: Bid) -> Voice:
        prepared = passages[bid.place].prepared
        return Voice(prepared.folded, prepared.folded_sentences[bid.sentence])

    groups = group_copies(ordered, voice, _COPY_SHARE)
    return {bid.place: number for number, group in enumerate(groups) for bid in group}


def _words_beside(bid: Bid, prepared: PreparedText) -> dict[str, float]:
    """The words of the sentence with their rarity, values and stop words left out."""
    sentence = prepared.sentences[bid.sentence]
    values = prepared.sentence_values[bid.sentence]
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
