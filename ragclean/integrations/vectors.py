"""An encoder of the embeddings that an application has already: stored vectors are used, the rest asked for once."""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ragclean.memo import Memo
from ragclean.signals.base import FloatArray
from ragclean.signals.profile import Profile, measure_profile

logger = logging.getLogger(__name__)

#: Vectors that are kept, by text: some hundred queries with thirty chunks each; 4 kB a vector of 1,024 numbers.
KEPT = 4096
#: Form of a saved profile.
_SCHEMA = 1
#: Embedded once where a model's size of vectors is asked for and nothing else has told it.
_PROBE = "1"

Embed = Callable[[list[str]], Sequence[Sequence[float]]]


class GivenVectors:
    """A :class:`~ragclean.signals.base.SemanticEncoder` over a framework's embedding model.

    It sees the shortlist's chunks only, as every encoder that costs something; sentences are ranked by the embedded
    one. What was stored with a document or a query is taken as it is, what was asked for before is remembered, and
    only the rest is embedded. Threads do not see each other's stored vectors.

    Args:
        embed_queries, embed_passages: texts to vectors, in order; called with what is not known yet.
        fingerprint: names the embedding model; scores under different ones are not comparable.
        profile: where similarities of unrelated and of identical texts lie, or a file that :meth:`save_profile` wrote.
            None: measured once a process, by embedding some two hundred short texts that ship with the library.
        sentences: beside each whole document its best sentence is compared, which is embedded where it was not before
            (at most one a document of the shortlist). False: whole documents only, so that where all vectors are
            stored nothing is embedded at all.

    Raises:
        ValueError: the profile is none, or was measured for another model; the message names both.
    """

    cheap = False

    def __init__(
        self, embed_queries: Embed, embed_passages: Embed, fingerprint: str, *,
        profile: Profile | str | Path | None = None, sentences: bool = True,
    ) -> None:  # fmt: skip
        self.fingerprint = f"given:{fingerprint}" if sentences else f"given:{fingerprint}:whole"
        self.profile, self._dims = _profile(profile, self.fingerprint)
        self._embed = {"query": embed_queries, "passage": embed_passages}
        self._sentences = sentences
        self._start()

    def _start(self) -> None:
        self._known: Memo[tuple[str, str], FloatArray] = Memo(KEPT)
        self._own = threading.local()

    def __getstate__(self) -> dict[str, Any]:
        """Without what is remembered."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_known", "_own")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    # ------------------------------------------------------------------ profile

    def measured(self) -> Profile:
        """Its profile; measured now, where it was not given and no encoder of this name was measured before."""
        return measure_profile(self)

    def save_profile(self, path: str | Path) -> None:
        """Write the profile as JSON, for ``profile=path`` of later processes, which then measure nothing."""
        data = {"schema": _SCHEMA, "dims": self.dims, **asdict(self.measured())}
        Path(path).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")

    @property
    def dims(self) -> int:
        """Numbers in a vector of the model; embeds one text where nothing has told it yet."""
        if self._dims is None:
            self._known.fetch([("query", _PROBE)], self._ask)
        assert self._dims is not None
        return self._dims

    # ------------------------------------------------------------------ stored vectors

    @contextmanager
    def holding(
        self, query: tuple[str, Any] | None, passages: Iterable[tuple[str, Any]]
    ) -> Iterator[list[tuple[int | None, str]]]:
        """:meth:`store` for the length of a block; gives what :meth:`store` gives."""
        left_out = self.store(query, passages)
        try:
            yield left_out
        finally:
            self.forget()

    def store(
        self, query: tuple[str, Any] | None, passages: Iterable[tuple[str, Any]]
    ) -> list[tuple[int | None, str]]:
        """Take the vectors that come with a query and its passages, for this thread's calls until :meth:`forget`.

        Args:
            query: its text and vector, if there is one.
            passages: text and vector of each; None where there is no vector.

        Returns:
            What was left out, so that the text is embedded: the place among the passages (None: the query), and why.
        """
        left_out: list[tuple[int | None, str]] = []
        held: dict[tuple[str, str], FloatArray] = {}
        pairs = list(passages)
        given = [(None, "query", *query)] if query is not None else []
        read: list[tuple[int | None, str, str, FloatArray]] = []
        for place, side, text, vector in [*given, *((i, "passage", *pair) for i, pair in enumerate(pairs))]:
            if vector is None:
                continue
            unit = _unit(vector)
            if unit is None or not unit.any():
                left_out.append((place, "no vector of finite numbers, or all zero"))
            else:
                read.append((place, side, text, unit))
        size = self._size(read)
        for place, side, text, unit in read:
            if len(unit) == size:
                held[side, text] = unit
            else:
                left_out.append((place, f"{len(unit)} numbers, the model's vectors have {size}"))
        self._own.vectors, self._own.documents = held, {text for text, _ in pairs}
        return left_out

    def forget(self) -> None:
        """Drop what this thread stored."""
        self._own.__dict__.clear()

    def _size(self, read: Sequence[tuple[int | None, str, str, FloatArray]]) -> int:
        """The model's; where it cannot be asked just now, that of most of the stored vectors."""
        if not read:
            return 0
        try:
            return self.dims
        except Exception as error:
            logger.warning("the embedding model did not say how long its vectors are: %s", error)
            return Counter(len(unit) for *_, unit in read).most_common(1)[0][0]

    # ------------------------------------------------------------------ the protocol

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """(n, d) float32, L2-normalised."""
        return self._encode("query", texts)

    def encode_passages(self, texts: Sequence[str]) -> FloatArray:
        """(n, d) float32, L2-normalised; a row of zeros for a sentence that is not to be embedded."""
        return self._encode("passage", texts)

    def _encode(self, side: str, texts: Sequence[str]) -> FloatArray:
        held: Mapping[tuple[str, str], FloatArray] = getattr(self._own, "vectors", {})
        documents = None if self._sentences or side == "query" else getattr(self._own, "documents", None)
        wanted = [t for t in texts if documents is None or t in documents]
        missing = list(dict.fromkeys((side, t) for t in wanted if (side, t) not in held))
        found = dict(zip(missing, self._known.fetch(missing, self._ask), strict=True)) if missing else {}
        rows = [held.get((side, t), found.get((side, t))) for t in texts]
        size = next((len(row) for row in rows if row is not None), self._dims or 0)
        nothing = np.zeros(size, np.float32)
        return np.stack([nothing if row is None else row for row in rows]) if rows else np.zeros((0, size), np.float32)

    def _ask(self, keys: Sequence[tuple[str, str]]) -> list[FloatArray]:
        vectors = list(self._embed[keys[0][0]]([text for _, text in keys]))
        if len(vectors) != len(keys):
            raise ValueError(f"embeddings: {len(vectors)} vectors for {len(keys)} texts")
        units = [unit for unit in map(_unit, vectors) if unit is not None]
        if len(units) < len(vectors):
            raise ValueError("embeddings: a vector is empty or holds what is no number")
        sizes = {len(unit) for unit in units} | ({self._dims} if self._dims is not None else set())
        if len(sizes) > 1:
            raise ValueError(f"embeddings: vectors of different sizes: {sorted(sizes)}")
        self._dims = len(units[0])
        return units


