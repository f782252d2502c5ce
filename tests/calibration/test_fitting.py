"""Calibration as a whole: it mends what is broken, says when nothing is, and is the same every time."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest

from ragclean import CorrectorConfig, FunctionJudge, NoiseCorrector
from ragclean.calibration import Grid, calibrate, case_from_dict, read_cases
from ragclean.calibration.labels import count, items, scores

GRID = Grid(
    weights=((0.45, 0.4, 0.15), (0.3, 0.55, 0.15)),
    admission=(0.2, 0.42, 0.6, 0.9),
    sentence=(("all", 0.2), ("all", 0.35), ("all", 0.6), ("graded", 0.35)),
)
#: Chunks come out by the plain threshold alone, so that a bad one does harm.
BARE = {"relative_admission": 1.0, "answer_admission": 1.0, "silent_admission": 0.0, "judge_floor": 0.0}


@pytest.fixture(scope="module")
def cases(root):
    return read_cases(root / "tests" / "data" / "cases.jsonl")


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector(config=CorrectorConfig(admission_threshold=0.0, **BARE))


@pytest.fixture(scope="module")
def mended(cases, corrector):
    return calibrate(cases, corrector=corrector, grid=GRID, folds=4)


def test_a_bad_threshold_is_mended_on_cases_not_fitted_to(mended):
    assert mended.better
    assert mended.fitted.admission_threshold > 0.2
    assert mended.held_out.f1 > mended.before.f1 + 0.03
    assert mended.gain[1] > 0
    assert mended.config.admission_threshold == mended.fitted.admission_threshold


def test_the_figures_are_those_of_whole_runs(mended, cases, corrector):
    rows = [count(c, items(c, corrector.prepare),
                  corrector.refine(c.query, [x.chunk for x in c.chunks], as_of=c.as_of)) for c in cases]  # fmt: skip
    assert mended.before == scores(np.sum(rows, axis=0))
    assert sum(f.cases for f in mended.folds) == len(cases) == mended.cases


def test_the_same_cases_give_the_same_result(mended, cases, corrector):
    assert calibrate(cases, corrector=corrector, grid=GRID, folds=4) == mended


def test_what_the_configuration_leaves_alone_stays(mended):
    assert (mended.fitted.judge_floor, mended.fitted.relative_admission) == (0.0, 1.0)


def test_present_values_stay_where_nothing_is_better_by_more_than_chance(cases):
    found = calibrate(cases, corrector=NoiseCorrector(), grid=GRID, folds=4)
    if found.better:
        assert found.gain[1] > 0
    else:
        assert found.config.admission_threshold == CorrectorConfig().admission_threshold
        assert "not better than what you have" in found.explain()
    assert found.config.provenance["better"] is found.better


def test_provenance_survives_the_file_and_changes_no_result(mended, tmp_path, corrector):
    mended.save(tmp_path / "c.json")
    loaded = NoiseCorrector.from_config(tmp_path / "c.json")
    noted = loaded.config.provenance
    assert (noted["cases"], noted["folds"], noted["judge"]) == (40, 4, corrector.scorers.judge.fingerprint)
    assert noted["held_out_f1"] == round(mended.held_out.f1, 4)
    assert loaded.fingerprint == NoiseCorrector(config=loaded.config.with_changes(provenance={})).fingerprint


def test_another_judge_under_calibrated_thresholds_is_warned_about(mended, tmp_path):
    mended.save(tmp_path / "c.json")
    with pytest.warns(UserWarning, match="calibrated with the judge .*; calibrate again"):
        NoiseCorrector.from_config(tmp_path / "c.json", judge=lambda query, text: 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        NoiseCorrector.from_config(tmp_path / "c.json")


def test_setting_a_calibrated_value_by_hand_drops_the_provenance(mended):
    config = mended.config
    assert config.with_changes(half_life_days=30.0).provenance == config.provenance
    assert config.with_changes(admission_threshold=0.77).provenance == {}


def test_the_report_is_plain_json(mended, cases):
    data = json.loads(json.dumps(mended.to_dict(), allow_nan=False))
    assert len(data["folds"]) == 4
    assert np.array(data["surface"]["f"]).shape == (len(data["surface"]["admission"]), len(data["surface"]["sentence"]))
    assert {t["scenario"] for t in data["transfers"]} == {c.scenario for c in cases}


def test_a_greater_beta_keeps_more(cases, corrector):
    careful = calibrate(cases, corrector=corrector, grid=GRID, folds=4, beta=4)
    bold = calibrate(cases, corrector=corrector, grid=GRID, folds=4, beta=0.25)
    assert careful.held_out.chunk_recall > bold.held_out.chunk_recall
    assert careful.fitted.admission_threshold < bold.fitted.admission_threshold


def test_a_judge_of_the_callers_own_is_asked_once_a_pair(cases):
    asked = []

    def judge(query, text):
        asked.append((query, text))
        return 0.5

    found = calibrate(cases[:12], corrector=NoiseCorrector(judge=FunctionJudge(judge, "mine-1")), grid=GRID, folds=3)
    assert len(asked) == len(set(asked)) > 0
    assert found.judge == "mine-1"


def test_a_fold_without_anything_to_keep_has_no_figure_and_stops_nothing(tmp_path):
    few = [
        case_from_dict({"query": f"What is the price of lamp {i}?", "chunks": [
            {"text": f"Lamp {i} costs {i * 7} euros.", "keep": i != 3}, {"text": f"Our shop {i} opened in spring.", "keep": False},
        ]}, str(i)) for i in range(1, 6)
    ]  # fmt: skip
    found = calibrate(few)
    found.save(tmp_path / "c.json")
    assert None in CorrectorConfig.load(tmp_path / "c.json").provenance["fold_f1"]
    assert found.labels == (4, 6, 0, 0)


def test_a_judge_that_fails_is_said_and_nothing_is_believed(cases):
    def down(query, text):
        raise ConnectionError("quota")

    found = calibrate(cases[:10], corrector=NoiseCorrector(judge=FunctionJudge(down, "down-1")), grid=GRID, folds=2)
    assert dict(found.failed)["judge_failed"] >= 10
    assert not found.better
    assert any("judge_failed in" in w and "down-1" in w for w in found.warnings)


def test_a_training_part_without_anything_to_keep_chooses_the_present_values():
    one = [
        case_from_dict({"query": f"What is the price of lamp {i}?", "chunks": [
            {"text": f"Lamp {i} costs {i * 7} euros.", "keep": i == 1}, {"text": f"Our shop {i} opened in spring.", "keep": False},
        ]}, str(i)) for i in range(1, 6)
    ]  # fmt: skip
    present = CorrectorConfig()
    without = [f.config for f in calibrate(one).folds if f.held_out.to_dict()["f1"] is not None]
    assert [c.admission_threshold for c in without] == [present.admission_threshold]


def test_a_scenario_cannot_write_to_the_terminal(mended):
    hostile = replace(mended.transfers[0], scenario="a\x1b[31m\u202eb\nforged")
    shown = replace(mended, transfers=(hostile,)).explain()
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\nforged" not in shown


def test_few_cases_are_warned_about_with_the_reason(cases):
    found = calibrate(cases[:10], grid=GRID)
    assert "10 cases are few" in found.warnings[0]
    assert "warning: 10 cases are few" in found.explain()


@pytest.mark.parametrize(("given", "options", "message"), [
    ([], {}, "of 0 none says what must stay"),
    ([{"query": "q", "chunks": ["a"]}], {}, "of 1 none says what must stay"),
    ([{"query": "q", "chunks": [{"text": "a", "keep": True}]}], {}, "two groups at least"),
    ([{"query": "q", "chunks": [{"text": "a", "keep": True}]}], {"folds": 1}, "folds: must be 2 or more, got 1"),
    ([{"query": "q", "chunks": [{"text": "a", "keep": True}]}], {"beta": 0}, "beta: must lie in 0.01..100, got 0"),
    ([{"query": "q", "chunks": [{"text": "a", "keep": True}]}], {"top_k": 0}, "top_k: must be 1 or more, got 0"),
])  # fmt: skip
def test_cases_that_cannot_be_calibrated_on_are_refused(given, options, message):
    with pytest.raises(ValueError, match=message):
        calibrate([case_from_dict(g, str(i)) for i, g in enumerate(given)], **options)


def test_an_observing_corrector_is_calibrated_on_what_it_would_do(cases):
    found = calibrate(cases[:12], corrector=NoiseCorrector(config=CorrectorConfig(mode="observe")), grid=GRID)
    plain = calibrate(cases[:12], corrector=NoiseCorrector(), grid=GRID)
    assert found.before == plain.before
    assert found.config.mode == "observe"
