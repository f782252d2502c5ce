"""A short text read for comparison: its clauses, the values it states or sets aside, its words, what it denies.

Built on the text layer's normalised values, so that 24h is 二十四小时 and 70 is not 170.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache

from ragclean.evaluation.reading_words import Word, denied_heads, denied_spans, find_words, is_inside
from ragclean.evaluation.stance_words import CONCEPT, set_aside
from ragclean.text.folding import fold
from ragclean.text.frequencies import find_intervals
from ragclean.text.values import Value, find_values

#: A reading is kept for texts that come again (sentences of contexts, in every variant of a case); longer ones are
#: read anew, since a hostile text of that many would fill the memory.
_KEPT_LENGTH = 600
_KEPT_READINGS = 8_192
#: Ends of clauses; a comma inside a number and one of a list of names (、) end none.
_CLAUSE_END = re.compile(
    r"[。;!?\n()|]|,(?!\d{3})|\.(?=\s|$)|\s-{1,3}\s|--"
    r"|\s(?=(?:but|while|whereas|although|though|because|since|provided|unless|if)\b)"
    r"|(?<=[^\x00-\x7f])(?=但是?|不过|然而|而(?!且|言))"
)
_SENTENCE_END = re.compile(r"[。;!?\n]|\.(?=\s|$)")
_FIRST_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
#: Characters before a value that are searched for words which set it aside, and those after its clause within which
#: a remark on it may follow (', 但那是印刷错误').
_LEAD = 60
_REACH = 24
_REMARK = re.compile(r"[,;。.]? ?(?:但|不过|而)?(?:那|这|该|此|其|而|是|还|目前|but |which |that |it |this )")
_HAN_RUN = re.compile("[\u3400-\u9fff]{2,}")
#: A number glued to letters that are no unit the text layer knows; ordinals and names (5g, 3d, 4k) are none.
_STRANGE_UNIT = re.compile(
    r"(?<![a-z0-9._/-])(\d{1,9}(?:\.\d{1,6})?)(?!(?:st|nd|rd|th|[gdkx])(?![a-z]))([a-z]{1,6})(?![a-z0-9_-])"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A value as a text states it, in which clause, and whether it is named only to be set aside."""

    value: Value
    clause: int
    aside: bool
    leads: bool
    """It begins its sentence: '25天。', '60 seconds after the mains comes back'."""
    number: float | None
    """The number as written, for comparing with one whose unit is left out."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, read. Offsets are those of the text."""

    text: str
    folded: str
    clauses: tuple[tuple[int, int], ...]
    sentences: tuple[int, ...]
    """Index of the sentence that each clause stands in."""
    values: tuple[Stated, ...]
    words: tuple[Word, ...]
    denied: tuple[tuple[int, int], ...]
    """Spans that a negation governs, in order."""
    denied_heads: frozenset[int]
    """Where the words begin that a negation denies itself: right after it."""
    head_spans: tuple[tuple[int, int], ...]
    stems: frozenset[str]
    pairs: frozenset[str]
    """Neighbouring Chinese characters."""
    ideas: frozenset[str]

    def clause_at(self, position: int) -> int:
        return max(0, bisect_right(self.clauses, (position, len(self.text) + 1)) - 1)

    def clause_text(self, index: int) -> str:
        start, end = self.clauses[index]
        return self.folded[start:end]

    def is_denied(self, position: int) -> bool:
        at = bisect_right(self.denied, (position, len(self.text) + 1)) - 1
        return at >= 0 and position < self.denied[at][1]

    def words_of(self, clause: int) -> tuple[Word, ...]:
        start, end = self.clauses[clause]
        return self.words[bisect_left(self.words, start, key=_start) : bisect_left(self.words, end, key=_start)]


def _start(word: Word) -> int:
    return word.start


def read(text: str) -> Reading:
    """Read a text; linear time on any string."""
    return _read_kept(text) if len(text) <= _KEPT_LENGTH else _read(text)


