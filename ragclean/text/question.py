"""What a question asks for: kinds of answer, attribute words, things named, scope."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from ragclean.text import question_words as qw
from ragclean.text.folding import fold, language
from ragclean.text.question_content import YEAR, ContentWord, content_words, qualifiers, things_named, versions
from ragclean.text.question_kinds import (
    NEAREST,
    AnswerKind,
    alternatives,
    offered_value,
    refined,
    settle,
    unit_named,
)

#: Only so much of a query is read: no question is longer, and a pasted document must not cost more than one.
MAX_QUERY = 1000
#: Terms beyond these say little more and each costs a search of all texts.
MAX_TERMS = 32
MAX_FACETS = 6
MAX_ATTRIBUTES = 5
#: Characters looked at before a question word: longer than any phrase by which one is introduced.
_LEAD = 24
_CLAUSE_END = re.compile(r"[,，](?!\d)|[。;；?？!！\n\r]|\.(?=\s|$)")
@dataclass(frozen=True, slots=True)
class Facet:
    """One thing asked for: 'how much' of what. ``units``: value units that can answer (``("CNY",)``), empty: any."""

    kind: AnswerKind
    attributes: tuple[str, ...]
    """Folded content words of the attribute asked for (整机, 保修), most specific first."""
    units: tuple[str, ...] = ()
    alternatives: tuple[AnswerKind, ...] = ()
    """Other kinds that can answer as well (a deadline: a date or a duration)."""

    @property
    def kinds(self) -> frozenset[str]:
        """The asked kind and its alternatives."""
        return frozenset((self.kind, *self.alternatives))


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """An informative term of the query with its weight (rarity in the language, 0..1)."""

    text: str
    weight: float
    kind: Literal["word", "code", "name"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question read: what it asks for, and about what."""

    text: str
    folded: str
    lang: str
    facets: tuple[Facet, ...]
    """At least one; the first is the main one."""
    terms: tuple[QueryTerm, ...]
    things: tuple[str, ...]
    """Folded names and codes of the thing asked about (x200, 澜川, n-07b)."""
    years: tuple[int, ...] = ()
    versions: tuple[tuple[int, ...], ...] = ()
    qualifiers: tuple[str, ...] = ()
    """Folded scope words: region, edition, audience, customer group (免费版, 实习生, 普通员工, 赞比亚 ...)."""

    @property
    def kind(self) -> AnswerKind:
        return self.facets[0].kind


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question word found in the query."""

    start: int
    end: int
    kind: str
    units: tuple[str, ...]
    clause: int


def parse_question(query: str) -> Question:
    """Read a question in Chinese or English, colloquial or keyword style. Never raises on any string."""
    return _parse(query)


@lru_cache(maxsize=512)
def _parse(query: str) -> Question:
    original = query[:MAX_QUERY]
    folded = fold(original)
    lang = language(folded)
    clauses = _clauses(folded)
    asked = _question_words(folded, clauses)
    words = content_words(original, folded, [(a.start, a.end) for a in asked])
    facets = _facets(folded, lang, clauses, asked, words)
    return Question(
        text=query,
        folded=folded,
        lang=lang,
        facets=facets,
        terms=_terms(words),
        things=things_named(folded, words),
        years=tuple(dict.fromkeys(int(y) for y in YEAR.findall(folded))),
        versions=versions(folded),
        qualifiers=qualifiers(folded, words),
    )


# -- question words -----------------------------------------------------------------------------------------------


def _clauses(folded: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for m in _CLAUSE_END.finditer(folded):
        if folded[start : m.start()].strip():
            spans.append((start, m.start()))
        start = m.end()
    if folded[start:].strip() or not spans:
        spans.append((start, len(folded)))
    return spans


def _question_words(folded: str, clauses: Sequence[tuple[int, int]]) -> list[_Asked]:
    found: list[_Asked] = []
    for number, (start, end) in enumerate(clauses):
        here = [
            _Asked(m.start(), m.end(), *_fixed_kind(m), number) for m in qw.fixed_pattern().finditer(folded, start, end)
        ]
        taken = [(a.start, a.end) for a in here]
        here += [
            _Asked(m.start(), m.end(), "", (), number)
            for m in qw.open_pattern().finditer(folded, start, end)
            if not any(s < m.end() and m.start() < e for s, e in taken)
        ]
        here += _yes_no_heads(folded, start, end, number)
        here.sort(key=lambda a: a.start)
        found += _without_polite_frames(folded, here)
    return _without_side_remarks(folded, clauses, found)[:MAX_FACETS]


def _without_side_remarks(folded: str, clauses: Sequence[tuple[int, int]], asked: list[_Asked]) -> list[_Asked]:
    """Only the question word of a main clause asks: not the when of 'what do I pay when I am abroad'."""
    if len(asked) < 2:
        return asked
    kept = [a for a in asked if not _is_side_remark(folded, clauses[a.clause][0], a)]
    return kept or asked


def _is_side_remark(folded: str, clause_start: int, a: _Asked) -> bool:
    word = folded[a.start : a.end]
    last = word.rpartition(" ")[2]
    if a.kind == "yes_no":
        return qw.POLITE.match(folded, a.start) is not None
    if not word.isascii() or last not in qw.SIDE_WORDS or word.startswith(("what ", "which ")):
        return False
    lead = folded[max(clause_start, a.start - _LEAD) : a.start].strip(" \"'(:-")
    if word in ("when", "where") and not lead:
        return qw.ASKING_AUX.match(folded, a.end) is None
    if word in ("who", "which", "whom", "whose") and not lead and a.kind in ("", "name"):
        # ', which broke after a week' goes on with what stands before the comma.
        return folded[:clause_start].rstrip().endswith(",") and qw.GOES_ON.match(folded, a.end) is not None
    return qw.ASKS_AFTER.search(lead) is None


def _fixed_kind(m: re.Match[str]) -> tuple[str, tuple[str, ...]]:
    kind, units, _ = qw.FIXED[int((m.lastgroup or "k0")[1:])]
    if kind == "count" and not units and m.group()[-1] > "\u4e00":
        units = qw.counted_units(m.group().lstrip("几多少"))
    return kind, units


def _yes_no_heads(folded: str, start: int, end: int, clause: int) -> list[_Asked]:
    lead = start + len(folded[start:end]) - len(folded[start:end].lstrip())
    m = qw.YES_NO_HEAD.match(folded, lead, end)
    if m and qw.PAST_HEAD.match(folded, lead, end) and "?" in folded[:start]:
        return []  # 'late fee? was stuck in traffic today'
    return [_Asked(lead, m.end() - 1, "yes_no", (), clause)] if m else []


def _without_polite_frames(folded: str, asked: list[_Asked]) -> list[_Asked]:
    """'Can you tell me how long', 知道要多久吗: the yes/no is a frame around the real question."""
    others = [a for a in asked if a.kind != "yes_no"]
    if not others or len(others) == len(asked):
        return asked
    kept = []
    for a in asked:
        if a.kind == "yes_no":
            first, last = min(a.end, others[0].start), max(a.start, others[-1].end)
            between = folded[first : others[0].start] if a.start < others[0].start else folded[others[-1].end : last]
            if " and " not in between and " or " not in between and not any(c in between for c in "和与且并还"):
                continue
        kept.append(a)
    return kept


def _terms(words: Sequence[ContentWord]) -> tuple[QueryTerm, ...]:
    terms: dict[str, QueryTerm] = {}
    for w in sorted(words, key=lambda w: w.start):
        if w.text not in terms and w.weight > 0:
            terms[w.text] = QueryTerm(w.text, w.weight, w.kind)
    ranked = sorted(terms.values(), key=lambda t: -t.weight)[:MAX_TERMS]
    kept = {t.text for t in ranked}
    return tuple(t for t in terms.values() if t.text in kept)


# -- facets -------------------------------------------------------------------------------------------------------


def _facets(
    folded: str, lang: str, clauses: Sequence[tuple[int, int]], asked: Sequence[_Asked], words: Sequence[ContentWord]
) -> tuple[Facet, ...]:
    if not asked:
        return (_keyword_facet(folded, words),)
    facets: list[Facet] = []
    for i, a in enumerate(asked):
        clause = clauses[a.clause]
        low = asked[i - 1].end if i and asked[i - 1].clause == a.clause else clause[0]
        high = asked[i + 1].start if i + 1 < len(asked) and asked[i + 1].clause == a.clause else clause[1]
        near = _near(folded, a, low, high, words)
        if facets and folded[a.start : a.end] == "how much" and all(w.kind != "word" for w in near):
            continue  # 'how much notice here, and how much in Brno': the same once more
        if not near and i == 0:
            near = _near(folded, a, 0, len(folded), words)
        kind, units = (a.kind, a.units) if a.kind else settle(folded, a.start, a.end, near)
        if kind in ("yes_no", "action", "unknown"):
            offered = offered_value(folded, *clause)
            kind, units = offered or (kind, units)
        kind, units = refined(folded, a.start, a.end, kind, units, near)
        owner_ends = folded.rfind("的", low, a.start)
        attributes = _attributes(near, owner_ends)
        if not attributes or all(qw.is_light(w) for w in attributes):
            attributes = _attributes(_near(folded, a, *clause, words)) or attributes
            if all(qw.is_light(w) for w in attributes):
                more = facets[-1].attributes if facets else _attributes(_near(folded, a, 0, len(folded), words))
                attributes = tuple(dict.fromkeys((*more, *attributes)))[:MAX_ATTRIBUTES]
        others = alternatives(kind, folded[a.start : a.end], near)
        for part in _each(folded, low, a.start, near) or (attributes,):
            facets.append(Facet(cast(AnswerKind, kind), part, units, others))
        sums = any(qw.hint_of(w) == ("money", ()) for w in attributes)
        if kind == "action" and sums and folded.startswith("算", a.end):
            facets.append(Facet("money", attributes, (), ("percent",)))
        if kind == "yes_no" and qw.PRICE_YES_NO.search(folded, *clause):
            facets.append(Facet("money", attributes, (), ("percent",)))
    return tuple(dict.fromkeys(facets))[:MAX_FACETS]


#: X和Y各多少, X和Y分别是多少: two values are asked for, each of its own.
_EACH = re.compile(r"(?:各自?|分别)(?:是|为|要|收|需要?|付|交|有|能|可以)?$")
_EACH_REACH = 8
_CONJUNCTION = re.compile(r"[和与跟及、]|以及")


def _each(folded: str, low: int, start: int, near: Sequence[ContentWord]) -> tuple[tuple[str, ...], ...]:
    """Attributes of each of two things whose values are asked for at once; empty for a question of one."""
    each = _EACH.search(folded, max(low, start - _EACH_REACH), start)
    joint = _CONJUNCTION.search(folded, low, each.start()) if each else None
    if each is None or joint is None:
        return ()
    left = [w for w in near if w.end == joint.start()][:1]
    owner_ends = folded.rfind("的", joint.end(), each.start())
    if owner_ends < 0 and len(left[:1]) == 1 and qw.hint_of(left[0].text) is None:
        # 白天和夜间停车费: the noun that says what is asked belongs to both.
        owner_ends = max((w.start for w in near if w.end == each.start() and qw.hint_of(w.text)), default=0) - 1
    right = sorted((w for w in near if joint.end() <= w.start < each.start()), key=lambda w: -w.start)
    shared = [w for w in right if w.start > owner_ends] if owner_ends >= 0 else []
    own = [w for w in right if w not in shared and not qw.is_light(w.text)]
    if not left or not own:
        return ()
    parts = ([*shared, *left], [*shared, *own])
    return tuple(tuple(dict.fromkeys(w.text for w in part))[:MAX_ATTRIBUTES] for part in parts)


def _near(folded: str, a: _Asked, low: int, high: int, words: Sequence[ContentWord]) -> list[ContentWord]:
    """Content words of the question word's own stretch, nearest first; in English what follows it comes first."""
    before = [w for w in words if low <= w.start and w.end <= a.start]
    after = [w for w in words if a.end <= w.start and w.end <= high]
    before.sort(key=lambda w: -w.end)
    after.sort(key=lambda w: w.start)
    if folded[a.start : a.end].isascii():
        return after + before
    direct, reach = [], a.end
    for w in after:
        if w.start > reach + 1:
            break
        direct.append(w)
        reach = w.end
    return direct + before + [w for w in after if w not in direct]


