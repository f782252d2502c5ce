"""Names that may answer: which names of a page stand where the question's answer would, and how surely.

A name answers where it stands in the place of the relation asked about ('directed by X', 'X won', 导演X, X执导), in a
sentence that speaks of the rest of the question. A logistic model weighs these signs, as for values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ragclean.arbitration import named_lexicon as lexicon
from ragclean.arbitration.equivalence_names import clean_name, same_name
from ragclean.arbitration.focus import FacetFocus, FocusTerm
from ragclean.arbitration.named_quest import NameQuest
from ragclean.arbitration.named_spans import NameSpan, identifier_spans, latin_sort, name_spans
from ragclean.prepare import PreparedText

WEIGHTS: Mapping[str, float] = MappingProxyType({
    "after": 0.40,
    "before": 0.85,
    "close": 0.71,
    "clause": 0.45,
    "nearest": 0.15,
    "sort": 2.71,
    "sentence": 1.45,
    "first": 0.76,
    "repeated": 0.93,
    "single": -0.16,
    "beside": -1.20,
    "adjacent": 0.45,
    "around": 0.52,
    "year": -0.39,
})  # fmt: skip
BIAS = -5.35
#: Characters between a relation word and the name that stands in its place.
_REACH = {"zh": 14, "en": 40}
_CLOSE = {"zh": 4, "en": 8}
_MAX_SENTENCES = 120
_MAX_NAMES = 80
_MAX_LENGTH = 1500
_CLAUSE = re.compile(r"[,;。:!?\n]|\.\s")
_LIST = re.compile(r"^\s?(?:、|,|/|&|and\b|和|与|及)")
_Link = tuple[int, int, str]
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_NUMBERS = re.compile(r"[\d./-]+")
_TITLE = re.compile(r"《([^《》]{1,30})》")
_BODY = re.compile(r"(?:协会|联盟|委员会|公司|集团|大学|学院|医院|银行|出版社|研究所)$")
_SCENE = re.compile(r"(?:在|来自|位于|飞往|抵达)$")
_BESIDE = re.compile(lexicon.BESIDE)
#: Credit of a word of the question in the sentence before, and characters of that sentence.
_NEAR, _BEFORE = 0.6, 200
_CLAUSE_MARKS = frozenset(",;。!?\n|")
#: A relation word of so few characters (in, 在) says something of the name it touches only.
_WEAK = {"zh": 1, "en": 2}
#: A thing is named by its whole name or another of its names; share of the question that the sentence speaks of.
_IN_FULL, _MOSTLY = 0.9, 0.6
#: Credit of a word that another sentence of the same snippet holds.
_SAME_SNIPPET = 0.75
#: Characters over which a topic is gone on about, and of a page that is one snippet.
_TOPIC, _SNIPPET = 60, 400
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
    firm: bool
    """It stands in the place of the relation asked about, in a sentence about what is asked for."""
    told: str = ""
    """The folded sentence."""


def name_bids(prepared: PreparedText, title: str, facet: FacetFocus) -> list[NameBid]:
    """Names of a page with the probability that each answers, the surest first."""
    found = []
    for group in _grouped(list(signs(prepared, title, facet))):
        best = max(group, key=lambda g: (g[1], -g[0].start))
        numbers = tuple(dict.fromkeys(g[3] for g in sorted(group, key=lambda g: g[3])))
        longest = max(group, key=lambda g: (len(g[0].key), -g[0].start))
        found.append(NameBid(
            longest[0].key, prepared.text[longest[0].start : longest[0].end], best[3], numbers, best[1],
            bool(best[2]["firm"]) and (longest[0].words != 1 or not _is_person(facet)), prepared.folded_sentences[best[3]],
        ))  # fmt: skip
    return sorted(found, key=lambda b: (-b.confidence, b.sentence, b.key))


def _is_person(facet: FacetFocus) -> bool:
    """A person is asked for: a lone word is a first name, a part or a thing."""
    return facet.named is not None and (facet.named.sort == "person" or facet.named.people_only)


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


def signs(prepared: PreparedText, title: str, facet: FacetFocus) -> Iterator[_Signed]:
    """Each mention of a name of the asked sort with its probability, its signs and its sentence."""
    quest = facet.named
    if quest is None:
        return
    page = f"{title}\n{prepared.folded}"
    spans = identifier_spans(prepared) if quest.sort == "identifier" else name_spans(prepared)
    spans = tuple(_without_asked(s, prepared.text, quest) for s in spans)
    mine = [s for s in spans if _fits(s, quest) > 0 and not _in_question(s, quest)][:_MAX_NAMES]
    present = tuple(t for t in facet.terms if t.credit(page) > 0)
    if not mine or not present:
        return
    total = sum(t.weight for t in facet.terms)
    snippet = page if len(page) <= _SNIPPET else ""
    counts: dict[str, int] = {}
    by_sentence: dict[int, list[NameSpan]] = {}
    for s in mine:
        counts[s.key] = counts.get(s.key, 0) + 1
        by_sentence.setdefault(prepared.sentence_at(s.start), []).append(s)
    for number, here in list(by_sentence.items())[:_MAX_SENTENCES]:
        if number < 0 or prepared.sentences[number].kind in _NO_STATEMENT:
            continue
        text = prepared.folded_sentences[number][:_MAX_LENGTH]
        introduced = prepared.folded_sentences[number - 1][-_BEFORE:] if number else title
        offset = prepared.sentences[number].start
        links = _links(text, quest, facet)
        own = sum(t.weight * _credit(t, text, introduced, snippet, quest, links) for t in facet.terms) / total
        nearest = _nearest(here, links, offset)
        # A snippet speaks of one thing throughout.
        firm = _speaks_of_it(text, snippet or introduced, quest, facet)
        for rank, s in enumerate(here):
            start, end = s.start - offset, s.end - offset
            own_clause = _clause_of(start, end, text)
            after, before, close, clause = _place(start, end, text, links, quest.lang)
            found = {
                "after": after,
                "before": before,
                "close": close,
                "clause": clause,
                "nearest": float(s in nearest),
                "sort": _fits(s, quest),
                "sentence": own,
                "first": float(rank == 0),
                "repeated": float(counts[s.key] > 1),
                "single": float(s.words == 1),
                "beside": float(_is_beside(text[max(0, start - 40) : start], quest)),
                "adjacent": float(_is_adjacent(start, end, text, facet)),
                "around": sum(t.weight * t.credit(own_clause) for t in present) / total,
                "year": float(_of_other_year(text, quest)),
            }
            probability = _logistic(BIAS + sum(WEIGHTS[n] * x for n, x in found.items()))
            linked = bool(clause) or bool(found["adjacent"]) or _is_topic(start, end, here, text, links, offset)
            of_twin = any(other in own_clause for other in quest.others)
            found["firm"] = float(
                firm and own >= _MOSTLY and not of_twin and linked and not found["beside"] and not found["year"]
            )
            yield s, probability, found, number


def _credit(
    term: FocusTerm, text: str, introduced: str, snippet: str, quest: NameQuest, links: Sequence[_Link]
) -> float:
    """How far a sentence speaks of a word of the question, in its own words or before it."""
    said = max(term.credit(text), _NEAR * term.credit(introduced), _SAME_SNIPPET * term.credit(snippet) if snippet else 0.0)
    if said < _IN_FULL and quest.asked is not None and quest.asked.search(term.text):
        if any(not side.startswith("core") and b - a > _WEAK[quest.lang] for a, b, side in links):
            return _IN_FULL
    return said


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


def _is_topic(start: int, end: int, here: Sequence[NameSpan], text: str, links: Sequence[_Link], offset: int) -> bool:
    """A name at the head of a clause is what the next clauses go on about, up to another name: X凭借…，最终夺冠."""
    if start and text[start - 1] not in _CLAUSE_MARKS and text[start - 1] != " ":
        return False
    following = min((s.start - offset for s in here if s.start - offset >= end), default=len(text))
    return any(side.endswith("before") and end <= a <= min(following, end + _TOPIC) for a, _, side in links)


def _is_adjacent(start: int, end: int, text: str, facet: FacetFocus) -> bool:
    """A word of the question touches the name: 南非世界杯, CEO Musk."""
    left, right = text[max(0, start - 12) : start].rstrip(), text[end : end + 12].lstrip()
    return any(
        left.endswith(form) or right.startswith(form)
        for t in facet.terms for form, credit in t.forms if credit > _NEAR and len(form) > 1
    )


def _is_beside(left: str, quest: NameQuest) -> bool:
    """What stands before the name says that it is another's: the loser, a predecessor, the scene."""
    return bool(_BESIDE.search(left)) or (quest.sort not in ("place", "country") and bool(_SCENE.search(left)))


