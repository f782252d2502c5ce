"""Thresholds and weights fitted to labelled cases: :func:`calibrate`, and the form of the cases."""

from ragclean.calibration.calibrate import calibrate
from ragclean.calibration.cases import (
    CaseFileError,
    LabelledCase,
    LabelledChunk,
    case_from_dict,
    read_cases,
    write_cases,
)
from ragclean.calibration.grid import Grid
from ragclean.calibration.labels import Scores
from ragclean.calibration.outcome import Calibration, Fold, Surface, Transfer

__all__ = [
    "calibrate", "Calibration", "Fold", "Grid", "Scores", "Surface", "Transfer",
    "read_cases", "write_cases", "case_from_dict", "CaseFileError", "LabelledCase", "LabelledChunk",
]  # fmt: skip
