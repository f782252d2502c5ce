"""One matter before the court: which claims dispute each other, which sides they make, and who wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ragclean.arbitration.claims import HEARSAY, Claim
from ragclean.arbitration.decision import (
    Outcome,
    Position,
    ballots_of,
    comparable,
    consistent,
    decide,
    take_positions,
)
from ragclean.arbitration.focus import FacetFocus, Focus
from ragclean.arbitration.hearing import seconds
from ragclean.arbitration.kinds import others_of_a_kind
from ragclean.arbitration.kinship import kin
from ragclean.arbitration.names.equivalence import same_name
from ragclean.arbitration.names.quest import OTHER
from ragclean.arbitration.names.sides import FOUNDS, side_taken
from ragclean.arbitration.revisions import ABOUT, in_one_text, revised_names, revised_values, revised_words
from ragclean.arbitration.rivalry import contradict, rivals_of
from ragclean.arbitration.rumours import Origin, mark_rumours
from ragclean.arbitration.siblings import is_sibling, names_asked
from ragclean.arbitration.stances.advised import contested
from ragclean.arbitration.substitution import substituted
from ragclean.arbitration.timing import Standing
from ragclean.arbitration.unattested import (
    BEYOND_WORDS,
    MAX_SIDES,
    level,
    of_namesakes,
    of_something_else,
    one_measure,
    speaks_clearly,
)
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage

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
#: A value as likely as this is heard though another word stands behind the maker's name on its page: of 23 such claims
#: 21 were of the thing itself.
_LIKELY = 0.35
#: Up to so many pages of unknown origin are a chosen few, in which a likely answer needs no further proof; a search of
#: the web brings more, and figures of many things with them.
_FEW = 15
#: A name states an answer from this probability on where the source of its page is known.
_SURE_NAME = 0.7
#: So many voices against one.
_SEVERAL = 3
#: Share of the likeliest side's probability that a side needs to be its rival.
_RIVAL_SHARE = 0.35
#: A dispute has two or three values, seldom more.
_MANY_VALUES = 3
#: Share of dated pages from which a collection counts as a kept one rather than as finds from the web.
_MOSTLY = 0.8


@dataclass(frozen=True, slots=True)
class Matter:
    """One thing asked for, and all that is needed to judge what pages say of it."""

    facet: FacetFocus
    focus: Focus
    passages: Sequence[RankedPassage]
    standing_of: Callable[[Claim], Standing]
    top: float
    """The best score of a passage."""
    config: CorrectorConfig

    def ballots(self, claims: Sequence[Claim]) -> Position:
        """The side that these claims make."""
        return Position(
            claims[0].key, ballots_of(claims, self.passages, self.standing_of, self.top, self.config)
        )


@dataclass(frozen=True, slots=True)
class _Bar:
    """What a claim must show to be heard, and a pair of claims to be a dispute."""

    matter: Matter
    related: frozenset[Claim]
    """Claims that share rare words with one of another value."""
    revised: frozenset[Claim]
    """Claims in a sentence that another page has with another value."""
    unattested: bool
    few: bool
    named: bool
    """Some claim's chunk names the thing asked for; else its name tells nothing apart."""

    def page(self, c: Claim) -> RankedPassage:
        return self.matter.passages[c.place]

    def worded(self, c: Claim) -> bool:
        """The claim answers in the question's words, or beyond doubt."""
        if c in self.revised:
            return True
        page, config = self.page(c), self.matter.config
        known = page.passage.trust_known
        share = _RELEVANT_STANCE if known and c.value is None else _RELEVANT_SHARE
        relevant = page.signals.final >= share * self.matter.top
        near = c.near_subject >= _NEAR_SUBJECT
        if c.value is not None:
            needed = config.claim_threshold * (_KIN_SHARE if c in self.related else 1.0)
            about_it = c.names_subject or near or not self.named
            beyond = c.confidence >= BEYOND_WORDS or c in self.related or (c.central and about_it)
            return relevant and c.exact and c.confidence >= needed and beyond
        if c in self.related:
            return relevant and c.exact and c.confidence >= _KIN_LEAST
        about_it = (c.names_subject or near) if known else ((c.names_subject or not self.named) and near)
        needed = config.claim_threshold + (0.0 if known else _UNKNOWN_EXTRA)
        if known and page.passage.trust < HEARSAY:
            needed = config.support_threshold  # it can only lose
        return relevant and about_it and c.exact and c.central and c.confidence >= needed

    def clear(self, c: Claim) -> bool:
        """A page of unknown origin says beyond doubt what its value is of."""
        if c in self.revised or (self.few and c.confidence >= BEYOND_WORDS):
            return True
        return speaks_clearly(c, self.page(c), self.matter.facet, self.matter.focus)

    def likely(self, c: Claim) -> bool:
        """A clear claim whose value is of nothing else."""
        return self.clear(c) and not of_something_else(c, self.page(c), self.matter.facet, self.matter.focus)

    def disputes(self, a: Claim, b: Claim) -> bool:
        """The two claims contradict each other and are of one thing."""
        both = a in self.revised and b in self.revised
        if both and (a.value is None or in_one_text(a, b, self.matter.passages)):
            return True
        if not contradict(a, b):
            return False
        sure = self.few and min(a.confidence, b.confidence) >= BEYOND_WORDS
        if self.unattested and not sure:
            texts = tuple(self.page(c).prepared.folded_sentences[c.sentence] for c in (a, b))
            if not one_measure(a, b, (texts[0], texts[1])):
                return False
        lasting = self.unattested and not self.matter.facet.changes
        if lasting and of_namesakes(self.page(a).prepared, self.page(b).prepared, self.matter.focus.folded):
            return False
        if any(self.matter.standing_of(c).replaces for c in (a, b)):
            return True  # who changes a rule tells it in other words than the rule
        return not substituted(a, b, (self.page(a), self.page(b)), self.matter.facet)


