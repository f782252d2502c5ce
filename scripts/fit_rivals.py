"""Fit the weights of ``ragclean/arbitration/rivalry.py``: which values contradict the likeliest answer.

    python scripts/fit_rivals.py            # prints weights and figures
    python scripts/fit_rivals.py --check FILE ...   # and the figures on case files of another hand

Every value of a case that differs from its likeliest answer is one example; the two contradict each other where both
are the accepted value in a good chunk or a losing one in a losing chunk. True ties are left out: what their sides are
is not labelled. Development cases only, folds by case.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date

import numpy as np
from fitting import (
    FOLDS,
    Case,
    answers,
    development_files,
    fit,
    held_out,
    load_cases,
    options_of,
    print_weights,
)
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

import ragclean.arbitration.settling as stage
from ragclean import NoiseCorrector
from ragclean.arbitration.claims import Claim
from ragclean.arbitration.rivalry import WEIGHTS, pairs_of, rival_signs
from ragclean.arbitration.timing import Standing
from ragclean.prepare import RankedPassage


def examples(
    cases: Iterable[Case], corrector: NoiseCorrector
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.str_]]:
    """(n, signs) of each pair, (n,) do the two contradict each other, (n,) the case."""
    found: list[tuple[list[float], bool, str]] = []
    for case in cases:
        if "tie" in case.tags:
            continue
        for lead, other, standing_of, claims, passages in _pairs(case, corrector):
            signs = rival_signs(lead, other, (standing_of(lead), standing_of(other)), claims, passages)
            both = all(
                answers(case, case.chunks[passages[c.place].passage.index].role, c.key) for c in (lead, other)
            )
            found.append(([signs[name] for name in WEIGHTS], both, case.id))
    return np.array([f[0] for f in found]), np.array([f[1] for f in found]), np.array([f[2] for f in found])


def _pairs(
    case: Case, corrector: NoiseCorrector
) -> list[tuple[Claim, Claim, Callable[[Claim], Standing], Sequence[Claim], Sequence[RankedPassage]]]:
    """The pairs that come up when a case is refined: what arbitration asks about is watched on its way."""
    found: list[tuple[Claim, Claim, Callable[[Claim], Standing], Sequence[Claim], Sequence[RankedPassage]]] = []
    asked = stage.rivals_of

    def watch(
        claims: Sequence[Claim], passages: Sequence[RankedPassage], standing_of: Callable[[Claim], Standing],
        in_words: Callable[[Claim], bool],
    ) -> frozenset[Claim]:  # fmt: skip
        found.extend((a, b, standing_of, claims, passages) for a, b in pairs_of(claims, passages))
        return asked(claims, passages, standing_of, in_words)

    stage.rivals_of = watch
    try:
        corrector.refine(case.query, [c.fields() for c in case.chunks], as_of=date.fromisoformat(case.as_of))
    finally:
        stage.rivals_of = asked
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    options = options_of(__doc__, arguments)
    corrector = NoiseCorrector()
    x, y, groups = examples(load_cases(development_files()), corrector)
    believed, model = held_out(x, y, list(groups)), fit(x, y)
    print(f"{len(set(groups))} cases, {len(y)} pairs, {y.mean():.2f} contradict each other")
    print(f"area under the curve, {FOLDS} folds by case: {roc_auc_score(y, believed):.3f}")
    _print_cases(believed, y, groups)
    print_weights(WEIGHTS, model)
    if options.check:
        x, y, groups = examples(load_cases(options.check), corrector)
        believed = model.predict_proba(x)[:, 1]
        print(f"elsewhere: {roc_auc_score(y, believed):.3f}")
        _print_cases(believed, y, groups)
    return 0


def _print_cases(believed: NDArray[np.float64], y: NDArray[np.bool_], groups: NDArray[np.str_]) -> None:
    true = set(groups[y])
    for bar in (0.3, 0.4, 0.5, 0.6):
        seen = set(groups[(believed >= bar) & y])
        false = set(groups[(believed >= bar) & ~y]) - true
        calm = len(set(groups) - true)
        print(f"  from {bar}: seen in {len(seen)} of {len(true)} cases; falsely in {len(false)} of {calm}")


if __name__ == "__main__":
    sys.exit(main())
