"""JSON Lines with errors that name file, line and field, and files that are written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
#: Faults of one file that a message lists: enough to see their kind.
_LISTED = 20
_BLANK = b" \t\r\n\v\f"
_MARK = b"\xef\xbb\xbf"


class CaseFileError(ValueError):
    """Lines that cannot be used; ``problems`` holds one line a fault, each with file, line and field."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        more = len(problems) - _LISTED
        tail = [f"... and {more} more"] if more > 0 else []
        super().__init__("\n".join([*problems[:_LISTED], *tail]))


def numbered(path: str | Path, build: Callable[[Any, int], T]) -> Iterator[tuple[int, T]]:
    """What ``build`` makes of the data of each line and its number, one at a time; blank lines are skipped.

    Lines end at line feeds alone: a JSON string may hold U+2028 and its kin unescaped.

    Raises:
        OSError: the file cannot be read.
        CaseFileError: a line is no JSON, or ``build`` raised ValueError. Reading may go on behind it: the error carries
            one problem.
    """
    for number, made in _attempts(path, build):
        if isinstance(made, CaseFileError):
            raise made
        yield number, made


def read_all(path: str | Path, build: Callable[[Any, int], T], key: Callable[[T], str]) -> list[T]:
    """All lines of a file.

    Args:
        key: names an item; no two may have the same.

    Raises:
        OSError: the file cannot be read.
        CaseFileError: with *all* faults of the file.
    """
    from ragclean.screen import shown

    name, problems, found = Path(path).name, list[str](), list[T]()
    seen: dict[str, int] = {}
    for number, made in _attempts(path, build):
        if isinstance(made, CaseFileError):
            problems += made.problems
            continue
        if key(made) in seen:
            problems.append(f"{name}:{number}: id: {shown(key(made))} is already that of line {seen[key(made)]}")
        seen[key(made)] = number
        found.append(made)
    if problems:
        raise CaseFileError(problems)
    return found


def _attempts(path: str | Path, build: Callable[[Any, int], T]) -> Iterator[tuple[int, T | CaseFileError]]:
    name = Path(path).name
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            line = line.removeprefix(_MARK) if number == 1 else line
            if not line.strip(_BLANK):
                continue
            try:
                yield number, build(parsed(line), number)
            except ValueError as error:
                yield number, CaseFileError([f"{name}:{number}: {error}"])


def parsed(line: bytes) -> Any:
    """The data of one line.

    Raises:
        ValueError: it is not UTF-8, or no JSON that can be used; the message says where.
    """
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as e:
        raise ValueError(f"not UTF-8 (byte 0x{line[e.start]:02x})") from None
    except json.JSONDecodeError as e:
        raise ValueError(f"not JSON: {e.msg} (column {e.colno})") from None
    except (RecursionError, ValueError) as e:  # nested too deep; a number of thousands of digits
        raise ValueError(f"not usable JSON: {e}") from None


def json_line(data: Mapping[str, Any]) -> str:
    """One line of JSON that UTF-8 can hold: lone surrogates are escaped."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(data)
    return text


def write_lines(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write plain data as JSON Lines, the whole file or none of it, readable by its owner only; returns how many.

    Raises:
        OSError: it cannot be written; what stood there before is still there.
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(f"{target}: is a folder")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    count = 0
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            for row in rows:
                file.write(json_line(row) + "\n")
                count += 1
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    return count


def string_of(data: Mapping[str, Any], field: str, default: str | None = None) -> str:
    """A string field; ``default`` where it is missing or null.

    Raises:
        ValueError: it is something else, or missing without a default; the message names it.
    """
    from ragclean.screen import shown

    value = data.get(field)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise ValueError(f"{field}: expected a string, got {'nothing' if value is None else shown(value)}")
    return value


def strings_of(data: Mapping[str, Any], field: str) -> tuple[str, ...]:
    """A field that holds a list of strings; empty where it is missing or null.

    Raises:
        ValueError: it is something else; the message names it.
    """
    from ragclean.screen import shown

    value = data.get(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ValueError(f"{field}: expected a list of strings, got {shown(value)}")
    return tuple(value)
