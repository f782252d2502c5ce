"""``ragclean calibrate``."""

from __future__ import annotations

import json

import pytest

from ragclean.cli import main
from ragclean.config import CorrectorConfig


def test_it_writes_a_configuration_that_refine_reads(few, tmp_path, capsys):
    out = tmp_path / "config.json"
    assert main(["calibrate", few, "-o", str(out), "--folds", "2"]) == 0
    shown = capsys.readouterr()
    assert "held-out F1" in shown.out
    assert "warning: 8 cases are few" in shown.out
    assert f"wrote {out}" in shown.err
    config = CorrectorConfig.load(out)
    assert config.provenance["cases"] == 8
    chunks = tmp_path / "chunks.jsonl"
    chunks.write_text('"The warranty is 24 months."\n', encoding="utf-8")
    assert main(["refine", "-q", "How long is the warranty?", "--config", str(out), str(chunks)]) == 0


def test_json_alone_goes_to_standard_output(few, capsys):
    assert main(["calibrate", few, "--folds", "2", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["provenance"]["cases"] == 8
    assert "8 cases are few" in shown.err


@pytest.mark.parametrize(("content", "message"), [
    ("{}\n[]\n", "cases.jsonl:1: query: expected a string, got nothing"),
    ('{"query": "q", "chunks": ["a"]}\n', "of 1 none says what must stay"),
])  # fmt: skip
def test_bad_input_is_code_2_with_the_line(content, message, tmp_path, capsys):
    path = tmp_path / "cases.jsonl"
    path.write_text(content, encoding="utf-8")
    assert main(["calibrate", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_missing_files_and_bad_options_are_code_2(few, tmp_path, capsys):
    assert main(["calibrate", str(tmp_path / "none.jsonl")]) == 2
    assert main(["calibrate", few, "--as-of", "soon"]) == 2
    assert main(["calibrate", few, "--folds", "1"]) == 2
    assert main(["calibrate", few, "--config", str(tmp_path / "none.json")]) == 2
    err = capsys.readouterr().err
    for message in ("none.jsonl: No such file", "--as-of: 'soon' is no date", "folds: must be 2 or more", "--config"):
        assert message in err
