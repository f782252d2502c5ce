"""Nothing that was fitted to is tested on."""

from __future__ import annotations

import numpy as np
import pytest

from ragclean.calibration import case_from_dict
from ragclean.calibration.folds import by_scenario, groups, splits


def _case(i, query=None, text=None, group="", scenario="s"):
    return case_from_dict({"id": str(i), "query": query or f"question {i}", "group": group, "scenario": scenario,
                           "chunks": [{"text": text or f"text {i}", "keep": True}]})  # fmt: skip


def test_same_query_same_text_and_same_group_hold_together():
    cases = [_case(0), _case(1, query="QUESTION 0"), _case(2, text="text 1"), _case(3, group="g"), _case(4, group="g"), _case(5)]
    of = groups(cases)
    assert of[0] == of[1] == of[2]  # 1 shares the query of 0, 2 the text of 1
    assert of[3] == of[4]
    assert len(set(of.tolist())) == 3


def test_folds_cover_every_case_once_and_divide_no_group():
    cases = [_case(i, group=f"g{i // 3}", scenario="ab"[i % 2]) for i in range(60)]
    of = groups(cases)
    tested = []
    for train, test in splits(cases, of, 5, seed=0):
        assert not set(of[train]) & set(of[test])
        tested += test.tolist()
    assert sorted(tested) == list(range(60))


def test_folds_are_the_same_every_time_and_others_under_another_seed():
    cases = [_case(i) for i in range(40)]
    of = groups(cases)
    once, twice, other = ([t.tolist() for _, t in splits(cases, of, 4, seed)] for seed in (1, 1, 2))
    assert once == twice
    assert once != other


def test_a_rare_scenario_is_no_reason_to_fail():
    cases = [_case(i, scenario="rare" if i < 2 else "common") for i in range(20)]
    assert sum(len(t) for _, t in splits(cases, groups(cases), 5, 0)) == 20


def test_more_folds_than_groups_are_refused():
    cases = [_case(i, group="one") for i in range(5)]
    with pytest.raises(ValueError, match="5 folds need as many groups of cases, there are 1"):
        list(splits(cases, groups(cases), 5, 0))


def test_each_scenario_is_left_out_once():
    cases = [_case(i, scenario="abc"[i % 3]) for i in range(9)]
    found = {name: (train, test) for name, train, test in by_scenario(cases)}
    assert sorted(found) == ["a", "b", "c"]
    assert all(len(np.intersect1d(*pair)) == 0 for pair in found.values())
    assert not list(by_scenario(cases[:1]))
