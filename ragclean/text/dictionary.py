"""jieba behind a door: loaded once, silently, without touching the temp folder, safe for threads and forks."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Sequence
from typing import Any

#: The longest run of Han characters handed to jieba in one piece. Its new-word model copies a path for every
#: character of a stretch it does not know, so that time grows with the square of the stretch: this bounds it.
#: Runs without any mark are shorter than this in all but transcripts.
LONGEST_RUN = 120

_lock = threading.Lock()
_loaded: Any = None


def tokenizer() -> Any:
    """jieba's default tokenizer, initialised.

    The dictionary is read from the package, not from the pickle that jieba keeps in the temp folder: reading it
    is as fast (0.7 s), works where that folder is read-only, and cannot be fed by another user of the machine.
    """
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _load()
    return _loaded


def cut_words(runs: Sequence[str]) -> list[str]:
    """The words of runs of Han characters, one after the other; together they are the runs' characters."""
    cut = tokenizer().lcut
    if max(map(len, runs)) <= LONGEST_RUN:
        words: list[str] = cut("\n".join(runs))
        return [word for word in words if word != "\n"]
    bounded = [run[i : i + LONGEST_RUN] for run in runs for i in range(0, len(run), LONGEST_RUN)]
    return [word for word in cut("\n".join(bounded)) if word != "\n"]


def _load() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba
    dt = jieba.dt
    jieba.default_logger.setLevel(60)
    with dt.lock:
        if not dt.initialized:
            dt.FREQ, dt.total = dt.gen_pfdict(dt.get_dict_file())
            dt.initialized = True
    return dt


def _after_fork() -> None:
    """A child forked while another thread was loading would wait for ever on a lock that nobody holds."""
    global _lock
    _lock = threading.Lock()
    if _loaded is None:
        import sys

        jieba = sys.modules.get("jieba")
        if jieba is not None and hasattr(jieba, "dt"):
            jieba.dt.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
