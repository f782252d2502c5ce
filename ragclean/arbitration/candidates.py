"""What a passage offers as an answer to a facet: values, names, stances, with the words of the question around them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.names.reading import NameBid, name_bids
from ragclean.arbitration.nearest import ASKS_HOW_OFTEN, in_asked_unit, rank_values
from ragclean.arbitration.stances.reading import read_stances
from ragclean.arbitration.terms import FocusTerm
from ragclean.arbitration.tiers import of_other_tier
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.frequencies import find_intervals
from ragclean.text.values import Value, same_value

#: Credit of an attribute word that stands not in the sentence but in what introduces it (heading, question of a Q/A
#: page, sentence before), or anywhere in the chunk or its title. Rows and items have it whole of their heading.
_NEAR_CREDIT = 0.75
_FAR_CREDIT = 0.35
#: Shares of a claim's confidence: the words beside the question word, the attribute's words, all of the question's.
_CORE_SHARE = 0.35
_ATTRIBUTE_SHARE = 0.25
#: A setting is named by one bare word (retention = 30d), which says little of what it is a setting of.
_CODE_CREDIT = 0.75
#: Sentences of one chunk that are looked at; a chunk of 200,000 characters has some 5,000.
_MAX_SENTENCES = 6000
_DATE_PARTS = 3
#: Credit of a value whose row or clause is for another size or amount than the question's.
_OTHER_TIER = 0.4
#: A value of another kind or unit than the asked one is taken only where it is likelier by far.
_INEXACT = 0.6
#: Credit from which a word beside the question word counts as spoken of.
_CENTRAL = 0.5
_SEVERAL = 4
#: Names of one page that are kept, and the confidence at which a page that hardly speaks of the matter may second one.
_MOST_NAMES, _SECONDING = 16, 0.13
_LEANING = frozenset(("list_item", "table_row", "code"))
#: What the sentence says itself decides between two values of one chunk that are introduced alike (a list of cities).
_OWN_SHARE = 0.25
_HEADING_REACH = 40
#: Items of the same list that may say what a later item is about.
_SIBLINGS = 4
_QUESTION_MARK = "?"
#: Rarest words of a question without names, one of which a page about its subject holds.
_SUBJECT_WORDS = 3
#: A fee that is not charged, named in the same breath.
_NO_FEE = re.compile(
    r"(?:不再?收取?|不另收|免收|免交|无需支付|无需缴纳)(?:任何)?[\u3400-\u9fff]{1,5}费(?![率用])"
    r"|\bno [a-z-]{3,20} (?:fee|charge) (?:is|will be) (?:charged|due|payable)"
)
#: What makes a waiver hold for some cases only.
_WAIVED_IF = re.compile(
    r"满|以上|超过|会员|首[次单年月件个]|如|若|凡|期间|活动|新用户|以内|之内|内的|期内|仅|学生|除|符合|达到|前\d|[?]|吗"
    r"|\b(?:if|when|over|for|members?|first|unless|within|during|only)\b"
)
_WAIVER_REACH = 300
#: What happened on a day says nothing of when something holds or will be.
_PAST_EVENT = re.compile(
    r"\b(?:was|were|went) (?:down|offline|out of service|unavailable|interrupted|disrupted|unreachable|affected)\b"
    r"|\b(?:occurred|happened|took place|suffered|experienced)\b"
    r"|发生于|发生了|发生过|曾[于在经]|一度|出现过|出现了|宕机|中断了|已恢复|故障持续"
)
_ASKS_PAST = re.compile(
    r"发生|曾|当时|宕机|故障|中断|了[吗的?]"
    r"|\b(?:did|was|were|happened|occurred|outage|down|last)\b"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value, or a yes or no, that may be what a passage says of a facet."""

    value: Value | None
    sentence: int
    confidence: float
    own: float
    conditional: bool = False
    central: bool = True
    names_subject: bool = True
    near_subject: float = 1.0
    near_key: bool = True
    exact: bool = True
    stance: str = ""
    actions: frozenset[str] = frozenset()
    bids: tuple[NameBid, ...] = ()
    page: str = field(default="", repr=False)

    @property
    def rank(self) -> float:
        """To choose by within one chunk."""
        if self.value is not None:
            return self.confidence if self.exact else _INEXACT * self.confidence
        return self.confidence + _OWN_SHARE * self.own


def name_candidates(ranked: RankedPassage, facet: FacetFocus, title: str) -> Iterator[Candidate]:
    """One candidate a page: its surest name; which of its names is its side is told by the other pages as well."""
    prepared = ranked.prepared
    bids = tuple(name_bids(prepared, title, facet)[:_MOST_NAMES])
    if bids:
        page = f"{title}\n{prepared.folded}"
        named = not facet.key_subjects or any(t.credit(page) for t in facet.key_subjects)
        yield Candidate(
            None, bids[0].sentence, max(_SECONDING, bids[0].confidence), 1.0, names_subject=named, bids=bids, page=page
        )


