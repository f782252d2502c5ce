"""``calibrate``: fit thresholds and weights to labelled cases, and say what that is worth on cases not fitted to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timezone

import numpy as np
from numpy.typing import NDArray

from ragclean.calibration.cases import LabelledCase
from ragclean.calibration.choice import choose, gain
from ragclean.calibration.folds import by_scenario, groups, splits
from ragclean.calibration.grid import Grid
from ragclean.calibration.labels import COLUMNS, Counts, Item, count, f_of, items, scores
from ragclean.calibration.outcome import Calibration, Fold, Surface, Transfer
from ragclean.calibration.table import Configs, count_all
from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector
from ragclean.signals.base import FloatArray, JudgeScorer

#: Warnings of a run whose scores are not those of the parts that are calibrated.
_STOOD_IN = frozenset({"judge_failed", "encoder_failed", "stage_failed"})
#: Beyond a hundred F is recall alone, below a hundredth precision alone.
LEAST_BETA = 0.01
#: Parts of the whole by which a progress bar moves: a case's table takes about as long as ten whole runs.
_TABLE_SHARE = 10


def calibrate(
    cases: Iterable[LabelledCase],
    *,
    corrector: NoiseCorrector | None = None,
    folds: int = 5,
    top_k: int = 8,
    seed: int = 0,
    beta: float = 1.0,
    grid: Grid | None = None,
    as_of: date | None = None,
    progress: bool = False,
) -> Calibration:
    """Fit the admission and sentence thresholds, the fusion weights and the protection rule to labelled cases.

    Every cell of the grid is counted on every case, with the signals measured once. The reported figures are held out:
    each fold is cleaned, whole, by the configuration chosen on the others. Groups are never divided (same group, same
    query, or a shared text). The same cases give the same result.

    Args:
        cases: at least two groups of them; see :func:`ragclean.calibration.read_cases`.
        corrector: the one in use: its encoder, judge and configuration are what is calibrated; the defaults if None.
        folds: fewer where there are fewer groups.
        top_k: chunks that come out, as the application asks for.
        seed: of the folds and of the interval.
        beta: what is fitted to is F1; 2 weighs a lost chunk or sentence four times as much as one too many.
        grid: other configurations to choose from.
        as_of: the day to judge by for cases without one; None: today.
        progress: show a progress bar.

    Raises:
        ValueError: there are fewer than two groups of cases, or none has a label of what must stay.
    """
    known = _usable(list(cases), folds, top_k, beta)
    corrector = corrector or NoiseCorrector()
    present = corrector.config
    # What is counted is what would be done, whole, however the application runs it.
    corrector = _remembering(corrector).with_config(present.with_changes(mode="correct", time_budget_ms=None))
    grid = grid or Grid.around(present)
    of = groups(known)
    folds = min(folds, int(of.max()) + 1)
    if folds < 2:
        raise ValueError("cases: two groups at least are needed, to test on what was not fitted to")
    day = as_of or datetime.now(tz=timezone.utc).date()
    parts = [items(case, corrector.prepare) for case in known]
    configs = Configs(corrector.config, grid)
    runs = _Runs(known, parts, corrector, top_k, day)
    with _Bar(progress, len(known), _TABLE_SHARE * len(known) + 3 * len(known)) as step:
        table = np.zeros((len(known), *grid.shape, COLUMNS), np.uint16)
        for i, (case, labels) in enumerate(zip(known, parts, strict=True)):
            table[i] = count_all(case, labels, corrector, configs, top_k, _day(case, day))
            step(_TABLE_SHARE)
        before = runs.counts(present, np.arange(len(known)), step)
        after, found = np.zeros_like(before), []
        for train, test in splits(known, of, folds, seed):
            config = grid.config(present, choose(_sum(table, train), grid, present, beta))
            after[test] = runs.counts(config, test, step)
            found.append(Fold(config, len(test), scores(after[test].sum(axis=0)), scores(before[test].sum(axis=0))))
        elsewhere = []
        for name, train, test in by_scenario(known):
            config = grid.config(present, choose(_sum(table, train), grid, present, beta))
            without = runs.counts(config, test, step)
            pair = scores(without.sum(axis=0)), scores(before[test].sum(axis=0))
            elsewhere.append(Transfer(name, len(test), *pair))
    summed = _sum(table, np.arange(len(known)))
    cell = choose(summed, grid, present, beta)
    return Calibration(
        present=present,
        fitted=grid.config(present, cell),
        cases=len(known),
        groups=int(of.max()) + 1,
        folds=tuple(found),
        held_out=scores(after.sum(axis=0)),
        before=scores(before.sum(axis=0)),
        gain=gain(before, after, of, seed, beta, len(found)),
        transfers=tuple(elsewhere),
        surface=_surface(summed, grid, cell, beta),
        encoder=corrector.scorers.encoder.fingerprint,
        judge=corrector.scorers.judge.fingerprint,
        keywords=corrector.scorers.keywords.fingerprint,
        top_k=top_k,
        seed=seed,
        beta=beta,
        labels=_labels(known, parts),
        failed=tuple(sorted(runs.failed.items())),
    )


def _usable(cases: list[LabelledCase], folds: int, top_k: int, beta: float) -> list[LabelledCase]:
    if folds < 2:
        raise ValueError(f"folds: must be 2 or more, got {folds}")
    if top_k < 1:
        raise ValueError(f"top_k: must be 1 or more, got {top_k}")
    if not LEAST_BETA <= beta <= 1 / LEAST_BETA:
        raise ValueError(f"beta: must lie in {LEAST_BETA:g}..{1 / LEAST_BETA:g}, got {beta}")
    known = [case for case in cases if case.labelled]
    if not any(c.keep or c.must_keep for case in known for c in case.chunks):
        raise ValueError(f"cases: of {len(cases)} none says what must stay (keep, must_keep)")
    return known


def _labels(cases: Sequence[LabelledCase], parts: Sequence[Sequence[Item]]) -> tuple[int, int, int, int]:
    chunks = [c.keep for case in cases for c in case.chunks]
    sides = [item.keep for labels in parts for item in labels]
    return chunks.count(True), chunks.count(False), sides.count(True), sides.count(False)


class _AskedOnce:
    """A judge that is asked about no pair twice: a calibration shows each to it three times."""

    def __init__(self, judge: JudgeScorer) -> None:
        self._judge, self.fingerprint, self.cheap = judge, judge.fingerprint, judge.cheap
        self._known: dict[tuple[str, str], float] = {}

    def score_pairs(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        """(n,) as the judge has it."""
        pairs = list(zip(queries, texts, strict=True))
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if new:
            scores = np.asarray(self._judge.score_pairs([q for q, _ in new], [t for _, t in new]))
            if scores.shape != (len(new),):
                raise ValueError(f"judge: expected {len(new)} scores, got an array of shape {scores.shape}")
            self._known.update(zip(new, scores.tolist(), strict=True))
        return np.array([self._known[pair] for pair in pairs], np.float32)


def _remembering(corrector: NoiseCorrector) -> NoiseCorrector:
    """The corrector, its judge asked once a pair where that is the caller's own."""
    parts = corrector.scorers
    if parts.judge is parts.embedded_judge:
        return corrector
    return NoiseCorrector(
        config=corrector.config.with_changes(provenance={}), encoder=parts.encoder, judge=_AskedOnce(parts.judge),
        keywords=parts.keywords,
    )  # fmt: skip


