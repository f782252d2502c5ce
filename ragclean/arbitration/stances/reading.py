# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Stances: which side a page takes where no value is asked for: yes or no, a payer, one of two alternatives, advice.

A clause takes a side where it speaks of the predicate asked about (its words, other names of the action, or its
opposite) on a page that speaks of the rest of the question. An exception takes none, unless the question is about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.openings import headed_by_sibling
from ragclean.arbitration.stances import actions, advised, parties, verdicts
from ragclean.arbitration.stances.actions import without_names
from ragclean.arbitration.stances.asked_deeds import asked_deeds, names_opposite, of_another_deed, sign_by_deed
from ragclean.arbitration.stances.coverage import (
    LEAST_KEY,
    clauses_of,
    cover_of,
    introduction_of,
    keys_of,
    share_of,
    topic_of,
)
from ragclean.arbitration.stances.directives import without_deed_as_occasion, without_occasion
from ragclean.arbitration.stances.polarity import EXCEPTION, clause_sign, is_question
from ragclean.arbitration.stances.proposition import Proposition, words_of
from ragclean.arbitration.terms import FocusTerm
from ragclean.prepare import PreparedText
from ragclean.text.question_words import word_set

#: Share of a long predicate that is enough, what is long, and what meets a predicate in full.
_FEW_KEYS, _LEAST_OF_MANY, _FULL_KEY = 3, 0.35, 0.75
#: Share where a state of things is asked for (is it the first film): any topic has many, so all of it must be said.
_STATED = 0.9
#: Share of the question that the sentence with its surroundings must speak of; less where the predicate is met in full.
_LEAST_TOPIC, _LITTLE_TOPIC, _LEAST_OF_ADVICE = 0.18, 0.05, 0.12
#: Parts of a stance's confidence, and what the question's words in the sentence itself add.
_KEY_SHARE, _TOPIC_SHARE, _EXPLICIT_SHARE, _OWN_SHARE = 0.4, 0.3, 0.4, 0.2
#: A verdict in other words than the question's is a little less sure.
_OWN_WORDS = 0.1
#: A predicate that is only named, without a word that affirms or denies.
_IMPLICIT = 0.5
#: Confidence of a payer named on a page about anything; of a special case so much less.
_PARTY_FLOOR, _APART_FACTOR = 0.35, 0.6
#: Share of the question by which a sentence is about what is paid for without naming it.
_MUCH_OWN = 0.35
#: Share of the question that a page must speak of for a payer of its costs, where no other cost is named.
_ON_TOPIC, _SOME_OWN = 0.3, 0.15
#: Weight from which a word says anything of the subject.
_TELLING = 0.25
#: 'Free' without a word of who pays founds no side of known origin; it may join one.
_BARE = 0.3
#: Share by which the one alternative must be met better than the other, and by which a later clause must be plainer.
_CLEARLY, _LEAD = 0.25, 0.1
#: Who forbids speaks first, so that sides form around what is disputed.
_FORBIDS, _RECOMMENDS = 0.6, 0.4
#: What comes later on a page is more often a special case: so much less for each sentence, and at the most.
_LATER, _MOST_LATER = 0.01, 0.05
#: Share of the question's other words that make an exception the case asked about.
_WHOLE_EXCEPTION = 0.5
_MAX_SENTENCES, _MAX_LENGTH = 400, 1500
_NO_PROSE = ("heading", "table_header", "table_rule")
_ROLES_AND_PAYING = word_set(
    "谁 钱 费 费用 出 掏 付 承担 负担 支付 买单 报销 自己 到底 该 得 pays pay paid covers cover who bears foots"
)
#: A page for firms, shops or dealers, by its head: it says nothing for the private person who asks.
_FOR_FIRMS = re.compile(
    r"(?:企业|集团|单位|团体|餐饮|商业|商用|机构|批发|大)(?:客户|用户|版协议)|商户|商用|加盟商|经销商|代理商|b端"
    r"|\b(?:business|corporate|commercial|trade|institutional) (?:customers?|users?|accounts?|clients?|machines?|deposit)\b|\bfor (?:dealers|resellers)\b"
)
#: Who asks about customers of his own is a firm himself.
_SELLS = re.compile(r"客人|顾客|买家|我们店|我店|开店|收单|\b(?:my|our|a) (?:customers?|clients?|guests?|buyers?)\b")
_HEAD = 40
_ASKS_ONLY = re.compile(r"仅|只[能限有]|\bonly (?:be|by|for|in|on|to|if|when)\b")


