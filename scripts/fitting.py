"""What the scripts share that fit the models of arbitration to the labelled cases."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from case_form import GOOD, LOSING, Case, case_files, load_cases  # noqa: E402

from ragclean.text.folding import fold  # noqa: E402
from ragclean.text.values import canonical, find_values  # noqa: E402

__all__ = [
    "FOLDS", "Case", "answers", "development_files", "fit", "held_out", "load_cases", "options_of", "print_weights",
]

#: Inverse strength of the penalty: the figures are flat between 0.1 and 3.
PENALTY = 0.5
FOLDS = 10


def development_files() -> list[Path]:
    """The case files that may be fitted to: the frozen third is not among them."""
    tuning = sorted((ROOT / "benchmarks" / "data" / "tuning").glob("*.jsonl"))
    return [*(p for p in case_files() if "frozen" not in p.name), *tuning, ROOT / "tests" / "data" / "cases.jsonl"]


def options_of(description: str | None, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line: ``--check`` names case files to measure on."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", nargs="*", type=Path, default=[], help="case files to measure on, not fitted")
    return parser.parse_args(arguments)


def answers(case: Case, role: str, key: str) -> bool:
    """Is a value the accepted one in a good chunk, or a losing one in a losing chunk?"""
    losers = case.conflict.losers if case.conflict else ()
    return (role in GOOD and key in _keys(case.accepted)) or (role in LOSING and key in _keys(losers))


def _keys(strings: Iterable[str]) -> set[str]:
    return {canonical(v) for s in strings for v in find_values(fold(s))}


def fit(x: NDArray[np.float64], y: NDArray[np.bool_]) -> LogisticRegression:
    """A logistic model of (n, signs) and (n,) labels."""
    return LogisticRegression(C=PENALTY, max_iter=5000).fit(x, y)


def held_out(x: NDArray[np.float64], y: NDArray[np.bool_], groups: Sequence[str]) -> NDArray[np.float64]:
    """(n,) the probability of each example by a model that saw none of its case."""
    believed = np.zeros(len(y))
    for train, test in GroupKFold(FOLDS).split(x, y, groups):
        believed[test] = fit(x[train], y[train]).predict_proba(x[test])[:, 1]
    return believed


def print_weights(names: Mapping[str, float], model: LogisticRegression) -> None:
    """The lines to put into the library."""
    for name, weight in zip(names, model.coef_[0], strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"BIAS = {model.intercept_[0]:.2f}")
