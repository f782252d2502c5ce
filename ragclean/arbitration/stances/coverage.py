"""How fully a clause speaks of the words that a question turns on: the predicate, an alternative, the thing paid for.

A word counts where it stands in the clause; less where it stands before, in the sentence, or in what introduces it.
Other names of an action count as the action; its opposite does too, and is reported as such.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ragclean.arbitration.stances import actions
from ragclean.arbitration.stances.polarity import CLAUSES
from ragclean.arbitration.terms import FocusTerm, term_of
from ragclean.prepare import PreparedText

#: Credit of a word by where it stands: the clause before, the sentence, what introduces it, the page.
_BEFORE, _SENTENCE, INTRODUCED, ON_PAGE = 0.9, 0.8, 0.7, 0.4
#: Share of the predicate that a clause must speak of.
LEAST_KEY = 0.58
#: Share that is enough where the clause names the action and the sentence something else of the predicate.
_WITH_ACTION = 0.45
#: Share that the clause itself must hold where it does not name the action.
_OWN_KEY = 0.25
#: Credit of another name of an action.
_OTHER_NAME = 0.9
#: An action weighs more than what it is done to, one Chinese character less than a whole word.
_ACTION_WEIGHT, _ONE_CHARACTER = 1.6, 0.4
#: A word with a hyphen (point-in-time) is rarer than its parts.
_HYPHENATED = 0.6
_SHORTEST = 4
#: A Chinese word whose two characters stand apart (狗狗不可以带进来 for 带狗), or of which the last stands there.
_PAIR, _BOTH_CHARACTERS, _LAST_CHARACTER = 2, 0.75, 0.45
#: Before a verb that stands without its object: 献血, 不能献.
_MODALS = "能得可予许准让"
#: Sentences before that say what one is about, and the length of an opening line that does.
_LOOK_BACK, _OPENING = 2, 80
_TITLE_ASKS = re.compile(r"[^,;:。?]{0,16}(?:怎么|如何|什么|多少|几)[^,;:。?]{0,8}:")
#: 'Yes,' and 可以, are no clauses of their own.
_WORD_OF_ANSWER = 4


@dataclass(frozen=True, slots=True)
class Key:
    """A word of the predicate with its other names, and the names of its opposite."""

    term: FocusTerm
    opposite: tuple[str, ...]
    action: bool = False


@lru_cache(maxsize=256)
def keys_of(words: tuple[str, ...], names: tuple[str, ...]) -> tuple[Key, ...]:
    """The words of a predicate, ready to be looked for; ``names`` of the thing asked about are no part of it."""
    # Of a Chinese predicate a name is the object; in English it is mostly the subject.
    english = all(w.isascii() for w in words)
    telling = tuple(w for w in words if not english or not any(w in n or n in w for n in names)) or words
    found = []
    for word in telling:
        same, opposite = actions.names_of(word)
        term = term_of(word)
        if "-" in word:
            term = replace(term, weight=max(term.weight, _HYPHENATED))  # point-in-time: rarer than its parts
        forms = {_stem(word): 1.0, **dict.fromkeys(same, _OTHER_NAME)}
        if not opposite:
            forms = {**dict(term.forms[1:]), **forms}
        factor = _ACTION_WEIGHT if same else _ONE_CHARACTER if len(word) == 1 < len(telling) else 1.0
        best_first = tuple(sorted(forms.items(), key=lambda f: -f[1]))
        found.append(Key(replace(term, weight=term.weight * factor, forms=best_first), opposite, bool(same)))
    return tuple(found)


def _stem(word: str) -> str:
    """An English verb without its ending: freezing and frozen do not meet free."""
    if not word.isascii() or len(word) <= _SHORTEST:
        return word
    for ending in ("ing", "ed", "es", "e", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word


def cover_of(
    wanted: tuple[Key, ...], clause: str, before: str, text: str, introduction: str, prepared: PreparedText,
    offset: int, names: tuple[str, ...] = (),
) -> tuple[float, bool]:  # fmt: skip
    """Share of the predicate that a clause speaks of, and whether by its opposite.

    The clause itself must hold a word of it, or the name of what is asked about.
    """
    total = got = 0.0
    here = opposite = action = False
    met = 0
    mine = 0.0
    for key in wanted:
        total += key.term.weight
        credit = _credit(key.term, clause, prepared, offset)
        against = next((name for name in key.opposite if name in clause), "")
        if against and credit < _BOTH_CHARACTERS:
            credit, opposite = _OTHER_NAME, True
        here = here or credit > 0
        mine += credit * key.term.weight
        action = action or (credit > 0 and key.action)
        if not credit and before:
            credit = _BEFORE * key.term.credit(before)
        met += credit > 0 or key.term.credit(text) > 0
        if not credit and text:
            credit = max(_SENTENCE * key.term.credit(text), INTRODUCED * key.term.credit(introduction))
        got += credit * key.term.weight
    here = (here and (action or mine >= _OWN_KEY * total)) or any(n in clause for n in names)
    cover = got / total if here and total else 0.0
    return (max(cover, LEAST_KEY) if action and met > 1 and cover >= _WITH_ACTION else cover), opposite


def _credit(term: FocusTerm, clause: str, prepared: PreparedText, offset: int) -> float:
    """As the term says; a verb of one Chinese character must begin a word (续租, not 手续)."""
    best = 0.0
    plain = clause.replace("了", "") if "了" in clause else clause
    for form, credit in term.forms:
        if credit <= best:
            break
        if len(form) > 1 and form in plain:
            best = credit
            break
        if form == term.text and len(form) == _PAIR and not form.isascii() and form[1] in clause:
            best = max(best, (_BOTH_CHARACTERS if form[0] in clause else _LAST_CHARACTER) * credit)
        if form == term.text and len(form) == _PAIR and (at := clause.rfind(form[0])) > 0 and clause[at - 1] in _MODALS:
            best = max(best, _BOTH_CHARACTERS * credit)
        place = clause.find(form)
        while place >= 0:
            if len(form) > 1 or form.isascii() or _begins_word(prepared, offset + place):
                best = max(best, credit)
                break
            place = clause.find(form, place + 1)
    return best


def _begins_word(prepared: PreparedText, at: int) -> bool:
    first = bisect_left(prepared.tokens, at, key=lambda t: t.start)
    return first < len(prepared.tokens) and prepared.tokens[first].start == at


def topic_of(
    terms: tuple[FocusTerm, ...], present: tuple[FocusTerm, ...], text: str, introduction: str
) -> tuple[float, float]:
    """Share of the question that a sentence speaks of with its surroundings and its page, and by itself."""
    total = sum(t.weight for t in terms)
    got = own = 0.0
    for term in present:  # what the page lacks, its sentences lack
        here = term.credit(text)
        own += here * term.weight
        if not here:
            here = max(INTRODUCED * term.credit(introduction), ON_PAGE)
        got += here * term.weight
    return (got / total, own / total) if total else (0.0, 0.0)


def share_of(terms: tuple[FocusTerm, ...], text: str) -> float:
    """Share of the words that a text holds, by weight."""
    total = sum(t.weight for t in terms)
    return sum(t.weight * t.credit(text) for t in terms) / total if total else 0.0


@lru_cache(maxsize=8192)
def clauses_of(text: str) -> tuple[tuple[int, str], ...]:
    """The clauses of a sentence with their offsets; a sentence is read several times for each question."""
    return tuple(_clauses(text))


def _clauses(text: str) -> Iterator[tuple[int, str]]:
    at = _after_title(text)
    for m in CLAUSES.finditer(text, at):
        piece = text[at : m.start()].strip()
        if len(piece) <= _WORD_OF_ANSWER:
            continue  # 'yes,' and 可以, go with what they answer
        yield at, text[at : m.start()]
        at = m.start() if m.end() == m.start() else m.end()
    if text[at:].strip():
        yield at, text[at:]


def _after_title(text: str) -> int:
    """Where a sentence begins that opens with what it is about as a question of its own: 献血前后怎么吃:..."""
    m = _TITLE_ASKS.match(text)
    return m.end() if m else 0


def introduction_of(prepared: PreparedText, number: int) -> str:
    """The sentence before in the same paragraph, and the heading or first line above."""
    sentences, texts = prepared.sentences, prepared.folded_sentences
    parts = [
        texts[i] for i in range(max(0, number - _LOOK_BACK), number)
        if sentences[i].paragraph == sentences[number].paragraph or sentences[i].kind == "heading"
    ]
    if number and len(texts[0]) <= _OPENING:
        parts.append(texts[0])
    return "\n".join(parts)
