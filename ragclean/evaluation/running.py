"""Run an application over cases and variants: several at once, cached on disk, resumed where it stopped.

Every answer and every verdict is kept on disk as soon as it is there, under a key of everything it depends on. A run
that was killed is started again with the same arguments: it makes the calls that are missing and no other, and ends in
the same report.

What is guaranteed, with a ``cache``: a call that was answered and kept is never made again, by this process, a later
one, or one beside it. Whatever ends the process, even in mid-write, what is lost is at most the call that each of the
``concurrency`` workers had under way. A verdict takes several calls; they are kept one by one by the judge's own
``Endpoint``, which does so unless it was made with ``cache=False``: then a process that dies between them pays for the
first ones again. Failures are never kept: they are asked for again by the next run.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from ragclean.endpoint import Endpoint
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.asking import CACHE_BYTES, LONGEST_ANSWER, Answer, Kept, Retrieve, Worker
from ragclean.evaluation.cases import with_keypoints
from ragclean.evaluation.judging import AnswerJudge
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings, Shortage
from ragclean.evaluation.records import VARIANTS, EvalCase, Outcome, Shown, Variant
from ragclean.evaluation.workers import Loop, Once, in_order

__all__ = [
    "CACHE_BYTES", "CALLS_PER_VERDICT", "DAILY", "LONGEST_ANSWER", "WEEKLY", "Answer", "AnswerJudge", "Plan",
    "Retrieve", "failures", "plan_run", "run_evaluation",
]  # fmt: skip

logger = logging.getLogger(__name__)

#: What is run day by day, and what week by week.
DAILY: tuple[Variant, ...] = ("v0", "v3")
WEEKLY: tuple[Variant, ...] = VARIANTS
#: Judge calls for one answer: support and coverage are asked apart. Where something was injected, support is asked
#: once more of the claims that the trusted contexts do not support.
CALLS_PER_VERDICT = 2
#: Cases that a warning names.
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will take, known before it begins."""

    cases: int
    variants: tuple[Variant, ...]
    repeats: int
    answers: int
    """Calls of the application."""
    judge_calls: int
    """Two for each answer; refusals need none, and equal calls are made once."""
    short: tuple[Shortage, ...]
    """Variants that cannot be made."""
    price: float | None = None
    """In the currency of the prices given."""
    judge_calls_most: int = 0
    """Where every answer to noise makes claims that the trusted contexts do not support: three for each of those."""


