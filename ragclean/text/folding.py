"""Fold text for matching without moving a single offset: one character in, one character out.

What downstream patterns see in folded text:

* letters in lower case (where lower case is one character), full-width letters, digits and signs in half width:
  ``，：；（）！？％．～￥`` become ``,:;()!?%.~¥``, so that one pattern serves both scripts;
* of the Chinese marks only ``。、《》「」『』【】〈〉…·`` are left, since ASCII has no mark that means the same
  (half-width ``｡､｢｣`` become these);
* every quotation mark that is the same in kind is ``"`` or ``'``; hyphens, dashes and minus signs are ``-``
  (a Chinese dash is ``--``); brackets ``〔〕`` are ``()``; name dots ``・‧`` are ``·``;
* blanks of any width are one plain space, line and paragraph separators are newlines, and a carriage return is a
  space; tab and newline stay;
* traditional characters, compatibility forms and Kangxi radicals are simplified characters.

Circled digits, superscripts, fractions, ``℃`` and other signs that carry a value stay as they are.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.resources import files

import numpy as np

_PLANE = 0x10000
_WIDE_OFFSET = 0xFEE0
"""Distance between the full-width forms U+FF01..U+FF5E and ASCII."""

_SPACES = "\x1c\x1d\x1e\x1f\u00a0\u1680\u202f\u205f\u2800\u3000\u3164\u200b\ufeff\r" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_NEWLINES = "\x0b\x0c\x85\u2028\u2029"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d\u2043\u2500\u2501"
_TILDES = "\u301c\u223c\u02dc\u2053"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u301d\u301e\u301f\u2033\u2036"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u02bc\u00b4"
_OTHER = {
    "\uff61": "。", "\uff64": "、", "\uff62": "「", "\uff63": "」", "\uff65": "·", "\u30fb": "·", "\u2027": "·",
    "\u2022": "•", "〔": "(", "〕": ")", "\uffe5": "¥", "\uffe0": "¢", "\uffe1": "£", "\uffe6": "₩", "\u2215": "/",
    "\u2236": ":", "\u22ef": "…", "\u2025": "…", "﹑": "、",
}  # fmt: skip
_SMALL_FORMS = range(0xFE50, 0xFE6C)
_VERTICAL_FORMS = range(0xFE10, 0xFE1A)

#: A Chinese character says about as much as this many Latin letters (an English word has five letters and stands
#: for one or two characters), so that a Chinese question about 'Kubernetes ConfigMap' is still Chinese.
LETTERS_PER_HAN = 4


def fold(text: str) -> str:
    """Lower case, half width, simplified characters, plain spaces, dashes and quotes; ``len(fold(t)) == len(t)``."""
    return text.translate(_table())


def language(folded: str) -> str:
    """``"zh"`` where Han characters carry the text, else ``"en"``."""
    if folded.isascii():
        return "en"
    codes = np.frombuffer(folded.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    han = np.count_nonzero(((codes >= 0x3400) & (codes <= 0x9FFF)) | ((codes >= 0x20000) & (codes < 0x32400)))
    latin = np.count_nonzero(((codes >= 97) & (codes <= 122)) | ((codes >= 0xDF) & (codes <= 0x24F)))
    return "zh" if han and han * LETTERS_PER_HAN >= latin else "en"


@lru_cache(maxsize=1)
def _table() -> str:
    """The folded form of every character of the plane, as one string: the fastest mapping ``translate`` takes."""
    chars = [chr(code) for code in range(_PLANE)]
    for code in range(_PLANE):
        lower = chars[code].lower()
        if len(lower) == 1:
            chars[code] = lower
    for code in range(0xFF01, 0xFF5F):
        chars[code] = chr(code - _WIDE_OFFSET).lower()
    for code in (*_SMALL_FORMS, *_VERTICAL_FORMS):
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1 and code not in (0xFE19,):
            chars[code] = plain
    for group, plain in (
        (_SPACES, " "), (_NEWLINES, "\n"), (_DASHES, "-"), (_TILDES, "~"), (_DOUBLE_QUOTES, '"'), (_SINGLE_QUOTES, "'")
    ):  # fmt: skip
        for char in group:
            chars[ord(char)] = plain
    for char, plain in (*_OTHER.items(), *_read_variants().items()):
        chars[ord(char)] = plain
    once = "".join(chars)
    return once.translate(once)  # twice, so that folding folded text changes nothing


def _read_variants() -> dict[str, str]:
    data = files("ragclean.text.data").joinpath("variants.txt").read_text(encoding="utf-8")
    pairs = (pair for line in data.splitlines() if not line.startswith("#") for pair in line.split())
    return {pair[0]: pair[1] for pair in pairs}
