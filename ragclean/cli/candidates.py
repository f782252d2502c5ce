"""Read candidates from a file or standard input: JSON Lines of objects or strings, or one JSON array."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragclean.cli.failure import CommandError

STANDARD_INPUT = "-"
Candidate = Mapping[str, Any] | str

_BLANK = " \t\r\n\v\f"
_FIRST_CHARACTER = re.compile(r"[^ \t\r\n]")


def read_candidates(source: str) -> list[Candidate]:
    """Candidates of a file, or of standard input where ``source`` is ``-``. Blank lines are skipped.

    Raises:
        CommandError: the file cannot be read, is not UTF-8, or holds something else than objects and strings;
            the message names the file and the line.
    """
    name = "standard input" if source == STANDARD_INPUT else source
    text = _decode(_read_bytes(source, name), name)
    first = _FIRST_CHARACTER.search(text)
    if first is not None and first.group() == "[":
        return _from_array(text, name)
    return _from_lines(text, name)


def _read_bytes(source: str, name: str) -> bytes:
    try:
        if source == STANDARD_INPUT:
            if sys.stdin is None:
                raise CommandError(f"{name} is closed")
            return sys.stdin.buffer.read()
        return Path(source).read_bytes()
    except (OSError, ValueError) as e:  # ValueError: a NUL byte in the path
        reason = e.strerror if isinstance(e, OSError) and e.strerror else str(e)
        raise CommandError(f"{name}: {reason}") from e


def _decode(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = raw.count(b"\n", 0, e.start) + 1
        raise CommandError(
            f"{name}:{line}: not UTF-8 (byte 0x{raw[e.start]:02x}); "
            "convert it first, for example with: iconv -f gb18030 -t utf-8"
        ) from e


def _from_array(text: str, name: str) -> list[Candidate]:
    items = _parse(text, name, first_line=1)
    return [_checked(item, f"{name}: item {number}") for number, item in enumerate(items, 1)]


def _from_lines(text: str, name: str) -> list[Candidate]:
    # Split at line feeds alone: a JSON string may hold U+2028 and its kin unescaped.
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(_BLANK):
            found.append(_checked(_parse(line, name, first_line=number), f"{name}:{number}"))
    return found


def _parse(text: str, name: str, *, first_line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as e:
        line = first_line + e.lineno - 1
        raise CommandError(f"{name}:{line}: not JSON: {e.msg} (column {e.colno})") from e
    except (RecursionError, ValueError) as e:  # nested too deep; a number of thousands of digits
        raise CommandError(f"{name}:{first_line}: not usable JSON: {e}") from e


def _checked(item: Any, place: str) -> Candidate:
    if isinstance(item, (dict, str)):
        return item
    raise CommandError(f"{place}: expected an object or a string, got {_json_name(item)}")


def _json_name(item: Any) -> str:
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "a boolean"
    return "an array" if isinstance(item, list) else "a number"
