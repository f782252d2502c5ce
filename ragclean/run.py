"""One call of ``refine``: its checked arguments, and its clock, guards and notes."""

from __future__ import annotations

import logging
import math
import operator
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

import numpy as np

from ragclean.screen import shown
from ragclean.text.dates import parse_date
from ragclean.text.question import Facet, Question
from ragclean.tokencount import estimate_tokens
from ragclean.tracing import span
from ragclean.types import Caution, Dropped

logger = logging.getLogger(__name__)
#: Characters of an error of foreign code that a warning quotes: such errors may quote a whole text.
_MESSAGE = 200
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of ``refine``, checked."""

    query: str
    candidates: tuple[Any, ...]
    top_k: int
    as_of: date
    max_tokens: int | None
    sub_queries: tuple[str, ...]
    pinned: frozenset[str]
    protected_terms: tuple[str, ...]

    def options(self) -> dict[str, Any]:
        """What the caller asked for beside query, candidates and date, as plain data; what was left out is not in."""
        plain = {
            "top_k": self.top_k,
            "max_tokens": self.max_tokens,
            "sub_queries": list(self.sub_queries),
            "pinned": sorted(self.pinned),
            "protected_terms": list(self.protected_terms),
        }
        return {name: value for name, value in plain.items() if value not in (None, [])}


def read_request(
    query: Any,
    candidates: Any,
    top_k: Any,
    as_of: Any,
    max_tokens: Any,
    sub_queries: Any,
    pinned: Any,
    protected_terms: Any,
) -> Request:
    """Check for misuse of the API itself.

    Raises:
        TypeError, ValueError: naming the argument.
    """
    if not isinstance(query, str):
        raise TypeError(f"query: expected a string, got {type(query).__name__}")
    if isinstance(candidates, (str, bytes)) or not isinstance(candidates, Iterable):
        raise TypeError(f"candidates: expected an iterable of chunks, got {type(candidates).__name__}")
    if hasattr(candidates, "keys"):
        raise TypeError("candidates: expected an iterable of chunks, got one mapping; put it in a list")
    return Request(
        str.__str__(query),
        tuple(candidates),
        _count("top_k", top_k),
        _day(as_of),
        None if max_tokens is None else _count("max_tokens", max_tokens),
        _strings("sub_queries", sub_queries),
        frozenset(_strings("pinned", pinned)),
        tuple(t for t in _strings("protected_terms", protected_terms) if t.strip()),
    )


def _count(name: str, value: Any) -> int:
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except Exception:  # TypeError, or whatever a foreign __index__ raises
        raise TypeError(f"{name}: expected a whole number, got {type(value).__name__}") from None
    if number < 1:
        raise ValueError(f"{name}: must be at least 1, got {shown(number)}")
    return number


def _strings(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: expected a sequence of strings, got {type(value).__name__}")
    items = tuple(value)
    for i, item in enumerate(items):
        if not isinstance(item, str):
            raise TypeError(f"{name}[{i}]: expected a string, got {type(item).__name__}")
    return items


def _day(as_of: Any) -> date:
    if as_of is None:
        return date.today()
    if isinstance(as_of, np.datetime64):
        as_of = "NaT" if np.isnat(as_of) else as_of.astype("datetime64[D]").item()
    if isinstance(as_of, datetime):
        if as_of != as_of:
            raise ValueError("as_of: NaT is no date")
        return as_of.date()
    if isinstance(as_of, date):
        return as_of
    if not isinstance(as_of, str):
        raise TypeError(f"as_of: expected a date or a string, got {type(as_of).__name__}")
    day = parse_date(as_of)
    if day is None:
        raise ValueError(f"as_of: {shown(as_of)} is no date that can be read")
    return day


def unread(query: str) -> Question:
    """A question of which nothing is understood: what stands in where reading it failed."""
    return Question(query, query, "en", (Facet("unknown", ()),), (), ())


class TokenCounter:
    """A caller's counter of tokens that cannot take a run down.

    Where it raises, or gives what is no number of tokens, the estimate stands in from there on, and ``complaint``
    says why.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self.complaint: str | None = None

    def __call__(self, text: str) -> int:
        if self.complaint is None:
            try:
                given = self._count(text)
                number = float(given)
            except Exception as error:
                self.complaint = f"{type(error).__name__}: {error}"[:_MESSAGE]
            else:
                if math.isfinite(number) and number >= 0.0:
                    return math.ceil(number)
                self.complaint = f"it gave {shown(given)}"
        return estimate_tokens(text)


class Run:
    """The clock, the guards and the notes of one call."""

    def __init__(self, budget_ms: float | None, hits: int, misses: int) -> None:
        self._start = time.perf_counter()
        self._budget = None if budget_ms is None else budget_ms / 1e3
        self._times: dict[str, float] = {}
        self._missed: set[str] = set()
        self._cache_before = self._cache_now = (hits, misses)
        self.judge_calls = 0
        self.dropped: list[Dropped] = []
        self.cautions: list[Caution] = []

    def timed(self, name: str, work: Callable[[], T]) -> T:
        """Run what nothing can stand in for; its errors are the caller's."""
        begin = time.perf_counter()
        try:
            with span(name):
                return work()
        finally:
            self._times[name] = (time.perf_counter() - begin) * 1e3

    def stage(self, name: str, work: Callable[[], T], fallback: Callable[[], T]) -> T:
        """Run one stage. If it fails, or the time budget is spent, hand on what ``fallback`` makes, with a warning."""
        if self._budget is not None and time.perf_counter() - self._start > self._budget:
            self.warn("stage_skipped", f"{name}: the time budget of {self._budget * 1e3:.0f} ms was spent")
            self._missed.add(name)
            return fallback()
        try:
            return self.timed(name, work)
        except Exception as error:
            self._missed.add(name)
            logger.exception("stage %s failed; its input is passed on", name)
            self.warn("stage_failed", f"{name}: {type(error).__name__}: {error}"[:_MESSAGE])
            return fallback()

    def missed(self, name: str) -> bool:
        """Whether something else stands in for a stage that failed or was skipped."""
        return name in self._missed

    def warn(self, code: str, message: str) -> None:
        self.cautions.append(Caution(code, message))

    def note(self, dropped: Sequence[Dropped], cautions: Sequence[Caution]) -> None:
        self.dropped.extend(dropped)
        self.cautions.extend(cautions)

    def cache_after(self, hits: int, misses: int) -> None:
        self._cache_now = (hits, misses)

    def stats(
        self, raw: str, text: str, chunks_in: int, chunks_out: int, count_tokens: Callable[[str], int]
    ) -> dict[str, float]:
        """A flat dictionary of figures: characters, tokens, chunks, milliseconds by stage, cache, judge calls."""
        total = (time.perf_counter() - self._start) * 1e3
        return {
            "chunks_in": chunks_in,
            "chunks_out": chunks_out,
            "chars_in": len(raw),
            "chars_out": len(text),
            "shorter": round(1 - len(text) / len(raw), 4) if raw else 0.0,
            "tokens_in": count_tokens(raw) if raw else 0,
            "tokens_out": count_tokens(text) if text else 0,
            "cache_hits": self._cache_now[0] - self._cache_before[0],
            "cache_misses": self._cache_now[1] - self._cache_before[1],
            "judge_calls": self.judge_calls,
            "ms_total": round(total, 3),
            **{f"ms_{name}": round(ms, 3) for name, ms in self._times.items()},
        }
