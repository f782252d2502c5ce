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
