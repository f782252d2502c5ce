"""Fit the weights of ``ragclean/arbitration/belief.py``: which values answer their question.

    python scripts/fit_claims.py            # prints weights and figures
    python scripts/fit_claims.py --check FILE ...   # and the figures on case files of another hand

Every value of an asked kind in a case is one example; it is an answer where it is the accepted value in a good chunk
or a losing one in a losing chunk. Development cases only, folds by case.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
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

from ragclean import NoiseCorrector
from ragclean.arbitration.arbiter import bids_of
from ragclean.arbitration.belief import WEIGHTS, signs
from ragclean.arbitration.claims import read_passage
from ragclean.arbitration.focus import focus_of
from ragclean.ranking import rank
from ragclean.screen import screen
from ragclean.text.question import parse_question
from ragclean.text.values import canonical


def examples(
    cases: Iterable[Case], corrector: NoiseCorrector
) -> tuple[NDArray[np.float64], NDArray[np.bool_], list[str]]:
    """(n, signs) what stands around each value, (n,) is it an answer, and the case of each."""
    rows: list[list[float]] = []
    labels: list[bool] = []
    groups: list[str] = []
    for case in cases:
        day = date.fromisoformat(case.as_of)
        screened = screen([c.fields() for c in case.chunks], corrector.config, corrector.prepare, day)
        question = parse_question(case.query)
        ranked, _ = rank([question], screened.passages, corrector._scorers, corrector.config)
        focus = focus_of(question, {})
        read = (read_passage(place, r, focus, 0.0, day.year) for place, r in enumerate(ranked))
        readings = [r for r in read if r is not None]
        for number, facet in enumerate(focus.facets):
            if facet.is_yes_no:
                continue
            bids = bids_of(number, readings, focus, ranked)
            for bid, found in zip(bids, signs(bids, ranked), strict=True):
                role = case.chunks[ranked[bid.place].passage.index].role
                rows.append([found[name] for name in WEIGHTS])
                labels.append(answers(case, role, canonical(bid.value)))
                groups.append(case.id)
    return np.array(rows), np.array(labels), groups


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    options = options_of(__doc__, arguments)
    corrector = NoiseCorrector()
    x, y, groups = examples(load_cases(development_files()), corrector)
    believed, model = held_out(x, y, groups), fit(x, y)
    print(f"{len(set(groups))} cases, {len(y)} values, {y.mean():.2f} answers")
    print(f"area under the curve, {FOLDS} folds by case: {roc_auc_score(y, believed):.3f}; "
          f"words alone {roc_auc_score(y, x[:, 0]):.3f}")  # fmt: skip
    print_weights(WEIGHTS, model)
    if options.check:
        x, y, _ = examples(load_cases(options.check), corrector)
        print(f"elsewhere: {roc_auc_score(y, model.predict_proba(x)[:, 1]):.3f}; words {roc_auc_score(y, x[:, 0]):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
