"""One query after the other: windows, the baseline that is learnt from the first of them, and the alarm."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal

from ragclean.config import CorrectorConfig
from ragclean.evaluation.canary_detection import LEAST_QUERIES, Baseline, Detector, Window, bin_of, calibrated
from ragclean.evaluation.canary_state import Held, Progress
from ragclean.evaluation.canary_words import Alarm, CanaryStatus

Period = Literal["hour", "day", "week"]

#: Windows of a baseline, at most: learning keeps each of them.
_MOST_WINDOWS = 1000


@dataclass(frozen=True, slots=True)
class CanarySettings:
    """What a canary watches for.

    Raises:
        ValueError: a field is out of its range; the message names it.
    """

    threshold: float = CorrectorConfig().admission_threshold
    """A chunk below this is noise. The default is the corrector's admission threshold, on its scale of scores."""
    window: int | None = 100
    """Queries of a window; None: windows end with the period alone."""
    period: Period | None = None
    """A window also ends with the hour, day or week (UTC, from Monday on) that it began in."""
    baseline: int = 10
    """Windows from which the usual noise is learnt; more are taken until they hold 100 queries."""
    rise: float = 0.05
    """The smallest rise that matters, as a share: 0.05 is from 30 to 35 % of noise."""
    false_alarms: float = 100_000.0
    """Queries in which one false alarm is accepted, on average."""

    def __post_init__(self) -> None:
        _check(self, "threshold", 0.0 < self.threshold <= 1.0, "above 0 and at most 1")
        whole = self.window is None or (isinstance(self.window, int) and not isinstance(self.window, bool))
        _check(self, "window", whole and (self.window is None or self.window >= 1), "a whole number from 1 on, or None")
        _check(self, "period", self.period in (None, "hour", "day", "week"), "hour, day, week or None")
        _check(self, "window", self.window is not None or self.period is not None, "a number, or a period beside it")
        _check(self, "baseline", isinstance(self.baseline, int) and 1 <= self.baseline <= _MOST_WINDOWS,
               f"a whole number from 1 to {_MOST_WINDOWS}")  # fmt: skip
        _check(self, "rise", 0.01 <= self.rise <= 0.5, "from 0.01 to 0.5")
        _check(self, "false_alarms", 100 <= self.false_alarms <= 1e8, "from 100 to a hundred million queries")


def _check(settings: CanarySettings, name: str, good: bool, wanted: str) -> None:
    value = getattr(settings, name)
    if not good or isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError(f"{name}: expected {wanted}, got {value!r:.60}")


def take(held: Held, settings: CanarySettings, counted: tuple[int, int], at: datetime) -> Alarm | None:
    """Take in one query: how many chunks, how many of them noise, and when."""
    p = held.progress
    chunks, noisy = counted
    p.queries += 1
    if p.window is not None and _is_over(p.window, settings, at):
        _close(held, settings)
    if not chunks:
        p.empty += 1
        return alarm(held)
    p.chunks += chunks
    p.noisy += noisy
    share = noisy / chunks
    now = at.isoformat()
    w = p.window or Window(now, now)
    p.window = Window(w.start, max(w.end, now), w.queries + 1, w.total + share, w.chunks + chunks, w.noisy + noisy)
    if held.detector is None:
        step = str(bin_of(share))
        p.learning[step] = p.learning.get(step, 0) + 1
    else:
        _watch(p, held.detector, share, now)
    if settings.window is not None and p.window.queries >= settings.window:
        _close(held, settings)
    return alarm(held)


def _watch(p: Progress, detector: Detector, share: float, now: str) -> None:
    if p.statistic == 0.0 and not p.raised:
        p.since, p.since_queries, p.since_total = now, 0, 0.0
    p.statistic = detector.step(p.statistic, share)
    p.since_queries += 1
    p.since_total += share
    if p.statistic >= detector.threshold and not p.raised:
        p.raised, p.acknowledged = now, False
        p.alarms += 1
    elif p.statistic == 0.0:
        calm(p)


def calm(p: Progress) -> None:
    """No rise is under way, or it is over."""
    p.statistic, p.since, p.since_queries, p.since_total = 0.0, "", 0, 0.0
    p.raised, p.acknowledged = "", False


def _is_over(window: Window, settings: CanarySettings, at: datetime) -> bool:
    if settings.period is None:
        return False
    began = datetime.fromisoformat(window.start)
    return at > began and _period_of(began, settings.period) != _period_of(at, settings.period)


def _period_of(at: datetime, period: Period) -> datetime:
    hour = at.replace(minute=0, second=0, microsecond=0)
    if period == "hour":
        return hour
    day = hour.replace(hour=0)
    return day if period == "day" else day - timedelta(days=day.weekday())


def _close(held: Held, settings: CanarySettings) -> None:
    """End the open window; with enough of them the baseline is learnt."""
    p = held.progress
    if p.window is None:
        return
    held.closed.append(p.window)
    if held.detector is None:
        p.learnt.append([p.window.queries, p.window.total])
        if len(p.learnt) >= settings.baseline and sum(n for n, _ in p.learnt) >= LEAST_QUERIES:
            counts = [p.learning.get(str(i), 0) for i in range(bin_of(1.0) + 1)]
            settle(held, settings, Baseline.learnt(counts, [(int(n), total) for n, total in p.learnt]))
            p.learning, p.learnt = {}, []
    p.window = None


def settle(held: Held, settings: CanarySettings, baseline: Baseline | None) -> None:
    """Put a baseline in force, with the detector that goes with it; None: learn one."""
    held.baseline = baseline
    held.detector = None
    if baseline is not None:
        held.detector = calibrated(baseline, rise=settings.rise, false_alarms=settings.false_alarms)


def started(settings: CanarySettings, baseline: Baseline | None) -> Held:
    """The state before the first query."""
    held = Held(asdict(settings), Progress())
    settle(held, settings, baseline)
    return held


def alarm(held: Held) -> Alarm | None:
    """The alarm that is on."""
    p, baseline = held.progress, held.baseline
    if not p.raised or baseline is None or not p.since_queries:
        return None
    return Alarm(p.since, p.raised, p.since_queries, p.since_total / p.since_queries, baseline.mean, p.acknowledged)


def status(held: Held, settings: CanarySettings, last: Window | None) -> CanaryStatus:
    """Where things stand; ``last`` is the window that was closed last."""
    p, baseline, detector = held.progress, held.baseline, held.detector
    return CanaryStatus(
        queries=p.queries,
        empty=p.empty,
        chunks=p.chunks,
        noisy=p.noisy,
        current=p.window,
        last=last,
        windows_wanted=settings.baseline if baseline is None else 0,
        windows_learnt=len(p.learnt),
        baseline=None if baseline is None else baseline.mean,
        baseline_queries=0 if baseline is None else baseline.queries,
        statistic=p.statistic if detector is not None else None,
        threshold=None if detector is None else detector.threshold,
        alarm=alarm(held),
        alarms=p.alarms,
    )
