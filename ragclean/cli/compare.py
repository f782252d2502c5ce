"""``ragclean compare``: two pipelines on the same cases and variants."""

from __future__ import annotations

import argparse
from typing import Any

from ragclean.cli import applications, console, pages
from ragclean.cli.failure import EXIT_OK, CommandError

EPILOG = """\
examples:
  ragclean compare old.json new.json
  ragclean compare old.json new.json --html comparison.html

exit codes: 0 done, whichever is better; 2 bad input: the reports differ in judge, noise, variants or cases.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "compare",
        help="which of two pipelines does noise hurt more?",
        description="Hold two reports against each other, paired over the same cases.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("first", metavar="FIRST", help="a report")
    parser.add_argument("second", metavar="SECOND", help="another one")
    parser.add_argument("--lenient", action="store_true", help="what is not mentioned but not contradicted passes")
    pages.add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read both, compare, print, write."""
    from ragclean.evaluation import compare_reports
    from ragclean.evaluation.comparing import ComparisonError
    from ragclean.report.evaluation_figures import figures_of

    pages.check_places(args.html, args.markdown)
    first, second = pages.read_report(args.first), pages.read_report(args.second)
    try:
        found = compare_reports(first, second, lenient=args.lenient)
    except ComparisonError as e:
        raise CommandError(str(e)) from e
    lang = applications.language_of(second.cases, args.lang)
    figures = figures_of(second, comparison=found)
    if args.json:
        console.document(found.to_dict())
        pages.write_pages(figures, args, lang)
        return EXIT_OK
    pages.show(figures, args, lang)
    return EXIT_OK
