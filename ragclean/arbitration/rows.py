"""Rows of one list or table: where the question names the head of one, the others are about something else.

'Hobby: 30 requests / Builder: 300 / Scale: 3,000' answers a question about Builder with one figure, and the first row
is no rival of the second.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ragclean.prepare import PreparedText
from ragclean.text.tokens import is_stopword

#: What heads a row: a short name before a colon or in the first cell; a bullet or a number before it is none of it.
_HEAD = re.compile(
    r"^[\s\-*•▪·●|]{0,4}(?:\(?\d{1,2}[.)、]\s?|[（(]?[一二三四五六七八九十]{1,2}[)）、]\s?)?"
    r"([^:|,，。;；\n]{1,24}?) ?[:：|]"
)
#: Rows above and below that are looked at.
_REACH = 8
#: Blanks before the first word of a line, at the most.
_INDENT = 80
_CACHE = 4096
_KINDS = frozenset(("list_item", "table_row"))
#: Words in a head that name no member of a row.
_PLAIN = re.compile(r"^(?:答|问|注|说明|备注|提示|a|q|note|notes|answer|question|re|subject|from|to|date|日期|时间)$")


def other_row(prepared: PreparedText, number: int, question: str) -> str:
    """The head of this row where the question names a sibling row's head and not this one's; else empty."""
    mine = _head(prepared, number)
    if not mine or _named(mine, question):
        return ""
    sentences = prepared.sentences
    for i in range(max(0, number - _REACH), min(len(sentences), number + _REACH + 1)):
        if i == number or sentences[i].kind != sentences[number].kind:
            continue
        theirs = _head(prepared, i)
        if theirs and theirs != mine and _named(theirs, question):
            return mine
    return ""


def _head(prepared: PreparedText, number: int) -> str:
    kind = prepared.sentences[number].kind
    text = prepared.folded_sentences[number]
    if kind not in _KINDS and not (kind == "prose" and _starts_line(prepared, number)):
        return ""
    return _head_of(text[:60])


def _starts_line(prepared: PreparedText, number: int) -> bool:
    start = prepared.sentences[number].start
    before = prepared.text[max(0, start - _INDENT) : start].rstrip(" \t")
    return before.endswith("\n") or (not before and start <= _INDENT)


@lru_cache(maxsize=_CACHE)
def _head_of(text: str) -> str:
    m = _HEAD.match(text)
    head = m.group(1).strip(" *_`|") if m else ""
    return "" if not head or _PLAIN.match(head) or is_stopword(head) or head.isdigit() else head


@lru_cache(maxsize=_CACHE)
def _named(head: str, question: str) -> bool:
    """The question holds the head, or the word of it that tells it apart (Builder of 'Builder plan')."""
    if head.isascii():
        return any(re.search(rf"(?<![a-z0-9]){re.escape(w)}(?![a-z0-9])", question) for w in (head, head.split(" ")[0]))
    return head in question
