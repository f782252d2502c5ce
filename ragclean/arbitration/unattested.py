"""Stricter hurdles where nobody knows who speaks: passages of unknown origin, as a search of the web brings them.

Such passages are about one topic but seldom about one thing: figures of a month and of a year, of a part and of the
whole, of another film of the series. A claim may dispute another there only where its own clause says what it is of.
"""

from __future__ import annotations

import math
import re
from statistics import median

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.focus import FacetFocus, Focus
from ragclean.arbitration.terms import FocusTerm
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.tokens import informativeness, is_stopword
from ragclean.text.units import COUNT_SYNONYM, GENERIC_COUNT
from ragclean.text.values import Value, size_ratio

#: A value as likely as this is an answer whatever words it stands in.
BEYOND_WORDS = 0.5
#: More sides than these are figures of many things.
MAX_SIDES = 3
#: Characters between a value and the word of the question that it is the value of.
_REACH = {"number": 6, "date": 14}
_REACH_ELSE = 24
#: Share of the subject's words that must stand around the value, where no key word of it does.
_SUBJECT_SHARE = 0.4
#: Values further apart than this factor measure different things (a price a share, the price of a firm).
_SAME_MEASURE = 20.0
#: Even between pages whose source is known, quantities this far apart are of two things.
_WORLDS_APART = 300.0
_SIZED = frozenset(("quantity", "duration", "money"))
#: What follows a value directly and takes it for itself: 145元的抛光布, 16-inch screen.
_OWNED = re.compile(r" ?的([\u3400-\u9fff]{1,8})")
_COUNTED = re.compile(r" ?([\u3400-\u9fff]{1,6})")
_NO_NOUN = re.compile(r"[在于为是以之及和与或的等左右内后前起止]")
#: Periods a figure may be of.
_PERIOD = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|[上下]半年|[前第]?[一二三四1-4]季度|\d{1,2}[-至到]\d{1,2}月|前\d{1,2}个?月"
    r"|(?<![\d年])\d{1,2}月(?!\d)|去年|前年|上年|明年|上月|(?:first|second) half|(?<![a-z])q[1-4](?![a-z])"
)
#: One voice against as many must speak of the question this fully in comparison.
_MANY_VOICES = 4
_AS_FULLY = 0.95
_HALF_AS_FULLY = 0.5
#: Numbers from here on are rounded when people speak of them, by so much at the most.
_ROUNDED_FROM = 1000.0
_ROUNDING = 0.02
_YEAR_ONLY_REACH = 8
#: A year alone is the answer where a year is asked for, or where it is said of something that happened in it.
_ASKS_YEAR = re.compile(r"年|year")
_POINT_IN_TIME = re.compile(r"(?:[于在自从]|\b(?:in|since|until)) ?(?:[a-z]{3,9} )?$")
_STAMP = re.compile(
    r"(发布时间|发布日期|更新时间|更新日期|发表时间|日期|时间|来源|posted|published|updated)[: ]{0,3}(?:on )?$"
)
_DATE_PARTS = 3
#: Different words of a page from which it is more than a snippet, and share of the shorter one's that two pages about
#: one thing have in common. Of 48 such pairs in a public set (ramdocs) 15 of 20 about namesakes are told by it,
#: and 24 of 28 about one thing stay.
_FULL_PAGE, _ONE_STORY, _STEM, _MOST_WORDS = 20, 0.4, 5, 300
_TITLE = re.compile(r"《([^《》]{1,30})》")


def speaks_clearly(claim: Claim, ranked: RankedPassage, facet: FacetFocus, focus: Focus) -> bool:
    """The claim's own sentence says that its value is one of the thing and the attribute asked for."""
    if claim.value is None:
        return True
    text, start, end = _place(claim.value, claim, ranked)
    return (
        _near_subject(claim, facet)
        and _beside_attribute(claim.value, text, start, end, facet)
        and not of_something_else(claim, ranked, facet, focus)
    )


