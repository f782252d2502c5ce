"""``ragclean badcases``: recorded cases out of a store, and into one."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language
from ragclean.cli.badcase_words import BADCASE_WORDS
from ragclean.cli.failure import EXIT_BAD_INPUT, EXIT_FAILED, EXIT_OK, CommandError
from ragclean.cli.frame_words import FRAME_WORDS
from ragclean.cli.parts import read_config

if TYPE_CHECKING:
    from ragclean.badcases.export import Skipped
    from ragclean.badcases.record import BadCase
    from ragclean.badcases.store import BadCaseStore
    from ragclean.calibration.cases import LabelledCase

EPILOG = """\
examples:
  ragclean badcases list cases.sqlite3
  ragclean badcases export cases.sqlite3 backup.jsonl
  ragclean badcases import other.sqlite3 backup.jsonl
  ragclean badcases export-cases cases.sqlite3 labelled.jsonl
  ragclean badcases export-tests cases.sqlite3 tests/badcases

"""
_EXIT_CODES = """
exit codes: 0 done; 1 the store cannot be read or written; 2 bad input or usage. Cases that are left out are named on
standard error and change no exit code.
"""
#: Name, what it does, its argument beside the store, and an example.
_ACTIONS = (
    ("list", "show the cases, one a line", (), "cases.sqlite3 --json"),
    ("export", "write all cases to a JSON Lines file", (("file", "the file to write"),), "cases.sqlite3 backup.jsonl"),
    ("import", "add the cases of such a file; a case with a known id stays as it is", (("file", "the file to read"),),
     "other.sqlite3 backup.jsonl"),
    ("export-cases", "write the labelled ones as cases for calibration", (("file", "the file to write"),),
     "cases.sqlite3 labelled.jsonl"),
    ("export-tests", "write a data file and a pytest file", (("folder", "the folder to write them to"),),
     "cases.sqlite3 tests/badcases --config config.json"),
)  # fmt: skip


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command, its actions and their options."""
    parser = commands.add_parser(
        "badcases",
        help="export, import and list recorded cases",
        description="Cases recorded by BadCaseStore: list them, write them to files, read them from one.",
        epilog=EPILOG + _EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", metavar="action", required=True, parser_class=type(parser))
    for name, help_, arguments, example in _ACTIONS:
        action = actions.add_parser(
            name, help=help_, description=help_[0].upper() + help_[1:] + ".",
            epilog=f"example:\n  ragclean badcases {name} {example}\n{_EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        action.add_argument("store", help="the store, an SQLite file")
        for argument, meaning in arguments:
            action.add_argument(argument, help=meaning)
        if name == "import":
            action.add_argument("--replace", action="store_true", help="take the file's version of a known case")
        if name == "export-tests":
            action.add_argument("--config", metavar="FILE", help="the configuration that the tests are to use")
        action.add_argument("--json", action="store_true", help="print the outcome as JSON")
        language.add_option(action)
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


#: How a file of SQLite begins.
_SQLITE = b"SQLite format 3\0"


def _is_store(path: str) -> bool:
    """Any other file is read as JSON Lines."""
    with open(path, "rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


@contextmanager
def recorded(path: str) -> Iterator[Iterable[BadCase | LabelledCase]]:
    """The cases of a store, or of JSON Lines, one after another.

    Raises:
        OSError: the file cannot be read.
    """
    from ragclean.badcases.lines import iter_cases

    if not _is_store(path):
        yield iter_cases(path)
        return
    with open_store(path) as store:
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
    from rich.cells import set_cell_size

    from ragclean.visible import quoted

    if args.json:
        rows = [{"id": c.id, "recorded_at": c.recorded_at, "verdict": c.verdict, "labelled": c.labelled,
                 "query": c.query} for c in store]  # fmt: skip
        console.document({"cases": rows})
        return
    w = language.wording(args, BADCASE_WORDS)
    for case in store:
        verdict, labels = case.verdict or w("unreviewed"), w("labelled") if case.labelled else "-"
        shown = (set_cell_size(quoted(case.recorded_at[:19]), 19), set_cell_size(verdict, 11), set_cell_size(labels, 8))
        console.out(f"{case.id}  {'  '.join(shown)}  {quoted(case.query)}")


def _export(store: BadCaseStore, args: argparse.Namespace) -> None:
    _tell(args, "exported", {"written": store.export_jsonl(args.file), "file": args.file})


def _import(store: BadCaseStore, args: argparse.Namespace) -> None:
    done = store.import_jsonl(args.file, replacing=args.replace)
    _tell(args, "imported", {"added": done.added, "replaced": done.replaced, "known": done.known})


def _export_cases(store: BadCaseStore, args: argparse.Namespace) -> None:
    from ragclean.badcases.export import to_labelled_cases
    from ragclean.calibration.cases import write_cases

    made = to_labelled_cases(store)
    done = {"written": write_cases(made.cases, args.file), "file": args.file}
    _tell(args, "exported_cases", done, made.skipped)


def _export_tests(store: BadCaseStore, args: argparse.Namespace) -> None:
    from ragclean.badcases.export import write_regression_tests

    config = read_config(args.config) if args.config else None
    made = write_regression_tests(store, args.folder, config=config)
    done = {"written": made.count, "data": str(made.data), "test": str(made.test)}
    _tell(args, "exported_tests", done, made.skipped, name=made.test.name)


def _tell(
    args: argparse.Namespace, key: str, done: dict[str, Any], skipped: Sequence[Skipped] | None = None, **more: str
) -> None:
    """The outcome in a line or as JSON; what was left out is named beside it."""
    from ragclean.visible import quoted

    w = language.wording(args, BADCASE_WORDS)
    for item in skipped or ():
        left = language.wording(args, FRAME_WORDS)
        console.note(left("left_out", id=quoted(item.id), reason=quoted(w.known(f"why_{item.reason}", item.reason))))
    if args.json:
        left_out = {} if skipped is None else {"left_out": [{"id": s.id, "reason": s.reason} for s in skipped]}
        console.document({**done, **left_out})
    else:
        console.out(w(key, **done, left_out=len(skipped or ()), **more))
