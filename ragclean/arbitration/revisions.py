"""One sentence in two wordings of its value: editions of a page, and copies in which only the answer was changed.

Where two pages share a sentence word for word except for the value or name in it, the two are values of one thing,
whatever words the question uses. A further word that differs makes them sentences about two things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.names.equivalence import same_name
from ragclean.arbitration.names.reading import NameBid
from ragclean.prepare import PreparedText, RankedPassage
from ragclean.text.tokens import Token, is_stopword
from ragclean.text.values import canonical

#: Content words beside the value that make a sentence no common phrase; a shorter one must have a neighbour in common.
_TELLING_WORDS = 4
#: A value in such a sentence is an answer at least this likely, where it speaks of the question at all.
REVISED = 0.5
#: Probability from which it does.
ABOUT = 0.05
#: Words of a sentence that are compared, and claims.
_MOST_WORDS, _MOST_CLAIMS = 80, 120

_MOST_NAMES, _MOST_SENTENCES = 8, 3
#: Characters of a neighbouring sentence that is no common phrase.
_NEIGHBOUR = 8
#: Pages that are compared word by word; share of the question that a sentence must speak of, with what stands before
#: it at a discount; words in which two sentences may differ.
_MOST_PAGES, _SPOKEN_OF, _BESIDE, _GAP = 30, 0.4, 0.7, 4
#: Function words that the dictionary glues to an unknown name: 由宁浩执导.
_GLUED = frozenset("由为是在于的被让向对给和与及")
_YEARS = re.compile(r"(?:19|20)\d\d年?版?|v?\d{1,3}\.\d{1,3}(?:\.\d{1,3})?")
#: Two pages whose likeliest value is the same one, from this probability on, agree.
_AGREED = 0.3
#: A sentence that speaks of less of the question than this share of the page's best one speaks of something else.
_AS_MUCH = 0.9


@dataclass(frozen=True, slots=True)
class _Frame:
    """A sentence without the value or name in question."""

    words: tuple[str, ...]
    """Folded, an empty one for each gap."""
    beside: frozenset[str]
    """The sentences before and after it."""
    heading: str
    """The page's title and the heading above, without years and numbers of editions."""


def revised_values(
    claims: Sequence[Claim], spare: Sequence[Claim], passages: Sequence[RankedPassage]
) -> tuple[list[Claim], frozenset[Claim]]:
    """The claims, a page speaking through a value whose sentence another page has with another value, where it has one.

    ``spare`` are the other values of the same pages. Also returns those claims.
    """
    valued = [c for c in (*claims, *spare) if c.value is not None and c.exact and c.confidence >= ABOUT]
    frames: dict[tuple[str, ...], list[tuple[Claim, _Frame]]] = {}
    for claim in valued[:_MOST_CLAIMS]:
        frame = _frame(passages[claim.place], claim.sentence, _spans_of_value(claim, passages))
        frames.setdefault(frame.words, []).append((claim, frame))
    likeliest = {c.place: c for c in claims if c.value is not None}

    def agreed(a: Claim, b: Claim) -> bool:
        """The two pages say the same of what is asked, and differ in a sentence that speaks less of it."""
        x, y = likeliest.get(a.place), likeliest.get(b.place)
        if x is None or y is None or x.key != y.key or x.key in (a.key, b.key):
            return False
        return min(x.confidence, y.confidence) >= _AGREED and a.own < _AS_MUCH * x.own

    revised: dict[int, Claim] = {}
    for same in frames.values():
        for claim, frame in same:
            before = revised.get(claim.place)
            if before is not None and before.confidence >= claim.confidence:
                continue
            if any(
                c.key != claim.key and c.place != claim.place and _one_text(frame, f) and not agreed(claim, c)
                for c, f in same
            ):
                revised[claim.place] = claim
    told = {p: replace(c, confidence=max(c.confidence, REVISED)) for p, c in revised.items()}
    return [told.get(c.place, c) for c in claims], frozenset(told.values())


def in_one_text(a: Claim, b: Claim, passages: Sequence[RankedPassage]) -> bool:
    """The two values stand in one sentence that the two pages share."""
    x, y = (_frame(passages[c.place], c.sentence, _spans_of_value(c, passages)) for c in (a, b))
    return x.words == y.words and _one_text(x, y)


