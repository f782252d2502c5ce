"""The shipped walk from ten bad cases to a configuration: its cases, the script as it is, the notebook as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from ragclean import CorrectorConfig
from ragclean.calibration import read_cases
from ragclean.calibration.grid import FIELDS
from ragclean.text.sentences import split_sentences

SCRIPT, NOTEBOOK, CASES = "calibrate_bad_cases.py", "calibrate_bad_cases.ipynb", "bad_cases.jsonl"


def test_the_cases_are_ten_in_two_languages_in_the_minimal_form(examples):
    rows = [json.loads(line) for line in (examples / CASES).read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(read_cases(examples / CASES)) == 10
    assert sum(row["query"].isascii() for row in rows) == 5
    for row in rows:
        assert set(row) == {"id", "query", "as_of", "chunks"}
        assert 4 <= len(row["chunks"]) <= 7
        assert {c["keep"] for c in row["chunks"]} == {True, False}
        for chunk in row["chunks"]:
            assert set(chunk) <= {"id", "source", "updated_at", "text", "keep", "drop"}


def test_no_sentence_of_the_cases_stands_in_two_places(examples):
    texts = [c.chunk.text for case in read_cases(examples / CASES) for c in case.chunks]
    sentences = [text[s.start : s.end].strip() for text in texts for s in split_sentences(text)]
    assert len(sentences) > 80
    assert len(sentences) == len(set(sentences))


def test_the_notebook_is_shipped_without_outputs(examples):
    notebook = json.loads((examples / NOTEBOOK).read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.fixture(scope="module")
def shown(examples, tmp_path_factory):
    """What the script prints, and the folder it wrote to."""
    home = tmp_path_factory.mktemp("example")
    done = subprocess.run(
        [sys.executable, str(examples / SCRIPT), "out"], capture_output=True, encoding="utf-8", timeout=300, check=False,
        cwd=home, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert [p.name for p in home.iterdir()] == ["out"]
    return done.stdout, home / "out"


@pytest.mark.slow
def test_the_script_shows_each_step(shown):
    output, _ = shown
    heads = [line[0] for line in output.splitlines() if line[:1].isdigit() and line[1:3] == "  "]
    assert heads == list("1234567")
    assert "10 cases in cases.sqlite3, 10 of them to be labelled" in output
    assert "0 cases to be labelled" in output
    assert "ranked_out: chunk" in output
    assert "compressed_out: sentence" in output
    assert "adopted: unwanted chunk" in output
    assert "10 cases written to labelled.jsonl, 0 left out" in output
    assert "10 cases are few" in output


@pytest.mark.slow
def test_ten_cases_cannot_better_the_defaults_and_mend_a_bad_threshold(shown):
    output, folder = shown
    defaults, bad = output.split("6  A bad threshold gets mended")
    assert "not better than what you have" in defaults
    assert "the present values stay" in defaults
    assert "Better: the whole interval of the gain" in bad
    assert "  sentence_threshold: 0.0 -> " in bad
    config = CorrectorConfig.load(folder / "config.json")
    assert config.sentence_threshold > 0
    assert config.provenance["better"]
    assert config.provenance["cases"] == 10
    assert config.provenance["fields"] == list(FIELDS)
    assert f"    encoder: {config.provenance['encoder']}" in bad


@pytest.mark.slow
def test_what_the_script_exports_can_be_calibrated_again(shown):
    cases = read_cases(shown[1] / "labelled.jsonl")
    assert len(cases) == 10
    assert all(case.labelled and case.as_of == "2025-06-01" for case in cases)


@pytest.mark.slow
def test_no_cell_of_the_notebook_fails(examples):
    pytest.importorskip("matplotlib")
    pytest.importorskip("ipykernel")
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(examples / NOTEBOOK, as_version=4)
    before = sorted(p.name for p in examples.iterdir())
    # A cell that raises ends this with a CellExecutionError that holds its traceback.
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(examples)}}
    ).execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    assert [o for o in outputs if "image/png" in o.get("data", {})]
    words = "\n".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs)
    assert "not better than what you have" in words
    assert "10 cases are few" in words
    assert "'better': True" in words
    assert sorted(p.name for p in examples.iterdir()) == before
