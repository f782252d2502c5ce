"""Pages of a corpus that say the same, nearly word for word: found by traces that two texts share."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ragclean.text.folding import fold
from ragclean.types import Chunk

#: Share of a page's letters that stand in another from which it is its copy; 1 is word for word.
COPY = 0.9
#: Letters in a run, and runs in a window of which one is kept (winnowing, Schleimer, Wilkerson and Aiken 2003): any
#: 15 letters in a row that two pages share leave a common trace, and a page keeps some two traces in nine letters.
_RUN, _WINDOW = 8, 8
#: Letters of a page that are looked at: a longer one is no chunk.
_LONGEST = 200_000
#: Pages remembered for a trace: what stands in more of them is boilerplate, and leads to no copy by itself.
_COMMON = 20
#: Pages that a page is compared with in full: those that share most of its traces.
_COMPARED = 4
_NUMBERS = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class CopyGroup:
    """Pages that say the same, nearly word for word: they fill places in a context, and count as one voice."""

    kept: str
    """Id of the longest."""
    copies: tuple[str, ...]
    likeness: float
    """The least share of a copy that stands in the longest."""
    differing: tuple[str, ...] = ()
    """Those of the copies that hold a number which the longest does not: another version or another product, made
    from the same page, more likely than a copy to be deleted."""


def copy_groups(chunks: Sequence[Chunk], share: float = COPY) -> tuple[CopyGroup, ...]:
    """Pages that stand, nearly whole, in a longer one; the largest groups first.

    An index of traces finds the pages to compare with, so that work grows with the corpus and not with its square. A
    page without letters or digits is no copy of another.
    """
    texts = [_letters(c.text) for c in chunks]
    traces = [_traces(text) for text in texts]
    longest_first = sorted(range(len(chunks)), key=lambda i: (-len(texts[i]), i))
    holders: dict[int, list[int]] = {}
    groups: dict[int, list[tuple[int, float]]] = {}
    for place in longest_first:
        mine = traces[place]
        votes: dict[int, float] = defaultdict(float)
        for known in (holders.get(trace, []) for trace in mine):
            for owner in known:
                votes[owner] += 1 / len(known)  # what few pages hold tells more than boilerplate
        likely = sorted(votes, key=lambda owner: (-votes[owner], owner))[:_COMPARED]
        held = [(_held(texts[place], texts[owner]), -i, owner) for i, owner in enumerate(likely)]
        best = max(held, default=None)
        if best is not None and best[0] >= share:
            groups.setdefault(best[2], []).append((place, best[0]))
            continue
        for trace in mine:
            known = holders.setdefault(trace, [])
            if len(known) < _COMMON:
                known.append(place)
    found = [_group(chunks, owner, sorted(members)) for owner, members in groups.items()]
    return tuple(sorted(found, key=lambda g: (-len(g.copies), g.kept)))


def _group(chunks: Sequence[Chunk], owner: int, members: Sequence[tuple[int, float]]) -> CopyGroup:
    numbers = set(_NUMBERS.findall(fold(chunks[owner].text)))
    copies = [chunks[i] for i, _ in members]
    differing = tuple(c.id for c in copies if not numbers.issuperset(_NUMBERS.findall(fold(c.text))))
    least = round(min(share for _, share in members), 4)
    return CopyGroup(chunks[owner].id, tuple(c.id for c in copies), least, differing)


def _letters(text: str) -> str:
    return "".join(c for c in fold(text[:_LONGEST]) if c.isalnum())


def _held(letters: str, longer: str) -> float:
    """The share of a text's runs that stand in another: 1 where it stands there whole."""
    return float(np.isin(_runs(letters), _runs(longer)).mean()) if letters != longer else 1.0


def _traces(letters: str) -> frozenset[int]:
    """The least hash of each window of runs: all traces of a text are among those of a text that holds it."""
    hashes = _runs(letters)
    if not hashes.size:
        return frozenset()
    return frozenset(sliding_window_view(hashes, min(_WINDOW, hashes.size)).min(axis=1).tolist())


def _runs(letters: str) -> NDArray[np.uint64]:
    """A hash of each run of a text, the same in every process: multiply, fold and add, letter by letter."""
    codes = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    if not codes.size:
        return codes
    runs = sliding_window_view(codes, min(_RUN, codes.size))
    found = np.full(len(runs), 0x9E3779B97F4A7C15, np.uint64)
    for column in range(runs.shape[1]):
        found = (found ^ runs[:, column]) * np.uint64(0xBF58476D1CE4E5B9)
        found ^= found >> np.uint64(29)
    return found
