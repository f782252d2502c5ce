"""``ragclean badcases``: recorded cases out of a store, and into one."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ragclean.cli import console
from ragclean.cli.failure import EXIT_BAD_INPUT, EXIT_FAILED, EXIT_OK, CommandError
from ragclean.cli.parts import read_config

if TYPE_CHECKING:
    from ragclean.badcases.export import Skipped
    from ragclean.badcases.store import BadCaseStore

EPILOG = """\
examples:
  ragclean badcases list cases.sqlite3
  ragclean badcases export cases.sqlite3 backup.jsonl
  ragclean badcases import other.sqlite3 backup.jsonl
  ragclean badcases export-cases cases.sqlite3 labelled.jsonl
  ragclean badcases export-tests cases.sqlite3 tests/badcases

exit codes: 0 done, 1 the store cannot be read or written, 2 bad input or usage. Cases that are left out are named
on standard error and change no exit code.
"""
_ACTIONS = (
    ("list", "show the cases, one a line", ()),
    ("export", "write all cases to a JSON Lines file", (("file", "the file to write"),)),
    ("import", "add the cases of such a file; a case with a known id stays as it is", (("file", "the file to read"),)),
    ("export-cases", "write the labelled ones as cases for calibration", (("file", "the file to write"),)),
    ("export-tests", "write a data file and a pytest file", (("folder", "the folder to write them to"),)),
)  # fmt: skip


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command, its actions and their options."""
    parser = commands.add_parser(
        "badcases",
        help="export, import and list recorded cases",
        description="Cases recorded by BadCaseStore: list them, write them to files, read them from one.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", metavar="action", required=True, parser_class=type(parser))
    for name, help_, arguments in _ACTIONS:
        action = actions.add_parser(name, help=help_, description=help_[0].upper() + help_[1:] + ".")
        action.add_argument("store", help="the store, an SQLite file")
        for argument, meaning in arguments:
            action.add_argument(argument, help=meaning)
        if name == "import":
            action.add_argument("--replace", action="store_true", help="take the file's version of a known case")
        if name == "export-tests":
            action.add_argument("--config", metavar="FILE", help="the configuration that the tests are to use")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do what is asked for, and say how many cases it was."""
    action = {"list": _list, "export": _export, "import": _import, "export-cases": _export_cases,
              "export-tests": _export_tests}[args.action]  # fmt: skip
    # Only an import makes a store: anything else asked of a file that is not there is a slip of the pen.
    with open_store(args.store, create=args.action == "import") as store, reported():
        action(store, args)
    return EXIT_OK


@contextmanager
def open_store(path: str, *, create: bool = False) -> Iterator[BadCaseStore]:
    """A store for one command.

    Raises:
        CommandError: there is none, or it cannot be used.
    """
    from ragclean.badcases.store import BadCaseStore

    with reported(EXIT_BAD_INPUT):  # a file that is no store is the user's slip; one that fails later is not
        store = BadCaseStore(path, create=create)
    with store:
        yield store


@contextmanager
def reported(store_failed: int = EXIT_FAILED) -> Iterator[None]:
    """What goes wrong with files and cases, as an error of the command; a failing store ends with ``store_failed``."""
    from ragclean.badcases.store import StoreError

    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as e:
        message = f"{e.filename}: {e.strerror}" if e.filename and e.strerror else str(e)
        raise CommandError(message) from e
    except ValueError as e:
        raise CommandError(str(e)) from e
    except StoreError as e:
        raise CommandError(str(e), store_failed) from e


def _list(store: BadCaseStore, args: argparse.Namespace) -> None:
    from ragclean.visible import quoted

    for case in store:
        verdict, labels = case.verdict or "unreviewed", "labelled" if case.labelled else "-"
        when = quoted(case.recorded_at[:19])
        console.out(f"{case.id}  {when:<19}  {verdict:<11}  {labels:<8}  {quoted(case.query)}")


def _export(store: BadCaseStore, args: argparse.Namespace) -> None:
    console.out(f"{store.export_jsonl(args.file)} cases written to {args.file}")


def _import(store: BadCaseStore, args: argparse.Namespace) -> None:
    done = store.import_jsonl(args.file, replacing=args.replace)
    console.out(f"{done.added} cases added, {done.replaced} replaced, {done.known} known already")


def _export_cases(store: BadCaseStore, args: argparse.Namespace) -> None:
    from ragclean.badcases.export import to_labelled_cases
    from ragclean.calibration.cases import write_cases

    made = to_labelled_cases(store)
    count = write_cases(made.cases, args.file)
    _name(made.skipped)
    console.out(f"{count} cases written to {args.file}, {len(made.skipped)} left out")


def _export_tests(store: BadCaseStore, args: argparse.Namespace) -> None:
    from ragclean.badcases.export import write_regression_tests

    config = read_config(args.config) if args.config else None
    made = write_regression_tests(store, args.folder, config=config)
    _name(made.skipped)
    console.out(f"{made.count} cases written to {made.data} and {made.test.name}, {len(made.skipped)} left out")


def _name(skipped: Sequence[Skipped]) -> None:
    from ragclean.visible import quoted

    for item in skipped:
        console.note(f"left out: {quoted(item.id)}: {quoted(item.reason)}")
