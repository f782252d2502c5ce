"""The score in a model's answer: asked for one number from 0 to 10, models write much else.

What is not clearly one score is refused, so that it can be asked for again: a wrong guess would drop the page that
answers, or put noise on top. Kinds of evidence are tried in turn; where one kind names two different scores, the
answer is ambiguous and refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeGuard

from ragclean.text.folding import fold
from ragclean.text.numerals import HAN_NUMERAL, parse_han

#: The scale that is asked for.
SCALE = 10.0
#: Other scales that models name ('4/5', '80/100'); another denominator is a date or a count.
_SCALES = (5.0, 10.0, 100.0)
#: Characters looked at: an answer is a number, a reasoned one a paragraph.
_LONGEST = 20_000
#: Depth of JSON inside JSON.
_DEPTH = 4

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning|analysis)>", re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*\s*(.*?)```", re.DOTALL)
_MARKS = re.compile(r"[*`#_$]+")
#: Quoted words are the passage's, not the model's.
_QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』')
#: The scale as such, named before the score: '在0-10分中', 'on a scale of 0 to 10', '满分10分', 'maximum of 10'.
_SCALE_NAMED = re.compile(
    r"(?:on )?(?:a )?scale (?:of|from) (?:0|1|zero|one)\s*(?:-|to)\s*10"
    r"|\(?\b[01]\s*(?:-|~|到|至|to)\s*10\s*分?(?:制)?\)?"
    r"|\(?满分(?:为|是)?\s*[:=]?\s*(?:10|十)\s*分?\)?|十分制|10分制|\(?max(?:imum)?\.?(?: of)?\s*[:=]?\s*10\)?"
)

_WORDS = {
    "zero": 0.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0,
    "eight": 8.0, "nine": 9.0, "ten": 10.0,
}  # fmt: skip
_NUMBER = re.compile(
    rf"(?<!\d[-~])(?<![a-z0-9.%/{HAN_NUMERAL}])(?:(?P<hundredths>百分之\s*)?(?:(?P<digits>[+-]?\d{{1,3}}(?:\.\d{{1,4}})?)"
    rf"|(?P<han>[{HAN_NUMERAL}点]{{1,6}})|(?P<word>{'|'.join(_WORDS)})(?![a-z])))"
    r"(?:\s*(?P<percent>%|percent\b)|\s*(?:/|out of)\s*(?P<of>\d{1,3}|ten)(?!\d|/|\.\d)|\s*(?P<points>分)"
    r"(?=[^\u3400-\u9fff]|$|因为|吧|左右)|\s*points?\b)?"
    r"(?![\d/%])(?!\.\d)(?!\s*(?:-|~|至|到|to\b)\s*\d)"
)
_LABEL = re.compile(
    r"(?P<final>最终|最后|综合|总体|总|final|overall|total)?[ ]?"
    r"(?:相关度|相关性|得分|评分|分数|打分|分值|评为|给出|给|打|总分|score|rating|relevance|relevancy|grade|rate|answer|答案|结果|结论)"
    r"(?:[ ]?(?:得分|评分|分数|score|rating|\(\)))*\s*(?:(?:[:=]|是|为|is|of|would be|it|this|->)\s*){0,2}"
)
_END = r"(?=\s*(?:[.。,，;；:：!！)）\]、\n]|$|-\s))"
_LEADING = re.compile(r"(?:[\s(\[]|-\s)*")
#: What may stand after a number at the head of an answer; with anything else it counts something ('3处').
_AFTER_LEADING = re.compile(r"\s*$|\s*[.。,，;；:：!！(（)）\]、\n]|\s+-|\s*因为|\s+because\b")

_WHOLE = {
    1.0: r"是|是的|对|相关|有关|直接相关|高度相关|非常相关|完全相关|能回答|可以回答|直接回答|能直接回答"
    r"|yes|yep|true|correct|relevant|highly relevant|directly relevant|it does|it answers",
    0.5: r"部分|部分相关|部分回答|有点相关|partial|partially|partly|somewhat|partially relevant|somewhat relevant",
    0.0: r"否|不|不是|不相关|无关|不能回答|没有回答|未回答|没有直接回答|未直接回答|不直接相关|完全不相关"
    r"|完全无关|毫不相关|毫无关系|no|nope|false|irrelevant|not relevant|not at all|unrelated|does not answer"
    r"|it does not",
}
_VERDICTS = [(value, re.compile(rf"\W*(?:{words}){_END}")) for value, words in _WHOLE.items()]
#: A verdict that takes itself back, or a 'no' to us instead of one on the passage.
_TAKEN_BACK = re.compile(
    r"但|不过|然而|可是|\bbut\b|\bhowever\b|\balthough\b|\bthough\b"
    r"|抱歉|对不起|我无法|我不能|\bsorry\b|\bi (?:can't|cannot|can not|won't|am unable)|\bi'm unable"
)

#: In the order in which they are believed.
_KEYS = (
    "finalscore", "score", "rating", "relevancescore", "relevance", "relevancy", "grade", "points",
    "最终评分", "最终得分", "评分", "得分", "分数", "打分", "相关度", "相关性", "value", "answer", "result", "output",
    "答案", "结果", "relevant", "isrelevant", "是否相关", "相关", "verdict",
)  # fmt: skip
_SCALE_KEYS = ("max", "outof", "scale", "maxscore", "满分")


def read_score(answer: str) -> float:
    """The score of an answer, in 0..1.

    Understood: a number of ten, ``7/10``, ``80%``, ``0.8``, ``8分``, Chinese and English numerals, each bare, with a
    label, or at either end of a reason; yes and no; JSON with one of many keys, fenced or among words. Thinking
    (``<think>``) and quoted words are passed over.

    Raises:
        ValueError: there is no score in it, it is out of range, or there are two; the message quotes the answer.
    """
    text = _without_thought(answer[-_LONGEST:]).strip()
    data = _json_of(text)
    score = _plain_score(fold(text)) if data is None else _of_json(data, _DEPTH)
    if score is None:
        raise ValueError(f"no clear score in {answer.strip()[:80]!r}")
    return score


def _without_thought(text: str) -> str:
    """What stands behind the last thought, or else before the first; its opening mark may stand in the prompt."""
    marks = list(_THOUGHT.finditer(text))
    ends = [m for m in marks if m[1]]
    behind = text[ends[-1].end() :] if ends else ""
    return behind if behind.strip() else text[: marks[0].start()] if marks else text


# -- JSON


def _json_of(text: str) -> dict[Any, Any] | list[Any] | None:
    """The answer as JSON: the whole of it, what stands in a fence, or an object among words."""
    for candidate in _json_candidates(text):
        try:
            data = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, (dict, list)):
            return data
    return None


def _json_candidates(text: str) -> Iterator[str]:
    yield text
    yield from (m[1] for m in _FENCE.finditer(text))
    begin, end = text.find("{"), text.rfind("}")
    if 0 <= begin < end:
        yield text[begin : end + 1]


def _of_json(data: Any, depth: int) -> float | None:
    if isinstance(data, bool):
        return float(data)
    if isinstance(data, (int, float)):
        return _scaled(float(data), isinstance(data, float)) if abs(data) <= SCALE else None
    if isinstance(data, str):
        return _plain_score(fold(data))
    if depth == 0:
        return None
    if isinstance(data, list):
        return _of_json(data[0], depth - 1) if len(data) == 1 else None
    return _of_object(data, depth) if isinstance(data, dict) else None


def _of_object(data: dict[Any, Any], depth: int) -> float | None:
    by_name = {re.sub(r"[\s_-]", "", fold(str(k))): v for k, v in data.items()}
    for key in _KEYS:
        if key in by_name:
            value = by_name[key]
            scale = next((by_name[k] for k in _SCALE_KEYS if k in by_name), None)
            if _is_number(value) and scale in _SCALES:
                return _within(value / scale) if abs(value) <= scale else None
            return _of_json(value, depth - 1)
    values = [v for v in by_name.values() if _is_number(v) or isinstance(v, dict)]
    return _of_json(values[0], depth - 1) if len(values) == 1 else None


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# -- words


def _plain_score(text: str) -> float | None:
    text = _MARKS.sub("", _SCALE_NAMED.sub(" ", _QUOTED.sub(" ", text))).strip()
    labelled = list(_labelled(text))
    final = [value for value, last in labelled if last]
    tiers = (
        final,
        [value for value, _ in labelled] + list(_at_the_ends(text)),
        [value for m in _NUMBER.finditer(text) if (m["of"] or m["points"]) and (value := _value(m)) is not None],
    )
    for found in tiers:
        if found:
            return found[0] if len(set(found)) == 1 else None
    return _verdict(text)


def _labelled(text: str) -> Iterator[tuple[float, bool]]:
    """(score, whether it is called the final one) of each number behind a label."""
    for label in _LABEL.finditer(text):
        m = _NUMBER.match(text, label.end())
        value = _value(m) if m else None
        if value is not None:
            yield value, bool(label["final"]) or label[0].startswith("总分")


def _at_the_ends(text: str) -> Iterator[float]:
    """Numbers that the answer begins with, or that are its last line, as opposed to those that count something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return
    first = _NUMBER.match(text, _LEADING.match(text).end())  # type: ignore[union-attr]
    if first and _AFTER_LEADING.match(text, first.end()) and not _is_list(first, lines):
        value = _value(first)
        if value is not None:
            yield value
    last = _NUMBER.match(lines[-1], _LEADING.match(lines[-1]).end())  # type: ignore[union-attr]
    if len(lines) > 1 and last and not lines[-1][last.end() :].strip(" .。)"):
        value = _value(last)
        if value is not None:
            yield value


