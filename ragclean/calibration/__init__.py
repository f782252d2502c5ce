"""Thresholds and weights fitted to labelled cases: :func:`calibrate`, and the form of the cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragclean.calibration.cases import (
        CaseFileError,
        LabelledCase,
        LabelledChunk,
        case_from_dict,
        read_cases,
        write_cases,
    )
    from ragclean.calibration.fitting import calibrate
    from ragclean.calibration.grid import Grid
    from ragclean.calibration.labels import Scores
    from ragclean.calibration.outcome import Calibration, Fold, Surface, Transfer

__all__ = [
    "calibrate", "Calibration", "Fold", "Grid", "Scores", "Surface", "Transfer",
    "read_cases", "write_cases", "case_from_dict", "CaseFileError", "LabelledCase", "LabelledChunk",
]  # fmt: skip

# On first use: who only reads or writes cases needs no corrector. No module may be called like one of the names.
_HOMES = {
    "cases": ("CaseFileError", "LabelledCase", "LabelledChunk", "case_from_dict", "read_cases", "write_cases"),
    "fitting": ("calibrate",),
    "grid": ("Grid",),
    "labels": ("Scores",),
    "outcome": ("Calibration", "Fold", "Surface", "Transfer"),
}
_LAZY = {name: f"ragclean.calibration.{home}" for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'ragclean.calibration' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
