"""What is heard more loosely once the sides are known: copies, hearsay, values that second a side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ragclean.arbitration.belief import words_beside
from ragclean.arbitration.claims import HEARSAY, Claim
from ragclean.arbitration.decision import Outcome, Position, comparable, consistent
from ragclean.arbitration.focus import FacetFocus, Focus
from ragclean.arbitration.nearest import in_asked_unit, is_added, is_condition, is_former
from ragclean.arbitration.rivalry import RIVAL_OLD, rivalry
from ragclean.arbitration.scope import ScopeReader
from ragclean.arbitration.timing import Standing
from ragclean.arbitration.verdict import SentenceKey
from ragclean.arbitration.voices import voice_weight
from ragclean.arbitration.witnesses import quotes
from ragclean.arbitration.wording import loses, value_of
from ragclean.prepare import Passage, RankedPassage
from ragclean.text.values import Value, same_value

#: Rarity of the words, added up, that a sentence shares with a losing one whose value it repeats.
_ALIKE = 1.6


def seconds(
    positions: Sequence[Position], passages: Sequence[RankedPassage], facet: FacetFocus
) -> Iterator[tuple[Position, list[Claim]]]:
    """To break a tie: per side, passages that hold its value and no other side's, though they make no claim of it.

    The value must count what the question names, or stand in a sentence that holds a word of the attribute.
    """
    heard = {c.place for p in positions for c in p.claims}
    found: dict[str, list[Claim]] = {p.key: [] for p in positions}
    for place, r in enumerate(passages):
        if place in heard:
            continue
        said: dict[str, int] = {}
        for number, values in enumerate(r.prepared.sentence_values):
            text = r.prepared.folded_sentences[number]
            start = r.prepared.sentences[number].start
            for v in (v for v in values if not is_added(text, v, start, facet)):
                for p in positions:
                    lead = p.lead.claim.value
                    if lead is None or v.kind != lead.kind or not same_value(v, lead):
                        continue
                    if in_asked_unit(v, facet) or any(t.credit(text) for t in facet.terms if t.attribute):
                        said.setdefault(p.key, number)
        if len(said) == 1:
            key, number = said.popitem()
            lead_claim = next(p for p in positions if p.key == key).lead.claim
            found[key].append(replace(lead_claim, place=place, sentence=number, sentences=(number,), groups=()))
    for p in positions:
        yield p, found[p.key]


def dissent(
    outcome: Outcome,
    claims: Sequence[Claim],
    passages: Sequence[RankedPassage],
    standing_of: Callable[[Claim], Standing],
    lang: str,
) -> list[tuple[SentenceKey, str]]:
    """Hearsay and pages not in force that say something else again, too loosely to be a side of the conflict.

    Where no source is known, hearsay is what somebody says in passing, by the way the page is written.
    """
    winner = outcome.winner
    assert winner is not None
    heard = {(c.place, c.sentence) for p in outcome.positions for c in p.claims}
    won = {c.place for c in winner.claims}
    lead = winner.lead.claim
    found: list[tuple[SentenceKey, str]] = []
    for c in claims:
        passage = passages[c.place].passage
        if (c.place, c.sentence) in heard or c.place in won:
            continue
        no_office = not passage.trust_known and voice_weight(passage.prepared.folded) <= 1.0
        reason = "source" if no_office or _is_hearsay(passage) else "" if standing_of(c).in_force else "time"
        if not reason or not c.exact or not comparable(lead, c):
            continue
        standings = (standing_of(lead), standing_of(c))
        of_one = c.value is None or rivalry(lead, c, standings, claims, passages) >= RIVAL_OLD
        if of_one and not any(consistent(w, c) for w in winner.claims):
            words = loses(c.written, value_of(winner), reason, lang)
            found += [((passage.index, s), words) for s in c.sentences]
    return found


def _is_hearsay(passage: Passage) -> bool:
    return passage.trust < HEARSAY if passage.trust_known else voice_weight(passage.prepared.folded) < 1.0


def echoes(
    outcome: Outcome, facet: FacetFocus, focus: Focus, passages: Sequence[RankedPassage]
) -> list[tuple[SentenceKey, str]]:
    """Sentences with a losing value in pages that make no claim of their own.

    Word-for-word copies of a losing sentence anywhere; in other words only in hearsay and in pages older than the
    winner's, where the sentence speaks of the attribute and not of what was or of another thing.
    """
    assert outcome.winner is not None
    heard = {(c.place, c.sentence) for p in outcome.positions for c in p.claims}
    won = {(c.place, s) for c in outcome.winner.claims for s in c.sentences}
    losers = [p for p in outcome.positions if p is not outcome.winner]
    found: list[tuple[SentenceKey, str]] = []
    for place, r in enumerate(passages):
        loose = _may_repeat(r, outcome.winner)
        for number, values in enumerate(r.prepared.sentence_values):
            if not values or (place, number) in heard or (place, number) in won:
                continue
            text = r.prepared.folded_sentences[number]
            for position in losers:
                lost = position.lead.claim.value
                said = [v for v in values if lost is not None and v.kind == lost.kind and same_value(v, lost)]
                if not said:
                    continue
                copied = any(
                    quotes(text, passages[b.claim.place].prepared.folded_sentences[b.claim.sentence])
                    for b in position.ballots
                )
                alike = any(_same_words(r, number, passages[c.place], c.sentence) for c in position.claims)
                if copied or ((loose or alike) and _repeats(said[0], values, text, number, r, facet, focus)):
                    words = loses(value_of(position), value_of(outcome.winner), "source", focus.lang)
                    found.append(((r.passage.index, number), words))
                    break
    return found


def _same_words(a: RankedPassage, number: int, b: RankedPassage, sentence: int) -> bool:
    theirs = words_beside(b.prepared, sentence)
    shared = sum(w for word, w in words_beside(a.prepared, number).items() if word in theirs)
    return shared >= _ALIKE


def _may_repeat(r: RankedPassage, winner: Position) -> bool:
    """Hearsay, or a page written before the winner's."""
    if _is_hearsay(r.passage):
        return True
    dates = [b.standing.dated for b in winner.ballots if b.standing.dated is not None]
    return bool(dates) and r.passage.dated is not None and r.passage.dated < min(dates)


def _repeats(
    value: Value, values: tuple[Value, ...], text: str, number: int, r: RankedPassage, facet: FacetFocus, focus: Focus
) -> bool:
    sentence = r.prepared.sentences[number]
    if not (in_asked_unit(value, facet) or any(t.credit(text) for t in facet.core)):
        return False
    if is_former(text, value, values, sentence.start) or is_condition(text, value, sentence.start):
        return False
    if is_added(text, value, sentence.start, facet):
        return False
    reader = ScopeReader(focus, r.passage)
    return not reader.passage_reason() and not reader.sentence_reason(number, facet.kind)
