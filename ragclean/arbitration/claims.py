"""Claims: a value of a kind asked for, in a sentence that speaks of the attribute asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ragclean.arbitration.candidates import Candidate, name_candidates, stance_candidates, value_candidates
from ragclean.arbitration.focus import Focus
from ragclean.arbitration.names.reading import NameBid
from ragclean.arbitration.scope import ScopeReader
from ragclean.arbitration.stances.reading import all_actions
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.values import Value, canonical

#: Two values of one chunk closer in confidence than this cannot be told apart.
_AMBIGUOUS = 0.04
#: Share of the question's words from which a value is looked at all: whether it is the answer is told by other signs.
_LEAST_WORDS = 0.08
#: Values of one passage that are kept beside the likeliest one.
_MOST_SPARE = 8
#: Values with less than this share of the words that the best one of their passage has are never the answer.
_LEADING = 0.4
#: Sources below this in trust can only lose, so that what they say is heard in a looser form as well.
HEARSAY = 0.5
_MEASURES = frozenset(("quantity", "number", "count"))
_WORD_BEFORE, _WORD_REACH = re.compile(r"([a-z\u3400-\u9fff]{2,12})(?: ?v| )?$"), 16
_NUMBERED = re.compile(r"([a-z\u3400-\u9fff]{2,12})(?: ?v| )?(\d{1,6}(?:\.\d{1,6}){0,4})(?![\d%])")


@dataclass(frozen=True, slots=True)
class Claim:
    """One chunk's answer to one facet."""

    place: int
    """Position of the passage in the sequence given."""
    facet: int
    value: Value | None
    confidence: float
    key: str
    written: str
    sentence: int
    sentences: tuple[int, ...]
    """All sentences of the chunk that state this value."""
    alternatives: tuple[Value, ...] = ()
    """Other values of the chunk that could as well be the answer: it disputes none of them."""
    groups: tuple[tuple[int, frozenset[int]], ...] = ()
    conditional: bool = False
    central: bool = True
    """The sentence, or what introduces it, speaks of a word beside the question word."""
    names_subject: bool = True
    """The chunk or its title names the thing asked about."""
    near_subject: float = 1.0
    """Share of the subject's words in the sentence and what introduces it."""
    near_key: bool = True
    """They hold a name of the thing asked about."""
    own: float = 1.0
    """Share of the question's words in the sentence itself."""
    exact: bool = True
    """Kind and unit are those asked for."""
    stance: str = ""
    """Of a claim without a value: yes, no, who pays, which of two; empty for advice."""
    actions: frozenset[str] = frozenset()
    """Of advice: what the page recommends (+) and forbids (-)."""
    bids: tuple[NameBid, ...] = ()
    """Of a name: all names of the page that may answer, the surest first."""
    page: str = field(default="", repr=False)
    """Of a name: the page's title and text, folded."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one passage offers: per facet its candidates, and the sentences that are about something else."""

    place: int
    candidates: tuple[tuple[Candidate, ...], ...]
    elsewhere: tuple[tuple[Candidate, ...], ...]
    """Per facet those that are about something else."""
    foreign_sentences: tuple[tuple[int, str], ...]
    reader: ScopeReader


def read_passage(
    place: int, ranked: RankedPassage, focus: Focus, threshold: float, this_year: int = 0
) -> Reading | None:
    """The candidates of a passage; None where it has none. Out-of-scope sentences make none and are handed back."""
    prepared = ranked.prepared
    reader: ScopeReader | None = None
    offered: list[tuple[Candidate, ...]] = []
    elsewhere: list[tuple[Candidate, ...]] = []
    foreign: dict[int, str] = {}
    for facet in focus.facets:
        title = ranked.passage.chunk.title.lower()
        if facet.named is not None:
            mentioned = list(name_candidates(ranked, facet, title))
        elif facet.is_yes_no:
            mentioned = list(stance_candidates(prepared, facet, title))
        else:
            offers = value_candidates(prepared, facet, title, _LEAST_WORDS, 0.0)
            mentioned = _leading([c for c in offers if not (c.value and _is_asked_about(c.value, prepared, focus))])
        if not mentioned:
            offered.append(())
            elsewhere.append(())
            continue
        reader = reader or ScopeReader(focus, ranked.passage, this_year)
        whole = reader.passage_reason()
        candidates: list[Candidate] = []
        outside: list[Candidate] = []
        reasons: dict[int, str] = {}  # by sentence, of which one may hold a hundred values
        for c in mentioned:
            if c.sentence not in reasons:
                reasons[c.sentence] = foreign.get(c.sentence) or reader.sentence_reason(c.sentence, facet.kind)
            reason = reasons[c.sentence]
            if reason and not c.bids:
                foreign[c.sentence] = reason
            (outside if reason or whole else candidates).append(c)
        offered.append(tuple(candidates))
        elsewhere.append(tuple(outside))
    return Reading(place, tuple(offered), tuple(elsewhere), tuple(foreign.items()), reader) if reader else None


