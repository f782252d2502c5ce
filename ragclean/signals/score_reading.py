"""The score in a model's answer: asked for one number from 0 to 10, models write much else.

What is not clearly one score is refused, so that it can be asked for again: a wrong guess would drop the page that
answers, or put noise on top. JSON is read by its keys, the rest by its words (``score_words.py``); where two parts of
an answer name two different scores, it is ambiguous and refused.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeGuard

from ragclean.signals.score_words import SCALE, plain_score, scaled, within
from ragclean.text.folding import fold

#: Characters looked at: an answer is a number, a reasoned one a paragraph.
_LONGEST = 20_000
#: Depth of JSON inside JSON.
_DEPTH = 4
#: Objects looked at among the words of an answer, and places at which one may begin: an answer holds one.
_MOST_OBJECTS = 4
_MOST_BEGINNINGS = 50
#: The largest scale that JSON may name beside its score.
_LARGEST_SCALE = 100.0

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning|analysis)>", re.IGNORECASE)
_FENCE_NAME = re.compile(r"[\w-]{0,20}\s")
_SCALE_TEXT = re.compile(r"(?:0 ?(?:-|to|~) ?)?(\d{1,3})")

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
    label, or at either end of a reason; a scale that is named; yes and no; JSON with one of many keys, fenced or among
    words. Thinking (``<think>``) and quoted words are passed over, and so are scores that the answer denies or reports.

    Raises:
        ValueError: there is no score in it, it is out of range, or there are two; the message quotes the answer.
    """
    text = _without_thought(answer[-_LONGEST:]).strip()
    objects, words = _parted(text)
    if objects:
        found = {_of_json(data, _DEPTH) for data in objects}
        # What stands beside the JSON may explain it, but must not name another score.
        beside = plain_score(words, verdicts=False)
        score = found.pop() if len(found) == 1 else None
        if score is not None and beside not in (None, score):
            score = None
    else:
        score = plain_score(words)
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


def _parted(text: str) -> tuple[list[Any], str]:
    """The JSON in an answer (the whole of it, what stands in fences, objects among words), and the rest."""
    data = _loaded(text)
    if isinstance(data, (dict, list)):
        return [data], ""
    objects: list[Any] = []
    rest: list[str] = []
    # Every second part stands in a fence; a last one without its end is as good as words.
    parts = text.split("```")
    for i, part in enumerate(parts):
        fenced = i % 2 == 1 and i < len(parts) - 1
        data = _loaded(_FENCE_NAME.sub("", part, count=1) if fenced and _FENCE_NAME.match(part) else part)
        if fenced and isinstance(data, (dict, list)):
            objects.append(data)
        else:
            rest.append(_taken_out(_FENCE_NAME.sub("", part, count=1) if fenced else part, objects))
    return objects, "\n".join(rest)


def _taken_out(text: str, objects: list[Any]) -> str:
    """The text without the JSON objects in it, which are added to ``objects``."""
    rest, at, begin = [], 0, -1
    for _ in range(_MOST_BEGINNINGS):
        begin = text.find("{", begin + 1)
        if begin < 0 or len(objects) >= _MOST_OBJECTS:
            break
        try:
            data, end = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        objects.append(data)
        rest.append(text[at:begin])
        at, begin = end, end - 1
    return " ".join([*rest, text[at:]])


class _Pairs(dict[Any, Any]):
    """A JSON object; ``double`` where a key stands in it twice with different values."""

    double = False

    @classmethod
    def of(cls, pairs: list[tuple[str, Any]]) -> _Pairs:
        made = cls()
        for key, value in pairs:
            name = re.sub(r"[\s_-]", "", fold(key))
            if name in made and made[name] != value:
                made.double = True
            made[name] = value
        return made


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs.of)


def _loaded(text: str) -> Any:
    try:
        return _DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        return None


def _of_json(data: Any, depth: int) -> float | None:
    if isinstance(data, bool):
        return float(data)
    if isinstance(data, (int, float)):
        return scaled(float(data), isinstance(data, float)) if abs(data) <= SCALE else None
    if isinstance(data, str):
        return plain_score(data)
    if depth == 0:
        return None
    if isinstance(data, list):
        return _of_json(data[0], depth - 1) if len(data) == 1 else None
    return _of_object(data, depth) if isinstance(data, _Pairs) else None


def _of_object(data: _Pairs, depth: int) -> float | None:
    if data.double:
        return None
    for key in _KEYS:
        if key in data:
            value = data[key]
            scale = next((data[k] for k in _SCALE_KEYS if k in data), None)
            return _of_json(value, depth - 1) if scale is None or not _is_number(value) else _of_scale(value, scale)
    values = [v for v in data.values() if _is_number(v) or isinstance(v, dict)]
    return _of_json(values[0], depth - 1) if len(values) == 1 else None


def _of_scale(value: int | float, scale: Any) -> float | None:
    """A number of the scale beside it, which may be written out ('0-10')."""
    if isinstance(scale, str) and (m := _SCALE_TEXT.fullmatch(fold(scale).strip())):
        scale = int(m[1])
    if not _is_number(scale) or not 1.0 <= scale <= _LARGEST_SCALE:
        return None
    return within(value / scale) if abs(value) <= scale else None


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
