"""Which key points does an answer cover? By values where a point states one, else by stance, payer and words."""

from __future__ import annotations

from collections.abc import Sequence

from ragclean.evaluation.offline_task import HELD, TELLING, Task, among
from ragclean.evaluation.reading import Reading, Stated, read
from ragclean.evaluation.reading_compare import comparable, cover, denial, places, same, same_measure
from ragclean.evaluation.reading_words import Word, is_reporting
from ragclean.evaluation.records import PointVerdict
from ragclean.evaluation.stance_words import DENYING, HEDGES, LEAD_NO, LEAD_YES, OPPOSITES, payer, payer_span

#: Share of a point's telling words that an answer must hold to cover it. The words of the question count for less:
#: an answer need not repeat them.
COVERED = 0.5
_ASKED_WEIGHT = 0.15
#: An answer that holds this much of a point does not contradict it for a denied word of less than that share.
_MOSTLY, _SLIGHT = 0.75, 0.3
#: Share of what is denied by one of them alone, above which two texts contradict each other.
DENIED = 0.5
#: Characters after a yes or no up to which it stands alone ('可以的').
_BARE_LEAD = 2
#: Clauses looked through for a word of the same meaning: what stands after so many is no short answer.
_FEW_CLAUSES = 40

#: Covered, contradicted, and the clause that says so.
_Verdict = tuple[bool, bool, int | None]


def judge_points(task: Task, answer: str) -> tuple[PointVerdict, ...]:
    """The verdict on every key point."""
    said = read(answer)
    return tuple(_judge_point(task, i, said) for i in range(len(task.points)))


def _judge_point(task: Task, index: int, said: Reading) -> PointVerdict:
    needed = task.needed[index]
    verdict = _ByValue(task, index, said).verdict(needed) if needed else _by_words(task, index, said)
    covered, contradicted, clause = verdict
    evidence = "" if clause is None else _verbatim(said, clause)
    return PointVerdict(task.points[index], covered and not contradicted, contradicted, evidence)


# -- points that state a value


class _ByValue:
    """One point that states a value, looked for among the values of an answer; what a clause is about is kept."""

    def __init__(self, task: Task, index: int, said: Reading) -> None:
        self.task, self.index, self.said = task, index, said
        others = [w for i, words in enumerate(task.own_words) if i != index for w in words]
        self._named = [self._names(task.own_words[index]), self._names(others)]
        self._asked: dict[int, bool] = {}

    def verdict(self, needed: Sequence[Stated]) -> _Verdict:
        """Covered where every needed value is stated and no other in its place."""
        here = [s for s in self.said.values if not self._is_anothers(s)]
        right = [among(s, needed) for s in here]
        other = [not r and not s.aside and self._is_rival(s, needed) for s, r in zip(here, right, strict=True)]
        meant = [(r or o) and self._is_of_the_asked(s) for s, r, o in zip(here, right, other, strict=True)]
        if not any(meant):  # no value in words of the question: those of the first sentence answer in other words
            sentences = self.said.sentences
            meant = [sentences[s.clause] == sentences[0] for s in here]
        rivals = [s for s, o, m in zip(here, other, meant, strict=True) if o and m]
        matches = [[s for s, m in zip(here, meant, strict=True) if m and same(s, n)] for n in needed]
        held = all(any(not s.aside for s in found) for found in matches)
        denied = any(found and all(s.aside for s in found) for found in matches)
        clause = next((s.clause for found in matches for s in found), None)
        if held and not rivals:
            return True, False, clause
        return False, bool(rivals) or denied, rivals[0].clause if rivals else clause

    def _is_rival(self, s: Stated, needed: Sequence[Stated]) -> bool:
        return any(comparable(s.value, n.value) for n in needed) and not self._is_known(s)

    def _is_known(self, s: Stated) -> bool:
        """A value of the question, of the reference or of another point, unless it is said of this point."""
        task = self.task
        if among(s, task.question_read.values) or _listed(s, task.points_read[self.index]):
            return True
        if any(_listed(s, r) for i, r in enumerate(task.points_read) if i != self.index):
            return not (s.clause in self._named[0] and s.clause not in self._named[1])
        return _listed(s, task.reference_read)

    def _is_anothers(self, s: Stated) -> bool:
        """Its clause names what only another point names, and nothing that only this one does."""
        return s.clause in self._named[1] and s.clause not in self._named[0]

    def _names(self, words: Sequence[Word]) -> set[int]:
        """The clauses that name one of these words."""
        found = {self.said.clause_at(at) for w in words if cover(w, self.said) >= 1.0 for at in places(w, self.said)}
        return {c for c in found if any(cover(w, read(self.said.clause_text(c))) >= 1.0 for w in words)}

    def _is_of_the_asked(self, s: Stated) -> bool:
        """A value is of the asked attribute unless its clause speaks of other things alone ('重量约6公斤')."""
        if s.leads:
            return True
        if s.clause not in self._asked:
            words = [w for w in self.said.words_of(s.clause) if _tells(w)]
            texts = (self.task.question_read, self.task.reference_read, *self.task.points_read)
            self._asked[s.clause] = not words or any(cover(w, t) >= HELD for w in words for t in texts)
        return self._asked[s.clause]


