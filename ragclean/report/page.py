"""The one HTML renderer: a tree of elements in which every text is data, written as one page that reaches nothing.

Whatever a retriever, a model or a user wrote comes in as ``str`` and leaves as visible text: no function here takes
ready-made HTML. What could act stays out by name as well: elements and attributes come from short lists, links lead to
places of the page only, and a Content-Security-Policy allows the page's own style and script by their hashes, nothing
else, and no network.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Literal, TypeAlias

from ragclean.visible import visible

Lang = Literal["zh", "en"]
LANGS: tuple[Lang, ...] = ("zh", "en")
#: Chinese pages are in simplified characters; the full code also picks the right glyphs for shared code points.
_LANG_CODES: dict[Lang, str] = {"zh": "zh-CN", "en": "en"}

Node: TypeAlias = "str | Element | Sequence[Node] | None"
"""What an element holds. A string is text, never markup; None is nothing; a sequence stands for its members."""

#: What a page needs, and nothing that loads, submits, embeds or runs.
_TAGS = frozenset({
    "a", "article", "bdi", "caption", "code", "dd", "del", "details", "div", "dl", "dt", "em", "figcaption", "figure",
    "footer", "h1", "h2", "h3", "h4", "header", "input", "label", "li", "main", "mark", "nav", "ol", "option", "p",
    "section", "select", "small", "span", "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
    "svg", "g", "path", "line", "polyline", "circle", "rect", "text", "title",
})  # fmt: skip
_VOID = frozenset({"input"})
_ATTRIBUTES = frozenset({
    "class", "title", "id", "href", "lang", "dir", "role", "scope", "open", "hidden", "tabindex", "type", "for",
    "value", "viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "d", "points",
    "transform", "text-anchor",
})  # fmt: skip
_FAMILIES = re.compile(r"(?:data|aria)-[a-z]{1,30}(?:-[a-z]{1,30})?")
#: Targets are made by :func:`anchor`, so that no text of others becomes an id or an address.
_ANCHOR = re.compile(r"[a-z][a-z0-9-]{0,60}")
_ANCHORED = frozenset({"id", "for", "aria-labelledby", "aria-describedby"})
_TABS_AND_LINES = re.compile(r"[\t\n]+")
#: Most text is of these, and needs no look at every character.
_PLAIN = re.compile("[\\n\\t -~\u3001-\u3029\u4e00-\u9fff\uff01-\uff65\u00b7\u2014\u2018\u2019\u201c\u201d\u2026]*")
#: Combining marks on one character above which they are a drawing over the lines around it, no writing of a language.
_MOST_MARKS = 4


@dataclass(frozen=True, slots=True)
class Element:
    """One element: made by :func:`el`, never by hand."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Node, ...] = ()


def el(tag: str, *children: Node, **attributes: str | int | float | bool | None) -> Element:
    """An element with its children; ``class_`` is class, ``for_`` is for, and ``_`` inside a name stands for ``-``.

    An attribute that is None or False is left out; one that is True has no value.

    Raises:
        ValueError: the element or attribute is none that a page may hold, or an address leads out of the page.
    """
    if tag not in _TAGS:
        raise ValueError(f"element {tag!r:.40}: not one that a page may hold")
    if tag in _VOID and children:
        raise ValueError(f"element {tag!r}: it cannot hold anything")
    kept: list[tuple[str, str]] = []
    for given, value in attributes.items():
        name = given.rstrip("_").replace("_", "-")
        if name not in _ATTRIBUTES and not _FAMILIES.fullmatch(name):
            raise ValueError(f"attribute {name!r:.40}: not one that a page may hold")
        if value is None or value is False:
            continue
        text = "" if value is True else str(value)
        if (name == "href" or name in _ANCHORED) and not _leads_inside(name, text):
            raise ValueError(f"{name}: {text!r:.40} is no anchor of this page")
        kept.append((name, text))
    return Element(tag, tuple(kept), children)


def _leads_inside(name: str, value: str) -> bool:
    if name == "href":
        return value.startswith("#") and bool(_ANCHOR.fullmatch(value[1:]))
    return bool(_ANCHOR.fullmatch(value))


def anchor(kind: str, number: int | None = None) -> str:
    """An id: a word of the code and a number, never a text of others.

    Raises:
        ValueError: the word is not made of lower-case letters, digits and hyphens.
    """
    made = kind if number is None else f"{kind}-{number}"
    if not _ANCHOR.fullmatch(made):
        raise ValueError(f"anchor: {made!r:.40} is not made of lower-case letters, digits and hyphens")
    return made


