"""Who stands behind a page that answers, where what pages say is not seen to disagree.

Whether something is allowed, who pays and what to do is told in so many words that two pages often contradict each
other unseen. Who speaks and when is seen all the same: hearsay and less trusted pages are hardly ever right against a
trusted page that answers the same question. So where no conflict was found for such a question, one page of known
origin is taken as the *authority*, and what less trusted pages answer to the same question is set aside, sentence
by sentence. Of values the likeliest one of a trusted page is followed, and only what less trusted pages say of the
same kind goes. What repeats the authority stays. Where no origin is known only a page is followed that says that it
replaces another, corrects it, or from when on it holds: the newest page that fits was the wrong one in every fifth
case.

Own measurement, cases with a conflict of this sort: the authority is a page with the right answer in 44 of 51.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ragclean.arbitration.claims import HEARSAY, Claim
from ragclean.arbitration.decision import measure_alike, values_consistent
from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.timing import Standing
from ragclean.arbitration.verdict import SentenceKey
from ragclean.arbitration.witnesses import quotes
from ragclean.arbitration.wording import set_aside
from ragclean.prepare import RankedPassage

#: Share of the best passage's score from which a passage may be the authority or stand behind it.
_RELEVANT = 0.4
#: What a page that says it replaces, corrects or takes effect counts for more, and what a year of age takes (a fifth).
#: Chosen with the share above on 210 conflicts of the development and tuning cases; flat around these.
_REPLACES, _PER_YEAR, _MOST_YEARS = 6.0, 0.2, 4.0
#: Trust beyond one half is counted as its log-odds, up to here; the rest weighs a little.
_TRUST_MAX, _LOW_WEIGHT = 0.98, 0.2
#: Years by which a page must be older to stand behind one of like trust.
_OLDER = 0.5
#: From here on a page can be trusted: age alone does not set it back.
_TRUSTED = 0.75
#: Difference in trust that sets a page back whatever its date: a dealer, a wiki or a poster beside the house itself.
_GAP = 0.35
#: A page keeps next to nothing of its vote: it is not in force, or a draft.
_OUT = 0.1
#: Sentences of a passage that score this share of its best one answer as well.
_ANSWERS = 0.8
#: Share of a word's spellings from which it is said, and below which it is not; share of the question's words that
#: only the page behind says, from which the question may be about its case. On short pairs that hold under different
#: conditions it saves 3 of 6 losses at one of 8 decisions; shares of 0.1 and 0.3 save 3 at 3, and 1 at 1.
_SAID, _UNSAID, _CASE = 0.9, 0.1, 0.2
#: Share of the other's score, whole and by sentence, that the authority must reach: a trusted page about the matter
#: that does not answer sets nobody back. At 0 it decided three more of the 96 tuning conflicts and lost one answer, and
#: two of 50 pairs whose question names its case; here none of either.
_AS_WELL = 0.75
#: Trust and likelihood from which a value is followed that nothing was seen to contradict. No needed sentence of any
#: set is lost to it; with a likelihood of 0.25 four more of 80 general questions lose one of two conditions.
_VOUCHED, _PLAUSIBLE = 0.6, 0.4
#: Statements of a page by which a rule changes.
_CHANGES = frozenset(("supersedes", "corrects", "effective", "changes"))
_QUOTED = 60


@dataclass(frozen=True, slots=True)
class _Voice:
    """A passage, the sentence of it that answers best, and how that sentence stands."""

    ranked: RankedPassage
    sentence: int
    standing: Standing

    @property
    def trust(self) -> float:
        return self.ranked.passage.trust

    @property
    def folded(self) -> str:
        return self.ranked.prepared.folded_sentences[self.sentence]


def defer(
    facet: FacetFocus,
    passages: Sequence[RankedPassage],
    stands: Callable[[int, int], Standing],
    silent: Callable[[int, int], bool],
    lang: str,
    winner: Claim | None = None,
    *,
    decided: bool = True,
) -> Iterator[tuple[SentenceKey, str]]:
    """Sentences that stand behind the authority's, with the words of why.

    Args:
        stands: age and validity of a sentence, by the place of its passage in ``passages`` and its number.
        silent: is a sentence (by passage index and number) out of the question already? A passage of which every
            sentence is has no say.
        winner: the claim that won, where a conflict was decided, or the value to follow (:func:`vouched`): its page is
            the authority, and where it is a value, only sentences with other values of its kind are behind.
        decided: there was a conflict; else only less trusted pages stand behind a value, not older ones.
    """
    top = max((r.signals.final for r in passages), default=0.0)
    voices: dict[int, _Voice] = {}
    for place, r in enumerate(passages):
        allowed = [n for n in range(len(r.sentence_scores)) if not silent(r.passage.index, n)]
        if allowed and r.signals.final >= _RELEVANT * top:
            best = max(allowed, key=lambda n: (r.sentence_scores[n], -n))
            voices[place] = _Voice(r, best, stands(place, best))
    # What does not come out itself may set nobody back: nothing would stand in the place of what went.
    shown = {place: v for place, v in voices.items() if v.ranked.admitted}
    leader = _authority(shown) if winner is None else winner.place
    if leader not in shown:
        return
    first = voices[leader]
    if not first.ranked.passage.trust_known and not _announces(first, voices.values()):
        return
    for other, voice in voices.items():
        reason = _behind(voice, first) if other != leader else ""
        if winner is not None and not decided and reason != "source":
            continue  # two values of two years are more often of two things
        if not reason or quotes(voice.folded, first.folded) or _knows_the_case(voice, first, facet):
            continue
        words = set_aside(_shown(voice), _shown(first), reason, lang)
        scores = voice.ranked.sentence_scores
        for n, score in enumerate(scores):
            if score >= _ANSWERS * scores[voice.sentence] and _differs(voice.ranked, n, winner):
                yield (voice.ranked.passage.index, n), words


def vouched(claims: Sequence[Claim], passages: Sequence[RankedPassage]) -> Claim | None:
    """The value to follow where none was seen to contradict another: the likeliest that a trusted page states."""
    stated = [
        c for c in claims
        if c.value is not None and c.exact and c.confidence >= _PLAUSIBLE
        and passages[c.place].passage.trust_known and passages[c.place].passage.trust >= _VOUCHED
        and passages[c.place].admitted
    ]  # fmt: skip
    return max(stated, key=lambda c: (c.confidence, passages[c.place].prepared.folded), default=None)


def _answers_as_well(first: _Voice, voice: _Voice) -> bool:
    """The authority fits the question nearly as well as the page behind it, whole and by its best sentence."""
    mine, theirs = first.ranked, voice.ranked
    fits = mine.signals.final >= _AS_WELL * theirs.signals.final
    return bool(fits and mine.sentence_scores[first.sentence] >= _AS_WELL * theirs.sentence_scores[voice.sentence])


def _knows_the_case(voice: _Voice, first: _Voice, facet: FacetFocus) -> bool:
    """The page speaks of words of the question that the authority nowhere mentions: foreign passports, sole traders."""
    page, here = first.ranked.passage.titled, voice.ranked.passage.titled
    alone = sum(
        t.weight for t in facet.terms
        if len(t.text) > 1 and t.credit(here) >= _SAID and t.credit(page) < _UNSAID
    )
    return alone >= _CASE * sum(t.weight for t in facet.terms)


def _announces(first: _Voice, voices: Iterable[_Voice]) -> bool:
    """Where nobody knows who speaks, a page is followed whose answering sentence says what it replaces, or from when on
    it holds: a new phone number makes no rule of what stands beside it."""
    prepared = first.ranked.prepared
    own = any(m.kind in _CHANGES and prepared.sentence_at(m.start) == first.sentence for m in prepared.marks)
    return bool(first.standing.replaces) and own and not any(v.ranked.passage.trust_known for v in voices)


def _differs(r: RankedPassage, sentence: int, winner: Claim | None) -> bool:
    """The sentence holds another value than the one that won, and not that one; anything where no value won."""
    if winner is None or winner.value is None:
        return True
    values = [v for v in r.prepared.sentence_values[sentence] if measure_alike(v, winner.value)]
    return bool(values) and not any(values_consistent(v, winner.value) for v in values)


def _authority(voices: dict[int, _Voice]) -> int | None:
    """The place of the page to follow: trusted, in force, new, and surely an answer."""
    dates = [v.standing.dated for v in voices.values() if v.standing.dated and v.standing.factor > _OUT]
    last = max(dates, default=None)

    def weight(place: int) -> tuple[float, str]:
        voice = voices[place]
        trust = min(voice.trust, _TRUST_MAX)
        said = max(_LOW_WEIGHT, math.log(trust / (1 - trust))) if trust > HEARSAY else _LOW_WEIGHT * trust / HEARSAY
        dated, years = voice.standing.dated, 0.0
        if last is not None:
            years = min(_MOST_YEARS, (last - dated).days / 365) if dated is not None else 1.0
        said *= voice.standing.factor * math.exp(-_PER_YEAR * years)
        if voice.standing.replaces:
            said *= _REPLACES
        return said * voice.ranked.signals.final, voice.ranked.prepared.folded

    return max(voices, key=weight, default=None)


def _behind(voice: _Voice, first: _Voice) -> str:
    """Why a page stands behind another: ``source``, ``time``, or empty where it does not."""
    if not _answers_as_well(first, voice):
        return ""
    if voice.ranked.passage.trust_known and voice.trust < HEARSAY <= first.trust:
        return "source"
    if voice.standing.factor < _OUT < first.standing.factor:
        return "time"
    if voice.ranked.passage.trust_known and first.trust - voice.trust >= _GAP:
        return "source"
    mine, theirs = voice.standing.dated, first.standing.dated
    if mine is None or theirs is None:
        return ""
    years = (theirs - mine).days / 365
    if first.standing.replaces and years > 0:
        return "time"
    # Of two pages one can trust the older one mostly holds another case, or another step.
    return "time" if years >= _OLDER and voice.trust < _TRUSTED else ""


def _shown(voice: _Voice) -> str:
    plain = " ".join(voice.ranked.prepared.sentence_texts[voice.sentence].split())
    return plain if len(plain) <= _QUOTED else plain[: _QUOTED - 1] + "…"