def revised_names(
    claims: Sequence[Claim], passages: Sequence[RankedPassage], facet: FacetFocus
) -> tuple[list[Claim], frozenset[Claim]]:
    """The claims, a page speaking through a name whose sentence another page has with another name, where it has one.

    Also returns those claims.
    """
    frames: dict[tuple[str, ...], list[tuple[int, int, _Frame]]] = {}
    for number, claim in enumerate(claims[:_MOST_CLAIMS]):
        prepared = passages[claim.place].prepared
        told_in = {s for bid in claim.bids[:_MOST_NAMES] for s in bid.sentences[:_MOST_SENTENCES]}
        spoken = {s: sum(t.weight * t.credit(prepared.folded_sentences[s]) for t in facet.terms) for s in told_in}
        least = _AS_MUCH * max(spoken.values(), default=0.0)
        for at, bid in enumerate(claim.bids[:_MOST_NAMES]):
            for sentence in (s for s in bid.sentences[:_MOST_SENTENCES] if spoken[s] >= least):
                frame = _frame(passages[claim.place], sentence, _spans_of_name(prepared, sentence, bid.written))
                frames.setdefault(frame.words, []).append((number, at, frame))
    told: dict[int, int] = {}
    for same in frames.values():
        for number, at, frame in same:
            mine = claims[number].bids[at]
            others = (
                (claims[n].bids[m], other) for n, m, other in same if claims[n].place != claims[number].place
            )
            if any(not same_name(mine.key, b.key) and _one_text(frame, other) for b, other in others):
                told[number] = min(at, told.get(number, at))
    heard = [_told_by(c, told[n]) if n in told else c for n, c in enumerate(claims)]
    return heard, frozenset(heard[n] for n in told)


def _told_by(claim: Claim, at: int) -> Claim:
    bid = claim.bids[at]
    sure = replace(bid, confidence=max(bid.confidence, REVISED), firm=True)
    rest = tuple(b for n, b in enumerate(claim.bids) if n != at)
    return replace(
        claim, key=sure.key, written=sure.written, sentence=sure.sentence, sentences=sure.sentences,
        confidence=max(claim.confidence, sure.confidence), bids=(sure, *rest),
    )  # fmt: skip


def _spans_of_value(claim: Claim, passages: Sequence[RankedPassage]) -> list[tuple[int, int]]:
    """Where the claim's sentence states its value; a value may stand there twice."""
    values = passages[claim.place].prepared.sentence_values[claim.sentence]
    return [(v.start, v.end) for v in values if canonical(v) == claim.key]


def _spans_of_name(prepared: PreparedText, number: int, written: str) -> list[tuple[int, int]]:
    sentence = prepared.sentences[number]
    text = prepared.sentence_texts[number]
    found: list[tuple[int, int]] = []
    at = text.find(written)
    while at >= 0 and len(found) < _MOST_SENTENCES:
        found.append((sentence.start + at, sentence.start + at + len(written)))
        at = text.find(written, at + len(written))
    return found


def _frame(page: RankedPassage, number: int, spans: Sequence[tuple[int, int]]) -> _Frame:
    """The words of a sentence with a gap in place of each of ``spans``, and what stands around it."""
    prepared, title = page.prepared, page.passage.chunk.title.lower()
    sentence = prepared.sentences[number]
    words: list[str] = []
    for token in prepared.tokens_between(sentence.start, sentence.end)[:_MOST_WORDS]:
        if any(token.start < end and start < token.end for start, end in spans):
            if not words or words[-1]:
                words.append("")
        else:
            words.append(prepared.folded[token.start : token.end])
    texts = prepared.folded_sentences
    beside = frozenset(
        texts[n] for n in (number - 1, number + 1) if 0 <= n < len(texts) and len(texts[n]) >= _NEIGHBOUR
    )
    heading = _YEARS.sub("", f"{title} {prepared.heading_above(number)}")
    return _Frame(tuple(words), beside, " ".join(heading.split()))


