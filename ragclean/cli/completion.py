"""``ragclean completion``: what makes a shell complete this command line."""

from __future__ import annotations

import argparse
from typing import Any

from ragclean.cli import console
from ragclean.cli.failure import EXIT_OK, CommandError

SHELLS = ("bash", "zsh", "tcsh")
EPILOG = """\
examples:
  ragclean completion bash > ~/.local/share/bash-completion/completions/ragclean
  ragclean completion zsh > ~/.zfunc/_ragclean

Needs the package shtab: pip install "ragclean[completion]".

exit codes: 0 done; 2 bad usage, or shtab is missing.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command; it completes the parser that it is declared in."""
    parser = commands.add_parser(
        "completion",
        help="print a script that completes this command in a shell",
        description="Print a script by which a shell completes commands, options and files.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=SHELLS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    try:
        import shtab
    except ImportError as e:
        raise CommandError('completion needs the package shtab: pip install "ragclean[completion]"') from e
    from ragclean.cli.app import build_parser

    console.out(shtab.complete(build_parser(), args.shell))
    return EXIT_OK
