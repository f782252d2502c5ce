"""``ragclean badcases``: out of a store and into one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from ragclean import NoiseCorrector
from ragclean.badcases import BadCaseStore, iter_cases
from ragclean.calibration.cases import read_cases
from ragclean.cli import main

QUERY = "水泵整机保修多久？"
ROWS = [
    {"id": "terms", "source": "official_policy", "text": "水泵整机保修期为36个月，自开票之日起计算。"},
    {"id": "menu", "source": "marketing", "text": "本周食堂供应红烧排骨和番茄蛋汤，欢迎品尝。"},
]


@pytest.fixture(scope="module")
def results():
    corrector = NoiseCorrector()
    return [corrector.refine(q, ROWS, as_of="2025-06-01") for q in (QUERY, "\x1b[2J食堂\u202e有什么？")]


@pytest.fixture
def store(tmp_path, results):
    path = tmp_path / "cases.sqlite3"
    with BadCaseStore(path) as made:
        made.record(results[0], verdict="noise", expected={"accepted": ["36个月"], "keep": ["terms"], "drop": ["menu"]})
        made.record(results[1])
    return str(path)


def test_list_shows_a_line_a_case_and_no_control_characters(store, capsys):
    assert main(["badcases", "list", store]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split()[2:] == ["noise", "labelled", QUERY]
    assert second.split()[2:] == ["unreviewed", "-", "\\x1b[2J食堂\\u202e有什么？"]


def test_export_and_import(store, tmp_path, capsys):
    out, other = str(tmp_path / "out.jsonl"), str(tmp_path / "deep" / "other.sqlite3")
    assert main(["badcases", "export", store, out]) == 0
    assert capsys.readouterr().out == f"2 cases written to {out}\n"
    assert len(list(iter_cases(out))) == 2
    for expected in ("2 cases added, 0 replaced, 0 known already\n", "0 cases added, 0 replaced, 2 known already\n"):
        assert main(["badcases", "import", other, out]) == 0
        assert capsys.readouterr().out == expected
    assert main(["badcases", "import", "--replace", other, out]) == 0
    assert capsys.readouterr().out == "0 cases added, 2 replaced, 0 known already\n"


def test_an_imported_file_cannot_act_on_the_terminal(tmp_path, capsys):
    path, store = tmp_path / "hostile.jsonl", str(tmp_path / "hostile.sqlite3")
    row = {"id": "a", "query": "q", "candidates": [], "recorded_at": "\x1b[2J", "note": "\x1b[2J", "verdict": "good"}
    path.write_text(json.dumps(row), encoding="utf-8")
    assert main(["badcases", "import", store, str(path)]) == 0
    assert main(["badcases", "list", store]) == 0
    for bad in ({"\x1b[2J": 1}, {"id": "\x1b[2J"}, {"expected": {"\x1b[2J": 1}}, {"verdict": "\x1b[2J"}):
        path.write_text(json.dumps({**row, **bad}), encoding="utf-8")
        assert main(["badcases", "import", store, str(path)]) == 2
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err


def test_export_cases_names_what_it_leaves_out(store, tmp_path, capsys):
    out = str(tmp_path / "labelled.jsonl")
    assert main(["badcases", "export-cases", store, out]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"1 cases written to {out}, 1 left out\n"
    assert shown.err.startswith("left out: ")
    assert shown.err.endswith(": no chunk or sentence has a label\n")
    (case,) = read_cases(out)
    assert [c.keep for c in case.chunks] == [True, False]


def test_export_tests_writes_a_suite(store, tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text("{}", encoding="utf-8")
    assert main(["badcases", "export-tests", store, str(tmp_path / "suite"), "--config", str(config)]) == 0
    shown = capsys.readouterr()
    assert "1 cases written to" in shown.out
    assert "nothing is expected of it" in shown.err
    names = sorted(f.name for f in (tmp_path / "suite").iterdir())
    assert names == ["bad_cases.jsonl", "bad_cases_config.json", "test_bad_cases.py"]
    assert json.loads((tmp_path / "suite" / "bad_cases.jsonl").read_text(encoding="utf-8"))["query"] == QUERY


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["badcases"], "required: action"),
        (["badcases", "mend", "STORE"], "mend"),
        (["badcases", "list", "/no/such/store"], "/no/such/store: no such file"),
        (["badcases", "list", "TEXT"], "file is not a database"),
        (["badcases", "export", "STORE", "/no/such/folder/x.jsonl"], "/no/such/folder"),
        (["badcases", "export", "STORE", "STORE"], "is the store itself"),
        (["badcases", "import", "STORE", "/no/such/file"], "/no/such/file: No such file"),
        (["badcases", "import", "STORE", "TEXT"], "notes.txt:1: not JSON"),
        (["badcases", "export-tests", "STORE", "FOLDER", "--config", "/no/config"], "--config /no/config: No such"),
        (["badcases", "export-tests", "STORE", "TEXT"], "notes.txt"),
    ],
)
def test_bad_input_is_one_line(store, tmp_path, arguments, message, capsys):
    text = tmp_path / "notes.txt"
    text.write_text("neither JSON nor a database " * 50, encoding="utf-8")
    places = {"STORE": store, "TEXT": str(text), "FOLDER": str(tmp_path / "suite")}
    assert main([places.get(a, a) for a in arguments]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("ragclean: error: ")
    assert shown.err.count("\n") == 1
    assert message in shown.err


def test_a_store_that_fails_later_ends_with_1(store, tmp_path, capsys):
    with closing(sqlite3.connect(store)) as db, db:
        db.execute("UPDATE cases SET record = 'no JSON'")
    for command in (["badcases", "list"], ["replay"], ["label"]):
        assert main([*command, store]) == 1
        assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["badcases", "replay", "label"])
def test_help_has_examples_and_exit_codes(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "examples:" in shown
    assert "exit codes: 0" in shown
