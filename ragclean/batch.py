"""Many queries over several processes: the same results in the same order as one after another.

Threads gain nothing here, since nearly all of the work holds the interpreter's lock. A process costs the loading of the
models once (some tenths of a second), so that processes pay from some hundred queries on.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragclean.corrector import NoiseCorrector
    from ragclean.result import RefinedContext

#: Queries handed to a process at a time: sending them costs little beside refining them.
_PORTION = 16
#: Portions in flight for each process, so that none waits for the next and a long list is not copied at once.
_AHEAD = 2

Pair = tuple[str, Sequence[Any]]


def refine_in_processes(
    corrector: NoiseCorrector, pairs: Iterable[tuple[str, Iterable[Any]]], options: dict[str, Any], workers: int
) -> Iterator[RefinedContext]:
    """The results in the order of the queries, each as soon as those before it are there.

    Raises:
        TypeError: corrector or options cannot be sent to another process (a judge that is a local function ...).
        Whatever ``refine`` raises for misuse.
    """
    try:
        packed = pickle.dumps((corrector, options))
    except Exception as error:
        raise TypeError(f"workers: the corrector cannot be sent to another process: {error}") from error
    # Forked processes would share the locks of threads that run now.
    context = multiprocessing.get_context("spawn")
    source = ((query, list(chunks)) for query, chunks in pairs)
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        flying: list[Future[list[RefinedContext]]] = []
        try:
            while True:
                while len(flying) < workers * _AHEAD and (portion := list(islice(source, _PORTION))):
                    flying.append(pool.submit(_refined, packed, portion))
                if not flying:
                    return
                yield from flying.pop(0).result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> tuple[NoiseCorrector, dict[str, Any]]:
    """The corrector of this process: made once, so that its memory of texts serves all portions."""
    made: tuple[NoiseCorrector, dict[str, Any]] = pickle.loads(packed)
    return made


def _refined(packed: bytes, portion: Sequence[Pair]) -> list[RefinedContext]:
    corrector, options = _unpacked(packed)
    return [corrector.refine(query, chunks, **options) for query, chunks in portion]
