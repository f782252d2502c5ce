"""A pool of chunks to draw noise from: encoded once, kept on disk, compared on the encoder's profile scale."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragclean.screen import coerce
from ragclean.signals.base import FloatArray, SemanticEncoder
from ragclean.signals.loading import load_encoder
from ragclean.signals.profile import measure_profile
from ragclean.types import Chunk

#: Texts encoded at a time: a hundred thousand need no more memory than their vectors.
_BATCH = 2048
#: Shares of a corpus at which its similarities to a question are shown.
QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)


class Corpus:
    """Chunks with their vectors.

    Args:
        chunks: anything that ``refine`` takes as candidates; those without text are left out.
        encoder: as for ``NoiseCorrector``.
        cache: a folder that keeps the vectors, by content and encoder; a corpus that was encoded before is mapped from
            there and not read into memory. None: nothing is kept.

    Raises:
        ValueError: no chunk has text.
    """

    def __init__(
        self, chunks: Iterable[Any], *, encoder: SemanticEncoder | str | None = None,
        cache: str | os.PathLike[str] | None = None,
    ) -> None:  # fmt: skip
        read = (coerce(chunk, []) for chunk in chunks)
        self.chunks: tuple[Chunk, ...] = tuple(c for c in read if c is not None and c.text.strip())
        if not self.chunks:
            raise ValueError("corpus: no chunk has text")
        self._encoder = load_encoder(encoder)
        self._profile = measure_profile(self._encoder)
        self.fingerprint = self._fingerprint()
        """Changes when a text or the encoder does."""
        self.vectors: FloatArray = self._load(Path(cache)) if cache is not None else self._encode()
        """(n, d), L2-normalised."""

    def __len__(self) -> int:
        return len(self.chunks)

    def nearest(self, question: str, n: int) -> NDArray[np.intp]:
        """The ``n`` chunks nearest to a question by the cosine of mean vectors, nearest first."""
        cosines = self.vectors @ self._encoder.encode_queries([question])[0]
        n = min(n, len(cosines))
        top = np.argpartition(-cosines, n - 1)[:n]
        return np.asarray(top[np.lexsort((top, -cosines[top]))], np.intp)

    def similarities(self, question: str, rows: Sequence[int] | NDArray[np.intp]) -> FloatArray:
        """(len(rows),) similarity of question and chunks on 0..1: the median of unrelated text is 0, identity 1."""
        texts = [self.chunks[i].text for i in rows]
        if not texts:
            return np.zeros(0, np.float32)
        score: Callable[[str, Sequence[str]], FloatArray] | None = getattr(self._encoder, "score", None)
        if callable(score):
            return self._profile.passage(score(question, texts))
        raw = np.asarray(self.vectors[np.asarray(rows, np.intp)]) @ self._encoder.encode_queries([question])[0]
        return self._profile.passage(raw)

    def _fingerprint(self) -> str:
        digest = hashlib.sha256(self._encoder.fingerprint.encode("utf-8", "backslashreplace"))
        for chunk in self.chunks:
            raw = chunk.text.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        return digest.hexdigest()[:24]

    def _encode(self) -> FloatArray:
        texts = [c.text for c in self.chunks]
        parts = [self._encoder.encode_passages(texts[i : i + _BATCH]) for i in range(0, len(texts), _BATCH)]
        return np.concatenate(parts).astype(np.float32, copy=False)

    def _load(self, folder: Path) -> FloatArray:
        """Mapped from the folder, encoded first where it is not there; another process may do the same at once."""
        file = folder / f"corpus-{self.fingerprint}.npy"
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            part = file.with_name(f"{file.name}.{os.getpid()}.part")
            with part.open("wb") as out:
                np.save(out, self._encode())
            part.replace(file)
        mapped: FloatArray = np.load(file, mmap_mode="r", allow_pickle=False)
        if mapped.ndim != 2 or len(mapped) != len(self):
            raise ValueError(f"corpus: {file} does not hold the vectors of this corpus; delete it")
        return mapped
