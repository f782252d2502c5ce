"""The form of a labelled case: read it from JSON Lines, and tell whether a text holds one of its values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "cases"
SCENARIOS = ("aftersales", "policy", "techdoc")
GOOD = frozenset({"answer", "support", "duplicate"})
LOSING = frozenset({"conflict_stale", "conflict_untrusted"})
NOISE = frozenset({"keyword_noise", "different_entity", "irrelevant"})


@dataclass(frozen=True)
class Chunk:
    """One retrieved candidate with its labels."""

    id: str
    text: str
    source: str
    source_weight: float | None
    published_at: str | None
    role: str
    must_keep: tuple[str, ...]
    must_drop: tuple[str, ...]

    def fields(self) -> dict[str, Any]:
        """What a retriever would know: no labels, nothing empty."""
        known = {"id": self.id, "text": self.text, "source": self.source, "source_weight": self.source_weight,
                 "published_at": self.published_at}  # fmt: skip
        return {name: value for name, value in known.items() if value not in (None, "")}


@dataclass(frozen=True)
class Conflict:
    """Values of one slot that contradict each other; in a tie ``winner`` is empty."""

    slot: str
    winner: str
    losers: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Case:
    """One question with its candidates, its answer and its labels."""

    id: str
    lang: str
    scenario: str
    difficulty: str
    noise_types: tuple[str, ...]
    query: str
    as_of: str
    answer: str
    accepted: tuple[str, ...]
    wrong: tuple[str, ...]
    keypoints: tuple[str, ...]
    tags: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    conflict: Conflict | None
    file: str
    line: int

    @property
    def frozen(self) -> bool:
        return self.file.endswith("-frozen.jsonl")

    @property
    def answerable(self) -> bool:
        return "unanswerable" not in self.noise_types

    @property
    def tied(self) -> bool:
        return self.conflict is not None and self.conflict.reason == "tie"

    @property
    def decidable(self) -> bool:
        """A conflict with a winner."""
        return self.conflict is not None and not self.tied

    @property
    def no_trust(self) -> bool:
        return all(c.source_weight is None and not c.source for c in self.chunks)

    @property
    def no_dates(self) -> bool:
        return all(c.published_at is None for c in self.chunks)

    @property
    def kind(self) -> str:
        """The kind the case is counted under."""
        if not self.answerable:
            return "unanswerable"
        if self.tied:
            return "tie"
        if "agree" in self.tags and self.conflict is None:
            return "agree"
        return "multi-hop" if self.difficulty == "multi" else "single-hop"


def case_files(folder: Path = FOLDER) -> list[Path]:
    """The case files of a folder, in the order of their names."""
    return sorted(folder.glob("*.jsonl"))


def load_cases(paths: Iterable[Path] | None = None) -> list[Case]:
    """Read case files.

    Raises:
        ValueError: a line is no JSON object or lacks a field; the message names file, line and field.
    """
    return [case for path in (case_files() if paths is None else paths) for case in _read(Path(path))]


def _read(path: Path) -> Iterator[Case]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield _case(json.loads(line), path.name, number)
                except KeyError as error:
                    raise ValueError(f"{path.name}, line {number}: the field {error} is missing") from error
                except (TypeError, ValueError) as error:
                    raise ValueError(f"{path.name}, line {number}: {error}") from error


def _case(raw: dict[str, Any], file: str, line: int) -> Case:
    chunks = tuple(
        Chunk(c["id"], c["text"], c["source"], c["source_weight"], c["published_at"], c["role"],
              tuple(c["must_keep"]), tuple(c["must_drop"]))
        for c in raw["chunks"]
    )  # fmt: skip
    about = raw["conflict"]
    conflict = about and Conflict(about["slot"], about["winner"], tuple(about["losers"]), about["reason"])
    lists = {name: tuple(raw[name]) for name in ("noise_types", "accepted", "wrong", "keypoints")}
    plain = {name: raw[name] for name in ("id", "lang", "scenario", "difficulty", "query", "as_of", "answer")}
    return Case(**plain, **lists, tags=tuple(raw.get("tags", ())), chunks=chunks, conflict=conflict or None,
                file=file, line=line)  # fmt: skip


# ---------------------------------------------------------------- whether a text holds a value

_NUMERALS = "零〇一二两三四五六七八九十百千万亿"
_EDGES = (
    (r"\d", r"(?<!\d)(?<!\d[.,])", r"(?!\d|[.,]\d)"),
    (r"[A-Za-z]", r"(?<![A-Za-z])", r"(?![A-Za-z])"),
    (f"[{_NUMERALS}]", f"(?<![{_NUMERALS}])", f"(?![{_NUMERALS}])"),
)


def holds(text: str, value: str) -> bool:
    """Does the text hold the value whole: not inside a longer number, numeral or word? Space and case are forgiven."""
    return next(spans_of(text, value), None) is not None


def spans_of(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Where the text holds the value, as :func:`holds` finds it."""
    squeezed = re.sub(r"\s+", "", value)
    if not squeezed:
        return
    before = next((b for kind, b, _ in _EDGES if re.match(kind, squeezed[0])), "")
    after = next((a for kind, _, a in _EDGES if re.match(kind, squeezed[-1])), "")
    pattern = before + r"\s*".join(map(re.escape, squeezed)) + after
    yield from (m.span() for m in re.finditer(pattern, text, re.IGNORECASE))
