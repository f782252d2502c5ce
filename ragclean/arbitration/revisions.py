"""One sentence in two wordings of its value: editions of a page, and copies in which only the answer was changed.

Where two pages share a sentence word for word except for the value or name in it, the two are values of one thing,
whatever words the question uses. A further word that differs makes them sentences about two things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.names.equivalence import same_name
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.tokens import is_stopword

#: Content words beside the value that make a sentence no common phrase; a shorter one must have a neighbour in common.
_TELLING_WORDS = 4
#: A value in such a sentence is an answer at least this likely, where it speaks of the question at all.
REVISED = 0.5
#: Probability from which it does.
_ABOUT = 0.05
#: Words of a sentence that are compared, and claims.
_MOST_WORDS, _MOST_CLAIMS = 80, 40

_Frame = tuple[tuple[str, ...], tuple[str, ...]]


def revised_values(claims: Sequence[Claim], passages: Sequence[RankedPassage]) -> frozenset[Claim]:
    """The claims of a value whose sentence another page has with another value."""
    valued = [c for c in claims if c.value is not None and c.exact and c.confidence >= _ABOUT][:_MOST_CLAIMS]
    frames = [_frame(passages[c.place].prepared, c.sentence, _value_span(c)) for c in valued]
    by_frame: dict[tuple[str, ...], list[int]] = {}
    for number, (words, _) in enumerate(frames):
        by_frame.setdefault(words, []).append(number)
    found: set[Claim] = set()
    for same in by_frame.values():
        for a in same:
            for b in same:
                if valued[a].key != valued[b].key and _one_text(frames[a], frames[b]):
                    found |= {valued[a], valued[b]}
    return frozenset(found)


def revised_names(claims: Sequence[Claim], passages: Sequence[RankedPassage]) -> list[Claim]:
    """The claims, those first told by a name whose sentence another page has with another name."""
    frames: dict[tuple[str, ...], list[tuple[int, int, _Frame]]] = {}
    for number, claim in enumerate(claims[:_MOST_CLAIMS]):
        for at, bid in enumerate(claim.bids):
            place = passages[claim.place].prepared
            frame = _frame(place, bid.sentence, _name_span(place, bid.sentence, bid.written))
            frames.setdefault(frame[0], []).append((number, at, frame))
    told: dict[int, int] = {}
    for same in frames.values():
        for number, at, frame in same:
            others = (
                (claims[n].bids[m], other) for n, m, other in same if claims[n].place != claims[number].place
            )
            mine = claims[number].bids[at]
            if any(not same_name(mine.key, b.key) and _one_text(frame, other) for b, other in others):
                told.setdefault(number, at)
    return [_told_by(c, told[n]) if n in told else c for n, c in enumerate(claims)]


def _told_by(claim: Claim, at: int) -> Claim:
    bid = claim.bids[at]
    sure = replace(bid, confidence=max(bid.confidence, REVISED), firm=True)
    rest = tuple(b for n, b in enumerate(claim.bids) if n != at)
    return replace(
        claim, key=sure.key, written=sure.written, sentence=sure.sentence, sentences=sure.sentences,
        confidence=max(claim.confidence, sure.confidence), bids=(sure, *rest),
    )  # fmt: skip


def _value_span(claim: Claim) -> tuple[int, int]:
    return (claim.value.start, claim.value.end) if claim.value is not None else (-1, -1)


def _name_span(prepared: PreparedText, number: int, written: str) -> tuple[int, int]:
    sentence = prepared.sentences[number]
    at = prepared.text.find(written, sentence.start, sentence.end)
    return (at, at + len(written)) if at >= 0 else (-1, -1)


def _frame(prepared: PreparedText, number: int, span: tuple[int, int]) -> _Frame:
    """The words of a sentence but for ``span``, a gap in its place; and the sentences beside it."""
    sentence = prepared.sentences[number]
    words: list[str] = []
    for token in prepared.tokens_between(sentence.start, sentence.end)[:_MOST_WORDS]:
        if token.start < span[1] and span[0] < token.end:
            if not words or words[-1]:
                words.append("")
        elif not is_stopword(word := prepared.folded[token.start : token.end]) or not word.isascii():
            words.append(word)
    beside = tuple(
        prepared.folded_sentences[n] for n in (number - 1, number + 1) if 0 <= n < len(prepared.folded_sentences)
    )
    return tuple(words), beside


def _one_text(a: _Frame, b: _Frame) -> bool:
    """The same sentence, and long enough to be no coincidence, or beside the same neighbour."""
    words = [w for w in a[0] if w and not is_stopword(w)]
    return len(words) >= _TELLING_WORDS or bool(set(a[1]) & set(b[1]))


