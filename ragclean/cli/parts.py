"""What several commands share: a configuration, a corrector, cases and a day of the command line's options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ragclean.cli.failure import CommandError

if TYPE_CHECKING:
    from datetime import date

    from ragclean.config import CorrectorConfig
    from ragclean.corrector import NoiseCorrector


T = TypeVar("T")


def read_config(path: str | None, option: str = "--config") -> CorrectorConfig:
    """The configuration of a file, or the defaults where none is named.

    Raises:
        CommandError: it cannot be read or is no configuration; the message names the option and the file.
    """
    from ragclean.config import CorrectorConfig

    try:
        return CorrectorConfig.load(path) if path else CorrectorConfig()
    except OSError as e:
        raise CommandError(f"{option} {path}: {e.strerror or e}") from e
    except ValueError as e:
        message = str(e)
        raise CommandError(message if path and path in message else f"{option} {path}: {message}") from e


def make_corrector(config: CorrectorConfig, encoder: str | None, judge: str | None) -> NoiseCorrector:
    """A corrector with the parts that the options name.

    Raises:
        CommandError: an extra is missing, or a model cannot be had.
    """
    from ragclean.corrector import NoiseCorrector

    try:
        return NoiseCorrector(config=config, encoder=encoder, judge=judge)
    except (ValueError, ImportError, OSError) as e:
        raise CommandError(str(e) or type(e).__name__) from e


def read_files(files: Iterable[str], read: Callable[[str], Sequence[T]]) -> list[T]:
    """The cases of several files, in order.

    Raises:
        CommandError: a file cannot be read or holds what is no case; all faults are named, with file and line.
    """
    from ragclean.json_lines import CaseFileError

    cases: list[T] = []
    problems: list[str] = []
    for path in files:
        try:
            cases += read(path)
        except OSError as e:
            raise CommandError(f"{path}: {e.strerror or e}") from e
        except CaseFileError as e:
            problems += e.problems
    if problems:
        raise CommandError(str(CaseFileError(problems)))
    return cases


def read_day(written: str | None, option: str = "--as-of") -> date | None:
    """The day that an option names; None where it is not given.

    Raises:
        CommandError: it is no date.
    """
    from ragclean.text.dates import parse_date

    if written is None:
        return None
    day = parse_date(written)
    if day is None:
        raise CommandError(f"{option}: {written!r:.60} is no date")
    return day


def watched() -> bool:
    """Whether somebody looks at standard error, so that progress may be shown there."""
    return sys.stderr is not None and sys.stderr.isatty()
