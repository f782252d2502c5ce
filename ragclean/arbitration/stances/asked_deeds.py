"""Is the deed that the question names recommended or forbidden, whatever words a page says it with.

The plain reading of a predicate wants most of its words. A page of advice seldom holds them: it says 'keep it away
from water' where 'wash it' is asked about. Here a directive of the page is held against the question's deed by kinds of
deeds with their opposites, and by the words of the deed where it is of no known kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.stances.coverage import Key, clauses_of, keys_of, topic_of
from ragclean.arbitration.stances.deeds import QUALIFIERS, deeds_of, pole_places
from ragclean.arbitration.stances.directives import VERBS, Directive, directives_of
from ragclean.arbitration.stances.proposition import Proposition, words_of
from ragclean.arbitration.terms import FocusTerm
from ragclean.text.question_words import word_set

#: Share of the question that the sentence with its surroundings must speak of.
_LEAST_TOPIC = 0.15
#: Share of a deed's words that names it where it is of no known kind, and beside a kind of deed.
_LEAST_WORDS, _SOME_WORDS = 0.6, 0.25
_WITH_VERB, _WHOLE = 0.4, 0.9
#: Share of a deed's words below which a prohibition with a condition of its own is about another case.
_ALL = 0.95
#: Verbs of any deed: what it is stands behind them.
_ANY_DEED = word_set("use put leave keep place try take let get have make give set")
_ORDERED = re.compile(
    r"(?:^ ?(?:please |just |simply |then |and |so )?|\b(?P<not>do not|don't|never) (?:ever |just )?)"
    r"(?P<verb>(?!do\b|don|never\b|please\b)[a-z]{3,12})\b"
)
_WORD, _STEM = re.compile(r"[a-z]+"), 5
_CONDITION = re.compile(r"\b(?:in the|with a|with wet|near|during|under|at night|by) [a-z]{3,}")
#: Weight of a Chinese verb of one character; credit of a word whose two characters stand apart.
_VERB, _APART = 0.7, 0.75
#: What one alternative must be met better by than the other.
_CLEARLY = 0.25
#: Parts of the confidence.
_MATCH, _TOPIC, _OWN, _TOLD, _NAMED = 0.25, 0.3, 0.2, 0.3, 0.15
_PRONOUN = re.compile(r"\b(?:it|them|this|that|these|those|one|both|everything|anything)\b")
#: Below this a directive may well be about something else: it founds no side, and may only join one.
_LEAST, _JOINS = 0.4, 0.15
#: Words of manner and order in a deed: no page need repeat them.
_MANNER = re.compile(
    r"先|再(?!生)|过去|一[回次下]|直接|马上|立即|立刻|赶紧|继续|接着|自己|自行|就行|可以|行不行"
    r"|\b(?:first|just|simply|straight away|right away|immediately|again|myself|themselves|directly|rather|instead)\b"
)
#: 'Can I', 'can the logger be reset': a deed; 'does the plan support': what is offered.
_BY_SOMEBODY = re.compile(
    r" ?(?:i|we|you|one|they|it|my|our|tenants|customers|visitors) |[a-z0-9' -]{2,60} be [a-z]{2,14}(?:ed|en|n|t)\b"
)
_OFFERS = re.compile(
    r"支持|兼容|包[含括修换]|保[修固]|质保|三包|享受|报销|理赔|[赔转退]给?|有没有|有效|提供|适用|续|恢复|找回|撤"
)
#: The deed may be done to another thing.
_TO_ANOTHER = 0.3
_MEANS = re.compile(r"(?:用|拿)(?:[\u4e00-\u9fff]{2,6})|\b(?:with|using) (?:[a-z -]{3,30})")
_JUST = re.compile(r"直接|就行|\b(?:just|straight|directly|simply)\b")
_ORDER = re.compile(r"再(?=[\u4e00-\u9fff])|然后|之后|\b(?:then|before|after|once) ")
#: What is to be done beforehand is asked, what follows is told.
_BEFOREHAND = re.compile(r"先|之前|以前|前|\b(?:before|first|beforehand)\b")
_AFTERWARDS = re.compile(r" ?(?:(?:after|afterwards|once|then|finally)\b|[^,;。]{1,10}(?:之后|以后|完成后|完后|后),)")
_NEXT = re.compile(r"^ ?(?:再|然后|之后|接着|最后|随后|(?:and )?(?:then|afterwards|finally)\b)")


@dataclass(frozen=True, slots=True)
class _Deed:
    kinds: tuple[tuple[int, int], ...]
    keys: tuple[Key, ...]
    done_to: tuple[FocusTerm, ...]
    """Words that name no deed: what it is done to."""
    means: tuple[FocusTerm, ...]
    """What it is done with: a page on the means by itself speaks of the deed."""
    verbs: tuple[str, ...]
    """Beginnings of its English verbs that say what is done."""
    plain: bool
    """It is asked about without something else before it: 直接格式化, just run it."""


@dataclass(frozen=True, slots=True)
class Told:
    """A directive about the deed asked about: +1 it is to be done, -1 it is not; ``number`` of the alternative."""

    sign: int
    number: int
    confidence: float
    own: float


@lru_cache(maxsize=256)
def _deeds(told: tuple[str, ...]) -> tuple[_Deed, ...]:
    found = []
    for said in told:
        bare = _MANNER.sub(" ", said)
        keys = tuple(_weighed(k) for k in keys_of(words_of(bare), ()))
        done_to = tuple(k.term for k in keys if k.term.text not in VERBS and not deeds_of(k.term.text))
        with_what = _MEANS.search(said)
        means = tuple(k.term for k in keys if with_what and k.term.text in with_what.group())
        verbs = tuple(w[:_STEM] for w in _WORD.findall(said) if w in VERBS - _ANY_DEED)
        found.append(_Deed(deeds_of(said), keys, done_to, means, verbs, bool(_JUST.search(said))))
    return tuple(found)


def _weighed(key: Key) -> Key:
    """A verb of one character is most of a Chinese deed."""
    one = len(key.term.text) == 1
    return replace(key, term=replace(key.term, weight=max(_VERB, key.term.weight))) if one else key


def asked_deeds(
    text: str, introduction: str, present: tuple[FocusTerm, ...], facet: FacetFocus, asked: Proposition
) -> Iterator[Told]:
    """The directives of a sentence that speak of the deed asked about."""
    deeds = _deeds(asked.told)
    if not deeds or not _is_deed(facet.slot_text, asked):
        return
    topic, own = topic_of(facet.terms, present, text, introduction)
    if topic < _LEAST_TOPIC:
        return
    if _AFTERWARDS.match(text) and _BEFOREHAND.search(facet.slot_text):
        return
    before = False
    for _, clause in clauses_of(text):
        if before and len(deeds) > 1 and _NEXT.match(clause):
            continue  # first this, then that: the first is the one that is advised
        for directive in directives_of(clause):
            number, strength = _chosen(directive, tuple(_met(directive, deed, text) for deed in deeds), deeds)
            if not strength or not (directive.explicit or deeds[number].kinds or strength >= _WHOLE):
                continue
            before = True
            sign = directive.sign * (1 if strength > 0 else -1)
            explicit = _TOLD if directive.explicit else _NAMED
            confidence = _MATCH * abs(strength) + _TOPIC * topic + _OWN * own + explicit
            done_to = deeds[number].done_to
            if len(deeds) == 1 and done_to and not any(_credit(t, text) or t.credit(introduction) for t in done_to):
                if strength > 0 and directive.words.isascii() and not _PRONOUN.search(directive.words):
                    continue
                confidence -= _TO_ANOTHER if strength > 0 else _TO_ANOTHER / 2
            yield Told(sign, number, confidence if confidence >= _LEAST else min(_JOINS, confidence), own)


@lru_cache(maxsize=256)
def _is_deed(question: str, asked: Proposition) -> bool:
    """What somebody may or should do is asked, not what a product or a contract offers."""
    if asked.kind == "choice" or asked.modal in ("need", "may"):
        return True
    if asked.modal != "can":
        return False
    said = asked.told[0]
    if said.isascii():
        return _BY_SOMEBODY.match(said) is not None
    return _OFFERS.search(question) is None


def sign_by_deed(
    text: str, introduction: str, present: tuple[FocusTerm, ...], facet: FacetFocus, asked: Proposition
) -> int:
    """What a sentence says most surely of the one deed asked about: +1, -1, or 0 for nothing."""
    said = sorted(asked_deeds(text, introduction, present, facet, asked), key=lambda t: -t.confidence)
    return said[0].sign if said else 0


def names_opposite(clause: str, asked: Proposition) -> bool:
    """The clause tells to do the opposite of the deed asked about: 'disarm it' where 'should it stay on' is asked."""
    (deed,) = _deeds(asked.told)
    found = [_met(d, deed, clause) * d.sign for d in directives_of(clause) if d.explicit and d.sign > 0]
    return any(strength < 0 for strength in found)


def of_another_deed(clause: str, asked: Proposition) -> bool:
    """The clause orders or forbids something else of the same thing, or forbids this in a case not asked about."""
    said = asked.told[0] if asked.told else ""
    ordered = _ORDERED.search(clause)
    if ordered is None or not said.isascii():
        return False
    verb, mine = ordered.group("verb"), {w for w in _WORD.findall(said) if w in VERBS}
    telling = mine - _ANY_DEED
    if verb in VERBS and verb not in _ANY_DEED and telling and not any(v[:_STEM] in clause for v in telling):
        if not _same_kind(clause[ordered.start("verb") :], said):
            return True
    if not mine or ordered.group("not") is None:
        return False
    (deed,) = _deeds(asked.told)
    unmet = any(not k.term.credit(clause) for k in deed.keys)
    return unmet and _CONDITION.search(clause, ordered.end()) is not None


def _same_kind(one: str, other: str) -> bool:
    return bool({n for n, _ in deeds_of(one)} & {n for n, _ in deeds_of(other)})


def _chosen(directive: Directive, met: tuple[float, ...], deeds: tuple[_Deed, ...]) -> tuple[int, float]:
    """Which alternative a directive is about, and how surely; below 0 where it names the opposite."""
    if len(met) == 1:
        return 0, met[0]
    first, second = met
    order = _order(directive.words, deeds) if min(first, second) > 0 else 0
    if order:
        return order - 1, met[order - 1]
    if min(first, second) > 0 and deeds[0].plain != deeds[1].plain:
        return (0, first) if deeds[1].plain else (1, second)
    if abs(first - second) < _CLEARLY:
        return 0, 0.0
    if max(first, second) > 0:
        return (0, first) if first > second else (1, second)
    return (0, first) if first < second else (1, second)


def _order(words: str, deeds: tuple[_Deed, ...]) -> int:
    """Of two deeds told one after the other (消毒再晾干) the first one, as 1 or 2; 0 where no order is told."""
    told = _ORDER.search(words)
    if told is None or any(d.plain for d in deeds):
        return 0
    turned = told.group() in ("after ", "once ")
    before = [any(_credit(k.term, words[: told.start()]) for k in d.keys[:1]) for d in deeds]
    if before[0] == before[1]:
        return 0
    return 1 if before[0] != turned else 2


def _met(directive: Directive, deed: _Deed, text: str) -> float:
    """How fully the words of a directive name a deed; below 0 where they name its opposite."""
    words = directive.words
    total = sum(k.term.weight for k in deed.keys)
    got = sum(k.term.weight * _credit(k.term, words) for k in deed.keys)
    share = got / total if total else 0.0
    poles = []
    for number, pole in deed.kinds:
        places = pole_places(number, words)
        if places:
            poles.append((number, 1 if places[0][2] == pole else -1))
    if directive.sign < 0 and share < _ALL and _CONDITION.search(words):
        return 0.0  # forbidden on a condition that the question does not name
    if not poles:
        verb = bool(deed.keys) and _credit(deed.keys[0].term, words) > 0
        if directive.sign < 0 and any(t.credit(words) for t in deed.means):
            return max(share, _LEAST_WORDS)
        if deed.verbs and not any(v in words for v in deed.verbs):
            return 0.0  # something else is done to it
        return share if share >= (_WITH_VERB if verb else _LEAST_WORDS) else 0.0
    if all(number in QUALIFIERS for number, _ in poles):
        around = sum(k.term.weight * _credit(k.term, text) for k in deed.keys) / total if total else 0.0
        if around < _SOME_WORDS:
            return 0.0
    strength = max(_LEAST_WORDS, share)
    return -strength if any(sign < 0 for _, sign in poles) else strength


def _credit(term: FocusTerm, text: str) -> float:
    """As the term says; a Chinese verb may stand apart from its object: 扒开轿门 for 扒门."""
    word = term.text
    if len(word) == 1:
        return 1.0 if _alone(word).search(text) else 0.0
    if len(word) == 2 and not word.isascii() and word[0] in text and word[1] in text:
        return max(term.credit(text), _APART)
    return term.credit(text)


@lru_cache(maxsize=256)
def _alone(verb: str) -> re.Pattern[str]:
    """A verb of one character that is no part of another word: 再点, 点了, not 网点."""
    said = re.escape(verb)
    before, after = "再次新能可要不得先去来请须应会就别勿行自即", "了一着过上掉出开下起好完两二三"
    return re.compile(rf"(?:^|[^\u4e00-\u9fff]|[{before}]){said}|{said}(?=[{after}])")
