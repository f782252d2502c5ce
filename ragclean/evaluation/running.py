"""Run an application over cases and variants: several at once, cached on disk, resumed where it stopped.

Every answer and every verdict is kept on disk as soon as it is there, under a key of everything it depends on. A run
that was killed is started again with the same arguments: it makes the calls that are missing and no other, and ends in
the same report.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Protocol

from ragclean.disk_cache import DiskCache
from ragclean.evaluation.archive import EvalReport, judgement_from_dict
from ragclean.evaluation.cases import with_keypoints
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings, Shortage
from ragclean.evaluation.records import VARIANTS, EvalCase, Judgement, Outcome, Shown, Variant
from ragclean.evaluation.scoring import score
from ragclean.screen import coerce
from ragclean.types import Chunk

logger = logging.getLogger(__name__)

Answer = Callable[[str, Sequence[Chunk]], "str | Awaitable[str]"]
Retrieve = Callable[[str], Sequence[Any]]
#: What is run day by day, and what week by week.
DAILY: tuple[Variant, ...] = ("v0", "v3")
WEEKLY: tuple[Variant, ...] = VARIANTS
#: Room for the answers and verdicts of some thousand cases.
CACHE_BYTES = 1 << 30
#: Part of every key; raised when what is kept under a key changes its meaning.
_FORM = 1
#: Judge calls for one answer: support and coverage are asked apart.
CALLS_PER_VERDICT = 2
#: Characters of an application's error that a report quotes.
_QUOTED = 300
#: What an application can see of a chunk.
_SEEN = tuple(f.name for f in fields(Chunk) if f.name not in ("score", "embedding", "metadata"))


class AnswerJudge(Protocol):
    """Says what an answer is worth; see :mod:`ragclean.evaluation.judging`."""

    @property
    def fingerprint(self) -> str: ...

    def judge(self, question: str, answer: str, case: EvalCase, shown: Shown) -> Judgement: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will take, known before it begins."""

    cases: int
    variants: tuple[Variant, ...]
    repeats: int
    answers: int
    """Calls of the application."""
    judge_calls: int
    short: tuple[Shortage, ...]
    """Variants that cannot be made."""
    price: float | None = None
    """In the currency of the prices given."""


def plan_run(
    cases: Sequence[EvalCase],
    variants: Sequence[Variant] = DAILY,
    *,
    noise: NoiseMaker | NoiseSettings | None = None,
    repeats: int = 1,
    price_answer: float | None = None,
    price_judge_call: float = 0.0,
) -> Plan:
    """Count the calls of a run without making one.

    Args:
        price_answer, price_judge_call: of one call of the application and of the judge.
    """
    known = _usable(cases, variants, repeats)
    maker = _maker(known, noise)
    made = [maker.make(case, variant) for case in known for variant in variants]
    short = tuple(m for m in made if isinstance(m, Shortage))
    answers = (len(made) - len(short)) * repeats
    calls = answers * CALLS_PER_VERDICT
    price = None if price_answer is None else answers * price_answer + calls * price_judge_call
    return Plan(len(known), tuple(variants), repeats, answers, calls, short, price)


