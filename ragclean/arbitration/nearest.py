"""Which value of a sentence answers: kind and unit, the clause of the attribute's words, what was and what is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragclean.arbitration import lexicon
from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.terms import FocusTerm
from ragclean.prepare import PreparedText
from ragclean.text.units import GENERIC_COUNT
from ragclean.text.values import Value, same_value

#: A value of an alternative kind (a plain number where a count is asked for) is less likely to be meant.
_ALTERNATIVE_CREDIT = 0.8
_TOLERANCE = ("±", "+-", "+/-", "正负")
#: A date without its year, and a count of something else (17 missions where astronauts are asked for).
_PARTIAL_DATE = 0.9
_GUESSED_DATE = 0.75
_EXACT = 0.85
_BESIDE = 10
_OTHER_UNIT = 0.6
#: Added where a value counts what is asked for by name; units that count nearly everything name nothing.
_UNIT_CREDIT = 0.1
_COMMON_COUNT = frozenset("次人名位天年元回遍种项")
#: A value in another column of a table than the one headed by the question's words; rows above it to its header.
_OTHER_COLUMN = 0.5
#: Words that bind a price to the sum of an order, and the characters before the price in which they are looked for.
_ORDER_SUM = re.compile(
    r"(?:不满|未满|不足|满|低于)\s?[\d,.]{1,9}\s?元|\borders? (?:over|under|below|above|of less than) [£$€]?\d"
    r"|[£$€]\d{1,6} or (?:less|more)\b"
)
_ORDER_REACH = 30
#: Such a price answers a question that names no sum only where nothing else does.
_ORDER_CREDIT = 0.25
_TABLE_REACH = 40
_SETTINGS = frozenset(("table_row", "code"))
#: A value in the clause of the attribute's words is nearer than one in another clause.
_CLAUSE_SHARE = 0.25
#: A condition or a span somebody went through, not what a rule grants: 满99元, 打了半天, 超过六个月的, after two years.
_CONDITION_BEFORE = re.compile(r"(?:满|每满|逾|未满|不满|了|已有?|第|orders over|over the past|spend over)\s?$")
_CONDITION_VALUE = re.compile(r"^(?:满|每满|未满|不满|逾)")
_ADVANCE_BEFORE = re.compile(r"提[前早](?:至少|不少于|最少)?$")
_ADVANCE_AFTER = re.compile(r" ?(?:in advance|ahead of|beforehand)")
#: What is added to a span or an amount (延长两年, a further 6 months), not the whole of it (延长至两年).
_ADDED_BEFORE = re.compile(
    r"(?:延长|延保|顺延|再加|再送|再享|额外|另加|另送|多送|加送|加赠|增送)(?![至到为])[^,。;:\d至到为]{0,6}$"
    r"|(?:\bextend(?:s|ed|ing)?\b[^,.;:\d]{0,40}\bby|\badditional|\bextra|\ba further)(?: [a-z]{1,10})? ?$"
)
_ADDED_AFTER = re.compile(r" ?(?:on top\b|extra\b|(?:的)?(?:延保|额外))")
_ASKS_ADDED = re.compile(r"延|再|额外|另|多送|加送|加赠|增|extend|extension|additional|extra|further|on top")
_ADDED_WINDOW = 60
_ADDED_KINDS = frozenset(("duration", "count", "quantity"))
#: How often something is done is told by an interval as well as by a count.
ASKS_HOW_OFTEN = re.compile(
    r"how (?:often|frequently)|多久|频率|隔多|多长时间[^,。?]{0,6}一[次回]|几[天周个][^,。?]{0,6}一[次回]"
)
#: A day is asked for: a year or a month alone does not answer.
ASKS_DAY = re.compile(r"哪一?天|几号|几日|哪日|什么日子|\b(?:what|which) (?:day|date)\b|\bby when\b|\bdeadline\b")
_COARSE_DATE = 0.4
#: The most or the least is asked for, and said of a value.
_ASKS_MOST = re.compile(
    r"最(?:长|大|多|高|晚|迟|远)|上限|顶多|至多|封顶|不能?超过"
    r"|\b(?:max(?:imum)?|at most|up to|longest|largest|highest|limit|cap)\b"
)
_ASKS_LEAST = re.compile(
    r"最(?:短|小|少|低|早|近)|下限|至少|起码|\b(?:min(?:imum)?|at least|shortest|smallest|lowest)\b"
)
_SAID_REACH = 14
#: Credit of a value beside one of which that is said.
_NOT_THE_MOST = 0.75
#: The value is part of a name: 七天无理由退货, 30天价保.
_NAMING_AFTER = re.compile(r"无理由|价保|免密|精通|保价")
_RELEASE = re.compile(r"\.x(?![a-z])")
_FORMER_WINDOW = 10
_CHANGE_WINDOW = 24
_CLAUSE = re.compile(r"[,;。:|()\n]|(?<=\D)\.(?=\s)|\bbut\b|\band\b|但是?|而")


def rank_values(
    prepared: PreparedText,
    number: int,
    values: tuple[Value, ...],
    terms: tuple[FocusTerm, ...],
    facet: FacetFocus,
    confidence: float,
) -> Iterator[tuple[Value, float, bool]]:
    """The values of one sentence: (value, confidence, kind and unit are those asked for).

    Where there are several, those nearest to the attribute's words are the surest.
    """
    sentence = prepared.sentences[number]
    text = prepared.folded_sentences[number]
    kept = [
        v
        for v in values
        if not is_former(text, v, values, sentence.start)
        and (facet.asks_condition or not is_condition(text, v, sentence.start))
        and not _is_enumerator(text, v, sentence.start)
        and not _NAMING_AFTER.match(text, v.end - sentence.start)
        and not is_added(text, v, sentence.start, facet)
        and (facet.asks_advance or not _is_in_advance(text, v, sentence.start))
        and not any(same_value(v, given) for given in facet.given)
    ]
    if facet.asks_tolerance:
        kept = [v for v in kept if text[v.start - sentence.start :].startswith(_TOLERANCE)]
    several = len(kept) > 1
    extreme = _extremes(text, kept, sentence.start, facet.slot_text) if several else ()
    total = sum(t.weight for t in terms) or 1.0
    for value in kept:
        fit = _fit(value, facet) * _counted(value, facet, text, sentence.start, sentence.kind)
        score = confidence * fit + (_UNIT_CREDIT if in_asked_unit(value, facet) else 0.0)
        if several:
            start, end = value.start - sentence.start, value.end - sentence.start
            left, right = _clause(text, start, end)
            clause = text[left:right]
            inside = sum(t.weight * t.credit(clause) for t in terms) / total
            gap = min((p for t in terms if (p := t.place(clause, start - left)) >= 0), default=len(text))
            score *= 1 - _CLAUSE_SHARE * (1 - inside) - 0.1 * min(gap, 40) / 40
            score *= _NOT_THE_MOST if extreme and value not in extreme else 1.0
        for_a_sum = _below_a_sum(text, value.start - sentence.start) and not _ORDER_SUM.search(facet.slot_text)
        if for_a_sum:
            score *= _ORDER_CREDIT
        if sentence.kind == "table_row" and several:
            score *= _column_credit(prepared, number, value, terms, facet.slot_text)
        yield value, score, fit >= _EXACT and not for_a_sum


def _extremes(text: str, values: list[Value], offset: int, question: str) -> tuple[Value, ...]:
    """The values said to be the most, or the least, where the question asks for that; empty where none is."""
    for asks, upper in ((_ASKS_MOST, True), (_ASKS_LEAST, False)):
        if asks.search(question):
            return tuple(
                v for v in values
                if (v.low is None if upper else v.high is None)
                or asks.search(text, max(0, v.start - offset - _SAID_REACH), v.start - offset)
            )  # fmt: skip
    return ()


def _below_a_sum(text: str, start: int) -> bool:
    """The value holds for orders of some sum: 不满99元的订单收取运费10元, orders under £30 pay £4."""
    return _ORDER_SUM.search(text, max(0, start - _ORDER_REACH), start) is not None


def _column_credit(
    prepared: PreparedText, number: int, value: Value, terms: tuple[FocusTerm, ...], question: str
) -> float:
    """Less for a value whose column is headed by less of the question than another column is."""
    sentences = prepared.sentences
    header = next(
        (i for i in range(number - 1, max(-1, number - _TABLE_REACH), -1) if sentences[i].kind == "table_header"), None
    )
    if header is None:
        return 1.0
    column = prepared.folded[sentences[number].start : value.start].count("|")
    heads = [h.strip() for h in prepared.folded_sentences[header].split("|")]
    said = [sum(t.weight * t.credit(h) for t in terms) + (len(h) > 1 and h in question) for h in heads]
    if column >= len(said):
        return 1.0
    return 1.0 if said[column] >= max(said[1:], default=0.0) else _OTHER_COLUMN


def _fit(value: Value, facet: FacetFocus) -> float:
    """How well kind and unit of a value match what is asked for, 0..1."""
    asked = value.kind == facet.kind or facet.kind == "number"
    asked = asked or (value.kind == "duration" and ASKS_HOW_OFTEN.search(facet.slot_text) is not None)
    # A number of connections, of licences: where the question names no unit, a bare number is all there is to say.
    asked = asked or (value.kind == "number" and facet.kind == "count" and not facet.units)
    fit = 1.0 if asked else _ALTERNATIVE_CREDIT
    if value.kind == "date" and len(value.parts) == 3 and not value.parts[2] and ASKS_DAY.search(facet.slot_text):
        return fit * _COARSE_DATE
    if value.kind == "date" and value.approximate:
        return fit * _GUESSED_DATE
    if value.kind == "date" and value.parts and not value.parts[0]:
        return fit * _PARTIAL_DATE
    if value.kind == "count" and facet.kind == "count" and value.unit not in GENERIC_COUNT:
        named = value.unit in facet.units or any(t.credit(value.unit) > 0 or value.unit in t.text for t in facet.terms)
        return fit if named else fit * _OTHER_UNIT
    return fit


def _counted(value: Value, facet: FacetFocus, text: str, offset: int, kind: str) -> float:
    """Whether a count counts what is asked for: its unit is the question's, or a word of the question stands by it."""
    if value.kind not in ("count", "number") or facet.kind != "count":
        return 1.0
    if value.kind == "number" and kind in _SETTINGS:
        return 1.0  # a cell, the value of a setting: what it counts stands in its head
    if value.unit in facet.units and value.unit not in GENERIC_COUNT:
        return 1.0
    start, end = value.start - offset, value.end - offset
    beside = text[max(0, start - _BESIDE) : start] + "\n" + text[start : end + _BESIDE]
    return 1.0 if any(t.credit(beside) for t in (*facet.core, *facet.terms) if t.attribute) else _OTHER_UNIT


