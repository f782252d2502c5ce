"""Do two values contradict each other? A look at pairs: the likeliest answer, and each value that differs from it.

Two figures of one kind are more often about two things (two plans, two years, two customer groups) than they
contradict each other, and the wording tells little: the page that is right often says it in other words. What tells
is how likely each is an answer, how far apart the two are (figures of one thing seldom differ much), whether both
come from pages one can trust (which seldom contradict each other), whether a page says that it replaces, corrects or
limits another, and whether both stand beside the same words. ``scripts/fit_rivals.py`` fits the weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ragclean.arbitration.belief import independent, words_beside
from ragclean.arbitration.claims import Claim
from ragclean.arbitration.decision import comparable, consistent
from ragclean.arbitration.logistic import logistic
from ragclean.arbitration.timing import Standing
from ragclean.arbitration.unattested import of_one_size
from ragclean.prepare import RankedPassage
from ragclean.text.values import Value, size_ratio

#: Logistic weights of the signs of ``rival_signs``, fitted on 468 pairs of 211 labelled cases (benchmarks/data/cases
#: without the frozen third and the ties, benchmarks/data/tuning, tests/data): area under the curve 0.92 in ten folds by
#: case. How many pages independently give the other value tells most beside its likelihood: 0.91 without it. Tried
#: without gain: likeness of titles and of the two sentences, one source, difference of trust, rank, the semantic score.
WEIGHTS: Mapping[str, float] = MappingProxyType({
    "likelier": 1.27,
    "less_likely": 1.98,
    "notice": 0.62,
    "replaces": 0.37,
    "hearsay": 0.93,
    "both_trusted": -0.66,
    "shared_words": 0.29,
    "ratio": -1.14,
    "unknown": 1.03,
    "named": 0.53,
    "voices": 1.51,
    "apart": 0.63,
})  # fmt: skip
BIAS = -4.50
#: From here on two values are held to contradict each other; where both speak of the question in its words the second
#: suffices, and where one of them was written a year or more before the other, the third: an old edition and its
#: successor are both trusted. Chosen on the development and tuning cases: of 190 conflicts 115 are decided, of 153 calm
#: cases 11 have a false one; at 0.5, 0.3, 0.15 it is 113 and 10, at 0.4, 0.2, 0.12 115 and 17.
RIVAL = 0.45
RIVAL_IN_WORDS = 0.25
RIVAL_OLD = 0.15
#: Share of the question's words in a sentence that answers it word for word.
_WHOLE = 0.8
_TRUSTED, _HEARSAY = 0.75, 0.5
_MOST_SHARED, _MOST_RATIO, _MOST_YEARS = 3.0, 3.0, 3.0
#: Bare numbers from here on name something (a port, a register, an extension): their size says nothing.
_IDENTIFIER = 1000.0
#: Notes that say nothing of the page's validity.
_NEUTRAL = frozenset(("undated", "trust_unknown"))
#: A page speaks of the other itself; that it is in force from a day says less.
_REFUTES = frozenset(("applies", "corrects", "supersedes"))


def rivals_of(
    claims: Sequence[Claim],
    passages: Sequence[RankedPassage],
    standing_of: Callable[[Claim], Standing],
    in_words: Callable[[Claim], bool],
) -> frozenset[Claim]:
    """The likeliest answer and the values that contradict it.

    ``in_words`` tells of a claim whether it speaks in the question's words.
    """
    found: set[Claim] = set()
    for lead, other in pairs_of(claims, passages):
        bar = RIVAL
        if in_words(lead) and in_words(other):
            bar = RIVAL_OLD if _years_between(lead, other, passages) >= 1 else RIVAL_IN_WORDS
        standings = (standing_of(lead), standing_of(other))
        if rivalry(lead, other, standings, claims, passages) >= bar:
            found |= {lead, other}
    return frozenset(found)


def _years_between(a: Claim, b: Claim, passages: Sequence[RankedPassage]) -> float:
    """Years between the dates of two pages, three at the most; 0 where one has none."""
    x, y = (passages[c.place].passage.dated for c in (a, b))
    return min(_MOST_YEARS, abs((x - y).days) / 365) if x is not None and y is not None else 0.0


def pairs_of(claims: Sequence[Claim], passages: Sequence[RankedPassage]) -> Iterator[tuple[Claim, Claim]]:
    """The likeliest answer with each claim of another value that can be held against it."""
    exact = [c for c in claims if c.value is not None and c.exact]
    lead = max(exact, key=lambda c: (c.confidence, passages[c.place].prepared.folded), default=None)
    for c in exact:
        if lead is not None and c is not lead and not consistent(lead, c) and contradict(lead, c):
            yield lead, c


def contradict(a: Claim, b: Claim) -> bool:
    """The two can be held against each other: one kind of value, one scope, no value that both hold."""
    return comparable(a, b) and _can_be_one(a, b) and not _undisputed(a, b) and of_one_size(a, b)


def _can_be_one(a: Claim, b: Claim) -> bool:
    theirs = dict(b.groups)
    return all(not (n in theirs and not members & theirs[n]) for n, members in a.groups)


def _undisputed(a: Claim, b: Claim) -> bool:
    """One of the two holds the other's value as well: it does not contradict it."""
    return b.value in a.alternatives or a.value in b.alternatives


