"""jieba behind a door: loaded once, silently, without touching the temp folder, safe for threads and forks."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Sequence
from typing import Any

#: The longest run of Han characters handed to jieba in one piece. Its new-word model copies a path for every
#: character of a stretch it does not know, so that time grows with the square of the stretch: this bounds it.
#: Runs without any mark are shorter than this in all but transcripts.
LONGEST_RUN = 120

#: A longer run is no prose: its words come from the dictionary alone, without the new-word model, whose 12 us a
#: character for what the dictionary lacks would make a megabyte of rare characters take as many seconds.
LONGEST_PROSE = 2_000


class _Door:
    """The one tokenizer of the process, and the lock under which it is loaded."""

    __slots__ = ("loaded", "lock")

    def __init__(self) -> None:
        self.loaded: Any = None
        self.lock = threading.Lock()


_door = _Door()


def tokenizer() -> Any:
    """jieba's default tokenizer, initialised.

    The dictionary is read from the package, not from the pickle that jieba keeps in the temp folder: reading it
    is as fast (0.7 s), works where that folder is read-only, and cannot be fed by another user of the machine.
    """
    if _door.loaded is None:
        with _door.lock:
            if _door.loaded is None:
                _door.loaded = _load()
    return _door.loaded


def cut_words(runs: Sequence[str]) -> list[str]:
    """The words of runs of Han characters, one after the other; together they are the runs' characters."""
    longest = max(map(len, runs))
    if longest <= LONGEST_RUN:
        return _cut(runs)
    words: list[str] = []
    for run in runs:
        pieces = [run[i : i + LONGEST_RUN] for i in range(0, len(run), LONGEST_RUN)]
        words += _cut(pieces, new_words=len(run) <= LONGEST_PROSE)
    return words


def _cut(runs: Sequence[str], *, new_words: bool = True) -> list[str]:
    words: list[str] = tokenizer().lcut("\n".join(runs), HMM=new_words)
    return [word for word in words if word != "\n"]


def _load() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba
    dt = jieba.dt
    with dt.lock:
        if not dt.initialized:
            dt.FREQ, dt.total = dt.gen_pfdict(dt.get_dict_file())
            dt.initialized = True
    return dt


def _after_fork() -> None:
    """A child forked while another thread was loading would wait for ever on a lock that nobody holds."""
    _door.lock = threading.Lock()
    if _door.loaded is None:
        jieba = sys.modules.get("jieba")
        if jieba is not None and hasattr(jieba, "dt"):
            jieba.dt.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
