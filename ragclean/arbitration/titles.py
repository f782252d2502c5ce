"""Which edition of which rule a page is, told by its title or first line: 《保修政策（2024版）》, 'Tariff, issue 3'.

Two pages whose names differ in their edition alone are one document twice, and the later one holds. Only rules,
terms and price lists replace each other so: reports of two years and software of two versions stand side by side.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ragclean.prepare import Passage
from ragclean.text.numerals import parse_han

#: What replaces its earlier editions.
_RULE = re.compile(
    r"条款|合同|标准|办法|规定|政策|制度|协议|手册|细则|规则|章程|守则|须知|条件|价目|价格表|收费表|方案|凭证|约定|指引"
    r"|terms|polic(?:y|ies)|rules|handbook|agreement|regulations|conditions|tariff|charges|price list|prices|wording"
)
#: Beside a number of an edition ('issue 3') guides as well; beside a bare 'v3' only what is no software, no protocol
#: and no level of members.
_GUIDE = re.compile(_RULE.pattern + r"|说明书|指南|guide|manual|booklet|leaflet|instructions")
_NO_SOFTWARE = re.compile(
    r"条款|办法|规定|制度|细则|章程|守则|须知|terms|polic(?:y|ies)|regulations|conditions|wording"
)
_OPENED = r"[(\[《【 ,:-]{0,3}"
_EDITION = re.compile(
    rf"{_OPENED}(?:"
    r"第 ?(?P<zh>\d{1,3}|[一二三四五六七八九十]{1,3}) ?版"
    r"|\b(?:issue|edition|ed\.|revision|rev\.?)(?: no\.?)? (?P<number>\d{1,3})\b"
    r"|\b(?P<nth>\d{1,2})(?:st|nd|rd|th) (?:edition|issue|version)\b"
    r"|\b(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?:edition|issue|version)\b"
    r")"
)
_VERSION = re.compile(rf"{_OPENED}(?<![a-z\d])v(?:ersion|er\.?)? ?(?P<v>\d{{1,3}}(?:\.\d{{1,3}}){{0,2}})(?![\d.]*\w)")
_YEAR = re.compile(rf"{_OPENED}(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d| ?[款级届]|[年〕\])】]{{0,2}} ?第? ?\d{{1,4}} ?号)")
_ENGLISH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
#: The name stands at the head of a page, and no sentence ends before its edition.
_HEAD = 80
_SENTENCE_END = re.compile(r"[。!?;\n]|\.(?= )")
#: What belongs to the name behind its edition ('2024 – Enterprise', 'v7 (dogs)'), and what only says that it is one.
_BEHIND = re.compile(r"[^\d,;:。.\n()\[\]》】]{0,24}(?:\([^()\d\n]{1,24}\))?")
_OF_EDITION = re.compile(
    r"[年度版本修订正季春夏秋冬]|试行|暂行|学期|[上下]半|\b(?:edition|version|issue|print(?:ing)?|winter|summer)\b"
)
#: What a comma behind the edition goes on with: where the rule holds (', inland') is of its name, since when is not.
_SCOPE = re.compile(r"[,，] ?([^\d,;:。.\n()]{2,24})(?=[,;:。.\n]|$)")
_SINCE = re.compile(r"起|执行|施行|适用|替代|取代|废止|作废|修订|supersed|replac|valid|effective|from|in force|applies")
_PUNCTUATION = re.compile(r"[\W_]+")
#: A name of fewer letters is any page's ('terms').
_SHORTEST = 4
_CACHE = 4096


def edition_of(passage: Passage) -> tuple[str, str]:
    """The name of the rule that a page is, without its edition, and the edition as numbers; empty where it is none."""
    by_title = _read(passage.chunk.title.lower()[:_HEAD]) if passage.chunk.title else ("", "")
    return by_title if by_title[0] else _read(passage.prepared.folded[:_HEAD])


@lru_cache(maxsize=_CACHE)
def _read(head: str) -> tuple[str, str]:
    for pattern, rule in ((_EDITION, _GUIDE), (_VERSION, _NO_SOFTWARE), (_YEAR, _RULE)):
        m = pattern.search(head)
        if m is None or _SENTENCE_END.search(head, 0, m.start()):
            continue
        before, behind = head[: m.start()], _BEHIND.match(head, m.end())
        if before.strip() and not rule.search(before):
            continue  # SQL Server 2019 licence terms: the year is of the product
        written = before + _OF_EDITION.sub("", behind[0] if behind else "")
        scope = _SCOPE.match(head, behind.end() if behind else m.end())
        if scope and not _SINCE.search(scope[1]):
            written += scope[1]
        name = _PUNCTUATION.sub("", written)
        if len(name) >= _SHORTEST and rule.search(written):
            kind = "year" if pattern is _YEAR else "edition"
            return f"{kind}:{name}", _number(m)
    return "", ""


def _number(m: re.Match[str]) -> str:
    found = m.groupdict()
    if found.get("word"):
        return str(_ENGLISH.index(found["word"]) + 1)
    chinese = found.get("zh") or ""
    if chinese and not chinese.isdecimal():
        return str(int(parse_han(chinese) or 0))
    return next(text for text in found.values() if text)

