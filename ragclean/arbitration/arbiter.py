"""The stage: focus, claims, positions, votes, and what follows for each passage and sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, partial

from ragclean.arbitration.belief import Bid, believe
from ragclean.arbitration.candidates import Candidate
from ragclean.arbitration.claims import Claim, Reading, choose_claims, read_passage, spare_claims
from ragclean.arbitration.cohort import cohort_of
from ragclean.arbitration.decision import Outcome
from ragclean.arbitration.deference import defer, vouched
from ragclean.arbitration.elsewhere import of_other_things
from ragclean.arbitration.focus import Focus, focus_of
from ragclean.arbitration.hearing import dissent, echoes
from ragclean.arbitration.ruling import Book, conflict_of, record_loss, record_tie, scope_words, split_tie, why_beaten
from ragclean.arbitration.rumours import origins_of
from ragclean.arbitration.scope import ScopeReader
from ragclean.arbitration.settling import Matter, settle
from ragclean.arbitration.siblings import SiblingReader
from ragclean.arbitration.timing import Standing, notices, outdated, standing
from ragclean.arbitration.verdict import Verdict
from ragclean.arbitration.versions import record_changes, replaced_by_another
from ragclean.arbitration.wording import loses, set_aside, value_of
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.text.question import Question

#: Values down to here are kept in mind: once the right one is known, what hearsay and drafts say goes.
_FAINT = 0.03

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
    # Who asks what an earlier edition says, or signed under one, is not answered by the latest.
    earlier = cohort is None and focus.asks_earlier
    latest = cohort is None and not (focus.years or focus.versions or focus.asks_earlier or focus.of_last_year)
    replaced = replaced_by_another(screened, day, config, by_title=latest)
    record_changes(passages, replaced, config, focus.lang, book)
    book.outdated = outdated(screened, day, replaced, focus.lang)
    if focus.empty or earlier or (len(focus.facets) == 1 and _ASKS_SEVERAL.search(focus.folded)):
        return book.verdict()
    claims, spare, elsewhere = _collect(focus, passages, config, as_of.year, book)
    book.asks_value = not any(f.is_yes_no for f in focus.facets)
    for claim in claims:
        if claim.value is not None:
            index = passages[claim.place].passage.index
            book.answering[index] = max(claim.confidence, book.answering.get(index, 0.0))
    top = max((r.signals.final for r in passages), default=1.0) or 1.0
    for number, facet in enumerate(focus.facets):
        mine = [c for c in claims if c.facet == number]

        @cache
        def stands(place: int, sentence: int, changes: bool = facet.changes) -> Standing:
            # Pairs, rumours, votes and dissent all ask for it.
            return standing(passages[place].passage, sentence, day, changes, replaced, config, cohort, as_of)

        def standing_of(c: Claim, stands: Callable[[int, int], Standing] = stands) -> Standing:
            return stands(c.place, c.sentence)

        origins = origins_of(mine, [c for c in elsewhere if c.facet == number], standing_of)
        mine = _set_aside_future(mine, passages, standing_of, book, focus.lang)
        matter = Matter(facet, focus, passages, standing_of, top, config)
        outcome = settle(matter, mine, partial(spare, number), origins)
        if outcome is not None:
            _record(outcome, matter, mine, claims, book)
        # Who asks what the rules of 2022 said is not answered by newer ones.
        if not focus.years or focus.asks_now:
            _set_behind(matter, mine, stands, outcome, book)
        if len(focus.facets) == 1 and facet.proposition is None:
            for index, words in of_other_things(mine, partial(spare, number), outcome, passages, focus.lang):
                book.out.setdefault(index, words)
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
) -> tuple[list[Claim], Callable[[int, float], list[Claim]], list[Claim]]:
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
        if claim.confidence >= _FAINT and not _lost(claim, passages, book)
    ]

    def spare(facet: int, least: float) -> list[Claim]:
        return [
            claim
            for reading, candidates in zip(readings, offered, strict=True)
            for claim in spare_claims(
                reading, facet, candidates[facet], passages[reading.place].prepared, least
            )
            if not _lost(claim, passages, book)
        ]

    elsewhere = [
        claim
        for reading in readings
        for claim in choose_claims(reading, reading.elsewhere, passages[reading.place].prepared)
    ]
    return claims, spare, elsewhere


def _lost(claim: Claim, passages: Sequence[RankedPassage], book: Book) -> bool:
    """A newer version of its own document says otherwise: it is no voice."""
    index = passages[claim.place].passage.index
    return index in book.lost_passages or any((index, s) in book.lost_sentences for s in claim.sentences)


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
    bids: list[Bid] = []
    for reading in readings:
        siblings = SiblingReader(focus, passages[reading.place].passage)
        bids += [
            Bid(reading.place, c.sentence, c.value, c.confidence, c.exact, c.own, siblings.holds(c.sentence))
            for c in reading.candidates[number]
            if c.value is not None
        ]
    return bids


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


def _set_behind(
    matter: Matter, claims: Sequence[Claim], stands: Callable[[int, int], Standing], outcome: Outcome | None, book: Book
) -> None:
    """What hearsay and old pages answer beside a page that one can trust, whether or not they are seen to disagree.

    The winner of a conflict is followed; without one the likeliest value of a trusted page, and of a yes or no the page
    itself. Beside a tie nobody is.
    """
    facet, config = matter.facet, matter.config
    if config.conflict_policy == "annotate" or not config.deference:
        return
    winner = outcome.winner if outcome is not None else None
    followed = winner.lead.claim if winner is not None else None
    if outcome is None and facet.proposition is None:
        followed = vouched(claims, matter.passages)
    if followed is None and (outcome is not None or facet.proposition is None):
        return

    def silent(index: int, sentence: int) -> bool:
        out, lost = book.out_sentences, book.lost_sentences
        gone = index in book.out or index in book.lost_passages
        return gone or (index, sentence) in out or (index, sentence) in lost

    behind = defer(
        facet, matter.passages, stands, silent, matter.focus.lang, followed, decided=winner is not None
    )
    for key, words in list(behind):
        if config.conflict_policy == "demote":
            book.lost_passages.setdefault(key[0], words)
        else:
            book.lost_sentences.setdefault(key, words)


def _record(
    outcome: Outcome, matter: Matter, faint: Sequence[Claim], all_claims: list[Claim], book: Book
) -> None:
    """Write down a decided or a tied conflict, and what goes and what stays because of it.

    ``faint`` are all claims of the matter, however unlikely: once the right one is known, what hearsay says goes.
    """
    facet, focus, passages, config = matter.facet, matter.focus, matter.passages, matter.config
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
    stray = dissent(outcome, faint, passages, matter.standing_of, focus.lang)
    for key, words in (*stray, *echoes(outcome, facet, focus, passages)):
        if key[0] not in book.lost_passages:
            book.lost_sentences.setdefault(key, words)
