"""Cases and results that the tests of the bad-case loop share."""

from __future__ import annotations

import json

import pytest
from badcase_samples import CANDIDATES, QUERY

from ragclean import CorrectorConfig
from ragclean.badcases import BadCaseStore
from ragclean.calibration.cases import read_cases


@pytest.fixture(scope="session")
def labelled(root):
    return read_cases(root / "tests" / "data" / "cases.jsonl")


@pytest.fixture(scope="session")
def raw_cases(root):
    lines = (root / "tests" / "data" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


@pytest.fixture(scope="session")
def with_config(corrector):
    """Correctors by what of the configuration is not the default; models and worked out texts are shared."""
    return lambda **changes: corrector.with_config(CorrectorConfig(**changes))


@pytest.fixture(scope="session")
def result(corrector):
    return corrector.refine(QUERY, CANDIDATES, top_k=2, as_of="2025-06-01", sub_queries=["保修期"], pinned=["terms"])


@pytest.fixture
def store(tmp_path):
    with BadCaseStore(tmp_path / "cases.sqlite3") as opened:
        yield opened
