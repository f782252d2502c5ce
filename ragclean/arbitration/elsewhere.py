"""Pages whose value is of something else, where another page surely answers: 25元封顶 for large items, 12元 for others.

A value that is unlikely an answer beside one that surely is one is of another plan, model or case, in whatever words.
A reader takes it for the answer all the same, small ones in every fourth question. Such a page is marked as being about
another thing, so that only a near-perfect match on all else keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.decision import Outcome, comparable, consistent
from ragclean.prepare import RankedPassage

#: Probability from which a value surely answers, and up to which another hardly does. Own measurement: noise falls from
#: 0.23 to 0.21 on cases that nothing was fitted on (n 90) and from 0.18 to 0.17 on the tuning cases (n 122), no needed
#: sentence of either is lost; with 0.7 and 0.35 to 0.20 and 0.17 at one tuning answer of 125.
_SURE, _HARDLY = 0.7, 0.25


def of_other_things(
    claims: Sequence[Claim],
    spare: Callable[[float], Sequence[Claim]],
    outcome: Outcome | None,
    passages: Sequence[RankedPassage],
    lang: str,
) -> Iterator[tuple[int, str]]:
    """Passages, by index, that hold no value but one of something else, with the words of why.

    Args:
        claims: each page's likeliest value, of the one thing asked for.
        spare: all values of the passages from a probability on.
        outcome: of their conflict, None where there was none; a tie says nothing of what is right.
    """
    stated = [c for c in claims if c.value is not None and c.exact]
    if outcome is not None and outcome.winner is None:
        return
    answer = outcome.winner.lead.claim if outcome is not None and outcome.winner is not None else max(
        stated, key=lambda c: (c.confidence, passages[c.place].prepared.folded), default=None
    )  # fmt: skip
    if answer is None or answer.value is None or answer.confidence < _SURE or not passages[answer.place].admitted:
        return
    agreeing = {c.place for c in spare(0.0) if comparable(c, answer) and consistent(c, answer)}
    trust = passages[answer.place].passage.trust
    for c in stated:
        page = passages[c.place].passage
        if c.confidence > _HARDLY or page.trust > trust or c.place in agreeing or c.place == answer.place:
            continue
        if comparable(c, answer) and not consistent(c, answer):
            yield page.index, _words(c.written, answer.written, lang)


def _words(value: str, answer: str, lang: str) -> str:
    if lang == "zh":
        return f"“{value}”说的是别的对象或情形，所问的是“{answer}”"
    return f"'{value}' is of something else; what is asked is '{answer}'"
