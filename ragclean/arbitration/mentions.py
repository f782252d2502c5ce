"""Product codes that a text names, with what follows them: X200, X200 Pro, the P8 series."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragclean.arbitration import lexicon
from ragclean.arbitration.terms import code_family, code_key, is_code
from ragclean.prepare import PreparedText

_VARIANT_AFTER = re.compile(r"[ \-]?([a-z]{1,8})(?![a-z0-9])")
_SERIES_AFTER = re.compile(r" ?(?:系列|series|range|家族)")
_CACHE = 4096


@dataclass(frozen=True, slots=True)
class CodeMention:
    """A code in a text: where, its key (x200), and what follows it (pro; series)."""

    start: int
    text: str
    key: str
    family: str
    variant: str
    series: bool


def code_mentions(prepared: PreparedText) -> tuple[CodeMention, ...]:
    """Codes of a text with what follows them."""
    return _code_mentions(prepared.folded, tuple((t.start, t.end) for t in prepared.tokens if t.kind == "code"))


@lru_cache(maxsize=_CACHE)
def _code_mentions(folded: str, spans: tuple[tuple[int, int], ...]) -> tuple[CodeMention, ...]:
    found = []
    for start, end in spans:
        text = folded[start:end]
        if not is_code(text):
            continue
        key = code_key(text)
        after = _VARIANT_AFTER.match(folded, end)
        variant = after.group(1) if after and after.group(1) in lexicon.VARIANT_WORDS else ""
        found.append(CodeMention(start, text, key, code_family(key), variant, bool(_SERIES_AFTER.match(folded, end))))
    return tuple(found)
