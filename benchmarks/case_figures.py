"""What the corrector keeps, drops and decides on the labelled cases, by scenario, language, noise type and kind.

    python benchmarks/case_figures.py                      # all cases, development and frozen apart
    python benchmarks/case_figures.py --worst 10           # and the ten worst development cases by what they lost
    python benchmarks/case_figures.py --split development --top-k 8 FILE ...

Of frozen cases only means over groups are printed, never an id or a text.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from case_form import GOOD, LOSING, NOISE, Case, holds, load_cases
from rich.console import Console
from rich.table import Table

from ragclean import NoiseCorrector, RefinedContext

SPLITS = ("development", "frozen")


@dataclass(frozen=True)
class Outcome:
    """One case after the clean-up; a figure that the case does not have is None."""

    case: Case
    #: Is an accepted answer in the context? Of answerable cases that are no ties.
    answer_kept: bool | None
    #: Is the right value there and no losing one? Of conflicts with a winner.
    decided: bool | None
    #: Was a conflict reported with no winner? Of ties.
    tie_reported: bool | None
    #: Was any conflict declared? Of answerable cases without one.
    declared: bool | None
    needed_kept: tuple[bool, ...]
    losing_dropped: tuple[bool, ...]
    filler_dropped: tuple[bool, ...]
    #: Share of the context's characters that come from noise chunks.
    noise: float | None
    #: 1 - characters out / characters in.
    shorter: float
    missed: tuple[str, ...]

    @property
    def lost(self) -> float:
        """How bad it is: the answer first, then a wrong value left, then needed sentences."""
        return (
            2.0 * (self.answer_kept is False) + (self.decided is False) + (self.declared is True) * 0.5
            + (self.tie_reported is False) * 0.5 + self.needed_kept.count(False)
        )  # fmt: skip


def squeezed(text: str) -> str:
    """Without white space, case folded: how sentences are compared."""
    return re.sub(r"\s+", "", text).lower()


def outcome(case: Case, result: RefinedContext) -> Outcome:
    """Score one result of the corrector against the labels of its case."""
    scored = outcome_of_passages(case, [(c.id, c.text) for c in result.chunks])
    calm = case.answerable and not case.tied and case.conflict is None
    return replace(
        scored,
        tie_reported=any(c.winner is None for c in result.conflicts) if case.tied else None,
        declared=bool(result.conflicts) if calm else None,
        shorter=float(result.stats["shorter"]),
    )


def outcome_of_passages(case: Case, passages: Sequence[tuple[str, str]]) -> Outcome:
    """Score what anything left of a case's chunks, as (chunk id, text); conflicts that it declares are not known."""
    whole = "\n".join(text for _, text in passages)
    text, kept = squeezed(whole), any(holds(whole, a) for a in case.accepted)
    wrong = case.conflict is not None and any(holds(whole, v) for v in case.conflict.losers)
    sentences = [(c.role, s, squeezed(s).strip("。.；;") in text) for c in case.chunks for s in c.must_keep]
    dropped = [(c.role, squeezed(s) not in text) for c in case.chunks for s in c.must_drop]
    size: dict[str, int] = defaultdict(int)
    roles = {c.id: c.role for c in case.chunks}
    for name, passage in passages:
        size[roles[name]] += len(passage)
    bad, good = sum(size[r] for r in NOISE), sum(size[r] for r in GOOD)
    answers = case.answerable and not case.tied
    return Outcome(
        case,
        answer_kept=kept if answers else None,
        decided=kept and not wrong if case.decidable else None,
        tie_reported=None,
        declared=None,
        needed_kept=tuple(held for _, _, held in sentences),
        losing_dropped=tuple(gone for role, gone in dropped if role in LOSING),
        filler_dropped=tuple(gone for role, gone in dropped if role in GOOD),
        noise=bad / (bad + good) if answers and bad + good else None,
        shorter=1 - sum(size.values()) / max(sum(len(c.text) for c in case.chunks), 1),
        missed=tuple(s for _, s, held in sentences if not held),
    )


