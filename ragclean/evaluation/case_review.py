"""The third layer: people look at drafts. Every decision is in the file at once; accepted cases are written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ragclean.evaluation.case_drafts import Draft, read_drafts, write_drafts
from ragclean.evaluation.cases import keypoints_of, write_cases


class ReviewFile:
    """A file of drafts under review; one reviewer at a time.

    Raises:
        OSError, CaseFileError: as for :func:`read_drafts`.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._drafts = {d.case.id: d for d in read_drafts(path)}

    def __len__(self) -> int:
        return len(self._drafts)

    @property
    def drafts(self) -> tuple[Draft, ...]:
        return tuple(self._drafts.values())

    @property
    def counts(self) -> Counter[str]:
        """How many are open, accepted and dropped."""
        return Counter(d.status for d in self._drafts.values())

    def pending(self) -> list[str]:
        """Ids of the drafts that nobody has decided on, in order."""
        return [i for i, d in self._drafts.items() if d.status == "open"]

    def get(self, case_id: str) -> Draft:
        """The draft of an id.

        Raises:
            KeyError: there is none.
        """
        return self._drafts[case_id]

    def accept(self, case_id: str, *, unanswerable: bool = False) -> Draft:
        """Take a draft for a case.

        Args:
            unanswerable: it has no reference, and that is right: the application should refuse.

        Raises:
            KeyError: there is no such draft.
            ValueError: it has no reference, or a reference though it is to be unanswerable.
            OSError: the file cannot be written; nothing is decided then.
        """
        case = self.get(case_id).case
        if unanswerable == case.answerable:
            wrong = "it has a reference" if unanswerable else "it has no reference: give one, or say that there is none"
            raise ValueError(f"case {case_id}: {wrong}")
        return self._change(case_id, lambda d: replace(d, status="accepted", needs=()))

    def drop(self, case_id: str) -> Draft:
        """Set a draft aside; it stays in the file.

        Raises:
            KeyError, OSError: as for :meth:`accept`.
        """
        return self._change(case_id, lambda d: replace(d, status="dropped"))

    def set_reference(self, case_id: str, reference: str) -> Draft:
        """Another reference; the key points are made of it anew.

        Raises:
            KeyError, OSError: as for :meth:`accept`.
            ValueError: it is blank.
        """
        if not reference.strip():
            raise ValueError("reference: it is blank")

        def changed(d: Draft) -> Draft:
            case = replace(d.case, reference=reference.strip(), keypoints=keypoints_of(reference))
            return replace(d, case=case, needs=tuple(n for n in d.needs if n != "reference"))

        return self._change(case_id, changed)

    def set_keypoints(self, case_id: str, points: Sequence[str]) -> Draft:
        """Other key points.

        Raises:
            KeyError, OSError: as for :meth:`accept`.
            ValueError: there is none.
        """
        kept = tuple(dict.fromkeys(p.strip() for p in points if p.strip()))
        if not kept:
            raise ValueError("keypoints: there is none")
        return self._change(case_id, lambda d: replace(d, case=replace(d.case, keypoints=kept)))

    def set_gold(self, case_id: str, gold: Sequence[str]) -> Draft:
        """Other gold chunks.

        Raises:
            KeyError, OSError: as for :meth:`accept`.
            ValueError: no context has such an id.
        """
        known = {c.id for c in self.get(case_id).case.contexts}
        unknown = [i for i in gold if i not in known]
        if unknown:
            raise ValueError(f"gold: no context has the id {unknown[0]!r:.60}")

        def changed(d: Draft) -> Draft:
            case = replace(d.case, gold=tuple(dict.fromkeys(gold)))
            return replace(d, case=case, needs=tuple(n for n in d.needs if n != "gold" or not gold))

        return self._change(case_id, changed)

    def write_accepted(self, path: str | Path) -> int:
        """Write the accepted cases, without markers; returns how many.

        Raises:
            OSError: the file cannot be written.
            ValueError: it is the drafts' own file.
        """
        if Path(path).resolve() == self._path.resolve():
            raise ValueError(f"{path}: is the file of the drafts itself")
        return write_cases((d.case for d in self._drafts.values() if d.status == "accepted"), path)

    def _change(self, case_id: str, work: Callable[[Draft], Draft]) -> Draft:
        made = work(self.get(case_id))
        changed = {**self._drafts, case_id: made}
        write_drafts(changed.values(), self._path)
        self._drafts = changed
        return made
