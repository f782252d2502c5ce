"""What an evaluation is made of: cases, what is shown to the application, what it answered, and what the judge said.

Everything is frozen and plain, goes to JSON and back, and is kept case by case: a figure that cannot be traced to the
answers behind it is not believed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from ragclean.types import Chunk

Variant = Literal["v0", "v1", "v2", "v3", "v4"]
"""Base; with irrelevant chunks; with related chunks that hold no answer; with contradictions; noise alone."""
VARIANTS: tuple[Variant, ...] = ("v0", "v1", "v2", "v3", "v4")
Support = Literal["supported", "contradicted", "not_mentioned"]
NoiseKind = Literal["irrelevant", "relevant_soft", "relevant_hard"]
"""What an injected chunk is: another topic; the topic, without an answer; a contradiction."""


@dataclass(frozen=True, slots=True)
class EvalCase:
    """A question with its reference answer and, unless a retriever brings them, its contexts."""

    id: str
    question: str
    reference: str = ""
    """The right answer; empty where no context holds one, so that refusing is right."""
    keypoints: tuple[str, ...] = ()
    """The reference in points that can be checked one by one."""
    contexts: tuple[Chunk, ...] = ()
    """The real top-k, in order."""
    gold: tuple[str, ...] = ()
    """Ids of the contexts that hold the answer."""
    old_versions: tuple[Chunk, ...] = ()
    """Earlier versions of gold chunks, which contradict them (the case's part of the version map)."""
    category: str = ""
    difficulty: str = ""
    as_of: str | None = None
    """The day it is asked (ISO); None: today."""

    @property
    def answerable(self) -> bool:
        return bool(self.reference.strip())


@dataclass(frozen=True, slots=True)
class Injected:
    """A chunk that was added to the contexts, and why it was taken."""

    chunk: Chunk
    kind: NoiseKind
    similarity: float | None = None
    """To the question, on the encoder's profile scale; None where a contradiction needs no band."""
    origin: str = ""
    """Where it comes from: ``pool``, ``old_version``, or how a gold chunk was altered ('24 小时 -> 48 小时')."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one variant of a case shows to the application: contexts in order, some of them injected."""

    case_id: str
    variant: Variant
    contexts: tuple[Chunk, ...]
    injected: tuple[Injected, ...] = ()

    @property
    def trusted(self) -> tuple[Chunk, ...]:
        """The contexts without what was injected."""
        added = {i.chunk.id for i in self.injected}
        return tuple(c for c in self.contexts if c.id not in added)


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """One claim of an answer, held against the trusted contexts."""

    claim: str
    support: Support
    evidence: str = ""
    """The words of a trusted context that support or contradict it, verbatim; never empty for ``supported``."""
    chunk_id: str = ""
    injected_id: str = ""
    """An injected chunk that supports the claim where no trusted one does."""
    injected_kind: NoiseKind | None = None


@dataclass(frozen=True, slots=True)
class PointVerdict:
    """One key point of the reference, looked for in the answer."""

    point: str
    covered: bool
    contradicted: bool = False
    """The answer says something else, instead of it or beside it (a hedge): not covered then."""
    evidence: str = ""
    """The words of the answer."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of one answer."""

    claims: tuple[ClaimVerdict, ...] = ()
    points: tuple[PointVerdict, ...] = ()
    refusal: bool = False
    """The answer says that it cannot answer, and answers nothing."""
    failed: str = ""
    """Why there is no verdict; nothing of this case is counted then."""


def check_judgement(judgement: Judgement) -> None:
    """Refuse what no judge may say, wherever it comes from.

    Raises:
        ValueError: a claim is supported without any words that do so, or under a name that is none of the three.
    """
    for claim in judgement.claims:
        if claim.support not in get_args(Support):
            raise ValueError(f"support: expected one of {', '.join(get_args(Support))}, got {claim.support!r:.60}")
        if claim.support == "supported" and not claim.evidence.strip():
            raise ValueError(f"evidence: {claim.claim!r:.60} is called supported, and no words are quoted for it")


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one answer; None is undefined, and never counted as 0.

    Strict: what is neither supported nor contradicted counts against the answer; lenient: it passes.
    """

    correctness: float | None
    correctness_lenient: float | None
    faithfulness: float | None
    faithfulness_lenient: float | None
    adoption_relevant: float | None
    """Share of the unsupported claims that a relevant injected chunk supports."""
    adoption_irrelevant: float | None
    refusal: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case under one variant, whole: shown, answered, judged, scored."""

    shown: Shown
    answer: str
    judgement: Judgement
    score: Score
    repeat: int = 0
    failed: str = field(default="")
    """Why there is no answer (the application failed); nothing is counted then."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing the evaluator asked of itself."""

    name: str
    """What was checked: ``oracle``, ``strangers``, ``contradictions`` ..."""
    passed: bool | None
    """None: it could not be made, for the reason in ``detail``."""
    measured: float | None
    wanted: str
    """In words: ``at least 0.90``."""
    cases: int
    detail: str = ""
    """What was seen, and of which cases."""
