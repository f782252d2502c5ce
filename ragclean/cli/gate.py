"""``ragclean gate``: may this pipeline be released, by the report on it?"""

from __future__ import annotations

import argparse
from typing import Any

from ragclean.cli import applications, console, language, pages
from ragclean.cli.evaluation_words import EVALUATION_WORDS
from ragclean.cli.failure import CommandError

EPILOG = """\
examples:
  ragclean gate report.json --pipeline v2.3 --critical price --critical safety
  ragclean gate report.json --pipeline v2.3 --junit gate.xml --html gate.html

exit codes: 0 pass; 1 blocked; 2 bad input (another pipeline's report ...); 3 the evaluator failed its own check, or was
not checked; 4 too few cases to tell.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "gate",
        help="may this pipeline be released?",
        description="Hold a report against the limits of degradation, category by category.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("report", metavar="REPORT", help="what 'ragclean evaluate -o' wrote")
    parser.add_argument("--pipeline", required=True, metavar="NAME", help="what is to be released")
    parser.add_argument("--critical", action="append", default=[], metavar="CATEGORY",
                        help="errors in it cost most (give it several times, or with commas)")  # fmt: skip
    parser.add_argument("--variant", choices=("v1", "v2", "v3"), default="v3", help="default: v3")
    parser.add_argument("--critical-limit", type=float, metavar="SHARE", help="default: 0.10")
    parser.add_argument("--limit", type=float, metavar="SHARE", help="of the other categories (default: 0.20)")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    pages.add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, judge, print, write; the exit code is the verdict."""
    from ragclean.evaluation import gate_report
    from ragclean.evaluation.gating import CRITICAL_LIMIT, LIMIT, GateError, junit_of_error
    from ragclean.report.evaluation_figures import figures_of

    pages.check_places(args.junit, args.html, args.markdown)
    report = pages.read_report(args.report)
    critical = [name.strip() for given in args.critical for name in given.split(",") if name.strip()]
    try:
        found = gate_report(
            report, releasing=args.pipeline, critical=critical, variant=args.variant,
            critical_limit=CRITICAL_LIMIT if args.critical_limit is None else args.critical_limit,
            limit=LIMIT if args.limit is None else args.limit,
        )  # fmt: skip
    except GateError as e:
        if args.junit:  # a build server that finds no file says that there was no test
            pages.write(args.junit, junit_of_error(str(e)), language.of(args))
        raise CommandError(str(e), e.exit_code) from e
    if args.junit:
        pages.write(args.junit, found.to_junit(), language.of(args))
    lang = applications.language_of(report.cases, args.lang)
    figures = figures_of(report, gate=found)
    if args.json:
        console.document(found.to_dict())
        pages.write_pages(figures, args, lang)
    else:
        pages.show(figures, args, lang)
    w = language.wording(args, EVALUATION_WORDS)
    verdict = w(f"verdict_{found.verdict}")
    console.note(w("verdict", verdict=verdict, pipeline=found.head.pipeline, variant=found.variant))
    return found.exit_code
