"""A canary's figures in Prometheus' text exposition format (version 0.0.4), and a file of them for node-exporter."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ragclean.evaluation.canary_detection import Window
from ragclean.evaluation.canary_words import CanaryStatus

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,99}")
#: Set by us, or kept by Prometheus for itself (a name that begins with two underscores).
_RESERVED = ("window",)
#: What the agent that reads the file may do: it runs as another user.
_READABLE = 0o644

Sample = tuple[Mapping[str, str], float]
Family = tuple[str, str, str, list[Sample]]


def exposition(status: CanaryStatus, labels: Mapping[str, str] | None = None) -> str:
    """The text that a scrape gets. A figure that is not known yet has no sample.

    Args:
        labels: set on every sample.

    Raises:
        ValueError: a label's name or value cannot be used; the message names it.
    """
    common = _checked(labels or {})
    lines: list[str] = []
    for name, kind, about, samples in _families(status):
        if samples:
            lines += [f"# HELP ragclean_canary_{name} {about}", f"# TYPE ragclean_canary_{name} {kind}"]
            lines += [f"ragclean_canary_{name}{_labels({**common, **own})} {_number(v)}" for own, v in samples]
    return "\n".join(lines) + "\n"


def write_exposition(path: str | os.PathLike[str], text: str) -> None:
    """Replace a file in one step, so that a collector never reads half of it.

    Raises:
        OSError: it cannot be written; what stood there is still there.
    """
    target = Path(path)
    # The collector reads *.prom: a name that ends otherwise is left alone until it is whole.
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, _READABLE)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _families(s: CanaryStatus) -> Iterator[Family]:
    rates = [*_rate("current", s.current), *_rate("last", s.last)]
    yield "noise_rate", "gauge", "Mean share of a query's chunks below the relevance threshold, by window.", rates
    yield "baseline_noise_rate", "gauge", "The usual noise rate.", _one(s.baseline)
    yield "cusum", "gauge", "The statistic of the one-sided CUSUM.", _one(s.statistic)
    yield "cusum_threshold", "gauge", "The statistic at which an alarm is raised.", _one(s.threshold)
    yield "learning", "gauge", "1 while the baseline is being learnt.", _one(float(s.learning))
    yield "alarm", "gauge", "1 while the noise rate is above the baseline.", _one(float(s.alarm is not None))
    known = s.alarm is not None and s.alarm.acknowledged
    yield "alarm_acknowledged", "gauge", "1 while an alarm that is on has been acknowledged.", _one(float(known))
    since = None if s.alarm is None else datetime.fromisoformat(s.alarm.since).timestamp()
    yield "alarm_since_timestamp_seconds", "gauge", "Estimated beginning of the rise.", _one(since)
    yield "alarms_total", "counter", "Alarms raised.", _one(float(s.alarms))
    yield "queries_total", "counter", "Queries seen.", _one(float(s.queries))
    yield "queries_without_chunks_total", "counter", "Queries for which nothing was retrieved.", _one(float(s.empty))
    yield "chunks_total", "counter", "Chunks seen.", _one(float(s.chunks))
    yield "noisy_chunks_total", "counter", "Chunks seen below the relevance threshold.", _one(float(s.noisy))


def _one(value: float | None) -> list[Sample]:
    return [] if value is None else [({}, value)]


def _rate(name: str, window: Window | None) -> list[Sample]:
    return [] if window is None or window.rate is None else [({"window": name}, window.rate)]


def _checked(labels: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in labels.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name in _RESERVED or name.startswith("__"):
            raise ValueError(f"labels: {name!r:.60} is no name of a label that can be set")
        if not isinstance(value, str):
            raise ValueError(f"labels: {name}: expected a string, got {value!r:.60}")
    return labels


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    text = value.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate cannot be written
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
