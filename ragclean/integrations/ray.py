"""Many machines: refining a Ray dataset, and evaluating over a Ray cluster (extra ``ray``).

One corrector an actor, which keeps its models and its memory of texts for all rows it gets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector

if TYPE_CHECKING:
    import ray.data

    from ragclean.evaluation import AnswerJudge, EvalCase, EvalReport, NoiseSettings
    from ragclean.evaluation.running import Answer

__all__ = ["evaluate_on_ray", "refine_dataset"]

_PIP_LINE = 'pip install "ragclean[ray]"'
#: Cases an actor gets at a time: a lost machine costs that many again, without a shared cache.
_SHARD = 25


class _Refiner:
    """An actor: rows in, rows with ``context``, ``kept``, ``warnings`` and ``trace`` out."""

    def __init__(self, config: Mapping[str, Any], parts: Mapping[str, Any], options: Mapping[str, Any],
                 query: str, candidates: str) -> None:  # fmt: skip
        self._corrector = NoiseCorrector(config=CorrectorConfig.from_dict(config), **parts)
        self._options, self._query, self._candidates = dict(options), query, candidates

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        given = row[self._candidates]
        candidates = json.loads(given) if isinstance(given, str) else list(given)
        found = self._corrector.refine(row[self._query], candidates, **self._options)
        return {
            **row, "context": found.text, "kept": [c.id for c in found.chunks],
            "warnings": [str(w) for w in found.warnings], "trace": found.to_json(),
        }  # fmt: skip


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
    **options: Any,
) -> ray.data.Dataset:
    """A dataset of queries with their candidates, refined; lazily, as Ray does it.

    Rows keep their columns, in their order where Ray is told to preserve it, and get ``context`` (the text), ``kept``
    (chunk ids), ``warnings`` and ``trace`` (JSON of the whole result; ``RefinedContext.from_json`` reads it).

    Args:
        query, candidates: columns: a string; a list of strings or mappings, or JSON of one, where chunks have
            different fields.
        actors: correctors at work, each with ``cpus``.
        encoder, judge: as for ``NoiseCorrector``: names, or objects that can be pickled.
        options: as for ``refine``: ``top_k``, ``as_of``, ``max_tokens`` ...

    Raises:
        ImportError: ray is missing; the message has the pip line.
    """
    _ray()
    from ray.data import ActorPoolStrategy

    made = (config or CorrectorConfig()).to_dict()
    arguments = (made, {"encoder": encoder, "judge": judge}, options, query, candidates)
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
    actors: int = 2,
    cpus: float = 1.0,
    concurrency: int = 8,
    cache: str | None = None,
) -> EvalReport:
    """The report that ``run_evaluation`` gives, with the cases spread over a Ray cluster.

    Noise is drawn from the contexts of all cases, as there. There is no self-check: make one with ``self_check``.

    Args:
        make: makes application and judge, once an actor; it is sent to the actors, so it has to be picklable.
        cache: a folder that all machines see; None: a lost machine's answers are asked for again.

    Raises:
        ImportError: ray is missing.
        ValueError: as ``run_evaluation``.
    """
    ray = _ray()
    from ragclean.evaluation.cases import with_keypoints
    from ragclean.evaluation.merging import merge_reports
    from ragclean.evaluation.noise import NoiseMaker

    known = [with_keypoints(case) for case in cases]
    shared = ray.put((NoiseMaker.of_cases(known, noise), make))

    class Evaluator:
        def __init__(self, given: Any) -> None:
            self._noise, made = given
            self._answer, self._judge = made()

        def run(self, part: Sequence[EvalCase]) -> EvalReport:
            from ragclean.evaluation.running import run_evaluation

            return run_evaluation(
                part, self._answer, self._judge, pipeline=pipeline, variants=variants, noise=self._noise,
                concurrency=concurrency, cache=cache,
            )  # fmt: skip

    remote = ray.remote(num_cpus=cpus)(Evaluator)
    shards = [known[i : i + _SHARD] for i in range(0, len(known), _SHARD)]
    pool = ray.util.ActorPool([remote.remote(shared) for _ in range(min(actors, max(len(shards), 1)))])
    return merge_reports(list(pool.map(lambda actor, part: actor.run.remote(part), shards)))


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ImportError(f"this needs ray: {_PIP_LINE}") from error
    return ray
