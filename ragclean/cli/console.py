"""The one place that writes to the terminal: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from ragclean.cli.failure import EXIT_FAILED, CommandError
from ragclean.visible import visible

#: No message on standard error is longer: an error that quotes its input stays one readable line.
MAX_MESSAGE = 500


def prepare_streams() -> None:
    """Make both streams take any text: UTF-8 where the output is not a terminal, and escapes for lone surrogates."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:  # replaced by something of the caller's own
            continue
        if stream.isatty():
            reconfigure(errors="backslashreplace")
        else:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def out(text: str) -> None:
    """Write a result, verbatim, with a line end if it has none.

    Raises:
        CommandError: standard output is closed, or takes no more (a full disk).
    """
    if sys.stdout is None:
        raise CommandError("standard output is closed", EXIT_FAILED)
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        raise
    except OSError as e:
        raise CommandError(f"standard output: {e.strerror or e}", EXIT_FAILED) from e


def document(data: Any, indent: int | None = 2) -> None:
    """Write data as one JSON document: numbers that are none (NaN) as null, and characters that standard output has no
    form for (a lone surrogate, Chinese on an ASCII terminal) as JSON's own escapes.

    Args:
        indent: spaces a level; None: the whole of it on one line.

    Raises:
        CommandError: as :func:`out`.
    """
    told = _finite(data)
    text = json.dumps(told, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        text = json.dumps(told, allow_nan=False, indent=indent)
    out(text)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value


def note(text: str) -> None:
    """Write one line beside the result (a warning, an error)."""
    line = visible(" ".join(text.split()))  # an id may hold what moves the cursor
    if len(line) > MAX_MESSAGE:
        line = line[: MAX_MESSAGE - 3] + "..."
    _write(sys.stderr, line)


def notes(text: str) -> None:
    """Write several lines beside the result, as they are."""
    _write(sys.stderr, text)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # closed by whoever started the program: there is nobody to tell
        return
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()
