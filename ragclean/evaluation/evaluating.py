"""Evaluate an application whole: check the evaluator, run the application, and hold reports against each other."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.cases import with_keypoints
from ragclean.evaluation.comparing import Comparison, ComparisonError, compare
from ragclean.evaluation.gating import CRITICAL_LIMIT, LIMIT, Gate, gate
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import Check, EvalCase, Variant
from ragclean.evaluation.running import DAILY, Answer, AnswerJudge, Retrieve, run_evaluation
from ragclean.evaluation.selfcheck import self_check, verdict

SelfCheck = Literal["sample", "full", "off"]


def evaluate(
    cases: Sequence[EvalCase],
    answer: Answer,
    judge: AnswerJudge | None = None,
    *,
    pipeline: str,
    variants: Sequence[Variant] = DAILY,
    noise: NoiseMaker | NoiseSettings | None = None,
    retrieve: Retrieve | None = None,
    repeats: int = 1,
    concurrency: int = 8,
    cache: str | os.PathLike[str] | None = None,
    check: SelfCheck = "sample",
    progress: bool = False,
) -> EvalReport:
    """How much do the application's answers degrade when noise gets into its contexts?

    The self-check comes first: answers of known worth go through judge, noise and grades. A report whose check failed
    says so (``report.valid``), and gates nothing.

    Args:
        cases: see ``read_cases``; their contexts, or ``retrieve``, bring what the application is shown.
        answer: the application: ``(question, contexts) -> answer``, plain or async.
        judge: None for :class:`OfflineJudge`; otherwise ``EndpointAnswerJudge``, or an object of your own.
        pipeline: names everything the answers depend on: model, prompt, retriever, thresholds. A gate compares it, and
            answers are kept in the cache under it.
        variants: v0 is always among them; ``DAILY`` is v0 and v3, ``WEEKLY`` all five.
        noise, retrieve, repeats, concurrency, cache, progress: as for ``run_evaluation``.
        check: ``sample`` (20 cases), ``full`` or ``off``.

    Raises:
        ValueError: no case, the same id twice, an unknown variant, no pipeline; the message names it.
    """
    if not pipeline.strip():
        raise ValueError("pipeline: it is blank; name the version of what answers, so that a gate can tell it")
    if check not in ("sample", "full", "off"):
        raise ValueError(f"check: expected sample, full or off, got {check!r:.60}")
    judge = judge if judge is not None else OfflineJudge()
    variants = tuple(dict.fromkeys(("v0", *variants)))
    known = [with_keypoints(case) for case in cases]

    def checked(with_contexts: Sequence[EvalCase]) -> tuple[Check, ...]:
        if check == "off" or not any(case.contexts for case in with_contexts):
            return ()
        maker = noise if isinstance(noise, NoiseMaker) else NoiseMaker.of_cases(with_contexts, noise)
        return self_check(
            with_contexts, judge, noise=maker, answer=answer, pipeline=pipeline, variants=variants,
            full=check == "full", cache=cache, concurrency=concurrency,
        )  # fmt: skip

    # First, so that a judge that cannot judge is known before it is paid; contexts to be retrieved come with the run.
    checks = checked(known) if retrieve is None else ()
    report = run_evaluation(
        known, answer, judge, pipeline=pipeline, variants=variants, noise=noise, retrieve=retrieve, repeats=repeats,
        concurrency=concurrency, cache=cache, progress=progress,
    )  # fmt: skip
    checks = checks or checked(report.cases)
    passed = verdict(checks, variants) if check != "off" else None
    return replace(report, checks=checks, checked=passed, date=report.date or date.today().isoformat())


def gate_report(
    report: EvalReport, *, releasing: str, critical: Collection[str] = (), variant: Variant = "v3",
    critical_limit: float = CRITICAL_LIMIT, limit: float = LIMIT,
) -> Gate:  # fmt: skip
    """May the pipeline of that fingerprint be released, by this report on it?

    Args:
        releasing: the fingerprint of what is to be released; the report must be of it.
        critical: the 3 to 5 categories whose errors cost most: their limit is the lower one.

    Raises:
        GateError: the report is of another pipeline, did not pass its own check, or cannot be judged; it carries the
            exit code.
    """
    return gate(
        report.outcomes, report.cases, report.head, releasing=releasing, critical=critical, variant=variant,
        critical_limit=critical_limit, limit=limit,
    )  # fmt: skip


def compare_reports(first: EvalReport, second: EvalReport, *, lenient: bool = False) -> Comparison:
    """Both reports' figures, paired over the same cases and variants.

    Raises:
        ComparisonError: they differ in judge, noise, corpus, variants or cases.
    """
    for name, mine, other in (
        ("noise", dict(first.noise), dict(second.noise)), ("corpus", first.corpus, second.corpus),
    ):  # fmt: skip
        if mine != other:
            raise ComparisonError(f"different {name}: {mine} and {other}: they were not shown the same")
    return compare(first.outcomes, second.outcomes, first.head, second.head, lenient=lenient)
