"""Is a claim supported by contexts? Its values, names, denials and words are held against their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragclean.evaluation.offline_task import HELD, TELLING
from ragclean.evaluation.reading import Reading, Stated, read
from ragclean.evaluation.reading_compare import comparable, cover, denial, same, same_measure
from ragclean.evaluation.reading_words import Word, is_reporting
from ragclean.evaluation.records import Support
from ragclean.evaluation.stance_words import CONDITIONAL, LEAD_NO, LEAD_YES, NO_VALUE, payer
from ragclean.text.question import parse_question
from ragclean.text.sentences import split_sentences
from ragclean.types import Chunk

#: Share of a claim's telling words that a sentence (with its neighbours) must hold to support a claim without values.
SUPPORTED = 0.6
#: ... to contradict it: the sentence must be about the same thing.
ABOUT = 0.45
#: ... of which the sentence itself holds at least this.
_ALONE = 0.25
#: ... and for a claim with values, whose sentence must besides state the same value, or another in its place.
_VALUE_SUPPORTED, _VALUE_ABOUT = 0.12, 0.4
#: Weight of words from which on a claim can be judged by them.
_ENOUGH_WORDS = 1.5
#: Words of the question stand behind a short answer ('25天'), and count for less than its own.
_ASKED_WEIGHT = 0.5
#: Credit for a word that stands in the sentence's chunk, not in the sentence or beside it.
_ELSEWHERE = 0.4
#: Share of what is denied by one of them alone, above which a claim and a sentence contradict each other.
_DENIED = 0.5
#: Share of what a text holds of a claim that one of its clauses holds, from which on that clause is the one meant.
_MOST = 0.9


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a chunk, with what stands around it."""

    chunk_id: str
    text: str
    near: Reading
    """The sentence with its neighbours."""
    sentence: Reading
    whole: Reading


@dataclass(frozen=True, slots=True)
class Finding:
    """What contexts say of a claim, and the sentence that says it."""

    support: Support
    evidence: str = ""
    chunk_id: str = ""


_NOTHING = Finding("not_mentioned")


def passages_of(chunks: Sequence[Chunk]) -> list[Passage]:
    """The sentences of chunks, read."""
    found = []
    for chunk in chunks:
        spans = [(s.start, s.end) for s in split_sentences(chunk.text)]
        whole = read(f"{chunk.title}\n{chunk.text}" if chunk.title else chunk.text)
        for i, (start, end) in enumerate(spans):
            near = chunk.text[spans[max(0, i - 1)][0] : spans[min(len(spans) - 1, i + 1)][1]]
            text = chunk.text[start:end]
            found.append(Passage(chunk.id, text, read(near), read(text), whole))
    return found


class Claim:
    """A claim with the question it answers, read. The passages it is held against must outlive it."""

    def __init__(self, claim: str, question: str) -> None:
        self.said = read(claim)
        self.question = read(question)
        asked = parse_question(question)
        self.codes = tuple(t.replace("-", "") for t in asked.things if t[-1:].isdigit() and " " not in t)
        self.kinds = {k for f in asked.facets for k in f.kinds}
        self.asks_no_value = {f.kind for f in asked.facets} <= NO_VALUE
        known = self.question.values
        self.values = [s for s in self.said.values if not s.aside and not any(same(s, k) for k in known)]
        self.words = [w for w in self.said.words if w.weight >= TELLING and not is_reporting(w)]
        self.asked = [w for w in self.question.words if w.weight >= TELLING and cover(w, self.said) < HELD]
        # Keyed by the identity of readings that outlive the claim: one long chunk has thousands of passages.
        self._models: dict[int, bool | None] = {}
        self._of_chunks: dict[tuple[str, int], float] = {}

    def share(self, own: Sequence[Word], passage: Passage) -> float:
        """Share of these words, the question's behind them, that a passage holds."""
        total = held = 0.0
        for words, factor in ((own, 1.0), (self.asked, _ASKED_WEIGHT if own else 1.0)):
            for word in words:
                total += word.weight * factor
                held += word.weight * factor * self._cover(word, passage)
        return held / total if total else 1.0  # 一年校准两次: all its words are in the value, which the passage has

    def own_share(self, passage: Passage, alone: bool = False) -> float:
        """Share of the claim's own words that a passage holds, its sentence alone or with what stands around it."""
        total = sum(w.weight for w in self.words)
        held = sum(w.weight * (cover(w, passage.sentence) if alone else self._cover(w, passage)) for w in self.words)
        return held / total if total else 0.0

    def words_beside(self, value: Stated) -> list[Word]:
        """The telling words of a value's clause."""
        return [w for w in self.said.words_of(value.clause) if w.weight >= TELLING and not is_reporting(w)]

    def is_of_another(self, passage: Passage) -> bool:
        """The chunk names another model of the same series (R5 for R2, S20i for S20), and not the one asked about."""
        if not self.codes or any(_is_sibling(c, w) for c in self.codes for w in self.said.stems):
            return False
        named = (self._which_model(text) for text in (passage.sentence, passage.whole))
        return next((another for another in named if another is not None), False)

    def _which_model(self, text: Reading) -> bool | None:
        """True for another model, False for the one asked about, None where a text names neither."""
        if id(text) not in self._models:
            if any(c in text.stems for c in self.codes):
                self._models[id(text)] = False
            else:
                another = any(_is_sibling(c, w) for c in self.codes for w in text.stems)
                self._models[id(text)] = True if another else None
        return self._models[id(text)]

    def _cover(self, word: Word, passage: Passage) -> float:
        key = (word.text, id(passage.whole))
        if key not in self._of_chunks:
            self._of_chunks[key] = _ELSEWHERE * cover(word, passage.whole)
        return max(cover(word, passage.near), self._of_chunks[key])