def refine_cases(cases: Iterable[Case], corrector: NoiseCorrector, top_k: int = 5) -> Iterator[Outcome]:
    """Clean every case as an application would, without its labels."""
    for case in cases:
        chunks = [c.fields() for c in case.chunks]
        yield outcome(case, corrector.refine(case.query, chunks, top_k=top_k, as_of=case.as_of))


def _each(one: Callable[[Outcome], bool | float | None]) -> Callable[[Outcome], Sequence[float]]:
    return lambda o: [] if one(o) is None else [float(one(o) or 0)]


#: Name of a figure, and the values one case adds to its mean.
FIGURES: dict[str, Callable[[Outcome], Sequence[float]]] = {
    "answer_kept": _each(lambda o: o.answer_kept),
    "keep_recall": lambda o: o.needed_kept,
    "decided": _each(lambda o: o.decided),
    "loser_drop": lambda o: o.losing_dropped,
    "tie_reported": _each(lambda o: o.tie_reported),
    "declared": _each(lambda o: o.declared),
    "noise": _each(lambda o: o.noise),
    "filler_drop": lambda o: o.filler_dropped,
    "shorter": _each(lambda o: o.shorter),
}


def means(outcomes: Sequence[Outcome]) -> dict[str, tuple[float, int]]:
    """Mean and number of values of every figure that the cases have."""
    found = {name: [v for o in outcomes for v in values(o)] for name, values in FIGURES.items()}
    return {name: (sum(values) / len(values), len(values)) for name, values in found.items() if values}


def groups(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes under every heading their case belongs to; a case stands under several."""
    found: dict[str, list[Outcome]] = defaultdict(list)
    for o in outcomes:
        case = o.case
        headings = ("all", case.scenario, case.lang, case.kind, *_conflict_sorts(case), *case.noise_types)
        for heading in dict.fromkeys(headings):
            found[heading].append(o)
    return dict(found)


def _conflict_sorts(case: Case) -> Iterator[str]:
    if "hant" in case.tags:
        yield "zh, traditional"
    if case.decidable:
        sorts = [tag for tag in ("advice", "yes_no", "party") if tag in case.tags]
        yield from (f"conflict: {sort}" for sort in sorts or ["values"])
        given = {"no trust": case.no_trust, "no dates": case.no_dates}
        yield from (f"conflict: {what}" for what, true in given.items() if true)


def _show(console: Console, title: str, outcomes: Sequence[Outcome]) -> None:
    table = Table("group", "n", *FIGURES, title=title)
    found = groups(outcomes)
    for heading in sorted(found, key=lambda h: (h != "all", h)):
        members = found[heading]
        figures = means(members)
        cells = [f"{figures[f][0]:.3f} ({figures[f][1]})" if f in figures else "" for f in FIGURES]
        table.add_row(heading, str(len(members)), *cells)
    console.print(table)


def _show_worst(console: Console, outcomes: Sequence[Outcome], n: int) -> None:
    for o in sorted(outcomes, key=lambda o: -o.lost)[:n]:
        facts = {"answer lost": o.answer_kept is False, "not decided": o.decided is False,
                 "declared": o.declared is True, "tie not reported": o.tie_reported is False}  # fmt: skip
        what = ", ".join(k for k, v in facts.items() if v)
        console.print(f"{o.case.id}: {what}; lost {list(o.missed)}", markup=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="case files; without any, all of data/cases")
    parser.add_argument("--split", choices=SPLITS, help="only one of the two")
    parser.add_argument("--top-k", type=int, default=5)
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="the N worst development cases")
    options = parser.parse_args(arguments)
    console, corrector = Console(width=200), NoiseCorrector()
    cases = load_cases(options.files or None)
    for split in SPLITS:
        some = [c for c in cases if c.frozen == (split == "frozen")]
        if not some or options.split not in (None, split):
            continue
        found = list(refine_cases(some, corrector, options.top_k))
        _show(console, f"{split}, {len(found)} cases, top_k {options.top_k}: mean (number of values)", found)
        if split == "development":
            _show_worst(console, found, options.worst)
    return 0


if __name__ == "__main__":
    sys.exit(main())
