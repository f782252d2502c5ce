"""Passages whose answer is altered: as plausible as the right one, in the same form, and checked to contradict it.

What is altered is what the reference says: every place of the passage that states one of its values gets another one of
the same form (24小时 -> 36小时, 1,299.00元 -> 1,948.50元, two years -> three years, 7月1日 -> 7月18日). Where
the reference holds no value that the passage does, a yes becomes a no in the sentence nearest to it, or a name another
one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from ragclean.text.facts import find_facts
from ragclean.text.folding import fold
from ragclean.text.numerals import HAN_NUMERAL, parse_english, parse_han
from ragclean.text.question import parse_question
from ragclean.text.sentences import split_sentences
from ragclean.text.tokens import tokenize
from ragclean.text.values import Value, ValueKind, agrees, find_values, same_value

#: What a number becomes: factors people would believe, from near to far.
_FACTORS = (2.0, 0.5, 1.5, 3.0, 0.8, 1.2, 1.25, 0.6)
#: Up to here numbers are moved by steps: twice 3 and half of 3 are not the numbers people write.
_SMALL = 10
_STEPS = (1, 2, -1, 3, -2)
_DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_HAN_RUN = re.compile(rf"[{HAN_NUMERAL}]+")
_WORD_NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen",
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_WORD_RUN = re.compile(rf"\b(?:{'|'.join(_WORD_NUMBERS)})\b", re.IGNORECASE)
#: Units that are mistaken for each other, longest first so that 个月 is not read as 月.
_UNITS = (
    ("小时", "天"), ("个月", "年"), ("天", "个月"), ("年", "个月"), ("hours", "days"), ("days", "weeks"),
    ("weeks", "days"), ("months", "years"), ("years", "months"), ("minutes", "hours"), ("gb", "mb"), ("mb", "gb"),
)  # fmt: skip
#: A statement and its contrary, the longer reading first. Both directions.
_CONTRARY = (
    ("不可以", "可以"), ("不支持", "支持"), ("不允许", "允许"), ("不需要", "需要"), ("无需", "需要"), ("无须", "必须"),
    ("不包含", "包含"), ("不包括", "包括"), ("不适用", "适用"), ("不能", "能"), ("不会", "会"), ("不得", "可以"),
    ("免费", "收费"), ("不是", "是"), ("没有", "有"),
    ("cannot", "can"), ("can not", "can"), ("is not", "is"), ("are not", "are"), ("does not", "does"),
    ("do not", "do"), ("must not", "must"), ("not required", "required"), ("not supported", "supported"),
    ("not included", "included"), ("not allowed", "allowed"), ("free of charge", "charged separately"),
)  # fmt: skip
#: Pairs that are read in one direction only: 'is' stands in too many sentences that affirm nothing.
_ONE_WAY = frozenset({"是", "有", "会", "能", "is", "are", "do", "does", "need"})


@dataclass(frozen=True, slots=True)
class Altered:
    """A passage that says something else than it did."""

    text: str
    changes: tuple[tuple[str, str], ...]
    """What stood there, and what stands there now; the same value in several places once."""
    kind: str
    """``value``, ``unit``, ``yes_no`` or ``name``."""

    def __str__(self) -> str:
        return "; ".join(f"{before} -> {after}" for before, after in self.changes)


def alter(
    text: str, answer: str, rng: random.Random, names: Sequence[str] = (), *, question: str = ""
) -> Altered | None:
    """The passage with another answer; None where none can be made that contradicts the right one.

    Args:
        text: a passage that holds the answer.
        answer: the reference, with its key points.
        names: other names to choose from.
        question: what it answers: values of the kind asked for are altered first, what the question itself holds never.
    """
    asked = _kinds_asked(question)
    targets = _targets(answer, question, asked)
    ways: list[Callable[[], Altered | None]] = [
        lambda: _altered_values(text, targets, rng), lambda: _altered_units(text, targets, rng),
    ]  # fmt: skip
    if rng.random() >= _VALUE_FIRST:
        ways.reverse()
    polar = "yes_no" in asked
    ways.insert(0 if polar else len(ways), lambda: _altered_polarity(text, answer, polar))
    if polar or not asked & _VALUE_KINDS:
        ways.append(lambda: _altered_name(text, answer, question, rng, names))
    return next((found for way in ways if (found := way()) is not None), None)


_VALUE_KINDS: frozenset[str] = frozenset(get_args(ValueKind))
#: Values that stand in texts for many things (a step, a model, a place in a list): altered where nothing better is.
_WEAK_KINDS = frozenset({"number", "version"})


def _kinds_asked(question: str) -> frozenset[str]:
    if not question.strip():
        return frozenset()
    return frozenset(kind for facet in parse_question(question).facets for kind in facet.kinds)


@dataclass(frozen=True, slots=True)
class _Targets:
    """The values of the answer, and which of them are to be altered: the first group that a passage states."""

    all: tuple[Value, ...]
    groups: tuple[tuple[Value, ...], ...]


def _targets(answer: str, question: str, asked: frozenset[str]) -> _Targets:
    right = find_values(fold(answer))
    given = find_values(fold(question))
    new = [v for v in right if not any(same_value(v, g) for g in given)]
    wanted = [v for v in new if v.kind in asked and v.kind not in _WEAK_KINDS]
    strong = [v for v in new if v.kind not in _WEAK_KINDS]
    weak = [v for v in new if v.kind in _WEAK_KINDS]
    return _Targets(tuple(right), tuple(tuple(g) for g in (wanted, strong, weak) if g))


#: A wrong number is the usual contradiction; a wrong unit the rarer one.
_VALUE_FIRST = 0.85


def _altered_values(text: str, targets: _Targets, rng: random.Random) -> Altered | None:
    return _replaced(text, targets, "value", lambda value, written: _other_number(value, written, rng))


def _altered_units(text: str, targets: _Targets, rng: random.Random) -> Altered | None:
    return _replaced(text, targets, "unit", lambda value, written: _other_unit(written))


def _replaced(text: str, targets: _Targets, kind: str, other: Callable[[Value, str], Iterator[str]]) -> Altered | None:
    """Every place that states a value of the answer gets the first other value that contradicts it.

    A value of the answer that the passage states twice becomes the same other value twice.
    """
    stated = find_values(fold(text))
    groups = ([v for v in stated if any(same_value(v, r) for r in group)] for group in targets.groups)
    chosen: dict[str, str] = {}
    pieces, at = [], 0
    for value in next(filter(None, groups), []):
        written = text[value.start : value.end]
        if written not in chosen:
            new = next((o for o in other(value, written) if _contradicts(text, value, o, targets.all)), None)
            if new is None:
                return None  # a passage that still says the right thing beside the wrong one contradicts nothing
            chosen[written] = new
        pieces += [text[at : value.start], chosen[written]]
        at = value.end
    return Altered("".join(pieces) + text[at:], tuple(chosen.items()), kind) if chosen else None


def _contradicts(text: str, value: Value, new: str, right: Sequence[Value]) -> bool:
    """In its place the new one is read as a value of the same kind that agrees with nothing the answer says."""
    around = text[max(0, value.start - _AROUND) : value.start] + new + text[value.end : value.end + _AROUND]
    start = min(value.start, _AROUND)
    read = [v for v in find_values(fold(around)) if v.start <= start < v.end or start <= v.start < start + len(new)]
    return len(read) == 1 and read[0].kind == value.kind and not any(agrees(read[0], r) for r in right)


#: Characters on both sides that decide how a value is read.
_AROUND = 24


def _other_number(value: Value, written: str, rng: random.Random) -> Iterator[str]:
    if value.kind == "date":
        yield from _other_date(written, rng)
        return
    spans = [m for p in (_DIGITS, _HAN_RUN, _WORD_RUN) for m in p.finditer(written)]
    if not spans:
        return
    if value.kind in ("version", "time"):
        spans = spans[-1:] if value.kind == "version" else spans[:1]
    numbers = [_number(m[0]) for m in spans]
    if any(n is None for n in numbers):
        return
    top = _most(value, written)
    for change in _changes(numbers[0] or 0.0, rng):
        parts, at = [], 0
        for m, n in zip(spans, numbers, strict=True):
            other = change(n or 0.0)
            made = _write(other, m[0]) if other <= top else None
            # 'one years' and 'three year' would give it away.
            if made is None or (value.kind == "duration" and written.isascii() and (other == 1) != (n == 1)):
                break
            parts += [written[at : m.start()], made]
            at = m.end()
        else:
            yield "".join(parts) + written[at:]


def _most(value: Value, written: str) -> float:
    """The largest number that people would write there."""
    if "折" in written:
        return 9.5
    return 100.0 if value.kind == "percent" and (value.high or 0.0) <= 100.0 else float("inf")


def _changes(number: float, rng: random.Random) -> Iterator[Callable[[float], float]]:
    """Ways to move a number, in a random order of those that people would believe."""
    steps, factors = list(_STEPS), list(_FACTORS)
    rng.shuffle(steps)
    rng.shuffle(factors)
    if number == int(number) and 0 < number <= _SMALL:
        yield from (lambda n, s=step: n + s for step in steps)
    yield from (lambda n, f=factor: n * f for factor in factors)


def _number(written: str) -> float | None:
    if written[0].isdigit():
        return float(written.replace(",", ""))
    return parse_han(written) if not written.isascii() else parse_english(written.lower())


def _write(number: float, like: str) -> str | None:
    """A number in the form of another; None where it has none in that form."""
    if number <= 0:
        return None
    if like[0].isdigit():
        decimals = len(like.partition(".")[2])
        if round(number, decimals) != number and not decimals:
            return None
        return f"{number:{',' if ',' in like else ''}.{decimals}f}"
    if number != int(number):
        return None
    if like.isascii():
        word = next((w for w in _WORD_NUMBERS if parse_english(w) == number), None)
        return None if word is None else word.capitalize() if like[0].isupper() else word
    han = to_han(int(number))
    return han if han is not None and parse_han(han) == number else None


_HAN = "零一二三四五六七八九"


def to_han(number: int) -> str | None:
    """A whole number below ten thousand as Chinese writes it: 二十四, 一百零五; None above."""
    if not 0 < number < 10_000:
        return None
    out, zero = "", False
    for power, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // power % 10
        if digit:
            out += ("零" if zero and out else "") + _HAN[digit] + unit
            zero = False
        elif out:
            zero = True
    return out.removeprefix("一") if 10 <= number < 20 else out


def _other_date(written: str, rng: random.Random) -> Iterator[str]:
    """Another month, day or year in the same form."""
    groups = list(re.finditer(r"\d+", written))
    for place in range(len(groups) - 1, -1, -1):
        m = groups[place]
        number, width = int(m[0]), len(m[0])
        if width >= 4:
            choices = [number - 1, number + 1, number - 2]
        else:
            top = 12 if place == len(groups) - 2 and len(groups) == 3 else 28
            choices = [n for n in rng.sample(range(1, top + 1), min(6, top)) if n != number]
        for n in choices:
            yield written[: m.start()] + str(n).zfill(width if m[0].startswith("0") else 0) + written[m.end() :]


def _other_unit(written: str) -> Iterator[str]:
    folded = fold(written)
    for unit, other in _UNITS:
        at = folded.rfind(unit)
        if at >= 0 and at + len(unit) == len(folded.rstrip("内后前以 ")):
            yield written[:at] + other + written[at + len(unit) :]


# ---------------------------------------------------------------- yes and no, names


def _altered_polarity(text: str, answer: str, polar: bool) -> Altered | None:
    """The contrary in the sentence that is nearest to the answer, of a word that the answer turns on: where the
    question does not ask for yes or no, one that the answer holds too."""
    sentences = split_sentences(text)
    if not sentences:
        return None
    pairs = _bigrams(answer)
    best = max(sentences, key=lambda s: len(pairs & _bigrams(text[s.start : s.end])))
    sentence = text[best.start : best.end]
    if not pairs & _bigrams(sentence):
        return None
    folded = fold(sentence)
    for no, yes in _CONTRARY:
        for old, new in ((no, yes), (yes, no)):
            if (old == yes and old in _ONE_WAY) or not (polar or _standing(fold(answer), old) is not None):
                continue
            at = _standing(folded, old)
            if at is not None:
                changed = sentence[:at] + new + sentence[at + len(old) :]
                return Altered(text[: best.start] + changed + text[best.end :], ((old, new),), "yes_no")
    return None


def _standing(folded: str, word: str) -> int | None:
    """Where a word stands by itself; Chinese has no word boundaries, English has."""
    if word.isascii():
        m = re.search(rf"\b{re.escape(word)}\b", folded)
        return m.start() if m else None
    at = folded.find(word)
    return at if at >= 0 else None


def _bigrams(text: str) -> set[str]:
    squeezed = re.sub(r"\W+", "", fold(text))
    return {squeezed[i : i + 2] for i in range(len(squeezed) - 1)}


def _altered_name(
    text: str, answer: str, question: str, rng: random.Random, names: Sequence[str]
) -> Altered | None:
    """Another name in place of one that the answer gives, wherever it stands; a name that the question gives stays."""
    for name in names_of(answer):
        if fold(name) in fold(question):
            continue
        others = [o for o in names if _alike(o, name) and fold(o) not in fold(text) and fold(o) not in fold(answer)]
        if name in text and others:
            other = rng.choice(sorted(set(others)))
            return Altered(text.replace(name, other), ((name, other),), "name")
    return None


def names_of(text: str) -> list[str]:
    """Names and codes in a text, as written, the longest first."""
    folded = fold(text)
    facts = find_facts(text, folded, tokenize(folded), find_values(folded))
    found = {text[f.start : f.end] for f in facts if f.kind in ("name", "code", "abbreviation")}
    return sorted(found, key=lambda n: (-len(n), n))


def _alike(a: str, b: str) -> bool:
    """Of one script and of about the same length, so that one can stand for the other."""
    return a.isascii() == b.isascii() and abs(len(a) - len(b)) <= max(2, len(b) // 2)
