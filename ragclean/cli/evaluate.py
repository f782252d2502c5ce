"""``ragclean evaluate``: how much do an application's answers degrade when noise gets into its contexts?"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragclean.cli import applications, console, language, pages
from ragclean.cli.evaluation_words import EVALUATION_WORDS
from ragclean.cli.failure import EXIT_FAILED, EXIT_OK, CommandError
from ragclean.cli.parts import watched

if TYPE_CHECKING:
    from ragclean.evaluation import Arms, ContentHealth, EvalCase, EvalReport
    from ragclean.evaluation.running import Plan

#: The evaluator failed its own check.
EXIT_CHECK_FAILED = 3

EPILOG = """\
input:
  JSON Lines, a case a line: {"id": "q1", "question": "...", "reference": "24 months", "contexts": [{"id": "c1",
  "text": "..."}], "gold": ["c1"], "category": "price"}. docs/evaluation.md has the full form; 'ragclean cases' builds
  and checks such files.

examples:
  ragclean evaluate cases.jsonl --reader
  ragclean evaluate cases.jsonl --app my_rag:answer --pipeline v2.3 -o report.json --html report.html
  ragclean evaluate cases.jsonl --model qwen --base-url http://localhost:8000/v1 --judge-model cheap --variants weekly
  ragclean evaluate cases.jsonl --reader --corrector

