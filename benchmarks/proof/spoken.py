"""What an answer states: its text without a chat's marks and without questions, its values without those set aside."""

from __future__ import annotations

import re
from dataclasses import dataclass

from case_form import spans_of

from ragclean.evaluation.reading import Reading, Stated, read
from ragclean.text.folding import fold

#: Emphasis, code and headings of Markdown. A lone asterisk or underscore may be a part of a name.
_MARKS = re.compile(r"~~[^~\n]{1,80}~~|\*\*|__|`+|^#{1,6}\s", re.MULTILINE)
_ASKS = re.compile(r"(?:[?？]|[吗嗎]\s?[。.]?)\s*$")
#: What a reasoning model thinks aloud is no answer.
_THOUGHT = re.compile(r"^.*</think(?:ing)?>|<think(?:ing)?>.*$", re.DOTALL)
_SENTENCE = re.compile(r"[^。！？!?\n]*(?:[。！？!?\n]|$)")
#: A minus before the value; one between two numbers or words is a dash.
_MINUS = re.compile(r"(?:^|[^\w\s)）])\s?[-−–]$|^[-−–]$")


def plain(text: str) -> str:
    """``text`` folded (full-width forms, case), without marks of Markdown and the last stop."""
    return _MARKS.sub("", _THOUGHT.sub("", fold(text))).strip().rstrip("。.")


@dataclass(frozen=True)
class Spoken:
    """An answer, read."""

    text: str
    reading: Reading
    stated: tuple[Stated, ...]
    """The values that it states and does not set aside."""

    @classmethod
    def of(cls, answer: str) -> Spoken:
        """Read an answer; sentences that ask are no part of it, and one that only asks states nothing."""
        whole = plain(answer)
        told = "".join(s for s in _SENTENCE.findall(whole) if not _ASKS.search(s)).strip()
        reading = read(told)
        stated = tuple(s for s in reading.values if not s.aside and not _negative(reading.folded, s.value.start))
        return cls(told, reading, stated)

    def states(self, value: str) -> bool:
        """The value stands in it whole, and somewhere neither denied nor set aside."""
        return any(self._is_meant(*span) for span in spans_of(self.reading.folded, plain(value)))

    def _is_meant(self, start: int, end: int) -> bool:
        if self.reading.is_denied(start) or _negative(self.reading.folded, start):
            return False
        over = [s for s in self.reading.values if s.value.start < end and start < s.value.end]
        return not over or not all(s.aside for s in over)


def _negative(folded: str, start: int) -> bool:
    return _MINUS.search(folded[max(0, start - 3) : start]) is not None
