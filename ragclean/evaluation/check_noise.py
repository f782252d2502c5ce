"""Is the noise what it claims to be? In its band, without the answer (v1, v2, v4), or against it (v3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragclean.evaluation.degradation import name_some
from ragclean.evaluation.noise import NoiseMaker, contradicts, holds_answer
from ragclean.evaluation.records import Check, EvalCase, Injected, Shown, Variant

#: Similarities are kept with four digits.
_ROUNDING = 1e-4


def check_injected(cases: Sequence[EvalCase], noise: NoiseMaker, variants: Iterable[Variant]) -> list[Check]:
    """One check of the real contexts (untouched, in order), and one of the noise of each variant."""
    touched: list[str] = []
    checks: list[Check] = []
    shown_at_all = 0
    for variant in (v for v in variants if v != "v0"):
        wrong: list[str] = []
        count = 0
        for case in cases:
            shown = noise.make(case, variant)
            if not isinstance(shown, Shown):
                continue
            count += 1
            if not _untouched(case, shown):
                touched.append(case.id)
            faults = [_missing(shown), *(_fault(case, i, variant, noise) for i in shown.injected)]
            if any(faults):
                wrong.append(f"{case.id} ({next(filter(None, faults))})")
        shown_at_all += count
        checks.append(_check(f"noise {variant}", count, wrong))
    what = "question and real contexts are the same in every variant"
    said = what if not touched else f"not so: {name_some(sorted(set(touched)))}"
    return [Check("contexts", not touched if shown_at_all else None, None, what, shown_at_all, said), *checks]


def _check(name: str, count: int, wrong: Sequence[str]) -> Check:
    wanted = "contradicts the answer" if name.endswith("v3") else "in its band, without the answer"
    if not count:
        return Check(name, None, None, wanted, 0, "it could be made for no case")
    said = f"{count - len(wrong)} of {count} cases" + (f"; not so: {name_some(wrong)}" if wrong else "")
    return Check(name, not wrong, (count - len(wrong)) / count, wanted, count, said)


def _untouched(case: EvalCase, shown: Shown) -> bool:
    """Without the injected chunks the contexts are the real ones, byte for byte; in v4 there are none."""
    return shown.trusted == (() if shown.variant == "v4" else case.contexts)


def _missing(shown: Shown) -> str:
    """What is said to be injected has to be shown, or a variant without noise would come out robust."""
    if not shown.injected:
        return "nothing is injected"
    lost = [i.chunk.id for i in shown.injected if i.chunk not in shown.contexts]
    return f"{lost[0]} is not among the contexts" if lost else ""


def _fault(case: EvalCase, injected: Injected, variant: Variant, noise: NoiseMaker) -> str:
    """What is wrong with an injected chunk; empty where nothing is."""
    if variant == "v3":
        return "" if contradicts(case, injected) else f"{injected.origin or 'it'} does not contradict the answer"
    if holds_answer(injected.chunk.text, case):
        return "it holds the answer"
    low, high = noise.settings.relevant if variant == "v2" else noise.settings.irrelevant
    value = injected.similarity
    outside = value is None or not low - _ROUNDING <= value <= high + _ROUNDING
    if outside and noise.settings.on_empty_band == "skip":
        return f"similarity {value} is outside {low:.2f}..{high:.2f}"
    return ""