def _one_text(a: _Frame, b: _Frame) -> bool:
    """The same sentence under the same heading, and long enough to be no coincidence, or beside the same neighbour."""
    if a.heading != b.heading and a.heading and b.heading:
        return False
    telling = sum(bool(w) and not is_stopword(w) for w in a.words)
    return "" in a.words and (telling >= _TELLING_WORDS or bool(telling and a.beside & b.beside))


def revised_words(
    facet: FacetFocus, number: int, passages: Sequence[RankedPassage]
) -> tuple[list[Claim], frozenset[Claim]]:
    """Claims of what is neither a value nor a name: the words in which a sentence about the matter differs.

    ``number`` is that of the facet. All claims are returned twice: they are what differs, and nothing else.
    """
    total = sum(t.weight for t in facet.terms)
    texts: list[tuple[int, int, tuple[Token, ...], tuple[str, ...]]] = []
    for place, ranked in enumerate(passages[:_MOST_PAGES]):
        prepared = ranked.prepared
        title = ranked.passage.chunk.title.lower()
        about = []
        for i, text in enumerate(prepared.folded_sentences[:_MOST_CLAIMS]):
            around = f"{title}\n{prepared.folded_sentences[i - 1] if i else ''}"
            said = sum(t.weight * max(t.credit(text), _BESIDE * t.credit(around)) for t in facet.terms)
            if said >= _SPOKEN_OF * total:
                about.append((said, i))
        least = _AS_MUCH * max((said for said, _ in about), default=0.0)
        for _, i in sorted((x for x in about if x[0] >= least), key=lambda x: (-x[0], x[1]))[:_MOST_SENTENCES]:
            sentence = prepared.sentences[i]
            tokens = prepared.tokens_between(sentence.start, sentence.end)[:_MOST_WORDS]
            texts.append((place, i, tokens, tuple(prepared.folded[t.start : t.end] for t in tokens)))
    found: dict[int, Claim] = {}
    for at, (place, i, tokens, words) in enumerate(texts):
        for other, j, _, theirs in texts[:at] + texts[at + 1 :]:
            gap = _only_difference(words, theirs, facet) if other != place and place not in found else None
            if gap is None:
                continue
            prepared = passages[place].prepared
            span = (tokens[gap[0]].start, tokens[gap[1] - 1].end)
            if prepared.folded[span[0]] in _GLUED and span[1] - span[0] > 1 and theirs[gap[0]][0] == words[gap[0]][0]:
                span = (span[0] + 1, span[1])
            yours = passages[other].prepared
            start = yours.sentences[j].start
            mine = _frame(passages[place], i, [span])
            if _one_text(mine, replace(_frame(passages[other], j, [(start, start)]), words=mine.words)):
                found[place] = _worded(prepared, i, span, place, number)
    claims = [found[place] for place in sorted(found)]
    return claims, frozenset(claims)


def _only_difference(mine: tuple[str, ...], theirs: tuple[str, ...], facet: FacetFocus) -> tuple[int, int] | None:
    """The words by which a sentence differs from another, as a range; None where there is more than one such place,
    where the question holds them, or where they only say yes or no."""
    if mine == theirs or abs(len(mine) - len(theirs)) > _GAP:
        return None
    short = min(len(mine), len(theirs))
    head = next((n for n in range(short) if mine[n] != theirs[n]), short)
    tail = next((n for n in range(short - head) if mine[-1 - n] != theirs[-1 - n]), short - head)
    a, b = mine[head : len(mine) - tail], theirs[head : len(theirs) - tail]
    if not 0 < len(a) <= _GAP or not 0 < len(b) <= _GAP:
        return None
    asked = facet.slot_text
    if any(w in asked for w in (*a, *b)) or any(is_stopword(w) for w in (a[0], b[0])):
        return None
    return head, len(mine) - tail


def _worded(prepared: PreparedText, number: int, span: tuple[int, int], place: int, facet: int) -> Claim:
    written = prepared.text[span[0] : span[1]]
    key = " ".join(prepared.folded[span[0] : span[1]].split())
    bid = NameBid(key, written, number, (number,), REVISED, True, told=prepared.folded_sentences[number])
    return Claim(
        place=place, facet=facet, value=None, confidence=REVISED, key=key, written=written, sentence=number,
        sentences=(number,), bids=(bid,), page=prepared.folded,
    )  # fmt: skip
