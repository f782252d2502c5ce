"""Two readings held against each other: shared words, what one denies and the other says, values that are the same."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ragclean.evaluation.reading import Reading, Stated
from ragclean.evaluation.reading_words import Word, stem_of
from ragclean.evaluation.stance_words import OPPOSITES
from ragclean.signals.synonyms import synonyms
from ragclean.text.values import Value, same_value

#: Credit for another word of the same meaning.
_SYNONYM = 0.85
#: Places of one word that are looked at: in a text that repeats it for ever more of them say nothing new.
_MOST_PLACES = 50


def cover(word: Word, other: Reading) -> float:
    """How far another text holds a word, or one that means the same: 0..1."""
    if word.kind == "idea":
        return 1.0 if word.text in other.ideas else 0.0
    if word.kind != "han":
        if word.text in other.stems:
            return 1.0
        return _SYNONYM if _has_synonym(word.text, other) else 0.0
    text = word.text
    if len(text) == 1:
        return 1.0 if text in other.folded else 0.0
    pairs = [text[i : i + 2] for i in range(len(text) - 1)]
    share = sum(p in other.pairs for p in pairs) / len(pairs)
    return max(share, _SYNONYM) if share < _SYNONYM and _has_synonym(text, other) else share


def _has_synonym(text: str, other: Reading) -> bool:
    return any(
        s in other.stems or (s in other.folded if not s.isascii() or " " in s else stem_of(s) in other.stems)
        for s in synonyms_of(text)
    )


@lru_cache(maxsize=16_384)
def synonyms_of(text: str) -> tuple[str, ...]:
    """Other words of the same meaning; an English word is looked up by its stem."""
    if not text.isascii():
        return synonyms(text)
    return tuple(dict.fromkeys(s for form in _forms(text) for s in synonyms(form)))


def _forms(stem: str) -> tuple[str, ...]:
    return (stem, stem + "e", stem + "s", stem + "es", stem + "ed", stem + "d", stem + "ing")


@dataclass(frozen=True, slots=True)
class Denial:
    """Of what two texts both speak of: the weight of what both deny, of what one denies alone, and of all of it."""

    alike: float
    against: float
    shared: float

    @property
    def share(self) -> float:
        """Of what is denied by one of them or by both, the share that one denies alone."""
        return self.against / (self.alike + self.against) if self.against else 0.0


def denial(a: Reading, b: Reading, clause: int | None = None) -> Denial:
    """What one of two texts denies and the other affirms: 'must not be wiped' and 'wipe it'.

    What is denied is told by the words right after the negation; those further on only say of what.

    Args:
        clause: look at this clause of ``b`` alone.
    """
    alike = against = shared = 0.0
    span = None if clause is None else b.clauses[clause]
    for word in a.words:
        if word.kind == "idea":
            if word.text not in b.ideas and OPPOSITES.get(word.text) in b.ideas:
                against += word.weight
            continue
        stands = [at for at in places(word, b) if span is None or span[0] <= at < span[1]]
        if not stands:
            continue
        shared += word.weight
        here = word.start in a.denied_heads
        there = [_denies_at(at, b) for at in stands]
        only_here = here and not any(b.is_denied(at) for at in stands)
        only_there = all(there) and not here and not a.is_denied(word.start)
        if only_here or only_there:
            against += word.weight
        elif here or any(there):
            alike += word.weight
    return Denial(alike, against, shared)


def _denies_at(position: int, reading: Reading) -> bool:
    at = bisect_right(reading.head_spans, (position, len(reading.text) + 1)) - 1
    return at >= 0 and position < reading.head_spans[at][1]


def places(word: Word, other: Reading) -> list[int]:
    """Where the other text has the word itself, or a part of a long Chinese one."""
    if word.kind == "idea":
        return [w.start for w in other.words if w.kind == "idea" and w.text == word.text][:_MOST_PLACES]
    if word.kind in ("latin", "code"):
        if word.text not in other.stems:
            return []
        return [w.start for w in other.words if w.text == word.text][:_MOST_PLACES]
    if len(word.text) == 1 and word.text not in other.stems:
        return []
    found = list(_occurrences(word.text, other.folded))
    if not found and len(word.text) > 2:
        found = [at for i in range(len(word.text) - 1) for at in _occurrences(word.text[i : i + 2], other.folded)]
    return found


def _occurrences(part: str, text: str) -> Iterator[int]:
    at, n = text.find(part), 0
    while at >= 0 and n < _MOST_PLACES:
        yield at
        at, n = text.find(part, at + 1), n + 1


def same_measure(a: Stated, b: Stated) -> bool:
    """The same value, unit and all, whether as a bound or not: 满一年 and 十二个月内 are both twelve months."""
    return same_value(a.value, b.value) or same_value(_point(a.value), _point(b.value))


def _point(value: Value) -> Value:
    if (value.low is None) == (value.high is None):
        return value
    end = value.high if value.low is None else value.low
    return replace(value, low=end, high=end)


def same(a: Stated, b: Stated) -> bool:
    """The same value; a bare number is that of a measure whose number is written alike (a unit that was not read)."""
    if same_value(a.value, b.value):
        return True
    bare = {a.value.kind, b.value.kind} - {"number"}
    return len(bare) == 1 and "number" in (a.value.kind, b.value.kind) and a.number is not None and a.number == b.number


def comparable(a: Value, b: Value) -> bool:
    """Could one be given in place of the other: two durations, two sums of one currency, two counts of one thing."""
    if a.kind in ("date", "time", "version") or b.kind in ("date", "time", "version"):
        return a.kind == b.kind
    if a.kind == "duration" and b.kind == "duration":
        return True
    return same_value(replace(a, low=1.0, high=1.0), replace(b, low=1.0, high=1.0))
