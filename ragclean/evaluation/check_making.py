"""A check of the evaluator, put together from outcomes: enough of them, and on the right side of a bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.degradation import name_some
from ragclean.evaluation.records import Check, Outcome, Variant
from ragclean.evaluation.running import failures
from ragclean.evaluation.scoring import has_failed

#: With fewer, one odd case decides.
FEWEST = 5
#: Share of answers without a verdict above which nothing is known of the judge, but that it fails.
MOST_FAILED = 0.2


def judged(report: EvalReport, variant: Variant) -> list[Outcome]:
    """The outcomes of a variant that have an answer and a verdict."""
    return [o for o in report.outcomes if o.shown.variant == variant and not has_failed(o)]


def mean_check(
    name: str, report: EvalReport, figure: Literal["correctness", "faithfulness"], bound: float, what: str,
    *, most: bool = False,
) -> Check:  # fmt: skip
    """A figure's mean without noise is at least the bound (``most``: at most)."""
    outcomes = judged(report, "v0")
    asked = sum(o.shown.variant == "v0" for o in report.outcomes)
    scored = [(o, s) for o in outcomes if (s := getattr(o.score, figure)) is not None]
    lost = asked - len(outcomes)
    if asked >= FEWEST and lost > MOST_FAILED * asked:
        why = next(iter(failures(report.outcomes)), "")
        return Check(name, False, None, "verdicts", asked, f"{lost} of {asked} have no verdict: {why}")
    if len(scored) < FEWEST:
        return unmade(name, f"{len(scored)} cases have a score; {FEWEST} are needed")
    mean = sum(s for _, s in scored) / len(scored)
    passed = mean <= bound if most else mean >= bound
    odd = [o.shown.case_id for o, s in scored if (s > bound if most else s < bound)]
    wanted = f"at {'most' if most else 'least'} {bound:.2f}"
    return Check(name, passed, mean, wanted, len(scored), f"{figure} {what}: {mean:.2f}" + named(odd))


def share_check(name: str, right: Sequence[Outcome], wrong: Sequence[Outcome], least: float, what: str) -> Check:
    """The share of outcomes that came out right is at least so large."""
    total = len(right) + len(wrong)
    if total < FEWEST:
        return unmade(name, f"{total} answers to tell from; {FEWEST} are needed")
    share = len(right) / total
    detail = f"{len(right)} of {total} {what}" + named([o.shown.case_id for o in wrong])
    return Check(name, share >= least, share, f"at least {least:.2f}", total, detail)


def unmade(name: str, why: str) -> Check:
    """A check that could not be made."""
    return Check(name, None, None, "", 0, why)


def named(case_ids: Sequence[str]) -> str:
    """The cases for which it is not so, for the end of a detail."""
    return f"; not so: {name_some(sorted(set(case_ids)))}" if case_ids else ""