def _clause_of(start: int, end: int, text: str) -> str:
    """The clause that holds the name."""
    left = start
    while left > 0 and text[left - 1] not in _CLAUSE_MARKS:
        left -= 1
    right = end
    while right < len(text) and text[right] not in _CLAUSE_MARKS:
        right += 1
    return text[left:right]


def _of_other_year(text: str, quest: NameQuest) -> bool:
    """The sentence speaks of years, and none of the question's."""
    if not quest.years:
        return False
    told = _YEAR.findall(text)
    return bool(told) and not quest.years.intersection(told)


def _speaks_of_it(text: str, introduced: str, quest: NameQuest, facet: FacetFocus) -> bool:
    """The sentence speaks of what is asked about and of nothing that only resembles it.

    It names the thing (or the one before it does), its works and its rank (the 31st, the largest), and does not
    speak of the women's final where the men's is asked for.
    """
    around = f"{introduced}\n{text}"
    if not all(t.credit(around) >= _IN_FULL for t in facet.key_subjects if not _NUMBERS.fullmatch(t.text)):
        return False
    if any(rank not in around for rank in quest.ranks):
        return False
    titles = _TITLE.findall(text)
    return not titles or "《" not in quest.folded or any(t in quest.folded for t in titles)


def _links(text: str, quest: NameQuest, facet: FacetFocus) -> list[_Link]:
    """Where the relation's words stand in a sentence; without a known relation, the words beside the question word."""
    links: list[_Link] = []
    for pattern, side in ((quest.before, "before"), (quest.after, "after")):
        if pattern is not None:
            links += [(m.start(), m.end(), side) for m in pattern.finditer(text) if m.end() > m.start()]
    for term in facet.core:
        for form, credit in term.forms:
            at = text.find(form) if credit > _NEAR and len(form) > 1 else -1
            if at >= 0:
                links += [(at, at + len(form), side) for side in ("core before", "core after")]
    return links


