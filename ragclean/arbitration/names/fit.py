"""Whether a name is of the sort that a question asks for, and not one of the question's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ragclean.arbitration.names import lexicon
from ragclean.arbitration.names.equivalence import clean_name
from ragclean.arbitration.names.quest import NameQuest
from ragclean.arbitration.names.spans import NameSpan, latin_sort

_BODY = re.compile(r"(?:协会|联盟|委员会|公司|集团|大学|学院|医院|银行|出版社|研究所)$")
_RUN = re.compile(r"\S+")
_NUMERAL = re.compile(r"[IVXLCM]{1,8}|[\d.]+")
_WORD = re.compile(r"[a-z0-9à-žß]+")

#: How well a sort of name fits what is asked, 0..1.
_FIT: Mapping[str, Mapping[str, float]] = MappingProxyType({
    "person": {"person": 1.0, "name": 0.4},
    "country": {"place": 1.0},
    "place": {"place": 1.0, "name": 0.5, "person": 0.2, "event": 0.2, "organisation": 0.2},
    "team": {"organisation": 1.0, "person": 0.8, "name": 0.8, "place": 0.7, "event": 0.4},
    "title": {"title": 1.0, "person": 0.4, "name": 0.4, "event": 0.4},
    "organisation": {"organisation": 1.0, "name": 0.6, "event": 0.8, "person": 0.3},
    # Few things have the shape of a command or an address: one that has it counts for more than a name does.
    "identifier": {"identifier": 1.5},
    "any": {"name": 0.8, "person": 0.7, "organisation": 0.8, "place": 0.5, "title": 0.5, "event": 0.4},
})  # fmt: skip


#: A Chinese word that no dictionary knows is often none, and seldom a person where it has no surname.
_UNKNOWN_HAN: Mapping[str, float] = MappingProxyType({"person": 0.0, "place": 0.0, "team": 0.4})

_FOREIGN = 0.35
#: A Chinese name of a person is shorter than this.
_LONGER_NAME = 4


def fits(span: NameSpan, quest: NameQuest) -> float:
    """How well the name is of the sort asked for, 0..1; 0 where it cannot answer."""
    fit = _FIT[quest.sort].get(span.sort, 0.0)
    if quest.shape is not None and not (quest.shape.fullmatch(span.key) and _is_of_tool(span.key, quest)):
        return 0.0
    if quest.sort == "team" and span.sort == "organisation" and _BODY.search(span.key):
        return 0.0
    if quest.sort in ("team", "place") and span.sort == "person" and not span.words and not quest.people_only:
        if "·" in span.key or (span.key[0] in lexicon.SURNAMES and len(span.key) < _LONGER_NAME):
            return 0.0
        return _FOREIGN  # foreign towns and clubs are written with the characters of foreign persons
    if span.sort == "name" and not span.words:
        fit *= _UNKNOWN_HAN.get(quest.sort, 1.0)
    if quest.sort == "country":
        return fit if span.key in lexicon.COUNTRIES_ZH or span.key in lexicon.COUNTRIES_EN else 0.0
    if quest.sort == "place" and (span.key in lexicon.COUNTRIES_ZH or span.key in lexicon.COUNTRIES_EN):
        return 0.5 * fit
    if quest.people_only and quest.sort == "team":
        return _FIT["person"].get(span.sort, 0.0)
    if quest.sort == "person" and span.sort == "person" and span.words == 1:
        return 0.4
    return fit


def _is_of_tool(key: str, quest: NameQuest) -> bool:
    """A command begins with the tool that the question names, where it names one."""
    head = key.strip("`").split(" ")[0]
    tools = [w.rstrip("0123456789.") for w in quest.words if len(w) > 2]
    return " " not in key or not tools or head in tools


def without_asked(span: NameSpan, text: str, quest: NameQuest) -> NameSpan:
    """Google CEO Sundar Pichai, the Athens Games: words of the question at either end are not part of the name."""
    words = [(m.start() + span.start, m.end() + span.start) for m in _RUN.finditer(text[span.start : span.end])]
    first, last = 0, len(words)

    def is_asked(number: int) -> bool:
        word = text[slice(*words[number])]
        return word.casefold().strip(".,'’") in quest.words

    while span.words and last - first > 1 and is_asked(first):
        first += 1
    while span.words and last - first > 1 and is_asked(last - 1):
        last -= 1
    while first and last - first > 1 and text[words[first][0]].islower():
        first += 1  # Prize for Literature
    if not span.words or last - first == len(words):
        return span
    kept = [text[a:b] for a, b in words[first:last]]
    if all(_NUMERAL.fullmatch(w) for w in kept):
        return span  # Super Bowl LV
    start, end = words[first][0], words[last - 1][1]
    return replace(
        span, start=start, end=end, key=clean_name(text[start:end]), words=len(kept),
        sort=latin_sort([w.casefold().strip(".,") for w in kept]),
    )  # fmt: skip


def in_question(span: NameSpan, quest: NameQuest) -> bool:
    """The question holds the name itself: it asks about it; or it is nothing but who reports."""
    key = span.key
    if key in lexicon.NO_ANSWER or key in quest.folded:
        return True
    if span.words:
        words = _WORD.findall(key)
        held = sum(w in quest.words for w in words)
        return held == len(words) or (held > 0 and len(words) > 2 and 2 * held > len(words))
    return span.sort == "title" and any(part in quest.folded for part in (key[:4],) if len(part) == 4)