def _is_asked_about(value: Value, prepared: PreparedText, focus: Focus) -> bool:
    """The number stands so in the question, the word before it included: sdk 6 is not the version asked for.

    A measure that the question states (0.8 mm2 cable, the 1.6 petrol) is what it asks about.
    """
    if value.kind in _MEASURES and canonical(value) in focus.stated:
        return True
    if value.kind not in ("version", "number"):
        return False
    before = _WORD_BEFORE.search(prepared.folded, max(0, value.start - _WORD_REACH), value.start)
    if before is None:
        return False
    number = value.parts or (int(value.low),) if value.low is not None and value.is_point else value.parts
    return any(
        m.group(1) == before.group(1) and _version_parts(m.group(2)) == number
        for m in _NUMBERED.finditer(focus.folded)
    )


def _version_parts(written: str) -> tuple[int, ...]:
    parts = [int(p) for p in written.split(".")]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _leading(candidates: list[Candidate]) -> list[Candidate]:
    best = max((c.confidence for c in candidates), default=0.0)
    return [c for c in candidates if c.confidence >= _LEADING * best]


def choose_claims(
    reading: Reading, offered: Sequence[Sequence[Candidate]], prepared: PreparedText
) -> tuple[Claim, ...]:
    """One claim a facet at most: the candidate of most confidence."""
    claims = []
    for number, candidates in enumerate(offered):
        claim = _choose(reading.place, number, list(candidates), prepared, reading.reader)
        if claim is not None:
            claims.append(claim)
    return _one_facet_each(claims)


def spare_claims(
    reading: Reading, facet: int, candidates: Sequence[Candidate], prepared: PreparedText, least: float
) -> Iterator[Claim]:
    """The values of a passage for one facet, each by the candidate of most confidence, from ``least`` on."""
    by_key: dict[str, list[Candidate]] = {}
    for c in candidates:
        if c.value is not None and c.exact and c.confidence >= least:
            by_key.setdefault(_key(c), []).append(c)
    for same in sorted(by_key.values(), key=lambda same: -max(c.rank for c in same))[:_MOST_SPARE]:
        claim = _choose(reading.place, facet, same, prepared, reading.reader)
        if claim is not None:
            yield claim


def _one_facet_each(claims: list[Claim]) -> tuple[Claim, ...]:
    """One value answers one facet: where two facets claim the same sentence and value, the surer one has it."""
    best: dict[tuple[int, str], Claim] = {}
    for claim in claims:
        slot = (claim.sentence, claim.key)
        if slot not in best or claim.confidence > best[slot].confidence:
            best[slot] = claim
    return tuple(c for c in claims if best[(c.sentence, c.key)] is c)


def _choose(
    place: int, facet: int, candidates: list[Candidate], prepared: PreparedText, reader: ScopeReader
) -> Claim | None:
    if not candidates:
        return None
    best = max(candidates, key=lambda c: (c.rank, -c.sentence))
    key = _key(best)
    same = best.bids[0].sentences if best.bids else tuple(sorted({c.sentence for c in candidates if _key(c) == key}))
    rivals = tuple(
        c for c in candidates if _key(c) != key and best.rank - c.rank < _AMBIGUOUS
    )
    return Claim(
        place=place,
        facet=facet,
        value=best.value,
        confidence=best.confidence,
        key=key,
        written=_written(best, prepared),
        sentence=best.sentence,
        sentences=same,
        alternatives=tuple(c.value for c in rivals if c.value is not None),
        groups=tuple(sorted(reader.groups_of(best.sentence).items())),
        conditional=best.conditional,
        central=best.central,
        names_subject=best.names_subject,
        near_subject=best.near_subject,
        near_key=best.near_key,
        own=best.own,
        exact=best.exact,
        stance=best.stance,
        actions=all_actions(c.actions for c in candidates),
        bids=best.bids,
        page=best.page,
    )


def _key(candidate: Candidate) -> str:
    if candidate.bids:
        return candidate.bids[0].key
    if candidate.value is None:
        return candidate.stance or "|".join(sorted(candidate.actions))
    return canonical(candidate.value)


def _written(candidate: Candidate, prepared: PreparedText) -> str:
    if candidate.value is not None:
        return prepared.text[candidate.value.start : candidate.value.end].strip()
    if candidate.bids:
        return candidate.bids[0].written
    return prepared.sentence_texts[candidate.sentence].strip()[:80]