def settle(
    matter: Matter, claims: Sequence[Claim], spare: Callable[[float], Sequence[Claim]], origins: Sequence[Origin]
) -> Outcome | None:
    """The decision on one thing asked for; None where nothing contradicts anything.

    ``spare`` gives all values of the passages from a probability on, ``origins`` where rumours come from.
    """
    facet, config = matter.facet, matter.config
    claims, revised = _heard(matter, claims, spare)
    if not revised and len({c.key for c in claims if c.exact and c.confidence >= config.claim_threshold}) > _MANY_KEYS:
        return None
    claims = [c for c in claims if c.confidence >= config.support_threshold]
    bar = _Bar(
        matter,
        kin(claims, matter.passages, facet, lambda a, b: comparable(a, b) and not consistent(a, b)),
        revised,
        _of_unknown_origin(claims, matter.passages),
        len({r.prepared.folded for r in matter.passages}) <= _FEW,
        any(c.names_subject and c.confidence >= config.claim_threshold for c in claims),
    )
    groups = _sides(bar, _without_siblings(claims, bar), spare)
    positions = [matter.ballots(g) for g in _same_slot(groups, bar.disputes)]
    if len(positions) < 2 or _scattered(positions) or (bar.unattested and not bar.few and _alone(positions)):
        return None
    positions = mark_rumours(positions, origins)
    # A text that was reissued with another value was corrected, also where it tells of what does not change.
    changes = facet.changes or bool(revised)
    outcome = decide(positions, changes, config, reissued=bool(revised))
    if outcome.winner is None or not any(b.known for p in positions for b in p.ballots):
        # A tie, or mere numbers: pages that hold a side's value in passing are counted as well.
        seconded = [
            replace(matter.ballots([*p.claims, *more]), key=p.key)
            for p, more in seconds(positions, matter.passages, facet)
        ]
        outcome = decide(mark_rumours(seconded, origins), changes, config, reissued=bool(revised))
    return outcome


def _heard(
    matter: Matter, claims: Sequence[Claim], spare: Callable[[float], Sequence[Claim]]
) -> tuple[list[Claim], frozenset[Claim]]:
    """The claims that are compared, not too many, and those in a sentence that another page has with another answer.

    Of advice only what is disputed.
    """
    heard = list(claims)
    facet, passages = matter.facet, matter.passages
    if facet.proposition is not None:
        heard = _disputed(heard) if facet.proposition.kind == "advice" else heard
        revised: frozenset[Claim] = frozenset()
    elif facet.named is not None and facet.named.sort == OTHER:
        heard, revised = revised_words(facet, matter.focus.facets.index(facet), passages)
    elif facet.named is not None:
        heard, revised = revised_names([_attested(c, passages) for c in heard], passages, facet)
        if not revised:
            heard, revised = _named_by_difference(matter, heard)
    else:
        heard, revised = revised_values(heard, spare(ABOUT), passages)
    if len(heard) > _MOST_CLAIMS:
        # The most trusted speak, then the best ranked: the sort is stable.
        some = sorted(heard, key=lambda c: -passages[c.place].passage.trust)[:_MOST_CLAIMS]
        heard = sorted(some, key=lambda c: (c.place, c.sentence))
    return heard, revised.intersection(heard)