def _is_list(first: re.Match[str], lines: list[str]) -> bool:
    """'1. ... 2. ...' numbers its reasons."""
    return first["digits"] == "1" and any(re.match(r"2\s*[.、)]", line) for line in lines)


def _value(m: re.Match[str]) -> float | None:
    """The score that a number stands for; None where it is out of range or could be meant in two ways."""
    if m["digits"]:
        number: float | None = float(m["digits"])
    elif m["word"]:
        number = _WORDS[m["word"]]
    else:
        number = parse_han(m["han"])
    if number is None:
        return None
    if m["percent"] or m["hundredths"]:
        return _within(number / 100.0)
    if m["of"]:
        scale = 10.0 if m["of"] == "ten" else float(m["of"])
        return _within(number / scale) if scale in _SCALES else None
    return _scaled(number, "." in (m["digits"] or ""))


def _scaled(number: float, fraction: bool) -> float | None:
    """Of ten; a fraction below one is taken as one of one. '1.0' may be the best of one or the second worst of ten."""
    if fraction and number == 1.0:
        return None
    return _within(number if 0.0 < number < 1.0 else number / SCALE)


def _within(share: float) -> float | None:
    return share if 0.0 <= share <= 1.0 else None


def _verdict(text: str) -> float | None:
    """Yes or no, where the answer begins with it and does not take it back."""
    if _TAKEN_BACK.search(text):
        return None
    return next((value for value, words in _VERDICTS if words.match(text)), None)
