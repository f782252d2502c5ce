"""The five variants of a case: what is injected, where, and why it is what it claims to be.

Irrelevant noise is drawn at random from a low band of similarity. Relevant noise must come from the band that a
retriever invites: above it a chunk is practically the answer, below it models see through it. A contradiction is an old
version of a gold chunk where the case knows one, else a copy of a gold chunk whose answer is altered, under the same
lineage and an earlier date or a lower trust.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import Literal, TypeVar

import numpy as np

from ragclean.evaluation.alteration import alter, names_of
from ragclean.evaluation.corpus import QUANTILES, Corpus
from ragclean.evaluation.judging import points_of
from ragclean.evaluation.offline_coverage import judge_points
from ragclean.evaluation.offline_task import Task
from ragclean.evaluation.records import EvalCase, Injected, NoiseKind, Shown, Variant
from ragclean.evaluation.workers import Once
from ragclean.text.dates import parse_date
from ragclean.text.folding import fold
from ragclean.text.values import Value, find_values, same_value
from ragclean.types import Chunk

T = TypeVar("T")
Position = Literal["front", "middle", "end", "spread"]
#: Chunks of the corpus whose similarity to a question is worked out in full: the nearest ones, and as many at random.
_NEAREST, _RANDOM = 400, 400
#: Attempts at an altered copy that differs from those there are.
_ATTEMPTS = 12
#: Every case looks at the same chunks of the corpus, whose values are read once; longer ones would fill the memory.
_KEPT_TEXTS, _KEPT_LENGTH, _KEPT_CASES = 16_384, 4_000, 1_024
#: A run makes the variants of a case one after another, some cases at a time: 10 MB.
_KEPT_COMPARISONS = 128
_NUMBERED = re.compile(r"(.{0,40}?)(\d{1,6})", re.DOTALL)
#: How much older an altered copy is, in years, and the trust of one whose original has no date to be older than.
_YEARS_OLDER, _LOW_TRUST = 2, 0.3


@dataclass(frozen=True, slots=True)
class NoiseSettings:
    """How much noise, from which bands, and where.

    Raises:
        ValueError: a field is out of its range; the message names it.
    """

    count: int = 3
    """Chunks injected in v1, v2 and v3."""
    position: Position = "spread"
    """Before the contexts, in their middle, behind them, or evenly among them."""
    seed: int = 0
    irrelevant: tuple[float, float] = (0.0, 0.4)
    """Band of similarity on the encoder's profile scale, for v1 and v4."""
    relevant: tuple[float, float] = (0.70, 0.85)
    """The same for v2."""
    on_empty_band: Literal["skip", "nearest"] = "skip"
    """Where a band holds too few chunks: leave the variant out and say so, or take the nearest ones to the band."""
    marked: bool = True
    """Altered copies say that they are older (lineage and date), or less trusted. False: they carry what the real page
    carries, so that nothing but the other pages tells which is right: how much of a result rests on such marks?"""

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"count: must be 1 or more, got {self.count}")
        if self.position not in ("front", "middle", "end", "spread"):
            raise ValueError(f"position: expected front, middle, end or spread, got {self.position!r}")
        for name in ("irrelevant", "relevant"):
            low, high = getattr(self, name)
            if not 0.0 <= low < high <= 1.0:
                raise ValueError(f"{name}: expected 0 <= low < high <= 1, got {low}, {high}")


@dataclass(frozen=True, slots=True)
class Shortage:
    """A variant that cannot be made of a case, and what there is instead."""

    case_id: str
    variant: Variant
    reason: str
    nearest: tuple[float, ...] = ()
    """The similarities nearest to the band, where a band is the matter."""


