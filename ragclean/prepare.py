"""What every stage shares: a text worked out once, cached by content, and the passage that wraps it.

A chunk seen in an earlier query costs a dictionary look-up.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragclean.memo import Memo
from ragclean.text.directives import addresses_model
from ragclean.text.facts import Fact, find_facts
from ragclean.text.folding import fold, language
from ragclean.text.sentences import Sentence, split_sentences
from ragclean.text.statements import Mark, find_marks
from ragclean.text.tokens import Token, tokenize
from ragclean.text.values import Value, find_values
from ragclean.types import Chunk, Signals

#: Sentences up to the heading above: a longer part has other things in it.
_HEADING_REACH = 40


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A text with everything that does not depend on a query. All offsets are into ``text``."""

    text: str
    folded: str
    lang: str
    sentences: tuple[Sentence, ...]
    sentence_texts: tuple[str, ...]
    """``text`` of each sentence, cut once, so that caches keyed by string need no new copies."""
    folded_sentences: tuple[str, ...]
    tokens: tuple[Token, ...]
    values: tuple[Value, ...]
    facts: tuple[Fact, ...]
    marks: tuple[Mark, ...]
    sentence_values: tuple[tuple[Value, ...], ...]
    """The values that start inside each sentence."""
    sentence_facts: tuple[tuple[Fact, ...], ...]
    addresses_model: bool = False
    """It holds text like 'ignore previous instructions'."""

    def sentence_at(self, offset: int) -> int:
        """Number of the last sentence that starts at ``offset`` or before it; -1 where none does."""
        return bisect_right(self.sentences, offset, key=lambda s: s.start) - 1

    def heading_above(self, number: int) -> str:
        """The heading, folded, that a sentence stands under; empty where none is near."""
        above = range(number - 1, max(-1, number - _HEADING_REACH), -1)
        return next((self.folded_sentences[i] for i in above if self.sentences[i].kind == "heading"), "")

    def tokens_between(self, start: int, end: int) -> tuple[Token, ...]:
        """The tokens that start in ``start:end``."""
        first = bisect_left(self.tokens, start, key=lambda t: t.start)
        return self.tokens[first : bisect_left(self.tokens, end, lo=first, key=lambda t: t.start)]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that passed the screen, with its trust and dates resolved."""

    index: int
    """Position among the candidates as they came."""
    chunk: Chunk
    prepared: PreparedText
    trust: float
    trust_known: bool
    """False where ``default_source_weight`` stands in."""
    dated: date | None
    """The date that tells its age: effective_from, else updated_at, else published_at, else a date of the text."""
    effective: date | None
    expires: date | None
    flags: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.chunk.id

    @property
    def titled(self) -> str:
        """The title in lower case and the folded text: where to look whether a page names something."""
        return f"{self.chunk.title.lower()}\n{self.prepared.folded}"


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage with its three signals and a score for each of its sentences (same scale as ``final``)."""

    passage: Passage
    signals: Signals
    sentence_scores: NDArray[np.float32] = field(repr=False)
    admitted: bool = True
    refusal: tuple[str, str] = ("", "")
    """Reason and words, where not admitted."""

    @property
    def id(self) -> str:
        return self.passage.chunk.id

    @property
    def prepared(self) -> PreparedText:
        return self.passage.prepared


def prepare_text(text: str) -> PreparedText:
    """Work a text out; a function of the text alone."""
    folded = fold(text)
    sentences = split_sentences(text)
    tokens = tokenize(folded)
    values = find_values(folded)
    facts = find_facts(text, folded, tokens, values)
    return PreparedText(
        text=text,
        folded=folded,
        lang=language(folded),
        sentences=sentences,
        sentence_texts=tuple(text[s.start : s.end] for s in sentences),
        folded_sentences=tuple(folded[s.start : s.end] for s in sentences),
        tokens=tokens,
        values=values,
        facts=facts,
        marks=find_marks(folded),
        sentence_values=_by_sentence(sentences, values),
        sentence_facts=_by_sentence(sentences, facts),
        addresses_model=addresses_model(folded),
    )


def plain_text(text: str) -> PreparedText:
    """One sentence without any structure: what stands in where the text layer fails on a text."""
    whole = (Sentence(0, len(text), "prose", 0),)
    return PreparedText(text, text, "en", whole, (text,), (text,), (), (), (), (), ((),), ((),))


class _Span(Protocol):
    @property
    def start(self) -> int: ...


S = TypeVar("S", bound=_Span)


def _by_sentence(sentences: Sequence[Sentence], spans: Sequence[S]) -> tuple[tuple[S, ...], ...]:
    """Group spans by the sentence they start in; both are in order, so one walk is enough."""
    groups: list[list[S]] = [[] for _ in sentences]
    i = 0
    for span in spans:
        while i < len(sentences) and sentences[i].end <= span.start:
            i += 1
        if i < len(sentences) and sentences[i].start <= span.start:
            groups[i].append(span)
    return tuple(tuple(g) for g in groups)


class TextCache(Memo[str, PreparedText]):
    """Prepared texts, keyed by the text itself."""

    def get(self, text: str) -> PreparedText:
        """The text worked out, on first sight."""
        return self.one(text, lambda: prepare_text(text))
