"""The plot of F1 over both thresholds."""

from __future__ import annotations

import pytest

from ragclean.calibration import Calibration, Scores, Surface
from ragclean.config import CorrectorConfig
from ragclean.report.threshold_plot import plot_thresholds

pytest.importorskip("matplotlib")
SCORES = Scores(*[0.5] * 7)
FOUND = Calibration(
    present=CorrectorConfig(), fitted=CorrectorConfig(admission_threshold=0.3), cases=40, groups=40, folds=(), held_out=SCORES,
    before=SCORES, gain=(0.0, -0.1, 0.1), transfers=(), encoder="e", judge="j", keywords="k", top_k=8, seed=0,
    surface=Surface(admission=(0.2, 0.3, 0.42), sentence=(0.2, 0.35), f=((0.1, 0.2), (0.3, 0.4), (0.2, 0.1)), chosen=(0.3, 0.35)),
)  # fmt: skip


def test_a_picture_is_drawn(tmp_path):
    plot_thresholds(FOUND, tmp_path / "f1.png")
    assert (tmp_path / "f1.png").read_bytes().startswith(b"\x89PNG")


def test_both_configurations_and_both_thresholds_are_named(tmp_path):
    plot_thresholds(FOUND, tmp_path / "f1.svg")
    assert (tmp_path / "f1.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="xyz"):
        plot_thresholds(FOUND, tmp_path / "f1.xyz")
