"""Put kept sentences together: verbatim, in text order, with the white space that stood between neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from ragclean.compression.outcome import KeptPassage
from ragclean.prepare import PreparedText
from ragclean.types import KeptSentence

CHUNK_SEPARATOR = "\n\n"
#: White space before a kept line is looked for no further than this: the deepest indentation that carries meaning.
INDENT_LIMIT = 64

_INDENTED_KINDS = frozenset({"code", "list_item", "table_header", "table_rule", "table_row"})


def render(kept: KeptPassage) -> tuple[str, tuple[KeptSentence, ...]]:
    """The text of a kept passage, and its sentences with their places in the *original* text.

    Neighbours keep the original white space between them. Where sentences went in between, a newline joins what
    the original set on different lines; else a single blank in English and nothing in Chinese.
    """
    prepared = kept.ranked.prepared
    text, numbers = prepared.text, kept.sentences
    also_in, scores = kept.also_in or {}, kept.ranked.sentence_scores
    parts: list[str] = []
    sentences: list[KeptSentence] = []
    previous = -1
    for number in numbers:
        s = prepared.sentences[number]
        parts.append(_joint(prepared, previous, number))
        parts.append(text[s.start : s.end])
        sentences.append(
            KeptSentence(
                text=text[s.start : s.end],
                start=s.start,
                end=s.end,
                score=round(float(scores[number]), 4) if number < len(scores) else 0.0,
                protected=number in kept.protected,
                also_in=also_in.get(number, ()),
            )
        )
        previous = number
    return "".join(parts), tuple(sentences)


def render_context(kept: Sequence[KeptPassage]) -> str:
    """The whole context: passages in their order, a blank line between them."""
    return CHUNK_SEPARATOR.join(text for text in (render(k)[0] for k in kept) if text)


def _joint(prepared: PreparedText, left: int, right: int) -> str:
    """What stands between two kept sentences (``left`` is -1 before the first)."""
    s = prepared.sentences[right]
    if left < 0:
        return _indent(prepared, right)
    gap_start = prepared.sentences[left].end
    if right == left + 1:
        return prepared.text[gap_start : s.start]
    if "\n" in prepared.text[gap_start : s.start]:
        return "\n" + _indent(prepared, right)
    before, after = prepared.text[gap_start - 1 : gap_start], prepared.text[s.start : s.start + 1]
    return " " if prepared.lang != "zh" or (before.isascii() and after.isascii()) else ""


def _indent(prepared: PreparedText, number: int) -> str:
    """The indentation of a line of code, a table or a nested list: it carries meaning (YAML, Python)."""
    s = prepared.sentences[number]
    if s.kind not in _INDENTED_KINDS:
        return ""
    line = prepared.text[max(0, s.start - INDENT_LIMIT) : s.start].rpartition("\n")[2]
    return line if line.strip() == "" else ""
