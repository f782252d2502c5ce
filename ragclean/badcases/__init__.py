"""The bad-case loop: record cases from production, say which stage lost the answer, make tests of them.

>>> from ragclean.badcases import BadCaseStore, replay
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragclean.badcases.attribution import STAGES, Adoption, Attribution, Findings, attribute
    from ragclean.badcases.comparison import Comparison, compare
    from ragclean.badcases.export import (
        Labelled,
        RegressionTests,
        Skipped,
        to_labelled_cases,
        write_regression_tests,
    )
    from ragclean.badcases.lines import iter_cases
    from ragclean.badcases.record import VERDICTS, BadCase, Expected, Part, Verdict
    from ragclean.badcases.redaction import RedactionError
    from ragclean.badcases.replaying import Outcome, Replay, expected_of, replay, replay_case
    from ragclean.badcases.store import BadCaseStore, Imported, StoreError

__all__ = [
    "STAGES", "VERDICTS", "Adoption", "Attribution", "BadCase", "BadCaseStore", "Comparison", "Expected", "Findings",
    "Imported", "Labelled", "Outcome", "Part", "RedactionError", "RegressionTests", "Replay", "Skipped", "StoreError",
    "Verdict", "attribute", "compare", "expected_of", "iter_cases", "replay", "replay_case", "to_labelled_cases",
    "write_regression_tests",
]  # fmt: skip

# On first use: a service that only records needs neither the corrector nor calibration. No module may be called like
# one of the names, since it would take its place.
_HOMES = {
    "attribution": ("STAGES", "Adoption", "Attribution", "Findings", "attribute"),
    "comparison": ("Comparison", "compare"),
    "export": ("Labelled", "RegressionTests", "Skipped", "to_labelled_cases", "write_regression_tests"),
    "lines": ("iter_cases",),
    "record": ("VERDICTS", "BadCase", "Expected", "Part", "Verdict"),
    "redaction": ("RedactionError",),
    "replaying": ("Outcome", "Replay", "expected_of", "replay", "replay_case"),
    "store": ("BadCaseStore", "Imported", "StoreError"),
}
_LAZY = {name: f"ragclean.badcases.{home}" for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'ragclean.badcases' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
