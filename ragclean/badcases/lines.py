"""Cases as JSON Lines: recorded ones and labelled ones, mixed or not."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragclean.badcases.record import BadCase

if TYPE_CHECKING:
    from ragclean.calibration.cases import LabelledCase

# Calibration is imported where it is needed: a service that records cases does without it.

_BLANK = b" \t\r\n\v\f"
_MARK = b"\xef\xbb\xbf"


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
    from ragclean.calibration.cases import CaseFileError

    name = Path(path).name
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip(_BLANK + _MARK):
                continue
            try:
                yield number, _case(line, number, need_id)
            except ValueError as error:
                raise CaseFileError([f"{name}:{number}: {error}"]) from None


def write_lines(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write plain data as JSON Lines, the whole file or none of it, readable by its owner only; returns how many.

    Raises:
        OSError: it cannot be written; what stood there before is still there.
    """
    from ragclean.calibration.cases import case_line

    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(f"{target}: is a folder")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    count = 0
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            for row in rows:
                file.write(case_line(row) + "\n")
                count += 1
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    return count


def _case(line: bytes, number: int, need_id: bool) -> BadCase | LabelledCase:
    data = _parsed(line.removeprefix(_MARK) if number == 1 else line)
    default_id = "" if need_id else f"line-{number}"
    if isinstance(data, Mapping) and "candidates" not in data:
        if "chunks" not in data:
            raise ValueError("neither candidates (a recorded case) nor chunks (a labelled one)")
        from ragclean.calibration.cases import case_from_dict

        return case_from_dict(data, default_id)
    return BadCase.from_dict(data, default_id)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as e:
        raise ValueError(f"not UTF-8 (byte 0x{line[e.start]:02x})") from None
    except json.JSONDecodeError as e:
        raise ValueError(f"not JSON: {e.msg} (column {e.colno})") from None
    except (RecursionError, ValueError) as e:  # nested too deep; a number of thousands of digits
        raise ValueError(f"not usable JSON: {e}") from None
