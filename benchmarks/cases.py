"""The labelled cases: load them, validate them, count them, and see how simple arbiters fare on them.

    python benchmarks/cases.py check            # every file in data/cases
    python benchmarks/cases.py check FILE ...
    python benchmarks/cases.py statistics
    python benchmarks/cases.py arbiters

``data/README.md`` describes the form and how the cases were made. Frozen cases (``*-frozen.jsonl``) are for figures
that are reported; nothing here prints their text.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from case_checks import problems
from case_form import Case, load_cases
from rich.console import Console
from rich.table import Table
from simple_arbiters import ARBITERS, arbiter_scores


def statistics(cases: Sequence[Case]) -> dict[str, Counter[str]]:
    """Counts by scenario and language, kind, noise type, role and tag."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        script = "hant" if "hant" in case.tags else case.lang
        counts["scenario and script"][f"{case.scenario} {script}"] += 1
        counts["kind"][case.kind] += 1
        counts["kind, scenario and language"][f"{case.kind} {case.scenario} {case.lang}"] += 1
        counts["difficulty"][case.difficulty] += 1
        counts["noise types"].update(case.noise_types)
        counts["roles of chunks"].update(c.role for c in case.chunks)
        counts["tags"].update(case.tags)
        if case.decidable and case.conflict:
            counts["conflicts with a winner"].update(_conflict_kinds(case))
        if case.conflict is None and case.answerable:
            counts["no conflict"].update({"all": 1, "several values side by side": int("calm" in case.tags)})
    return dict(counts)


def _conflict_kinds(case: Case) -> Iterator[str]:
    yield "all"
    yield f"decided by {case.conflict.reason}" if case.conflict else ""
    yield from (kind for kind in ("advice", "yes_no", "party") if kind in case.tags)
    if case.no_trust:
        yield "no trust given"
    if case.no_dates:
        yield "no dates given"


def _show_statistics(console: Console, parts: dict[str, list[Case]]) -> None:
    counted = {name: statistics(cases) for name, cases in parts.items()}
    for section in dict.fromkeys(s for counts in counted.values() for s in counts):
        table = Table(section, *counted)
        for row in sorted({r for counts in counted.values() for r in counts.get(section, ())}):
            if section != "tags" or sum(counts[section][row] for counts in counted.values()) > 3:
                table.add_row(row, *(str(counts.get(section, Counter())[row]) for counts in counted.values()))
        console.print(table)


def _show_arbiters(console: Console, parts: dict[str, list[Case]]) -> None:
    table = Table("decided right by", *(f"{n} (n {sum(c.decidable for c in cases)})" for n, cases in parts.items()))
    scores = {name: arbiter_scores(cases) for name, cases in parts.items()}
    for arbiter in ARBITERS:
        table.add_row(arbiter, *(f"{scores[name][arbiter]:.2f}" for name in parts))
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; returns 1 where ``check`` finds a problem."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "statistics", "arbiters"])
    parser.add_argument("files", nargs="*", type=Path, help="case files; without any, all of data/cases")
    options = parser.parse_args(arguments)
    console = Console()
    cases = load_cases(options.files or None)
    parts = {"development": [c for c in cases if not c.frozen], "frozen": [c for c in cases if c.frozen]}
    parts = {name: some for name, some in parts.items() if some}
    found = problems(cases) if options.what == "check" else []
    for line in found:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if options.what == "statistics":
        _show_statistics(console, parts)
    else:
        _show_arbiters(console, parts)
    if options.what == "check":
        console.print(f"{len(cases)} cases, {len(found)} problems")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