def of_something_else(claim: Claim, ranked: RankedPassage, facet: FacetFocus, focus: Focus) -> bool:
    """The value dates the page, or its sentence says that it is of another work, another noun or another period."""
    if claim.value is None:
        return False
    text, start, end = _place(claim.value, claim, ranked)
    return (
        _stamps_page(claim.value, text, start, focus)
        or _of_another_title(text, focus)
        or _of_another_noun(claim.value, text, start, end, facet)
        or _of_another_period(claim.value, text, focus)
    )


def _place(value: Value, claim: Claim, ranked: RankedPassage) -> tuple[str, int, int]:
    """The claim's sentence, folded, and where its value stands in it."""
    offset = ranked.prepared.sentences[claim.sentence].start
    return ranked.prepared.folded_sentences[claim.sentence], value.start - offset, value.end - offset


def of_namesakes(a: PreparedText, b: PreparedText, asked: str) -> bool:
    """Two full pages that share hardly a word besides the question's: they tell of two things of one name."""
    mine, theirs = _telling_words(a, asked), _telling_words(b, asked)
    if min(len(mine), len(theirs)) < _FULL_PAGE:
        return False
    shared = sum(weight for word, weight in mine.items() if word in theirs)
    return shared < _ONE_STORY * min(sum(mine.values()), sum(theirs.values()))


