"""The language of what a command says: ``--lang``, else the environment's.

Help texts, options and errors that name a field stay in English; the words of each area stand in a module of its own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from ragclean.report.wording import Wording

Lang = Literal["zh", "en"]
LANGS: tuple[Lang, ...] = ("zh", "en")
OPTION = "--lang"
#: In the order in which POSIX asks them: the first that is not empty counts, so that LC_ALL=C silences LANG=zh_CN.
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_BY_ENVIRONMENT = "that of the environment: LC_ALL, LC_MESSAGES, LANG"


def add_option(
    parser: argparse._ActionsContainer, what: str = "of what is said", default: str = _BY_ENVIRONMENT
) -> None:
    """Declare ``--lang``."""
    parser.add_argument(OPTION, choices=LANGS, help=f"{what} (default: {default})")


def of_environment() -> Lang:
    """``zh`` where the locale of messages begins with it, else ``en``."""
    named = next((value for name in _VARIABLES if (value := os.environ.get(name))), "")
    return "zh" if named.lower().startswith("zh") else "en"


def of(args: argparse.Namespace) -> Lang:
    """As ``--lang`` has it, else as the environment has it."""
    return cast("Lang", getattr(args, "lang", None) or of_environment())


def asked(arguments: Sequence[str]) -> Lang:
    """The same of arguments that are not parsed yet, or cannot be: an error is said in the language asked for."""
    words = [*arguments, ""]
    for word, following in pairwise(words):
        name, _, value = word.partition("=")
        if name == OPTION and (value or following) in LANGS:
            return cast("Lang", value or following)
    return of_environment()


def wording(args: argparse.Namespace | Lang, words: Mapping[str, tuple[str, str]]) -> Wording:
    """The words of one area in the language of a command."""
    from ragclean.report.wording import Wording

    return Wording(args if isinstance(args, str) else of(args), words)
