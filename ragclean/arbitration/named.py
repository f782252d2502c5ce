"""Names that may answer: which names of a page stand where the question's answer would, and how surely.

A name answers where it stands in the place of the relation asked about ('directed by X', 'X won', 导演X, X执导), in a
sentence that speaks of the rest of the question. A logistic model weighs these signs, as for values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ragclean.arbitration import named_lexicon as lexicon
from ragclean.arbitration.equivalence_names import same_name
from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.named_quest import NameQuest
from ragclean.arbitration.named_spans import NameSpan, identifier_spans, name_spans
from ragclean.prepare import PreparedText

WEIGHTS: Mapping[str, float] = MappingProxyType({
    "after": 1.6,
    "before": 1.4,
    "clause": 0.6,
    "nearest": 0.6,
    "sort": 1.2,
    "sentence": 1.8,
    "page": 0.8,
    "first": 0.5,
    "repeated": 0.5,
    "key": 0.8,
    "single": -0.6,
    "list": -0.3,
    "prior": 0.0,
    "close": 0.5,
})  # fmt: skip
BIAS = -4.6
#: Characters between a relation word and the name that stands in its place.
_REACH = {"zh": 14, "en": 40}
_CLOSE = {"zh": 4, "en": 8}
_MAX_SENTENCES = 120
_MAX_NAMES = 80
_MAX_LENGTH = 1500
_CLAUSE = re.compile(r"[,;。:!?\n]|\.\s")
_LIST = re.compile(r"^\s?(?:、|,|/|&|and\b|和|与|及)")
#: Kinds of sentence that state nothing.
_NO_STATEMENT = frozenset(("table_rule",))


@dataclass(frozen=True, slots=True)
class NameBid:
    """A name that may answer, with its best sentence."""

    key: str
    written: str
    sentence: int
    sentences: tuple[int, ...]
    confidence: float
    related: bool
    """It stands in the place of the relation asked about, or there is none that a text could show."""
    told: str = ""
    """The folded sentence."""


def name_bids(prepared: PreparedText, title: str, facet: FacetFocus, scores: Sequence[float] = ()) -> list[NameBid]:
    """Names of a page with the probability that each answers, the surest first."""
    found = []
    for group in _grouped(list(signs(prepared, title, facet, scores))):
        best = max(group, key=lambda g: (g[1], -g[0].start))
        numbers = tuple(dict.fromkeys(g[3] for g in sorted(group, key=lambda g: g[3])))
        longest = max(group, key=lambda g: (len(g[0].key), -g[0].start))
        found.append(NameBid(
            longest[0].key, prepared.text[longest[0].start : longest[0].end], best[3], numbers, best[1],
            bool(best[2]["after"] or best[2]["before"]), prepared.folded_sentences[best[3]],
        ))  # fmt: skip
    return sorted(found, key=lambda b: (-b.confidence, b.sentence, b.key))


_Signed = tuple[NameSpan, float, dict[str, float], int]


def _grouped(signed: list[_Signed]) -> list[list[_Signed]]:
    groups: list[list[_Signed]] = []
    for item in sorted(signed, key=lambda g: (-len(g[0].key), g[0].start)):
        home = next((g for g in groups if same_name(g[0][0].key, item[0].key)), None)
        if home is None:
            groups.append([item])
        else:
            home.append(item)
    return groups


def signs(
    prepared: PreparedText, title: str, facet: FacetFocus, scores: Sequence[float] = ()
) -> Iterator[_Signed]:
    """Each mention of a name of the asked sort with its probability, its signs and its sentence."""
    quest = facet.named
    if quest is None:
        return
    page = f"{title}\n{prepared.folded}"
    spans = identifier_spans(prepared) if quest.sort == "identifier" else name_spans(prepared)
    mine = [s for s in spans if _fits(s, quest, prepared.text) > 0 and not _in_question(s, quest)][:_MAX_NAMES]
    if not mine:
        return
    total = sum(t.weight for t in facet.terms) or 1.0
    present = [t for t in facet.terms if t.credit(page) > 0]
    far = sum(t.weight for t in present) / total
    keyed = not facet.key_subjects or any(t.credit(page) for t in facet.key_subjects)
    counts: dict[str, int] = {}
    for s in mine:
        counts[s.key] = counts.get(s.key, 0) + 1
    by_sentence: dict[int, list[NameSpan]] = {}
    for s in mine:
        by_sentence.setdefault(prepared.sentence_at(s.start), []).append(s)
    for number, here in list(by_sentence.items())[:_MAX_SENTENCES]:
        if number < 0 or prepared.sentences[number].kind in _NO_STATEMENT:
            continue
        text = prepared.folded_sentences[number][:_MAX_LENGTH]
        offset = prepared.sentences[number].start
        before_text = prepared.folded_sentences[number - 1][-200:] if number else title
        own = sum(t.weight * max(t.credit(text), 0.6 * t.credit(before_text)) for t in present) / total
        links = _links(text, quest)
        nearest = _nearest(here, links, offset)
        for rank, s in enumerate(here):
            after, before, close, clause = _place(s.start - offset, s.end - offset, text, links, quest.lang)
            found = {
                "after": after,
                "before": before,
                "close": close,
                "clause": clause,
                "nearest": float(s in nearest),
                "sort": _fits(s, quest, prepared.text),
                "sentence": own,
                "page": far,
                "first": float(rank == 0),
                "repeated": float(counts[s.key] > 1),
                "key": float(keyed),
                "single": float(s.words == 1 or (s.words == 0 and s.end - s.start < 3)),
                "list": float(bool(_LIST.match(text[s.end - offset :]))),
                "prior": float(prepared.sentences[number].kind == "heading"),
            }
            yield s, _logistic(BIAS + sum(WEIGHTS[n] * x for n, x in found.items())), found, number


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


_Link = tuple[int, int, str]


def _links(text: str, quest: NameQuest) -> list[_Link]:
    """Where the relation's words stand in a sentence."""
    links: list[_Link] = []
    for pattern, side in ((quest.before, "before"), (quest.after, "after")):
        if pattern is not None:
            links += [(m.start(), m.end(), side) for m in pattern.finditer(text) if m.end() > m.start()]
    return links


