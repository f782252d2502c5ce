"""What stands between retrieval and the model: the corrector, a plain vector rerank, or nothing."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector
from ragclean.evaluation.records import EvalCase
from ragclean.evaluation.running import Answer
from ragclean.evaluation.workers import Once
from ragclean.result import RefinedContext
from ragclean.signals.base import SemanticEncoder
from ragclean.signals.loading import load_encoder
from ragclean.types import Chunk

logger = logging.getLogger(__name__)

Cleaner = Callable[[str, Sequence[Chunk]], Sequence[Chunk]]
"""``(question, contexts) -> what the model reads``."""

#: Contexts whose cleaned form is kept: five variants of a thousand cases.
_KEPT = 5000
#: What a setting names that is no field of a configuration, and the chunks left where nothing else is said: about as
#: many as the prompt of a small reader is given.
TOP_K = "top_k"
TOP = 5


def raw(question: str, contexts: Sequence[Chunk]) -> Sequence[Chunk]:
    """Nothing is done: the contexts as they came."""
    return contexts


@dataclass(frozen=True)
class VectorRerank:
    """The ``top_k`` contexts nearest to the question by their vectors' cosine, nearest first: the usual rerank."""

    top_k: int = TOP
    encoder: SemanticEncoder | str | None = None

    def __post_init__(self) -> None:
        _whole_top_k(self.top_k)

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


def left_by(found: RefinedContext) -> list[Chunk]:
    """Kept chunks with their kept sentences as their text, in the order of the context."""
    return [replace(kept.chunk, text=kept.text) for kept in found.chunks]


class Corrected:
    """What :class:`NoiseCorrector` leaves of the contexts: kept chunks with their kept sentences.

    Args:
        corrector: None for one with the defaults.
        top_k: chunks that come out at most.
        cases: whose ``as_of`` a question is judged by; others are judged by today. Where two of them ask the same on
            different days, which is warned of, the later day is taken.

    Raises:
        ValueError: ``top_k`` is no whole number from 1 on.
    """

    def __init__(
        self, corrector: NoiseCorrector | None = None, *, top_k: int = TOP, cases: Iterable[EvalCase] = ()
    ) -> None:
        self.corrector, self.top_k = corrector or NoiseCorrector(), _whole_top_k(top_k)
        self._days = _days(cases)

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> Sequence[Chunk]:
        found = self.corrector.refine(question, contexts, top_k=self.top_k, as_of=self._days.get(question))
        if found.mode == "observe":
            return contexts
        return left_by(found)

    @property
    def fingerprint(self) -> str:
        """Of the corrector, its configuration and models, and ``top_k``; not of the days."""
        return f"corrected:{self.corrector.refine('', []).fingerprint}:{self.top_k}"


def _days(cases: Iterable[EvalCase]) -> dict[str, str]:
    """The day of each question that has one."""
    found: dict[str, str] = {}
    for case in cases:
        if not case.as_of:
            continue
        known = found.get(case.question, case.as_of)
        if known != case.as_of:
            logger.warning("%.80s: asked on %s and on %s; both are corrected as of the later", case.question, known,
                           case.as_of)  # fmt: skip
        found[case.question] = max(known, case.as_of)
    return found


def _whole_top_k(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ValueError(f"{TOP_K}: expected a whole number from 1 on, got {given!r:.60}")
    return given


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
    return Corrected(made, top_k=settings.get(TOP_K, TOP), cases=cases)


class Kept:
    """A cleaner that cleans the same contexts once: the same instance serves answers and figures. Thread safe."""

    def __init__(self, clean: Cleaner) -> None:
        self._clean, self._found = clean, Once[tuple[Chunk, ...]](_KEPT)

    @property
    def fingerprint(self) -> str:
        """Of the cleaner inside."""
        return version_of(self._clean)

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> tuple[Chunk, ...]:
        return self._found.get((question, tuple(contexts)), lambda: tuple(self._clean(question, contexts)))


def version_of(clean: Cleaner) -> str:
    """What distinguishes the outcomes of a cleaner: its ``fingerprint``, or its name."""
    found = getattr(clean, "fingerprint", None)
    return found if isinstance(found, str) else getattr(clean, "__qualname__", type(clean).__name__)


def cleaned(answer: Answer, clean: Cleaner) -> Answer:
    """The application behind a cleaner; one that gives something to await still does."""
    return _Cleaned(answer, clean)


class _Cleaned:
    """An application that reads what a cleaner leaves; the endpoint behind it, if any, is still seen."""

    def __init__(self, answer: Answer, clean: Cleaner) -> None:
        self._answer, self._clean = answer, clean
        self.endpoint: Any = getattr(getattr(answer, "__self__", answer), "endpoint", None)

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> str | Awaitable[str]:
        return self._answer(question, self._clean(question, contexts))
