"""Does a text hold what a judge claims to quote from it? White space, punctuation and width are forgiven, digits never.

A model that is asked for evidence makes some up, or bends a number until it fits. A quote is therefore looked up
character by character: of the signs between letters only those that carry a value stay (the point of 1.5, the colon
of 20:30, the dash of 3-5, %, ℃, £ ...), and a number, a numeral or a word is found whole: 70 does not stand in 170.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragclean.text.folding import fold

#: Signs that change a value wherever they stand.
_VALUE_SIGNS = frozenset("%‰℃℉°$€£¥₹₩²³½¼¾±<>≤≥+#")
#: Signs that belong to a number where a digit stands on both sides, or (a minus) right after.
_BETWEEN_DIGITS = frozenset(".:/-~")
#: Chinese numerals: 十五分钟 does not hold 五分钟.
_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿")
#: Contexts come again in every variant of a case and are kept; longer ones would fill the memory.
_KEPT_LENGTH, _KEPT_TEXTS = 4_000, 512
#: Where a model leaves words out of a quote.
_ELISION = re.compile(r"\.{3,}|…+|\[\.\.\.\]|\(\.\.\.\)")
#: Parts of an elided quote below this say nothing ('the ... of'), and would be found anywhere.
_LEAST_PART = 2
_MOST_PARTS = 8


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote stands in a text: ``text[start:end]``, as the text has it."""

    start: int
    end: int


def find_quote(quote: str, text: str) -> Found | None:
    """Where ``text`` holds ``quote``; None where it does not, or where the quote has nothing that can be looked up.

    A quote with words left out (``A ... B``) is found where its parts stand in this order.
    """
    parts = [p for p in _ELISION.split(quote)[: _MOST_PARTS + 1] if len(_bare(p)[0]) >= _LEAST_PART]
    if len(parts) < 2:
        return _find(_bare(quote)[0], text, 0)
    start, at = -1, 0
    for part in parts:
        found = _find(_bare(part)[0], text, at)
        if found is None:
            return None
        start = found.start if start < 0 else start
        at = found.end
    return Found(start, at)


def _find(wanted: str, text: str, begin: int) -> Found | None:
    if not wanted:
        return None
    bare, places = _bare(text)
    folded = fold(text)
    at = bare.find(wanted)
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if start >= begin and _is_whole(folded, start, end):
            return Found(start, end)
        at = bare.find(wanted, at + 1)
    return None


def _bare(text: str) -> tuple[str, tuple[int, ...]]:
    """Folded text without white space and punctuation, and where each of its characters stood."""
    return _bare_kept(text) if len(text) <= _KEPT_LENGTH else _make_bare(text)


@lru_cache(maxsize=_KEPT_TEXTS)
def _bare_kept(text: str) -> tuple[str, tuple[int, ...]]:
    return _make_bare(text)


def _make_bare(text: str) -> tuple[str, tuple[int, ...]]:
    folded = fold(text)
    kept: list[str] = []
    places: list[int] = []
    for i, char in enumerate(folded):
        if char.isalnum() or char in _VALUE_SIGNS or _is_part_of_number(folded, i, char):
            kept.append(char)
            places.append(i)
    return "".join(kept), tuple(places)


def _is_part_of_number(folded: str, i: int, char: str) -> bool:
    """The point of 1.5 and the minus of -40; not the comma of 1,299, which may be left out."""
    if char not in _BETWEEN_DIGITS or not folded[i + 1 : i + 2].isdecimal():
        return False
    before = folded[i - 1 : i]
    return before.isdecimal() or (char == "-" and not before.isalnum()) or (char == "." and not before.strip())


def _is_whole(folded: str, start: int, end: int) -> bool:
    first, last = folded[start], folded[end - 1]
    before, after = folded[max(0, start - 2) : start], folded[end : end + 5]
    if first.isdecimal() and _GOES_BACK.search(before) and (before[-1] != "," or _GROUP.match(folded, start)):
        return False
    if last.isdecimal() and _GOES_ON.match(after):
        return False
    edges = ((first, before[-1:]), (last, after[:1]))
    return not any((_is_letter(a) and _is_letter(b)) or (a in _NUMERALS and b in _NUMERALS) for a, b in edges)


#: A number goes on after a decimal point, or a comma that sets off three digits ('0.38, 2.0' are two numbers).
_GOES_ON = re.compile(r"\d|\.\d|,\d{3}(?!\d)")
_GOES_BACK = re.compile(r"\d[.,]?$")
_GROUP = re.compile(r"\d{3}(?!\d)")


def _is_letter(char: str) -> bool:
    """A letter of an alphabet with capitals: Chinese characters are no edge of a word."""
    return char.lower() != char.upper()
