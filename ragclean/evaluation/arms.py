"""The corrector on and off: the same application on raw contexts, after a vector rerank, and after the corrector."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.cleaning import TOP, Cleaner, Corrected, Kept, VectorRerank, cleaned, raw, version_of
from ragclean.evaluation.degradation import Degradation, measure
from ragclean.evaluation.evaluating import SelfCheck, evaluate
from ragclean.evaluation.judging import points_of
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import EvalCase, Outcome, Shown, Variant
from ragclean.evaluation.running import DAILY, Answer, AnswerJudge, Retrieve, maker_of
from ragclean.evaluation.scoring import averages, has_failed
from ragclean.text.folding import fold
from ragclean.text.values import find_values
from ragclean.tokencount import estimate_tokens

#: The arms that users want to see.
RAW, RERANK, CORRECTED = "raw", "vector rerank", "corrected"


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One arm under one variant; shares over the answerable cases that have an answer and a verdict."""

    arm: str
    variant: Variant
    cases: int
    strict_match: float | None
    """Share of answers that match by value and hold every key point, or its values, as written."""
    value_match: float | None
    """Share of answers that cover every key point and contradict none, values and units normalised (offline judge)."""
    correctness: float | None
    faithfulness: float | None
    tokens: float
    """Mean length of what the model reads, in tokens (estimated)."""
    shorter: float
    """How much shorter than the raw contexts; below 0 where longer."""


@dataclass(frozen=True, slots=True)
class Arms:
    """The table of all arms, with the report and the v3 degradation of each."""

    figures: tuple[ArmFigures, ...]
    reports: Mapping[str, EvalReport]
    degradations: Mapping[str, Degradation]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the reports are left out, they have files of their own."""
        lost = {arm: d.to_dict() for arm, d in self.degradations.items()}
        return {"figures": [asdict(f) for f in self.figures], "degradations": lost}


def compare_arms(
    cases: Sequence[EvalCase],
    answer: Answer,
    judge: AnswerJudge | None = None,
    *,
    pipeline: str,
    arms: Mapping[str, Cleaner] | None = None,
    top_k: int = TOP,
    variants: Sequence[Variant] = DAILY,
    noise: NoiseMaker | NoiseSettings | None = None,
    retrieve: Retrieve | None = None,
    repeats: int = 1,
    concurrency: int = 8,
    cache: str | os.PathLike[str] | None = None,
    check: SelfCheck = "sample",
    progress: bool = False,
) -> Arms:
    """Run the same application behind each arm, over the same cases and the same noise.

    Args:
        answer: the application, which reads whatever contexts it is given.
        pipeline: its fingerprint; each arm's name and version are put behind it.
        arms: cleaners by name; None for raw contexts, the usual vector rerank, and the corrector with its defaults.
            Give a cleaner a ``fingerprint`` where there is a ``cache``: answers are kept under it, or under its name.
        top_k: chunks that rerank and corrector leave.
        variants, noise, retrieve, repeats, concurrency, cache, check, progress: as for :func:`evaluate`. Contexts are
            retrieved once, and the self-check is made once, with the first arm; all reports hold what it found.

    Raises:
        ValueError: as :func:`evaluate`; or ``top_k`` is below 1.
    """
    known: Sequence[EvalCase] = list(cases)
    kept = {name: Kept(clean) for name, clean in (arms or _usual(top_k, known)).items()}
    maker = noise if retrieve is not None else maker_of(known, noise) or noise
    reports: dict[str, EvalReport] = {}
    for name, clean in kept.items():
        report = evaluate(
            known, cleaned(answer, clean), judge, pipeline=f"{pipeline}+{name}:{version_of(clean)}",
            variants=variants, noise=maker, retrieve=retrieve, repeats=repeats, concurrency=concurrency, cache=cache,
            check="off" if reports else check, progress=progress,
        )  # fmt: skip
        first = next(iter(reports.values()), report)
        reports[name] = replace(report, checks=first.checks, checked=first.checked, warnings=first.warnings)
        known, maker = report.cases, maker_of(report.cases, maker) or maker
    figures = [_figures(name, v, reports[name], kept[name]) for name in kept for v in reports[name].variants]
    lost = {name: _degradation(report) for name, report in reports.items() if "v3" in report.variants}
    return Arms(tuple(figures), reports, lost)


def _usual(top_k: int, cases: Sequence[EvalCase]) -> dict[str, Cleaner]:
    return {RAW: raw, RERANK: VectorRerank(top_k), CORRECTED: Corrected(top_k=top_k, cases=cases)}


def _degradation(report: EvalReport) -> Degradation:
    base, noisy = ([o for o in report.outcomes if o.shown.variant == v] for v in ("v0", "v3"))
    return measure(base, noisy, "v3")


def _figures(arm: str, variant: Variant, report: EvalReport, clean: Kept) -> ArmFigures:
    by_id = {c.id: c for c in report.cases}
    outcomes = [o for o in report.outcomes if o.shown.variant == variant and by_id[o.shown.case_id].answerable]
    judged = [(o, by_id[o.shown.case_id]) for o in outcomes if not has_failed(o)]
    mean = averages([o for o, _ in judged])
    lengths = [(_tokens(o.shown, by_id[o.shown.case_id], None), _tokens(o.shown, by_id[o.shown.case_id], clean))
               for o in outcomes if not o.failed]  # fmt: skip
    before, after = sum(b for b, _ in lengths), sum(a for _, a in lengths)
    return ArmFigures(
        arm, variant, len(judged), _share([strict_match(o, c) for o, c in judged]),
        _share([value_match(o, c) for o, c in judged]), mean[0].correctness if mean else None,
        mean[0].faithfulness if mean else None, after / max(len(lengths), 1), 1 - after / before if before else 0.0,
    )  # fmt: skip


def strict_match(outcome: Outcome, case: EvalCase) -> bool:
    """As :func:`value_match`, and every key point stands in the answer as it is written: word for word, or, where it
    has values, those as they are written (24个月 is not 两年). Case, width and white space are forgiven."""
    said = _squeezed(outcome.answer)
    return value_match(outcome, case) and all(_as_written(point, said) for point in points_of(case))


def _as_written(point: str, said: str) -> bool:
    folded = fold(point)
    values = [_squeezed(folded[v.start : v.end]) for v in find_values(folded)]
    return _squeezed(point) in said or (bool(values) and all(v in said for v in values))


def value_match(outcome: Outcome, case: EvalCase) -> bool:
    """Every key point is covered and none contradicted, by the offline judge's reading of values."""
    points = points_of(case)
    verdicts = OfflineJudge().coverage(case.question, outcome.answer, case.reference, points)
    return bool(verdicts) and all(v.covered and not v.contradicted for v in verdicts)


def _squeezed(text: str) -> str:
    return "".join(fold(text).split()).rstrip("。.")


def _tokens(shown: Shown, case: EvalCase, clean: Kept | None) -> int:
    contexts = shown.contexts if clean is None else clean(case.question, shown.contexts)
    return sum(estimate_tokens(c.text) for c in contexts)


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
