"""Fit the weights of ``ragclean/arbitration/belief.py``: which values answer their question.

    python scripts/fit_claims.py            # prints weights and figures
    python scripts/fit_claims.py --check FILE ...   # and the figures on case files of another hand

Every value of an asked kind in a case is one example; it is an answer where it is the accepted value in a good chunk
or a losing one in a losing chunk. Development cases only, folds by case.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from case_form import GOOD, LOSING, Case, case_files, load_cases  # noqa: E402

from ragclean import NoiseCorrector  # noqa: E402
from ragclean.arbitration.arbiter import bids_of  # noqa: E402
from ragclean.arbitration.belief import WEIGHTS, signs  # noqa: E402
from ragclean.arbitration.claims import read_passage  # noqa: E402
from ragclean.arbitration.focus import focus_of  # noqa: E402
from ragclean.ranking import rank  # noqa: E402
from ragclean.screen import screen  # noqa: E402
from ragclean.text.folding import fold  # noqa: E402
from ragclean.text.question import parse_question  # noqa: E402
from ragclean.text.values import canonical, find_values  # noqa: E402

#: Inverse strength of the penalty: the figures are flat between 0.1 and 3.
PENALTY = 0.5
FOLDS = 10


def examples(
    cases: Iterable[Case], corrector: NoiseCorrector
) -> tuple[NDArray[np.float64], NDArray[np.bool_], list[str]]:
    """(n, signs) what stands around each value, (n,) is it an answer, and the case of each."""
    rows: list[list[float]] = []
    answers: list[bool] = []
    groups: list[str] = []
    for case in cases:
        day = date.fromisoformat(case.as_of)
        screened = screen([c.fields() for c in case.chunks], corrector.config, corrector._prepare, day)
        question = parse_question(case.query)
        ranked, _ = rank([question], screened.passages, corrector._scorers, corrector.config)
        focus = focus_of(question, {})
        read = (read_passage(place, r, focus, 0.0, day.year) for place, r in enumerate(ranked))
        readings = [r for r in read if r is not None]
        right, losing = _keys(case.accepted), _keys(case.conflict.losers if case.conflict else ())
        for number, facet in enumerate(focus.facets):
            if facet.is_yes_no:
                continue
            bids = bids_of(number, readings, focus, ranked)
            for bid, found in zip(bids, signs(bids, ranked), strict=True):
                role = case.chunks[ranked[bid.place].passage.index].role
                key = canonical(bid.value)
                rows.append([found[name] for name in WEIGHTS])
                answers.append((role in GOOD and key in right) or (role in LOSING and key in losing))
                groups.append(case.id)
    return np.array(rows), np.array(answers), groups


def _keys(strings: Iterable[str]) -> set[str]:
    return {canonical(v) for s in strings for v in find_values(fold(s))}


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", nargs="*", type=Path, default=[], help="case files to measure on, not fitted")
    options = parser.parse_args(arguments)
    corrector = NoiseCorrector()
    files = [*(p for p in case_files() if "frozen" not in p.name), ROOT / "tests" / "data" / "cases.jsonl"]
    x, y, groups = examples(load_cases(files), corrector)
    held_out = np.zeros(len(y))
    for train, test in GroupKFold(FOLDS).split(x, y, groups):
        held_out[test] = _fit(x[train], y[train]).predict_proba(x[test])[:, 1]
    model = _fit(x, y)
    print(f"{len(set(groups))} cases, {len(y)} values, {y.mean():.2f} answers")
    print(f"area under the curve, {FOLDS} folds by case: {roc_auc_score(y, held_out):.3f}; "
          f"words alone {roc_auc_score(y, x[:, 0]):.3f}")  # fmt: skip
    for name, weight in zip(WEIGHTS, model.coef_[0], strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"BIAS = {model.intercept_[0]:.2f}")
    if options.check:
        x, y, _ = examples(load_cases(options.check), corrector)
        print(f"elsewhere: {roc_auc_score(y, model.predict_proba(x)[:, 1]):.3f}; words {roc_auc_score(y, x[:, 0]):.3f}")
    return 0


def _fit(x: NDArray[np.float64], y: NDArray[np.bool_]) -> LogisticRegression:
    return LogisticRegression(C=PENALTY, max_iter=3000).fit(x, y)


if __name__ == "__main__":
    sys.exit(main())
