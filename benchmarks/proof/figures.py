"""What the arms' answers are worth: means, paired differences with intervals, the share of the oracle's gap closed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from case_form import Case
from scipy.stats import bootstrap

from proof.reader import Answered
from proof.scoring import Verdict, judge
from ragclean.evaluation.refusal import is_refusal

#: Name of a figure and its value for one answer; None where the case has none.
FIGURES: Mapping[str, Callable[[Verdict], float | None]] = {
    "strict": lambda v: float(v.strict),
    "match": lambda v: float(v.match),
    "adopted": lambda v: None if v.adopted is None else float(v.adopted),
    "covered": lambda v: v.covered,
    "faithfulness": lambda v: v.faithful,
    "refused": lambda v: float(v.refused),
}
_RESAMPLES, _CONFIDENCE = 9999, 0.95


@dataclass(frozen=True)
class Row:
    """One arm over the cases that all arms of a table answered.

    A figure that some answer has not (the faithfulness of a refusal) is the mean over the cases where every arm has it:
    an arm that refuses what is hard must not look the better for it.
    """

    arm: str
    n: int
    means: Mapping[str, float | None]
    tokens: float
    shorter: float
    """Than the raw contexts, in tokens of all cases together."""


@dataclass(frozen=True)
class Difference:
    """How much better one arm is than another on the same cases, with the interval of the mean of the differences."""

    figure: str
    arm: str
    against: str
    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Scored:
    """Answers and their verdicts, by arm and case."""

    answers: Mapping[str, Mapping[str, Answered]]
    verdicts: Mapping[str, Mapping[str, Verdict]]
    cases: Mapping[str, Case]

    def over(self, arms: Sequence[str]) -> list[str]:
        """The cases that every one of these arms answered."""
        return [c for c in self.cases if all(c in self.answers.get(a, {}) for a in arms)]


def scored(answers: Iterable[Answered], cases: Iterable[Case]) -> Scored:
    """The verdicts on the answers to answerable cases; an answer to a case that is not there is left out."""
    known = {c.id: c for c in cases if c.answerable and not c.tied}
    by_arm: dict[str, dict[str, Answered]] = defaultdict(dict)
    for a in answers:
        if a.case in known:
            by_arm[a.arm][a.case] = a
    verdicts = {arm: {i: judge(known[i], a.answer) for i, a in of.items()} for arm, of in by_arm.items()}
    return Scored(by_arm, verdicts, known)


def refusals(answers: Iterable[Answered], cases: Iterable[Case]) -> dict[str, tuple[float, int]]:
    """Of each arm the share of answers to cases without an answer that say so, and how many there are."""
    without = {c.id for c in cases if not c.answerable}
    said: dict[str, list[bool]] = defaultdict(list)
    for a in answers:
        if a.case in without:
            said[a.arm].append(is_refusal(a.answer))
    return {arm: (sum(refused) / len(refused), len(refused)) for arm, refused in said.items()}


def rows(found: Scored, arms: Sequence[str], cases: Sequence[str] | None = None) -> list[Row]:
    """One row an arm over the same cases."""
    ids = found.over(arms) if cases is None else list(cases)
    if not ids:
        return []
    whole = sum(found.answers["raw"][i].tokens for i in ids) if "raw" in arms else 0
    shared = {
        name: [i for i in ids if all(value(found.verdicts[arm][i]) is not None for arm in arms)]
        for name, value in FIGURES.items()
    }
    made = []
    for arm in arms:
        of = found.verdicts[arm]
        means = {name: _mean([x for i in shared[name] if (x := value(of[i])) is not None])
                 for name, value in FIGURES.items()}  # fmt: skip
        length = sum(found.answers[arm][i].tokens for i in ids)
        made.append(Row(arm, len(ids), means, length / len(ids), 1 - length / whole if whole else 0.0))
    return made


def difference(found: Scored, figure: str, arm: str, against: str) -> Difference | None:
    """``arm`` minus ``against``; None where no case has the figure for both."""
    value = FIGURES[figure]
    pairs = [(value(found.verdicts[arm][i]), value(found.verdicts[against][i])) for i in found.over([arm, against])]
    gaps = np.array([a - b for a, b in pairs if a is not None and b is not None])
    if not gaps.size:
        return None
    low, high = interval(gaps)
    return Difference(figure, arm, against, gaps.size, float(gaps.mean()), low, high)


def interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % BCa bootstrap interval of a mean (Efron 1987); the mean itself where all values are equal."""
    if values.size < 2 or np.ptp(values) == 0:
        return float(values.mean()), float(values.mean())
    found = bootstrap((values,), np.mean, n_resamples=_RESAMPLES, confidence_level=_CONFIDENCE, method="BCa",
                      rng=np.random.default_rng(0))  # fmt: skip
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def gap_closed(
    found: Scored, arm: str, against: str = "raw", best: str = "oracle", figure: str = "match"
) -> float | None:
    """Share of the way from one arm to the best possible context that ``arm`` goes; None where there is no way."""
    table = {r.arm: r.means[figure] for r in rows(found, (against, arm, best))}
    start, here, end = table.get(against), table.get(arm), table.get(best)
    if start is None or here is None or end is None or end <= start:
        return None
    return (here - start) / (end - start)


def by_group(
    found: Scored, arms: Sequence[str], figure: str = "match"
) -> dict[str, tuple[int, dict[str, float | None]]]:
    """The figure of each arm in every group a case belongs to: scenario, language, kind, noise type, conflict."""
    groups: dict[str, list[str]] = defaultdict(list)
    for i in found.over(arms):
        case = found.cases[i]
        conflict = "conflict" if case.conflict else "no conflict"
        for name in dict.fromkeys((case.scenario, case.lang, case.kind, conflict, *case.noise_types)):
            groups[name].append(i)
    return {name: (len(ids), {r.arm: r.means[figure] for r in rows(found, arms, ids)})
            for name, ids in sorted(groups.items())}  # fmt: skip


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
