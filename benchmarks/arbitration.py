"""Who is right: how often arbitration decides, decides well, sees conflicts where none are, and does harm.

    python benchmarks/arbitration.py                      # the project's cases, development and frozen apart
    python benchmarks/arbitration.py --failures           # and what went wrong in each development case
    python benchmarks/arbitration.py --data FOLDER        # and the public sets of that folder
    python benchmarks/arbitration.py FILE ...             # other case files

Each case file is measured as it is, with the trust removed, with the dates removed, and with both. A case that only
trust or only a date decides cannot be decided then, and should be reported as unresolved.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arbitration_sets import SETS, measure_set
from case_figures import outcome
from case_form import GOOD, Case, load_cases
from rich.console import Console
from rich.table import Table

from ragclean import NoiseCorrector, RefinedContext

#: What a case is measured without.
BLANKS = {"as given": (), "no trust": ("trust",), "no dates": ("dates",), "neither": ("trust", "dates")}
VERDICTS = ("decided", "loser left", "answer lost", "wrong winner", "unresolved", "not seen")


@dataclass(frozen=True)
class Judged:
    """One case and what arbitration made of it."""

    case: Case
    #: One of ``VERDICTS`` for a conflict with a winner; 'tie kept', 'tie decided', 'tie not seen'; for other
    #: answerable cases 'quiet', 'false conflict' or 'harm'.
    verdict: str
    result: RefinedContext


def blanked(case: Case, what: Iterable[str]) -> Case:
    """The case without trust (source and weight) or without dates in its fields."""
    gone = {"trust": {"source": "", "source_weight": None}, "dates": {"published_at": None}}
    changes = {name: value for w in what for name, value in gone[w].items()}
    return replace(case, chunks=tuple(replace(c, **changes) for c in case.chunks)) if changes else case


def judge(case: Case, corrector: NoiseCorrector, top_k: int = 5) -> Judged:
    """Refine one case and name what happened to its conflict."""
    result = corrector.refine(case.query, [c.fields() for c in case.chunks], top_k=top_k, as_of=case.as_of)
    return Judged(case, _verdict(case, result), result)


def _verdict(case: Case, result: RefinedContext) -> str:
    good = {c.id for c in case.chunks if c.role in GOOD}
    won = [c.winner for c in result.conflicts if c.winner is not None]
    if case.tied:
        return "tie decided" if won else "tie kept" if result.conflicts else "tie not seen"
    scored = outcome(case, result)
    if case.decidable:
        if scored.decided:
            return "decided"
        if any(set(w.chunk_ids) & good for w in won):
            return "loser left" if scored.answer_kept else "answer lost"
        return "wrong winner" if won else "unresolved" if result.conflicts else "not seen"
    if scored.answer_kept is False and any(d.reason == "lost_conflict" for d in result.dropped):
        return "harm"
    return "false conflict" if result.conflicts else "quiet"


def shuffled(case: Case, seed: int) -> Case:
    """The same case with its chunks in another order."""
    chunks = list(case.chunks)
    random.Random(seed).shuffle(chunks)
    return replace(case, chunks=tuple(chunks))


def with_copies(case: Case, copies: int = 5) -> Case:
    """The same case with more copies of its first losing page."""
    losing = next((c for c in case.chunks if c.role.startswith("conflict")), None)
    more = [replace(losing, id=f"{losing.id}-copy{n}") for n in range(copies)] if losing else []
    return replace(case, chunks=(*case.chunks, *more))


def decision(result: RefinedContext) -> tuple[tuple[str, bool], ...]:
    """The winning values, and that there was a conflict at all: what must not depend on order or copies."""
    return tuple(sorted((c.winner.normalized if c.winner else "", c.winner is None) for c in result.conflicts))


def _groups(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = defaultdict(list)
    for j in judged:
        case = j.case
        if case.decidable and case.conflict:
            sorts = [t for t in ("advice", "yes_no", "party") if t in case.tags] or ["values"]
            sorts += ["no trust given"] if case.no_trust else []
            sorts += ["no dates given"] if case.no_dates else []
            for heading in ("conflicts", f"by {case.conflict.reason}", case.lang, *sorts):
                found[heading].append(j)
        elif case.tied:
            found["ties"].append(j)
        elif case.answerable:
            found["calm" if "calm" in case.tags else "no conflict"].append(j)
        else:
            found["unanswerable"].append(j)
    return dict(found)


def _show(console: Console, title: str, judged: Sequence[Judged]) -> None:
    table = Table("cases", "n", "verdicts", title=title)
    groups = _groups(judged)
    for heading in sorted(groups):
        counts = Counter(j.verdict for j in groups[heading])
        n = len(groups[heading])
        said = ", ".join(f"{v} {k}" + (f" ({k / n:.2f})" if v == "decided" else "") for v, k in counts.most_common())
        table.add_row(heading, str(n), said)
    console.print(table)


def _show_invariance(console: Console, title: str, cases: Sequence[Case], corrector: NoiseCorrector) -> None:
    changed: Counter[str] = Counter()
    others: dict[str, Callable[[Case], Case]] = {
        "shuffling": lambda c: shuffled(c, 7),
        "five copies of a losing page": with_copies,
    }
    for case in cases:
        before = decision(judge(case, corrector).result)
        for name, other in others.items():
            changed[name] += decision(judge(other(case), corrector).result) != before
    said = ", ".join(f"{changed[name]} of {len(cases)} by {name}" for name in others)
    console.print(f"{title}: decisions changed: {said}")


def _show_failures(console: Console, judged: Sequence[Judged]) -> None:
    for j in judged:
        if j.verdict in ("decided", "tie kept", "quiet"):
            continue
        wanted = j.case.conflict.winner if j.case.conflict else ""
        console.print(f"{j.case.id} [{j.verdict}] {j.case.query} | right: {wanted}", markup=False, soft_wrap=True)
        for conflict in j.result.conflicts:
            console.print(f"    {conflict.explain()}", markup=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--data", type=Path, help=f"folder with public sets: {', '.join(SETS)}")
    parser.add_argument("--sets", default="all", help="which of them, by name, with commas; 'none' for none")
    parser.add_argument("--blank", choices=[*BLANKS, "all"], default="all")
    parser.add_argument("--split", choices=["development", "frozen"])
    parser.add_argument("--failures", action="store_true", help="what went wrong in each development case")
    options = parser.parse_args(arguments)
    console, corrector = Console(width=180), NoiseCorrector()
    cases = load_cases(options.files or None)
    for split in ("development", "frozen"):
        some = [c for c in cases if c.frozen == (split == "frozen")]
        if not some or options.split not in (None, split):
            continue
        for name in BLANKS if options.blank == "all" else [options.blank]:
            judged = [judge(blanked(c, BLANKS[name]), corrector) for c in some]
            _show(console, f"{split}, {name}", judged)
            if options.failures and split == "development" and name == "as given":
                _show_failures(console, judged)
        _show_invariance(console, split, some, corrector)
    if options.data:
        for name in SETS if options.sets == "all" else [s for s in options.sets.split(",") if s in SETS]:
            console.print(f"{name}: {measure_set(name, options.data, corrector)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
