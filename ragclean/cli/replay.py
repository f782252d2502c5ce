"""``ragclean replay``: run recorded or labelled cases again, and say which stage lost what was expected."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ragclean.cli import console, language
from ragclean.cli.badcase_words import BADCASE_WORDS
from ragclean.cli.badcases import recorded, reported
from ragclean.cli.failure import EXIT_FAILED, EXIT_OK, CommandError
from ragclean.cli.parts import make_corrector, read_config, watched

if TYPE_CHECKING:
    from ragclean.badcases.record import BadCase
    from ragclean.badcases.replaying import Replay
    from ragclean.calibration.cases import LabelledCase

T = TypeVar("T")

EPILOG = """\
input:
  A store that BadCaseStore wrote, or JSON Lines of recorded cases, of labelled cases, or of both.

examples:
  ragclean replay cases.sqlite3
  ragclean replay cases.sqlite3 --config new.json --against old.json
  ragclean replay labelled.jsonl --fail-on-loss

exit codes: 0 done, whatever was lost; 1 with --fail-on-loss: something expected is lost (under --config, not under
--against), or an unexpected error; 2 bad input or usage.
"""
#: Columns of a table that is not shown on a terminal.
_WIDTH = 100


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "replay",
        help="run recorded cases again: which stage lost the answer?",
        description="Run recorded or labelled cases again, and say at which stage what was expected of them was lost.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("cases", metavar="STORE_OR_JSONL", help="the cases")
    parser.add_argument("--config", metavar="FILE", help="the configuration to refine with (default: the defaults)")
    parser.add_argument("--against", metavar="FILE", help="compare with this configuration, case by case")
    parser.add_argument("--encoder", metavar="NAME", help="as for refine")
    parser.add_argument("--judge", metavar="NAME", help="as for refine")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    language.add_option(parser)
    parser.add_argument("--fail-on-loss", action="store_true", help="end with 1 when something expected is lost")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay, print, and end with what ``--fail-on-loss`` asks for."""
    from ragclean.badcases.comparison import compare
    from ragclean.badcases.replaying import replay

    after = make_corrector(read_config(args.config), args.encoder, args.judge)
    before = after.with_config(read_config(args.against, "--against")) if args.against else None
    with _cases(args.cases) as cases, reported():
        if before is None:
            found = replay(_with_progress(cases), after)
            told: Any = found
        else:
            both = compare(_with_progress(cases), before, after)
            found, told = both.after, both
        if args.json:
            console.document(told.to_dict())
        else:
            _show(found, args)
            if before is not None:
                console.out(told.explain(language.of(args)))
    return EXIT_FAILED if args.fail_on_loss and found.losses else EXIT_OK


def _show(found: Replay, args: argparse.Namespace) -> None:
    from rich.console import Console

    lang = language.of(args)
    terminal = sys.stdout is not None and sys.stdout.isatty()
    page = io.StringIO()
    Console(file=page, width=shutil.get_terminal_size().columns if terminal else _WIDTH).print(found.table(lang))
    console.out(page.getvalue())
    for outcome in found.losses:
        console.out(outcome.explain(lang))
    quiet = sum(bool(o.adopted) for o in found.outcomes if o not in found.losses)
    if quiet:
        console.out(language.wording(lang, BADCASE_WORDS)("quiet", n=quiet))


@contextmanager
def _cases(path: str) -> Iterator[Iterable[BadCase | LabelledCase]]:
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise CommandError(f"{path}: not a regular file; write the cases to one first")
    with reported(), recorded(path) as cases:
        yield cases


def _with_progress(cases: Iterable[T]) -> Iterable[T]:
    if not watched():
        return cases
    from rich.console import Console
    from rich.progress import track

    return track(cases, description="replay", console=Console(stderr=True), transient=True)
