"""The one place that writes to the terminal: results on standard output, everything else on standard error."""

from __future__ import annotations

import sys
from typing import TextIO

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
    """Write a result, verbatim, with a line end if it has none."""
    _write(sys.stdout, text)


def note(text: str) -> None:
    """Write one line beside the result (a warning, an error)."""
    line = " ".join(text.split())
    if len(line) > MAX_MESSAGE:
        line = line[: MAX_MESSAGE - 3] + "..."
    _write(sys.stderr, line)


def notes(text: str) -> None:
    """Write several lines beside the result, as they are."""
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()
