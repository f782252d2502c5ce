"""What several commands share: a configuration and a corrector of the command line's options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragclean.cli.failure import CommandError

if TYPE_CHECKING:
    from ragclean.config import CorrectorConfig
    from ragclean.corrector import NoiseCorrector


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