def _sum(table: NDArray[np.uint16], rows: NDArray[np.intp]) -> Counts:
    out: Counts = table[rows].sum(axis=0, dtype=np.float64)
    return out


def _day(case: LabelledCase, day: date) -> date:
    return date.fromisoformat(case.as_of) if case.as_of else day


class _Runs:
    """Whole runs of cases under one configuration or another; a run is made once."""

    def __init__(
        self,
        cases: Sequence[LabelledCase],
        parts: Sequence[Sequence[Item]],
        corrector: NoiseCorrector,
        top_k: int,
        day: date,
    ) -> None:
        self._cases, self._parts, self._corrector, self._top_k, self._day = cases, parts, corrector, top_k, day
        self._known: dict[tuple[str, int], Counts] = {}
        self.failed: Counter[str] = Counter()
        """Whole runs in which a part of the caller's failed and the embedded one stood in, by code."""

    def counts(self, config: CorrectorConfig, rows: NDArray[np.intp], step: Callable[[float], None]) -> Counts:
        """(len(rows), 6)."""
        running = config.with_changes(mode="correct", time_budget_ms=None)
        corrector = self._corrector.with_config(running)
        out = np.zeros((len(rows), COLUMNS))
        for i, row in enumerate(rows.tolist()):
            key = (corrector.fingerprint, row)
            if key not in self._known:
                self._known[key] = self._count(corrector, row)
            out[i] = self._known[key]
            step(1)
        return out

    def _count(self, corrector: NoiseCorrector, row: int) -> Counts:
        case = self._cases[row]
        chunks = [c.chunk for c in case.chunks]
        day = _day(case, self._day)
        result = corrector.refine(case.query, chunks, top_k=self._top_k, as_of=day, sub_queries=case.sub_queries)
        self.failed.update({w.code for w in result.warnings if w.code in _STOOD_IN})
        return count(case, self._parts[row], result)


def _surface(summed: Counts, grid: Grid, cell: tuple[int, int, int], beta: float) -> Surface:
    """F over both thresholds at the chosen weights and protection."""
    w, a, s = cell
    run = next(r for r in grid.runs() if s in r)
    f = f_of(summed[w][:, run.start : run.stop], beta)
    return Surface(
        admission=grid.admission,
        sentence=tuple(grid.sentence[i][1] for i in run),
        f=tuple(tuple(round(float(v), 4) for v in row) for row in f),
        chosen=(grid.admission[a], grid.sentence[s][1]),
    )


class _Bar:
    """A progress bar, or none."""

    def __init__(self, shown: bool, cases: int, total: float) -> None:
        self._progress = None
        if shown:
            from rich.progress import Progress

            self._progress = Progress(transient=True)
            self._task = self._progress.add_task(f"calibrate on {cases} cases", total=total)

    def __enter__(self) -> Callable[[float], None]:
        if self._progress is None:
            return lambda _: None
        self._progress.start()
        progress, task = self._progress, self._task
        return lambda amount: progress.advance(task, amount)

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