def in_asked_unit(value: Value, facet: FacetFocus) -> bool:
    """It counts what the question names (how many cups), which says as much as another word of the question."""
    telling = value.unit in facet.units and value.unit not in GENERIC_COUNT and value.unit not in _COMMON_COUNT
    return value.kind == "count" and facet.kind == "count" and telling


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    left = 0
    for m in _CLAUSE.finditer(text, 0, start):
        left = m.end()
    following = _CLAUSE.search(text, end)
    return left, following.start() if following else len(text)


def is_condition(text: str, value: Value, offset: int) -> bool:
    """The value is a condition or somebody's own span, not what a rule grants: 满99元, 打了半天."""
    start = value.start - offset
    return bool(_CONDITION_BEFORE.search(text[max(0, start - 16) : start]) or _CONDITION_VALUE.match(text[start:]))


def is_added(text: str, value: Value, offset: int, facet: FacetFocus) -> bool:
    """The value comes on top of the one asked for, where the question asks for no such thing."""
    if value.kind not in _ADDED_KINDS or _ASKS_ADDED.search(facet.slot_text):
        return False
    start, end = value.start - offset, value.end - offset
    return bool(
        _ADDED_BEFORE.search(text[max(0, start - _ADDED_WINDOW) : start]) or _ADDED_AFTER.match(text[end : end + 10])
    )


