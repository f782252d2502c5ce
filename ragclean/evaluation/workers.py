"""Threads of a run: tasks in order, equal calls made once, and a loop for applications that are async.

The threads are daemons: a call that hangs keeps neither Ctrl-C nor the end of the process waiting.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import queue
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from ragclean.memo import Memo

T = TypeVar("T")
R = TypeVar("R")

#: Seconds that a run which was stopped waits for calls in flight: they are paid for, and most end within this.
GRACE = 2.0
#: Seconds between looks at whether Ctrl-C came, where the system does not wake a waiting thread for it (Windows).
_LOOK = 0.2


def in_order(
    tasks: Sequence[T], work: Callable[[T], R], threads: int, done: Callable[[], None] = lambda: None
) -> list[R]:
    """The results of all tasks, in their order, ``threads`` of them at a time.

    What ``work`` raises, and Ctrl-C, end it: no further task begins, those in flight get :data:`GRACE` seconds to
    come to their end, and the exception is raised.

    Args:
        done: called in the calling thread after each task.
    """
    results: dict[int, R] = {}
    failed: list[BaseException] = []
    stop = threading.Event()
    numbers: queue.SimpleQueue[int] = queue.SimpleQueue()
    ended: queue.SimpleQueue[None] = queue.SimpleQueue()
    for number in range(len(tasks)):
        numbers.put(number)

    def labour() -> None:
        while not stop.is_set():
            try:
                number = numbers.get_nowait()
            except queue.Empty:
                return
            try:
                results[number] = work(tasks[number])
            except BaseException as error:
                failed.append(error)
                stop.set()
            ended.put(None)

    crew = [
        threading.Thread(target=labour, name=f"ragclean-evaluation-{i}", daemon=True)
        for i in range(min(threads, len(tasks)))
    ]
    for thread in crew:
        thread.start()
    try:
        left = len(tasks)
        while left and not failed:
            try:
                ended.get(timeout=_LOOK)
            except queue.Empty:
                continue
            left -= 1
            done()
        if failed:
            raise failed[0]
        return [results[number] for number in range(len(tasks))]
    finally:
        stop.set()
        until = time.monotonic() + GRACE
        for thread in crew:
            thread.join(max(until - time.monotonic(), 0.0))


class SingleFlight:
    """Equal calls that would be under way at once are made once; the others wait, and get the same, errors included.

    May be copied and pickled; the copy has no calls under way.
    """

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._flights: dict[Hashable, Future[Any]] = {}

    def __reduce__(self) -> tuple[type[SingleFlight], tuple[()]]:
        return SingleFlight, ()

    def do(self, key: Hashable, call: Callable[[], T]) -> T:
        """What ``call`` returns or raises, or what an equal call under way does."""
        if self._pid != os.getpid():  # the threads whose calls were under way stayed with the parent
            self.__init__()  # type: ignore[misc]
        with self._lock:
            flight = self._flights.get(key)
            mine: Future[Any] | None = None
            if flight is None:
                flight = self._flights[key] = mine = Future()
        if mine is None:
            found: T = flight.result()
            return found
        try:
            made = call()
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(made)
            return made
        finally:
            with self._lock:
                del self._flights[key]


class Once(Generic[T]):
    """Values by key, each made once, in the thread that first wants it; the others wait. Of those that were made
    the ``capacity`` last used are kept.

    May be copied and pickled; the copy begins empty.
    """

    def __init__(self, capacity: int) -> None:
        self._kept: Memo[Hashable, T] = Memo(capacity)
        self._flights = SingleFlight()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key. What ``make`` raises is raised for all who wait for it."""
        return self._flights.do(key, lambda: self._kept.one(key, make))


class Loop:
    """One event loop in a thread of its own, begun with the first awaitable: clients of async applications hold
    connections that belong to one loop.

    Args:
        threads: for what an application runs by ``asyncio.to_thread``, whose usual number depends on the cores.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Event | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Loop:
        return self

    def __exit__(self, *error: object) -> None:
        if self._loop is None or self._closing is None or self._thread is None:
            return
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(GRACE)  # what does not let itself be cancelled is left behind

    def settled(self, given: Any) -> Any:
        """What was given; where it can be awaited, what comes of it."""
        if not inspect.isawaitable(given):
            return given

        async def awaited() -> Any:
            return await given

        return asyncio.run_coroutine_threadsafe(awaited(), self._begun()).result()

    def _begun(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                ready = threading.Event()
                self._thread = threading.Thread(
                    target=lambda: asyncio.run(self._serve(ready)), name="ragclean-evaluation-loop", daemon=True
                )
                self._thread.start()
                ready.wait()
            assert self._loop is not None
            return self._loop

    async def _serve(self, ready: threading.Event) -> None:
        """Until it is closed; ``asyncio.run`` cancels what is still under way then."""
        self._closing = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(self._threads, "ragclean-evaluation-async"))
        self._loop = loop
        ready.set()
        await self._closing.wait()
