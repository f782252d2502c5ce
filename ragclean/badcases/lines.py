"""Cases as JSON Lines: recorded ones and labelled ones, mixed or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragclean.badcases.record import BadCase
from ragclean.json_lines import numbered

if TYPE_CHECKING:
    from ragclean.calibration.cases import LabelledCase

# Calibration is imported where it is needed: a service that records cases does without it.


def iter_cases(path: str | Path) -> Iterator[BadCase | LabelledCase]:
    """The cases of a JSON Lines file, one at a time; a line with ``candidates`` is a recorded case, one with ``chunks``
    a labelled one. A case without an id is named by its line.

    Raises:
        OSError: the file cannot be read.
        CaseFileError: a line is no case; the message names file, line and field.
    """
    return (case for _, case in numbered_cases(path))


def numbered_cases(path: str | Path, *, need_id: bool = False) -> Iterator[tuple[int, BadCase | LabelledCase]]:
    """:func:`iter_cases` with the number of each line; with ``need_id`` a case without an id is an error."""
    return numbered(path, lambda data, number: _case(data, "" if need_id else f"line-{number}"))


def _case(data: Any, default_id: str) -> BadCase | LabelledCase:
    if isinstance(data, Mapping) and "candidates" not in data:
        if "chunks" not in data:
            raise ValueError("neither candidates (a recorded case) nor chunks (a labelled one)")
        from ragclean.calibration.cases import case_from_dict

        return case_from_dict(data, default_id)
    return BadCase.from_dict(data, default_id)
