"""A bounded memory of what was computed for a text: least recently used out first, thread- and fork-safe."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memo(Generic[K, V]):
    """Values by key, at most ``capacity`` of them; or, with ``size``, keys whose sizes add up to ``capacity``.

    May be copied and pickled; the copy begins empty.
    """

    def __init__(self, capacity: int, size: Callable[[K], int] | None = None) -> None:
        self._capacity = capacity
        self._weigh = size
        self._total = 0
        self._items: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self.hits = 0
        self.misses = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return Memo, (self._capacity, self._weigh)

    def one(self, key: K, make: Callable[[], V]) -> V:
        """The value of one key; ``make`` is called, outside the lock, where it is not yet known."""
        with self._own_lock():
            value = self._items.get(key)
            if value is not None:
                self._items.move_to_end(key)
                self.hits += 1
                return value
        made = make()
        with self._own_lock():
            self.misses += 1
            self._keep(key, made)
        return made

    def fetch(self, keys: Sequence[K], make: Callable[[list[K]], Sequence[V]]) -> list[V]:
        """The values of ``keys``, in order; ``make`` is called once with the distinct keys not yet known."""
        found: dict[K, V] = {}
        with self._own_lock():
            for key in keys:
                value = self._items.get(key)
                if value is not None:
                    self._items.move_to_end(key)
                    found[key] = value
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            made = dict(zip(missing, make(missing), strict=True))
            found.update(made)
            with self._own_lock():
                for key, value in made.items():
                    self._keep(key, value)
        return [found[key] for key in keys]

    def _keep(self, key: K, value: V) -> None:
        if key not in self._items:
            self._total += self._size(key)
        self._items[key] = value
        while self._total > self._capacity:
            self._total -= self._size(self._items.popitem(last=False)[0])

    def _size(self, key: K) -> int:
        return 1 if self._weigh is None else self._weigh(key)

    def __len__(self) -> int:
        return len(self._items)

    def _own_lock(self) -> threading.Lock:
        """The lock of this process: one that another thread held while the process forked never opens."""
        if self._pid != os.getpid():
            self._lock, self._pid = threading.Lock(), os.getpid()
        return self._lock
