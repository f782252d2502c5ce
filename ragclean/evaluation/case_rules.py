# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Questions made of statements by rule: only where the rule is sure, each with the sentence that answers it.

Chinese asks in place, so that a value gives way to a question word and the clause stays: 门头灯箱须在三日内修好 becomes
门头灯箱须在多久内修好？ English moves its words: of a subject, an auxiliary and a value behind a preposition. A question
that a text asks and answers itself (问：... 答：..., a heading with a question mark) is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragclean.evaluation.case_rules_en import english
from ragclean.evaluation.case_rules_zh import chinese
from ragclean.evaluation.case_wording import Drafted
from ragclean.prepare import PreparedText, prepare_text
from ragclean.types import Chunk

__all__ = ["Drafted", "draft"]


def draft(chunk: Chunk) -> list[Drafted]:
    """What can be asked of a chunk, in the order of its text; no question twice."""
    prepared = prepare_text(chunk.text)
    found: dict[str, Drafted] = {}
    # A title goes into questions: what would act on a terminal, or part lines, stays out of them.
    title = "".join(c if c.isprintable() else " " for c in chunk.title)
    for made in (*_asked_by_the_text(prepared), *_statements(prepared, title)):
        found.setdefault(made.question, made)
    return list(found.values())


# ------------------------------------------------------------------ questions that the text asks itself

_ASKED = re.compile(r"^(?:问|q|question)\s{0,3}[0-9]{0,3}\s{0,3}[:：.、]\s{0,3}", re.IGNORECASE)
_ANSWERED = re.compile(r"^(?:答|a|answer)\s{0,3}[0-9]{0,3}\s{0,3}[:：.、]\s{0,3}", re.IGNORECASE)
_NUMBERING = re.compile(r"^\s*(?:#{1,6}\s+|>+\s*|\(?\d{1,3}[.)、）]\s*|[-*•]\s+)")
_QUESTION_LENGTH = (6, 160)
#: Sentences of an answer: what follows is mostly about something else.
_ANSWER_SENTENCES = 2
#: A question that greets, asks back or persuades is none that the text answers.
_RHETORICAL = re.compile(
    r"^(?:你|您|大家|各位|有没有|谁|是不是|还在|怎么样|why not|are you|do you|did you|have you|want to|looking|tired|ready|"
    r"anyone|does anyone|has anyone|what about you|isn't|who )|(?:有人知道|求助|求解|谢谢|吗[?？]+[?？])",
    re.IGNORECASE,
)
_DEICTIC_QUESTION = re.compile(r"^(?:这|那|它|他|她|其|该|此|it|this|that|these|those|they|he|she)", re.IGNORECASE)


#: A conversation: what follows is what somebody else says.
_SPEAKER = re.compile(r"^[^\s:：]{1,20}(?: [^\s:：]{1,20})?[:：]")


def _asked_by_the_text(p: PreparedText) -> Iterator[Drafted]:
    for i, text in enumerate(p.sentence_texts[:-1]):
        bare = _NUMBERING.sub("", text)
        marked = _ASKED.match(bare)
        question = bare[marked.end() :] if marked else bare
        headed = p.sentences[i].kind == "heading" or (i == 0 and "\n" in p.text[p.sentences[0].end :][:1])
        if not question.endswith(("?", "？")) or not (marked or headed):
            continue
        if _SPEAKER.match(question):
            continue
        if not _QUESTION_LENGTH[0] <= len(question) <= _QUESTION_LENGTH[1]:
            continue
        if _RHETORICAL.search(question) or _DEICTIC_QUESTION.match(question):
            continue
        answer = _answer_after(p, i + 1)
        if answer:
            yield Drafted(question, answer, "", "faq")


def _answer_after(p: PreparedText, first: int) -> str:
    """The sentences after a question up to the next one, verbatim."""
    last = first
    while last < len(p.sentences) and last - first < _ANSWER_SENTENCES:
        text = p.sentence_texts[last]
        if text.endswith(("?", "？")) or (last > first and p.sentences[last].kind in ("heading", "code", "table_row")):
            break
        last += 1
    if last == first:
        return ""
    answer = p.text[p.sentences[first].start : p.sentences[last - 1].end]
    marked = _ANSWERED.match(answer)
    return answer[marked.end() :] if marked else answer


# ------------------------------------------------------------------ statements

#: What one person says of himself, heard somewhere, or is not sure of, answers nothing.
_PERSONAL = re.compile(
    r"[我你您咱俺說说讲講称这那该]|据悉|照此|其(?![他余])|前述|上述|小编|实测|大爷|大妈|楼[主上下]|群友|网友|师[傅兄姐]|朋友|老板|主播|博主|告知|表示|亲身|有人|大家|听说|尽量|不必|"
    r"能不能|可不可以|是不是|会不会|要不要|有没有|据说|亲测|好像|似乎|大概|可能|应该是|估计|或许|也许|建议|记得|如果|假如|万一|例如|比如|预计|计划|拟|"
    r"(?<![a-z])(?:i|i'm|i've|my|me|we|our|us|you|your|maybe|perhaps|might|could|may|apparently|reportedly|rumou?r|seems?|"
    r"about to|plans?|planned|expected|supposed|if|when|unless|example|e\.g|think|guess|heard|hope|please)(?![a-z])"
)
#: The text of a draft, a repeal or a correction does not hold.
_NOT_IN_FORCE = re.compile(r"征求意见|草案|拟定|作废|废止|曾|原先|过去|旧版|以前|此前|formerly|previously|used to|draft|withdrawn")


def _statements(p: PreparedText, title: str) -> Iterator[Drafted]:
    for i, text in enumerate(p.sentence_texts):
        if p.sentences[i].kind not in ("prose", "list_item") or text.endswith(("?", "？", "!", "！", "…", ":", "：")):
            continue
        folded = p.folded_sentences[i]
        if _PERSONAL.search(folded) or _NOT_IN_FORCE.search(folded):
            continue
        start = p.sentences[i].start
        values = [v for v in p.sentence_values[i] if v.end <= p.sentences[i].end]
        if p.lang == "zh":
            yield from chinese(text, folded, start, values, title)
        else:
            yield from english(text, start, values, title)
