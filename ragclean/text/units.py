"""Units people write after numbers, in Chinese and English, each with its kind, base unit and factor."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragclean.text.unit_table import CLASSIFIERS, HAN_UNITS, LATIN_UNITS


class Unit(NamedTuple):
    """A kind of value, its base unit, and how many of the base one of this unit is."""

    kind: str
    base: str
    factor: float


#: One-letter units that a space would turn into words or marks ("5 a day", "3 d").
_GLUED = frozenset("adyn")

#: Words that name the same counted thing.
_SAME_COUNT = (
    ("次", "times", "time", "requests", "request", "calls", "call", "回", "遍", "趟"),
    ("人", "名", "位", "people", "persons", "person", "users", "user", "members", "member"),
    ("台", "units", "unit", "devices", "device"),
    ("条", "records", "record", "entries", "entry", "items", "item", "rows", "row", "messages", "message"),
    ("件", "pieces", "piece", "pcs"),
    ("岁", "周岁"),
    ("本", "册", "books", "book"),
    ("倍", "fold"),
    ("张", "sheets", "sheet", "tickets", "ticket"),
    ("页", "pages", "page"),
    ("家", "companies", "company", "stores", "store"),
)
COUNT_SYNONYM = {word: group[0] for group in _SAME_COUNT for word in group}
#: Classifiers that may stand for any counted thing: 3个 and 3台 do not differ.
GENERIC_COUNT = frozenset(("", "个", "项", "种", "款"))

#: Data sizes written with one letter (200M, 16G) look like metres and grams once folded; words about data decide.
DATA_CONTEXT = re.compile(
    r"文件|上传|下载|大小|内存|存储|流量|宽带|带宽|附件|硬盘|容量|空间|显存|缓存|图片|视频|file|memory|ram|disk"

                          r"|storage|upload|download|bandwidth|quota|heap|cache")
DATA_LETTER = {"k": 1024.0, "m": 1048576.0, "g": 1073741824.0, "t": 1099511627776.0}

PREFIX_CURRENCY = {"¥": "CNY", "￥": "CNY", "$": "USD", "£": "GBP", "€": "EUR", "₹": "INR", "₩": "KRW"}


def _words() -> tuple[dict[str, Unit], str]:
    table: dict[str, Unit] = {}
    patterns: list[tuple[str, str]] = []
    for (kind, base, factor), words in HAN_UNITS.items():
        for word in words.split():
            name, _, not_after = word.partition("!")
            table[name] = Unit(kind, base, factor)
            patterns.append((name, f"(?!{not_after})" if not_after else ""))
    for word in CLASSIFIERS.split():
        name, _, not_after = word.partition("!")
        if name not in table:
            table[name] = Unit("count", name, 1.0)
            patterns.append((name, f"(?!{not_after})" if not_after else ""))
    patterns.sort(key=lambda p: -len(p[0]))
    return table, "|".join(re.escape(name) + guard for name, guard in patterns)


HAN_UNIT, _HAN_ALTERNATIVES = _words()
#: Group 1: 多/余/来, 'and some'. Group 2: 个半. Group 3: the unit.
HAN_UNIT_AT = re.compile(rf"\s{{0,2}}([多余来])?(个半)?({_HAN_ALTERNATIVES})")

_LATIN_LIST = [(word.replace("~", "[ -]").replace("_", "[ ]"), Unit(*key))
               for key, words in LATIN_UNITS.items() for word in words.split()]
_LATIN_LIST.sort(key=lambda p: -len(p[0]))
LATIN_UNIT_AT = re.compile(
    r"[ -]?(" + "|".join(word for word, _ in _LATIN_LIST) + r")(?![a-z0-9])"
)
_LATIN_EXACT = [(re.compile(word), unit) for word, unit in _LATIN_LIST]
_latin_known: dict[str, Unit] = {}


def latin_unit(word: str) -> Unit:
    """The unit that a match of :data:`LATIN_UNIT_AT` (without its blanks) stands for."""
    found = _latin_known.get(word)
    if found is None:
        found = next(unit for pattern, unit in _LATIN_EXACT if pattern.fullmatch(word))
        _latin_known[word] = found  # bounded: the patterns match a few hundred strings at most
    return found


def is_glued_only(word: str) -> bool:
    """A unit of one letter that a space before it turns into a word: ``5 a day``."""
    return word in _GLUED