def _listed(s: Stated, reading: Reading) -> bool:
    """A text states the value, and does not set it aside."""
    return any(same_measure(s, o) for o in reading.values if not o.aside)


# -- points that state none


def _by_words(task: Task, index: int, said: Reading) -> _Verdict:
    point = task.points_read[index]
    share, clause = _share(task, point, said)
    both = denial(point, said)
    opposed = both.share > DENIED and not (share >= _MOSTLY and both.against < _SLIGHT * both.shared)
    asks_payer = _names_payer(task, index)
    if (index == task.stance_point or asks_payer) and not task.undecided:
        if HEDGES.search(said.folded) and (share > 0 or opposed or not any(_tells(w) for w in said.words)):
            return False, True, clause
    if index == task.stance_point:
        wanted, given = lead(task.reference_read, task), lead(said, task)
        if wanted and given:
            return (True, False, 0) if wanted == given else (False, True, 0)
        if (point.ideas & said.ideas & OPPOSITES.keys()) and not opposed:
            return True, False, clause
    paid_in = _payer_clause(said) if asks_payer else None
    if paid_in is not None:
        agrees = payer(said.clause_text(paid_in)) == payer(point.folded)
        return agrees, not agrees, paid_in
    if opposed:
        return False, True, clause
    if _names_exception(point, said):
        return True, False, clause
    if point.denied_heads and not (said.denied or said.ideas & DENYING):
        return False, False, clause  # 'stand it in water' does not say 'do not store it in water'
    return share >= COVERED, False, clause


def _tells(word: Word) -> bool:
    return word.weight >= TELLING and not is_reporting(word)


def _names_exception(point: Reading, said: Reading) -> bool:
    """有冲击点的, 由用户自理: the answer names the same payer, and holds what the point says beside the payer."""
    mine = payer(point.folded)
    if not mine or all(payer(said.clause_text(i)) != mine for i in range(len(said.clauses))):
        return False
    start, end = payer_span(point.folded)
    beside = [w for w in point.words if (w.end <= start or w.start >= end) and w.kind != "idea"]
    total = sum(w.weight for w in beside)
    return bool(total) and sum(w.weight * cover(w, said) for w in beside) / total >= COVERED


def _share(task: Task, point: Reading, said: Reading) -> tuple[float, int | None]:
    """Share of the point's telling words (and values) that the answer holds, and the clause that holds most."""
    total = held = 0.0
    best: dict[int, float] = {}
    for word in point.words:
        weight = word.weight * (_ASKED_WEIGHT if cover(word, task.question_read) >= HELD else 1.0)
        part = cover(word, said)
        total += weight
        held += weight * part
        if part >= HELD:
            clause = _clause_of(word, said)
            best[clause] = best.get(clause, 0.0) + weight
    for s in point.values:
        weight = _ASKED_WEIGHT if among(s, task.question_read.values) else 1.0
        total += weight
        held += weight * among(s, said.values)
    return (held / total if total else 0.0), max(best, key=lambda c: best[c]) if best else None


def _clause_of(word: Word, said: Reading) -> int:
    """The clause that holds a word or one of its meaning; the first where none does by itself."""
    found = places(word, said)
    if found:
        return said.clause_at(found[0])
    few = range(min(len(said.clauses), _FEW_CLAUSES))
    return next((c for c in few if cover(word, read(said.clause_text(c))) >= HELD), 0)


def _names_payer(task: Task, index: int) -> bool:
    """The point says who pays, and the question asks for it; the first such point, the others being exceptions."""
    asks = any(f.kind == "party" for f in task.asked.facets) or payer(task.reference_read.folded) != ""
    first = next((i for i, p in enumerate(task.points_read) if payer(p.folded)), None)
    return asks and first == index and not task.needed[index]


def _payer_clause(said: Reading) -> int | None:
    """The first clause that says who pays."""
    return next((i for i in range(len(said.clauses)) if payer(said.clause_text(i))), None)


def lead(reading: Reading, task: Task) -> int:
    """1 for a text that begins with a yes, -1 with a no; 0 for another beginning, or a yes to something else."""
    first = reading.clause_text(0).strip(" \"'*-#:")
    no, yes = LEAD_NO.match(first), LEAD_YES.match(first)
    found = no or yes
    if found is None:
        return 0
    rest = read(first[found.end() :])
    words = [w for w in rest.words if w.weight >= TELLING]
    texts = (task.question_read, *task.points_read)
    if words and len(first) - found.end() > _BARE_LEAD and not any(cover(w, t) >= HELD for w in words for t in texts):
        return 0
    return -1 if no else 1


def _verbatim(said: Reading, clause: int) -> str:
    start, end = said.clauses[clause]
    return said.text[start:end].strip()