def run_evaluation(
    cases: Sequence[EvalCase],
    answer: Answer,
    judge: AnswerJudge,
    *,
    pipeline: str,
    variants: Sequence[Variant] = DAILY,
    noise: NoiseMaker | NoiseSettings | None = None,
    retrieve: Retrieve | None = None,
    repeats: int = 1,
    concurrency: int = 8,
    cache: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> EvalReport:
    """Show every case to the application under every variant, and judge what it answers.

    Args:
        answer: the application: ``(question, contexts) -> answer``, plain or async; contexts are ``Chunk`` objects.
        pipeline: names everything the answers depend on (model, prompt, retriever, thresholds). A gate compares it.
        variants: :data:`DAILY`, :data:`WEEKLY`, or others; v0 is always among them.
        noise: a maker, or settings for one that draws from the contexts of all cases.
        retrieve: brings the contexts of cases that have none.
        repeats: answers to each, kept apart in the cache.
        concurrency: answers and verdicts in flight.
        cache: a folder that keeps answers and verdicts; None: nothing is kept, and nothing can be resumed.
        progress: show a progress bar.

    Raises:
        ValueError: no case, the same id twice, an unknown variant; the message names it.
    """
    variants = tuple(dict.fromkeys(("v0", *variants)))
    known = [with_keypoints(case) for case in _usable(cases, variants, repeats)]
    if retrieve is not None:
        known = [_retrieved(case, retrieve) for case in known]
    maker = _maker(known, noise)
    made = [maker.make(case, variant) for case in known for variant in variants]
    tasks = [(m, repeat) for m in made if isinstance(m, Shown) for repeat in range(repeats)]
    by_id = {case.id: case for case in known}
    kept = DiskCache(Path(cache) / "evaluation.sqlite3", CACHE_BYTES) if cache is not None else None
    with _asynchronous(answer) as plain:
        worker = _Worker(plain, judge, pipeline, kept)
        outcomes = _all(tasks, lambda task: worker.outcome(by_id[task[0].case_id], *task), concurrency, progress)
    return EvalReport(
        pipeline=pipeline,
        judge=judge.fingerprint,
        variants=variants,
        repeats=repeats,
        noise={k: list(v) if isinstance(v, tuple) else v for k, v in asdict(maker.settings).items()},
        corpus=maker.corpus.fingerprint,
        cases=tuple(known),
        outcomes=tuple(outcomes),
        short=tuple(m for m in made if isinstance(m, Shortage)),
    )


def _usable(cases: Sequence[EvalCase], variants: Sequence[Variant], repeats: int) -> list[EvalCase]:
    if not cases:
        raise ValueError("cases: there is none")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise ValueError(f"cases: the id {case.id!r:.60} is used twice")
        seen.add(case.id)
    unknown = [v for v in variants if v not in VARIANTS]
    if unknown:
        raise ValueError(f"variants: expected some of {', '.join(VARIANTS)}, got {unknown[0]!r:.60}")
    if repeats < 1:
        raise ValueError(f"repeats: must be 1 or more, got {repeats}")
    return list(cases)


def _maker(cases: Sequence[EvalCase], noise: NoiseMaker | NoiseSettings | None) -> NoiseMaker:
    return noise if isinstance(noise, NoiseMaker) else NoiseMaker.of_cases(cases, noise)


def _retrieved(case: EvalCase, retrieve: Retrieve) -> EvalCase:
    if case.contexts:
        return case
    found = [c for c in (coerce(item, []) for item in retrieve(case.question)) if c is not None and c.text.strip()]
    return replace(case, contexts=tuple(c if c.id else replace(c, id=f"c{i}") for i, c in enumerate(found, 1)))


def _all(
    tasks: Sequence[Any], work: Callable[[Any], Outcome], concurrency: int, progress: bool
) -> list[Outcome]:
    """The outcomes in the order of the tasks, however they end; the first error of ours ends the run."""
    from rich.progress import Progress

    bar = Progress(transient=True, disable=not progress)
    with bar, ThreadPoolExecutor(max(1, concurrency), "ragclean-evaluation") as pool:
        shown = bar.add_task("evaluate", total=len(tasks))
        futures: list[Future[Outcome]] = [pool.submit(work, task) for task in tasks]
        for future in futures:
            future.add_done_callback(lambda _: bar.advance(shown))
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def _asynchronous(answer: Answer) -> Any:
    """The application as a plain function. An async one runs on one loop of its own, as its clients expect."""
    if not (inspect.iscoroutinefunction(answer) or inspect.iscoroutinefunction(type(answer).__call__)):
        yield answer
        return
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="ragclean-evaluation-loop", daemon=True)
    thread.start()

    def plain(question: str, contexts: Sequence[Chunk]) -> str:
        made: Any = answer(question, contexts)
        return str(asyncio.run_coroutine_threadsafe(made, loop).result())

    try:
        yield plain
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Worker:
    """One answer after another, each looked up before it is asked for."""

    def __init__(
        self, answer: Callable[[str, Sequence[Chunk]], Any], judge: AnswerJudge, pipeline: str, kept: DiskCache | None
    ) -> None:
        self._answer, self._judge, self._pipeline, self._kept = answer, judge, pipeline, kept

    def outcome(self, case: EvalCase, shown: Shown, repeat: int) -> Outcome:
        """Never raises for what the application or the judge does: that is counted as failed, not as wrong."""
        given, failed = self._answered(case, shown, repeat)
        judgement = Judgement(failed="there is no answer") if failed else self._judged(case, shown, given, repeat)
        return Outcome(shown, given, judgement, score(case, judgement), repeat, failed)

    def _answered(self, case: EvalCase, shown: Shown, repeat: int) -> tuple[str, str]:
        key = _key("answer", self._pipeline, case.question, [_content(c) for c in shown.contexts], repeat)
        known = self._kept.get(key) if self._kept is not None else None
        if known is not None:
            return known, ""
        try:
            given = self._answer(case.question, shown.contexts)
        except Exception as error:
            logger.warning("case %s, %s: the application failed: %r", case.id, shown.variant, error)
            return "", f"{type(error).__name__}: {error}"[:_QUOTED]
        if not isinstance(given, str):
            return "", f"expected a string, got {type(given).__name__}"
        if self._kept is not None:
            self._kept.put(key, given)
        return given, ""

    def _judged(self, case: EvalCase, shown: Shown, given: str, repeat: int) -> Judgement:
        about = [case.question, case.reference, list(case.keypoints), given, [_content(c) for c in shown.trusted]]
        added = [[_content(i.chunk), i.kind] for i in shown.injected]
        key = _key("verdict", self._judge.fingerprint, about, added, repeat)
        known = self._kept.get(key) if self._kept is not None else None
        if known is not None:
            return judgement_from_dict(json.loads(known))
        try:
            judgement = self._judge.judge(case.question, given, case, shown)
        except Exception as error:
            logger.warning("case %s, %s: the judge failed: %r", case.id, shown.variant, error)
            return Judgement(failed=f"{type(error).__name__}: {error}"[:_QUOTED])
        if self._kept is not None and not judgement.failed:  # a failure is asked for again
            self._kept.put(key, json.dumps(asdict(judgement)))
        return judgement


def _content(chunk: Chunk) -> list[Any]:
    return [getattr(chunk, name) for name in _SEEN]


def _key(*parts: Any) -> str:
    written = json.dumps([_FORM, *parts], ensure_ascii=True, sort_keys=True, default=str)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def failures(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many answers failed and why, most frequent first; none of them is counted as 0."""
    reasons: dict[str, int] = {}
    for outcome in outcomes:
        reason = outcome.failed or outcome.judgement.failed
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
