"""The table that the search reads says what whole runs say."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.calibration import Grid, case_from_dict, read_cases
from ragclean.calibration.labels import count, f_of, items
from ragclean.calibration.table import Configs, count_all

GRID = Grid(
    weights=((0.45, 0.4, 0.15), (0.2, 0.8, 0.0)), admission=(0.3, 0.42, 0.7), sentence=(("all", 0.35), ("all", 0.6), ("graded", 0.35))
)


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector()


@pytest.mark.slow
def test_the_table_agrees_with_whole_runs(corrector, root):
    cases = read_cases(root / "tests" / "data" / "cases.jsonl")
    present = CorrectorConfig()
    parts = [items(case, corrector.prepare) for case in cases]
    configs = Configs(present, GRID)
    days = [date.fromisoformat(case.as_of) for case in cases]
    table = sum(
        count_all(case, labels, corrector, configs, 8, day) for case, labels, day in zip(cases, parts, days, strict=True)
    )
    for cell in list(np.ndindex(*GRID.shape))[::4]:  # each value of each field at least once
        other = corrector.with_config(GRID.config(present, cell))
        whole = np.zeros(6)
        for case, labels in zip(cases, parts, strict=True):
            whole += count(case, labels, other.refine(case.query, [c.chunk for c in case.chunks], as_of=case.as_of))
        assert table[cell][[2, 5]].tolist() == whole[[2, 5]].tolist()
        assert f_of(table[cell]) == pytest.approx(float(f_of(whole)), abs=0.03), cell


def test_a_query_without_a_word_changes_nothing_with_any_configuration(corrector):
    case = case_from_dict({"query": "？？？", "chunks": [{"text": "保修24个月。", "keep": True}]})
    found = count_all(case, [], corrector, Configs(CorrectorConfig(), GRID), 8, date(2025, 6, 1))
    assert found.shape == (*GRID.shape, 6)
    assert (found == found[0, 0, 0]).all()


def test_a_higher_bar_keeps_no_more_chunks(corrector, root):
    case = read_cases(root / "tests" / "data" / "cases.jsonl")[0]
    parts = items(case, corrector.prepare)
    found = count_all(case, parts, corrector, Configs(CorrectorConfig(), GRID), 8, date.fromisoformat(case.as_of))
    kept = found[..., 0] + found[..., 1]
    assert (np.diff(kept, axis=1) <= 0).all()
