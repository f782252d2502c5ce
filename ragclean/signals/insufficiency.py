"""Signals that cleaning cannot give the answer, however good: what the question itself tells.

``vague``: the question says too little to be looked up, and has to be rewritten first. ``multi_hop``: the answer has to
be put together from facts of several pages. Both look at the question alone, cost microseconds, and give the reason in
words, or an empty string. Which questions they know, and how well, stands in ``docs/warnings.md``.
"""

from __future__ import annotations

from ragclean.text.question import Question
from ragclean.text.question_gaps import find_gap
from ragclean.text.question_hops import find_hop

#: Characters of the query that a reason quotes.
_QUOTED = 40

_VAGUE = {
    "nothing": "the query holds no word; ask a question",
    "pronoun": "{words} stands where the query should name what it is about; rewrite the query with the name, which "
               "the conversation before it may hold",
    "no_thing": "the query does not say what it is about (a product, a document, a matter); rewrite it with the name "
                "of that, which the conversation before it may hold",
    "bare_topic": "the query is the bare topic {words}; rewrite it as a question that says what is wanted of it",
    "bare_thing": "the query names {words} and asks nothing of it; rewrite it as a question that says what is wanted",
}  # fmt: skip
_MULTI_HOP = {
    "bridge": "the query is about something that it only describes ({words}), which must be found first",
    "comparison": "the query compares things ({words}), and each may stand on a page of its own",
    "combination": "the query puts several facts together ({words}), and each may stand on a page of its own",
}
_ADVICE = "; pass the parts as sub_queries, and leave the putting together to the generator"


def vague(question: Question) -> str:
    """Why the question says too little to be answered well; empty where it says enough."""
    gap = find_gap(question)
    return _VAGUE[gap.kind].format(words=_shown(question, gap.words)) if gap.kind else ""


def multi_hop(question: Question) -> str:
    """Why the answer most likely needs facts of several pages; empty where one page can answer."""
    hop = find_hop(question)
    return _MULTI_HOP[hop.kind].format(words=_shown(question, hop.words)) + _ADVICE if hop.kind else ""


def _shown(question: Question, words: str) -> str:
    """The words in quotes, as the user wrote them where that can be told."""
    at = question.text.lower().find(words)
    written = question.text[at : at + len(words)] if at >= 0 else words
    return f"'{written[:_QUOTED]}'" if len(written) <= _QUOTED else f"'{written[:_QUOTED]}...'"