def _is_in_advance(text: str, value: Value, offset: int) -> bool:
    """How long before something, where the question asks for no such thing: 提前一天预约, two days in advance."""
    start, end = value.start - offset, value.end - offset
    before, after = text[max(0, start - 8) : start], text[end : end + 14]
    return value.kind == "duration" and bool(_ADVANCE_BEFORE.search(before) or _ADVANCE_AFTER.match(after))


def _is_enumerator(text: str, value: Value, offset: int) -> bool:
    """'1.' or '5、' before an item, the 2 of '2.x', and a year where a count or number is asked for."""
    if value.kind != "number":
        return False
    if _RELEASE.match(text, value.end - offset):
        return True
    if value.start == offset:
        return text[value.end - offset : value.end - offset + 1] in (".", "、", ")", ":") or len(text) < 2
    return value.is_point and value.low is not None and 1900 <= value.low <= 2100 and value.low == int(value.low)


def is_former(text: str, value: Value, values: tuple[Value, ...], offset: int) -> bool:
    """The value is what was, not what is: 由300元调整为450元."""
    start, end = value.start - offset, value.end - offset
    before = text[max(0, start - _FORMER_WINDOW) : start]
    if any(w in before for w in lexicon.FORMER_WORDS):
        return True
    for other in values:  # of a sentence with a hundred of them most stand too far away to be looked at
        if other.kind == value.kind and 0 < other.start - value.end <= _CHANGE_WINDOW:
            gap = text[end : other.start - offset]
            if any(w in gap for w in (*lexicon.CHANGE_WORDS, *lexicon.SHORT_OF)):
                return True
    return False
