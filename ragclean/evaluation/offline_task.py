"""A question with its reference and key points, read once for all the answers to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ragclean.evaluation.reading import Reading, Stated, read
from ragclean.evaluation.reading_compare import comparable, cover, same
from ragclean.evaluation.reading_words import Word
from ragclean.evaluation.stance_words import ASKS_AMOUNT, ASKS_YES_NO, NO_VALUE, UNDECIDED
from ragclean.text.question import Question, parse_question

#: A word is held by a text from this much of it on, and says something from this weight on.
HELD = 0.5
TELLING = 0.3
_VALUE_KINDS = frozenset(("duration", "date", "time", "money", "percent", "count", "quantity", "version", "number"))
#: A facet of more kinds than this asks for just any number.
_FEW_KINDS = 4


@dataclass(frozen=True)
class Task:
    """A question with its reference and key points, read once for all its answers."""

    question: str
    reference: str
    points: tuple[str, ...]

    @cached_property
    def asked(self) -> Question:
        return parse_question(self.question)

    @cached_property
    def question_read(self) -> Reading:
        return read(self.question)

    @cached_property
    def reference_read(self) -> Reading:
        return read(self.reference)

    @cached_property
    def points_read(self) -> tuple[Reading, ...]:
        return tuple(read(p) for p in self.points)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Kinds of value that the question asks for."""
        kinds = {k for f in self.asked.facets for k in (f.kinds if len(f.kinds) <= _FEW_KINDS else {f.kind})}
        if "%" in self.question_read.folded or "per cent" in self.question_read.folded:
            kinds.add("percent")
        return frozenset(kinds & _VALUE_KINDS)

    @cached_property
    def asks_yes_no(self) -> bool:
        return any(f.kind == "yes_no" for f in self.asked.facets) or bool(
            ASKS_YES_NO.search(self.question_read.folded)
        )

    @cached_property
    def undecided(self) -> bool:
        """The reference itself says that the sources contradict each other."""
        return any(UNDECIDED.search(r.folded) for r in (self.reference_read, *self.points_read))

    @cached_property
    def needed(self) -> tuple[tuple[Stated, ...], ...]:
        """Of each point the values that an answer must state to cover it."""
        return tuple(self._needed(i) for i in range(len(self.points)))

    def _needed(self, index: int) -> tuple[Stated, ...]:
        known = self.question_read.values
        own = _distinct(s for s in self.points_read[index].values if not s.aside and not among(s, known))
        asked = [s for s in own if s.value.kind in self.kinds]
        if not asked and not self._asks_no_value:
            listed = [s for s in own if s.value.kind != "date" and among(s, self.reference_read.values)]
            asked = [s for s in listed if s.value.kind != "number"] or listed
        plain = _outside_brackets(self.reference_read)
        return tuple([s for s in asked if among(s, plain)] or asked)

    @cached_property
    def own_words(self) -> tuple[tuple[Word, ...], ...]:
        """Of each point the words that only it holds, among points of one kind of value (K6换屏320元, K10换屏690元)."""
        return tuple(self._own_words(i) for i in range(len(self.points)))

    def _own_words(self, index: int) -> tuple[Word, ...]:
        mine = self.points_read[index]
        others = [r for i, r in enumerate(self.points_read) if i != index]
        if not any(comparable(a.value, b.value) for a in mine.values for r in others for b in r.values):
            return ()
        return tuple(w for w in mine.words if w.weight >= TELLING and not any(cover(w, r) >= HELD for r in others))

    @property
    def _asks_no_value(self) -> bool:
        if self.kinds or ASKS_AMOUNT.search(self.question_read.folded):
            return False
        return {f.kind for f in self.asked.facets} <= NO_VALUE

    @cached_property
    def stance_point(self) -> int | None:
        """The point that the yes or no of the answer is about: the first one without a value of its own."""
        if not self.asks_yes_no:
            return None
        return next((i for i, needed in enumerate(self.needed) if not needed), None)


def among(s: Stated, others: Sequence[Stated]) -> bool:
    """One of these states the same value."""
    return any(same(s, o) for o in others)


def _distinct(values: Iterable[Stated]) -> list[Stated]:
    kept: list[Stated] = []
    for s in values:
        if not among(s, kept):
            kept.append(s)
    return kept


def _outside_brackets(reading: Reading) -> list[Stated]:
    """The values of a text that do not stand in brackets: 自付20%（保险报八成）."""
    found, depth, at = [], 0, 0
    for s in reading.values:
        between = reading.folded[at : s.value.start]
        depth, at = max(0, depth + between.count("(") - between.count(")")), s.value.start
        if not depth:
            found.append(s)
    return found