class NoiseMaker:
    """Makes the variants of cases.

    Args:
        corpus: where noise comes from: the user's own documents, or the contexts of all cases.
        settings: how much, from where.
        names: names to put in place of others; by default those of all references given to :meth:`of_cases`.
    """

    def __init__(
        self, corpus: Corpus, settings: NoiseSettings | None = None, names: Sequence[str] = ()
    ) -> None:
        self.corpus, self.settings, self._names = corpus, settings or NoiseSettings(), tuple(names)
        self._keys = tuple(map(_key, corpus.chunks))
        self._near: Once[Sequence[tuple[int, float]]] = Once(_KEPT_COMPARISONS)

    @classmethod
    def of_cases(
        cls, cases: Sequence[EvalCase], settings: NoiseSettings | None = None, corpus: Corpus | None = None
    ) -> NoiseMaker:
        """Noise from a corpus, or from the contexts of the other cases; names from all references."""
        names = sorted({name for case in cases for name in names_of(case.reference)})
        return cls(corpus or Corpus([c for case in cases for c in case.contexts]), settings, names)

    def make(self, case: EvalCase, variant: Variant, contexts: Sequence[Chunk] | None = None) -> Shown | Shortage:
        """One variant of a case. The same settings give the same variant, whatever was made before.

        Args:
            contexts: the retriever's, where the case has none of its own.
        """
        base = case.contexts if contexts is None else tuple(contexts)
        if variant == "v0":
            return Shown(case.id, variant, base)
        rng = _seeded(self.settings.seed, case.id, variant)
        if variant == "v3":
            found = self._contradictions(case, base, rng)
            if not found:
                return Shortage(case.id, variant, "no value, yes or no, or name of the answer can be altered")
        else:
            kind: NoiseKind = "relevant_soft" if variant == "v2" else "irrelevant"
            count = max(len(base), 1) if variant == "v4" else self.settings.count
            band = self.settings.relevant if variant == "v2" else self.settings.irrelevant
            drawn = self._from_band(case, base, kind, band, count, rng)
            if isinstance(drawn, tuple):
                reason = f"{drawn[0]} of {count} chunks lie in {band[0]:.2f}..{band[1]:.2f}"
                return Shortage(case.id, variant, reason, drawn[1])
            found = drawn
        names = _names(base, len(found), rng)
        injected = tuple(replace(i, chunk=replace(i.chunk, id=n)) for i, n in zip(found, names, strict=True))
        if variant == "v4":
            return Shown(case.id, variant, tuple(i.chunk for i in injected), injected)
        return Shown(case.id, variant, placed(base, [i.chunk for i in injected], self.settings.position), injected)

    def quantiles(self, question: str) -> dict[float, float]:
        """Similarities of the corpus to a question at some shares of it: where a band lies."""
        rows = self._rows(question, _seeded(self.settings.seed, "quantiles"))
        values = self.corpus.similarities(question, rows)
        return {q: round(float(np.quantile(values, q)), 4) for q in QUANTILES}

    # ------------------------------------------------------------ drawing

    def _rows(self, question: str, rng: random.Random) -> list[int]:
        near = self.corpus.nearest(question, _NEAREST).tolist()
        every = range(len(self.corpus))
        some = rng.sample(every, min(_RANDOM, len(every)))
        return list(dict.fromkeys([*near, *some]))

    def _from_band(
        self, case: EvalCase, base: Sequence[Chunk], kind: NoiseKind, band: tuple[float, float], count: int,
        rng: random.Random,
    ) -> list[Injected] | tuple[int, tuple[float, ...]]:  # fmt: skip
        """Chunks of the corpus in a band that hold no answer; or how many there are, and the nearest similarities."""
        known = {_key(c) for c in (*base, *case.contexts, *case.old_versions)}
        apart: dict[str, tuple[float, int]] = {}
        for row, value in self._compared(case):
            if self._keys[row] not in known:
                apart.setdefault(self._keys[row], (value, row))
        low, high = band
        # Whether a chunk holds the answer costs most, and is asked of those alone that are drawn.
        inside = sorted(v for v in apart.values() if low <= v[0] <= high)
        drawn = list(islice((v for v in _drawn(inside, rng) if self._is_noise(v[1], case)), count))
        if len(drawn) < count:
            nearest = sorted(apart.values(), key=lambda v: (max(low - v[0], v[0] - high, 0.0), v[1]))
            outside = list(islice((v for v in nearest if self._is_noise(v[1], case)), count))
            if self.settings.on_empty_band == "skip" or len(outside) < count:
                return len(drawn), tuple(round(v, 4) for v, _ in outside)
            drawn = rng.sample(outside, count)
        return [Injected(self.corpus.chunks[row], kind, round(v, 4), "pool") for v, row in drawn]

    def _compared(self, case: EvalCase) -> Sequence[tuple[int, float]]:
        """Rows of the corpus and how near they are to the question: the same for all variants of a case."""

        def compare() -> Sequence[tuple[int, float]]:
            rows = self._rows(case.question, _seeded(self.settings.seed, case.id))
            return list(zip(rows, self.corpus.similarities(case.question, rows).tolist(), strict=True))

        return self._near.get((case.id, case.question), compare)  # several threads ask at once, one for each variant

    def _version(self, chunk: Chunk, text: str) -> Chunk:
        other = replace(chunk, text=text)
        return _older(other) if self.settings.marked else other

    def _is_noise(self, row: int, case: EvalCase) -> bool:
        return not holds_answer(self.corpus.chunks[row].text, case)

    def _contradictions(self, case: EvalCase, base: Sequence[Chunk], rng: random.Random) -> list[Injected]:
        there = {_key(c) for c in base}  # an old version that is retrieved anyway is no noise of ours
        known = [c for c in case.old_versions if _key(c) not in there][: self.settings.count]
        found = [Injected(c, "relevant_hard", None, "old_version") for c in known]
        texts = {c.text for c in (*base, *case.old_versions)}
        gold = [c for c in base if c.id in case.gold] or [c for c in base if holds_answer(c.text, case)]
        if not gold or not case.answerable:
            return found
        answer = "\n".join((case.reference, *case.keypoints))
        for attempt in range(_ATTEMPTS):
            if len(found) >= self.settings.count:
                break
            chunk = gold[attempt % len(gold)]
            altered = alter(chunk.text, answer, rng, self._names, question=case.question)
            if altered is not None and altered.text not in texts:
                texts.add(altered.text)
                made = Injected(self._version(chunk, altered.text), "relevant_hard", None, str(altered))
                if contradicts(case, made):
                    found.append(made)
        return found


