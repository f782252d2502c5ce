"""Many queries over several processes: the same results in the same order as one after another.

Threads gain next to nothing here, since nearly all of the work holds the interpreter's lock. A process costs loading
the library and its models once (some three seconds); ``docs/scaling.md`` has the figures.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragclean.corrector import NoiseCorrector
    from ragclean.result import RefinedContext

#: Queries handed to a process at a time, at most: sending so many costs little beside refining one of them.
_PORTION = 16
#: Portions that each process gets where the number of queries is known, so that none is idle while another has much
#: left to do.
_ROUNDS = 4
#: Portions in flight for each process, so that none waits for the next and a long list is not copied at once.
_AHEAD = 2
#: What a corrector was made of, in the order of its ``__reduce__``.
_PARTS = ("config", "encoder", "judge", "keywords", "count_tokens")

Pair = tuple[str, Any]


def refine_in_processes(
    corrector: NoiseCorrector,
    pairs: Iterable[tuple[str, Any]],
    options: dict[str, Any],
    workers: int,
    total: int | None = None,
) -> Iterator[RefinedContext]:
    """The results in the order of the queries, each as soon as those before it are there.

    No process is left behind: closing the iterator early, or an error, gives up the portions that are not under way and
    waits for those that are.

    Args:
        total: the number of pairs, where it is known: few queries are spread evenly then.

    Raises:
        TypeError: a part of the corrector, an option or a candidate cannot be sent to another process (a judge that is
            a local function, a document that holds a connection ...); the message names it.
        RuntimeError: a worker process ended before its work was done.
        Whatever ``refine`` raises for misuse, at the query that it was raised for.
    """
    packed = _packed(corrector, options)
    size = _PORTION if total is None else max(1, min(_PORTION, -(-total // (workers * _ROUNDS))))
    portions = _portions(pairs, size)
    # Forked processes would share the locks of threads that run now.
    context = multiprocessing.get_context("spawn")
    flying: deque[Future[list[RefinedContext]]] = deque()
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_take, initargs=(packed,))
    try:
        while True:
            for portion in islice(portions, workers * _AHEAD - len(flying)):
                flying.append(pool.submit(_refined, portion))
            if not flying:
                return
            yield from flying.popleft().result()
    except BrokenProcessPool as error:
        raise RuntimeError(
            "workers: a worker process ended before its work was done: it was killed, the memory did not suffice, "
            'or the script that was started lacks its `if __name__ == "__main__":`'
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# -- what is sent


def _packed(corrector: NoiseCorrector, options: dict[str, Any]) -> bytes:
    """Corrector and options as bytes; a fault is looked for part by part."""
    try:
        return pickle.dumps((corrector, options))
    except Exception as error:
        parts = dict(zip(_PARTS, corrector.__reduce__()[1], strict=False))
        for name, value in (*parts.items(), *options.items()):
            fault = _fault(value)
            if fault is not None:
                raise _unsendable(name, fault) from error
        raise _unsendable("the corrector", error) from error


def _portions(pairs: Iterable[tuple[str, Any]], size: int) -> Iterator[bytes]:
    """Queries with their candidates as bytes, ``size`` at a time: what cannot be sent is found here, by its place."""
    numbers, source = count(), iter(pairs)
    while portion := [(query, _at_rest(given)) for query, given in islice(source, size)]:
        places = list(islice(numbers, len(portion)))
        try:
            packed = pickle.dumps(portion)
        except Exception as error:
            for place, (_, given) in zip(places, portion, strict=True):
                fault = _fault(given)
                if fault is not None:
                    raise _unsendable(f"candidates[{place}]", fault) from error
            raise _unsendable(f"queries[{places[0]}..{places[-1]}]", error) from error
        yield packed


def _at_rest(given: Any) -> Any:
    """Candidates that can be sent: a generator is read, and what ``refine`` refuses is left for it to refuse."""
    refused = isinstance(given, (str, bytes)) or hasattr(given, "keys") or not isinstance(given, Iterable)
    return given if refused else tuple(given)


def _fault(value: Any) -> Exception | None:
    try:
        pickle.dumps(value)
    except Exception as error:
        return error
    return None


def _unsendable(name: str, error: Exception) -> TypeError:
    return TypeError(f"workers: {name} cannot be sent to another process: {error}")


# -- in the other process

#: The corrector's bytes of this process, and the corrector itself from the first portion on.
_here: dict[str, Any] = {}


def _take(packed: bytes) -> None:
    """Keep the corrector for later: an error raised here would reach nobody."""
    _here["packed"] = packed


def _refined(portion: bytes) -> list[RefinedContext]:
    """Results of a portion. The corrector is made once, so that its memory of texts serves all portions."""
    if "made" not in _here:
        try:
            _here["made"] = pickle.loads(_here["packed"])
        except Exception as error:
            raise RuntimeError(
                f"workers: the corrector cannot be made in another process: {type(error).__name__}: {error}"
            ) from error
    corrector, options = _here["made"]
    pairs: Sequence[Pair] = pickle.loads(portion)
    return [corrector.refine(query, given, **options) for query, given in pairs]