def _attributes(near: Sequence[ContentWord], owner_ends: int = -1) -> tuple[str, ...]:
    """Words of the attribute, most specific first; what stands before the last 的 is whose attribute it is.

    Light words (交, 一个月, get) stand last, and only where hardly anything else says what is asked; so do English
    names, which say of what.
    """
    plain = [w for w in near if w.kind != "code" and w.weight > 0]
    own = [w for w in plain if w.start > owner_ends] or plain
    telling = [w for w in own if not qw.is_light(w.text)]
    first = sorted(telling[:NEAREST], key=lambda w: (w.kind == "name" and w.text.isascii(), -w.weight))
    rest = [w for w in (*telling, *(w for w in plain if not qw.is_light(w.text))) if w not in first]
    light = [w for w in own if qw.is_light(w.text)] if len(first) + len(rest) < 2 else []
    return tuple(dict.fromkeys(w.text for w in (*first, *rest, *light)))[:MAX_ATTRIBUTES]


def _keyword_facet(folded: str, words: Sequence[ContentWord]) -> Facet:
    """Keyword style: the last word that asks for a kind decides (X200 保修, Super Bowl 2021 location)."""
    ordered = sorted(words, key=lambda w: -w.start)
    offered = offered_value(folded, 0, len(folded))
    if offered is not None:
        return Facet(cast(AnswerKind, offered[0]), _attributes(ordered), offered[1], alternatives(offered[0], "", []))
    counted = qw.COUNTED_KEYWORD.search(folded)
    if counted is not None and qw.hint_of(counted.group(1) or counted.group(2)) is None:
        word = counted.group(1) or counted.group(2)
        return Facet("count", _attributes(ordered), (word, word[:-1]), alternatives("count", "", ordered))
    for w in ordered:
        hint = qw.hint_of(w.text)
        if hint is not None and qw.PER.search(folded, max(0, w.start - 8), w.start):
            continue  # per year, per key
        if hint is not None and hint[0] == "date" and folded[w.end : w.end + 2].strip()[:1].isdigit():
            continue  # year 2
        if hint is not None:
            named = qw.IN_UNIT.search(folded) if hint[0] in ("count", "quantity", "number") else None
            measured = unit_named(named.group(1)) if named else None
            hint = measured or hint
            rest = [x for x in ordered if x is not w]
            return Facet(cast(AnswerKind, hint[0]), _attributes([w, *rest]), hint[1], alternatives(hint[0], "", [w]))
    attributes = _attributes(ordered)
    if qw.TIMED_KEYWORD.search(folded):
        return Facet("time", attributes, (), ("date", "duration"))
    if qw.MEASURED_KEYWORD.search(folded):
        return Facet("number", attributes, (), alternatives("number", "", ordered))
    return Facet("unknown", attributes)