@lru_cache(maxsize=_KEPT_READINGS)
def _read_kept(text: str) -> Reading:
    return _read(text)


def _read(text: str) -> Reading:
    folded = fold(text)
    clauses, sentences = _clauses(folded)
    ideas = [(m.lastgroup or "", m.start(), m.end()) for m in CONCEPT.finditer(folded)]
    values = _stated(folded, clauses, sentences)
    found = find_words(folded, ideas, [(s.value.start, s.value.end) for s in values])
    words = tuple(sorted(found, key=_start))
    denied = denied_spans(folded, clauses, ideas)
    heads = denied_heads(folded, words, denied)
    single = {w.text for w in words if w.kind == "han" and len(w.text) == 1}
    return Reading(
        text=text,
        folded=folded,
        clauses=clauses,
        sentences=sentences,
        values=values,
        words=words,
        denied=denied,
        denied_heads=frozenset(w.start for w in heads),
        head_spans=tuple(sorted({(w.start, w.end) for w in heads})),
        stems=frozenset(w.text for w in words if w.kind in ("latin", "code")) | single,
        pairs=frozenset(run[i : i + 2] for run in _HAN_RUN.findall(folded) for i in range(len(run) - 1)),
        ideas=frozenset(name for name, _, _ in ideas),
    )


def _clauses(folded: str) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    spans: list[tuple[int, int]] = []
    sentences: list[int] = []
    start = sentence = 0
    for m in _CLAUSE_END.finditer(folded):
        if folded[start : m.start()].strip():
            spans.append((start, m.start()))
            sentences.append(sentence)
        if _SENTENCE_END.match(folded, m.start()):
            sentence += 1
        start = m.end()
    if folded[start:].strip() or not spans:
        spans.append((start, len(folded)))
        sentences.append(sentence)
    return tuple(spans), tuple(sentences)


def all_values(folded: str) -> list[Value]:
    """Values, frequencies ('twice a year' is half a year), and numbers whose unit is not known (2400bps, 43p).

    A frequency stands in place of the numbers that it is made of.
    """
    often = find_intervals(folded)
    covered = [(v.start, v.end) for v in often]
    plain = [v for v in find_values(folded) if not is_inside(v.start, v.end, covered)]
    known = sorted((*plain, *often), key=lambda v: v.start)
    covered = [(v.start, v.end) for v in known]
    strange = [
        Value("number", m.start(), m.end(), float(m[1]), float(m[1]), m[2])
        for m in _STRANGE_UNIT.finditer(folded)
        if not is_inside(m.start(), m.end(), covered)
    ]
    return sorted((*known, *strange), key=lambda v: v.start)


def _stated(folded: str, clauses: tuple[tuple[int, int], ...], sentences: tuple[int, ...]) -> tuple[Stated, ...]:
    values = all_values(folded)
    starts = [c[0] for c in clauses]
    found = []
    for i, value in enumerate(values):
        clause = max(0, bisect_right(starts, value.start) - 1)
        begin, end = clauses[clause]
        last = values[i - 1].end if i else 0
        following = values[i + 1].start if i + 1 < len(values) else len(folded) + 1
        before = folded[max(begin, last, value.start - _LEAD) : value.start]
        remark = _REACH if _REMARK.match(folded, end) else 0
        after = folded[value.end : min(following, max(end, value.end + remark), value.end + _LEAD)]
        first = clause == 0 or sentences[clause] != sentences[clause - 1]
        m = _FIRST_NUMBER.search(folded, value.start, value.end)
        found.append(
            Stated(
                value=value,
                clause=clause,
                aside=set_aside(before, after, following < min(end + _REACH, len(folded)), last > begin),
                leads=first and len(before) < _LEAD and not folded[begin : value.start].strip(" \"'*-#:"),
                number=float(m[0].replace(",", "")) if m else None,
            )
        )
    return tuple(found)