def stance_candidates(prepared: PreparedText, facet: FacetFocus, title: str) -> Iterator[Candidate]:
    """What a page says of a yes or no, of who pays, of one of two, or of what to do."""
    page = f"{title}\n{prepared.folded}"
    key = facet.proposition.key if facet.proposition else ()
    rest = {t.text: t for t in (*facet.subject, *facet.core) if t.text not in key}.values()
    telling = facet.key_names or tuple(sorted(rest, key=lambda t: -t.weight)[:_SUBJECT_WORDS])
    named = not telling or any(t.credit(page) for t in telling)
    for s in read_stances(prepared, title, facet):
        around = f"{_introduction(prepared, s.sentence)}\n{prepared.folded_sentences[s.sentence]}"
        near = _covered({t: t.credit(around) for t in facet.subject}, facet.subject)
        yield Candidate(
            None, s.sentence, s.confidence, s.own, s.conditional, names_subject=named,
            near_subject=1.0 if named or near is None or facet.kind != "yes_no" else near,
            stance=s.side, actions=s.actions,
        )


def value_candidates(
    prepared: PreparedText, facet: FacetFocus, title: str, threshold: float, min_own: float
) -> Iterator[Candidate]:
    """The values of the kinds asked for, each with the share of the question's words around it (at least ``threshold``;
    ``min_own`` is what a sentence of prose must hold itself)."""
    wanted = [
        (i, tuple(v for v in values if _is_asked(v, facet)))
        for i, values in enumerate(prepared.sentence_values)
        if values
    ]
    if "duration" in facet.kinds and ASKS_HOW_OFTEN.search(facet.slot_text):
        wanted = _with_intervals(prepared, wanted)
    if facet.kind == "money":
        zero = _zero_fees(prepared)
        wanted = [(i, values or zero.get(i, ())) for i, values in wanted]
        told = {i for i, _ in wanted}
        wanted = sorted((*wanted, *((i, v) for i, v in zero.items() if i not in told)), key=lambda w: w[0])
    if facet.kind == "date" and not facet.asks_validity:
        said = [
            (i, tuple(v for v in values if facet.asks_year or len(v.parts) != _DATE_PARTS or any(v.parts[1:])))
            for i, values in wanted
            if prepared.sentences[i].kind != "heading"
        ]
        wanted = [(i, _not_marks(values, prepared, facet)) for i, values in said]
        if facet.changes and not _ASKS_PAST.search(facet.slot_text):
            wanted = [(i, v) for i, v in wanted if not _PAST_EVENT.search(prepared.folded_sentences[i])]
    wanted = [(i, values) for i, values in wanted if values][:_MAX_SENTENCES]
    if not wanted or not facet.terms:
        return
    chunk_text = f"{title}\n{prepared.folded}"
    present = tuple((t, _FAR_CREDIT * credit) for t in facet.terms if (credit := t.credit(chunk_text)) > 0)
    if not present:
        return
    named = not facet.key_subjects or any(t in facet.key_subjects for t, _ in present)
    terms = tuple(t for t, _ in present)
    total = sum(t.weight for t in facet.terms)
    ceiling = _confidence({t: f / _FAR_CREDIT for t, f in present}, facet)
    if ceiling < threshold:
        return
    for i, values in wanted:
        text = prepared.folded_sentences[i]
        leaning = prepared.sentences[i].kind in _LEANING
        introduction = _introduction(prepared, i)
        credits, own = _credits(present, text, introduction, 1.0 if leaning else _NEAR_CREDIT)
        if own < min_own * total and not leaning and not any(in_asked_unit(v, facet) for v in values):
            continue
        confidence = _confidence(credits, facet)
        if prepared.sentences[i].kind == "code":
            confidence *= _CODE_CREDIT
        if confidence < threshold:
            continue
        central = any(credits.get(t, 0.0) >= _CENTRAL for t in facet.core) or _mostly_attribute(credits, facet)
        near = _covered({t: c for t, c in credits.items() if c >= _CENTRAL}, facet.subject)
        near = 1.0 if near is None else near
        key = not facet.key_subjects or any(credits.get(t, 0.0) >= _CENTRAL for t in facet.key_subjects)
        for value, score, exact in rank_values(prepared, i, values, terms, facet, confidence):
            if facet.sizes and of_other_tier(prepared, i, value, facet.sizes):
                score *= _OTHER_TIER
            yield Candidate(
                value, i, score, own / total, central=central, names_subject=named, near_subject=near,
                near_key=key, exact=exact,
            )


def _with_intervals(
    prepared: PreparedText, wanted: list[tuple[int, tuple[Value, ...]]]
) -> list[tuple[int, tuple[Value, ...]]]:
    """The values of each sentence with the intervals that it states by how often: 每周, twice a year."""
    found: dict[int, tuple[Value, ...]] = dict(wanted)
    for interval in find_intervals(prepared.folded):
        number = prepared.sentence_at(interval.start)
        held = found.get(number, ())
        if any(interval.start <= v.start and v.end <= interval.end and same_value(v, interval) for v in held):
            continue  # 每6个月: the span by itself says it
        if number >= 0 and not any(v.start < interval.end and interval.start < v.end for v in held if v.kind == "date"):
            within = tuple(v for v in held if not (interval.start <= v.start and v.end <= interval.end))
            found[number] = tuple(sorted((*within, interval), key=lambda v: v.start))
    return sorted(found.items())


