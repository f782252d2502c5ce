"""F1 over both thresholds as a picture: how sharp the best is, and where the present values lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ragclean.calibration.outcome import Calibration

#: Inches and dots an inch: readable in a notebook and on a phone.
_SIZE, _DPI = (7.0, 5.0), 120


def plot_thresholds(found: Calibration, path: str | Path) -> None:
    """Draw F1 over the admission and the sentence threshold, at the chosen weights and protection, to a file.

    The format follows the file's ending (png, svg, pdf ...).

    Raises:
        ImportError: matplotlib is missing (``pip install "ragclean[report]"``).
        ValueError: the ending is of no format that can be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as e:
        raise ImportError('a plot needs matplotlib: pip install "ragclean[report]"') from e

    surface = found.surface
    figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    f = np.array(surface.f)
    mesh = axes.pcolormesh(surface.sentence, surface.admission, f, shading="nearest", cmap="viridis")
    figure.colorbar(mesh, ax=axes, label=f"F{found.beta:g} (all cases, fitted)")
    admission, sentence = surface.chosen
    axes.plot(sentence, admission, "o", color="white", markeredgecolor="black", label="fitted")
    present = found.present
    inside = min(surface.sentence) <= present.sentence_threshold <= max(surface.sentence)
    if inside and present.protection == found.fitted.protection:
        axes.plot(present.sentence_threshold, present.admission_threshold, "x", color="red", label="present")
    axes.set_xlabel("sentence_threshold")
    axes.set_ylabel("admission_threshold")
    axes.set_title(f"{found.cases} cases, protection={found.fitted.protection!r}; held-out F1 {found.held_out.f1:.3f}")
    axes.legend(loc="lower left")
    figure.savefig(path)
