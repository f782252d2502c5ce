"""Cut a context to a number of tokens, from the bottom by value per token; what may not be lost goes last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragclean.compression.protection import ASKED, FACT

#: A fact is worth this many times a plain sentence of the same score.
FACT_WORTH = 2.0
#: No sentence is worth nothing, so that among those scored 0 the shorter stay longer.
LEAST_WORTH = 0.01


@dataclass(frozen=True, slots=True)
class Item:
    """A kept sentence with what it is worth and what it costs."""

    place: tuple[int, int]
    score: float
    level: int
    """Its class in :mod:`ragclean.compression.protection`."""
    tokens: int
    pinned: bool = False
    scaffold: bool = False
    """A heading or the like, which alone says nothing."""


def cut_to_budget(
    items: Sequence[Item], max_tokens: int, measure: Callable[[frozenset[tuple[int, int]]], int]
) -> list[Item]:
    """The items that have to go, so that ``measure`` (tokens of the whole context without them) fits.

    Pinned items stay, and the best item stays even where it alone is too long: a context is never emptied.
    """
    excess = measure(frozenset()) - max_tokens
    if excess <= 0:
        return []
    order = _removal_order(items, max_tokens)
    gone: list[Item] = []
    at = 0
    while excess > 0 and at < len(order):
        freed = 0
        while at < len(order) and freed < excess:
            freed += max(1, order[at].tokens)
            gone.append(order[at])
            at += 1
        excess = measure(frozenset(i.place for i in gone)) - max_tokens
    return _put_back(gone, max_tokens, measure)


def _removal_order(items: Sequence[Item], max_tokens: int) -> list[Item]:
    """First to go first; the last item of all is left out."""
    loose = [i for i in items if not i.pinned]
    # What does not fit alone goes first of all: it would push out everything that does.
    order = sorted(loose, key=lambda i: (i.tokens <= max_tokens, i.level if i.level >= ASKED else 0, _density(i)))
    if len(loose) < len(items):
        return order
    # The last to stay is content, where there is any.
    last = next((i for i in reversed(order) if not i.scaffold), order[-1])
    return [i for i in order if i is not last]


def _density(item: Item) -> float:
    worth = max(LEAST_WORTH, item.score) * (FACT_WORTH if item.level >= FACT else 1.0)
    return worth / max(1, item.tokens)


def _put_back(
    gone: list[Item], max_tokens: int, measure: Callable[[frozenset[tuple[int, int]]], int]
) -> list[Item]:
    """The last cut may have freed more than was needed: give room back, dearest first, a few tries."""
    tries = 8
    for item in sorted(gone, key=lambda i: (-i.level, -_density(i)))[:tries]:
        left = [g for g in gone if g is not item]
        if measure(frozenset(g.place for g in left)) <= max_tokens:
            gone = left
    return gone
