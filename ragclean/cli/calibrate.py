"""``ragclean calibrate``: fit thresholds and weights to labelled cases."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language
from ragclean.cli.failure import EXIT_OK, CommandError
from ragclean.cli.frame_words import FRAME_WORDS
from ragclean.cli.parts import make_corrector, read_config, read_day, read_files, watched

if TYPE_CHECKING:
    from ragclean.calibration import Calibration

EPILOG = """\
input:
  JSON Lines, a labelled case a line. Enough is: {"query": "...", "chunks": [{"text": "...", "keep": true,
  "drop": ["a sentence that must go"]}, {"text": "...", "keep": false}]}. docs/calibration.md has the full form;
  'ragclean badcases export-cases' writes it from a store.

examples:
  ragclean calibrate cases.jsonl -o config.json
  ragclean calibrate cases.jsonl --config config.json --plot f1.png
  ragclean refine --config config.json --query "..." chunks.jsonl

The configuration written holds the fitted values where they are better than the present ones on cases they were not
fitted to, by more than chance; else the present ones. Either way it says what it was measured on.

exit codes: 0 done, better or not; 2 bad input or usage.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "calibrate",
        help="fit thresholds and weights to labelled cases",
        description="Fit the admission and sentence thresholds, the fusion weights and the protection rule to labelled "
        "cases, and say what that is worth on cases they were not fitted to.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="CASES", help="JSON Lines of labelled cases")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the configuration here")
    parser.add_argument("--config", metavar="FILE", help="the configuration in use (default: the defaults)")
    parser.add_argument("--encoder", metavar="NAME", help="as for refine: thresholds are fitted to its scores")
    parser.add_argument("--judge", metavar="NAME", help="as for refine")
    parser.add_argument("--top-k", "-k", type=int, default=8, metavar="N", help="chunks that come out (default: 8)")
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="parts of the cases (default: 5)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of folds and intervals (default: 0)")
    parser.add_argument("--beta", type=float, default=1.0, metavar="B", help="fit to F-beta: above 1, what is lost "
                        "weighs more than what is too much (default: 1)")  # fmt: skip
    parser.add_argument("--as-of", metavar="DATE", help="the day to judge cases without one by (default: today)")
    parser.add_argument("--plot", metavar="FILE", help="draw F1 over both thresholds (needs ragclean[report])")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, calibrate, print, write."""
    from ragclean.calibration import calibrate, outcome_words, read_cases

    cases = read_files(args.files, read_cases)
    corrector = make_corrector(read_config(args.config), args.encoder, args.judge)
    try:
        found = calibrate(
            cases, corrector=corrector, folds=args.folds, top_k=args.top_k, seed=args.seed, beta=args.beta,
            as_of=read_day(args.as_of), progress=watched(),
        )  # fmt: skip
    except ValueError as e:
        raise CommandError(str(e)) from e
    _write(args, found)  # first: whoever reads the output may go away after its first lines
    lang = language.of(args)
    if args.json:
        console.document(found.to_dict())
        for told in outcome_words.warnings(found, lang):
            console.note(language.wording(lang, FRAME_WORDS)("warning", message=told))
    else:
        console.out(found.explain(lang))
    return EXIT_OK


def _write(args: argparse.Namespace, found: Calibration) -> None:
    wrote = language.wording(args, FRAME_WORDS)
    try:
        if args.output:
            found.save(args.output)
            console.note(wrote("wrote" if found.better else "wrote_present", path=args.output))
        if args.plot:
            from ragclean.report.threshold_plot import plot_thresholds

            plot_thresholds(found, args.plot)
            console.note(wrote("wrote", path=args.plot))
    except OSError as e:
        raise CommandError(f"{e.filename or args.output or args.plot}: {e.strerror or e}") from e
    except (ImportError, ValueError) as e:
        raise CommandError(str(e)) from e
