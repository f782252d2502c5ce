"""What stays whole or not at all: numbered steps, source code in a fence, a question with its answer.

The rest of compression decides sentence by sentence. Here three kinds of text are put together again of which a part
misleads: a procedure without its first step, a program without one of its lines, an answer without its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ragclean.prepare import PreparedText

#: A list of more items, or of more characters, is a catalogue and no procedure.
LIST_ITEMS = 20
LIST_LENGTH = 2000
#: An item has at most this many sentences; where the next number is farther away, the list has ended.
ITEM_SENTENCES = 8
#: A longer fenced block is a file, of which the lines asked for with their parents are worth more.
FENCE_LINES = 60
FENCE_LENGTH = 3000
#: Of the lines of a configuration at least this part are keys, sections, comments or entries.
CONFIGURATION_SHARE = 0.8
#: A list stays whole for any question where at least this part of its items stays.
MOST_OF_A_LIST = 0.5

FENCE = ("```", "~~~")
QUESTION_LABEL = re.compile(r"(?:问|q(?:uestion)?)\s{0,2}\d{0,3}\s{0,2}[:：.、]")
ANSWER_LABEL = re.compile(r"(?:答|a(?:nswer)?)\s{0,2}\d{0,3}\s{0,2}[:：.、]")
_COLONS = (":", "：")

_NUMERALS = "一二三四五六七八九十"
_MARKER = re.compile(
    r"(?P<dot>\d{1,2})[.．、](?!\d)|(?P<half>\d{1,2})[)）]|[(（]\s?(?P<round>\d{1,2})\s?[)）]"
    rf"|[(（](?P<zhround>[{_NUMERALS}]{{1,3}})[)）]|(?P<zh>[{_NUMERALS}]{{1,3}})、"
    r"|(?P<circle>[\u2460-\u2473\u2776-\u277f])"
    rf"|第\s?(?P<step>[{_NUMERALS}]{{1,3}}|\d{{1,2}})\s?步|步骤\s?(?P<stepzh>[{_NUMERALS}]{{1,3}}|\d{{1,2}})"
    r"|step\s(?P<stepen>\d{1,2})\b"
)
#: Words that open a sequence and that go on with one.
_FIRST = re.compile(r"首先|第一[,，]|first(?:ly)?\b(?=,| )|to begin with\b")
_NEXT = re.compile(
    r"其次|然后|接着|接下来|随后|之后|最后|再(?!次|者|加)|第[二三四五六][,，]"
    r"|(?:then|next|after that|afterwards|finally|lastly|second(?:ly)?|third(?:ly)?)\b"
)

#: ``key: value``, ``key = value``, ``[section]``, a comment, ``- entry``: the lines of YAML, TOML, ini, properties.
_SETTING = re.compile(r"(?:- )?[\"']?[\w.\-/]{1,80}[\"']?\s{0,8}[:=](?:\s|$|\S)|\[{1,2}[^\[\]]{1,80}\]{1,2}$|[#;]|- \S")
#: Calls, blocks, statements: what a program has and a configuration has not.
_SOURCE = re.compile(
    r"[(){};]|[=-]>|^(?:import|from|def|class|return|function|const|let|var|if|for|while|select|public|private)\s"
)
_CONFIGURATION_LANGUAGES = frozenset({"yaml", "yml", "toml", "ini", "properties", "conf", "cfg", "env", "dotenv"})


@dataclass(frozen=True, slots=True)
class Steps:
    """A numbered list: its items, each the numbers of its sentences."""

    items: tuple[tuple[int, ...], ...]
    lead_in: int
    """The sentence before the list that ends in a colon, -1: none."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block, ``first`` and ``last`` its fences (or its last line where it is never closed)."""

    first: int
    last: int
    atomic: bool
    """Source code: half of it does not run. Configuration may be cut to lines with their parents."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of a FAQ and the sentences of its answer."""

    questions: tuple[int, ...]
    answer: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a text, by sentence number."""

    steps: tuple[Steps, ...]
    fences: tuple[Fence, ...]
    exchanges: tuple[Exchange, ...]


def find_units(prepared: PreparedText) -> Units:
    """The units of a text; one walk for each kind."""
    return Units(tuple(_steps(prepared)), tuple(_fences(prepared)), tuple(_exchanges(prepared)))


def missing(units: Units, kept: Collection[int], allowed: NDArray[np.bool_], *, action: bool, half: bool) -> set[int]:
    """Sentences that have to join those kept, so that no unit is torn.

    Args:
        kept: numbers of the sentences that stay.
        allowed: sentences that may stay (n,): what lost a conflict or is about another thing never comes back.
        action: the question asks what to do; one step brings all, and a lead-in what it introduces.
        half: a list also stays whole where half of its items do, whatever is asked.
    """
    out: set[int] = set()
    for steps in units.steps:
        stay = sum(any(n in kept for n in item) for item in steps.items)
        if (action and (stay or steps.lead_in in kept)) or (half and stay >= MOST_OF_A_LIST * len(steps.items)):
            out.update(n for item in steps.items for n in item)
    for fence in units.fences:
        inside = range(fence.first, fence.last + 1)
        if (fence.atomic and any(n in kept for n in inside)) or (action and fence.first - 1 in kept):
            out.update(inside)
    for exchange in units.exchanges:
        if any(n in kept for n in (*exchange.questions, *exchange.answer)):
            first = next((n for n in exchange.answer if allowed[n]), -1)
            if first >= 0:
                out.add(first)
    return {n for n in out if allowed[n] and n not in kept}


def unanswered(units: Units, kept: Collection[int]) -> dict[int, int]:
    """Kept questions of which no answer stays, each with the first sentence of its answer."""
    return {
        q: exchange.answer[0]
        for exchange in units.exchanges
        if not any(n in kept for n in exchange.answer)
        for q in exchange.questions
        if q in kept
    }


def torn(units: Units, kept: Collection[int], gone: Collection[int]) -> set[int]:
    """Kept sentences of source code, or of an answer, of which a needed part is gone."""
    out: set[int] = set()
    for fence in units.fences:
        inside = range(fence.first, fence.last + 1)
        if fence.atomic and any(n in gone for n in inside):
            out.update(n for n in inside if n in kept)
    for exchange in units.exchanges:
        if exchange.answer[0] in gone:
            out.update(n for n in (*exchange.questions, *exchange.answer) if n in kept)
    return out


def spared(units: Units, kept: Collection[int], copies: Collection[int], *, action: bool) -> set[int]:
    """Copies of sentences elsewhere that stay all the same, since the rest of their unit does: steps of a procedure
    asked for, the start of an answer."""
    out: set[int] = set()
    for steps in units.steps if action else ():
        stay = [n for item in steps.items for n in item if n in kept]
        if not all(n in copies for n in stay):
            out.update(n for n in stay if n in copies)
    for exchange in units.exchanges:
        first, *rest = exchange.answer
        if first in copies and any(n in kept and n not in copies for n in rest):
            out.add(first)
    return out


def bundled(
    units: Units, kept: Sequence[int]
) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """Kept sentences that the token budget takes or leaves as one: source code; a question with its answer's start.

    Returns:
        Sentence -> its bundle (in order), and first of a bundle -> the sentences by which the bundle is judged, where
        these are more: the rest of an answer is worth nothing without its start.
    """
    stay = set(kept)
    bundles: dict[int, tuple[int, ...]] = {}
    worth: dict[int, tuple[int, ...]] = {}
    for fence in units.fences:
        if fence.atomic:
            bundle = tuple(n for n in range(fence.first, fence.last + 1) if n in stay)
            bundles.update(dict.fromkeys(bundle, bundle))
    for exchange in units.exchanges:
        bundle = tuple(n for n in (*exchange.questions, exchange.answer[0]) if n in stay)
        if exchange.answer[0] in stay:
            bundles.update(dict.fromkeys(bundle, bundle))
            worth[bundle[0]] = tuple(n for n in (*exchange.questions, *exchange.answer) if n in stay)
    return bundles, worth


def _marker(text: str) -> tuple[str, int] | None:
    """How a sentence is numbered, and its number; None where it is not."""
    found = _MARKER.match(text)
    if found is None or found.lastgroup is None:
        return None
    written = found.group(found.lastgroup)
    style = "step" if found.lastgroup.startswith("step") else found.lastgroup
    if style == "circle":
        base = 0x2460 if written <= "\u2473" else 0x2776
        return style, ord(written) - base + 1
    return style, int(written) if written.isdecimal() else _small(written)


def _small(numeral: str) -> int:
    """一 to 九十九; malformed ones give some number that continues nothing."""
    tens, ten, ones = numeral.partition("十")
    high = (_NUMERALS.find(tens[-1:]) + 1 if tens else 1) if ten else 0
    low = ones if ten else tens
    return high * 10 + (_NUMERALS.find(low[-1:]) + 1 if low else 0)


class _Open:
    """A list being read."""

    def __init__(self, number: int, at: int) -> None:
        self.number = number
        self.starts = [at]


def _steps(prepared: PreparedText) -> Iterator[Steps]:
    """Runs of sentences numbered one after the other, or a first ... then ... finally within one paragraph."""
    lists: dict[str, _Open] = {}
    for i, sentence in enumerate(prepared.sentences):
        if sentence.kind not in ("prose", "list_item"):
            if sentence.kind != "code":
                yield from _closed(prepared, lists)
            continue
        text = prepared.sentence_texts[i][:24].lower()
        mark = _marker(text)
        if mark is None:
            if _FIRST.match(text):
                mark = ("words", 1)
            elif "words" in lists and _NEXT.match(text):
                before = lists["words"].starts[-1]
                if prepared.sentences[before].paragraph == sentence.paragraph:
                    mark = ("words", lists["words"].number + 1)
        if mark is None:
            continue
        style, number = mark
        current = lists.get(style)
        if current and number == current.number + 1 and i - current.starts[-1] <= ITEM_SENTENCES:
            current.number = number
            current.starts.append(i)
            continue
        if current is not None:
            yield from _whole(prepared, current)
        lists[style] = _Open(number, i)
    yield from _closed(prepared, lists)


def _closed(prepared: PreparedText, lists: dict[str, _Open]) -> Iterator[Steps]:
    for current in lists.values():
        yield from _whole(prepared, current)
    lists.clear()


def _whole(prepared: PreparedText, current: _Open) -> Iterator[Steps]:
    """The list, where it is one and not too long. Its last item ends with its line."""
    starts = current.starts
    if not 2 <= len(starts) <= LIST_ITEMS:
        return
    end = starts[-1] + 1
    numbered = prepared.sentences[starts[-1]].kind == "list_item"
    while numbered and end < len(prepared.sentences) and end - starts[-1] < ITEM_SENTENCES:
        if prepared.sentences[end].kind != "list_item" or "\n" in _gap(prepared, end):
            break
        end += 1
    sentences = prepared.sentences
    if sentences[end - 1].end - sentences[starts[0]].start > LIST_LENGTH:
        return
    bounds = [*starts, end]
    lead_in = starts[0] - 1
    if lead_in < 0 or not prepared.sentence_texts[lead_in].endswith(_COLONS):
        lead_in = -1
    yield Steps(tuple(tuple(range(a, b)) for a, b in pairwise(bounds)), lead_in)


def _gap(prepared: PreparedText, number: int) -> str:
    """The white space before a sentence."""
    return prepared.text[prepared.sentences[number - 1].end : prepared.sentences[number].start]


def _fences(prepared: PreparedText) -> Iterator[Fence]:
    first = -1
    for i, sentence in enumerate(prepared.sentences):
        if first >= 0 and sentence.paragraph != prepared.sentences[first].paragraph:
            yield from _fence(prepared, first, i - 1)
            first = -1
        if sentence.kind == "code" and prepared.sentence_texts[i].startswith(FENCE):
            if first < 0:
                first = i
            else:
                yield from _fence(prepared, first, i)
                first = -1
    if first >= 0:
        yield from _fence(prepared, first, len(prepared.sentences) - 1)


def _fence(prepared: PreparedText, first: int, last: int) -> Iterator[Fence]:
    length = prepared.sentences[last].end - prepared.sentences[first].start
    if last > first and last - first <= FENCE_LINES + 1 and length <= FENCE_LENGTH:
        lines = [t for t in prepared.folded_sentences[first + 1 : last + 1] if not t.startswith(FENCE)]
        language = prepared.folded_sentences[first].strip("`~ ").partition(" ")[0]
        yield Fence(first, last, not (language in _CONFIGURATION_LANGUAGES or is_configuration(lines)))


def is_configuration(lines: Sequence[str]) -> bool:
    """Lines of settings and none of a program: each means something with its parents alone."""
    if not lines or any(_SOURCE.search(line) for line in lines if not line.startswith("#")):
        return False
    return sum(_SETTING.match(line) is not None for line in lines) >= CONFIGURATION_SHARE * len(lines)


def _exchanges(prepared: PreparedText) -> Iterator[Exchange]:
    """Questions with a label, or alone on their line, and the answer: what follows in one paragraph."""
    sentences, folded = prepared.sentences, prepared.folded_sentences
    prose = ("prose", "list_item")
    n, i = len(sentences), 0
    while i < n:
        if sentences[i].kind not in prose or not asks(folded[i]):
            i += 1
            continue
        first = i
        while i < n and sentences[i].paragraph == sentences[first].paragraph and asks(folded[i]):
            i += 1
        start = i
        labelled = QUESTION_LABEL.match(folded[first]) is not None
        if start < n and (labelled or sentences[start].paragraph != sentences[first].paragraph):
            paragraph = sentences[start].paragraph
            while i < n and sentences[i].kind in prose and sentences[i].paragraph == paragraph:
                if asks(folded[i]):
                    break
                i += 1
            if i > start:
                yield Exchange(tuple(range(first, start)), tuple(range(start, i)))


def asks(folded: str) -> bool:
    """A question, by its mark or its label."""
    return folded.endswith(("?", "？")) or QUESTION_LABEL.match(folded) is not None