def rivalry(
    lead: Claim,
    other: Claim,
    standings: tuple[Standing, Standing],
    claims: Sequence[Claim],
    passages: Sequence[RankedPassage],
) -> float:
    """The probability, 0..1, that two claims with values contradict each other.

    ``standings`` are of both in order, ``claims`` all that were made. Sentences that hold nearly all of the question
    leave no doubt what they speak of.
    """
    if min(lead.own, other.own) >= _WHOLE:
        return 1.0
    signs = rival_signs(lead, other, standings, claims, passages)
    return logistic(BIAS, WEIGHTS, signs)


def rival_signs(
    lead: Claim,
    other: Claim,
    standings: tuple[Standing, Standing],
    claims: Sequence[Claim],
    passages: Sequence[RankedPassage],
) -> dict[str, float]:
    """What speaks for a contradiction, by the names of ``WEIGHTS``; ``claims`` are all that were made."""
    mine, theirs = passages[lead.place], passages[other.place]
    known = [(p.trust, p.trust_known) for p in (mine.passage, theirs.passage)]
    beside = words_beside(mine.prepared, lead.sentence)
    shared = words_beside(theirs.prepared, other.sentence).keys() & beside.keys()
    refuted = any(s.replaces in _REFUTES for s in standings)
    return {
        "likelier": lead.confidence,
        "less_likely": other.confidence,
        "notice": float(any(s.replaces == "effective" or set(s.notes) - _NEUTRAL for s in standings)),
        "replaces": float(refuted),
        "hearsay": float(any(k and t < _HEARSAY for t, k in known)),
        "both_trusted": float(not refuted and all(k and t >= _TRUSTED for t, k in known)),
        "shared_words": min(_MOST_SHARED, sum(beside[w] for w in shared)),
        "ratio": _ratio(lead.value, other.value),
        "unknown": float(not any(k for _, k in known)),
        "named": float(lead.names_subject and other.names_subject),
        "voices": float(independent([(c.place, c.sentence) for c in claims if c.key == other.key], passages)),
        "apart": _years_between(lead, other, passages),
    }


def _ratio(a: Value | None, b: Value | None) -> float:
    """How far apart two quantities are, as the logarithm of their quotient; days of the year are never far apart."""
    if a is None or b is None:
        return 0.0
    if all(v.kind == "number" and v.is_point and (v.low or 0.0) >= _IDENTIFIER for v in (a, b)):
        return 0.0
    ratio = size_ratio(a, b)
    return min(_MOST_RATIO, abs(math.log(ratio))) if ratio else 0.0
