"""Contexts of a chosen noise ratio, place and size from public question sets, as the RGB paper mixes them.

A set is a file of JSON Lines: ``id, query, answers, chunks: [{id, text, label}]``; ``gold`` passages hold the answer,
``relevant_noise`` and ``irrelevant`` ones do not. ``answers`` is a flat list of alternatives, or a list of lists, each
of whose parts is needed.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from case_form import holds

from ragclean.types import Chunk

#: Passages shown, and the shares of noise among them (Chen et al. 2024, RGB, section 4.2).
SHOWN = 5
RATIOS = (0.0, 0.2, 0.4, 0.6, 0.8)
#: Passages shown in the test of depth.
DEPTHS = (4, 8, 16, 30)
#: Where the one good passage stands among four of noise.
PLACES = ("front", "middle", "back")
_NOISE = frozenset({"relevant_noise", "irrelevant"})


@dataclass(frozen=True)
class Question:
    """A question with passages that answer it and passages that do not, in an order drawn once."""

    id: str
    query: str
    parts: tuple[tuple[str, ...], ...]
    good: tuple[Chunk, ...]
    noise: tuple[Chunk, ...]

    def is_answered_by(self, text: str) -> bool:
        """Every part by one of its alternatives; a value inside a longer one does not count."""
        return all(any(holds(text, a) for a in part) for part in self.parts)


def read_questions(path: Path) -> list[Question]:
    """The questions of a set that have an answer.

    Raises:
        ValueError: a line is none; file and line are named.
    """
    found = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                found.append(_question(json.loads(line)))
            except KeyError as e:
                raise ValueError(f"{path}, line {number}: the field {e} is missing") from e
            except (AttributeError, TypeError, ValueError) as e:
                raise ValueError(f"{path}, line {number}: {e}") from e
    twice = [name for name, times in Counter(q.id for q in found).items() if times > 1]
    if twice:
        raise ValueError(f"{path}: two questions have the id {twice[0]!r}")
    return [q for q in found if q.parts and q.good]


def _question(raw: dict[str, Any]) -> Question:
    answers = raw.get("answers") or []
    if not isinstance(answers, list) or not all(_is_text(a) or (isinstance(a, list) and a and all(map(_is_text, a)))
                                                for a in answers):  # fmt: skip
        raise ValueError(f"answers: expected texts, or lists of texts, got {answers!r:.80}")
    parts = answers if any(isinstance(a, list) for a in answers) else [answers] if answers else []
    if not _is_text(raw["id"]) or not _is_text(raw["query"]):
        raise ValueError("id and query: expected texts")
    chunks = list(raw["chunks"])
    random.Random(raw["id"]).shuffle(chunks)
    good = tuple(Chunk(id=c["id"], text=c["text"]) for c in chunks if c["label"] == "gold")
    noise = tuple(Chunk(id=c["id"], text=c["text"]) for c in chunks if c["label"] in _NOISE)
    alternatives = tuple(tuple(p if isinstance(p, list) else [p]) for p in parts)
    return Question(raw["id"], raw["query"], alternatives, good, noise)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def at_ratio(question: Question, ratio: float, shown: int = SHOWN) -> list[Chunk] | None:
    """``shown`` passages of which ``ratio`` are noise, shuffled; None where the set has too few of either.

    A higher ratio replaces good passages and keeps the others: the first good passages and the first noise.

    Raises:
        ValueError: no whole number of passages is that share.
    """
    bad = round(shown * ratio) if math.isfinite(ratio) else -1
    if not 0 <= ratio < 1 or not math.isclose(bad, shown * ratio, abs_tol=1e-6):
        raise ValueError(f"ratio: no whole number of {shown} passages is a share of {ratio}")
    if len(question.good) < shown - bad or len(question.noise) < bad:
        return None
    chosen = [*question.good[: shown - bad], *question.noise[:bad]]
    random.Random(f"{question.id}/{shown}").shuffle(chosen)
    return chosen


def at_place(question: Question, place: str, shown: int = SHOWN) -> list[Chunk] | None:
    """One good passage at a place among noise; None where the set has too little.

    Raises:
        ValueError: there is no such place.
    """
    if place not in PLACES:
        raise ValueError(f"place: expected one of {', '.join(PLACES)}, got {place!r}")
    if len(question.noise) < shown - 1:
        return None
    before = {"front": 0, "middle": (shown - 1) // 2, "back": shown - 1}[place]
    noise = list(question.noise[: shown - 1])
    return [*noise[:before], question.good[0], *noise[before:]]


def at_depth(question: Question, depth: int, good: int = 2) -> list[Chunk] | None:
    """The ``depth`` first passages of a retrieval with ``good`` answers in it, the first of which stands at rank 2;
    None where the set has too few.

    Raises:
        ValueError: so many passages are no such retrieval.
    """
    if depth < good + 2:
        raise ValueError(f"depth: at least {good + 2} passages, {good} good ones among noise, got {depth}")
    if len(question.noise) < depth - good or len(question.good) < good:
        return None
    noise, answers = list(question.noise), list(question.good[:good])
    mixed = [noise[0], answers[0], *noise[1:2], *answers[1:], *noise[2:]]
    return mixed[:depth]