def _nearest(here: Sequence[NameSpan], links: Sequence[_Link], offset: int) -> set[NameSpan]:
    """For each relation word the nearest name on its side."""
    found = set()
    for start, end, side in links:
        if side == "after":
            following = [s for s in here if s.start - offset >= end]
            if following:
                found.add(min(following, key=lambda s: s.start))
        else:
            leading = [s for s in here if s.end - offset <= start]
            if leading:
                found.add(max(leading, key=lambda s: s.end))
    return found


def _place(start: int, end: int, text: str, links: Sequence[_Link], lang: str) -> tuple[float, float, float, float]:
    """How well the name stands behind or before a relation word: (after, before, close, in one clause)."""
    after = before = close = clause = 0.0
    reach, near = _REACH[lang], _CLOSE[lang]
    for a, b, side in links:
        between = text[b:start] if side == "after" and b <= start else text[end:a] if side == "before" and end <= a else None
        if between is None or len(between) > reach:
            continue
        one = not _CLAUSE.search(between.strip(" :"))
        score = (1.0 - len(between) / (2 * reach)) * (1.0 if one else 0.4)
        if side == "after":
            after = max(after, score)
        else:
            before = max(before, score)
        close = max(close, float(one and len(between) <= near))
        clause = max(clause, float(one))
    return after, before, close, clause


#: How well a sort of name fits what is asked, 0..1.
_FIT: Mapping[str, Mapping[str, float]] = MappingProxyType({
    "person": {"person": 1.0, "name": 0.4},
    "country": {"place": 1.0},
    "place": {"place": 1.0, "name": 0.4, "person": 0.2, "event": 0.4, "organisation": 0.2},
    "team": {"organisation": 1.0, "person": 0.8, "name": 0.8, "place": 0.7, "event": 0.4},
    "title": {"title": 1.0, "person": 0.3, "name": 0.3, "event": 0.3},
    "organisation": {"organisation": 1.0, "name": 0.6, "event": 0.8, "person": 0.3},
    "identifier": {"identifier": 1.0},
    "any": {"name": 0.8, "person": 0.7, "organisation": 0.8, "place": 0.5, "title": 0.5, "event": 0.4},
})  # fmt: skip


def _fits(span: NameSpan, quest: NameQuest, text: str) -> float:
    fit = _FIT[quest.sort].get(span.sort, 0.0)
    if quest.sort == "country":
        return fit if span.key in lexicon.COUNTRIES_ZH or span.key in lexicon.COUNTRIES_EN else 0.0
    if quest.sort == "place" and (span.key in lexicon.COUNTRIES_ZH or span.key in lexicon.COUNTRIES_EN):
        return 0.5 * fit
    if quest.people_only and quest.sort == "team":
        return _FIT["person"].get(span.sort, 0.0)
    if quest.sort == "person" and span.sort == "person" and span.words == 1:
        return 0.4
    return fit


def _in_question(span: NameSpan, quest: NameQuest) -> bool:
    """The question holds the name itself: it asks about it."""
    key = span.key
    if key in quest.folded:
        return True
    if span.words:
        words = re.findall(r"[a-z0-9à-žß]+", key)
        held = sum(w in quest.words for w in words)
        return held == len(words) or (held > 0 and len(words) > 2 and 2 * held > len(words))
    return span.sort == "title" and any(part in quest.folded for part in (key[:4],) if len(part) == 4)
