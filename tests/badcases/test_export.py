"""Cases for calibration, and regression tests that run as they are."""

import ast
import json
import subprocess
import sys
from dataclasses import replace

import pytest
from badcase_samples import CANDIDATES, QUERY

from ragclean import CorrectorConfig
from ragclean.badcases import (
    BadCase,
    Expected,
    Part,
    iter_cases,
    replay,
    replay_case,
    to_labelled_cases,
    write_regression_tests,
)
from ragclean.calibration.cases import read_cases, write_cases

HOSTILE = '"""\'\'\'\\\n\r\u2028\x1b]0;owned\x07\x1b[2J{query} %s {{}} \ud800\nimport os; os.abort()\n'


def case(case_id="a", **changes):
    data = {"id": case_id, "query": QUERY, "candidates": [dict(c) for c in CANDIDATES], "as_of": "2025-06-01"}
    return BadCase.from_dict({**data, **changes})


def pytest_on(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, "."],
        cwd=folder, capture_output=True, timeout=300, check=False,
    )  # fmt: skip


def test_labels_become_labelled_cases(store, result, tmp_path):
    expected = Expected(
        accepted=("36个月",), wrong=("12个月",), keep=("terms",), drop=("menu",),
        keep_sentences=(Part("terms", "保修期为 36个月"),), drop_sentences=(Part("old", "反正不长"),),
    )  # fmt: skip
    store.record(result, expected=expected, verdict="noise")
    made = to_labelled_cases(store)
    (labelled,) = made.cases
    assert made.skipped == ()
    assert labelled.labelled
    assert (labelled.as_of, labelled.sub_queries) == ("2025-06-01", ("保修期",))
    assert [(c.keep, c.must_keep, c.must_drop) for c in labelled.chunks] == [
        (True, ("保修期为36个月",), ()),
        (None, (), ("反正不长",)),
        (False, (), ()),
    ]
    write_cases(made.cases, tmp_path / "cases.jsonl")
    assert read_cases(tmp_path / "cases.jsonl") == list(made.cases)


def test_the_same_replay_either_way(store, result, corrector):
    store.record(replace(result, options={}), expected={"accepted": ["36个月"], "keep": ["terms", "menu"]})
    recorded, labelled = replay(store, corrector), replay(to_labelled_cases(store).cases, corrector)
    assert [(a.item, a.stage) for a in recorded.outcomes[0].attributions] == [
        (a.item, a.stage) for a in labelled.outcomes[0].attributions
    ]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "no chunk or sentence has a label"),
        ({"expected": {"accepted": ["36个月"]}}, "no chunk or sentence has a label"),
        ({"expected": {"keep": ["elsewhere"]}}, "names the chunk 'elsewhere', which is no candidate"),
        ({"expected": {"keep_sentences": [{"chunk_id": "terms", "text": "not there"}]}}, "does not hold the part"),
        ({"expected": {"keep": ["terms"]}, "query": "  "}, "query: it is blank"),
        ({"expected": {"keep": ["x"]}, "candidates": [{"id": "x", "text": "a"}, {"id": "x", "text": "b"}]}, "used twice"),
        ({"expected": {"keep": ["terms"]}, "candidates": []}, "no candidate"),
    ],
)
def test_what_cannot_be_a_labelled_case_is_named(changes, reason):
    made = to_labelled_cases([case("bad", **changes), case("good", expected={"keep": ["terms"]})])
    assert [c.id for c in made.cases] == ["good"]
    assert [s.id for s in made.skipped] == ["bad"]
    assert reason in made.skipped[0].reason


def hostile_case():
    rows = [{"id": f"{HOSTILE}{i}", "title": HOSTILE, "uri": HOSTILE, "text": HOSTILE + "保修24个月。" + HOSTILE,
             "metadata": {HOSTILE: HOSTILE}} for i in range(2)]  # fmt: skip
    return case(
        "id-'''\"\"\"", query=HOSTILE + "保修多久？", candidates=rows, note=HOSTILE,
        options={"sub_queries": [HOSTILE]}, verdict="other",
        expected={"accepted": [HOSTILE + "nowhere"], "wrong": ["24个月"], "keep": [HOSTILE + "9"]},
    )  # fmt: skip


def test_regression_tests_run_as_they_are(tmp_path):
    cases = [
        case("fine", expected={"accepted": ["36个月"], "wrong": ["12个月"], "keep": ["terms"], "drop": ["menu"]}),
        case("lost", expected={"keep": ["menu"]}),
        case("adopted", expected={"wrong": ["36个月"]}),
        case("unlabelled"),
        hostile_case(),
    ]
    made = write_regression_tests(cases, tmp_path / "suite")
    assert (made.count, [s.id for s in made.skipped]) == (4, ["unlabelled"])
    done = pytest_on(tmp_path / "suite")
    out = done.stdout.decode()
    assert done.returncode == 1, out + done.stderr.decode()
    assert "3 failed, 1 passed" in out
    assert "ranked_out: chunk menu (" in out
    assert "adopted: wrong value 36个月 of terms" in out
    assert "not_retrieved: answer" in out
    assert "\x1b" not in out


@pytest.mark.slow
def test_the_configuration_goes_with_the_tests(tmp_path):
    made = [case("a", expected={"keep": ["menu"]})]
    open_house = CorrectorConfig(
        admission_threshold=0.0, relative_admission=0.0, judge_floor=0.0, silent_admission=0.0, arbitration=False
    )
    write_regression_tests(made, tmp_path, config=open_house)
    assert CorrectorConfig.load(tmp_path / "bad_cases_config.json") == open_house
    assert pytest_on(tmp_path).returncode == 0
    write_regression_tests(made, tmp_path)
    assert sorted(f.name for f in tmp_path.iterdir() if f.is_file()) == ["bad_cases.jsonl", "test_bad_cases.py"]


def test_someone_elses_test_is_not_overwritten(tmp_path):
    (tmp_path / "test_bad_cases.py").write_text("def test_mine(): ...\n", encoding="utf-8")
    with pytest.raises(FileExistsError, match="not written by ragclean"):
        write_regression_tests([case("a", expected={"keep": ["terms"]})], tmp_path)
    assert [f.name for f in tmp_path.iterdir()] == ["test_bad_cases.py"]


def test_no_text_of_a_case_becomes_code(tmp_path, corrector, labelled):
    plain = write_regression_tests([labelled[0]], tmp_path / "plain").test.read_bytes()
    made = write_regression_tests([hostile_case()], tmp_path / "hostile")
    assert made.test.read_bytes() == plain
    ast.parse(plain)
    (back,) = iter_cases(made.data)
    assert back.to_dict() == hostile_case().to_dict()
    assert len(made.data.read_bytes().splitlines()) == 1
    assert "\x1b" not in replay_case(back, corrector).explain()


def test_labelled_cases_can_be_tests_too(tmp_path, labelled, corrector):
    made = write_regression_tests(labelled[:3], tmp_path)
    assert list(iter_cases(made.data)) == labelled[:3]
    assert [json.loads(line)["id"] for line in made.data.read_text(encoding="utf-8").splitlines()] == [
        c.id for c in labelled[:3]
    ]
