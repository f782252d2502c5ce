"""``ragclean audit``: copies, stale versions and contradictions in a corpus, ahead of retrieval."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language, pages
from ragclean.cli.evaluation_words import EVALUATION_WORDS
from ragclean.cli.failure import EXIT_FAILED, EXIT_OK, CommandError
from ragclean.cli.parts import make_corrector, read_config, read_day

if TYPE_CHECKING:
    from rich.table import Table

    from ragclean.evaluation.auditing import CorpusAudit
    from ragclean.report.wording import Wording

EPILOG = """\
input:
  JSON Lines of chunks, as for refine, or text and Markdown files. lineage_id, version and dates make versions known.

examples:
  ragclean audit docs.jsonl
  ragclean audit docs.jsonl --as-of 2025-06-01 --questions 2000 --json > audit.json
  ragclean audit docs.jsonl --fail-on-findings

Contradictions are looked for with questions that are made from the corpus itself, by rule and where two pages give one
subject different values: what no page is asked is not found, and pages about two products of one maker may be named.
A page past its expires_at is stale with or without a newer version. Of copies, 'differing' hold a number that the page
they are copied from does not.

exit codes: 0 done, whatever was found; 1 with --fail-on-findings: something was found; 2 bad input or usage.
"""
#: Lines of each kind on a terminal, and characters of a line; --json has all.
_ROWS, _WIDTH = 30, 200


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "audit",
        help="copies, stale versions and contradictions in a corpus",
        description="Look through a corpus for what retrieval should not bring together.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="DOCS", help="JSON Lines of chunks, text or Markdown")
    parser.add_argument("--as-of", metavar="DATE", help="the day to judge age and validity by (default: today)")
    parser.add_argument("--questions", type=int, default=500, metavar="N", help="asked at most (default: 500; 0: none)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the draw (default: 0)")
    parser.add_argument("--config", metavar="FILE", help="a configuration saved as JSON")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    language.add_option(parser)
    parser.add_argument("--fail-on-findings", action="store_true", help="end with 1 when something was found")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, look through, print."""
    from ragclean.evaluation.auditing import audit_corpus
    from ragclean.evaluation.building import read_documents

    day = read_day(args.as_of or None)
    corrector = make_corrector(read_config(args.config), None, None)
    try:
        found = audit_corpus(
            read_documents(args.files), corrector, as_of=day, questions=args.questions, seed=args.seed
        )
    except OSError as e:
        raise CommandError(f"{e.filename or args.files[0]}: {e.strerror or e}") from e
    except ValueError as e:
        raise CommandError(str(e)) from e
    if args.json:
        console.document(found.to_dict())
    else:
        _show(found, language.wording(args, EVALUATION_WORDS))
    return EXIT_FAILED if args.fail_on_findings and not found.clean else EXIT_OK


def _show(found: CorpusAudit, w: Wording) -> None:
    console.out(_summary(found, w))
    asked = [
        [
            c.question, c.taken or w("undecided"),
            w.semicolon.join(f"{value}{w.colon}{', '.join(ids)}" for value, ids in c.sides), c.page,
        ]
        for c in found.contradictions
    ]  # fmt: skip
    stale = [[s.lineage_id, w.known(f"reason_{s.reason}", s.reason), s.newest, ", ".join(s.stale)] for s in found.stale]
    copies = [[g.kept, f"{g.likeness:.0%}", ", ".join(g.copies), ", ".join(g.differing)] for g in found.copies]
    for title, columns, rows in (
        ("contradictions", ("question", "taken", "sides", "asked_of"), asked),
        ("stale", ("document", "reason", "newest", "stale"), stale),
        ("copies", ("page", "alike", "copies", "differing"), copies),
    ):
        if rows:
            console.out(pages.rendered(_table(w(title), [w(f"col_{name}") for name in columns], rows[:_ROWS])))
        if len(rows) > _ROWS:
            console.note(w("audit_more", n=len(rows) - _ROWS, title=w(title)))


def _summary(found: CorpusAudit, w: Wording) -> str:
    """What was found, in a line."""
    counted = {
        "pages": ("page", found.pages), "questions": ("question", found.questions),
        "stale": ("stale", len(found.stale)),
        "contradictions": ("contradiction", len(found.contradictions)), "copies": ("copy", len(found.copies)),
    }  # fmt: skip
    told = {name: w(f"audit_{one}{'' if n == 1 else 's'}", n=n) for name, (one, n) in counted.items()}
    unreadable = w("audit_unreadable", n=found.unreadable) if found.unreadable else ""
    return w("audit", day=found.as_of, questioned=found.questioned, whole=found.pages, unreadable=unreadable, **told)


def _table(title: str, columns: list[str], rows: list[list[str]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    from ragclean.report.page import legible, shorten

    made = Table(title=title, title_justify="left")
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(Text(" ".join(legible(shorten(value, _WIDTH)).split())) for value in row))
    return made