def _telling_words(prepared: PreparedText, asked: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for token in prepared.tokens:
        word = prepared.folded[token.start : token.end]
        if token.kind in ("han", "latin") and len(word) > 1 and word not in asked and not is_stopword(word):
            found[word[:_STEM] if word.isascii() else word] = informativeness(word)
            if len(found) >= _MOST_WORDS:
                break
    return found


def level(groups: list[list[Claim]], few: bool = False) -> list[list[Claim]]:
    """Without the sides that speak of the question much less fully than the fullest, or the many, do.

    Among few pages a likely answer counts in any words.
    """
    lead = max(groups, key=lambda g: (len(g), g[0].confidence, g[0].key), default=[])
    many = len(lead) >= _MANY_VOICES
    bar = _AS_FULLY * median(c.own for c in lead) if many else 0.0
    least = _HALF_AS_FULLY * max((c.own for g in groups for c in g), default=0.0)

    def full(group: list[Claim]) -> bool:
        if few and max(c.confidence for c in group) >= BEYOND_WORDS:
            return True
        own = max(c.own for c in group)
        return own >= least and (group is lead or len(group) * _MANY_VOICES > len(lead) or own >= bar)

    return [g for g in groups if full(g)]


def one_measure(a: Claim, b: Claim, passages_text: tuple[str, str]) -> bool:
    """Two values that can be of one measure and period: not far apart, dates stated to one precision."""
    if a.value is None or b.value is None:
        return True
    if a.value.kind == "date" and b.value.kind == "date":
        return _precision(a.value) == _precision(b.value)
    if is_rounding(a.value, b.value):
        return False
    if a.value.kind == b.value.kind == "count" and a.value.unit and b.value.unit:
        if COUNT_SYNONYM.get(a.value.unit, a.value.unit) != COUNT_SYNONYM.get(b.value.unit, b.value.unit):
            return False
    ratio = size_ratio(a.value, b.value)
    if ratio and a.value.kind != "percent" and not 1 / _SAME_MEASURE <= ratio <= _SAME_MEASURE:
        return False
    mine, theirs = (frozenset(_PERIOD.findall(t)) for t in passages_text)
    return not mine or not theirs or bool(mine & theirs)


def of_one_size(a: Claim, b: Claim) -> bool:
    """Not so far apart that they cannot be of one measure: 3 mm of a brake pad and 200 km of running in."""
    if a.value is None or b.value is None or a.value.kind not in _SIZED:
        return True
    ratio = size_ratio(a.value, b.value)
    return not ratio or 1 / _WORLDS_APART <= ratio <= _WORLDS_APART


def is_rounding(a: Value, b: Value) -> bool:
    """One is the other with fewer figures: 6 trillion for 6.05 trillion, 2.52 million for 2,521,525."""
    x, y = _size(a), _size(b)
    if not x or not y or a.kind != b.kind or min(x, y) < _ROUNDED_FROM:
        return False
    few, many = sorted((x, y), key=_figures)
    n = _figures(few)
    if n >= _figures(many):
        return False
    unit = 10.0 ** (math.floor(math.log10(many)) - n + 1)
    return abs(many - few) < unit and abs(many - few) <= _ROUNDING * many


def _figures(x: float) -> int:
    """Significant figures of a number, eight at the most."""
    return len(f"{x:.8g}".split("e")[0].replace(".", "").strip("0")) or 1


def _size(value: Value) -> float:
    ends = [abs(x) for x in (value.low, value.high) if x is not None]
    return max(ends, default=0.0)


def _precision(value: Value) -> tuple[bool, ...]:
    return tuple(bool(p) for p in value.parts[1:_DATE_PARTS])


def _near_subject(claim: Claim, facet: FacetFocus) -> bool:
    return claim.near_subject >= _SUBJECT_SHARE or (claim.near_key and not facet.is_yes_no)


def _beside_attribute(value: Value, text: str, start: int, end: int, facet: FacetFocus) -> bool:
    reach = _REACH.get(value.kind, _REACH_ELSE)
    if value.kind == "date" and value.parts and not any(value.parts[1:_DATE_PARTS]):
        reach = _YEAR_ONLY_REACH
        if not _ASKS_YEAR.search(facet.slot_text) and not _POINT_IN_TIME.search(text[max(0, start - 10) : start]):
            return False
    asked = [t for t in facet.core if t.attribute] or list(facet.core)
    gaps = [g for t in asked if (g := _gap(t, text, start, end)) >= 0]
    needed = len(asked) - 1 if value.kind == "date" else len(asked) // 2
    return bool(gaps) and min(gaps) <= reach and len(gaps) >= needed


def _gap(term: FocusTerm, text: str, start: int, end: int) -> int:
    """Characters between a value and the nearest spelling of a term; -1 where there is none."""
    gaps = []
    for form, _ in term.forms:
        before = text.rfind(form, 0, end)
        after = text.find(form, start)
        if before >= 0:
            gaps.append(max(0, start - before - len(form)))
        if after >= 0:
            gaps.append(max(0, after - end))
    return min(gaps, default=-1)


def _stamps_page(value: Value, text: str, start: int, focus: Focus) -> bool:
    """The date on which the page was put up, as its head or foot says."""
    stamp = _STAMP.search(text[max(0, start - 16) : start]) if value.kind == "date" else None
    return stamp is not None and stamp.group(1) not in focus.folded


def _of_another_title(text: str, focus: Focus) -> bool:
    """The sentence names works by their titles, and none is the one asked for."""
    titles = _TITLE.findall(text)
    return bool(titles) and "《" in focus.folded and not any(
        t in focus.folded or any(name in t or t in name for name in focus.names) for t in titles
    )


def _of_another_noun(value: Value, text: str, start: int, end: int, facet: FacetFocus) -> bool:
    owner = _OWNED.match(text, end)
    if owner and value.kind in ("money", "count", "quantity"):
        return not any(t.credit(owner.group(1)) for t in facet.terms)
    if value.kind != "count" or value.unit not in GENERIC_COUNT:
        return False
    noun = _COUNTED.match(text, end)
    if noun is None or _NO_NOUN.match(noun.group(1)):
        return False
    return not any(t.credit(text[end : end + 10]) for t in facet.terms)


def _of_another_period(value: Value, text: str, focus: Focus) -> bool:
    """A figure of part of a year or of another year, where the question names a year."""
    if value.kind in ("date", "time"):
        return False
    periods = [p for p in _PERIOD.findall(text) if p not in focus.folded]
    asked = [p for p in _PERIOD.findall(text) if p in focus.folded]
    return bool(periods) and not asked and bool(focus.years)