exit codes: 0 done; 1 not one answer came through; 2 bad input or usage; 3 the evaluator failed its own check, so that
its figures are not to be believed.
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "evaluate",
        help="how much do answers degrade under noise?",
        description="Show every case to an application without and with noise, judge what it answers, and say how much "
        "noise costs. The evaluator checks itself first.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="CASES", help="JSON Lines of cases")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report, which gate and compare read")
    parser.add_argument("--variants", default="daily", metavar="SET", help="daily (v0, v3), weekly (all), or v0,v2,...")
    parser.add_argument("--repeats", type=applications.whole, default=1, metavar="N",
                        help="answers to each (default: 1)")  # fmt: skip
    parser.add_argument("--self-check", choices=("sample", "full", "off"), default="sample", help="default: sample")
    parser.add_argument("--corrector", action="store_true", help="the same on raw contexts, after a vector rerank, and "
                        "after the corrector")  # fmt: skip
    parser.add_argument("--top-k", "-k", type=applications.whole, default=5, metavar="N",
                        help="chunks left by rerank and corrector (default: 5)")  # fmt: skip
    parser.add_argument("--health", action="store_true", help="list old versions and losing pages among the contexts")
    parser.add_argument("--plan", action="store_true", help="count calls and cost, and end")
    parser.add_argument("--price-answer", type=float, metavar="P", help="of one call of the application")
    parser.add_argument("--price-judge", type=float, default=0.0, metavar="P", help="of one call of the judge")
    applications.add_options(parser)
    pages.add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plan, check, run, print, write."""
    from ragclean.evaluation import JudgeFailedError
    from ragclean.evaluation.running import maker_of

    pages.check_places(args.output, args.html, args.markdown)
    applications.check_cache(args.cache, language.of(args))
    variants = applications.variants_of(args.variants)
    cases = applications.read_cases(args.files)
    noise = applications.noise_of(args, cases)
    if not args.retrieve:  # plan, self-check and run draw from one corpus; with a retriever it comes with the run
        noise = maker_of(cases, noise) or noise
    if args.plan:
        planned = _planned(args, cases, variants, noise)
        _note_plan(args, planned)
        if args.json:
            console.document({"plan": planned})
        return EXIT_OK
    answer, pipeline = applications.application(args)
    how: dict[str, Any] = {
        "judge": applications.judge_of(args), "pipeline": pipeline, "variants": variants, "noise": noise,
        "retrieve": applications.retriever(args), "repeats": args.repeats, "concurrency": args.concurrency,
        "cache": args.cache, "check": args.self_check, "progress": watched(),
    }  # fmt: skip
    _note_plan(args, _planned(args, cases, variants, noise))
    lang = applications.language_of(cases, args.lang)
    try:
        report = _arms(args, cases, answer, how, lang) if args.corrector else _one(args, cases, answer, how, lang)
    except JudgeFailedError as e:
        raise CommandError(str(e), EXIT_CHECK_FAILED) from e
    except ValueError as e:
        raise CommandError(str(e)) from e
    except KeyboardInterrupt:
        w = language.wording(args, EVALUATION_WORDS)
        console.note(w("interrupted", again=w("resumes" if args.cache else "would_resume")))
        raise
    _note_checks(args, report)
    none_answered = _note_failures(args, report)
    if report.checked is False:
        return EXIT_CHECK_FAILED
    return EXIT_FAILED if none_answered else EXIT_OK


def _note_checks(args: argparse.Namespace, report: EvalReport) -> None:
    """Say beside the tables what the self-check found wrong, and what it could not find out."""
    from ragclean.report.phrases import Phrases

    w = language.wording(args, EVALUATION_WORDS)
    said = Phrases(w.lang)
    named = {c.name: said.check(c) if w.lang == "zh" else c.name for c in report.checks}  # English has the name itself
    for c in report.checks:
        if c.passed is False:
            detail = said.detail(c) or c.detail or c.wanted
            console.note(w("check", failure=w("check_line", check=named[c.name], detail=detail)))
    if report.checked is None and args.self_check != "off":
        undecided = [c for c in report.checks if c.passed is None]
        told = [w("check_open_line", check=named[c.name], detail=c.detail) for c in undecided]
        console.note(w("check_open", open=w.comma.join(told)))


def _note_failures(args: argparse.Namespace, report: EvalReport) -> bool:
    """Say beside the tables what did not answer, or could not be judged; returns whether nothing came through."""
    from ragclean.evaluation import failures

    lost = failures(report.outcomes)
    if not lost:
        return False
    reason, count = next(iter(lost.items()))
    n = sum(lost.values())
    w = language.wording(args, EVALUATION_WORDS)
    console.note(w("failed", n=n, all=len(report.outcomes), count=count, reason=reason))
    return n == len(report.outcomes)


def _one(args: argparse.Namespace, cases: list[EvalCase], answer: Any, how: dict[str, Any], lang: Any) -> EvalReport:
    """One application, one report."""
    from ragclean.evaluation import evaluate
    from ragclean.report.evaluation_figures import figures_of

    report = evaluate(cases, answer, **how)
    _save(args, report, args.output)
    pages.show(figures_of(report, health=_health(args, report)), args, lang)
    return report


def _health(args: argparse.Namespace, report: EvalReport) -> ContentHealth | None:
    if not args.health:
        return None
    from ragclean.evaluation import content_health

    return content_health(report.cases)


def _save(args: argparse.Namespace, report: EvalReport, path: str | None) -> None:
    if path:
        pages.write(path, json.dumps(report.to_dict(), ensure_ascii=True, indent=1), language.of(args))


def _planned(args: argparse.Namespace, cases: list[EvalCase], variants: Any, noise: Any) -> dict[str, Any]:
    """What the run will take, all arms and the self-check counted, before anything is paid."""
    from ragclean.evaluation import plan_run, self_check_calls
    from ragclean.evaluation.selfcheck import SAMPLE

    try:
        plan = plan_run(
            cases, variants, noise=noise, repeats=args.repeats, retrieved=bool(args.retrieve),
            price_answer=_price(args), price_judge_call=args.price_judge,
        )  # fmt: skip
    except ValueError as e:
        raise CommandError(str(e)) from e
    arms = 3 if args.corrector else 1
    calls = self_check_calls(cases, plan.variants, args.self_check)
    own = len(cases) if args.self_check == "full" else min(len(cases), SAMPLE)
    asked = 0 if args.self_check == "off" else 2 * own
    check_price = asked * (args.price_answer or 0.0) + calls * args.price_judge
    return {
        "cases": plan.cases, "variants": list(plan.variants), "answers": arms * plan.answers,
        "judge_calls": arms * plan.judge_calls, "self_check_answers": asked if calls else 0,
        "self_check_judge_calls": calls, "price": None if plan.price is None else arms * plan.price + check_price,
        "short": _short(plan),
    }  # fmt: skip


def _short(plan: Plan) -> list[dict[str, Any]]:
    """Variants that cannot be made, with how many cases, and why of the first of them."""
    counts = Counter(s.variant for s in plan.short)
    firsts = {s.variant: s for s in reversed(plan.short)}
    return [
        {"variant": variant, "cases": count, "first": firsts[variant].case_id, "reason": firsts[variant].reason,
         "nearest": list(firsts[variant].nearest)}
        for variant, count in counts.items()
    ]  # fmt: skip


def _note_plan(args: argparse.Namespace, planned: dict[str, Any]) -> None:
    """The same in lines beside the result."""
    from ragclean.report.phrases import Phrases

    w = language.wording(args, EVALUATION_WORDS)
    answers, calls = planned["self_check_answers"], planned["self_check_judge_calls"]
    check = w("plan_check", answers=answers, judge_calls=calls) if calls else ""
    cost = "" if planned["price"] is None else w("plan_cost", price=f"{planned['price']:.2f}")
    counted = {name: planned[name] for name in ("cases", "answers", "judge_calls")}
    console.note(w("plan", **counted, variants=w.comma.join(planned["variants"]), check=check, cost=cost))
    for short in planned["short"]:
        hint = w("nearest") if short["nearest"] and not args.nearest else ""
        reason = Phrases(w.lang).shortage(short["reason"])
        told = {"variant": short["variant"], "n": short["cases"], "case": short["first"]}
        console.note(w("short", **told, reason=reason, hint=hint))


def _price(args: argparse.Namespace) -> float | None:
    """Of an answer: free where only the judge's price is known; unknown where neither is."""
    known: float | None = args.price_answer
    return 0.0 if known is None and args.price_judge else known


def _arms(args: argparse.Namespace, cases: list[EvalCase], answer: Any, how: dict[str, Any], lang: Any) -> EvalReport:
    """The corrector on and off; one report an arm. Pages and health show the last arm, the corrector."""
    from ragclean.evaluation import compare_arms
    from ragclean.report.arms_table import arms_table
    from ragclean.report.evaluation_figures import figures_of
    from ragclean.report.evaluation_text import figures_table

    found: Arms = compare_arms(cases, answer, top_k=args.top_k, **how)
    for arm, report in found.reports.items():
        _save(args, report, _for_arm(args.output, arm))
    last = list(found.reports.values())[-1]
    figures = figures_of(last, health=_health(args, last))
    pages.write_pages(figures, args, lang)
    if args.json:
        health = asdict(figures.health) if figures.health else None
        console.document({**found.to_dict(), "health": health})
        return last
    console.out(pages.rendered(arms_table(found, lang)))
    if figures.health:
        console.out(pages.rendered(figures_table(figures, lang=lang)))
    return last


def _for_arm(path: str | None, arm: str) -> str | None:
    """report.json -> report.vector-rerank.json"""
    if not path:
        return None
    target = Path(path)
    return str(target.with_name(f"{target.stem}.{arm.replace(' ', '-')}{target.suffix}"))
