"""Content health: v3 measures the knowledge base as much as the model. Which pages should be mended?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StaleLineage:
    """A document of which an old, expired or withdrawn version is still retrieved beside the new one."""

    lineage_id: str
    newest: str
    """Id of the newest version that was retrieved."""
    stale: tuple[str, ...]
    """Ids of the versions that should no longer be found."""
    reason: str
    """``older``, ``expired`` or ``withdrawn``."""
    cases: tuple[str, ...]
    """Cases whose contexts held both."""


@dataclass(frozen=True, slots=True)
class LosingPage:
    """A page that loses arbitrations: it says something that better evidence contradicts."""

    chunk_id: str
    title: str
    source: str
    lost: int
    """Conflicts in which all sides it stood on lost."""
    conflicts: int
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContentHealth:
    """The work list for whoever keeps the documents, worst first."""

    cases: int
    stale: tuple[StaleLineage, ...]
    losing: tuple[LosingPage, ...]
