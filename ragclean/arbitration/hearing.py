"""What is heard more loosely once the sides are known: copies, hearsay, values that second a side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ragclean.arbitration.claims import HEARSAY, Claim
from ragclean.arbitration.decision import Outcome, Position, comparable, consistent
from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.nearest import in_asked_unit
from ragclean.arbitration.verdict import SentenceKey
from ragclean.arbitration.witnesses import quotes
from ragclean.arbitration.wording import LOSES, value_of
from ragclean.prepare import RankedPassage
from ragclean.text.values import same_value


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
            for v in values:
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
    outcome: Outcome, claims: Sequence[Claim], passages: Sequence[RankedPassage], lang: str
) -> list[tuple[SentenceKey, str]]:
    """Hearsay that says something else again, too loosely to be a side of the conflict."""
    winner = outcome.winner
    assert winner is not None
    heard = {(c.place, c.sentence) for p in outcome.positions for c in p.claims}
    lead = winner.lead.claim
    found: list[tuple[SentenceKey, str]] = []
    for c in claims:
        passage = passages[c.place].passage
        if (c.place, c.sentence) in heard or not passage.trust_known or passage.trust >= HEARSAY:
            continue
        if c.exact and c.central and comparable(lead, c) and not any(consistent(w, c) for w in winner.claims):
            words = LOSES[lang == "zh"].format(c.written, value_of(winner), "source")
            found += [((passage.index, s), words) for s in c.sentences]
    return found


def echoes(
    outcome: Outcome, heard: set[tuple[int, int]], passages: Sequence[RankedPassage], lang: str
) -> list[tuple[SentenceKey, str]]:
    """Word-for-word copies of a losing sentence in pages that make no claim of their own."""
    assert outcome.winner is not None
    won = {(c.place, s) for c in outcome.winner.claims for s in c.sentences}
    lost = [
        (p, passages[b.claim.place].prepared.folded_sentences[b.claim.sentence])
        for p in outcome.positions
        if p is not outcome.winner
        for b in p.ballots
    ]
    found: list[tuple[SentenceKey, str]] = []
    for place, r in enumerate(passages):
        for number, values in enumerate(r.prepared.sentence_values):
            if not values or (place, number) in heard or (place, number) in won:
                continue
            for position, sentence in lost:
                value = position.lead.claim.value
                said = value is not None and any(same_value(v, value) for v in values)
                if said and quotes(r.prepared.folded_sentences[number], sentence):
                    words = LOSES[lang == "zh"].format(value_of(position), value_of(outcome.winner), "source")
                    found.append(((r.passage.index, number), words))
                    break
    return found
