"""What several test files share. Nothing here downloads anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def examples(root: Path) -> Path:
    return root / "examples"


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Public sets for measuring; not part of the project."""
    folder = os.environ.get("RAGCLEAN_DATA")
    if not folder:
        pytest.skip("RAGCLEAN_DATA is not set: the public sets are not part of the project")
    return Path(folder)


@pytest.fixture(scope="session")
def corrector():
    """One corrector with the defaults; it keeps no state but its cache."""
    from ragclean import NoiseCorrector

    return NoiseCorrector()


@pytest.fixture
def chat_server(monkeypatch):
    """A local endpoint that misbehaves as it is told to; whatever the machine's proxies are, it is asked itself."""
    from chat_server import ChatServer

    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ChatServer() as server:
        yield server
