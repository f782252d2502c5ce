"""The data that move between the stages and out to the user: frozen, plain, comparable.

Offsets are always character offsets into the *original* text of a chunk, end exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Stage = Literal["screen", "rank", "arbitrate", "compress", "verify"]
ConflictReason = Literal["votes", "source", "time", "scope", "mixed", "tie"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One retrieved passage, as the retriever gave it.

    Only ``text`` is needed. ``source`` is a category (``official_policy``, ``faq``, ``forum``) that the
    configuration's trust table knows; ``source_weight`` (0..1) overrides it. Dates are strings in any form or
    ISO; they are read in the screen stage. ``metadata`` is kept and handed back untouched.
    """

    text: str
    id: str = ""
    title: str = ""
    lineage_id: str | None = None
    version: str | None = None
    source: str | None = None
    uri: str | None = None
    source_weight: float | None = None
    published_at: str | None = None
    updated_at: str | None = None
    effective_from: str | None = None
    expires_at: str | None = None
    score: float | None = None
    embedding: Any = field(default=None, compare=False, repr=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def day(self) -> str | None:
        """The date that tells its age, as it was given: effective_from, else updated_at, else published_at."""
        return self.effective_from or self.updated_at or self.published_at


@dataclass(frozen=True, slots=True)
class Signals:
    """What ranking measured of one chunk. All on 0..1; ``judge`` is None where the judge did not see the chunk."""

    semantic: float
    keyword: float
    judge: float | None
    final: float


@dataclass(frozen=True, slots=True)
class KeptSentence:
    """A sentence of the context: verbatim, with its place in the chunk's original text."""

    text: str
    start: int
    end: int
    score: float
    protected: bool = False
    also_in: tuple[str, ...] = ()
    """Ids of other chunks that held the same sentence and gave way to this one."""


@dataclass(frozen=True, slots=True)
class KeptChunk:
    """A chunk of the context with its signals and the sentences kept of it, in text order."""

    chunk: Chunk
    signals: Signals
    sentences: tuple[KeptSentence, ...]
    text: str
    """The kept sentences put together with the original white space between neighbours."""
    flags: tuple[str, ...] = ()
    """``out_of_scope``, ``demoted``, ``annotated``, ``instruction_like``, ``pinned`` ..."""

    @property
    def id(self) -> str:
        return self.chunk.id


@dataclass(frozen=True, slots=True)
class Dropped:
    """A chunk (``start`` and ``end`` None) or a sentence that did not reach the context, and why."""

    chunk_id: str
    stage: Stage
    reason: str
    """A short machine-readable cause: ``below_admission``, ``beyond_top_k``, ``lost_conflict``, ``duplicate`` ..."""
    detail: str = ""
    """The same in words, with the figures."""
    text: str = ""
    start: int | None = None
    end: int | None = None
    score: float | None = None
    protected: bool = False
    """The sentence held a protected fact and went all the same (duplicate, lost conflict, token budget ...)."""


@dataclass(frozen=True, slots=True)
class Witness:
    """One independent voice for a value: a chunk, together with the near-copies that add no vote of their own."""

    chunk_id: str
    weight: float
    trust: float
    time_factor: float
    relevance: float
    copies: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """``expired``, ``superseded``, ``not_yet_in_force``, ``draft``, ``trust_unknown``, ``undated`` ..."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the values that contradict each other, with who says so."""

    value: str
    """As written in the strongest witness."""
    normalized: str
    witnesses: tuple[Witness, ...]
    weight: float
    sentences: tuple[str, ...]

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return tuple(i for w in self.witnesses for i in (w.chunk_id, *w.copies))


@dataclass(frozen=True, slots=True)
class Conflict:
    """Values of the same attribute of the same thing that differ, and how it was decided.

    ``winner`` is None where no side had a margin: nothing was dropped then.
    """

    slot: str
    sides: tuple[Side, ...]
    winner: Side | None
    margin: float
    reason: ConflictReason
    kind: str = ""
    explanation: str = ""
    """Who voted for what, with which weight and why, in the query's language."""

    def explain(self) -> str:
        return self.explanation


@dataclass(frozen=True, slots=True)
class Caution:
    """Something the user should know: a code to act on, and a message that names the item."""

    code: str
    message: str
    chunk_id: str | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
