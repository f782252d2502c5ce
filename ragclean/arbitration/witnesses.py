"""Independent voices: near-copies that say the same are one witness, however many they are.

Two texts are copies where the smaller one's character shingles are found in the larger one (containment, after
A. Broder, 'On the resemblance and containment of documents', 1997), or where the sentence of the claim itself is
long enough to be no coincidence and stands in both. Each shingle belongs to the first group that showed it, so that
a thousand copies cost a thousand look-ups.
"""

from __future__ import annotations

import heapq
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")

#: Characters in a shingle: eight Chinese characters or letters in a row are rarely shared by chance.
_SHINGLE = 8
#: Shingles of a claim's sentence from which its copy is no coincidence (a sentence of some 18 characters; English
#: needs more letters for the same content).
_SENTENCE_SHINGLES_HAN = 10
_SENTENCE_SHINGLES_LATIN = 36
#: Of a claim's sentence this share must stand in the other text: a quotation with a word changed is still one.
_SENTENCE_CONTAINMENT = 0.75
#: A long run word for word makes a copy even where it is this small a share of the sentence.
_RUN_SHARE = 0.4
#: A text is sampled to this many shingles, so that a huge chunk costs no more than a page.
_MAX_SHINGLES = 1200
_CACHE = 4096


@dataclass(frozen=True, slots=True)
class Voice:
    """The text of one claim: its chunk and the sentence that makes it, both folded."""

    text: str
    sentence: str


def group_copies(
    items: Sequence[T], voice_of: Callable[[T], Voice], containment: float
) -> tuple[tuple[T, ...], ...]:
    """Partition ``items``, the most original first, into groups of copies; each group keeps that order.

    ``items`` must come in an order that does not depend on the retriever's (most trusted, then earliest first).
    """
    owner: dict[int, int] = {}
    sentence_owner: dict[int, int] = {}
    groups: list[list[T]] = []
    for item in items:
        voice = voice_of(item)
        body = shingles(voice.text)
        claim = shingles(voice.sentence)
        found = _home(body, owner, containment)
        if found is None and len(claim) >= _least(voice.sentence):
            found = _home(claim, owner, _SENTENCE_CONTAINMENT)
        if found is None:
            found = _verbatim(claim, voice.sentence, owner)
        if found is None:
            found = _quoted(body, sentence_owner, groups, voice_of)
        if found is None:
            groups.append([])
            found = len(groups) - 1
            if len(claim) >= _least(voice.sentence):
                for s in claim:
                    sentence_owner.setdefault(s, found)
        groups[found].append(item)
        for s in body:
            owner.setdefault(s, found)
    return tuple(tuple(g) for g in groups)


def quotes(text: str, sentence: str) -> bool:
    """``text`` holds ``sentence`` nearly word for word, and it is long enough to be no coincidence."""
    wanted = shingles(sentence)
    return len(wanted) >= _least(sentence) and len(wanted & shingles(text)) >= _SENTENCE_CONTAINMENT * len(wanted)


def _home(mine: frozenset[int], owner: dict[int, int], share: float) -> int | None:
    if not mine:
        return None
    votes = Counter(owner[s] for s in mine if s in owner)
    if not votes:
        return None
    group, hits = min(votes.items(), key=lambda v: (-v[1], v[0]))
    return group if hits >= share * len(mine) else None


def _verbatim(claim: frozenset[int], sentence: str, owner: dict[int, int]) -> int | None:
    """The group that holds a long run of a claim's sentence word for word, whatever stands around it."""
    votes = Counter(owner[s] for s in claim if s in owner)
    if not votes:
        return None
    group, hits = min(votes.items(), key=lambda v: (-v[1], v[0]))
    return group if hits >= max(_least(sentence) + 4, _RUN_SHARE * len(claim)) else None


def _quoted(
    body: frozenset[int], sentence_owner: dict[int, int], groups: list[list[T]], voice_of: Callable[[T], Voice]
) -> int | None:
    """The group whose claim sentence this text quotes."""
    votes = Counter(sentence_owner[s] for s in body if s in sentence_owner)
    for group, hits in sorted(votes.items(), key=lambda v: (-v[1], v[0])):
        if hits >= _SENTENCE_CONTAINMENT * len(shingles(voice_of(groups[group][0]).sentence)):
            return group
    return None


def _least(sentence: str) -> int:
    return _SENTENCE_SHINGLES_LATIN if sentence.isascii() else _SENTENCE_SHINGLES_HAN


@lru_cache(maxsize=_CACHE)
def shingles(folded: str) -> frozenset[int]:
    """Hashes of the runs of ``_SHINGLE`` letters and digits of a text; sampled where there are very many."""
    plain = "".join(c for c in folded[: 20 * _MAX_SHINGLES] if c.isalnum())
    if len(plain) < _SHINGLE:
        return frozenset((hash(plain),)) if plain else frozenset()
    runs = {plain[i : i + _SHINGLE] for i in range(len(plain) - _SHINGLE + 1)}
    if len(runs) > _MAX_SHINGLES:
        runs = set(heapq.nsmallest(_MAX_SHINGLES, runs, key=_checksum))
    return frozenset(map(hash, runs))


def _checksum(run: str) -> tuple[int, str]:
    """The same in every process, unlike ``hash``, so that the sample is too."""
    return zlib.crc32(run.encode("utf-8", "surrogatepass")), run
