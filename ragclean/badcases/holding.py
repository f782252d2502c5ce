"""Does a text hold a value, whole, or a part of a text, word for word? White space, width and case are forgiven."""

from __future__ import annotations

from collections.abc import Iterator

from ragclean.text.folding import fold

#: Characters of Chinese numerals: 十五分钟 does not hold 五分钟.
_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿")


class Searchable:
    """A text that many strings are looked up in; offsets are those of the text as given."""

    __slots__ = ("_folded", "_places", "_squeezed", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded = fold(text)
        self._squeezed = "".join(self._folded.split())
        self._places: list[int] | None = None

    def parts(self, part: str) -> Iterator[tuple[int, int]]:
        """Where the text holds ``part``, wherever it begins and ends."""
        wanted = squeezed(part)
        at = self._squeezed.find(wanted) if wanted else -1
        while at >= 0:
            places = self._offsets()
            yield places[at], places[at + len(wanted) - 1] + 1
            at = self._squeezed.find(wanted, at + 1)

    def values(self, value: str) -> Iterator[tuple[int, int]]:
        """Where the text holds ``value`` whole: not inside a longer number, numeral or word."""
        return ((start, end) for start, end in self.parts(value) if self._is_whole(start, end))

    def holds(self, value: str) -> bool:
        """Does it hold ``value`` whole?"""
        return next(self.values(value), None) is not None

    def holds_part(self, part: str) -> bool:
        """Does it hold ``part``?"""
        wanted = squeezed(part)
        return bool(wanted) and wanted in self._squeezed

    def _is_whole(self, start: int, end: int) -> bool:
        text = self._folded
        first, last = text[start], text[end - 1]
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if first.isdecimal() and _ends_in_number(before):
            return False
        if last.isdecimal() and _goes_on_as_number(after):
            return False
        edges = ((first, before[-1:]), (last, after[:1]))
        return not any((_is_letter(a) and _is_letter(b)) or (a in _NUMERALS and b in _NUMERALS) for a, b in edges)

    def _offsets(self) -> list[int]:
        if self._places is None:
            self._places = [i for i, c in enumerate(self._folded) if not c.isspace()]
        return self._places


def squeezed(text: str) -> str:
    """Folded, without white space: how texts are compared."""
    return "".join(fold(text).split())


def _ends_in_number(before: str) -> bool:
    return before[-1:].isdecimal() or (before[-1:] in (".", ",") and before[:-1].isdecimal())


def _goes_on_as_number(after: str) -> bool:
    return after[:1].isdecimal() or (after[:1] in (".", ",") and after[1:].isdecimal())


def _is_letter(char: str) -> bool:
    """A letter of an alphabet with capitals: Chinese characters are no edge of a word."""
    return char.lower() != char.upper()