@dataclass(frozen=True, slots=True)
class Stance:
    """What one sentence says: ``side`` is 'yes', 'no', a payer, an alternative's number, or empty for advice."""

    side: str
    sentence: int
    confidence: float
    own: float
    conditional: bool = False
    actions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Sentence:
    prepared: PreparedText
    number: int
    text: str
    introduction: str

    @property
    def start(self) -> int:
        return self.prepared.sentences[self.number].start


def read_stances(prepared: PreparedText, title: str, facet: FacetFocus) -> Iterator[Stance]:
    """The sides that the sentences of a page take on the question's proposition."""
    asked = facet.proposition
    if asked is None:
        return
    page = f"{title}\n{prepared.folded}"
    for_firms = _FOR_FIRMS.search(f"{title}\n{prepared.folded[:_HEAD]}")
    if for_firms and not _FOR_FIRMS.search(facet.slot_text) and not _SELLS.search(facet.slot_text):
        return
    present = tuple(t for t in facet.terms if t.credit(page) > 0)
    if not present or headed_by_sibling(prepared.folded, facet):
        return
    if asked.kind == "advice":
        yield from _advice(prepared, facet, present)
        return
    found_here = sorted(_all(prepared, present, facet, asked), key=lambda s: (-s.confidence, s.sentence))
    if not found_here and asked.told and verdicts.asks_deed(facet, asked):
        found_here = sorted(_by_deed(prepared, present, facet, asked), key=lambda s: (-s.confidence, s.sentence))
    if found_here:
        yield from (s for s in found_here if s.side == found_here[0].side)


def _all(
    prepared: PreparedText, present: tuple[FocusTerm, ...], facet: FacetFocus, asked: Proposition
) -> Iterator[Stance]:
    named = _named_parties(prepared, facet, asked) if asked.kind == "party" else ()
    for number, text in enumerate(prepared.folded_sentences[:_MAX_SENTENCES]):
        if prepared.sentences[number].kind in _NO_PROSE or len(text) > _MAX_LENGTH:
            continue
        here = _Sentence(prepared, number, text, introduction_of(prepared, number))
        if asked.kind == "party":
            found = _payer(here, present, facet, named)
        elif is_question(text):
            continue
        elif asked.kind == "choice":
            found = _choice(here, present, facet, asked)
        else:
            found = _yes_no(here, present, facet, asked)
        if found is not None:
            earlier = min(_MOST_LATER, _LATER * number)
            yield replace(found, sentence=number, confidence=found.confidence * (1.0 - earlier), own=1.0)


def _by_deed(
    prepared: PreparedText, present: tuple[FocusTerm, ...], facet: FacetFocus, asked: Proposition
) -> Iterator[Stance]:
    """Of a page that holds few of the predicate's words: what it tells to do or not to do of that kind."""
    for number, text in enumerate(prepared.folded_sentences[:_MAX_SENTENCES]):
        if prepared.sentences[number].kind in _NO_PROSE or len(text) > _MAX_LENGTH or is_question(text):
            continue
        for told in asked_deeds(text, introduction_of(prepared, number), present, facet, asked):
            if asked.kind == "choice":
                side = f"option {told.number if told.sign > 0 else 1 - told.number}"
            else:
                side = "yes" if told.sign > 0 else "no"
            earlier = min(_MOST_LATER, _LATER * number)
            yield Stance(side, number, told.confidence * (1.0 - earlier), 1.0)


