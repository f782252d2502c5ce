"""Verdicts out of a language model's reply: JSON, in fences, among other words, with items missing, or cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ragclean.text.folding import fold

#: What is longer is no list of verdicts; an item begins at a brace, and so many of them are tried.
_LONGEST_REPLY = 200_000
_MOST_TRIES = 2_000
#: What a model thinks aloud first is no verdict, nor is a thought that was cut off.
_THOUGHT = r"(?:think|thinking|thought|reasoning)>"
_THOUGHT_ENDS, _THOUGHT_BEGINS = re.compile("</" + _THOUGHT), re.compile(r"\s*<" + _THOUGHT)
_DIGITS = re.compile(r"\d{1,6}")
_BRACE = re.compile(r"\{")
#: Verdicts in other words than those asked for.
_OTHER_WORDS = {
    "support": "supported", "yes": "supported", "true": "supported", "支持": "supported", "entailed": "supported",
    "contradict": "contradicted", "contradicts": "contradicted", "contradictory": "contradicted",
    "refuted": "contradicted", "conflict": "contradicted", "矛盾": "contradicted", "冲突": "contradicted",
    "not mentioned": "not_mentioned", "notmentioned": "not_mentioned", "unmentioned": "not_mentioned",
    "unsupported": "not_mentioned", "not supported": "not_mentioned", "neutral": "not_mentioned",
    "未提及": "not_mentioned", "没有提及": "not_mentioned", "未提到": "not_mentioned", "不支持": "not_mentioned",
    "cover": "covered", "覆盖": "covered", "hedged": "contradicted", "not covered": "missing", "未覆盖": "missing",
    "missed": "missing", "no": "missing", "false": "missing", "缺失": "missing", "遗漏": "missing",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """The verdict on one claim or point, with the words quoted for it."""

    verdict: str
    evidence: str = ""


def read_items(reply: str, numbers: Sequence[int], verdicts: Sequence[str]) -> dict[int, Item]:
    """The verdicts in a reply, by number. What is missing, cut off or unknown is left out, never guessed.

    A reply without any number is taken in order, where it has as many verdicts as were asked for. Of two verdicts on
    the same number that differ, neither counts.

    Raises:
        ValueError: not one verdict can be read; the message says what stands there instead.
    """
    found: dict[int, Item] = {}
    disputed: set[int] = set()
    unnumbered: list[Item] = []
    for raw in _objects(_said_aloud(reply)[:_LONGEST_REPLY]):
        item = _item(raw, verdicts)
        if item is None:
            continue
        number = _number(raw)
        if number is None:
            unnumbered.append(item)
        elif number in numbers:
            if number in found and found[number].verdict != item.verdict:
                disputed.add(number)
            found[number] = item
    if not found and len(unnumbered) == len(numbers):
        found = dict(zip(numbers, unnumbered, strict=True))
    kept = {n: item for n, item in found.items() if n not in disputed}
    if not kept:
        raise ValueError(f"no verdict in {' '.join(reply.split())[:80]!r}")
    return kept


def _said_aloud(reply: str) -> str:
    """A reply without the thoughts before it."""
    ends = [m.end() for m in _THOUGHT_ENDS.finditer(reply)]
    if not ends and _THOUGHT_BEGINS.match(reply):
        return ""
    return reply[ends[-1] :] if ends else reply


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    """The innermost JSON objects that have a verdict, whole ones only."""
    decoder = json.JSONDecoder()
    at = tries = 0
    while tries < _MOST_TRIES:
        brace = _BRACE.search(reply, at)
        if brace is None:
            return
        tries += 1
        at = brace.end()
        try:
            value, end = decoder.raw_decode(reply, brace.start())
        except (ValueError, RecursionError):
            continue
        inner = list(_with_verdicts(value))
        if inner:
            yield from inner
            at = end


def _with_verdicts(value: Any) -> Iterator[dict[str, Any]]:
    """Objects with a verdict, in a value of at most a few levels ({"items": [{...}]}, {"1": {...}})."""
    if _is_verdict(value):
        yield value
        return
    for item in _members(value):
        for inner in [item] if _is_verdict(item) else _members(item):
            if _is_verdict(inner):
                yield inner


def _members(value: Any) -> list[Any]:
    if isinstance(value, dict):
        # {"1": {"verdict": ...}}: the key is the number.
        return [{"id": k, **v} if isinstance(v, dict) and k.isdecimal() else v for k, v in value.items()]
    return value if isinstance(value, list) else []


def _is_verdict(value: Any) -> bool:
    return isinstance(value, dict) and _verdict_field(value) is not None


def _verdict_field(raw: dict[str, Any]) -> Any:
    return _field(raw, "verdict", "label", "result", "support", "status", "判断", "结论")


def _field(raw: dict[str, Any], *names: str) -> Any:
    return next((raw[name] for name in names if name in raw), None)


def _item(raw: dict[str, Any], verdicts: Sequence[str]) -> Item | None:
    said = _verdict_field(raw)
    if isinstance(said, bool):
        said = "true" if said else "false"
    if not isinstance(said, str):
        return None
    verdict = _verdict(said, verdicts)
    if verdict is None:
        return None
    quoted = _field(raw, "evidence", "quote", "证据", "原文")
    if isinstance(quoted, list):
        quoted = " ... ".join(q for q in quoted if isinstance(q, str))
    return Item(verdict, quoted if isinstance(quoted, str) else "")


def _verdict(said: str, verdicts: Sequence[str]) -> str | None:
    word = fold(said).strip(" .。\"'*")
    joined = word.replace(" ", "_").replace("-", "_")
    for known in (word, joined, _OTHER_WORDS.get(word, "")):
        if known in verdicts:
            return known
    # 'supported' for a point, 'covered' for a claim, 'yes' and 'no' for either.
    first, _, last = verdicts
    alike = {"supported": first, "covered": first, "missing": last, "not_mentioned": last}
    return alike.get(_OTHER_WORDS.get(word, joined))


def _number(raw: dict[str, Any]) -> int | None:
    given = _field(raw, "id", "number", "index", "编号", "序号")
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return given
    m = _DIGITS.search(given) if isinstance(given, str) else None
    return int(m[0]) if m else None
