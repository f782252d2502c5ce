"""The one place that writes to the terminal: results on standard output, everything else on standard error."""

from __future__ import annotations

import sys
from typing import TextIO

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
