"""``ragclean sweep``: what does each setting bring in recall, and cost in degradation?"""

from __future__ import annotations

import argparse
import json
from typing import Any

from ragclean.cli import applications, console, language, pages
from ragclean.cli.failure import EXIT_OK, CommandError
from ragclean.cli.parts import watched

EPILOG = """\
examples:
  ragclean sweep cases.jsonl --reader --set top_k=3,5,8 --set admission_threshold=0.3,0.42,0.6
  ragclean sweep cases.jsonl --app my_rag:answer --pipeline v2 --make-retriever my_rag:retriever --set k=4,8,12

--set names top_k or any field of the configuration (docs/configuration.md), and every combination is run. With
--make-retriever the settings are its keyword arguments instead: it is called with them and returns a function
question -> chunks.

exit codes: 0 done; 2 bad input or usage.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "sweep",
        help="recall against degradation, setting by setting",
        description="Run an application under every combination of settings, without noise and with contradictions.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="CASES", help="JSON Lines of cases")
    parser.add_argument("--set", action="append", required=True, metavar="NAME=V,V,...", help="values of one setting")
    parser.add_argument("--make-retriever", metavar="MODULE:FUNCTION", help="sweep a retriever, not the corrector")
    parser.add_argument("--html", metavar="FILE", help="one self-contained page with the curve")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    language.add_option(parser, pages.REPORTED, pages.REPORTED_DEFAULT)
    applications.add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run all settings, print, draw."""
    from ragclean.evaluation.sweeping import grid, sweep
    from ragclean.report.sweep_page import sweep_html, sweep_table

    pages.check_places(args.html)
    if args.make_retriever and args.retrieve:
        raise CommandError("--retrieve: --make-retriever brings the contexts of a sweep")
    settings = grid(**_choices(args.set))
    cases = applications.read_cases(args.files)
    noise = applications.noise_of(args, cases)
    answer, pipeline = applications.application(args)
    make = applications.imported(args.make_retriever, "--make-retriever") if args.make_retriever else None
    try:
        found = sweep(
            cases, answer, settings, applications.judge_of(args), pipeline=pipeline, noise=noise,
            retrieve=(lambda chosen: make(**chosen)) if make is not None else None, concurrency=args.concurrency,
            cache=args.cache, progress=watched(),
        )  # fmt: skip
    except (ValueError, TypeError) as e:
        raise CommandError(str(e)) from e
    lang = applications.language_of(cases, args.lang)
    if args.html:
        pages.write(args.html, sweep_html(found, lang), language.of(args))
    if args.json:
        console.document(found.to_dict())
    else:
        console.out(pages.rendered(sweep_table(found, lang)))
    return EXIT_OK


def _choices(given: list[str]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for one in given:
        name, values = _choice(one)
        if name in found:
            raise CommandError(f"--set: {name} is given twice; give all its values at once, with commas")
        found[name] = values
    return found


def _choice(given: str) -> tuple[str, list[Any]]:
    """``top_k=3,5`` -> ``("top_k", [3, 5])``; what is no JSON value is a string."""
    name, equals, values = given.partition("=")
    if not equals or not name.strip() or not values.strip():
        raise CommandError(f"--set: expected NAME=VALUE,VALUE, got {given!r:.80}")
    return name.strip(), [_value(v) for v in dict.fromkeys(v.strip() for v in values.split(","))]


def _value(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return written
