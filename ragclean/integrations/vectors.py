"""An encoder of the embeddings that an application has already: stored vectors are used, the rest asked for once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ragclean.memo import Memo
from ragclean.signals.base import FloatArray
from ragclean.signals.profile import Profile

#: Vectors that are kept, by text: some hundred queries with thirty chunks each; 4 kB a vector of 1,024 numbers.
KEPT = 4096

Embed = Callable[[list[str]], Sequence[Sequence[float]]]


class GivenVectors:
    """A :class:`~ragclean.signals.base.SemanticEncoder` over a framework's embedding model.

    It sees the shortlist's chunks only, as every encoder that costs something; sentences are scored by the embedded
    one. What was stored with a document or a query is taken as it is, what was asked for before is remembered, and
    only the rest is embedded.

    Args:
        embed_queries, embed_passages: texts to vectors, in order; called with what is not known yet.
        fingerprint: names the embedding model; scores under different ones are not comparable.
        profile: where similarities of unrelated and of identical texts lie. None: measured once, by embedding some
            two hundred short texts that ship with the library.
    """

    cheap = False

    def __init__(
        self, embed_queries: Embed, embed_passages: Embed, fingerprint: str, *, profile: Profile | None = None
    ) -> None:
        self.fingerprint = f"given:{fingerprint}"
        self.profile = profile
        self._embed = {"query": embed_queries, "passage": embed_passages}
        self._known: Memo[tuple[str, str], FloatArray] = Memo(KEPT)
        self._stored = threading.local()

    def __getstate__(self) -> dict[str, Any]:
        """Without what is remembered."""
        return {"_embed": self._embed, "fingerprint": self.fingerprint, "profile": self.profile}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._known, self._stored = Memo(KEPT), threading.local()

    def store(self, query: tuple[str, Any] | None, passages: Iterable[tuple[str, Any]]) -> None:
        """Take the vectors that come with a query and its passages, for this thread's next call; others are dropped.

        A vector that is none (no numbers, other dimensions than those it is compared with) is left out, and the text
        embedded.
        """
        stored = {("passage", text): v for text, vector in passages if (v := _unit(vector)) is not None}
        if query is not None and (v := _unit(query[1])) is not None:
            stored["query", query[0]] = v
        self._stored.vectors = stored

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """(n, d) float32, L2-normalised."""
        return self._encode("query", texts)

    def encode_passages(self, texts: Sequence[str]) -> FloatArray:
        """(n, d) float32, L2-normalised."""
        return self._encode("passage", texts)

    def _encode(self, side: str, texts: Sequence[str]) -> FloatArray:
        stored: dict[tuple[str, str], FloatArray] = getattr(self._stored, "vectors", {})
        missing = list(dict.fromkeys((side, t) for t in texts if (side, t) not in stored))
        found = dict(zip(missing, self._known.fetch(missing, self._ask), strict=True)) if missing else {}
        rows = [stored.get((side, t), found.get((side, t))) for t in texts]
        sizes = {len(r) for r in rows if r is not None}
        if len(sizes) > 1:  # stored by another model than the one that embeds the rest
            rows = list(self._known.fetch([(side, t) for t in texts], self._ask))
        return np.stack([r for r in rows if r is not None]) if rows else np.zeros((0, 0), np.float32)

    def _ask(self, keys: Sequence[tuple[str, str]]) -> list[FloatArray]:
        vectors = list(self._embed[keys[0][0]]([text for _, text in keys]))
        if len(vectors) != len(keys):
            raise ValueError(f"embeddings: {len(vectors)} vectors for {len(keys)} texts")
        units = [_unit(v) for v in vectors]
        if any(u is None for u in units):
            raise ValueError("embeddings: a vector is empty or holds what is no number")
        return [u for u in units if u is not None]


def _unit(vector: Any) -> FloatArray | None:
    """The vector at length 1; None for what is no vector."""
    if vector is None:
        return None
    try:
        values = np.asarray(vector, np.float32)
    except (TypeError, ValueError):
        return None
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        return None
    norm = float(np.linalg.norm(values))
    return values / np.float32(norm) if norm > 0 else values