def of_one_question(a: str, b: str, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """The stances can be held against each other: two pieces of advice must speak of one action."""
    return bool(a and b) or bool({s[1:] for s in mine} & {s[1:] for s in theirs})


def go_together(a: str, b: str, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """The stances do not contradict each other; of advice: neither recommends what the other forbids."""
    if a or b:
        return parties.agree(a, b)
    if not of_one_question(a, b, mine, theirs):
        return False  # each is of its own
    return not any(f"{'-' if s[0] == '+' else '+'}{s[1:]}" in theirs for s in mine)


def all_actions(found: Iterable[frozenset[str]]) -> frozenset[str]:
    """What a page recommends and forbids in all; what it forbids anywhere it does not recommend."""
    together = frozenset(a for actions_here in found for a in actions_here)
    return frozenset(a for a in together if a[0] == "-" or f"-{a[1:]}" not in together)


# ------------------------------------------------------------------ payer


def _named_parties(prepared: PreparedText, facet: FacetFocus, asked: Proposition) -> tuple[parties.Named, ...]:
    """Names and their sides: those of the question's alternatives, its maker's, and 甲方 and 乙方 as the page has them."""
    makers = tuple(t.text for t in facet.key_names if not t.text.isascii())
    return parties.named_in(prepared.folded, asked.options, makers)


def _payer(
    here: _Sentence, present: tuple[FocusTerm, ...], facet: FacetFocus, named: tuple[parties.Named, ...]
) -> Stance | None:
    text, introduction = here.text, here.introduction
    makers = tuple(t.text for t in facet.terms if not t.attribute and t.text.isascii())
    said = parties.payers(text, makers, named)
    if not said:
        return None
    terms = tuple(t for t in facet.terms if t.text not in _ROLES_AND_PAYING)
    topic, own = topic_of(
        terms, tuple(t for t in present if t.text not in _ROLES_AND_PAYING), text, introduction
    )
    paid_for = keys_of(facet.proposition.key, ()) if facet.proposition else ()
    around = f"{introduction}\n{text}"
    told = (
        (topic >= _ON_TOPIC and (own >= _SOME_OWN or not parties.other_cost(text, facet.slot_text)))
        or own >= _MUCH_OWN
        or any(k.term.weight >= _TELLING and k.term.credit(around) for k in paid_for)
        or any(t.credit(text) for t in facet.key_names)
    )
    if not told or topic < _LITTLE_TOPIC:
        return None
    if not any(t.weight >= _TELLING and t.credit(text) for t in terms if len(t.text) > 1):
        said = tuple(p for p in said if p.named)
        if not said:
            return None
    plain = [p for p in said if not p.apart]
    if len({p.side for p in plain if p.named}) > 1:
        return None  # each pays a part: there by one, back by the other
    plain.sort(key=lambda p: not p.named)
    chosen = (plain or list(said))[0]
    confidence = _PARTY_FLOOR + (1 - _PARTY_FLOOR) * topic + _OWN_SHARE * own
    if not chosen.named:
        confidence = min(_BARE, confidence)
    return Stance(chosen.side, 0, confidence * (1.0 if plain else _APART_FACTOR), own, not plain)


# ------------------------------------------------------------------ yes or no


def _yes_no(
    here: _Sentence, present: tuple[FocusTerm, ...], facet: FacetFocus, asked: Proposition
) -> Stance | None:
    text, introduction, prepared = here.text, here.introduction, here.prepared
    keys = keys_of(asked.key, tuple(t.text for t in facet.key_names))
    topic, own = topic_of(facet.terms, present, text, introduction)
    if topic < _LITTLE_TOPIC:
        return None

    def speaks_of(words: str) -> bool:
        if _ASKS_ONLY.search(facet.slot_text):
            return True
        told = words_of(words)
        return bool(told) and all(any(_same_word(t, w) for t in facet.terms) for w in told)

    names = tuple(w for t in facet.key_names for w in t.text.split()[-1:])
    covered, matter = verdicts.asks_cover(facet), verdicts.matter_of(facet, asked)
    best: tuple[float, int] | None = None
    before = ""
    exception = False
    least = _STATED if asked.modal == "is" else LEAST_KEY if len(keys) <= _FEW_KEYS else _LEAST_OF_MANY
    for start, clause in clauses_of(text):
        offset = here.start + start
        if EXCEPTION.search(clause):
            exception = True
            rest = tuple(t for t in facet.terms if t.text not in asked.key)
            if share_of(rest, clause) < _WHOLE_EXCEPTION:
                before = clause
                continue
        if of_another_deed(clause, asked) or verdicts.of_another(clause, matter):
            before = clause
            continue
        spoken = without_occasion(clause)
        cover, opposite = cover_of(keys, spoken, before, text, introduction, prepared, offset, names)
        before = clause
        if cover < least or (topic < _LEAST_TOPIC and cover < _FULL_KEY):
            continue
        sign, explicit = clause_sign(without_names(clause, asked.key), asked.modal, speaks_of, covered)
        if opposite:
            sign, explicit = (-sign, True) if asked.modal == "need" or sign > 0 else (sign, explicit)
        elif sign > 0 and explicit and asked.modal == "need" and names_opposite(clause, asked):
            sign = -1
        if not sign:
            continue
        score = _KEY_SHARE * cover + _TOPIC_SHARE * topic + _OWN_SHARE * own
        if explicit:
            score += _EXPLICIT_SHARE
        elif actions.ATTEMPTED.search(clause):
            continue
        elif asked.modal in ("need", "may"):
            score += _EXPLICIT_SHARE * _IMPLICIT
            # It merely names the predicate: an order or a warning in the sentence says more.
            sign = sign_by_deed(text, introduction, present, facet, asked) or sign
        else:
            continue
        if best is None or score > best[0]:
            best = (score, sign)
    if topic >= _LEAST_TOPIC and verdicts.can_read(facet, asked) and not of_another_deed(text, asked):
        best = _plainer(best, _by_verdict(here, facet, asked, topic, own))
    if best is None:
        return None
    return Stance("yes" if best[1] > 0 else "no", 0, best[0], own, exception)


def _by_verdict(
    here: _Sentence, facet: FacetFocus, asked: Proposition, topic: float, own: float
) -> tuple[float, int] | None:
    """Score and sign of what a sentence grants or refuses in other words than the question's."""
    text = without_deed_as_occasion(here.text, asked.key)
    matter = verdicts.matter_of(facet, asked)
    share, sign = verdicts.verdict_in(text, here.introduction, here.prepared.folded, matter, asked.modal)
    if not sign:
        return None
    return _KEY_SHARE * share + _TOPIC_SHARE * topic + _OWN_SHARE * own + _EXPLICIT_SHARE - _OWN_WORDS, sign


def _plainer(a: tuple[float, int] | None, b: tuple[float, int] | None) -> tuple[float, int] | None:
    """The reading of higher score; the first of two alike."""
    return b if a is None or (b is not None and b[0] > a[0]) else a


def _same_word(term: FocusTerm, word: str) -> bool:
    """A restriction ('full-time workers only') is met by its own words, not by what they happen to hold."""
    return any(word.startswith(form) if word.isascii() else form in word for form, _ in term.forms if len(form) > 1)


# ------------------------------------------------------------------ one of two


def _choice(
    here: _Sentence, present: tuple[FocusTerm, ...], facet: FacetFocus, asked: Proposition
) -> Stance | None:
    text, introduction, prepared = here.text, here.introduction, here.prepared
    options = tuple(keys_of(_longer(words), ()) for words in asked.options)
    topic, own = topic_of(facet.terms, present, text, introduction)
    if topic < _LITTLE_TOPIC:
        return None
    others = tuple(
        t for t in facet.terms if t.weight >= _TELLING and not any(t.text in words for words in asked.options)
    )
    around = any(t.credit(text) for t in others)
    both = all(any(k.term.credit(text) for k in option) for option in options)
    if others and not around and not both:
        return None
    best: tuple[float, int] | None = None
    for start, clause in clauses_of(text):
        offset = here.start + start
        covers = []
        for option in options:
            cover, opposite = cover_of(option, clause, "", "", "", prepared, offset)
            covers.append(-cover if opposite else cover)
        first, second = covers
        side = 0 if first > second else 1
        gap = abs(max(first, 0.0) - max(second, 0.0))
        if gap < _CLEARLY or max(covers) < LEAST_KEY:
            continue
        sign = actions.advice(without_names(clause, asked.key))
        score = _KEY_SHARE * gap + _TOPIC_SHARE * topic + _OWN_SHARE * own
        score += _EXPLICIT_SHARE * (1.0 if sign else _IMPLICIT)
        if best is None or score > best[0] + _LEAD:
            best = (score, 1 - side if sign < 0 else side)
    if best is None:
        return None
    return Stance(f"option {best[1]}", 0, best[0], own)


def _longer(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words of one character say little beside longer ones."""
    return tuple(w for w in words if len(w) > 1) or words


# ------------------------------------------------------------------ advice


def _advice(prepared: PreparedText, facet: FacetFocus, present: tuple[FocusTerm, ...]) -> Iterator[Stance]:
    asked = {t.text for t in facet.terms}
    topic, _ = topic_of(facet.terms, present, prepared.folded[: 4 * _MAX_LENGTH], "")
    if topic < _LEAST_OF_ADVICE:
        return
    rest = tuple(t for t in facet.terms if t not in facet.key_names)
    for number, found in advised.signed_actions(prepared, asked):
        text = prepared.folded_sentences[number]
        own = share_of(facet.terms, text)
        if rest and any(t.credit(text) for t in facet.key_names) and not share_of(rest, text):
            continue  # another thing of that maker
        forbids = any(s[0] == "-" and not s.startswith("-deed") for s in found)
        before = prepared.folded_sentences[number - 1] if number else ""
        if forbids or own or share_of(facet.terms, before):
            confidence = (_FORBIDS if forbids else _RECOMMENDS) + _TOPIC_SHARE * min(1.0, topic)
            yield Stance("", number, confidence, 1.0, False, found)