def plan_run(
    cases: Sequence[EvalCase],
    variants: Sequence[Variant] = DAILY,
    *,
    noise: NoiseMaker | NoiseSettings | None = None,
    repeats: int = 1,
    retrieved: bool = False,
    price_answer: float | None = None,
    price_judge_call: float = 0.0,
) -> Plan:
    """Count the calls of a run without making one.

    Args:
        retrieved: a retriever will bring the contexts of cases that have none: all their variants are counted.
        price_answer, price_judge_call: of one call of the application and of the judge.

    Raises:
        ValueError: as :func:`run_evaluation`.
    """
    variants = _with_base(variants)
    known = _usable(cases, variants, repeats)
    maker = maker_of(known, noise)
    unknown = Shown("", "v0", ())  # what a retriever brings is not known yet
    made = [
        unknown if retrieved and not case.contexts else _made(maker, with_keypoints(case), variant)
        for case in known
        for variant in variants
    ]
    short = tuple(m for m in made if isinstance(m, Shortage))
    answers = (len(made) - len(short)) * repeats
    calls = answers * CALLS_PER_VERDICT
    noisy = sum(isinstance(m, Shown) and bool(m.injected) for m in made)
    price = None if price_answer is None else answers * price_answer + calls * price_judge_call
    return Plan(len(known), variants, repeats, answers, calls, short, price, calls + noisy * repeats)


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

    What the application, the retriever or the judge raises is a failure of that answer: it is logged, stands in the
    report (:func:`failures`), and counts as nothing, not as 0. Ctrl-C ends the run within seconds; what was answered
    is kept.

    Args:
        answer: the application: ``(question, contexts) -> answer``, plain or async; contexts are ``Chunk`` objects.
            It is called by several threads at once, an async one on one event loop.
        pipeline: names everything the answers depend on (model, prompt, retriever, thresholds). A gate compares it.
        variants: :data:`DAILY`, :data:`WEEKLY`, or others; v0 is always among them.
        noise: a maker, or settings for one that draws from the contexts of all cases.
        retrieve: brings the contexts of cases that have none. Without it such a case is shown nothing under v0, and
            has no other variant but v4.
        repeats: answers to each, kept apart in the cache.
        concurrency: answers and verdicts in flight. An ``Endpoint`` has a bound of its own, 4 unless told otherwise.
        cache: a folder that keeps contexts retrieved, answers and verdicts; None: nothing is kept, and nothing can be
            resumed. A folder that cannot be written to is warned of, and the run goes on.
        progress: show a progress bar.

    Raises:
        ValueError: no case, the same id twice, an unknown variant; the message names it.
    """
    variants = _with_base(variants)
    known = [with_keypoints(case) for case in _usable(cases, variants, repeats)]
    if isinstance(concurrency, bool) or concurrency < 1:
        raise ValueError(f"concurrency: must be 1 or more, got {concurrency!r}")
    judged_by = judge.fingerprint
    _warn_of_slots(concurrency, answer, judge)
    kept = Kept(cache)
    with Loop(concurrency) as loop, kept.session(), _sessions(answer, judge):
        worker = Worker(answer, judge, retrieve, pipeline, kept, loop)
        if retrieve is not None:
            known = in_order(known, worker.with_contexts, concurrency)
        warnings = _bare(known, "there is no retriever" if retrieve is None else "the retriever brought none")
        maker = maker_of(known, noise)
        steps = [(case, variant, repeat) for case in known for variant in variants for repeat in range(repeats)]
        made: Once[Shown | Shortage] = Once(len(steps))  # while calls are under way, by whoever wants it first

        def outcome(step: tuple[EvalCase, Variant, int]) -> Outcome | Shortage:
            case, variant, repeat = step
            shown = made.get((case.id, variant), lambda: _made(maker, case, variant))
            return worker.outcome(shown, case, repeat)

        with _Bar(len(steps), progress) as bar:
            ended = in_order(steps, outcome, concurrency, bar)
    settings = maker.settings if maker else noise if isinstance(noise, NoiseSettings) else NoiseSettings()
    return EvalReport(
        pipeline=pipeline,
        judge=judged_by,
        variants=variants,
        repeats=repeats,
        noise={k: list(v) if isinstance(v, tuple) else v for k, v in asdict(settings).items()},
        corpus=maker.corpus.fingerprint if maker else "",
        cases=tuple(known),
        outcomes=tuple(o for o in ended if isinstance(o, Outcome)),
        short=tuple(dict.fromkeys(s for s in ended if isinstance(s, Shortage))),
        warnings=warnings,
    )


# -- what is asked


def _with_base(variants: Sequence[Variant]) -> tuple[Variant, ...]:
    return tuple(dict.fromkeys(("v0", *variants)))


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


def maker_of(cases: Sequence[EvalCase], noise: NoiseMaker | NoiseSettings | None) -> NoiseMaker | None:
    """The noise maker that was given, or one that draws from the contexts of the cases; None where they have none."""
    if isinstance(noise, NoiseMaker):
        return noise
    return NoiseMaker.of_cases(cases, noise) if any(case.contexts for case in cases) else None


def _made(maker: NoiseMaker | None, case: EvalCase, variant: Variant) -> Shown | Shortage:
    if variant == "v0":
        return Shown(case.id, variant, case.contexts)
    if maker is None or not (case.contexts or variant == "v4"):
        return Shortage(case.id, variant, "the case has no contexts that noise could be put among")
    return maker.make(case, variant)


def _bare(cases: Sequence[EvalCase], why: str) -> tuple[str, ...]:
    """What the report says of cases without contexts; nothing where there are none."""
    bare = [case.id for case in cases if not case.contexts]
    if not bare:
        return ()
    named = ", ".join(f"{name:.60}" for name in bare[:_NAMED]) + (" ..." if len(bare) > _NAMED else "")
    said = f"{len(bare)} of {len(cases)} cases have no contexts ({why}), and are shown nothing: {named}"
    logger.warning("%s", said)
    return (said,)


def _warn_of_slots(concurrency: int, *askers: object) -> None:
    """An endpoint lets fewer requests through than the run makes, and its patience runs out in the queue."""
    for asker in askers:
        slots = getattr(getattr(asker, "endpoint", None), "concurrency", None)
        if isinstance(slots, int) and slots < concurrency:
            logger.warning("concurrency is %d, but %r lets through %d requests at a time", concurrency, asker, slots)


@contextmanager
def _sessions(*askers: object) -> Iterator[None]:
    """The caches of endpoints stay open meanwhile."""
    with ExitStack() as stack:
        for asker in askers:
            endpoint = getattr(asker, "endpoint", None)
            if isinstance(endpoint, Endpoint):
                stack.enter_context(endpoint.session())
        yield


class _Bar:
    """Progress on the terminal, where it is wanted."""

    def __init__(self, total: int, wanted: bool) -> None:
        self._progress: Any = None
        if wanted:
            from rich.progress import Progress

            self._progress = Progress(transient=True)
            self._task = self._progress.add_task("evaluate", total=total)

    def __enter__(self) -> Callable[[], None]:
        if self._progress is None:
            return lambda: None
        self._progress.start()
        return lambda: self._progress.advance(self._task)

    def __exit__(self, *error: object) -> None:
        if self._progress is not None:
            self._progress.stop()


def failures(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many answers failed and why, most frequent first; none of them is counted as 0."""
    reasons: dict[str, int] = {}
    for outcome in outcomes:
        reason = outcome.failed or outcome.judgement.failed
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
