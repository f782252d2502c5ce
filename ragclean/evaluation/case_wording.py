"""What the rules of both languages share: a drafted question, the kinds of values asked for, and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Drafted:
    """A question, and the words of the chunk that answer it."""

    question: str
    reference: str
    """A whole sentence, verbatim."""
    point: str
    """The clause of it that answers; for a question that the text itself answers, empty: the reference is divided."""
    kind: str
    """``faq``, or the kind of the value: ``duration``, ``money`` ..., ``yes_no``."""


#: Kinds of values that can be asked for; bare numbers, counts and versions say too little of what they are.
KINDS = frozenset({"duration", "money", "percent", "quantity", "date", "time"})
_CLAUSE = re.compile(r"[，,；;。](?!\d)|[.](?=\s|$)|(?<![0-9]):(?![0-9/])")


def clauses(folded: str) -> Iterator[tuple[int, int]]:
    """Start and end of each clause of a folded sentence."""
    at = 0
    for m in _CLAUSE.finditer(folded):
        yield at, m.start()
        at = m.end()
    if at < len(folded):
        yield at, len(folded)
