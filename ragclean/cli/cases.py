"""``ragclean cases``: draft evaluation cases, lead through their review, and check a set of them."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language
from ragclean.cli.badcases import recorded, reported
from ragclean.cli.case_words import CASE_WORDS, LEFT_OUT_TRUST, LEFT_OUT_TRUST_ZH, LEFT_OUT_ZH
from ragclean.cli.failure import EXIT_FAILED, EXIT_OK, CommandError

if TYPE_CHECKING:
    from ragclean.endpoint import Endpoint
    from ragclean.evaluation.building import Built
    from ragclean.evaluation.case_drafts import Draft
    from ragclean.evaluation.corpus import Corpus

EPILOG = """\
A set of cases is made in three layers: drafted from documents, drawn from logs and bad cases, reviewed by people.
'build' does the first two, 'review' leads through the third, 'check' says what is missing.

examples:
  ragclean cases build -o drafts.jsonl --documents manuals/*.md faq.jsonl --limit 200
  ragclean cases build -o drafts.jsonl --log questions.jsonl --documents faq.jsonl --only-log --limit 100
  ragclean cases build -o drafts.jsonl --badcases cases.sqlite3
  ragclean cases review drafts.jsonl -o cases.jsonl
  ragclean cases check cases.jsonl

exit codes: 0 done; 1 check found faults; 2 bad input or usage.
"""
_BUILD_EPILOG = """\
examples:
  ragclean cases build -o drafts.jsonl --documents manuals/*.md faq.jsonl --limit 200
  ragclean cases build -o drafts.jsonl --log questions.jsonl --documents faq.jsonl --only-log

exit codes: 0 done, whatever was drafted; 2 bad input or usage, or the endpoint refuses.
"""
_CHECK_EPILOG = """\
examples:
  ragclean cases check cases.jsonl
  ragclean cases check cases.jsonl --json

exit codes: 0 no fault; 1 faults; 2 bad input or usage.
"""
_REVIEW_EPILOG = """\
keys, each with the Enter key:
  a accept        take the draft for a case
  r reference     type another reference (its key points are made anew)
  p points        type other key points, one a line, an empty line ends them
  g gold          type the ids of the passages that hold the answer, with commas
  u use           take the application's answer for the reference (drafts from logs)
  n no answer     accept it as a question that should be refused
  m more          show every passage whole
  d drop, s skip, b back, q quit

Every decision is in the file at once: quit whenever you like, and go on later.

examples:
  ragclean cases review drafts.jsonl -o cases.jsonl
  ragclean cases review drafts.jsonl --show --json

exit codes: 0 done or quit; 2 bad input or usage.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command, its actions and their options."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = commands.add_parser(
        "cases",
        help="draft, review and check evaluation cases",
        description="Evaluation cases: draft them from documents, logs and bad cases, review the drafts, check a set.",
        epilog=EPILOG,
        formatter_class=raw,
    )
    actions = parser.add_subparsers(dest="action", metavar="action", required=True, parser_class=type(parser))
    _add_build(
        actions.add_parser(
            "build", help="draft cases", description="Draft cases; every one wants a review.", epilog=_BUILD_EPILOG,
            formatter_class=raw,
        )
    )  # fmt: skip
    review = actions.add_parser(
        "review", help="look at drafts, one after the other", epilog=_REVIEW_EPILOG, formatter_class=raw,
        description="Walk through the drafts that nobody has decided on.",
    )  # fmt: skip
    review.add_argument("file", help="the drafts")
    review.add_argument("-o", "--output", metavar="FILE", help="write the accepted cases here when the walk ends")
    review.add_argument("--show", action="store_true", help="only say how many drafts remain")
    review.add_argument("--json", action="store_true", help="with --show: as JSON")
    language.add_option(review)
    check = actions.add_parser(
        "check", help="say what a set of cases is good for, and what is wrong with it",
        description="Count cases, find faults, and say which variants cannot be made.", epilog=_CHECK_EPILOG,
        formatter_class=raw,
    )  # fmt: skip
    check.add_argument("file", help="cases, or drafts of which the accepted ones count")
    check.add_argument("--json", action="store_true", help="print everything as JSON")
    language.add_option(check)
    parser.set_defaults(run=run)


def _add_build(build: argparse.ArgumentParser) -> None:
    add = build.add_argument
    add("-o", "--output", required=True, metavar="FILE", help="the drafts; those it holds already stay as they are")
    add("--documents", nargs="+", default=[], metavar="FILE", help="JSON Lines of chunks, text or Markdown")
    add("--log", nargs="+", default=[], metavar="FILE", help="JSON Lines of questions, contexts, answers, feedback")
    add("--badcases", metavar="STORE_OR_JSONL", help="recorded or labelled bad cases")
    add("--only-log", action="store_true", help="use the documents only as contexts of questions from the log")
    add("--limit", type=int, metavar="N", help="drafts at most, of documents and of the log each")
    add("--per-chunk", type=int, default=2, metavar="N", help="drafts of one chunk at most (default: 2)")
    add("--top-k", "-k", type=int, default=10, metavar="N", help="contexts retrieved from the documents (default: 10)")
    add("--category", default="", metavar="NAME", help="of drafts from documents (default: the chunk's source)")
    add("--encoder", metavar="NAME", help="retrieves the contexts (default: the embedded one)")
    add("--model", metavar="NAME", help="a language model writes the questions (OpenAI-compatible endpoint)")
    add("--base-url", metavar="URL", help="where the model is (default: OPENAI_BASE_URL, or OpenAI's own)")
    add("--seed", type=int, default=0, metavar="N", help="of what is drawn at random (default: 0)")
    add("--json", action="store_true", help="print the counts as JSON")
    language.add_option(build)


def run(args: argparse.Namespace) -> int:
    """Do what is asked for."""
    with reported():
        if args.action == "build":
            return _build(args)
        if args.action == "check":
            return _check(args)
        from ragclean.cli.case_walk import review

        return review(args)


def _build(args: argparse.Namespace) -> int:
    from ragclean.endpoint import EndpointError
    from ragclean.evaluation.case_drafts import read_drafts, write_drafts

    if not (args.documents or args.log or args.badcases):
        raise CommandError("name --documents, --log or --badcases")
    for name in ("limit", "per_chunk", "top_k"):
        value = getattr(args, name)
        if value is not None and value < 1:
            raise CommandError(f"--{name.replace('_', '-')}: must be 1 or more, got {value}")
    known = read_drafts(args.output) if os.path.exists(args.output) else []
    ids = {d.case.id for d in known}
    added: list[Draft] = []
    left_out: Counter[str] = Counter()
    try:
        for built in _built(args):
            console.notes(_explained(built, args))
            left_out.update(built.left_out)
            fresh = [d for d in built.drafts if d.case.id not in ids]
            ids.update(d.case.id for d in fresh)
            added += fresh
    except EndpointError as e:
        raise CommandError(str(e)) from e
    write_drafts([*known, *added], args.output)
    if args.json:
        counts = {"added": len(added), "known": len(known), "needing": sum(bool(d.needs) for d in added)}
        console.document({**counts, "left_out": dict(left_out), "file": args.output})
    else:
        w = language.wording(args, CASE_WORDS)
        console.out(w("added", added=len(added), file=args.output, known=len(known)))
    return EXIT_OK


def _explained(built: Built, args: argparse.Namespace) -> str:
    """How many drafts of one kind there are, and what was left out and why."""
    w = language.wording(args, CASE_WORDS)
    if w.lang == "en":
        return built.explain()
    wanting = sum(bool(d.needs) for d in built.drafts)
    lines = [w("drafts", n=len(built.drafts)), *([w("wanting", n=wanting)] if wanting else [])]
    return "\n".join([*lines, *(w("left_out", n=n, reason=_reason_zh(why)) for why, n in built.left_out.items())])


def _reason_zh(reason: str) -> str:
    """Why drafts were left out, in Chinese; a reason that is not known stays as it is."""
    if reason.startswith(LEFT_OUT_TRUST):
        return LEFT_OUT_TRUST_ZH.format(bar=reason.removeprefix(LEFT_OUT_TRUST))
    return LEFT_OUT_ZH.get(reason, reason)


def _built(args: argparse.Namespace) -> Iterator[Built]:
    from ragclean.evaluation.building import from_bad_cases, from_documents, from_logs, read_log

    corpus = _corpus(args) if args.documents else None
    if corpus is not None and not args.only_log:
        yield from_documents(
            corpus, limit=args.limit, per_chunk=args.per_chunk, top_k=args.top_k, category=args.category,
            endpoint=_endpoint(args), seed=args.seed,
        )  # fmt: skip
    if args.log:
        rows = (row for path in args.log for row in read_log(path))
        yield from_logs(rows, limit=args.limit, seed=args.seed, corpus=corpus, top_k=args.top_k)
    if args.badcases:
        with recorded(args.badcases) as cases:
            yield from_bad_cases(cases)


def _corpus(args: argparse.Namespace) -> Corpus:
    from ragclean.evaluation.building import read_documents
    from ragclean.evaluation.corpus import Corpus

    try:
        return Corpus(read_documents(args.documents), encoder=args.encoder)
    except ImportError as e:
        raise CommandError(str(e)) from e


def _endpoint(args: argparse.Namespace) -> Endpoint | None:
    if args.model is None:
        if args.base_url is not None:
            raise CommandError("--base-url: name the --model too")
        return None
    from ragclean.endpoint import Endpoint
    from ragclean.evaluation.case_model import DEFAULT_PARAMETERS

    try:
        return Endpoint(args.model, base_url=args.base_url, parameters=DEFAULT_PARAMETERS, patience=3600.0)
    except ImportError as e:
        raise CommandError(str(e)) from e


def _check(args: argparse.Namespace) -> int:
    from ragclean.evaluation.case_check import check_cases
    from ragclean.evaluation.case_drafts import read_drafts

    drafts = read_drafts(args.file)
    accepted = [d.case for d in drafts if d.status == "accepted"]
    if not accepted:
        raise CommandError(f"{args.file}: no case is accepted ({len(drafts)} drafts)")
    found = check_cases(accepted, drafts=len(drafts) - len(accepted))
    if args.json:
        console.document(found.to_dict())
    else:
        console.out(found.explain(language.of(args)))
    return EXIT_FAILED if found.faults else EXIT_OK