def _zero_fees(prepared: PreparedText) -> dict[int, tuple[Value, ...]]:
    """Sentences without a sum of money that waive the fee they name: zero is its value there.

    A waiver that depends on something (满99元免运费, free for members) contradicts no fee, and is none.
    """
    found: dict[int, tuple[Value, ...]] = {}
    for m in _NO_FEE.finditer(prepared.folded):
        number = prepared.sentence_at(m.start())
        if number < 0 or number in found or any(v.kind == "money" for v in prepared.sentence_values[number]):
            continue
        if not _WAIVED_IF.search(prepared.folded_sentences[number][:_WAIVER_REACH]):
            unit = "CNY" if m.group()[0] > "\u3400" else "USD"
            found[number] = (Value("money", m.start(), m.end(), 0.0, 0.0, unit),)
    return found


def _not_marks(values: tuple[Value, ...], prepared: PreparedText, facet: FacetFocus) -> tuple[Value, ...]:
    """Dates that do not merely say when the page was published or came into force."""
    kept = []
    for v in values:
        at = bisect_right(prepared.marks, v.start, key=lambda m: m.start)
        near = [m for m in prepared.marks[max(0, at - 2) : at] if m.when and v.start < m.end]
        if not any(not any(t.credit(prepared.folded[m.start : m.end]) for t in facet.core) for m in near):
            kept.append(v)
    return tuple(kept)


def _is_asked(value: Value, facet: FacetFocus) -> bool:
    if value.kind not in facet.kinds:
        return False
    return not (facet.units and value.kind == "quantity" and value.unit not in facet.units)


def _credits(
    present: tuple[tuple[FocusTerm, float], ...], text: str, introduction: str, near: float
) -> tuple[dict[FocusTerm, float], float]:
    credits: dict[FocusTerm, float] = {}
    own = 0.0
    for term, far in present:
        here = term.credit(text)
        own += here * term.weight
        credits[term] = max(here, near * term.credit(introduction) if here < near else 0.0, far)
    return credits, own


def _confidence(credits: dict[FocusTerm, float], facet: FacetFocus) -> float:
    """Share of the question's words that surround the value; those that say what is asked count most."""
    everything = _covered(credits, facet.terms)
    attribute = _covered(credits, tuple(t for t in facet.terms if t.attribute))
    core = _covered(credits, facet.core)
    core = everything if core is None else core
    attribute = everything if attribute is None else attribute
    rest = 1 - _CORE_SHARE - _ATTRIBUTE_SHARE
    return _CORE_SHARE * (core or 0.0) + _ATTRIBUTE_SHARE * (attribute or 0.0) + rest * (everything or 0.0)


def _mostly_attribute(credits: dict[FocusTerm, float], facet: FacetFocus) -> bool:
    """Half of an attribute of several words is spoken of, whichever of them stands beside the question word."""
    attribute = [t for t in facet.terms if t.attribute]
    return len(attribute) >= _SEVERAL and 2 * sum(credits.get(t, 0.0) >= _CENTRAL for t in attribute) >= len(attribute)


def _covered(credits: dict[FocusTerm, float], terms: tuple[FocusTerm, ...]) -> float | None:
    total = sum(t.weight for t in terms)
    return sum(credits.get(t, 0.0) * t.weight for t in terms) / total if total else None


def _introduction(prepared: PreparedText, number: int) -> str:
    """What stands before a sentence and says what it is about."""
    sentences, texts = prepared.sentences, prepared.folded_sentences
    me = sentences[number]
    parts: list[str] = []
    leaning = me.kind in _LEANING
    if number and not leaning:
        before = sentences[number - 1]
        if before.paragraph == me.paragraph or before.kind == "heading":
            parts.append(texts[number - 1])
    heading = lead = False
    for i in range(number - 1, max(-1, number - _HEADING_REACH), -1):
        s = sentences[i]
        if s.kind == "heading":
            parts.append(texts[i])
            heading = True
            break
        if s.kind == "table_header":
            if me.kind == "table_row" and s.paragraph == me.paragraph:
                parts.append(texts[i])
        elif leaning and not lead:
            # What introduces a list: the sentence before it, an item that ends in a colon, and items without values.
            lead = s.kind not in _LEANING or texts[i].endswith(":")
            if lead or (number - i <= _SIBLINGS and not prepared.sentence_values[i]):
                parts.append(texts[i])
        elif texts[i].endswith(_QUESTION_MARK) and i == 0:
            parts.append(texts[i])
    if number and not heading and sentences[0].kind == "prose" and len(texts[0]) <= 60:
        parts.append(texts[0])
    return "\n".join(parts)
