"""Pages that say which edition they take the place of, and the pages that are that edition or were made from it.

'(2026年修订,2022年版同时废止)', 'issue 3, supersedes issues 1 and 2', 'V5(替代V4)': the new page names the old one by
its year, its number or its letter. A page beside it whose head bears that label, and names the same document, is out of
force although neither a date nor a lineage tells so; so is what says of itself that it rests on that edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from ragclean.arbitration.timing import is_in_force
from ragclean.prepare import Passage
from ragclean.text.tokens import is_stopword, tokenize

#: Characters at the head of a page in which it says what it is, and of a page that are searched for what it replaces.
_HEAD, _REACH = 90, 3000
#: An edition by its year, its number or its letter, as (kind, what stands in it).
_LABEL = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)(?![年./-] ?\d{1,2}(?:[月./-]|\b))"
    r"|(?:第|令|令第|(?<=[a-z\u3400-\u9fff ])no\. ?)(?P<order>\d{1,4})(?:号|\b)"
    r"|第?(?P<nth>[一二三四五六七八九十]|\d{1,2})版"
    r"|(?:\b(?:issues?|editions?|versions?|revisions?|rev\.?) |(?<![a-z0-9])v)"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,2}|[a-h])"
    r"(?![a-z0-9]|\.\d)(?: ?(?:and|to|,|&) ?(?P<second>\d{1,3}(?:\.\d{1,3})?)(?![0-9]))?"
)
_ENDS_ZH = r"(?:同时|即行?|均|一并|予以|自此|起)?(?:废止|作废|停止(?:执行|使用|施行)|不再(?:适用|执行|使用)|失效)"
#: The old edition's label stands in the part 'old'; every pattern stays within its clause.
_REPLACES = re.compile(
    rf"(?P<before>[^,。;()\n]{{2,30}}?){_ENDS_ZH}"
    r"|(?:代替|取代|替代|替换|废止)了?(?P<after>[^,。;()\n]{2,30})"
    r"|\b(?:supersed(?:es?|ing)|replac(?:es?|ing)|tak(?:es?|ing) the place of|in place of|cancels"
    r"|(?:destroy|discard) (?:all )?(?:stocks|copies) of)(?P<what>(?:rev\.|[^.,;()\n]){2,50})"
    r"|(?P<whose>[^.,;()\n]{2,40}?) (?:is|are|was|were) (?:hereby )?"
    r"(?:withdrawn|void|cancelled|superseded|obsolete|repealed)"
)
_AFTERWARDS = re.compile(r"[后起]$|\b(?:by|since|after) ")
#: Before the label of an edition that a page was made from.
_RESTS_ON = re.compile(
    r"(?:依据|根据|依照|参照|按照|按|照着?|转自|摘自|摘抄自|抄自|沿用|来自)[^,。;\n]{0,8}$"
    r"|\b(?:from|per|according to|based on|carried over from|copied from|taken from)(?: the| my| our)? ?$"
)
_BEFORE = 16
#: Ends the name of a document at the head of its page.
_NAME_END = re.compile(r"[(。!?:\n]|\. ")
#: Share of the content words of the shorter head that the other holds, from which both name one document.
_ONE_NAME = 0.5
_CACHE = 1024


@dataclass(frozen=True, slots=True)
class _Labels:
    """What a page says of editions: its own, those it rests on, those it puts out of force."""

    own: frozenset[str]
    rests_on: frozenset[str]
    ended: frozenset[str]
    name: frozenset[str]
    """Content words of the document's name."""


def ended_by_another(passages: Sequence[Passage], as_of: date) -> frozenset[int]:
    """Indices of passages that are an edition which another one in force says it takes the place of, or rest on it."""
    read = {p.index: _read(p.chunk.title.lower(), p.prepared.folded[:_REACH]) for p in passages}
    ending = [p for p in passages if read[p.index].ended and is_in_force(p, as_of)]
    found = set()
    for new in ending:
        for old in passages:
            mine, theirs = read[new.index], read[old.index]
            if old is new or not mine.ended:
                continue
            labels = mine.ended - mine.own
            if (labels & theirs.own and not theirs.ended & labels and _one_document(mine, theirs, labels)) or (
                labels & theirs.rests_on
            ):
                found.add(old.index)
    return frozenset(found)


def _one_document(a: _Labels, b: _Labels, labels: frozenset[str]) -> bool:
    """The heads name one document; an order has a number of its own."""
    if any(x.startswith("order:") for x in labels & b.own):
        return True
    return bool(a.name and b.name) and len(a.name & b.name) >= _ONE_NAME * min(len(a.name), len(b.name))


@lru_cache(maxsize=_CACHE)
def _read(title: str, folded: str) -> _Labels:
    ended: set[str] = set()
    gone: list[tuple[int, int]] = []
    for m in _REPLACES.finditer(folded):
        start, end = m.span(m.lastgroup or 0)
        if _AFTERWARDS.search(folded, start, end):
            continue  # 'after the revision of 2025 no longer applied': it is this page that has ended
        ended |= {x for _, x in _labels(folded[start:end])}
        gone.append((start, end))
    head = f"{title}\n{folded[:_HEAD]}"
    offset = len(title) + 1
    own, rests = set[str](), set[str]()
    for at, label in _labels(head):
        if not any(s <= at - offset < e for s, e in gone):
            own.add(label)
    for at, label in _labels(folded):
        if _RESTS_ON.search(folded, max(0, at - _BEFORE), at):
            rests.add(label)
    return _Labels(frozenset(own - rests), frozenset(rests), frozenset(ended), _words(title, folded))


def _labels(text: str) -> Iterator[tuple[int, str]]:
    """Where an edition is named, and as what."""
    for m in _LABEL.finditer(text):
        if m.group("year"):
            yield m.start(), f"year:{m.group('year')}"
        elif m.group("order"):
            yield m.start(), f"order:{int(m.group('order'))}"
        elif m.group("nth"):
            yield m.start(), f"number:{_figure(m.group('nth'))}"
        else:
            yield m.start(), f"number:{m.group('number')}"
            if m.group("second"):
                yield m.start(), f"number:{m.group('second')}"


def _figure(numeral: str) -> str:
    return str("一二三四五六七八九十".find(numeral) + 1 or numeral) if not numeral.isdigit() else str(int(numeral))


def _words(title: str, folded: str) -> frozenset[str]:
    """The content words of what a document is called, by its title and its opening."""
    opening = folded[:_HEAD]
    end = _NAME_END.search(opening)
    name = f"{title} {opening[: end.start()] if end else opening}"
    return frozenset(
        word for t in tokenize(name)
        if t.kind in ("han", "latin") and len(word := name[t.start : t.end]) > 1 and not is_stopword(word)
    )
