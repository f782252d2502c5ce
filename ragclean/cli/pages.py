"""Figures of an evaluation to the terminal and to files, for every command that has some."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language
from ragclean.cli.failure import CommandError
from ragclean.cli.frame_words import FRAME_WORDS

if TYPE_CHECKING:
    from ragclean.report.evaluation_figures import EvaluationFigures

#: Columns of a table that is not shown on a terminal.
_WIDTH = 120
#: A report is about questions, and read by whoever reads them; notes are for whoever starts the command.
REPORTED = "of tables, pages and notes"
REPORTED_DEFAULT = "of tables and pages that of most questions, of notes that of the environment"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare where the figures go."""
    out = parser.add_argument_group("what comes out")
    out.add_argument("--html", metavar="FILE", help="one self-contained page")
    out.add_argument("--markdown", metavar="FILE", help="the same figures as Markdown")
    out.add_argument("--json", action="store_true", help="print the figures as JSON instead of tables")
    language.add_option(out, REPORTED, REPORTED_DEFAULT)


def show(figures: EvaluationFigures, args: argparse.Namespace, lang: Any) -> None:
    """Write the files that were asked for, then print tables or JSON.

    Raises:
        CommandError: a file cannot be written.
    """
    from ragclean.report.evaluation_text import figures_table

    write_pages(figures, args, lang)
    if args.json:
        console.document(figures.to_dict())
    else:
        console.out(rendered(figures_table(figures, lang=lang)))


def write_pages(figures: EvaluationFigures, args: argparse.Namespace, lang: Any) -> None:
    """Write the page and the Markdown that were asked for."""
    from ragclean.report.evaluation_page import figures_html
    from ragclean.report.evaluation_text import figures_markdown

    if args.html:
        write(args.html, figures_html(figures, lang=lang), language.of(args))
    if args.markdown:
        write(args.markdown, figures_markdown(figures, lang=lang), language.of(args))


def check_places(*paths: str | None) -> None:
    """Find out that a file cannot be written before what it will hold is worked out and paid for.

    Raises:
        CommandError: its folder is not there, or it is a folder itself; the message names it.
    """
    for path in filter(None, paths):
        target = Path(path)
        if target.is_dir():
            raise CommandError(f"{path}: it is a folder")
        if not target.parent.is_dir():
            raise CommandError(f"{path}: there is no folder {target.parent}")


def rendered(table: Any) -> str:
    """A rich renderable as text: in the terminal's width and colours, or plain where there is none."""
    from rich.console import Console

    terminal = sys.stdout is not None and sys.stdout.isatty()
    page = io.StringIO()
    width = shutil.get_terminal_size().columns if terminal else _WIDTH
    Console(file=page, width=width, force_terminal=terminal).print(table)
    return page.getvalue()


def write(path: str, text: str, lang: language.Lang | None = None) -> None:
    """Write a file whole, or not at all: a half-written report looks like a report.

    Args:
        lang: of the note that it is written; None: that of the environment.

    Raises:
        CommandError: it cannot be written.
    """
    target = Path(os.path.realpath(path))  # a link stays one
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    written = text.encode("utf-8", "backslashreplace")
    try:
        if target.exists() and not target.is_file():  # a pipe or a device takes what it is given
            target.write_bytes(written)
        else:
            try:
                part.write_bytes(written)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
    except OSError as e:
        raise CommandError(f"{path}: {e.strerror or e}") from e
    console.note(language.wording(lang or language.of_environment(), FRAME_WORDS)("wrote", path=path))


def read_report(path: str) -> Any:
    """A report that ``evaluate`` wrote.

    Raises:
        CommandError: it cannot be read, or is none; the message names it.
    """
    from ragclean.evaluation.archive import EvalReport

    try:
        return EvalReport.load(path)
    except OSError as e:
        raise CommandError(f"{path}: {e.strerror or e}") from e
    except ValueError as e:
        raise CommandError(str(e)) from e
