from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    """The tests of this folder quote English words; whoever runs them may live in another locale."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
