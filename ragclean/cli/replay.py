"""``ragclean replay``: run recorded or labelled cases again, and say which stage lost what was expected."""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ragclean.cli import console
from ragclean.cli.badcases import open_store, reported
from ragclean.cli.failure import EXIT_FAILED, EXIT_OK, CommandError
from ragclean.cli.parts import make_corrector, read_config

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
#: How a file of SQLite begins.
_SQLITE = b"SQLite format 3\0"
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
            _show(found, args.json)
        else:
            both = compare(_with_progress(cases), before, after)
            found = both.after
            if args.json:
                console.out(_json(both.to_dict()))
            else:
                _show(found, False)
                console.out(both.explain())
    return EXIT_FAILED if args.fail_on_loss and found.losses else EXIT_OK


def _show(found: Replay, as_json: bool) -> None:
    if as_json:
        console.out(_json(found.to_dict()))
        return
    from rich.console import Console

    terminal = sys.stdout is not None and sys.stdout.isatty()
    page = io.StringIO()
    Console(file=page, width=shutil.get_terminal_size().columns if terminal else _WIDTH).print(found.table())
    console.out(page.getvalue())
    for outcome in found.losses:
        console.out(outcome.explain())
    quiet = sum(bool(o.adopted) for o in found.outcomes if o not in found.losses)
    if quiet:
        console.out(f"{quiet} more lost nothing and adopted something: --json names it")


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


@contextmanager
def _cases(path: str) -> Iterator[Iterable[BadCase | LabelledCase]]:
    from ragclean.badcases.lines import iter_cases

    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise CommandError(f"{path}: not a regular file; write the cases to one first")
    with reported(), open(path, "rb") as file:
        stored = file.read(len(_SQLITE)) == _SQLITE
    if not stored:
        yield iter_cases(path)
        return
    with open_store(path) as store:
        yield store


def _with_progress(cases: Iterable[T]) -> Iterable[T]:
    if sys.stderr is None or not sys.stderr.isatty():
        return cases
    from rich.console import Console
    from rich.progress import track

    return track(cases, description="replay", console=Console(stderr=True), transient=True)
