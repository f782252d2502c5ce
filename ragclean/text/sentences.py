"""Sentences with offsets: Chinese, English, mixed, lists, tables, headings, code, and text without any stop.

A text is first put together into blocks (:mod:`ragclean.text.blocks`), then one pass over the places where a
sentence may end (:mod:`ragclean.text.stops`) cuts the blocks of prose and the list items.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragclean.text.blocks import SentenceKind, find_segments
from ragclean.text.stops import find_stops

__all__ = ["Sentence", "SentenceKind", "split_sentences"]

#: A Chinese sentence longer than this is cut at its semicolons; shorter ones are a pair that belongs together.
SEMICOLON_LENGTH = 80
#: ... into clauses of at least this length.
CLAUSE_LENGTH = 10
#: A run without any stop is cut at commas or blanks when longer than this, Chinese and English (whose characters
#: say a third as much) ...
UNSTOPPED_LENGTH_ZH = 160
UNSTOPPED_LENGTH_EN = 480
#: ... and one that does end with a stop when longer than this.
STOPPED_LENGTH_ZH = 320
STOPPED_LENGTH_EN = 960
#: Pieces of such a run have at least and at most this many characters (three times that in English).
PIECE_LENGTH = (40, 120)
#: Nothing is longer than this: a blob without commas or blanks is cut here. Also the bound of a table row or a
#: line of code.
HARD_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class Sentence:
    """``text[start:end]``, trimmed of white space. Gaps between neighbours hold white space only."""

    start: int
    end: int
    kind: SentenceKind
    paragraph: int
    """Index of the block (paragraph, list, table, code fence) it stands in, counted from 0."""


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Split ``text``; the sentences are in order, do not overlap and cover every non-blank character."""
    out: list[Sentence] = []
    segments = find_segments(text)
    stops = find_stops(text, [(s.start, s.end) for s in segments if s.kind in _SPLIT])
    n = 0
    for start, end, kind, paragraph in segments:
        if kind not in _SPLIT:
            for a in range(start, end, HARD_LENGTH):
                _add(out, text, a, min(a + HARD_LENGTH, end), kind, paragraph)
            continue
        at = start
        while n < len(stops) and stops[n] < end:
            if stops[n] > at:
                _add_bounded(out, text, at, stops[n], kind, paragraph, stopped=True)
                at = stops[n]
            n += 1
        if n < len(stops) and stops[n] == end:
            n += 1
            _add_bounded(out, text, at, end, kind, paragraph, stopped=True)
        else:
            _add_bounded(out, text, at, end, kind, paragraph, stopped=False)
    return tuple(out)


_SPLIT = frozenset(("prose", "list_item"))
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_MARKS = re.compile(r"[\W_]+|(?:\[[0-9]{1,3}\][\s.。]?)+")
#: Marks without a word (a cut mark, a closing bracket that stood apart, a note number) join the sentence before, up
#: to this length.
_MARKS_LENGTH = 12
_SEMICOLON = re.compile("[；;（()）]")
_COMMA = re.compile(r"[，、；;]|,(?![0-9])|\s+")


def _add(out: list[Sentence], text: str, start: int, end: int, kind: SentenceKind, paragraph: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return
    start += len(piece) - len(piece.lstrip())
    end = start + len(stripped)
    if len(stripped) <= _MARKS_LENGTH and out and _MARKS.fullmatch(stripped):
        last = out[-1]
        same = last.paragraph == paragraph and last.kind == kind and kind in _SPLIT
        if same and start - last.end <= _MARKS_LENGTH and end - last.start <= HARD_LENGTH:
            out[-1] = Sentence(last.start, end, kind, paragraph)  # marks alone are no sentence
            return
    out.append(Sentence(start, end, kind, paragraph))


def _add_bounded(
    out: list[Sentence], text: str, start: int, end: int, kind: SentenceKind, paragraph: int, *, stopped: bool
) -> None:
    """Add one sentence, or what a too long one falls into."""
    if end - start <= SEMICOLON_LENGTH:
        _add(out, text, start, end, kind, paragraph)
        return
    chinese = _HAN.search(text, start, end) is not None
    cuts = _semicolons(text, start, end) if chinese else []
    limit = (
        (STOPPED_LENGTH_ZH if stopped else UNSTOPPED_LENGTH_ZH)
        if chinese
        else (STOPPED_LENGTH_EN if stopped else UNSTOPPED_LENGTH_EN)
    )
    for cut in (*cuts, end):
        if cut - start > limit:
            _add_pieces(out, text, start, cut, kind, paragraph, 1 if chinese else 3)
        else:
            _add(out, text, start, cut, kind, paragraph)
        start = cut


def _semicolons(text: str, start: int, end: int) -> list[int]:
    """Ends of the clauses of a long sentence, none of them tiny, none inside brackets."""
    cuts: list[int] = []
    depth, at = 0, start
    for match in _SEMICOLON.finditer(text, start, end):
        mark = match.group()
        if mark in "（(":
            depth += 1
        elif mark in "）)":
            depth = max(0, depth - 1)
        elif depth == 0 and match.end() - at >= CLAUSE_LENGTH <= end - match.end():
            at = match.end()
            cuts.append(at)
    return cuts


def _add_pieces(
    out: list[Sentence], text: str, start: int, end: int, kind: SentenceKind, paragraph: int, scale: int
) -> None:
    """Cut a run at commas and blanks into pieces of a bounded length; hard where it has none."""
    least, most = PIECE_LENGTH[0] * scale, PIECE_LENGTH[1] * scale
    at, last = start, start
    for match in _COMMA.finditer(text, start, end):
        cut = match.end()
        if cut - at > most and last > at:
            _add(out, text, at, last, kind, paragraph)
            at = last
        while cut - at > HARD_LENGTH:
            _add(out, text, at, at + HARD_LENGTH, kind, paragraph)
            at += HARD_LENGTH
        if cut - at >= least:
            if end - cut < least:
                break
            last = cut
            if not match.group().isspace():
                _add(out, text, at, cut, kind, paragraph)
                at = cut
    while end - at > HARD_LENGTH:
        _add(out, text, at, at + HARD_LENGTH, kind, paragraph)
        at += HARD_LENGTH
    _add(out, text, at, end, kind, paragraph)
