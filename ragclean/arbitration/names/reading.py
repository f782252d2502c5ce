"""Names that may answer: which names of a page stand where the question's answer would, and how surely.

A name answers where it stands in the place of the relation asked about ('directed by X', 'X won', 导演X, X执导), in a
sentence that speaks of the rest of the question. A logistic model weighs these signs, as for values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.logistic import logistic
from ragclean.arbitration.names import lexicon
from ragclean.arbitration.names.equivalence import clean_name, same_name
from ragclean.arbitration.names.fit import fits, in_question, without_asked
from ragclean.arbitration.names.quest import OTHER, NameQuest
from ragclean.arbitration.names.spans import NameSpan, identifier_spans, name_spans
from ragclean.arbitration.terms import FocusTerm
from ragclean.prepare import PreparedText

#: Fitted to 6,800 names on 680 pages of public question sets: area under the curve 0.83 in ten folds by question, 0.82
#: for weights set by hand. Some signs were sharpened afterwards, which moved it by 0.01 at most, and "after" was raised
#: by hand (from 0.14).
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
_APPOSED = frozenset((",", ":", "(", "-", "--", "·", "|"))
_CLAUSE = re.compile(r"[,;。:!?\n]|\.\s")
#: What stands between the names of a list, and further names that make it one.
_BETWEEN = re.compile(r"\s?(?:、|,|/|&|·|;)?\s?(?:and|和|与|及|以及)?\s?")
_LISTED = 2
_Link = tuple[int, int, str]
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_BRACKET = re.compile(r"[\"'》]{0,2} ?\(([^()\n]{3,40})\)")
#: Brackets that translate, pronounce or shorten the name, or tell when somebody lived.
_GLOSS = re.compile(
    r"[^a-z0-9\u3400-\u9fff]|(?:[英法德日韩俄西意]|葡萄牙|拉丁)[语文]|简称|又|原|也|即|别|港|台|译|本名"
    r"|born|also|formerly|abbrev|or |the |\d{3,4} ?[-~–]|[a-z .'-]{1,14}:|[a-z]{2,6}$"
)
_NUMBERS = re.compile(r"[\d./-]+")
_TITLE = re.compile(r"《([^《》]{1,30})》")
_SCENE = re.compile(r"(?:在|来自|位于|飞往|抵达)$")
_SCENE_AFTER = re.compile(r"站|赛区|举[办行]|公开赛|大师赛")
_DENIED = re.compile(lexicon.DENIED)
_BESIDE = re.compile(lexicon.BESIDE)
#: Credit of a word of the question in the sentence before, and characters of that sentence.
_NEAR, _BEFORE = 0.6, 200
_CLAUSE_MARKS = frozenset(",;。!?\n|")
#: A relation word of so few characters (in, 在) says something of the name it touches only.
_TELLING = 0.5
#: A name that fits as well as this takes the topic over.
_RIVAL = 0.7
_WEAK = {"zh": 1, "en": 2}
#: A thing is named by its whole name or another of its names; share of the question that the sentence speaks of.
_IN_FULL, _MOSTLY = 0.9, 0.6
_PARTLY = 0.3
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
    variant: str = ""
    """What the page adds in brackets to the name of what is asked about: (2009 film), (Springfield)."""


def name_bids(prepared: PreparedText, title: str, facet: FacetFocus) -> list[NameBid]:
    """Names of a page with the probability that each answers, the surest first."""
    if facet.named is None or facet.named.sort == OTHER:
        return []
    found = []
    variant = _variant(f"{title}\n{prepared.folded}", facet)
    aliases = {clean_name(x): clean_name(y) for x, y in facet.named.aliases}
    needs_full_name = facet.named.sort == "person" or facet.named.people_only
    for group in _grouped(list(signs(prepared, title, facet))):
        best = max(group, key=lambda g: (g[1], -g[0].start))
        numbers = tuple(dict.fromkeys(g[3] for g in sorted(group, key=lambda g: g[3])))
        longest = max(group, key=lambda g: (len(g[0].key), -g[0].start))
        found.append(NameBid(
            key=aliases.get(longest[0].key, longest[0].key),
            written=prepared.text[longest[0].start : longest[0].end],
            sentence=best[3],
            sentences=numbers,
            confidence=best[1],
            # A lone word is a first name, a part or a thing.
            firm=bool(best[2]["firm"]) and not (needs_full_name and longest[0].words == 1),
            told=prepared.folded_sentences[best[3]],
            variant=variant,
        ))  # fmt: skip
    return sorted(found, key=lambda b: (-b.confidence, b.sentence, b.key))


def _variant(page: str, facet: FacetFocus) -> str:
    """The bracket behind the thing's name that tells it from others of that name."""
    for term in facet.key_subjects:
        for form, credit in term.forms:
            at = page.find(form) if credit >= _IN_FULL and len(form) > 2 else -1
            bracket = _BRACKET.match(page, at + len(form)) if at >= 0 else None
            if bracket and not _GLOSS.match(bracket.group(1)):
                return bracket.group(1).strip()
    return ""


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
    spans = tuple(without_asked(s, prepared.text, quest) for s in spans)
    mine = [s for s in spans if fits(s, quest) > 0 and not in_question(s, quest)][:_MAX_NAMES]
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
                "sort": fits(s, quest),
                "sentence": own,
                "first": float(rank == 0),
                "repeated": float(counts[s.key] > 1),
                "single": float(s.words == 1),
                "beside": float(_is_beside(text[max(0, start - 40) : start], text[end : end + 4], quest)),
                "adjacent": float(_is_adjacent(start, end, text, facet)),
                "around": sum(t.weight * t.credit(own_clause) for t in present) / total,
                "year": float(_of_other_year(text, quest)),
            }
            probability = logistic(BIAS, WEIGHTS, found)
            linked = bool(clause) or bool(found["adjacent"]) or _is_topic(start, end, here, text, links, offset, quest)
            denied = bool(_DENIED.search(_TITLE.sub("", own_clause)))
            of_twin = quest.twins is not None and bool(quest.twins.search(own_clause))
            apart = of_twin or bool(denied) or bool(found["beside"]) or bool(found["year"])
            if quest.sort == "identifier":
                # It is told by its shape; what it is for is said in other words as often as not.
                stated = own >= _PARTLY and not apart
            else:
                stated = firm and linked and own >= _MOSTLY and not apart
            found["firm"] = float(stated and not _in_list(rank, here, text, offset))
            yield s, probability, found, number


