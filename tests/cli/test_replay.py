"""``ragclean replay``: tables, comparisons and exit codes."""

from __future__ import annotations

import json
import os

import pytest

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.badcases import BadCaseStore
from ragclean.cli import main

ROWS = [
    {"id": "terms", "source": "official_policy", "text": "水泵整机保修期为36个月，自开票之日起计算。"},
    {"id": "menu", "source": "marketing", "text": "本周食堂供应红烧排骨和番茄蛋汤，欢迎品尝。\x1b[31m"},
]
OPEN = CorrectorConfig(
    admission_threshold=0.0, relative_admission=0.0, judge_floor=0.0, silent_admission=0.0, arbitration=False,
    compression=False,
)  # fmt: skip


@pytest.fixture(scope="module")
def result():
    return NoiseCorrector().refine("水泵整机保修多久？", ROWS, as_of="2025-06-01")


@pytest.fixture
def store(tmp_path, result):
    path = tmp_path / "cases.sqlite3"
    with BadCaseStore(path) as made:
        made.record(result, expected={"accepted": ["36个月"], "keep": ["terms"]})
        made.record(result, expected={"keep_sentences": [{"chunk_id": "menu", "text": "本周食堂供应红烧排骨和番茄蛋汤"}]})
        made.record(result, expected={"wrong": ["36个月"]})
        made.record(result)
    return str(path)


def test_a_store_gives_a_table_and_the_losses(store, capsys):
    assert main(["replay", store]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "\x1b" not in shown.out
    rows = {line.split()[1]: line.split("│")[2:6] for line in shown.out.splitlines() if line.startswith("│")}
    assert [cell.strip() for cell in rows["ranked_out"]] == ["0", "1", "0", "1"]
    assert [cell.strip() for cell in rows["kept"]] == ["1", "0", "1", "1"]
    assert [cell.strip() for cell in rows["adopted"]] == ["1", "0", "0", "1"]
    assert "1 of 3 cases right, 1 without labels" in shown.out
    assert "ranked_out: sentence 本周食堂供应红烧排骨和番茄蛋汤 of menu (" in shown.out
    assert "1 more lost nothing and adopted something" in shown.out


def test_json_is_the_whole_of_it(store, capsys):
    assert main(["replay", store, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["cases"], found["judged"], found["ok"]) == (4, 3, 1)
    assert found["stages"]["ranked_out"] == 1
    assert found["outcomes"][1]["expected"][0]["chunk_id"] == "menu"


def test_fail_on_loss_is_the_one_thing_that_changes_the_exit_code(store, tmp_path, capsys):
    OPEN.save(tmp_path / "open.json")
    assert main(["replay", store, "--fail-on-loss"]) == 1
    assert main(["replay", store, "--fail-on-loss", "--config", str(tmp_path / "open.json")]) == 0
    assert main(["replay", store, "--fail-on-loss", "--against", str(tmp_path / "open.json")]) == 1
    assert main(["replay", store, "--against", str(tmp_path / "open.json")]) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_and_not_read_as_empty(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    assert main(["replay", str(tmp_path / "pipe"), "--fail-on-loss"]) == 2
    assert "not a regular file" in capsys.readouterr().err


def test_against_another_configuration(store, tmp_path, capsys):
    OPEN.save(tmp_path / "open.json")
    assert main(["replay", store, "--config", str(tmp_path / "open.json"), "--against", str(tmp_path / "open.json")]) == 0
    assert "0 fixed, 0 broken, 3 unchanged; sign test p = 1" in capsys.readouterr().out
    CorrectorConfig().save(tmp_path / "default.json")
    arguments = ["replay", store, "--config", str(tmp_path / "open.json"), "--against", str(tmp_path / "default.json")]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "3 cases judged: 1 right before, 2 after" in shown
    assert "1 fixed, 0 broken, 2 unchanged" in shown
    assert "fixed; before: " in shown
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (len(found["fixed"]), found["before"]["ok"], found["after"]["ok"]) == (1, 1, 2)


def test_labelled_cases_are_replayed_too(root, tmp_path, capsys):
    lines = (root / "tests" / "data" / "cases.jsonl").read_text(encoding="utf-8").splitlines()[:3]
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert "of 3 cases right" in capsys.readouterr().out


def test_an_empty_file_is_no_case(tmp_path, capsys):
    (tmp_path / "none.jsonl").write_text("\n", encoding="utf-8")
    assert main(["replay", str(tmp_path / "none.jsonl"), "--fail-on-loss"]) == 0
    assert "0 of 0 cases right" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["replay"], "STORE_OR_JSONL"),
        (["replay", "/no/such/store"], "/no/such/store: No such file"),
        (["replay", "BAD"], 'bad.jsonl:2: query: expected a string, got nothing'),
        (["replay", "BAD", "--config", "/no/config.json"], "--config /no/config.json: No such file"),
        (["replay", "BAD", "--against", "BAD"], "bad.jsonl: not JSON"),
        (["replay", "BAD", "--encoder", " "], "encoder"),
        (["replay", "."], "Is a directory"),
    ],
)
def test_bad_input_is_one_line_and_code_2(tmp_path, arguments, message, capsys):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"query": "q", "candidates": [{"text": "t"}]}\n{"chunks": [{"text": "t"}]}\n', encoding="utf-8")
    assert main([str(bad) if a == "BAD" else a for a in arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("ragclean: error: ")
    assert shown.err.count("\n") == 1
    assert message in shown.err