def find_support(claim: Claim, passages: Sequence[Passage]) -> Finding:
    """What the passages say of a claim, by the passage that says most."""
    usable = [p for p in passages if not claim.is_of_another(p)]
    if not claim.values:
        return _by_words(claim, usable)
    if claim.asks_no_value and sum(w.weight for w in claim.words) >= _ENOUGH_WORDS:
        # Asked what to do or whether one may, an answer is not right for a number that stands somewhere.
        return _by_words(claim, usable)
    return _by_values(claim, usable)


def _by_values(claim: Claim, passages: Sequence[Passage]) -> Finding:
    findings = [_of_value(claim, s, passages) for s in claim.values]
    against = next((f for f in findings if f.support == "contradicted"), None)
    if against is not None:
        return against
    return findings[0] if all(f.support == "supported" for f in findings) else _NOTHING


def _of_value(claim: Claim, value: Stated, passages: Sequence[Passage]) -> Finding:
    best: tuple[float, Passage] | None = None
    rival: tuple[float, Passage] | None = None
    beside = claim.words_beside(value)
    decides = value.value.kind in claim.kinds or (len(claim.values) == 1 and value.value.kind != "date")
    for passage in passages:
        stated = [s for s in passage.sentence.values if not s.aside]
        held = any(same(value, s) or same_measure(value, s) for s in stated)
        if not held and not any(comparable(value.value, s.value) for s in stated):
            continue
        share = claim.share(beside, passage)
        if held and share >= _VALUE_SUPPORTED and (best is None or share > best[0]):
            best = (share, passage)
        if decides and not held and share >= _VALUE_ABOUT and (rival is None or share > rival[0]):
            rival = (share, passage)
    if best is not None:
        return Finding("supported", best[1].text, best[1].chunk_id)
    return Finding("contradicted", rival[1].text, rival[1].chunk_id) if rival else _NOTHING


def _by_words(claim: Claim, passages: Sequence[Passage]) -> Finding:
    if not claim.words:
        return _by_stance(claim, passages)
    best: tuple[float, Passage] | None = None
    against: tuple[float, Passage] | None = None
    for passage in passages:
        share, alone = claim.own_share(passage), claim.own_share(passage, alone=True)
        if share < ABOUT or alone < _ALONE:
            continue
        denied = _denies(claim, passage.sentence if alone >= ABOUT else passage.near)
        if not denied and share >= SUPPORTED and (best is None or share + alone > best[0]):
            best = (share + alone, passage)
        if denied and alone >= ABOUT and (against is None or share + alone > against[0]):
            against = (share + alone, passage)
    if best is not None and (against is None or best[0] >= against[0]):
        return Finding("supported", best[1].text, best[1].chunk_id)
    return Finding("contradicted", against[1].text, against[1].chunk_id) if against else _NOTHING


def _by_stance(claim: Claim, passages: Sequence[Passage]) -> Finding:
    """A bare yes or no says the question's own words."""
    first = claim.said.folded.strip(" \"'*-#:")
    no, yes = LEAD_NO.match(first), LEAD_YES.match(first)
    if not (no or yes):
        return _NOTHING
    best: tuple[float, Passage] | None = None
    for passage in passages:
        share = claim.share(claim.words, passage)
        if share >= _VALUE_ABOUT and (best is None or share > best[0]):
            best = (share, passage)
    if best is None:
        return _NOTHING
    sentence = best[1].sentence
    denied = any(sentence.is_denied(w.start) for w in sentence.words if cover(w, claim.question) >= HELD)
    return Finding("supported", best[1].text, best[1].chunk_id) if denied == bool(no) else _NOTHING


def _denies(claim: Claim, text: Reading) -> bool:
    """The text says the opposite: it denies what the claim says, or names the other payer."""
    mine = payer(claim.said.folded)
    theirs = [p for p in (payer(text.clause_text(i)) for i in range(len(text.clauses))) if p]
    if mine and theirs:
        return mine not in theirs if CONDITIONAL.search(claim.said.folded) else mine != theirs[0]
    return denial(claim.said, text, _closest_clause(claim, text)).share > _DENIED


def _closest_clause(claim: Claim, text: Reading) -> int | None:
    """The clause that holds the claim, where one holds as much of it as the whole text; else None."""
    shares = [_weight_held(claim, read(text.clause_text(i))) for i in range(len(text.clauses))]
    best = max(range(len(shares)), key=lambda i: shares[i])
    return best if shares[best] >= _weight_held(claim, text) * _MOST else None


def _weight_held(claim: Claim, text: Reading) -> float:
    return sum(w.weight * cover(w, text) for w in claim.words)


def _is_sibling(a: str, b: str) -> bool:
    """Codes that differ in their digits alone, or of which one goes on: r2 and r5, x200 and x300, s20 and s20i."""
    if a == b or not any(c.isdigit() for c in b):
        return False
    goes_on = b.startswith(a) and b[len(a) :].isalpha()
    series = a.rstrip("0123456789")
    return goes_on or (b[-1:].isdigit() and series == b.rstrip("0123456789") and series != "")
