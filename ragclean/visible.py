"""Foreign text for a terminal: what would move the cursor, recolour, or reverse the line is written out."""

from __future__ import annotations

import unicodedata

#: Control and format characters (bidirectional overrides, zero widths), surrogates, line and paragraph separators.
_ACTIVE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
#: Characters of an item that one line quotes.
_QUOTED = 120


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with every active character as an escape (``\\x1b``); with ``lines`` line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if (c == "\n" and lines) or unicodedata.category(c) not in _ACTIVE else _escape(c) for c in text
    )


def quoted(text: str) -> str:
    """``text`` on one line, cut, and visible."""
    line = " ".join(text[: 4 * _QUOTED].split())
    return visible(line if len(line) <= _QUOTED else line[: _QUOTED - 3] + "...")


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
