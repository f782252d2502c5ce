"""A passage while it is being compressed, and what is told of it in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ragclean.compression.context import BoolArray, Links, close
from ragclean.compression.duplicates import Place
from ragclean.compression.outcome import KeptPassage
from ragclean.compression.protection import ASKED, FACT, PLAIN, UNTOUCHABLE, ClassArray
from ragclean.compression.units import missing, unanswered
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.text.question import Question
from ragclean.types import Dropped


@dataclass(slots=True)
class Work:
    """A passage while it is being compressed. Masks and arrays run over its sentences."""

    position: int
    ranked: RankedPassage
    links: Links
    scores: NDArray[np.float32]
    classes: ClassArray
    allowed: BoolArray
    whole: bool
    flags: tuple[str, ...]
    wanted: BoolArray
    context: set[int] = field(default_factory=set)
    causes: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Sentence -> reason and words, where it is not the score."""
    also_in: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def index(self) -> int:
        return self.ranked.passage.index

    def kept(self) -> list[int]:
        return sorted({*np.flatnonzero(self.wanted).tolist(), *self.context})


def asks_for_action(question: Question) -> bool:
    """It asks what to do: an answer without one of its steps is wrong."""
    return any(f.kind == "action" for f in question.facets)


def complete(work: Work, question: Question, config: CorrectorConfig) -> None:
    """Set the context that the wanted sentences need: what they point to, and the rest of their units."""
    if work.whole:
        return
    prepared, links = work.ranked.prepared, work.links
    chosen = set(np.flatnonzero(work.wanted).tolist())
    work.context = close(chosen, links, prepared, question, work.allowed)
    action = asks_for_action(question)
    rest = missing(links.units, chosen | work.context, work.allowed, action=action, half=config.protection == "all")
    if rest:
        work.context |= rest | close(rest, links, prepared, question, work.allowed)
        work.context -= chosen
    for asked, answer in unanswered(links.units, chosen | work.context).items():
        if answer in work.causes and work.classes[asked] < UNTOUCHABLE:
            remove(work, asked, *work.causes[answer])


def remove(work: Work, number: int, reason: str, detail: str) -> None:
    """A sentence goes for good, with its reason unless it has one."""
    work.allowed[number] = work.wanted[number] = False
    work.context.discard(number)
    work.causes.setdefault(number, (reason, detail))


def clear(work: Work, reason: str, detail: str) -> None:
    """All that is left of a passage goes."""
    for number in work.kept():
        remove(work, number, reason, detail)


def has_content(work: Work) -> bool:
    """A sentence of its own stays: no mere heading, question or table head, unless it won a conflict or holds a
    user's own term."""
    return bool((work.wanted & (~work.links.scaffold | (work.classes == UNTOUCHABLE))).any())


def says_something(work: Work) -> bool:
    """More stays than scaffold and bare dates; headings and questions that hold a fact of their own count."""
    numbers = np.flatnonzero(work.wanted & (~work.links.scaffold | (work.classes > PLAIN))).tolist()
    return any(_has_words(work, n) or work.classes[n] >= ASKED for n in numbers)


def _has_words(work: Work, number: int) -> bool:
    """Letters stand outside the sentence's values: 'Jan 28, 2022 ...' alone says nothing."""
    prepared = work.ranked.prepared
    span, at = prepared.sentences[number], prepared.sentences[number].start
    for value in prepared.sentence_values[number]:
        if any(c.isalpha() for c in prepared.text[at : value.start]):
            return True
        at = max(at, value.end)
    return any(c.isalpha() for c in prepared.text[at : span.end])


def keep(work: Work, without: frozenset[Place] = frozenset()) -> KeptPassage:
    """What is kept of a passage, but for the sentences at some places."""
    numbers = tuple(n for n in work.kept() if (work.position, n) not in without)
    return KeptPassage(
        ranked=work.ranked,
        sentences=numbers,
        protected=frozenset(n for n in numbers if work.classes[n] >= FACT),
        also_in=work.also_in or None,
        flags=work.flags,
    )


def account(work: Work, config: CorrectorConfig) -> list[Dropped]:
    """One entry for every sentence that went."""
    prepared, kept = work.ranked.prepared, set(work.kept())
    out = []
    for number, sentence in enumerate(prepared.sentences):
        if number in kept:
            continue
        score = float(work.scores[number])
        cause = work.causes.get(number)
        reason, detail = cause or ("below_threshold", _below(score, int(work.classes[number]), config))
        out.append(
            Dropped(
                chunk_id=work.ranked.id,
                stage="compress",
                reason=reason,
                detail=detail,
                text=prepared.sentence_texts[number],
                start=sentence.start,
                end=sentence.end,
                score=round(score, 4),
                protected=bool(work.classes[number] >= FACT),
            )
        )
    return out


def _below(score: float, level: int, config: CorrectorConfig) -> str:
    if config.protection == "all":
        return f"score {score:.2f} is below the sentence threshold {config.sentence_threshold:.2f}"
    share = f"the best {config.graded_keep_share:.0%} of the chunk are kept"
    return f"score {score:.2f}, {'a fact not asked for' if level >= FACT else 'no fact'}; {share}"


def untouchable(works: Sequence[Work], config: CorrectorConfig) -> frozenset[tuple[int, int]]:
    """What the guard checks: all facts under ``all``, those asked for under ``graded``."""
    level = FACT if config.protection == "all" else ASKED
    return frozenset((w.index, n) for w in works for n in np.flatnonzero((w.classes >= level) & w.allowed).tolist())
