"""Lines of a text put together into blocks: paragraphs, lists, tables, headings, code. First half of the splitter."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

SentenceKind = Literal["prose", "heading", "list_item", "table_header", "table_rule", "table_row", "code"]


class Segment(NamedTuple):
    """``text[start:end]``: a line, or several that a soft wrap had torn apart. Trimmed."""

    start: int
    end: int
    kind: SentenceKind
    paragraph: int


class _Line(NamedTuple):
    start: int
    end: int
    after_blank: bool
    shape: str
    """What its first characters make of it: a group name of ``_SHAPE``, or empty."""


#: A title is shorter than this: characters of Chinese, or of English (a dozen words).
TITLE_LENGTH_ZH = 32
TITLE_LENGTH_EN = 72

#: Columns at which programs and people wrap lines. Outside, a newline was set on purpose.
WRAP_COLUMNS = (48, 130)

#: A row of a table that is not drawn with bars at its edges is shorter than this.
ROW_LENGTH = 240
#: A line under a lead that ends in a colon is an entry of its list, marked or not, when no longer than this.
ENTRY_LENGTH_ZH = 48
ENTRY_LENGTH_EN = 110

#: Code outside a fence: no longer line is taken for it.
CODE_LENGTH = 200

#: Chinese columns are at least this wide, and their lines differ by at most so many characters.
WRAP_WIDTH_ZH = 18
WRAP_SLACK_ZH = 2

_BREAKS = "\n\r\x0b\x0c\x85\u2028\u2029"
_LINE = re.compile(f"[^{_BREAKS}]+")
_NUMERALS = "零〇一二三四五六七八九十百千两"

_SHAPE = re.compile(
    r"(?:>[ \t]?){0,3}(?:"
    r"(?P<fence>`{3,12}|~{3,12})"
    r"|(?P<heading>\#{1,6}[ \t]+(?=\S)|【[^【】\n]{1,40}】$|\*\*[^*\n]{1,80}\*\*[:：]?$)"
    r"|(?P<rule>[|+]?[ \t]{0,8}:?-{2,80}:?[ \t]{0,8}[|+][|+:=\- \t]{0,400}$|\|[|:\- \t]{1,400}\|$)"
    r"|(?P<bar>\|)"
    r"|(?P<clause>第[ \t]?[0-9" + _NUMERALS + r"]{1,8}[ \t]?条)"
    r"|(?P<item>[-*+–—－][ \t]+(?=\S)|[•●○■□◆◇▪▫▶►➤※★☆✓✔√·∙‧・][ \t\u3000]*(?=\S)"
    r"|[(（][ \t]?(?:[0-9]{1,3}|[" + _NUMERALS + r"]{1,4}|[a-zA-Z]|[ivxIVX]{1,5})[ \t]?[)）]"
    r"|[" + _NUMERALS + r"]{1,4}、|[\u2460-\u249b\u24eb-\u24ff\u2776-\u2793])"
    r"|(?P<number>[0-9]{1,3}(?:[.．](?![0-9])|[)）、])[ \t\u3000]*(?=\S)"
    r"|[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}[.、]?(?:[ \t\u3000]+(?=\S)|(?=[\u4e00-\u9fff]))"
    r"|[a-zA-Z][.)][ \t]+(?=\S))"
    r"|(?P<question>(?:问|答|Q|A|Question|Answer|q|a)[ \t]?[0-9]{0,2}[:：])"
    r"|(?P<code>\[{1,2}[A-Za-z0-9_.\- ]{1,60}\]{1,2}$|[A-Za-z_][A-Za-z0-9_.\-]{0,60}[ \t]*[:+]?=[ \t]*\S"
    r"|[A-Za-z][A-Za-z0-9.\-]{0,40}[_.\-][A-Za-z0-9_.\-]{1,40}:(?:[ \t]|$)"
    r"|[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"|\[[0-9]{4}-[0-9]{2}-[0-9]{2}|[$%][ \t][a-z./]|</?[a-zA-Z][^<>\n]{0,200}>$|[{}\[\]();,]{1,8}$"
    r"|(?:import|from|def|class|return|function|const|let|var|export|SELECT|INSERT|UPDATE|CREATE|sudo|curl|pip|npm|docker"
    r"|kubectl|git)[ \t][A-Za-z0-9_./\-*{(\"']{1,80}[^.。？?！!]{0,200}$))"
)
_PAIR = re.compile(r"[a-z][A-Za-z0-9_\-]{0,40}:(?:[ \t]+\S{1,80}|[ \t]*)$|- [a-z][A-Za-z0-9_\-]{0,40}:[ \t]*\S{0,80}$")
"""A YAML line on its own; two in a row are code, one may be prose."""
_TITLE_END = re.compile(r"[。！？!?；;，,、:：….~～”\"—]$")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_CHAPTER = re.compile(r"第[ \t]?[0-9" + _NUMERALS + r"]{1,8}[ \t]?[章节编部篇]")
_WORD_START = re.compile(r"[A-Za-z0-9\u00c0-\u024f(\"'“‘$£€`]")
_WORD_END = re.compile(r"[A-Za-z0-9\u00c0-\u024f,;:)\"'”’.?!%\-–—`]")
_MID_ZH = re.compile("[\u3400-\u4dbf\u4e00-\u9fffA-Za-z0-9，、（(“《%]")
_STOP_INSIDE = re.compile(r"[。！？!?](?=[^\s|])")
_COLONS = ":："
#: A line with more than one sentence is no entry of a list that nothing marks.
_ENTRY_STOP = re.compile(r"[。！？!?](?=[^\s])|[.!?] (?=[A-Z])")
_NAME = re.compile(r"[^\W_]{2}")
_FULL_STOP = re.compile(r"[。！？!?.…][”’」』）)\]\"'*]{0,3}$")


def find_segments(text: str) -> list[Segment]:
    """The segments of ``text`` in order; together they hold every non-blank character."""
    lines = _read_lines(text)
    out: list[Segment] = []
    paragraph = -1
    before = ""
    i = 0
    while i < len(lines):
        line = lines[i]
        kind: str
        if line.shape == "fence" and (stop := _fence_end(text, lines, i)) > i:
            paragraph += 1
            out += [Segment(x.start, x.end, "code", paragraph) for x in lines[i : stop + 1]]
            i, before = stop + 1, "code"
            continue
        if (stop := _table_end(text, lines, i)) > i:
            paragraph += 1
            out += _table(text, lines[i:stop], paragraph)
            i, before = stop, "table"
            continue
        if line.shape == "fence" or line.shape == "code" or _is_pair(text, lines, i):
            kind, i = "code", i + 1
            end = line.end
        elif line.shape == "heading" or _is_title(text, lines, i):
            kind, i, end = "heading", i + 1, line.end
        else:
            kind = "list_item" if line.shape in ("item", "number", "clause") else "prose"
            i, end = _unwrap(text, lines, i)
        if kind == "prose" and text[end - 1] in _COLONS and (stop := _entries_end(text, lines, i)) > i:
            out.append(Segment(line.start, end, "prose", paragraph + 1))
            paragraph += 2
            out += [Segment(x.start, x.end, "list_item", paragraph) for x in lines[i:stop]]
            i, before = stop, "list_item"
            continue
        joined = before == kind != "prose" and kind != "heading" and not (line.after_blank and kind == "code")
        if not (joined or (kind == "prose" and text.startswith(("答", "A:", "A："), line.start) and before == "prose")):
            paragraph += 1
        out.append(Segment(line.start, end, kind, max(paragraph, 0)))  # type: ignore[arg-type]
        before = kind
    return out


def _read_lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    last, blank = 0, False
    for match in _LINE.finditer(text):
        raw = match.group()
        stripped = raw.strip()
        if not stripped:
            blank = True
            continue
        start = match.start() + len(raw) - len(raw.lstrip())
        end = start + len(stripped)
        blank = blank or (match.start() - last > 1 and text[last : match.start()] != "\r\n")
        shape = _SHAPE.match(text, start, end)
        name = shape.lastgroup if shape is not None else None
        if name == "code" and (end - start > CODE_LENGTH or stripped[-1] in ".。" or _HAN.search(stripped)):
            name = None
        lines.append(_Line(start, end, blank and bool(lines), name or ""))
        last, blank = match.end(), False
    return lines


def _fence_end(text: str, lines: list[_Line], i: int) -> int:
    """Index of the line that closes the fence opened at ``i``; of the last line where a fence with a language name
    is never closed; ``i`` where a bare one is not (the end of a block that was cut off before)."""
    mark = text[lines[i].start : lines[i].start + 3]
    for j in range(i + 1, len(lines)):
        if lines[j].shape == "fence" and text.startswith(mark, lines[j].start):
            return j
    return len(lines) - 1 if lines[i].end - lines[i].start > 3 else i


def _table_end(text: str, lines: list[_Line], i: int) -> int:
    """One past the last line of the table that begins at ``i``, or ``i`` where none does."""
    bars = _bars(text, lines[i])
    if not bars:
        return i
    j = i + 1
    while j < len(lines) and not lines[j].after_blank and (lines[j].shape == "rule" or _bars(text, lines[j])):
        j += 1
    return j if j - i >= 2 or lines[i].shape == "bar" else i


def _bars(text: str, line: _Line) -> int:
    if line.shape in ("bar", "rule"):
        return max(1, text.count("|", line.start, line.end))
    if line.shape in ("heading", "fence") or line.end - line.start > ROW_LENGTH:
        return 0
    bars = text.count(" | ", line.start, line.end) or text.count("\t", line.start, line.end)
    if not bars:  # one slash is an 'or'
        slashes = text.count(" / ", line.start, line.end)
        bars = slashes if slashes >= 2 else 0
    return bars if bars and _STOP_INSIDE.search(text, line.start, line.end) is None else 0


def _table(text: str, lines: list[_Line], paragraph: int) -> list[Segment]:
    out: list[Segment] = []
    for k, line in enumerate(lines):
        kind: SentenceKind = "table_rule" if line.shape == "rule" else "table_row"
        if k == 0 and kind == "table_row" and len(lines) > 1:
            ruled = lines[1].shape == "rule"
            plain = not any(c.isdecimal() for c in text[line.start : line.end])
            if ruled or plain:
                kind = "table_header"
        out.append(Segment(line.start, line.end, kind, paragraph))
    return out


def _entries_end(text: str, lines: list[_Line], i: int) -> int:
    """One past the last of the short lines that a lead before line ``i`` introduces, or ``i`` where fewer than two do.

    'Limits for take-off:' with 'Cine: 6 m/s' and 'Normal: 10 m/s' under it is a list though nothing marks its entries.
    """
    j = i
    while j < len(lines) and (j == i or not lines[j].after_blank) and _is_entry(text, lines, j):
        j += 1
    return j if j - i >= 2 else i


def _is_entry(text: str, lines: list[_Line], j: int) -> bool:
    line = lines[j]
    chinese = _HAN.search(text, line.start, line.end) is not None
    if line.shape or line.end - line.start > (ENTRY_LENGTH_ZH if chinese else ENTRY_LENGTH_EN):
        return False
    if text[line.end - 1] in _COLONS or _ENTRY_STOP.search(text, line.start, line.end) is not None:
        return False
    below = lines[j + 1] if j + 1 < len(lines) and not lines[j + 1].after_blank else None
    return below is None or not (_wraps(text, line, below) or _wraps_chinese(text, lines, j))


def _is_pair(text: str, lines: list[_Line], i: int) -> bool:
    def pair(j: int) -> bool:
        return 0 <= j < len(lines) and _PAIR.match(text, lines[j].start, lines[j].end) is not None

    if not pair(i):
        return False
    return pair(i + 1) or pair(i - 1) or any(0 <= j < len(lines) and lines[j].shape == "code" for j in (i - 1, i + 1))


def _is_title(text: str, lines: list[_Line], i: int) -> bool:
    """A short line without closing punctuation, with text below that looks like a text."""
    line = lines[i]
    if i + 1 >= len(lines) or line.shape in ("item", "question", "bar", "rule"):
        return False
    length = line.end - line.start
    if length > TITLE_LENGTH_EN or _TITLE_END.search(text, max(line.start, line.end - 1), line.end):
        return False
    if _NAME.search(text, line.start, line.end) is None:
        return False
    chinese = _HAN.search(text, line.start, line.end) is not None
    if chinese and length > TITLE_LENGTH_ZH:
        return False
    if line.shape == "clause":
        return False
    if _CHAPTER.match(text, line.start, line.end):
        return True
    below = lines[i + 1]
    if not chinese and (i > 0 and not line.after_blank and _wraps(text, lines[i - 1], line)):
        return False
    if not chinese and text[below.start].islower() and not below.after_blank:
        return False
    if line.shape == "number" and (below.shape == "number" or (i > 0 and lines[i - 1].shape == "number")):
        return False
    return below.shape not in ("", "question") or bool(
        _FULL_STOP.search(text, max(below.start, below.end - 5), below.end) or below.end - below.start > 2 * length
    )


def _unwrap(text: str, lines: list[_Line], i: int) -> tuple[int, int]:
    """Index after the last line, and end, of the paragraph or item that begins at ``i``."""
    j = i
    while j + 1 < len(lines) and not lines[j + 1].after_blank:
        if not (_wraps(text, lines[j], lines[j + 1]) or _wraps_chinese(text, lines, j)):
            break
        j += 1
    return j + 1, lines[j].end


def _wraps_chinese(text: str, lines: list[_Line], j: int) -> bool:
    """Chinese set in a column (PDF files): neighbours of one width, broken in the middle of a sentence."""
    line, below = lines[j], lines[j + 1]
    width = line.end - line.start
    if below.shape or not WRAP_WIDTH_ZH <= width <= WRAP_COLUMNS[1]:
        return False
    if below.end - below.start > width + WRAP_SLACK_ZH:
        return False
    if not (_MID_ZH.match(text[line.end - 1]) and _MID_ZH.match(text[below.start])):
        return False
    neighbours = (lines[j - 1] if j else below, below)
    return any(abs(x.end - x.start - width) <= WRAP_SLACK_ZH for x in neighbours)


def _wraps(text: str, line: _Line, below: _Line) -> bool:
    """The newline between the two was set by a wrap at a column, in a Latin text, and means nothing."""
    if below.shape not in ("", "number", "code", "question"):
        return False
    last, first = text[line.end - 1], text[below.start]
    if not (_WORD_END.match(last) and _WORD_START.match(first)):
        return False
    length = line.end - line.start
    open_end = _FULL_STOP.search(text, max(line.start, line.end - 5), line.end) is None
    full = WRAP_COLUMNS[0] <= length <= WRAP_COLUMNS[1]
    if below.shape:  # '3.5 million' at the start of a line is no clause number
        return full and open_end and below.shape == "number" and last not in ":;"
    return (open_end and first.islower()) or (full and last != ":")
