"""The same sentence in several chunks: one stays, the more complete, then the better source.

Near-identity is asked for three times, since a wrong merge loses a fact while a missed one costs a line: the
encoder's similarity, equal facts (values, negations, codes, names), and the content words of the shorter sentence
in the same order in the longer. So 左侧/右侧, 收入/支出, 甲方/乙方 never merge, whatever an encoder thinks of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ragclean.prepare import PreparedText
from ragclean.signals.base import FloatArray
from ragclean.text.tokens import is_stopword
from ragclean.text.values import canonical

Place = tuple[int, int]
"""(position among the passages, sentence number)."""

#: Min-hashes of a sentence's character pairs. Sentences that agree by 0.7 (Jaccard) share at least one of eight with
#: a probability of 1 - 0.3**8 > 0.9999, so that pairs are found without comparing all with all.
MIN_HASHES = 8
#: Only pairs that share this much of their character pairs (Jaccard) are shown to the encoder: above the duplicate
#: threshold two sentences are near-identical in wording, so that the cheap look loses none of them.
LEXICAL_FLOOR = 0.6
#: Sentences whose character pairs are remembered: a few hundred chunks, about 3 kB each.
PAIR_SETS = 2048
#: In a group of look-alikes larger than this (a template page in a hundred copies) each is compared with the first
#: and with its neighbour only: linear, and a missed merge costs a line.
GROUP_LIMIT = 12
#: Pairs shown to the encoder at most.
PAIR_LIMIT = 4000
#: Below this many characters of content a sentence means something only where it stands ('是的', 'Yes', '免费').
MIN_CONTENT = 6

_PUNCTUATION = re.compile(r"[\s，。！？；：、,;:!?\"'“”‘’「」『』()（）\[\]【】《》…·*#_|`]+|\.(?!\d)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A kept sentence that may give way, or to which another may."""

    place: Place
    prepared: PreparedText
    trust: float
    fixed: bool = False
    """May not go (pinned, winner, side of a tie)."""
    dependent: bool = False
    """Means something only where it stands: rows, code, short answers, sentences that point back."""
    subject: frozenset[str] = frozenset()
    """Codes that its chunk is about (title, headings, first sentence)."""

    @property
    def folded(self) -> str:
        return self.prepared.folded_sentences[self.place[1]]


def find_duplicates(
    candidates: Sequence[Candidate],
    sentence_vectors: Callable[[Sequence[str]], FloatArray],
    sentence_profile: Callable[[NDArray[np.float32]], FloatArray],
    threshold: float,
) -> dict[Place, tuple[Place, float]]:
    """Sentences that give way: place -> (the place that stays, similarity 0..1). Only across passages."""
    keys = [_PUNCTUATION.sub("", c.folded) for c in candidates]
    gone: dict[int, tuple[int, float]] = {}
    alive = _exact(candidates, keys, gone)
    _near(candidates, keys, alive, gone, sentence_vectors, sentence_profile, threshold)
    return {candidates[i].place: (candidates[_root(j, gone)].place, sim) for i, (j, sim) in gone.items()}


def _root(i: int, gone: dict[int, tuple[int, float]]) -> int:
    """The survivor at the end of a chain of sentences that gave way; a chain never comes back on itself."""
    while i in gone:
        i = gone[i][0]
    return i


def _exact(candidates: Sequence[Candidate], keys: Sequence[str], gone: dict[int, tuple[int, float]]) -> list[int]:
    groups: dict[str, list[int]] = {}
    for i, key in enumerate(keys):
        if len(key) >= MIN_CONTENT and not candidates[i].dependent:
            groups.setdefault(key, []).append(i)
    for members in groups.values():
        if len(members) > 1:
            _merge_group(candidates, members, gone)
    return [i for members in groups.values() for i in members if i not in gone]


def _merge_group(candidates: Sequence[Candidate], members: list[int], gone: dict[int, tuple[int, float]]) -> None:
    """All copies give way to the best of them: one pass, however many there are."""
    best = max(members, key=lambda i: (candidates[i].fixed, candidates[i].trust, -i))
    for i in members:
        a, b = candidates[i], candidates[best]
        if i != best and _may_give_way(a, b) and _same_facts(a, b):
            gone[i] = (best, 1.0)


def _may_give_way(a: Candidate, b: Candidate) -> bool:
    if a.fixed or a.place[0] == b.place[0]:
        return False
    return not (a.subject and b.subject and a.subject.isdisjoint(b.subject))


def _near(
    candidates: Sequence[Candidate],
    keys: Sequence[str],
    alive: Sequence[int],
    gone: dict[int, tuple[int, float]],
    sentence_vectors: Callable[[Sequence[str]], FloatArray],
    sentence_profile: Callable[[NDArray[np.float32]], FloatArray],
    threshold: float,
) -> None:
    pairs = _alike_pairs(candidates, keys, alive)
    if not pairs:
        return
    members = sorted({i for pair in pairs for i in pair})
    row = {i: r for r, i in enumerate(members)}
    texts = [candidates[i].prepared.sentence_texts[candidates[i].place[1]] for i in members]
    vectors = np.asarray(sentence_vectors(texts), np.float32)
    left = vectors[[row[a] for a, _ in pairs]]
    right = vectors[[row[b] for _, b in pairs]]
    alike = np.asarray(sentence_profile(np.einsum("ij,ij->i", left, right).astype(np.float32)))
    for at in np.argsort(-alike, kind="stable"):
        a, b = pairs[int(at)]
        if alike[at] <= threshold:
            break
        if a in gone or b in gone:
            continue
        stays, goes = _choose(candidates, keys, a, b)
        if _may_give_way(candidates[goes], candidates[stays]) and _within(candidates[goes], candidates[stays]):
            gone[goes] = (stays, float(alike[at]))


