"""Draw the figures that ship beside this script.

    python benchmarks/results/plots.py          # answers-*.figures.json -> *.svg, noise-*.json -> *.svg

Needs matplotlib (``pip install "ragclean[report]"``). The same figures give the same file, byte for byte.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
_BLUE, _RED, _GREY = "#2b6cb0", "#c05621", "#718096"
_WIDTH = 0.38


def draw_arms(told: Mapping[str, Any], path: Path) -> None:
    """Answer match and wrong values adopted, one pair of bars an arm."""
    rows: Sequence[Mapping[str, Any]] = told["main"]
    figure, axes = _figure()
    at = range(len(rows))
    axes.bar([i - _WIDTH / 2 for i in at], [r["match"] for r in rows], _WIDTH, color=_BLUE, label="right answer")
    axes.bar([i + _WIDTH / 2 for i in at], [r["adopted"] or 0 for r in rows], _WIDTH, color=_RED,
             label="wrong value adopted")  # fmt: skip
    for i, r in enumerate(rows):
        axes.text(i - _WIDTH / 2, r["match"] + 0.01, f"{r['match']:.2f}", ha="center", fontsize=9)
        axes.text(i + _WIDTH / 2, (r["adopted"] or 0) + 0.01, f"{r['adopted'] or 0:.2f}", ha="center", fontsize=9)
    axes.set_xticks(list(at), [f"{r['arm']}\n{r['tokens']:.0f} tokens" for r in rows])
    axes.set_ylim(0, 1)
    axes.set_ylabel(f"share of {rows[0]['n']} questions")
    axes.legend(frameon=False)
    _save(figure, path)


def draw_noise(told: Mapping[str, Any], path: Path) -> None:
    """Answer accuracy by setting, with and without the corrector."""
    settings = [name for name in told if name != "recovered"]
    figure, axes = _figure()
    for side, colour in (("raw", _GREY), ("corrected", _BLUE)):
        axes.plot(range(len(settings)), [told[s][side] for s in settings], marker="o", color=colour, label=side)
    axes.set_xticks(range(len(settings)), settings)
    axes.set_ylim(0, 1)
    axes.set_xlabel("share of noise among five passages")
    axes.set_ylabel(f"share of {told[settings[0]]['n']} questions answered")
    axes.legend(frameon=False)
    _save(figure, path)


def _figure() -> Any:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "ragclean"  # else ids differ from run to run
    figure = Figure(figsize=(7.2, 3.8), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> int:
    """Draw everything that is there."""
    for source in sorted(HERE.glob("answers-*.figures.json")):
        told = json.loads(source.read_text(encoding="utf-8"))
        draw_arms(told, source.with_name(source.name.replace(".figures.json", ".svg")))
    for source in sorted(HERE.glob("noise-*.json")):
        draw_noise(json.loads(source.read_text(encoding="utf-8")), source.with_suffix(".svg"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
