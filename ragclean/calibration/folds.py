"""Which cases are fitted to and which are tested on: groups stay together, scenarios are spread evenly."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ragclean.calibration.cases import LabelledCase
from ragclean.text.folding import fold

Rows = NDArray[np.intp]


def groups(cases: Sequence[LabelledCase]) -> NDArray[np.intp]:
    """(n,) the group of each case. Cases belong together that name the same group, ask the same, or share a text:
    what was fitted to one is no test on the other."""
    leader = list(range(len(cases)))

    def root(i: int) -> int:
        while leader[i] != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    first: dict[tuple[str, str], int] = {}
    for i, case in enumerate(cases):
        texts = (c.chunk.text for c in case.chunks if c.chunk.text.strip())
        keys = [("query", fold(case.query).strip()), *(("text", text) for text in texts)]
        for key in [*keys, ("group", case.group)] if case.group else keys:
            leader[root(i)] = root(first.setdefault(key, i))
    return np.unique([root(i) for i in range(len(cases))], return_inverse=True)[1].astype(np.intp)


def splits(cases: Sequence[LabelledCase], of: NDArray[np.intp], folds: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """(fitted to, tested on) of each fold, by scikit-learn's ``StratifiedGroupKFold`` over the scenarios.

    Raises:
        ValueError: fewer groups than folds.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    if len(np.unique(of)) < folds:
        raise ValueError(f"folds: {folds} folds need as many groups of cases, there are {len(np.unique(of))}")
    counts = Counter(case.scenario for case in cases)
    # A scenario with fewer cases than folds cannot be in each.
    kinds = [case.scenario if counts[case.scenario] >= folds else "" for case in cases]
    if 0 < sum(not kind for kind in kinds) < folds:
        kinds = [kind or counts.most_common(1)[0][0] for kind in kinds]
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scenarios that still do not reach every fold
        for train, test in splitter.split(np.zeros(len(cases)), kinds, of):
            if len(train) and len(test):
                yield train, test


def by_scenario(cases: Sequence[LabelledCase]) -> Iterator[tuple[str, Rows, Rows]]:
    """(scenario, all the others, it) for each scenario where there are two or more."""
    names = np.array([case.scenario for case in cases])
    for name in dict.fromkeys(names.tolist()):
        inside = names == name
        if name and not inside.all():
            yield name, np.flatnonzero(~inside), np.flatnonzero(inside)
