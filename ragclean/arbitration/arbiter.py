"""The stage: focus, claims, positions, votes, and what follows for each passage and sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from ragclean.arbitration.belief import Bid, believe
from ragclean.arbitration.candidates import Candidate
from ragclean.arbitration.claims import HEARSAY, Claim, Reading, choose_claims, read_passage, spare_claims
from ragclean.arbitration.cohort import cohort_of
from ragclean.arbitration.decision import (
    Outcome,
    Position,
    ballots_of,
    comparable,
    consistent,
    decide,
    take_positions,
)
from ragclean.arbitration.focus import FacetFocus, Focus, focus_of
from ragclean.arbitration.hearing import dissent, echoes, seconds
from ragclean.arbitration.kinship import kin
from ragclean.arbitration.rivalry import contradict, rivals_of
from ragclean.arbitration.ruling import Book, conflict_of, record_loss, record_tie, scope_words, split_tie, why_beaten
from ragclean.arbitration.rumours import Origin, mark_rumours, origins_of
from ragclean.arbitration.scope import ScopeReader
from ragclean.arbitration.siblings import is_sibling, names_asked
from ragclean.arbitration.stances.advised import contested
from ragclean.arbitration.substitution import substituted
from ragclean.arbitration.timing import Standing, notices, outdated, replaced_versions, standing
from ragclean.arbitration.unattested import (
    BEYOND_WORDS,
    MAX_SIDES,
    level,
    of_something_else,
    one_measure,
    speaks_clearly,
)
from ragclean.arbitration.verdict import Verdict
from ragclean.arbitration.wording import loses, set_aside, value_of
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.text.question import Question

#: A claim of a passage whose score is below this share of the best one's is none: it is about something else.
_RELEVANT_SHARE = 0.38
#: Of a stance on a page of known origin: a manual forbids in other words than people ask in.
_RELEVANT_STANCE = 0.3
#: Share of the subject's words that must stand around a value which disputes another. Pages of a source that is
#: known need not name the thing in every chunk; a page of unknown origin must, or it may well be about another.
_NEAR_SUBJECT = 0.15
_UNKNOWN_EXTRA = 0.1
#: Claims of the most trusted and best ranked passages that are compared pair by pair, and values among them beyond
#: which they are figures of many things (three sides are a dispute at most, spellings of one value aside).
_MOST_CLAIMS, _MANY_KEYS = 60, 12
#: What a claim that shares words with one of another value must hold of the question all the same.
_KIN_LEAST = 0.3
#: Share of ``claim_threshold`` that such a claim needs: pages that say the same thing with another figure.
_KIN_SHARE = 0.4
#: Values down to here are kept in mind: once the right one is known, what hearsay and drafts say goes.
_FAINT = 0.03
#: Up to so many pages of unknown origin are a chosen few, in which a likely answer needs no further proof; a search of
#: the web brings more, and figures of many things with them.
_FEW = 15
#: So many voices against one.
_SEVERAL = 3
#: Share of the likeliest side's probability that a side needs to be its rival.
_RIVAL_SHARE = 0.35
#: A dispute has two or three values, seldom more.
_MANY_VALUES = 3
#: Share of dated pages from which a collection counts as a kept one rather than as finds from the web.
_MOSTLY = 0.8

#: The values of several things are asked for: they differ, and nothing tells from a sentence which of them it is of.
_ASKS_SEVERAL = re.compile(
    r"分别|各(?:自|是|要|多少|几|个|种|收|需)|(?:都|各)是?(?:多少|几|多久|什么)"
    r"|\b(?:respectively|each of (?:the|them))\b"
)


def arbitrate(
    question: Question,
    passages: Sequence[RankedPassage],
    config: CorrectorConfig,
    as_of: date,
) -> Verdict:
    """Find values of the asked attribute that contradict each other, and decide who is right.

    ``passages`` are all screened passages, in rank order; evidence is counted over all of them that are in scope.
    Never raises on an empty evidence table; with nothing to decide the verdict is empty.
    """
    focus = focus_of(question, config.aliases)
    book = Book()
    _mark_other_things(focus, passages, book)
    cohort = cohort_of(focus.folded, as_of)
    day = as_of if cohort else _reference_day(focus, as_of)
    screened = [r.passage for r in passages]
    replaced = replaced_versions(screened, day, by_title=not focus.years)
    book.outdated = outdated(screened, day, replaced, focus.lang)
    if focus.empty or (len(focus.facets) == 1 and _ASKS_SEVERAL.search(focus.folded)):
        return book.verdict()
    claims, spare, elsewhere = _collect(focus, passages, config, as_of.year, book)
    top = max((r.signals.final for r in passages), default=1.0) or 1.0
    for number, facet in enumerate(focus.facets):
        mine = [c for c in claims if c.facet == number]

        known: dict[tuple[int, int], Standing] = {}

        def standing_of(
            c: Claim, facet: FacetFocus = facet, known: dict[tuple[int, int], Standing] = known
        ) -> Standing:
            # Pairs, rumours, votes and dissent all ask for it.
            at = (c.place, c.sentence)
            if at not in known:
                page = passages[c.place].passage
                known[at] = standing(page, c.sentence, day, facet.changes, replaced, config, cohort)
            return known[at]

        origins = origins_of(mine, [c for c in elsewhere if c.facet == number], standing_of)
        mine = _set_aside_future(mine, passages, standing_of, book, focus.lang)
        _settle(facet, mine, partial(spare, number), claims, origins, passages, standing_of, top, config, focus, book)
    return book.verdict()


def _reference_day(focus: Focus, as_of: date) -> date:
    """The day whose state is asked for: a question about 2023 is answered by what held at the end of 2023."""
    if not focus.years or focus.asks_now:
        return as_of
    last = max(focus.years)
    return date(last, 12, 31) if 1 <= last <= 9998 and last != as_of.year else as_of


def _mark_other_things(focus: Focus, passages: Sequence[RankedPassage], book: Book) -> None:
    if not focus.things and not focus.groups and not focus.versions:
        return
    for r in passages:
        reader = ScopeReader(focus, r.passage)
        reason = reader.passage_reason()
        if reason:
            book.out[r.passage.index] = scope_words(reason, focus.lang)
            continue
        for sentence, why in reader.foreign_sentences().items():
            book.out_sentences[(r.passage.index, sentence)] = scope_words(why, focus.lang)


def _collect(
    focus: Focus, passages: Sequence[RankedPassage], config: CorrectorConfig, this_year: int, book: Book
) -> tuple[list[Claim], Callable[[int], list[Claim]], list[Claim]]:
    """The claims about what is asked for, all values of the same passages by facet, and claims about something else."""
    read = (read_passage(place, r, focus, config.support_threshold, this_year) for place, r in enumerate(passages))
    readings = [r for r in read if r is not None]
    for reading in readings:
        index = passages[reading.place].passage.index
        for sentence, reason in reading.foreign_sentences:
            if index not in book.out:
                book.out_sentences[(index, sentence)] = scope_words(reason, focus.lang)
    offered = [list(reading.candidates) for reading in readings]
    for number, facet in enumerate(focus.facets):
        if not facet.is_yes_no:
            _weigh_values(number, readings, offered, focus, passages)
    claims = [
        claim
        for reading, candidates in zip(readings, offered, strict=True)
        for claim in choose_claims(reading, candidates, passages[reading.place].prepared)
        if claim.confidence >= _FAINT
    ]

    def spare(facet: int) -> list[Claim]:
        return [
            claim
            for reading, candidates in zip(readings, offered, strict=True)
            for claim in spare_claims(
                reading, facet, candidates[facet], passages[reading.place].prepared, config.support_threshold
            )
        ]

    elsewhere = [
        claim
        for reading in readings
        for claim in choose_claims(reading, reading.elsewhere, passages[reading.place].prepared)
    ]
    return claims, spare, elsewhere


def _weigh_values(
    number: int,
    readings: Sequence[Reading],
    offered: list[list[tuple[Candidate, ...]]],
    focus: Focus,
    passages: Sequence[RankedPassage],
) -> None:
    """Give the values of one facet the probability that they answer, in place of the share of words around them."""
    bids = bids_of(number, readings, focus, passages)
    believed = iter(believe(bids, passages))
    for at, reading in enumerate(readings):
        offered[at][number] = tuple(replace(c, confidence=next(believed)) for c in reading.candidates[number])


def bids_of(
    number: int, readings: Sequence[Reading], focus: Focus, passages: Sequence[RankedPassage]
) -> list[Bid]:
    """The values that all passages offer for one facet, in order."""
    return [
        Bid(reading.place, c.sentence, c.value, c.confidence, c.exact, c.own,
            is_sibling(focus, passages[reading.place].passage, c.sentence))
        for reading in readings
        for c in reading.candidates[number]
        if c.value is not None
    ]  # fmt: skip


def _set_aside_future(
    claims: list[Claim],
    passages: Sequence[RankedPassage],
    standing_of: Callable[[Claim], Standing],
    book: Book,
    lang: str,
) -> list[Claim]:
    """A rule that is not yet in force is no vote against the one that is, as long as there is one."""
    future = [c for c in claims if "not_yet_in_force" in standing_of(c).notes]
    if not future or len(future) == len(claims):
        return claims
    words = "尚未生效" if lang == "zh" else "not yet in force"
    for c in future:
        passage = passages[c.place].passage
        if c.sentence < len(passage.prepared.sentences):
            for s in c.sentences:
                book.out_sentences[(passage.index, s)] = words
    return [c for c in claims if c not in future]


def _settle(
    facet: FacetFocus,
    claims: list[Claim],
    spare: Callable[[], Sequence[Claim]],
    all_claims: list[Claim],
    origins: Sequence[Origin],
    passages: Sequence[RankedPassage],
    standing_of: Callable[[Claim], Standing],
    top: float,
    config: CorrectorConfig,
    focus: Focus,
    book: Book,
) -> None:
    if facet.proposition is not None and facet.proposition.kind == "advice":
        claims = _disputed(claims)
    if len(claims) > _MOST_CLAIMS:
        # The most trusted speak, then the best ranked: the sort is stable.
        heard = sorted(claims, key=lambda c: -passages[c.place].passage.trust)[:_MOST_CLAIMS]
        claims = sorted(heard, key=lambda c: (c.place, c.sentence))
    if len({c.key for c in claims if c.exact and c.confidence >= config.claim_threshold}) > _MANY_KEYS:
        return
    faint, claims = claims, [c for c in claims if c.confidence >= config.support_threshold]
    related = kin(claims, passages, facet, lambda a, b: comparable(a, b) and not consistent(a, b))

    unattested = _of_unknown_origin(claims, passages)

    few = len({r.prepared.folded for r in passages}) <= _FEW

    def clear(c: Claim) -> bool:
        return (few and c.confidence >= BEYOND_WORDS) or speaks_clearly(c, passages[c.place], facet, focus)

    def one_slot(a: Claim, b: Claim) -> bool:
        if few and min(a.confidence, b.confidence) >= BEYOND_WORDS:
            return contradict(a, b)
        texts = tuple(passages[c.place].prepared.folded_sentences[c.sentence] for c in (a, b))
        return contradict(a, b) and one_measure(a, b, (texts[0], texts[1]))

    def of_one_thing(a: Claim, b: Claim) -> bool:
        disputed = one_slot(a, b) if unattested else contradict(a, b)
        return disputed and not substituted(a, b, (passages[a.place], passages[b.place]), facet)

    # A name that no claim's chunk holds (a slip of the question, a way of speaking) tells nothing apart.
    named = any(c.names_subject and c.confidence >= config.claim_threshold for c in claims)

    def strong(c: Claim) -> bool:
        known = passages[c.place].passage.trust_known
        share = _RELEVANT_STANCE if known and c.value is None else _RELEVANT_SHARE
        relevant = passages[c.place].signals.final >= share * top
        near = c.near_subject >= _NEAR_SUBJECT
        if c.value is not None:
            needed = config.claim_threshold * (_KIN_SHARE if c in related else 1.0)
            about_it = c.names_subject or near or not named
            beyond = c.confidence >= BEYOND_WORDS or c in related or (c.central and about_it)
            return relevant and c.exact and c.confidence >= needed and beyond
        if c in related:
            return relevant and c.exact and c.confidence >= _KIN_LEAST
        about_it = (c.names_subject or near) if known else ((c.names_subject or not named) and near)
        needed = config.claim_threshold + (0.0 if known else _UNKNOWN_EXTRA)
        if known and passages[c.place].passage.trust < HEARSAY:
            needed = config.support_threshold  # it can only lose
        return relevant and about_it and c.exact and c.central and c.confidence >= needed

    claims = _without_siblings(claims, strong, passages, focus)
    worded = strong
    valued = any(c.value is not None for c in claims)
    if valued:
        rivals = rivals_of(claims, passages, standing_of, worded)

        def strong(c: Claim) -> bool:
            return c in rivals

        if rivals:
            claims = _second_thoughts(claims, spare(), rivals)
    if unattested and few and valued:

        def likely(c: Claim) -> bool:
            return strong(c) and clear(c) and not of_something_else(c, passages[c.place], facet, focus)

        groups = _rivals(take_positions(claims, likely), facet)
    else:
        groups = _rivals(take_positions(claims, strong), facet)
        if unattested and len(groups) > MAX_SIDES:
            return
        if unattested:
            groups = _rivals(level(take_positions(claims, lambda c: strong(c) and worded(c) and clear(c)), few), facet)
    positions = [
        Position(g[0].key, ballots_of(g, passages, standing_of, top, config))
        for g in _same_slot(groups, of_one_thing)
    ]
    if len(positions) < 2 or _scattered(positions) or (unattested and not few and _alone(positions)):
        return
    positions = mark_rumours(positions, origins)
    outcome = decide(positions, facet.changes, config)
    if outcome.winner is None:
        seconded = [
            Position(p.key, ballots_of([*p.claims, *more], passages, standing_of, top, config))
            for p, more in seconds(positions, passages, facet)
        ]
        outcome = decide(mark_rumours(seconded, origins), facet.changes, config)
    _record(outcome, facet, faint, all_claims, passages, standing_of, config, focus, book)


def _record(
    outcome: Outcome,
    facet: FacetFocus,
    faint: Sequence[Claim],
    all_claims: list[Claim],
    passages: Sequence[RankedPassage],
    standing_of: Callable[[Claim], Standing],
    config: CorrectorConfig,
    focus: Focus,
    book: Book,
) -> None:
    """Write down a decided or a tied conflict, and what goes and what stays because of it."""
    if outcome.winner is None:
        tied, beaten = split_tie(outcome, facet.changes, config)
        gone = {p.key: why_beaten(p) for p in beaten} if config.conflict_policy == "drop" else {}
        conflict = conflict_of(facet, outcome, passages, focus.lang, gone)
        book.conflicts.append(conflict)
        record_tie(tied, conflict, passages, book)
        if config.conflict_policy != "annotate":
            shown = value_of(outcome.positions[0])
            for position in beaten:
                words = set_aside(value_of(position), shown, why_beaten(position), focus.lang)
                record_loss(position, words, all_claims, passages, config, book)
        return
    conflict = conflict_of(facet, outcome, passages, focus.lang, {})
    book.conflicts.append(conflict)
    for c in outcome.winner.claims:
        book.winning.update((passages[c.place].passage.index, s) for s in c.sentences)
    for b in outcome.winner.ballots:
        # Without the line that puts the other page out of force the right value looks like one of two.
        book.winning.update((b.ranked.passage.index, s) for s in notices(b.ranked.prepared, b.standing))
    if config.conflict_policy == "annotate":
        return
    for position in outcome.positions[1:]:
        words = loses(value_of(position), value_of(outcome.winner), conflict.reason, focus.lang)
        record_loss(position, words, all_claims, passages, config, book)
    stray = dissent(outcome, faint, passages, standing_of, focus.lang)
    for key, words in (*stray, *echoes(outcome, facet, focus, passages)):
        if key[0] not in book.lost_passages:
            book.lost_sentences.setdefault(key, words)


def _second_thoughts(claims: list[Claim], spare: Sequence[Claim], rivals: frozenset[Claim]) -> list[Claim]:
    """A passage whose likeliest value is no side of the conflict speaks for the side whose value it holds as well."""
    keys = {c.key for c in rivals}
    held = {(c.place, c.key): c for c in spare if c.key in keys}
    said = {place: [c for (p, _), c in held.items() if p == place] for place, _ in held}

    def meant(c: Claim) -> Claim:
        values = said.get(c.place, ())
        return values[0] if c.key not in keys and len(values) == 1 else c

    return [meant(c) for c in claims]


def _alone(positions: Sequence[Position]) -> bool:
    """Of many pages several agree and one says otherwise: it is about something else."""
    sizes = sorted((len(p.ballots) for p in positions), reverse=True)
    return sizes[1] == 1 and sizes[0] >= _SEVERAL


def _rivals(groups: list[list[Claim]], facet: FacetFocus) -> list[list[Claim]]:
    """Of many sides without those whose values are much less likely an answer than the likeliest one."""
    if facet.is_yes_no or len(groups) <= MAX_SIDES:
        return groups
    bar = _RIVAL_SHARE * max(c.confidence for g in groups for c in g)
    return [g for g in groups if max(c.confidence for c in g) >= bar]


def _scattered(positions: Sequence[Position]) -> bool:
    """Many values, hearsay not counted, or fewer hardly said twice by nobody known: figures of many things."""
    heard = [p for p in positions if not all(b.known and b.trust < HEARSAY for b in p.ballots)]
    if len(heard) > MAX_SIDES:
        return True
    if len(positions) < _MANY_VALUES or any(b.known for p in positions for b in p.ballots):
        return False
    sizes = sorted((len(p.ballots) for p in positions), reverse=True)
    if len(positions) == _MANY_VALUES:
        return sizes[0] == 1
    return sizes[0] < 2 * sizes[1] or 2 * sizes[0] < sum(sizes)


def _without_siblings(
    claims: list[Claim], strong: Callable[[Claim], bool], passages: Sequence[RankedPassage], focus: Focus
) -> list[Claim]:
    """Pages about a sibling of what is asked for have no say where a page that names it gives a value."""
    asked = {c.place for c in claims if (c.exact or strong(c)) and names_asked(focus, passages[c.place].passage)}
    strays = {
        c for c in claims if c.place not in asked and is_sibling(focus, passages[c.place].passage, c.sentence)
    } if asked else set()
    return [c for c in claims if c not in strays]


def _disputed(claims: list[Claim]) -> list[Claim]:
    """Advice that some page says the opposite of."""
    kept = zip(claims, contested([c.actions for c in claims]), strict=True)
    return [replace(c, actions=actions) for c, actions in kept if actions]


def _of_unknown_origin(claims: Sequence[Claim], passages: Sequence[RankedPassage]) -> bool:
    """Nobody knows who speaks, and of most not when; a date found in the text itself is no origin."""
    chunks = [passages[c.place].passage.chunk for c in claims]
    if any(passages[c.place].passage.trust_known for c in claims):
        return False
    dated = sum(bool(c.published_at or c.updated_at or c.effective_from) for c in chunks)
    return dated < _MOSTLY * len(chunks)


def _same_slot(
    groups: list[list[Claim]], disputes: Callable[[Claim, Claim], bool]
) -> list[list[Claim]]:
    """The groups that contradict the best supported one: same kind of value, scopes that can be one."""
    if len(groups) < 2:
        return groups
    ordered = sorted(groups, key=lambda g: (-max(c.confidence for c in g), -len(g), g[0].key))
    lead = ordered[0]
    return [lead] + [g for g in ordered[1:] if any(disputes(a, b) for a in lead for b in g)]
