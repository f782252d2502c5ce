"""What a sentence needs beside it to be understood: heading, table header, lead-in, question, antecedent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ragclean.compression.units import ANSWER_LABEL, FENCE, Units, asks, find_units
from ragclean.prepare import PreparedText
from ragclean.text.question import Question

BoolArray = NDArray[np.bool_]

#: How far back a pronoun's antecedent is looked for, in sentences. Beyond three the reader of the original had to
#: look it up as well, and a chain of 'he ... he ... he' would pull a whole page back in.
ANTECEDENT_REACH = 3
#: Texts whose scaffold is kept: the chunks of some thirty queries.
CACHED_LINKS = 256
#: Longer texts are walked again each time, so that the cache stays within some megabytes.
CACHED_LENGTH = 8000

_OPENING = r"[\s\"'“”‘’「『(（\[【<《*•·>\-—\d.、)）]{0,12}"
#: A sentence that starts with one of these speaks of something named before it.
_POINTS_BACK = re.compile(
    _OPENING
    + r"(?:(?:该|上述|前述|上列|前款|前项|其(?![他它余实])|此(?![外前后])|它|他(?!人)|她|这(?![里儿])|那(?![里儿么])"
    r"|[同次翌][年月日]|当[年时日天](?![前下])|此时|这时|前者|后者|二者|两者|否则|但是?|然而|不过|而且|并且|也就是|即)"
    r"|(?:it|its|they|them|their|theirs|this|that|these|those|he|she|his|her|him|such|both|otherwise|however|but"
    r"|the (?:latter|former|same)|after that|in that case|if not|if so"
    r"|(?:in )?the (?:same|following|next) (?:year|month|day|week))\b)"
)
#: 该报告, 上述费用, 'this fee': what is pointed to has a name, which is looked for before it.
_NAMED = re.compile(
    _OPENING + r"(?:(?:该|上述|前述|此)([\u4e00-\u9fff]{2})|(?:this|these|that|those|such|said) ([a-z]{3,30}))"
)
#: 前款所述, 'of that inspection': points back from inside the sentence; the English noun is looked for before it.
_POINTS_INSIDE = re.compile(
    r"上述|前述|前款|前项|同上"
    r"|\b(?:of|in|on|at|by|for|from|to|under|after|before|with|within|until)"
    r" (?:this|that|these|those|such|said) ([a-z]{3,30})"
)
#: 'The opaque credential lapses ...': a definite description, introduced where its words first stand together.
_DEFINITE = re.compile(r"(?:^|, )the ([a-z]{4,20} [a-z]{4,20})\b")
INTRODUCTION_REACH = 12
_CALLED_BY_TIME = frozenset({"day", "date", "time", "year", "month", "week", "point", "moment", "case", "way", "order"})
_OPENS_BLOCK = (":", "{", "[", "(")
_TITLE_LEVEL, _PLAIN_LEVEL = 0, 9


@dataclass(frozen=True, slots=True)
class Links:
    """The scaffold of a text, by sentence number."""

    needs: tuple[tuple[int, ...], ...]
    """Sentences without which this one is not understood."""
    leader: tuple[int, ...]
    """The heading, question or lead-in that this sentence answers, whose relevance it therefore shares; -1: none."""
    scaffold: BoolArray
    """Says nothing by itself: headings, table headers and rules, questions, code fences."""
    topic: tuple[int, ...]
    """The first prose sentence of the same paragraph, -1 where it is this one or there is none."""
    units: Units
    """Steps, source code and answers, which stay whole."""


def link(prepared: PreparedText) -> Links:
    """The scaffold of a text, worked out in one walk over its sentences and kept for the next query."""
    key = _ByText(prepared)
    return _link(key) if len(prepared.text) <= CACHED_LENGTH else _link.__wrapped__(key)


class _ByText:
    """A prepared text as a cache key: it is a function of its text alone, and a string keeps its hash."""

    __slots__ = ("prepared",)

    def __init__(self, prepared: PreparedText) -> None:
        self.prepared = prepared

    def __hash__(self) -> int:
        return hash(self.prepared.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByText) and self.prepared.text == other.prepared.text


@lru_cache(maxsize=CACHED_LINKS)
def _link(key: _ByText) -> Links:
    prepared = key.prepared
    builder = _Builder(prepared)
    for i in range(len(prepared.sentences)):
        builder.add(i)
    builder.scaffold.flags.writeable = False
    needs = tuple(map(tuple, builder.needs))
    return Links(needs, tuple(builder.leader), builder.scaffold, tuple(builder.topic), find_units(prepared))


def close(
    wanted: Iterable[int], links: Links, prepared: PreparedText, question: Question, allowed: BoolArray
) -> set[int]:
    """Everything that ``wanted`` sentences need beside them, themselves left out.

    A paragraph's topic sentence comes only where it names the thing that its kept sentences leave unnamed.
    """
    wanted = set(wanted)
    extra: set[int] = set()
    stack = list(wanted)
    for i in wanted:
        topic = links.topic[i]
        if topic >= 0 and topic not in wanted and topic not in extra and allowed[topic]:
            if names_subject(prepared, topic, question) and not names_subject(prepared, i, question):
                extra.add(topic)
                stack.append(topic)
    while stack:
        for need in links.needs[stack.pop()]:
            if need not in wanted and need not in extra and allowed[need]:
                extra.add(need)
                stack.append(need)
    return extra


def names_subject(prepared: PreparedText, number: int, question: Question) -> bool:
    """The sentence names a thing asked about; where the question names none, any name or code will do."""
    if question.things:
        sentence = prepared.folded_sentences[number]
        return any(thing in sentence for thing in question.things)
    return any(f.kind in ("name", "code", "abbreviation") for f in prepared.sentence_facts[number])


class _Builder:
    """The state of the walk: open headings, the table's head, the list's lead-in, the question, the code's parents."""

    def __init__(self, prepared: PreparedText) -> None:
        n = len(prepared.sentences)
        self.prepared = prepared
        self.needs: list[list[int]] = [[] for _ in range(n)]
        self.leader = [-1] * n
        self.topic = [-1] * n
        self.scaffold = np.zeros(n, bool)
        self.points_back = [False] * n
        self.headings: list[tuple[int, int]] = []
        self.fresh_heading = -1
        self.paragraph = -1
        self.first_prose = -1
        self.table_head: list[int] = []
        self.lead_in = -1
        self.question = -1
        self.fence = -1
        self.parents: list[tuple[int, int]] = []
        self.section = -1

    def add(self, i: int) -> None:
        s, folded = self.prepared.sentences[i], self.prepared.folded_sentences[i]
        if s.paragraph != self.paragraph:
            self._enter_block(i)
        if s.kind == "heading":
            self._heading(i, folded)
            return
        needs = self.needs[i]
        if self.headings:
            needs.append(self.headings[-1][1])
        if self.fresh_heading >= 0 and s.kind not in ("table_header", "table_rule"):
            self.leader[i], self.fresh_heading = self.fresh_heading, -1
        if self.lead_in >= 0 and s.kind != "prose":
            needs.append(self.lead_in)
            self.leader[i] = self.lead_in
        if s.kind in ("table_header", "table_rule"):
            self.table_head.append(i)
            self.scaffold[i] = True
        elif s.kind == "table_row":
            needs.extend(self.table_head)
        elif s.kind == "code":
            self._code(i, folded)
        else:
            self._prose(i, folded)

    def _enter_block(self, i: int) -> None:
        self.paragraph = self.prepared.sentences[i].paragraph
        self.first_prose, self.fence, self.section = -1, -1, -1
        self.table_head, self.parents = [], []
        previous = self.prepared.folded_sentences[i - 1] if i else ""
        prose_before = i > 0 and self.prepared.sentences[i - 1].kind == "prose"
        self.lead_in = i - 1 if prose_before and previous.endswith((":", "：")) else -1

    def _heading(self, i: int, folded: str) -> None:
        marks = len(folded) - len(folded.lstrip("#"))
        level = _TITLE_LEVEL if i == 0 else marks or _PLAIN_LEVEL
        while self.headings and self.headings[-1][0] >= max(level, 1):
            self.headings.pop()
        if self.headings:
            self.needs[i].append(self.headings[-1][1])
        self.headings.append((level, i))
        self.scaffold[i] = True
        self.fresh_heading = i if i else -1
        self.question = -1

    def _code(self, i: int, folded: str) -> None:
        if folded.startswith(FENCE):
            self.scaffold[i] = True
            if self.fence < 0:
                self.fence = i
            else:
                # The closing fence goes with every line of its block.
                for j in range(self.fence + 1, i):
                    self.needs[j].append(i)
                self.fence = -1
            return
        if self.fence >= 0:
            self.needs[i].append(self.fence)
        if folded.startswith("[") and folded.endswith("]"):
            self.section = i
            return
        start = self.prepared.sentences[i].start
        line_start = self.prepared.text.rfind("\n", max(0, start - 256), start) + 1
        indent = start - line_start if line_start else 0
        while self.parents and self.parents[-1][0] >= indent:
            self.parents.pop()
        if self.parents:
            self.needs[i].append(self.parents[-1][1])
        elif self.section >= 0:
            self.needs[i].append(self.section)
        if folded.endswith(_OPENS_BLOCK):
            self.parents.append((indent, i))

    def _prose(self, i: int, folded: str) -> None:
        kind = self.prepared.sentences[i].kind
        if kind == "prose":
            if self.first_prose < 0:
                self.first_prose = i
            else:
                self.topic[i] = self.first_prose
        question = asks(folded)
        if question:
            self.scaffold[i] = True
            self.question = i
        elif self.question >= 0:
            answers = ANSWER_LABEL.match(folded) is not None
            if i == self.question + 1 or answers:
                self.leader[i] = self.question
                self.needs[i].append(self.question)
            elif self.leader[i - 1] == self.question and self.prepared.sentences[i - 1].paragraph == self.paragraph:
                self.needs[i].append(self.question)
            else:
                self.question = -1
        if not question:
            for earlier in (self._antecedent(i, folded), self._introduction(i, folded)):
                if earlier >= 0:
                    self.needs[i].append(earlier)

    def _antecedent(self, i: int, folded: str) -> int:
        if i == 0:
            return -1
        if _POINTS_BACK.match(folded):
            self.points_back[i] = True
            named = _NAMED.match(folded)
            at = self._mention(i, named.group(1) or named.group(2)) if named else -1
            return at if at >= 0 else self._last_independent(i)
        inside = _POINTS_INSIDE.search(folded)
        if inside is None:
            return -1
        noun = inside.group(1)
        if noun is None:
            return i - 1
        at = self._mention(i, noun)
        return i - 1 if at < 0 and noun not in _CALLED_BY_TIME else at

    def _mention(self, i: int, noun: str) -> int:
        """The nearest sentence before ``i`` that holds the noun; -1: none within reach."""
        for j in range(i - 1, max(-1, i - 1 - ANTECEDENT_REACH), -1):
            if noun in self.prepared.folded_sentences[j]:
                return j
        return -1

    def _last_independent(self, i: int) -> int:
        """The nearest sentence before ``i`` that does not itself point back."""
        for j in range(i - 1, max(-1, i - 1 - ANTECEDENT_REACH), -1):
            if not self.points_back[j] and not self.scaffold[j]:
                return j
        return i - 1

    def _introduction(self, i: int, folded: str) -> int:
        """The first sentence within reach that brings in what this one takes as known."""
        described = _DEFINITE.search(folded)
        if described is None:
            return -1
        for j in range(max(0, i - INTRODUCTION_REACH), i):
            if described.group(1) in self.prepared.folded_sentences[j]:
                return j
        return -1
