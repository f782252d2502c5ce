"""The sweep as a drawing: recall against degradation, one numbered point for each setting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ragclean.evaluation.sweeping import Sweep
from ragclean.report.evaluation_figures import frontier
from ragclean.report.page import Element, el
from ragclean.report.phrases import Phrases

#: Points drawn: with more, neither drawing nor numbers can be read.
MAX_DRAWN = 60
#: Units of the drawing; it scales with the page. Room for axis labels left and below.
_WIDTH, _HEIGHT = 640, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 20, 56
#: Lines of the grid in each direction, about.
_TICKS = 5
#: Of the range of values: free room on each side, so that no point lies on an axis; and the least range drawn, so that
#: settings which hardly differ are not pulled apart.
_MARGIN, _LEAST_RANGE = 0.12, 0.02


@dataclass(frozen=True, slots=True)
class _Scale:
    """Values onto units of the drawing."""

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.stop - self.start), 1)

    def ticks(self) -> list[float]:
        """Round values inside the range."""
        rough = (self.high - self.low) / _TICKS
        power = 10 ** math.floor(math.log10(rough))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [n * step for n in range(first, last + 1)]


def sweep_curve(sweep: Sweep, phrases: Phrases) -> Element | None:
    """The drawing; None where no setting has both recall and degradation."""
    drawn = [
        (i, p.degradation.worst.value, p.recall)
        for i, p in enumerate(sweep.points[:MAX_DRAWN])
        if p.degradation.worst.value is not None and p.recall is not None
    ]
    if not drawn:
        return None
    at_x = _scale([x for _, x, _ in drawn], _LEFT, _WIDTH - _RIGHT)
    at_y = _scale([y for _, _, y in drawn], _HEIGHT - _BOTTOM, _TOP)
    places = {i: (at_x(x), at_y(y)) for i, x, y in drawn}
    line = [places[i] for i in frontier(sweep.points) if i in places]
    path = " ".join(f"{x},{y}" for x, y in line)
    ordered = sorted(places, key=lambda i: i == sweep.best)  # the best one is drawn over the others
    points = [_point(i, *places[i], i == sweep.best, phrases) for i in ordered]
    return el(
        "svg", el("title", phrases("sweep_alt", n=len(drawn))),
        _grid(at_x, at_y, phrases), el("polyline", points=path, class_="frontier") if len(line) > 1 else None, points,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", class_="curve",
    )  # fmt: skip


def _scale(values: Sequence[float], start: float, stop: float) -> _Scale:
    low, high = min(values), max(values)
    middle, half = (low + high) / 2, max((high - low) / 2 * (1 + 2 * _MARGIN), _LEAST_RANGE)
    return _Scale(middle - half, middle + half, start, stop)


def _grid(at_x: _Scale, at_y: _Scale, phrases: Phrases) -> list[Element]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    lines: list[Element] = []
    for value in at_x.ticks():
        x = at_x(value)
        lines.append(el("line", x1=x, x2=x, y1=_TOP, y2=bottom, class_="grid"))
        lines.append(el("text", phrases.percent(value), x=x, y=bottom + 18, text_anchor="middle"))
    for value in at_y.ticks():
        y = at_y(value)
        lines.append(el("line", x1=_LEFT, x2=right, y1=y, y2=y, class_="grid"))
        lines.append(el("text", f"{value:.2f}", x=_LEFT - 8, y=y + 4, text_anchor="end"))
    lines.append(el("text", phrases("sweep_axis_x"), x=(_LEFT + right) / 2, y=_HEIGHT - 12, text_anchor="middle"))
    middle = (_TOP + bottom) / 2
    turned = f"rotate(-90 16 {middle:g})"
    lines.append(el("text", phrases("sweep_axis_y"), x=16, y=middle, text_anchor="middle", transform=turned))
    return lines


def _point(index: int, x: float, y: float, best: bool, phrases: Phrases) -> Element:
    """A circle with its number; the best one is larger, ringed and named."""
    name = f"{index + 1} {phrases('best')}" if best else str(index + 1)
    beside_left = x > _WIDTH * 0.85  # the name would leave the drawing on the right
    label = el(
        "text", name, x=x - 14 if beside_left else x + 14, y=y - 8, text_anchor="end" if beside_left else "start",
        class_="best-name" if best else None,
    )  # fmt: skip
    ring = el("circle", cx=x, cy=y, r=11, class_="ring") if best else None
    return el("g", ring, el("circle", cx=x, cy=y, r=6 if best else 5, class_="best" if best else "point"), label)
