"""The pieces that pages are made of: texts of others, marked passages, tables, folds, badges, notices.

They know nothing of evaluations or traces; colours and sizes are in ``page.css``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ragclean.report.page import Element, Node, anchor, el, shorten

Tone = Literal["good", "warn", "bad", "plain", "info"]
MarkKind = Literal["evidence", "against", "kept", "dropped", "protected"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a text to be seen: character offsets, end exclusive."""

    start: int
    end: int
    kind: MarkKind = "evidence"
    note: str = ""
    """What is seen while the pointer rests on it; it must stand somewhere else, too, for those who use a keyboard."""


def foreign(text: str) -> Element:
    """A text of others inside a line of ours: its direction of writing touches nothing around it."""
    return el("bdi", text)


def passage(text: str, limit: int, more: str, marks: Iterable[Mark] = ()) -> Element:
    """A text of others as a block, with its line ends, and with parts of it marked.

    Args:
        limit: characters shown.
        more: what is said where there are more; ``{count}`` stands for how many.
    """
    shown = text[:limit]
    children: list[Node] = [*_marked(shown, marks)]
    if len(text) > limit:
        children.append(el("span", "… ", more.replace("{count}", f"{len(text) - limit:,}"), class_="more"))
    return el("div", *children, class_="text", dir="auto")


def _marked(text: str, marks: Iterable[Mark]) -> Iterable[Node]:
    at = 0
    for mark in sorted(marks, key=lambda m: (m.start, -m.end)):
        start, end = max(mark.start, at), min(mark.end, len(text))
        if start >= end:  # beyond the part that is shown, or inside a mark that is there already
            continue
        yield text[at:start]
        yield el("mark", text[start:end], class_=f"mark-{mark.kind}", title=mark.note or None)
        at = end
    yield text[at:]


def badge(words: str, tone: Tone = "plain", *, wraps: bool = False) -> Element:
    """A few words with a colour that only repeats what they say; ``wraps`` where others' words are among them."""
    return el("span", words, class_=f"badge {tone} wraps" if wraps else f"badge {tone}")


def notice(tone: Tone, *children: Node) -> Element:
    """A paragraph that must be seen."""
    return el("div", *children, class_=f"notice {tone}", role="note")


def fold(summary: Node, *children: Node, place: str | None = None, opened: bool = False, kind: str = "") -> Element:
    """Something that opens with a click, Enter or the space bar."""
    return el(
        "details", el("summary", summary), el("div", *children, class_="inside"),
        class_=f"fold {kind}".strip(), id=place, open=opened,
    )  # fmt: skip


def section(place: str, heading: str, *children: Node) -> Element:
    """A part of the page with a heading that its anchor leads to."""
    title = anchor(f"{place}-title")
    return el("section", el("h2", heading, id=title), *children, id=anchor(place), aria_labelledby=title)


def pairs(rows: Iterable[tuple[str, Node]]) -> Element:
    """Names and values."""
    return el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in rows], class_="pairs")


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table with a class of its own."""

    content: Node
    kind: str = ""


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Node | Cell]], kind: str = "") -> Element:
    """A table whose first column names the rows. On a narrow screen each row becomes a card with named values.

    Roles are written out: a browser forgets that it is a table where style sheets lay it out otherwise.
    """
    head = el("tr", [el("th", c, scope="col", role="columnheader") for c in columns], role="row")
    body: list[Node] = []
    for first, *others in rows:
        values = [_value(column, value) for column, value in zip(columns[1:], others, strict=True)]
        body.append(el("tr", _row_head(columns[0], first), values, role="row"))
    made = el(
        "table", el("caption", caption), el("thead", head, role="rowgroup"), el("tbody", body, role="rowgroup"),
        role="table", class_=f"cards {kind}".strip(),
    )  # fmt: skip
    return el("div", made, class_="wide")


def _row_head(column: str, value: Node | Cell) -> Element:
    content, kind = (value.content, value.kind) if isinstance(value, Cell) else (value, "")
    return el("th", content, scope="row", role="rowheader", class_=kind or None, data_label=column)


def _value(column: str, value: Node | Cell) -> Element:
    content, kind = (value.content, value.kind) if isinstance(value, Cell) else (value, "")
    return el("td", el("div", content), role="cell", class_=kind or None, data_label=column)


def name_list(names: Sequence[str], most: int, more: str, width: int = 80) -> tuple[Node, ...]:
    """Names of others in a line: the first of them, each cut, and how many there are beside them.

    Args:
        more: what is said of the others; ``{count}`` stands for how many.
    """
    shown: list[Node] = []
    for name in names[:most]:
        shown += [", ", foreign(shorten(name, width))] if shown else [foreign(shorten(name, width))]
    if len(names) > most:
        shown.append(" " + more.replace("{count}", f"{len(names) - most:,}"))
    return tuple(shown)
