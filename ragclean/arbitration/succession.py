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
#: Words after the old edition's label, which stands in the clause before them, and words before it.
_ENDED = re.compile(
    r"(?:同时|即行?|均|一并|予以|自此|起)?(?:废止|作废|停止(?:执行|使用|施行)|不再(?:适用|执行|使用)|失效)"
    r"| (?:is|are|was|were) (?:hereby )?(?:withdrawn|void|cancelled|superseded|obsolete|repealed)"
)
_REPLACES = re.compile(
    r"(?:代替|取代|替代|替换|废止)了?(?P<zh>[^,。;()\n]{2,30})"
    r"|\b(?:supersed(?:es?|ing)|replac(?:es?|ing)|tak(?:es?|ing) the place of|in place of|cancels"
    r"|(?:destroy|discard) (?:all )?(?:stocks|copies) of)(?P<en>(?:rev\.|[^.,;()\n]){2,50})"
)
_CLAUSE, _CLAUSE_MARKS = 40, re.compile(r"[,。;()\n]|(?<!\brev)\.")
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
_CACHE = 256


@dataclass(frozen=True, slots=True)
class _Labels:
    """What a page says of editions: which one it is, which it rests on, and what its document is called."""

    own: frozenset[str]
    rests_on: frozenset[str]
    name: frozenset[str]


def ended_by_another(passages: Sequence[Passage], as_of: date) -> frozenset[int]:
    """Indices of passages that are an edition which another one in force says it takes the place of, or rest on it."""
    ended = {p.index: _ended(p.prepared.folded[:_REACH]) for p in passages}
    ending = [p for p in passages if ended[p.index] and is_in_force(p, as_of)]
    if not ending:
        return frozenset()
    read = {p.index: _read(p.chunk.title.lower(), p.prepared.folded[:_REACH]) for p in passages}
    found = set()
    for new in ending:
        mine = read[new.index]
        labels = ended[new.index] - mine.own
        for old in (p for p in passages if p is not new):
            theirs = read[old.index]
            is_it = labels & theirs.own and not labels & ended[old.index] and _one_document(mine, theirs, labels)
            if is_it or labels & theirs.rests_on:
                found.add(old.index)
    return frozenset(found)


def _one_document(a: _Labels, b: _Labels, labels: frozenset[str]) -> bool:
    """The heads name one document; an order has a number of its own."""
    if any(x.startswith("order:") for x in labels & b.own):
        return True
    return bool(a.name and b.name) and len(a.name & b.name) >= _ONE_NAME * min(len(a.name), len(b.name))


@lru_cache(maxsize=_CACHE)
def _ended(folded: str) -> frozenset[str]:
    """The editions that a page puts out of force."""
    return frozenset(label for start, end in _ending_clauses(folded) for _, label in _labels(folded[start:end]))


def _ending_clauses(folded: str) -> Iterator[tuple[int, int]]:
    """Where a page says which edition it takes the place of."""
    for m in _ENDED.finditer(folded):
        begin = max(0, m.start() - _CLAUSE)
        start = max((c.end() for c in _CLAUSE_MARKS.finditer(folded, begin, m.start())), default=begin)
        if not _AFTERWARDS.search(folded, start, m.start()):
            yield start, m.start()
        # else 'after the revision of 2025 no longer applied': it is this page that has ended
    for m in _REPLACES.finditer(folded):
        yield m.span(m.lastgroup or 0)


@lru_cache(maxsize=_CACHE)
def _read(title: str, folded: str) -> _Labels:
    gone = list(_ending_clauses(folded))
    head = f"{title}\n{folded[:_HEAD]}"
    offset = len(title) + 1
    own = {label for at, label in _labels(head) if not any(s <= at - offset < e for s, e in gone)}
    rests = {label for at, label in _labels(folded) if _RESTS_ON.search(folded, max(0, at - _BEFORE), at)}
    return _Labels(frozenset(own - rests), frozenset(rests), _words(title, folded))


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