def _credit(
    term: FocusTerm, text: str, introduced: str, snippet: str, quest: NameQuest, links: Sequence[_Link]
) -> float:
    """How far a sentence speaks of a word of the question, in its own words or before it."""
    said = max(term.credit(text), _NEAR * term.credit(introduced), _SAME_SNIPPET * term.credit(snippet))
    if said < _IN_FULL and quest.asked is not None and quest.asked.search(term.text):
        if any(not side.startswith("core") and b - a > _WEAK[quest.lang] for a, b, side in links):
            return _IN_FULL
    return said


def _in_list(rank: int, here: Sequence[NameSpan], text: str, offset: int) -> bool:
    """One of three names or more in a row: a list of many, of whom none is the answer by itself."""
    beside = 0
    for step in (1, -1):
        at = rank
        while 0 <= at + step < len(here) and beside < _LISTED:
            a, b = sorted((here[at], here[at + step]), key=lambda s: s.start)
            if not _BETWEEN.fullmatch(text, a.end - offset, b.start - offset):
                break
            beside += 1
            at += step
    return beside >= _LISTED


def _is_topic(
    start: int, end: int, here: Sequence[NameSpan], text: str, links: Sequence[_Link], offset: int, quest: NameQuest
) -> bool:
    """A name at the head of a clause is what the next clauses go on about, up to another name: X凭借…，最终夺冠."""
    if start and text[start - 1] not in _CLAUSE_MARKS and text[start - 1] != " ":
        return False
    others = (s.start - offset for s in here if s.start - offset >= end and fits(s, quest) >= _RIVAL)
    following = min(others, default=len(text))
    return any(side.endswith("before") and end <= a <= min(following, end + _TOPIC) for a, _, side in links)


def _is_adjacent(start: int, end: int, text: str, facet: FacetFocus) -> bool:
    """A word of the question touches the name: 南非世界杯, CEO Musk."""
    left, right = text[max(0, start - 12) : start].rstrip(), text[end : end + 12].lstrip()
    return any(
        left.endswith(form) or right.startswith(form)
        for t in facet.terms if t.weight >= _TELLING for form, credit in t.forms if credit > _NEAR and len(form) > 1
    )


def _is_beside(left: str, right: str, quest: NameQuest) -> bool:
    """What stands beside the name says that it is another's: the loser, a predecessor, the scene."""
    if _BESIDE.search(left) or (quest.sort == "title" and right[:2] in ("'s", "’s")):
        return True
    return quest.sort not in ("place", "country") and bool(_SCENE.search(left) or _SCENE_AFTER.match(right))


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
    if quest.sort == "identifier":
        return True
    if not all(t.credit(around) >= _IN_FULL for t in facet.key_subjects if not _NUMBERS.fullmatch(t.text)):
        return False
    if any(rank not in text for rank in quest.ranks):
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
        # 'the director, X', '导演:X': what stands directly behind a comma is in apposition.
        one = between.strip() in _APPOSED or not _CLAUSE.search(between.strip(" :"))
        score = (1.0 - len(between) / (2 * reach)) * (1.0 if one else 0.4) * (0.6 if short else 1.0)
        if side.endswith("after"):
            after = max(after, score)
        else:
            before = max(before, score)
        close = max(close, float(one and len(between) <= near and not short))
        clause = max(clause, float(one))
    return after, before, close, clause
