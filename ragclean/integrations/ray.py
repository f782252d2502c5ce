"""Many machines: refining a Ray dataset, and evaluating over a Ray cluster (extra ``ray``).

One corrector an actor, which keeps its models and its memory of texts for all rows it gets. Ray is started by whoever
uses it (``ray.init``); where it was not, it starts itself with its own defaults.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector

if TYPE_CHECKING:
    import ray.data

    from ragclean.evaluation import AnswerJudge, EvalCase, EvalReport, NoiseSettings
    from ragclean.evaluation.running import Answer

__all__ = ["evaluate_on_ray", "refine_dataset"]

_PIP_LINE = 'pip install "ragclean[ray]"'
#: What is added to a row.
_ADDED = ("context", "kept", "warnings", "trace")
#: Cases an actor gets at a time: a lost machine costs that many again, without a shared cache.
_SHARD = 25
#: How often an actor is started anew elsewhere, and its cases are given to it again, before a run ends with an error.
_RESTARTS = 3
#: Characters of a query that an error quotes, so that its row can be found.
_QUOTED = 60


class _Refiner:
    """An actor: rows in, rows with ``context``, ``kept``, ``warnings`` and ``trace`` out."""

    def __init__(self, config: Mapping[str, Any], parts: Mapping[str, Any], options: Mapping[str, Any],
                 query: str, candidates: str) -> None:  # fmt: skip
        self._corrector = NoiseCorrector(config=CorrectorConfig.from_dict(config), **parts)
        self._options, self._query, self._candidates = dict(options), query, candidates

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        for name in (self._query, self._candidates):
            if name not in row:
                raise ValueError(f"dataset: it has no column {name!r:.60}; it has {', '.join(sorted(row))}")
        taken = [name for name in _ADDED if name in row]
        if taken:
            raise ValueError(f"dataset: its column {taken[0]!r} would be lost; rename it")
        query = row[self._query]
        found = self._corrector.refine(query, self._read(row[self._candidates], query), **self._options)
        return {
            **row, "context": found.text, "kept": [c.id for c in found.chunks],
            "warnings": [str(w) for w in found.warnings], "trace": found.to_json(),
        }  # fmt: skip

    def _read(self, given: Any, query: Any) -> list[Any]:
        """Candidates of a column: JSON of a list, or the list itself, in which a field that a chunk lacks is None."""
        where = f"{self._candidates}: at the query {query!s:.{_QUOTED}}"
        if isinstance(given, (str, bytes)):
            try:
                given = json.loads(given)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{where}: neither a list nor JSON of one: {error}") from None
        if isinstance(given, Mapping) or not hasattr(given, "__iter__") or isinstance(given, str):
            raise ValueError(f"{where}: expected a list of chunks, got {type(given).__name__}")
        return [_without_gaps(item) for item in given]


def _without_gaps(item: Any) -> Any:
    """A table has every field in every row, and fills what a chunk lacks with None."""
    return {k: v for k, v in item.items() if v is not None} if isinstance(item, Mapping) else item


def refine_dataset(
    dataset: ray.data.Dataset,
    *,
    config: CorrectorConfig | None = None,
    query: str = "query",
    candidates: str = "candidates",
    actors: int = 2,
    cpus: float = 1.0,
    encoder: Any = None,
    judge: Any = None,
    keywords: Any = None,
    count_tokens: Callable[[str], int] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """A dataset of queries with their candidates, refined; lazily, as Ray does it.

    Rows keep their columns, in their order where Ray is told to preserve it, and get ``context`` (the text), ``kept``
    (chunk ids), ``warnings`` and ``trace`` (JSON of the whole result; ``RefinedContext.from_json`` reads it).

    Args:
        query, candidates: columns: a string; a list of strings or mappings, or JSON of one, where chunks have
            different fields.
        actors: correctors at work, each with ``cpus``.
        encoder, judge, keywords, count_tokens: as for ``NoiseCorrector``: names, or objects that can be pickled.
        options: as for ``refine``: ``top_k``, ``as_of``, ``max_tokens`` ...; without ``as_of`` a run over midnight
            judges by two days.

    Raises:
        ImportError: ray is missing; the message has the pip line.
        ValueError: ``actors`` is below 1.

    While the dataset is read, Ray raises its own error with ours inside it: a column is missing or would be lost, the
    candidates of a row cannot be read, or ``refine`` refuses an option.
    """
    _ray()
    from ray.data import ActorPoolStrategy

    _at_least_one("actors", actors)
    made = (config or CorrectorConfig()).to_dict()
    parts = {"encoder": encoder, "judge": judge, "keywords": keywords, "count_tokens": count_tokens}
    arguments = (made, parts, options, query, candidates)
    found: ray.data.Dataset = dataset.map(
        _Refiner, fn_constructor_args=arguments, compute=ActorPoolStrategy(size=actors), num_cpus=cpus
    )
    return found


def evaluate_on_ray(
    cases: Sequence[EvalCase],
    make: Callable[[], tuple[Answer, AnswerJudge]],
    *,
    pipeline: str,
    variants: Sequence[Any] = ("v0", "v3"),
    noise: NoiseSettings | None = None,
    repeats: int = 1,
    actors: int = 2,
    cpus: float = 1.0,
    concurrency: int = 8,
    cache: str | None = None,
) -> EvalReport:
    """The report that ``run_evaluation`` gives, with the cases spread over a Ray cluster.

    Noise is drawn from the contexts of all cases, as there. There is no self-check: make one with ``self_check``. An
    actor that is lost is started again elsewhere, three times at most.

    Args:
        make: makes application and judge, once an actor; it is sent to the actors, so it has to be picklable.
        repeats, concurrency: as for ``run_evaluation``; ``concurrency`` is of each actor.
        cache: a folder that all machines see; None: a lost machine's answers are asked for again.

    Raises:
        ImportError: ray is missing.
        ValueError: as ``run_evaluation``, or ``actors`` is below 1.
    """
    ray = _ray()
    from ragclean.evaluation.cases import with_keypoints
    from ragclean.evaluation.merging import merge_reports
    from ragclean.evaluation.noise import NoiseMaker
    from ragclean.evaluation.running import plan_run

    _at_least_one("actors", actors)
    plan_run([replace(case, contexts=()) for case in cases], variants, repeats=repeats)  # for its checks alone
    known = [with_keypoints(case) for case in cases]
    maker = NoiseMaker.of_cases(known, noise) if any(case.contexts for case in known) else noise
    shared = ray.put((maker, make))

    class Evaluator:
        def __init__(self, given: Any) -> None:
            self._noise, made = given
            self._answer, self._judge = made()

        def run(self, part: Sequence[EvalCase]) -> EvalReport:
            from ragclean.evaluation.running import run_evaluation

            return run_evaluation(
                part, self._answer, self._judge, pipeline=pipeline, variants=variants, noise=self._noise,
                repeats=repeats, concurrency=concurrency, cache=cache,
            )  # fmt: skip

    remote = ray.remote(num_cpus=cpus, max_restarts=_RESTARTS, max_task_retries=_RESTARTS)(Evaluator)
    shards = [known[i : i + _SHARD] for i in range(0, len(known), _SHARD)]
    pool = ray.util.ActorPool([remote.remote(shared) for _ in range(min(actors, len(shards)))])
    merged = merge_reports(list(pool.map(lambda actor, part: actor.run.remote(part), shards)))
    return replace(merged, warnings=_whole_warnings(merged))


def _whole_warnings(merged: EvalReport) -> tuple[str, ...]:
    """What a run of all cases would have said of those without contexts, in the place of what each part said."""
    from ragclean.evaluation.running import _bare

    return _bare(merged.cases, "there is no retriever")


def _at_least_one(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name}: must be a whole number from 1 on, got {value!r:.60}")


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ImportError(f"this needs ray: {_PIP_LINE}") from error
    return ray
