"""An answer taken apart into claims, in the same way for every judge, so that their figures can be compared.

A claim is a sentence, an item of a list, or what a semicolon divides. What claims nothing is left out: courtesy,
advice to ask elsewhere, a lead ('the prices are:'), that something is not stated.
"""

from __future__ import annotations

import re

from ragclean.evaluation.refusal import is_refusal, says_nothing
from ragclean.text.folding import fold
from ragclean.text.sentences import split_sentences
from ragclean.text.values import find_values

#: Marks of a list or of emphasis before a claim, and references to sources ([1], [c2], 【资料3】, (source: faq)).
_MARKS = re.compile(r"[\s>#*•·-]*(?:\(?\d{1,2}[.)、]\s+)?[\s>#*•·-]*")
_SOURCES = re.compile(r"\[\^?[A-Za-z]{0,8}[ -]?\d{1,3}\]|【[^】\n]{1,16}】")
_PARTS = re.compile(r"(?<=[;；])")
_COURTESY = re.compile(r"^(?:您好|你好|亲|好的|hello|hi|sure|certainly|of course)[,，!！。.]\s*", re.IGNORECASE)
#: '可以。' and 'No.' say nothing by themselves: they go with the sentence that follows.
_STANCE = re.compile(
    r"(?:不?可以|不?能|不?是的?|不?行|不?会|有|没有|不?需要|不?要|不?支持|对)(?:的|了)?"
    r"|yes|no|(?:yes|no) (?:it|you|they) (?:do|does|can|is|are|will)(?: ?n?t| not)?"
)
_PLAIN = re.compile(r"[\W_]+")
_LONGEST_STANCE = 24


def claims_of(answer: str) -> tuple[str, ...]:
    """The claims of an answer, verbatim, in order, without repeats; empty where it claims nothing."""
    text = _SOURCES.sub("", answer)
    pieces = [p for s in split_sentences(text) for p in _PARTS.split(text[s.start : s.end])]
    claims: list[str] = []
    stance = ""
    for piece in pieces:
        claim = _COURTESY.sub("", _without_marks(piece.strip()))
        plain = _PLAIN.sub(" ", fold(claim[:_LONGEST_STANCE]).replace("'", "")).strip()
        if not plain or _claims_nothing(claim):
            continue
        if len(claim) < _LONGEST_STANCE and _STANCE.fullmatch(plain):
            stance = claim
            continue
        claims.append(f"{stance} {claim}" if stance.isascii() and stance else stance + claim)
        stance = ""
    if stance:
        claims.append(stance)
    return tuple(dict.fromkeys(claims))


def _without_marks(piece: str) -> str:
    marks = _MARKS.match(piece)
    return piece[marks.end() if marks else 0 :].rstrip(" *_")


def _claims_nothing(claim: str) -> bool:
    folded = fold(claim)
    if folded.rstrip("* ").endswith(":") and not find_values(folded):
        return True
    return is_refusal(claim) or says_nothing(claim)
