"""Reports on parts of the cases, put together to one on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragclean.evaluation.archive import EvalReport

#: What has to be the same for outcomes to stand in one report.
_SAME = ("pipeline", "judge", "variants", "repeats", "noise", "corpus")


def merge_reports(reports: Sequence[EvalReport]) -> EvalReport:
    """One report of several on different cases, made by the same pipeline, judge and noise.

    The self-check counts as passed where every part's did.

    Raises:
        ValueError: there is none; they differ in what has to be the same; a case is in two of them. It names what.
    """
    if not reports:
        raise ValueError("reports: there is none to merge")
    first = reports[0]
    for number, other in enumerate(reports[1:], 1):
        for name in _SAME:
            if getattr(other, name) != getattr(first, name):
                raise ValueError(f"reports[{number}]: its {name} is another than that of reports[0]")
    cases = [case for report in reports for case in report.cases]
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise ValueError(f"reports: the case {case.id!r:.60} is in two of them")
        seen.add(case.id)
    states = {report.checked for report in reports}
    return replace(
        first,
        cases=tuple(cases),
        outcomes=tuple(o for r in reports for o in r.outcomes),
        short=tuple(s for r in reports for s in r.short),
        checked=False if False in states else None if None in states else True,
        checks=tuple(c for r in reports for c in r.checks),
        date=max(r.date for r in reports),
        warnings=tuple(dict.fromkeys(w for r in reports for w in r.warnings)),
    )
