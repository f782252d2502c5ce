"""Draws the plots beside this file from the figures beside it.

    python benchmarks/results/plots.py        # needs matplotlib: pip install "ragclean[report]"

Colours are those of the reports; each plot is an SVG that reads on white and on dark grey.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: One colour an arm, told apart without red and green.
COLOURS = {"raw": "#8c8c8c", "vector rerank": "#c77d28", "corrected": "#1f6fb2", "oracle": "#5b4a8a"}
OTHER = "#a9b4bd"
_INK, _GROUND = "#333333", "#ffffff"


def bars(figures: Sequence[Mapping[str, Any]], title: str, path: Path) -> None:
    """Share of right answers and of adopted wrong values by arm, with the length of the context under each name."""
    plt = _pyplot()
    chart, axis = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    for i, row in enumerate(figures):
        colour = COLOURS.get(row["arm"], OTHER)
        axis.bar(i - 0.2, row["match"], 0.38, color=colour)
        axis.bar(i + 0.2, row["adopted"] or 0.0, 0.38, facecolor=_GROUND, edgecolor=colour, hatch="///")
        for at, value in ((i - 0.2, row["match"]), (i + 0.2, row["adopted"] or 0.0)):
            axis.text(at, value + 0.01, f"{value:.0%}", ha="center", va="bottom", fontsize=8, color=_INK)
    names = [f"{row['arm']}\n{row['tokens']:.0f} tokens" for row in figures]
    axis.set_xticks(range(len(figures)), names, fontsize=8)
    axis.set_ylim(0, 1)
    axis.set_title(f"{title} (n {figures[0]['n']})\nfilled: right answers; hatched: a wrong value adopted", fontsize=9)
    _saved(chart, axis, path)


def lines(settings: Mapping[str, Mapping[str, Any]], title: str, label: str, path: Path) -> None:
    """Accuracy against a setting, with and without the corrector."""
    plt = _pyplot()
    chart, axis = plt.subplots(figsize=(5.2, 3.0), layout="constrained")
    told = {name: row for name, row in settings.items() if name != "recovered"}
    for arm in ("raw", "corrected"):
        axis.plot(list(told), [row[arm] for row in told.values()], marker="o", color=COLOURS[arm], label=arm)
    axis.set_xlabel(label, fontsize=8)
    axis.set_ylim(0, 1)
    axis.legend(frameon=False, fontsize=8)
    n = {row["n"] for row in told.values()}
    axis.set_title(f"{title} (n {', '.join(map(str, sorted(n)))})", fontsize=9)
    _saved(chart, axis, path)


def _saved(chart: Any, axis: Any, path: Path) -> None:
    axis.tick_params(labelsize=8, colors=_INK)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    chart.patch.set_facecolor(_GROUND)
    chart.savefig(path, format="svg", metadata={"Date": None})
    _pyplot().close(chart)


def _pyplot() -> Any:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "ragclean"  # the same file from the same figures
    from matplotlib import pyplot

    return pyplot


def main() -> int:
    """Draw whatever there are figures for; returns the exit status."""
    for path in sorted(HERE.glob("answers-*.figures.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        name = path.name.removesuffix(".figures.json")
        bars(found["main"], name.removeprefix("answers-"), HERE / f"{name}.svg")
    for path in sorted(HERE.glob("noise-*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        lines(found, path.stem.removeprefix("noise-"), path.stem.split("-")[1], HERE / f"{path.stem}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
