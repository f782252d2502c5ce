"""What stands between retrieval and the model: the corrector, a plain vector rerank, or nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from threading import Lock
from typing import Any

import numpy as np

from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.records import EvalCase
from ragclean.evaluation.running import Answer
from ragclean.signals.base import SemanticEncoder
from ragclean.signals.loading import load_encoder
from ragclean.types import Chunk

Cleaner = Callable[[str, Sequence[Chunk]], Sequence[Chunk]]
"""``(question, contexts) -> what the model reads``."""

#: Contexts whose cleaned form is kept: five variants of a thousand cases.
_KEPT = 5000
#: What a setting names that is no field of a configuration.
TOP_K = "top_k"


def raw(question: str, contexts: Sequence[Chunk]) -> Sequence[Chunk]:
    """Nothing is done: the contexts as they came."""
    return contexts


@dataclass(frozen=True)
class VectorRerank:
    """The ``top_k`` contexts nearest to the question by their vectors' cosine, nearest first: the usual rerank."""

    top_k: int = 5
    encoder: SemanticEncoder | str | None = None

    @property
    def fingerprint(self) -> str:
        return f"vector-rerank:{load_encoder(self.encoder).fingerprint}:{self.top_k}"

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> Sequence[Chunk]:
        if not contexts:
            return contexts
        encoder = load_encoder(self.encoder)
        vectors = encoder.encode_passages([c.text for c in contexts])
        nearness = np.asarray(vectors) @ np.asarray(encoder.encode_queries([question])[0])
        return [contexts[i] for i in np.argsort(-nearness, kind="stable")[: self.top_k]]


class Corrected:
    """What :class:`NoiseCorrector` leaves of the contexts: kept chunks with their kept sentences.

    Args:
        corrector: None for one with the defaults.
        top_k: chunks that come out at most.
        cases: whose ``as_of`` a question is judged by; others are judged by today.
    """

    def __init__(
        self, corrector: NoiseCorrector | None = None, *, top_k: int = 5, cases: Iterable[EvalCase] = ()
    ) -> None:
        self.corrector, self.top_k = corrector or NoiseCorrector(), top_k
        self._days = {case.question: case.as_of for case in cases if case.as_of}

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> Sequence[Chunk]:
        found = self.corrector.refine(question, contexts, top_k=self.top_k, as_of=self._days.get(question))
        if found.mode == "observe":
            return contexts
        return [replace(kept.chunk, text=kept.text) for kept in found.chunks]

    @property
    def fingerprint(self) -> str:
        return f"corrected:{self.corrector.refine('', []).fingerprint}:{self.top_k}"


def corrected_by(
    settings: Mapping[str, Any], corrector: NoiseCorrector | None = None, cases: Iterable[EvalCase] = ()
) -> Corrected:
    """The corrector under settings: ``top_k`` and fields of its configuration (``admission_threshold`` ...).

    Raises:
        ValueError: a setting is neither, or its value is out of range; the message names it.
    """
    known = {f.name for f in fields(CorrectorConfig)}
    changes = {name: value for name, value in settings.items() if name != TOP_K}
    strange = sorted(set(changes) - known)
    if strange:
        raise ValueError(f"settings: {strange[0]!r} is neither {TOP_K!r} nor a field of CorrectorConfig")
    base = corrector or NoiseCorrector()
    made = base.with_config(base.config.with_changes(**changes)) if changes else base
    top_k = settings.get(TOP_K, 5)
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 1:
        raise ValueError(f"settings: {TOP_K} is a whole number from 1 on, got {top_k!r:.60}")
    return Corrected(made, top_k=top_k, cases=cases)


class Kept:
    """A cleaner that cleans the same contexts once: the same instance serves answers and figures. Thread safe."""

    def __init__(self, clean: Cleaner) -> None:
        self._clean, self._found, self._lock = clean, OrderedDict[Any, tuple[Chunk, ...]](), Lock()

    @property
    def fingerprint(self) -> str:
        """Of the cleaner inside."""
        return version_of(self._clean)

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> tuple[Chunk, ...]:
        key = (question, tuple(contexts))
        with self._lock:
            known = self._found.get(key)
        if known is None:
            known = tuple(self._clean(question, contexts))
            with self._lock:
                self._found[key] = known
                while len(self._found) > _KEPT:
                    self._found.popitem(last=False)
        return known


def version_of(clean: Cleaner) -> str:
    """What distinguishes the outcomes of a cleaner: its ``fingerprint``, or its name."""
    found = getattr(clean, "fingerprint", None)
    return found if isinstance(found, str) else getattr(clean, "__qualname__", type(clean).__name__)


def cleaned(answer: Answer, clean: Cleaner) -> Answer:
    """The application behind a cleaner; an async one stays async."""
    import inspect

    if inspect.iscoroutinefunction(answer) or inspect.iscoroutinefunction(type(answer).__call__):

        async def later(question: str, contexts: Sequence[Chunk]) -> str:
            made: Any = answer(question, clean(question, contexts))
            return str(await made)

        return later
    return lambda question, contexts: answer(question, clean(question, contexts))