# ------------------------------------------------------------ text


def legible(text: str) -> str:
    """Text as a page shows it: line ends and tabs stay, other control, format and surrogate characters are written out.

    So a bidirectional override, a zero width or a NUL is seen as ``\\u202e``, ``\\u200b`` or ``\\x00``. Piles of
    combining marks that would draw over other lines are written out from the fifth on.
    """
    if _PLAIN.fullmatch(text):
        return text
    lines = text.replace("\r\n", "\n")
    gaps = _TABS_AND_LINES.findall(lines)
    shown = [_unpiled(visible(piece)) for piece in _TABS_AND_LINES.split(lines)]
    return "".join(s + g for s, g in zip(shown, [*gaps, ""], strict=True))


def _unpiled(text: str) -> str:
    """Combining marks beyond the usual number are written out."""
    if text.isascii():
        return text
    out: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        out.append(char if marks <= _MOST_MARKS else f"\\u{ord(char):04x}")
    return "".join(out)


def escape(text: str) -> str:
    """Legible, and without any character that HTML reads as markup, in an element or in a quoted attribute."""
    safe = legible(text)
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;"), ("`", "&#96;")):
        safe = safe.replace(char, entity)
    return safe


def shorten(text: str, limit: int) -> str:
    """The beginning of a text where it is longer; characters of the text, not of what stands for them."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


# ------------------------------------------------------------ writing


def markup(*nodes: Node) -> str:
    """The nodes as HTML."""
    out: list[str] = []
    _write(nodes, out)
    return "".join(out)


def _write(node: Node, out: list[str]) -> None:
    if node is None:
        return
    if isinstance(node, str):
        out.append(escape(node))
    elif isinstance(node, Element):
        attributes = "".join(f' {n}="{escape(v)}"' if v else f" {n}" for n, v in node.attributes)
        out.append(f"<{node.tag}{attributes}>")
        for child in node.children:
            _write(child, out)
        if node.tag not in _VOID:
            out.append(f"</{node.tag}>")
    else:
        for child in node:
            _write(child, out)


@dataclass(frozen=True, slots=True)
class Page:
    """One self-contained document."""

    title: str
    lang: Lang
    body: tuple[Node, ...]
    skip: str
    """Words of the link past the navigation, for those who use a keyboard."""
    navigation: tuple[tuple[str, str], ...] = ()
    """Anchor and words of each section."""
    navigation_label: str = ""
    script: bool = False
    """Whether the page has anything to filter; it works without."""
    head: tuple[Node, ...] = ()
    """What stands above the navigation: the page's heading."""

    def render(self) -> str:
        """The page as HTML; encodes as UTF-8 whatever it shows."""
        style, script = _asset("page.css"), _asset("page.js") if self.script else ""
        runs = _hash(script) if script else "'none'"
        policy = (
            f"default-src 'none'; style-src {_hash(style)}; script-src {runs}; img-src data:; base-uri 'none'; "
            "form-action 'none'"
        )
        links = el("ul", [el("li", el("a", words, href=f"#{place}")) for place, words in self.navigation])
        nav = el("nav", links, aria_label=self.navigation_label or None) if self.navigation else None
        body = markup(
            el("a", self.skip, href="#content", class_="skip"),
            el("header", *self.head, class_="top"),
            nav,
            el("main", *self.body, id="content", tabindex="-1"),
        )
        return (
            f'<!DOCTYPE html>\n<html lang="{_LANG_CODES[self.lang]}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
            f"<title>{escape(self.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
            + (f"<script>{script}</script>\n" if script else "")
            + "</body>\n</html>\n"
        )


def framed(page: Page, height: int = 640) -> str:
    """A page inside a notebook: in a frame of its own, where nothing runs and nothing of the notebook is reached.

    Args:
        height: in CSS pixels.
    """
    document = replace(page, script=False).render()
    for char, entity in (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        document = document.replace(char, entity)
    return (
        f'<iframe sandbox="" title="{escape(page.title)}" width="100%" height="{int(height)}" '
        f'style="border:1px solid #8884;border-radius:6px" srcdoc="{document}"></iframe>'
    )


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    """A file beside this module. Neither may hold ``</``, which would end the element it is put in."""
    return resources.files("ragclean.report").joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n").strip()


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def joined(nodes: Iterable[Node], between: Node) -> tuple[Node, ...]:
    """Nodes with something between neighbours."""
    out: list[Node] = []
    for node in nodes:
        out += [between, node] if out else [node]
    return tuple(out)
