from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    """The tests of this folder quote English words; whoever runs them may live in another locale."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.fixture
def few(root, tmp_path):
    """Eight labelled cases in a file."""
    lines = (root / "tests" / "data" / "cases.jsonl").read_text(encoding="utf-8").splitlines()[:8]
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)
