"""The canary: which share of what is retrieved is noise, and has it risen?

Business figures fall weeks after retrieval begins to bring chunks that answer nothing: an index that was built with
another model, a new collection beside the old one, documents nobody maintains. The canary watches the share of
retrieved chunks below the relevance threshold in production, query by query, and raises an alarm at a stated
false-alarm rate.

    canary = Canary(state="canary.sqlite3")
    alarm = canary.observe(corrector.refine(query, candidates))
    if alarm:
        log.warning(alarm.explain("en"))
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import fields
from datetime import datetime, timezone
from typing import Any, TypeVar

from ragclean.evaluation.canary_detection import Baseline, Window, checked_share
from ragclean.evaluation.canary_metrics import exposition, write_exposition
from ragclean.evaluation.canary_state import CanaryStateError, File, Held, Memory
from ragclean.evaluation.canary_steps import CanarySettings, Period, calm, settle, started, status, take
from ragclean.evaluation.canary_words import Alarm, CanaryStatus
from ragclean.result import RefinedContext

__all__ = ["Alarm", "Baseline", "Canary", "CanarySettings", "CanaryStateError", "CanaryStatus", "Window"]

T = TypeVar("T")
When = datetime | str | int | float | None
#: A result and what it counts as: chunks, and those of them below the threshold.
_Counted = tuple[int, int]


class Canary:
    """Watches the noise of a stream of queries; safe for threads, and with a file for processes too.

    Args:
        threshold, window, period, baseline, rise, false_alarms: see :class:`CanarySettings`; None: what the state
            was made with, else the default. ``baseline`` may also be a :class:`Baseline` of earlier queries.
        state: a file that keeps everything; None: nothing outlasts this object.

    Raises:
        ValueError: a setting is out of its range, or differs from what the state was made with.
        CanaryStateError: the state cannot be used.
    """

    def __init__(
        self, *, threshold: float | None = None, window: int | None = None, period: Period | None = None,
        baseline: int | Baseline | None = None, rise: float | None = None, false_alarms: float | None = None,
        state: str | os.PathLike[str] | None = None,
    ) -> None:  # fmt: skip
        learnt = None if isinstance(baseline, Baseline) else baseline
        given: dict[str, Any] = {
            "threshold": threshold, "window": window, "period": period, "baseline": learnt, "rise": rise,
            "false_alarms": false_alarms,
        }  # fmt: skip
        named: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if period is not None and window is None:
            named["window"] = None
        wanted = CanarySettings(**named)
        self._store: File | Memory = File(state) if state is not None else Memory()
        known = baseline if isinstance(baseline, Baseline) else None
        self._fresh: Callable[[], Held] = lambda: started(wanted, known)
        self.settings: CanarySettings = self._change(lambda held: self._agreed(held, named, known))

    def observe(self, seen: RefinedContext | Iterable[float], *, at: When = None) -> Alarm | None:
        """Take in one query; returns the alarm that is on, whether new or not.

        Args:
            seen: what ``refine`` gave, or the relevance of each retrieved chunk of the query, 0..1.
            at: when it was asked: a datetime (UTC where it names no zone), an ISO string, or seconds since 1970.
                None: now. A query that comes late counts in the window that is open.

        Raises:
            ValueError: a score or the time is none; the message names it. Nothing is counted then.
            CanaryStateError: the state cannot be read or written.
        """
        return self.observe_all([(seen, at)])[0]

    def observe_all(self, queries: Iterable[tuple[RefinedContext | Iterable[float], When]]) -> list[Alarm | None]:
        """Take in several queries in one go: all of them, or none where one cannot be read.

        Raises:
            ValueError, CanaryStateError: as for :meth:`observe`.
        """
        read = [(self._count(seen), moment(at)) for seen, at in queries]
        return self._change(lambda held: [take(held, self.settings, counted, at) for counted, at in read])

    def check(self, seen: RefinedContext | Iterable[float]) -> None:
        """Read one query without counting it.

        Raises:
            ValueError: a score is none; the message names it.
        """
        self._count(seen)

    def status(self) -> CanaryStatus:
        """Where things stand.

        Raises:
            CanaryStateError: the state cannot be read.
        """
        windows = self.windows()
        return self._change(lambda held: status(held, self.settings, windows[-1] if windows else None))

    def windows(self) -> tuple[Window, ...]:
        """The closed windows, oldest first; the last 400 are kept."""
        return self._store.windows()

    def acknowledge(self) -> bool:
        """Say that the alarm is known: it stays on, marked, until the noise falls. False where no alarm is on."""

        def mark(held: Held) -> bool:
            held.progress.acknowledged = bool(held.progress.raised)
            return held.progress.acknowledged

        return self._change(mark)

    def reset_baseline(self, baseline: Baseline | None = None) -> None:
        """Take the present noise for the usual one: end the alarm and learn from the next windows, or take a baseline
        that is given. Counters and closed windows stay."""

        def reset(held: Held) -> None:
            settle(held, self.settings, baseline)
            p = held.progress
            p.learning, p.learnt, p.window = {}, [], None
            calm(p)

        self._change(reset)

    def metrics(self, labels: dict[str, str] | None = None) -> str:
        """The figures in Prometheus' text exposition format.

        Args:
            labels: set on every sample, for example ``{"index": "manuals"}``.

        Raises:
            ValueError: a label's name is none.
        """
        return exposition(self.status(), labels)

    def write_metrics(self, path: str | os.PathLike[str], labels: dict[str, str] | None = None) -> None:
        """Write :meth:`metrics` for node-exporter's textfile collector, whole or not at all.

        Raises:
            OSError: the file cannot be written; what stood there is still there.
        """
        write_exposition(path, self.metrics(labels))

    def _change(self, work: Callable[[Held], T]) -> T:
        return self._store.change(self._fresh, work)

    def _agreed(self, held: Held, named: dict[str, Any], known: Baseline | None) -> CanarySettings:
        try:
            kept = CanarySettings(**held.settings)
        except (TypeError, ValueError) as error:
            raise CanaryStateError(f"{self._store.name}: damaged, its settings cannot be read ({error})") from error
        for f in fields(CanarySettings):
            if f.name in named and named[f.name] != getattr(kept, f.name):
                raise ValueError(
                    f"{f.name}: {self._store.name} was made with {getattr(kept, f.name)!r}, not {named[f.name]!r}; "
                    "leave it out, or use another state"
                )
        if known is not None and held.baseline != known:
            raise ValueError(f"baseline: {self._store.name} has another one; reset_baseline puts one in its place")
        return kept

    def _count(self, seen: RefinedContext | Iterable[float]) -> _Counted:
        if isinstance(seen, RefinedContext):
            return count_result(seen, self.settings.threshold)
        if isinstance(seen, (str, bytes)) or not isinstance(seen, Iterable):
            raise ValueError(f"scores: expected numbers of 0 to 1, got {type(seen).__name__}")
        scores = [checked_share(score, f"scores[{i}]") for i, score in enumerate(seen)]
        return len(scores), sum(score < self.settings.threshold for score in scores)


def count_result(result: RefinedContext, threshold: float) -> tuple[int, int]:
    """How many chunks of a result were ranked, and how many of them score below the threshold.

    Chunks that were never ranked (blank, unreadable) count for nothing. One that was admitted and lost all its
    sentences afterwards counts as relevant.
    """
    finals = [kept.signals.final for kept in result.chunks]
    finals += [gone.score for gone in result.dropped if gone.start is None and gone.score is not None]
    known = {kept.id for kept in result.chunks} | {gone.chunk_id for gone in result.dropped if gone.start is None}
    emptied = {gone.chunk_id for gone in result.dropped if gone.start is not None} - known
    return len(finals) + len(emptied), sum(final < threshold for final in finals)


def moment(at: When) -> datetime:
    """A time as UTC.

    Raises:
        ValueError: it is none.
    """
    if at is None:
        return datetime.now(timezone.utc)
    try:
        if isinstance(at, str):
            at = datetime.fromisoformat(at[:-1] + "+00:00" if at.endswith(("Z", "z")) else at)
        elif isinstance(at, (int, float)) and not isinstance(at, bool):
            at = datetime.fromtimestamp(at, timezone.utc)
        if isinstance(at, datetime):
            return at.replace(tzinfo=timezone.utc) if at.tzinfo is None else at.astimezone(timezone.utc)
    except (ValueError, OverflowError, OSError):
        pass
    raise ValueError(f"at: expected a time as 2026-01-02T03:04:05Z, got {at!r:.60}")
