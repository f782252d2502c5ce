# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""What a page says of itself in its first words: whether it is about another product or house of the same kind."""

from __future__ import annotations

import re

from ragclean.arbitration.focus import FacetFocus
from ragclean.text.tokens import informativeness

#: Characters at the head of a page that say what it is about.
_HEAD = 40
_BEHIND = re.compile(r"[\u4e00-\u9fff]{2}")
#: What stands behind a maker's name and is no product: its papers, its offices, its people.
_PAPERS = re.compile(
    r"用户|住户|使用|服务|产品|帮助|客服|售后|官方|公告|规则|规定|说明|手册|指南|条款|协议|须知|论坛|常见|版本|技术|安全|保修|质保|三包|[这的是从我一他在也真现这新老]"
)
#: What stands before a kind of thing and is no name: 各家民宿, 住了民宿.
_NO_NAME = re.compile(r"[^\u4e00-\u9fff]|[各这那某本我你他她它们家间个的此该了在到去住订租开选找是和与或从被把就都也很]")
_A_NAME = 0.98
#: Behind the name in a question, where it is a whole name already: 季卡都刷过, 季卡能转.
_NO_PRODUCT = re.compile(r"[都也还就能可要会已怎咋啥什多几是的了在被把给过到里上下谁哪算用]")
_OFFICES = re.compile(r"中心|局|委|办公室|协会|公司|公众号|学院")


def headed_by_sibling(folded: str, facet: FacetFocus) -> bool:
    """The page opens with the maker asked about and another product behind it: 铃讯短信 where 铃讯推送 is asked about."""
    opening = folded[:_HEAD].lstrip("【《[(「『 ")
    if any(_another_of_its_kind(opening, facet.slot_text, name.text) for name in facet.key_names):
        return True
    for name in facet.key_names:
        mine = _BEHIND.search(facet.slot_text, *_after(facet.slot_text, name.text))
        theirs = _BEHIND.match(opening, len(name.text)) if opening.startswith(name.text) else None
        if mine is None or theirs is None or mine.start() != facet.slot_text.find(name.text) + len(name.text):
            continue
        word, other = mine.group(), theirs.group()
        if _NO_PRODUCT.match(word):
            continue
        if word[0] == other[0] or word in opening[:_HEAD] or _PAPERS.match(opening, len(name.text)):
            continue
        if not _OFFICES.search(opening[: _HEAD // 2]):
            return True
    return False


def _another_of_its_kind(opening: str, question: str, name: str) -> bool:
    """The page opens with another name before the kind of thing asked about: 观澜民宿 where 听涛民宿 is asked about."""
    kind = _BEHIND.match(question, *_after(question, name)) if name in question else None
    if kind is None or name in opening or name.isascii():
        return False
    at = opening.find(kind.group())
    other = opening[max(0, at - len(name)) : at] if at > 0 else ""
    return len(other) == len(name) and not _NO_NAME.search(other) and informativeness(other) >= _A_NAME


def _after(text: str, name: str) -> tuple[int, int]:
    place = text.find(name) + len(name)
    return place, place + 2
