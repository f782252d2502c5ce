"""Is it a conflict at all? A second look at sides that differ, before anything is decided between them.

Two trusted pages with two figures are more often about two things (two plans, two years, two customer groups) than
they contradict each other. What tells is whether a page says that it replaces, corrects or limits another, whether
hearsay takes part, whether both sides speak in the same words, and how likely each value is an answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ragclean.arbitration.belief import words_beside
from ragclean.arbitration.decision import Ballot, Position
from ragclean.text.values import Value

#: Logistic weights, fitted on the 122 conflicts that were declared on development cases, 88 of them true ones: area
#: under the curve 0.87 in ten folds. ``notice``: a page of a side says that it replaces, corrects or limits another,
#: is a draft, withdrawn or not in force; no false conflict had one, half of the true ones did.
WEIGHTS: Mapping[str, float] = MappingProxyType({
    "notice": 2.27,
    "hearsay": 0.70,
    "both_trusted": -1.04,
    "shared_words": 0.46,
    "less_likely": 0.92,
    "likelier": 1.18,
})  # fmt: skip
BIAS = -0.81
#: Below this it is none. At 0.5 nine of ten true conflicts stay and every second false one goes, at 0.6 eight and
#: three of four.
PLAUSIBLE = 0.5
_TRUSTED, _HEARSAY = 0.75, 0.5
_MOST_SHARED = 3.0
#: Share of the question's words in a sentence that answers it word for word.
_WHOLE = 0.8
#: Notes that say nothing of the page's validity.
_NEUTRAL = frozenset(("undated", "trust_unknown"))


def plausibility(positions: Sequence[Position]) -> float:
    """The probability, 0..1, that the two likeliest sides contradict each other. Of values only.

    Sides whose own sentences hold nearly all of the question leave no doubt what they speak of.
    """
    if all(max(c.own for c in p.claims) >= _WHOLE for p in positions):
        return 1.0
    signs = conflict_signs(positions)
    x = BIAS + sum(WEIGHTS[name] * sign for name, sign in signs.items())
    return 1.0 / (1.0 + math.exp(-x))


def conflict_signs(positions: Sequence[Position]) -> dict[str, float]:
    """What speaks for a true conflict between the two likeliest sides, by the names of ``WEIGHTS``."""
    sides = sorted(positions, key=lambda p: (-_likelihood(p), p.key))[:2]
    ballots = [b for p in sides for b in p.ballots]
    trust = [max(b.trust if b.known else _HEARSAY for b in p.ballots) for p in sides]
    return {
        "notice": float(any(b.standing.replaces or set(b.standing.notes) - _NEUTRAL for b in ballots)),
        "hearsay": float(any(b.known and b.trust < _HEARSAY for b in ballots)),
        "both_trusted": float(min(trust) >= _TRUSTED),
        "shared_words": min(_MOST_SHARED, _shared(_likeliest(sides[0]), _likeliest(sides[1]))),
        "less_likely": _likelihood(sides[1]),
        "likelier": _likelihood(sides[0]),
    }


def _likelihood(position: Position) -> float:
    return max(c.confidence for c in position.claims)


def _likeliest(position: Position) -> Ballot:
    return max(position.ballots, key=lambda b: (b.claim.confidence, b.ranked.prepared.folded))


def _shared(a: Ballot, b: Ballot) -> float:
    """Rarity, added up, of the words that both sides have beside their values."""
    mine = words_beside(a.ranked.prepared, a.claim.sentence)
    theirs = words_beside(b.ranked.prepared, b.claim.sentence)
    return sum(weight for word, weight in mine.items() if word in theirs)


def has_values(positions: Sequence[Position]) -> bool:
    """Values stand against each other, not stances or names."""
    return all(isinstance(p.ballots[0].claim.value, Value) for p in positions)
