"""How much a witness's age and standing leave of its vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage

#: What is left of a vote of a page that is not, no longer or not yet in force.
_OUT_OF_FORCE = 0.02
#: A draft or hearsay is no rule, whoever publishes it.
_DRAFT = 0.05
#: Age never takes more than this of a vote by itself: an old page that nobody contradicts still counts.
_AGE_FLOOR = 0.25
#: An undated page counts like one of middling age.
_UNDATED = {"neutral": 0.75, "oldest": _AGE_FLOOR, "newest": 1.0}
_OUT_NOTES = ("expired", "withdrawn", "superseded", "not_yet_in_force", "draft", "hearsay")


@dataclass(frozen=True, slots=True)
class Standing:
    """Age and validity of one passage's claim at a date."""

    factor: float
    dated: date | None
    notes: tuple[str, ...]

    @property
    def in_force(self) -> bool:
        return not any(n in _OUT_NOTES for n in self.notes)


def standing(
    passage: Passage, sentence: int, as_of: date, changes: bool, newer_versions: frozenset[int], config: CorrectorConfig
) -> Standing:
    """The time factor of a passage's claim in ``sentence``.

    ``newer_versions``: indices of passages that a newer version of the same lineage replaces.
    """
    notes: list[str] = []
    factor = 1.0
    dated = passage.dated
    marks = passage.prepared.marks
    span = passage.prepared.sentences[sentence]
    here = [m for m in marks if span.start <= m.start < span.end]
    own_effective = [m.when for m in here if m.kind == "effective" and m.when]
    effective = max(own_effective) if own_effective else passage.effective
    if passage.expires is not None and passage.expires < as_of:
        notes.append("expired")
    if any(m.kind == "withdrawn" and (m.when is None or m.when <= as_of) for m in marks):
        notes.append("withdrawn")
    if passage.index in newer_versions:
        notes.append("superseded")
    if effective is not None and effective > as_of:
        notes.append("not_yet_in_force")
    if any(m.kind == "draft" for m in marks):
        notes.append("draft")
    if any(m.kind == "hearsay" for m in here):
        notes.append("hearsay")
    if any(n in notes for n in _OUT_NOTES[:4]):
        factor = _OUT_OF_FORCE
    elif notes:
        factor = _DRAFT
    if own_effective and effective is not None and effective <= as_of:
        dated = max(effective, dated) if dated else effective
    if dated is not None and dated > as_of and effective != dated:
        dated = as_of
    if not changes:
        return Standing(factor, dated, tuple(notes))
    if dated is None:
        notes.append("undated")
        return Standing(factor * _UNDATED[config.missing_date], None, tuple(notes))
    age = max(0, (as_of - dated).days)
    return Standing(factor * max(_AGE_FLOOR, 0.5 ** (age / config.half_life_days)), dated, tuple(notes))


def replaced_versions(passages: Sequence[Passage], as_of: date) -> frozenset[int]:
    """Passages of which a newer version of the same lineage, in force at ``as_of``, is among the candidates."""
    newest: dict[str, tuple[tuple[int, ...], date]] = {}
    ranks: dict[int, tuple[str, tuple[tuple[int, ...], date]]] = {}
    for p in passages:
        lineage = p.chunk.lineage_id
        if not lineage:
            continue
        rank = (_version_key(p.chunk.version), p.dated or date.min)
        ranks[p.index] = (lineage, rank)
        if (p.effective is None or p.effective <= as_of) and not any(m.kind == "draft" for m in p.prepared.marks):
            newest[lineage] = max(newest.get(lineage, rank), rank)
    return frozenset(i for i, (lineage, rank) in ranks.items() if lineage in newest and rank < newest[lineage])


def _version_key(version: str | None) -> tuple[int, ...]:
    """The numbers of a version in order: '2024-02', 'v2.10' and 'rev 3' compare as people expect."""
    numbers: list[int] = []
    current = ""
    for char in (version or "")[:64] + " ":
        if char.isascii() and char.isdigit():
            current += char
        elif current:
            numbers.append(int(current))
            current = ""
    return tuple(numbers)