def _unit(vector: Any) -> FloatArray | None:
    """The vector at length 1, a zero one as it is; None for what is no vector."""
    try:
        values = np.asarray(vector, np.float64)
    except Exception:  # strings, ragged lists, tensors on another device
        return None
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        return None
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return np.zeros(values.size, np.float32)
    values = values / largest  # so that no square is out of range
    return np.asarray(values / np.linalg.norm(values), np.float32)


def _profile(given: Profile | str | Path | None, fingerprint: str) -> tuple[Profile | None, int | None]:
    """The profile under the encoder's own fingerprint, and the size of the model's vectors where it is known."""
    if given is None:
        return None, None
    profile, dims = (given, None) if isinstance(given, Profile) else _read_profile(Path(given))
    if profile.fingerprint.removesuffix(":whole") != fingerprint.removesuffix(":whole"):
        raise ValueError(f"profile: measured for {profile.fingerprint!r}, this encoder is {fingerprint!r}")
    return replace(profile, fingerprint=fingerprint), dims


def _read_profile(path: Path) -> tuple[Profile, int]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != _SCHEMA:
            raise ValueError(f"schema {data['schema']!r}, this version reads {_SCHEMA}")
        numbers = {f.name: float(data[f.name]) for f in fields(Profile) if f.name != "fingerprint"}
        if not all(map(np.isfinite, numbers.values())):
            raise ValueError("a value is no finite number")
        return Profile(str(data["fingerprint"]), **numbers), int(data["dims"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"profile: {path}: not what save_profile writes: {error}") from error
