"""The figures of an evaluation report, worked out once: pages, Markdown, terminal tables and JSON all read these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.comparing import Comparison
from ragclean.evaluation.degradation import DIGITS, NOISY, By, Degradation, degradations
from ragclean.evaluation.gating import Gate
from ragclean.evaluation.health import ContentHealth
from ragclean.evaluation.noise import Shortage
from ragclean.evaluation.records import VARIANTS, EvalCase, Outcome, Variant
from ragclean.evaluation.scoring import Averages, averages, defined, has_failed
from ragclean.evaluation.sweeping import Sweep, SweepPoint

Status = Literal["valid", "failed", "unchecked"]
"""The self-check passed, failed, or was not made."""
Blame = Literal["application", "judge"]
Fault = Literal["lower", "adopted", "failed"]
"""Less correct than without noise; a contradiction was adopted; there is no answer or no verdict."""

#: Ids that plain data name for each reason; the report itself holds all of them.
_NAMED = 20


@dataclass(frozen=True, slots=True)
class FailureCount:
    """Answers that failed for one reason; none of them counts as 0."""

    variant: Variant
    blame: Blame
    reason: str
    answers: int
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShortageCount:
    """Cases of which a variant could not be made, for one reason."""

    variant: Variant
    reason: str
    cases: tuple[str, ...]
    nearest: tuple[float, ...]
    """The least and the greatest of the similarities that were there instead; empty where no band is the matter."""


@dataclass(frozen=True, slots=True)
class FailingCase:
    """A case under a variant that went wrong, with the answer without noise beside it."""

    case: EvalCase
    variant: Variant
    faults: tuple[Fault, ...]
    base: Outcome | None
    """Under v0, the best of several answers; None where there is none, and where v0 itself failed."""
    noisy: Outcome
    """The one of several answers that shows the fault best."""
    base_correctness: float | None
    """Mean over the answers."""
    noisy_correctness: float | None
    answers: int
    """Under this variant."""
    adopted: tuple[str, ...] = ()
    """Claims taken from an injected contradiction."""

    @property
    def loss(self) -> float:
        """Correctness lost; 0 where it is undefined on either side."""
        if self.base_correctness is None or self.noisy_correctness is None:
            return 0.0
        return max(self.base_correctness - self.noisy_correctness, 0.0)

    def to_dict(self) -> dict[str, Any]:
        return {
            "case": self.case.id, "variant": self.variant, "faults": list(self.faults),
            "base_correctness": self.base_correctness, "noisy_correctness": self.noisy_correctness,
            "answers": self.answers, "adopted": list(self.adopted),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvaluationFigures:
    """Everything that a report says, in the order in which it is read."""

    report: EvalReport
    averages: tuple[Averages, ...]
    degradations: tuple[Degradation, ...]
    shortages: tuple[ShortageCount, ...]
    failures: tuple[FailureCount, ...]
    failing: tuple[FailingCase, ...]
    """Worst first."""
    gate: Gate | None = None
    comparison: Comparison | None = None
    sweep: Sweep | None = None
    health: ContentHealth | None = None

    @property
    def status(self) -> Status:
        checked = self.report.checked
        return "unchecked" if checked is None else "valid" if checked else "failed"

    @property
    def headline(self) -> Degradation | None:
        """All cases under the most dangerous variant that was run; None where none but v0 and v4 was."""
        overall = [d for d in self.degradations if d.by == "all"]
        return max(overall, key=lambda d: NOISY.index(d.variant), default=None)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The noisy variants that were measured."""
        return tuple(v for v in NOISY if any(d.variant == v for d in self.degradations))

    @property
    def failing_cases(self) -> int:
        """Cases with at least one entry among the failing ones."""
        return len({f.case.id for f in self.failing})

    @property
    def wrong_without(self) -> tuple[str, ...]:
        """Cases whose answer is not right even without noise: what to mend first, in the application or in the case."""
        wrong = (o for o in self.report.outcomes if o.shown.variant == "v0" and (o.score.correctness or 0.0) < 1.0)
        return tuple(dict.fromkeys(o.shown.case_id for o in wrong if not has_failed(o)))

    @property
    def failed_answers(self) -> int:
        return sum(f.answers for f in self.failures)

    def buckets(self, by: By) -> tuple[str, ...]:
        """The buckets of a division, the one that loses most under any variant first."""
        worst: dict[str, float] = {}
        for d in self.degradations:
            if d.by == by:
                value = d.worst.value if d.worst.value is not None and d.grade != "inconclusive" else -2.0
                worst[d.bucket] = max(worst.get(d.bucket, -2.0), value)
        return tuple(sorted(worst, key=lambda bucket: -worst[bucket]))

    def degradation(self, by: By, bucket: str, variant: Variant) -> Degradation | None:
        """One cell of the matrix; None where the bucket was not shown the variant."""
        known = (d for d in self.degradations if (d.by, d.bucket, d.variant) == (by, bucket, variant))
        return next(known, None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the figures, and the ids of the cases behind them; their texts are in the report."""
        r = self.report
        return {
            "pipeline": r.pipeline, "judge": r.judge, "date": r.date, "status": self.status,
            "checks": [asdict(c) for c in r.checks], "warnings": list(r.warnings), "cases": len(r.cases),
            "answers": len(r.outcomes),
            "repeats": r.repeats, "variants": list(r.variants), "noise": dict(r.noise), "corpus": r.corpus,
            "averages": [asdict(a) for a in self.averages],
            "degradations": [d.to_dict() for d in self.degradations],
            "shortages": [_counted(asdict(s), s.cases) for s in self.shortages],
            "failures": [_counted(asdict(f), f.cases) for f in self.failures],
            "failing_cases": self.failing_cases, "failing": [f.to_dict() for f in self.failing],
            "gate": self.gate.to_dict() if self.gate else None,
            "comparison": self.comparison.to_dict() if self.comparison else None,
            "sweep": _sweep_data(self.sweep) if self.sweep else None,
            "health": asdict(self.health) if self.health else None,
        }  # fmt: skip


def figures_of(
    report: EvalReport, *, gate: Gate | None = None, comparison: Comparison | None = None, sweep: Sweep | None = None,
    health: ContentHealth | None = None,
) -> EvaluationFigures:  # fmt: skip
    """Work out the figures of a report, and put beside them what was found otherwise.

    Raises:
        ValueError: an outcome's case is not among the report's cases, or a score is no share from 0 to 1.
    """
    return EvaluationFigures(
        report=report,
        averages=averages(report.outcomes),
        degradations=degradations(report.outcomes, report.cases),
        shortages=_shortages(report.short),
        failures=_failures(report.outcomes),
        failing=_failing(report),
        gate=gate, comparison=comparison, sweep=sweep, health=health,
    )  # fmt: skip


def frontier(points: Sequence[SweepPoint]) -> tuple[int, ...]:
    """Indices of the settings that no other one beats in recall and degradation both, by rising degradation."""
    known = [
        (p.degradation.worst.value, -p.recall, i)
        for i, p in enumerate(points)
        if p.recall is not None and p.degradation.worst.value is not None
    ]
    best: list[int] = []
    recall = -1.0
    for _, negative, i in sorted(known):
        if -negative > recall:
            best.append(i)
            recall = -negative
    return tuple(best)


# ------------------------------------------------------------ what went wrong


def _shortages(short: Iterable[Shortage]) -> tuple[ShortageCount, ...]:
    groups: dict[tuple[Variant, str], list[Shortage]] = {}
    for shortage in short:
        groups.setdefault((shortage.variant, shortage.reason), []).append(shortage)
    found: list[ShortageCount] = []
    for (variant, reason), of in groups.items():
        values = [v for s in of for v in s.nearest]
        found.append(ShortageCount(variant, reason, tuple(s.case_id for s in of), _ends(values)))
    return tuple(sorted(found, key=lambda s: (VARIANTS.index(s.variant), -len(s.cases), s.reason)))


def _ends(values: Sequence[float]) -> tuple[float, ...]:
    return (min(values), max(values)) if values else ()


def _failures(outcomes: Iterable[Outcome]) -> tuple[FailureCount, ...]:
    groups: dict[tuple[Variant, Blame, str], list[str]] = {}
    for outcome in outcomes:
        if has_failed(outcome):
            blame: Blame = "application" if outcome.failed else "judge"
            key = (outcome.shown.variant, blame, outcome.failed or outcome.judgement.failed)
            groups.setdefault(key, []).append(outcome.shown.case_id)
    found = [FailureCount(*key, len(ids), tuple(dict.fromkeys(ids))) for key, ids in groups.items()]
    return tuple(sorted(found, key=lambda f: (-f.answers, VARIANTS.index(f.variant), f.blame, f.reason)))


def _failing(report: EvalReport) -> tuple[FailingCase, ...]:
    runs: dict[tuple[str, Variant], list[Outcome]] = {}
    for outcome in report.outcomes:
        runs.setdefault((outcome.shown.case_id, outcome.shown.variant), []).append(outcome)
    cases = {c.id: c for c in report.cases}
    known = ((cases[name], variant, of) for (name, variant), of in runs.items())
    found = [_judged(case, variant, of, runs.get((case.id, "v0"), [])) for case, variant, of in known]
    failing = [f for f in found if f is not None]
    # The sort is stable: what loses alike stays in the order of the report.
    return tuple(sorted(failing, key=lambda f: (-f.loss, "adopted" not in f.faults, -VARIANTS.index(f.variant))))


def _judged(case: EvalCase, variant: Variant, of: Sequence[Outcome], base: Sequence[Outcome]) -> FailingCase | None:
    """What went wrong with a case under a variant; None where nothing did."""
    before, after = (None if variant == "v0" else _correctness(base)), _correctness(of)
    adopting = [o for o in of if _adopted(o)]
    faults: list[Fault] = []
    if variant in NOISY and before is not None and after is not None and round(before - after, DIGITS) > 0:
        faults.append("lower")
    if adopting:
        faults.append("adopted")
    if any(has_failed(o) for o in of):
        faults.append("failed")
    if not faults:
        return None
    shown = base if variant != "v0" else ()
    return FailingCase(
        case=case,
        variant=variant,
        faults=tuple(faults),
        base=max(shown, key=lambda o: -1.0 if has_failed(o) else _score(o), default=None),
        noisy=_telling(adopting or of, "lower" in faults or bool(adopting)),
        base_correctness=before,
        noisy_correctness=after,
        answers=len(of),
        adopted=tuple(dict.fromkeys(claim for o in adopting for claim in _adopted(o))),
    )


def _telling(outcomes: Sequence[Outcome], scored: bool) -> Outcome:
    """The answer that shows the fault: the least correct one, or one that failed where nothing else is wrong."""
    wanted = [o for o in outcomes if has_failed(o) != scored] or outcomes
    return min(wanted, key=_score)


def _score(outcome: Outcome) -> float:
    """Correctness for choosing among answers; an undefined one stands behind every other."""
    value = defined(outcome.score.correctness)
    return 0.0 if value is None else value


def _adopted(outcome: Outcome) -> tuple[str, ...]:
    return tuple(c.claim for c in outcome.judgement.claims if c.injected_kind == "relevant_hard")


def _correctness(outcomes: Iterable[Outcome]) -> float | None:
    """The mean over the answers of a case for which it is defined."""
    scores = [s for o in outcomes if not has_failed(o) and (s := defined(o.score.correctness)) is not None]
    return sum(scores) / len(scores) if scores else None


# ------------------------------------------------------------ plain data


def _counted(data: dict[str, Any], cases: Sequence[str]) -> dict[str, Any]:
    return {**data, "cases": list(cases[:_NAMED]), "count": len(cases)}


def _sweep_data(sweep: Sweep) -> dict[str, Any]:
    points = [
        {
            "settings": dict(p.settings), "recall": p.recall, "correctness": p.correctness, "passages": p.passages,
            "degradation": p.degradation.to_dict(),
        }
        for p in sweep.points
    ]  # fmt: skip
    return {"points": points, "best": sweep.best, "reason": sweep.reason, "frontier": list(frontier(sweep.points))}
