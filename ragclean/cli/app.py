"""The ``ragclean`` command: options, exit codes, and no traceback for whatever a user can bring about."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

from ragclean.cli import (
    audit,
    badcases,
    calibrate,
    canary,
    cases,
    compare,
    completion,
    console,
    doctor,
    evaluate,
    gate,
    label,
    language,
    refine,
    replay,
    sweep,
)
from ragclean.cli.failure import (
    EXIT_BAD_INPUT,
    EXIT_BROKEN_PIPE,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    CommandError,
)
from ragclean.cli.frame_words import FRAME_WORDS

#: Set to anything, it lets an unexpected error show its traceback.
TRACEBACK_VARIABLE = "RAGCLEAN_TRACEBACK"

DESCRIPTION = "Clean retrieved chunks before a language model reads them."
EPILOG = """\
examples:
  ragclean refine --query "保修期内屏幕闪烁怎么办？" examples/screen_flicker.zh.jsonl
  ragclean doctor
  ragclean calibrate cases.jsonl -o config.json
  ragclean replay cases.sqlite3 --config new.json --against old.json
  ragclean label cases.sqlite3
  ragclean badcases export-tests cases.sqlite3 tests/badcases
  ragclean evaluate cases.jsonl --reader -o report.json --html report.html
  ragclean gate report.json --pipeline v2 --critical price
  ragclean canary --state canary.sqlite3 retrieval.jsonl

'ragclean COMMAND --help' has the options, examples and exit codes of a command. --json, where a command has it, prints
one JSON document and nothing else on standard output. --lang zh|en is the language of what is said; without it that of
the environment (LC_ALL, LC_MESSAGES, LANG).

exit codes: 0 done; 1 something is wrong with the installation or a store, replay --fail-on-loss found a loss, cases
check a fault, audit --fail-on-findings something, a gate blocks or a canary alarms; 2 bad input or usage; 3 the
evaluator failed its own check; 4 too few cases for a gate; 130 interrupted.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    console.prepare_streams()
    try:
        return _run(argv)
    except CommandError as e:
        _note_error(argv, "; ".join(str(e).splitlines()), e.see)
        return e.exit_code
    except BrokenPipeError:
        # The reader has gone (head, less). Python flushes standard output once more at exit: give it a place to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as e:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        said = language.wording(language.asked(_arguments(argv)), FRAME_WORDS)
        _note_error(argv, said("unexpected", kind=type(e).__name__, message=str(e), variable=TRACEBACK_VARIABLE))
        return EXIT_FAILED


def _arguments(argv: Sequence[str] | None) -> Sequence[str]:
    return sys.argv[1:] if argv is None else argv


def _note_error(argv: Sequence[str] | None, message: str, see: str = "") -> None:
    said = language.wording(language.asked(_arguments(argv)), FRAME_WORDS)
    console.note(said("error", message=message + (said("see_help", prog=see) if see else "")))


def _run(argv: Sequence[str] | None) -> int:
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
        return EXIT_BAD_INPUT
    _quiet_dependencies()
    _set_up_log(args.verbose)
    code: int = args.run(args)
    return code


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line; ``--help`` shows the rest."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(message, see=self.prog)


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = _OneLineParser(
        prog="ragclean",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ragclean {_version()}")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the library's log on standard error")
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=_OneLineParser)
    refine.add_parser(commands)
    doctor.add_parser(commands)
    calibrate.add_parser(commands)
    replay.add_parser(commands)
    label.add_parser(commands)
    badcases.add_parser(commands)
    evaluate.add_parser(commands)
    gate.add_parser(commands)
    compare.add_parser(commands)
    sweep.add_parser(commands)
    canary.add_parser(commands)
    cases.add_parser(commands)
    audit.add_parser(commands)
    completion.add_parser(commands)
    return parser


def _version() -> str:
    from ragclean import __version__

    return __version__


def _quiet_dependencies() -> None:
    """Keep other packages' remarks about their own code out of a user's terminal."""
    warnings.filterwarnings("ignore", message=".*pkg_resources is deprecated")
    warnings.filterwarnings("ignore", module=".*jieba", category=SyntaxWarning)
    warnings.filterwarnings("ignore", module=".*jieba", category=DeprecationWarning)


def _set_up_log(verbose: bool) -> None:
    log = logging.getLogger("ragclean")
    if verbose:
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
        log.setLevel(logging.DEBUG)
    elif not log.handlers:
        log.addHandler(logging.NullHandler())  # warnings are in the result, and printed from there