def _named_by_difference(matter: Matter, heard: list[Claim]) -> tuple[list[Claim], frozenset[Claim]]:
    """A name that no rule knows for one stands where another page has a name that likely answers, in one sentence."""
    words, revised = revised_words(matter.facet, matter.focus.facets.index(matter.facet), matter.passages)
    stated = [(c.place, b.key) for c in heard for b in c.bids if b.confidence >= FOUNDS]
    if any(same_name(w.key, key) for w in words for place, key in stated if place == w.place):
        others = [c for c in heard if not any(w.place == c.place for w in words)]
        return [*words, *others], revised
    return heard, frozenset()


def _attested(claim: Claim, passages: Sequence[RankedPassage]) -> Claim:
    """A name that a page of known origin states this surely is its answer, though the chunk need not name the thing."""
    if not claim.bids or not passages[claim.place].passage.trust_known or claim.bids[0].confidence < _SURE_NAME:
        return claim
    return replace(claim, bids=(replace(claim.bids[0], firm=True), *claim.bids[1:]))


def _sides(bar: _Bar, claims: Sequence[Claim], spare: Callable[[float], Sequence[Claim]]) -> list[list[Claim]]:
    """The claims grouped by what they say, groups that are no rivals left out."""
    matter = bar.matter
    facet = matter.facet
    if bar.revised.intersection(claims):
        groups = _editions(bar.revised.intersection(claims), claims)
        return groups + _hearsay_besides(bar, groups, claims)
    strong = bar.worded
    valued = any(c.value is not None for c in claims)
    if valued:
        rivals = rivals_of(claims, matter.passages, matter.standing_of, bar.worded)

        def strong(c: Claim) -> bool:
            return c in rivals

        if rivals:
            claims = _second_thoughts(claims, spare(matter.config.support_threshold), rivals)
    if bar.unattested and bar.few and valued:
        return _rivals(take_positions(claims, lambda c: strong(c) and bar.likely(c)), facet)
    groups = _rivals(take_positions(claims, strong), facet)
    if not bar.unattested:
        return groups
    if len(groups) > MAX_SIDES:
        return []
    clear = take_positions(claims, lambda c: strong(c) and bar.worded(c) and bar.clear(c))
    return _rivals(level(clear, bar.few), facet)


def _second_thoughts(claims: Sequence[Claim], spare: Sequence[Claim], rivals: frozenset[Claim]) -> list[Claim]:
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


def _editions(revised: frozenset[Claim], claims: Sequence[Claim]) -> list[list[Claim]]:
    """Sides made of what differs in one sentence of several pages; other pages join the one side they agree with."""
    groups: dict[str, list[Claim]] = {}
    for c in (c for c in claims if c in revised):
        key = next((k for k, g in groups.items() if c.bids and same_name(k, c.key)), c.key)
        groups.setdefault(key, []).append(c)
    for c in (c for c in claims if c not in revised):
        if c.bids:
            taken = side_taken(c, tuple(groups))
            if taken is not None:
                groups[taken[0]].append(taken[1])
            continue
        homes = [g for g in groups.values() if comparable(g[0], c) and consistent(g[0], c)]
        if len(homes) == 1:
            homes[0].append(c)
    return list(groups.values())


def _hearsay_besides(bar: _Bar, groups: Sequence[Sequence[Claim]], claims: Sequence[Claim]) -> list[list[Claim]]:
    """Further values of hearsay, which can only lose, where the editions of a text are sides already."""

    def stray(c: Claim) -> bool:
        page = bar.page(c).passage
        return page.trust_known and page.trust < HEARSAY and bar.worded(c) and c.value is not None

    rest = [c for c in claims if stray(c) and all(comparable(g[0], c) and not consistent(g[0], c) for g in groups)]
    return take_positions(rest, lambda c: True)


def _without_siblings(claims: Sequence[Claim], bar: _Bar) -> list[Claim]:
    """Pages about a sibling of what is asked for have no say where a page that names it gives a value.

    Of a value that is likely an answer only what is surely a sibling tells: often it is a part or a place.
    """
    focus, passages = bar.matter.focus, bar.matter.passages
    asked = {c.place for c in claims if (c.exact or bar.worded(c)) and names_asked(focus, passages[c.place].passage)}
    strays = {
        c for c in claims
        if c.place not in asked
        and is_sibling(
            focus, passages[c.place].passage, c.sentence, sure=c.value is not None and c.confidence >= _LIKELY
        )
    } if asked else set()
    strays |= others_of_a_kind(claims, passages, bar.matter.facet)
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