def _nearest(here: Sequence[NameSpan], links: Sequence[_Link], offset: int) -> set[NameSpan]:
    """For each relation word the nearest name on its side."""
    found = set()
    for start, end, side in links:
        if side.endswith("after"):
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
        if side.endswith("after") and b <= start:
            between = text[b:start]
        elif side.endswith("before") and end <= a:
            between = text[end:a]
        else:
            continue
        short = b - a <= _WEAK[lang]  # in, at, 在, 的: they say something of what they touch only
        if len(between) > (near if short else reach):
            continue
        one = not _CLAUSE.search(between.strip(" :"))
        score = (1.0 - len(between) / (2 * reach)) * (1.0 if one else 0.4) * (0.6 if short else 1.0)
        if side.endswith("after"):
            after = max(after, score)
        else:
            before = max(before, score)
        close = max(close, float(one and len(between) <= near and not short))
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


#: A Chinese word that no dictionary knows is often none, and seldom a person where it has no surname.
_UNKNOWN_HAN: Mapping[str, float] = MappingProxyType({"person": 0.0, "place": 0.0, "team": 0.4})


def _fits(span: NameSpan, quest: NameQuest) -> float:
    fit = _FIT[quest.sort].get(span.sort, 0.0)
    if quest.sort == "team" and span.sort == "organisation" and _BODY.search(span.key):
        return 0.0
    if quest.sort == "team" and span.sort == "person" and not span.words and not quest.people_only:
        return 0.0 if "·" in span.key or (span.key[0] in lexicon.SURNAMES and len(span.key) < 4) else 0.6 * fit
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


def _without_asked(span: NameSpan, text: str, quest: NameQuest) -> NameSpan:
    """Google CEO Sundar Pichai, Wimbledon Champion X: words of the question before the name are not part of it."""
    start = span.start
    while span.words > 1:
        space = text.find(" ", start, span.end)
        word = text[start : space if space >= 0 else span.end].casefold().strip(".,'’")
        if space < 0 or word not in quest.words:
            break
        start = space + 1
    while span.words > 1 and text[start : start + 1].islower() and (space := text.find(" ", start, span.end)) >= 0:
        start = space + 1
    if start == span.start:
        return span
    words = text[start : span.end].split()
    return replace(
        span, start=start, key=clean_name(text[start : span.end]), words=len(words),
        sort=latin_sort([w.casefold().strip(".,") for w in words]),
    )


def _in_question(span: NameSpan, quest: NameQuest) -> bool:
    """The question holds the name itself: it asks about it; or it is nothing but who reports."""
    key = span.key
    if key in lexicon.NO_ANSWER or key in quest.folded:
        return True
    if span.words:
        words = re.findall(r"[a-z0-9à-žß]+", key)
        held = sum(w in quest.words for w in words)
        return held == len(words) or (held > 0 and len(words) > 2 and 2 * held > len(words))
    return span.sort == "title" and any(part in quest.folded for part in (key[:4],) if len(part) == 4)