def _choose(candidates: Sequence[Candidate], keys: Sequence[str], a: int, b: int) -> tuple[int, int]:
    """(stays, goes): what may not go, then the more complete, then the better source, then the better rank."""
    def merit(i: int) -> tuple[bool, int, float, int]:
        return (candidates[i].fixed, len(keys[i]), candidates[i].trust, -i)

    return (a, b) if merit(a) >= merit(b) else (b, a)


def _alike_pairs(candidates: Sequence[Candidate], keys: Sequence[str], alive: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of different passages with equal facts and nearly equal wording; linear in the text."""
    groups: dict[tuple[int, int], list[int]] = {}
    for i, row in zip(alive, _min_hashes([keys[i] for i in alive]).tolist(), strict=True):
        for k, value in enumerate(row):
            groups.setdefault((k, value), []).append(i)
    pairs: dict[tuple[int, int], None] = {}
    for members in groups.values():
        if len(members) > 1:
            pairs.update(dict.fromkeys(_group_pairs(members)))
    out = []
    for a, b in pairs:
        one, other = candidates[a], candidates[b]
        if one.place[0] != other.place[0] and _overlap(keys[a], keys[b]) >= LEXICAL_FLOOR and _same_facts(one, other):
            out.append((a, b))
            if len(out) >= PAIR_LIMIT:
                break
    return out


def _group_pairs(members: Sequence[int]) -> Iterator[tuple[int, int]]:
    if len(members) <= GROUP_LIMIT:
        yield from combinations(members, 2)
        return
    for before, i in pairwise(members):
        yield before, i
        if before != members[0]:
            yield members[0], i


def _min_hashes(keys: Sequence[str]) -> NDArray[np.uint32]:
    """The smallest of a sentence's hashed character pairs under each of ``MIN_HASHES`` scramblings (n, k)."""
    if not keys:
        return np.zeros((0, MIN_HASHES), np.uint32)
    points = np.frombuffer("".join(keys).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.array([len(k) for k in keys])
    starts = np.cumsum(lengths) - lengths
    with np.errstate(over="ignore"):
        pairs = points * np.uint32(0x9E3779B1)
        pairs[:-1] += points[1:] * np.uint32(0x85EBCA77)
        out = np.empty((len(keys), MIN_HASHES), np.uint32)
        for k in range(MIN_HASHES):
            mixed = pairs * _SCRAMBLE[k]
            mixed ^= mixed >> np.uint32(15)
            mixed[starts + lengths - 1] = np.iinfo(np.uint32).max  # a pair across two sentences
            out[:, k] = np.minimum.reduceat(mixed, starts)
    return out


#: Odd multipliers, each another order of the same hashes (successive odd parts of a Weyl sequence).
_SCRAMBLE = (np.arange(1, MIN_HASHES + 1, dtype=np.uint64) * 0x9E3779B97F4A7C15 >> 32).astype(np.uint32) | np.uint32(1)


def _overlap(a: str, b: str) -> float:
    """Jaccard similarity of the character pairs."""
    one, other = _character_pairs(a), _character_pairs(b)
    shared = len(one & other)
    return shared / max(1, len(one) + len(other) - shared)


@lru_cache(maxsize=PAIR_SETS)
def _character_pairs(key: str) -> frozenset[str]:
    """Remembered, since the chunks of one query come again with the next."""
    return frozenset(map("".join, pairwise(key)))


def _same_facts(a: Candidate, b: Candidate) -> bool:
    """Equal values, negations, codes and names, in their order."""
    return a.folded == b.folded or _facts(a) == _facts(b)


def _facts(c: Candidate) -> tuple[tuple[str, ...], tuple[str, ...]]:
    number, prepared = c.place[1], c.prepared
    values = tuple(canonical(v) for v in prepared.sentence_values[number])
    others = tuple(
        prepared.folded[f.start : f.end]
        for f in prepared.sentence_facts[number]
        if f.kind in ("negation", "code", "abbreviation", "name")
    )
    return values, others


def _within(shorter: Candidate, longer: Candidate) -> bool:
    """The content words of the shorter stand in the longer, in the same order."""
    rest = iter(_content(longer))
    return all(word in rest for word in _content(shorter))


def _content(c: Candidate) -> list[str]:
    """Content words outside the values (which are compared by what they mean)."""
    number, prepared = c.place[1], c.prepared
    span = prepared.sentences[number]
    values = prepared.sentence_values[number]
    words: list[str] = []
    v = 0
    for token in prepared.tokens_between(span.start, span.end):
        while v < len(values) and values[v].end <= token.start:
            v += 1
        if v < len(values) and values[v].start <= token.start:
            continue
        word = prepared.folded[token.start : token.end]
        if not is_stopword(word):
            words.append(word)
    return words
