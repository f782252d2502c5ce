"""Evaluate an application whole: check the evaluator, run the application, and hold reports against each other."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Literal

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.cases import with_keypoints
from ragclean.evaluation.comparing import Comparison, ComparisonError, compare
from ragclean.evaluation.gating import CRITICAL_LIMIT, LIMIT, Gate, gate
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import Check, EvalCase, Variant
from ragclean.evaluation.running import DAILY, Answer, AnswerJudge, Retrieve, maker_of, run_evaluation
from ragclean.evaluation.selfcheck import OWN_JUDGE, nothing_to_check, self_check, verdict


class JudgeFailedError(ValueError):
    """The judge gave no verdict on any answer of the self-check; the message has its reason."""


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
        JudgeFailedError: the judge gave no verdict on the answers of the self-check; the application was not asked.
        ValueError: no case, the same id twice, an unknown variant, no pipeline, a check of another name; the message
            names it.
    """
    if not pipeline.strip():
        raise ValueError("pipeline: it is blank; name the version of what answers, so that a gate can tell it")
    if check not in ("sample", "full", "off"):
        raise ValueError(f"check: expected sample, full or off, got {check!r:.60}")
    judge = judge if judge is not None else OfflineJudge()
    variants = tuple(dict.fromkeys(("v0", *variants)))
    known = [with_keypoints(case) for case in cases]
    options: dict[str, Any] = {"concurrency": concurrency, "cache": cache}

    def checked(with_contexts: Sequence[EvalCase], maker: NoiseMaker | None) -> tuple[Check, ...]:
        if check == "off":
            return ()
        if maker is None:
            return nothing_to_check("no case has contexts")
        return self_check(
            with_contexts, judge, noise=maker, answer=answer, pipeline=pipeline, variants=variants,
            full=check == "full", **options,
        )  # fmt: skip

    def run(maker: NoiseMaker | NoiseSettings | None) -> EvalReport:
        return run_evaluation(
            known, answer, judge, pipeline=pipeline, variants=variants, noise=maker, retrieve=retrieve, repeats=repeats,
            progress=progress, **options,
        )  # fmt: skip

    if retrieve is None:  # the check comes first, so that a judge that cannot judge is known before it is paid
        maker = maker_of(known, noise)
        checks = checked(known, maker)
        _refuse_mute_judge(checks)
        report = run(maker or noise)
    else:  # contexts come with the run
        report = run(noise)
        checks = checked(report.cases, maker_of(report.cases, noise))
    return replace(
        report, checks=checks, checked=verdict(checks, variants) if check != "off" else None,
        date=report.date or date.today().isoformat(),
        warnings=(*report.warnings, *(c.detail for c in checks if c.name == OWN_JUDGE), *_out_of_band(report)),
    )  # fmt: skip


def _refuse_mute_judge(checks: Sequence[Check]) -> None:
    """Before the application is paid: a judge without any verdict on the right answers will have none on others."""
    oracle = next((c for c in checks if c.name == "oracle"), None)
    if oracle is not None and oracle.detail.startswith(f"{oracle.cases} of {oracle.cases} have no verdict"):
        raise JudgeFailedError(f"the judge gives no verdict, so that nothing was run: {oracle.detail}")


def _out_of_band(report: EvalReport) -> list[str]:
    """One line for each variant whose noise was taken from outside its band, since the band held too little."""
    lines: list[str] = []
    for variant, band in (("v1", "irrelevant"), ("v2", "relevant"), ("v4", "irrelevant")):
        low, high = report.noise[band]
        drawn = [i.similarity for o in report.outcomes if o.shown.variant == variant for i in o.shown.injected]
        known = [s for s in drawn if s is not None]
        far = [s for s in known if not low <= s <= high]
        if far:
            lines.append(
                f"{variant}: {len(far)} of {len(known)} injected chunks lie outside {low:.2f}..{high:.2f}, at "
                f"{min(far):.2f} to {max(far):.2f}: read the variant as noise of that likeness"
            )
    return lines


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
    mine, other = dict(first.noise), dict(second.noise)
    differ = [
        f"{name} {mine.get(name)} and {other.get(name)}"
        for name in dict.fromkeys((*mine, *other)) if mine.get(name) != other.get(name)
    ]  # fmt: skip
    if differ:
        raise ComparisonError(f"different noise: {', '.join(differ)}: they were not shown the same")
    if first.corpus != second.corpus:
        of = " and ".join(report.corpus or "none" for report in (first, second))
        raise ComparisonError(f"different corpus of noise: {of}: they were not shown the same")
    return compare(first.outcomes, second.outcomes, first.head, second.head, lenient=lenient)
