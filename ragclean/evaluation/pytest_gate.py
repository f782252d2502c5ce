"""The gate as a test: a pytest plugin whose fixture fails where a report does not let its pipeline be released.

In ``conftest.py`` of the folder that pytest is started from:

    pytest_plugins = ["ragclean.evaluation.pytest_gate"]

and in a test:

    def test_noise_costs_little(ragclean_gate):
        ragclean_gate("report.json", releasing="v2", critical=["price"])
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Literal, Protocol, get_args

import pytest

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.evaluating import gate_report
from ragclean.evaluation.gating import CRITICAL_LIMIT, LIMIT, Gate, GateError
from ragclean.evaluation.records import Variant

__all__ = ["GateFixture", "Inconclusive", "ragclean_gate"]

Inconclusive = Literal["fail", "skip", "pass"]
"""What a test does where it cannot be told whether the release is good: too few cases, too many failed answers, or a
base too low to degrade from."""


class GateFixture(Protocol):
    """What the fixture gives to a test."""

    def __call__(
        self, report: EvalReport | str | os.PathLike[str], *, releasing: str, critical: Collection[str] = (),
        variant: Variant = "v3", critical_limit: float = CRITICAL_LIMIT, limit: float = LIMIT,
        inconclusive: Inconclusive = "fail",
    ) -> Gate:  # fmt: skip
        """The verdict, where the test may go on.

        Args:
            report: one, or where ``EvalReport.save`` or ``ragclean evaluate -o`` wrote it; a relative path begins at
                the folder pytest was started from.
            releasing, critical, variant, critical_limit, limit: as for ``gate_report``; one critical category may be a
                plain string.
            inconclusive: ``fail`` the test, ``skip`` it, or let it ``pass``.

        Raises:
            ValueError: ``inconclusive`` is none of the three.
        """
        ...


@pytest.fixture
def ragclean_gate(request: pytest.FixtureRequest) -> GateFixture:
    """A function that fails the test where the gate is blocked, or where there is no verdict; see :class:`GateFixture`.

    What was measured goes to the test's report: ``pytest -rA`` shows it for tests that pass, and JUnit XML has the
    verdict as the property ``ragclean_gate``.
    """
    item: pytest.Item = request.node
    started_from = request.config.invocation_params.dir

    def check(
        report: EvalReport | str | os.PathLike[str], *, releasing: str, critical: Collection[str] = (),
        variant: Variant = "v3", critical_limit: float = CRITICAL_LIMIT, limit: float = LIMIT,
        inconclusive: Inconclusive = "fail",
    ) -> Gate:  # fmt: skip
        __tracebackhide__ = True
        if inconclusive not in get_args(Inconclusive):
            raise ValueError(f"inconclusive: expected fail, skip or pass, got {inconclusive!r:.60}")
        known = report if isinstance(report, EvalReport) else _loaded(started_from / report)
        try:
            found = gate_report(
                known, releasing=releasing, critical=(critical,) if isinstance(critical, str) else critical,
                variant=variant, critical_limit=critical_limit, limit=limit,
            )  # fmt: skip
        except GateError as error:
            pytest.fail(f"ragclean gate: no verdict: {error}", pytrace=False)
        said = found.explain()
        item.user_properties.append(("ragclean_gate", found.verdict))
        item.add_report_section("call", "ragclean gate", said)
        if found.verdict == "blocked" or (found.verdict == "inconclusive" and inconclusive == "fail"):
            pytest.fail(f"ragclean gate: {said}", pytrace=False)
        if found.verdict == "inconclusive" and inconclusive == "skip":
            pytest.skip(f"ragclean gate: {said}")
        return found

    return check


def _loaded(path: Path) -> EvalReport:
    """The report of a file; a test fails where there is none, instead of ending in an error of its own."""
    __tracebackhide__ = True
    try:
        return EvalReport.load(path)
    except OSError as error:
        pytest.fail(f"ragclean gate: {path}: {error.strerror or error}", pytrace=False)
    except ValueError as error:
        pytest.fail(f"ragclean gate: {error}", pytrace=False)
