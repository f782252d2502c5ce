"""The shipped notebooks: without outputs, and every cell runs offline and shows what it says."""

from __future__ import annotations

import json

import pytest

NOTEBOOKS = ("examples/first_steps.ipynb", "examples/evaluate_rag.ipynb", "benchmarks/plots.ipynb")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_notebook_is_shipped_without_outputs(root, name):
    notebook = json.loads((root / name).read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def executed(file):
    """Everything that the notebook's cells show: words, and the kinds of data. Its folder stays as it was."""
    pytest.importorskip("ipykernel")
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(file, as_version=4)
    before = sorted(p.name for p in file.parent.iterdir())
    # A cell that raises ends this with a CellExecutionError that holds its traceback.
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(file.parent)}}
    ).execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    assert sorted(p.name for p in file.parent.iterdir()) == before
    words = "\n".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs)
    return words, [o.get("data", {}) for o in outputs]


@pytest.mark.slow
def test_first_steps_shows_the_clean_context_the_trace_and_what_is_only_observed(root):
    words, data = executed(root / "examples" / "first_steps.ipynb")
    assert "免费维修" in words
    assert any("<iframe" in d.get("text/html", "") for d in data), "the result draws itself"
    assert "-> 1,200 requests" in words
    assert "[1] " in words
    assert "observe: " in words
    assert "True " in words


@pytest.mark.slow
def test_the_evaluation_passes_its_check_and_the_corrector_helps(root):
    words, data = executed(root / "examples" / "evaluate_rag.ipynb")
    assert "self-check passed: True" in words
    assert "cases fooled by a contradiction" in words
    assert "<!doctype html" in words.lower()
    assert "corrected" in words
    assert any("report.html" in d.get("text/html", "") for d in data)


@pytest.mark.slow
def test_the_plots_draw_the_results_that_are_checked_in(root):
    pytest.importorskip("matplotlib")
    words, data = executed(root / "benchmarks" / "plots.ipynb")
    files = [file.stem for file in (root / "benchmarks" / "results").glob("*.json")]
    assert f"{len(files)} files of results" in words
    assert all(name in words for name in files)
    assert len([d for d in data if "image/png" in d]) >= 3