def _seeded(*parts: object) -> random.Random:
    """As of a string, but for ids that no string can be encoded of."""
    return random.Random(":".join(map(str, parts)).encode("utf-8", "surrogatepass"))


def _drawn(items: Sequence[T], rng: random.Random) -> Iterator[T]:
    """The items in random order, as many of them as are asked for."""
    left = list(items)
    while left:
        at = rng.randrange(len(left))
        left[at], left[-1] = left[-1], left[at]
        yield left.pop()


def contradicts(case: EvalCase, injected: Injected) -> bool:
    """Whether a contradiction no longer states all of the answer: read by the rules of the offline judge, which know
    nothing of how it was altered."""
    unchanged = injected.chunk.text in {c.text for c in case.contexts}
    verdicts = judge_points(Task(case.question, case.reference, points_of(case)), injected.chunk.text)
    return not unchanged and not (verdicts and all(v.covered for v in verdicts))


def holds_answer(text: str, case: EvalCase) -> bool:
    """The text states a value of the reference, or one of its points word for word. Strict: what may answer is no
    noise."""
    points, right = _looked_for(case.reference, case.keypoints)
    squeezed, values = _stated(text) if len(text) <= _KEPT_LENGTH else _read_stated(text)
    return any(p in squeezed for p in points) or any(same_value(v, r) for v in values for r in right)


@lru_cache(maxsize=_KEPT_CASES)
def _looked_for(reference: str, keypoints: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Value, ...]]:
    """What an answer would be known by: its points without white space, and its values that have a unit."""
    points = [p for p in (reference, *keypoints) if p.strip()]
    right = tuple(v for p in points for v in find_values(fold(p)) if v.kind != "number")
    return tuple("".join(fold(p).split()).strip("。.") for p in points), right


@lru_cache(maxsize=_KEPT_TEXTS)
def _stated(text: str) -> tuple[str, tuple[Value, ...]]:
    return _read_stated(text)


def _read_stated(text: str) -> tuple[str, tuple[Value, ...]]:
    folded = fold(text)
    return "".join(folded.split()), tuple(find_values(folded))


def placed(base: Sequence[Chunk], added: Sequence[Chunk], position: Position) -> tuple[Chunk, ...]:
    """Contexts with other chunks among them; both keep their order."""
    if position == "front":
        return (*added, *base)
    if position == "end":
        return (*base, *added)
    if position == "middle":
        half = len(base) // 2
        return (*base[:half], *added, *base[half:])
    return tuple(_spread(base, added))


def _spread(base: Sequence[Chunk], added: Sequence[Chunk]) -> Iterator[Chunk]:
    """At equal distances, as many before the first as behind the last."""
    step = len(base) / max(len(added), 1)
    places = [int((i + 0.5) * step + 0.5) for i in range(len(added))]
    for at in range(len(base) + 1):
        yield from (chunk for chunk, place in zip(added, places, strict=True) if place == at)
        if at < len(base):
            yield base[at]


def _older(chunk: Chunk) -> Chunk:
    """An earlier version of a chunk: same lineage, earlier dates; without any date, one to be trusted less."""
    lineage = chunk.lineage_id or chunk.id
    day = chunk.day
    known = parse_date(day) if day else None
    if known is None:
        return replace(chunk, lineage_id=lineage, source_weight=_LOW_TRUST)
    earlier = _years_before(known, _YEARS_OLDER).isoformat()
    return replace(
        chunk, lineage_id=lineage, version=None, effective_from=None, updated_at=None, published_at=earlier
    )


def _years_before(day: date, years: int) -> date:
    year = max(day.year - years, date.min.year)
    return day.replace(year=year, day=min(day.day, 28))


def _names(base: Sequence[Chunk], count: int, rng: random.Random) -> list[str]:
    """Ids in the form of the contexts' own, that none of them has: by its id a chunk must not be known as injected."""
    forms = [m for c in base if (m := _NUMBERED.fullmatch(c.id)) is not None]
    prefix = forms[0][1] if forms else "c"
    digits = max((len(m[2]) for m in forms), default=1)
    taken = {c.id for c in base}
    free = (f"{prefix}{n}" for n in range(10 ** (digits - 1), 10 ** (digits + 2)))
    names = list(islice((n for n in free if n not in taken), max(count * 4, len(base) + count)))
    return rng.sample(names, count)


def _key(chunk: Chunk) -> str:
    return "".join(fold(chunk.text).split())
