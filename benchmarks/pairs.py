"""Pairs written to provoke arbitration: values that hold under different conditions, and plain contradictions.

    python benchmarks/pairs.py              # counts by kind and language
    python benchmarks/pairs.py --failures   # and each pair that went wrong

``data/pairs.jsonl``: ``kind`` is calm (the question is general, both values hold, each under its condition), specific
(the question names its case and one page answers it) or plain (a true contradiction). ``keep`` must be in the cleaned
context, ``drop`` must not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ragclean import NoiseCorrector, RefinedContext

FILE = Path(__file__).parent / "data" / "pairs.jsonl"
KINDS = ("calm", "specific", "plain")


def load_pairs(path: Path = FILE) -> list[Mapping[str, Any]]:
    """The pairs of a file, one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def outcome(pair: Mapping[str, Any], corrector: NoiseCorrector) -> tuple[str, RefinedContext]:
    """'right', or what went wrong: 'lost' (a string to keep is gone), 'declared' (a conflict was decided where none
    is), 'not decided' (a string to drop is still there)."""
    chunks = [{name: value for name, value in c.items() if value} for c in pair["chunks"]]
    result = corrector.refine(pair["query"], chunks, top_k=len(chunks), as_of=pair["as_of"])
    if not all(k in result.text for k in pair["keep"]):
        lost = any(d.reason == "lost_conflict" and any(k in d.text for k in pair["keep"]) for d in result.dropped)
        return "lost to a conflict" if lost else "lost in ranking", result
    if any(d in result.text for d in pair["drop"]):
        return "unresolved" if result.conflicts else "not seen", result
    if pair["kind"] == "calm" and any(c.winner is not None for c in result.conflicts):
        return "declared", result
    return "right", result


def outcomes(corrector: NoiseCorrector) -> Iterator[tuple[Mapping[str, Any], str, RefinedContext]]:
    """Every pair with its outcome."""
    for pair in load_pairs():
        yield pair, *outcome(pair, corrector)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="print each pair that went wrong")
    options = parser.parse_args(arguments)
    console, counts = Console(width=160), Counter[tuple[str, str, str]]()
    for pair, verdict, result in outcomes(NoiseCorrector()):
        counts[pair["kind"], pair["lang"], verdict] += 1
        if options.failures and verdict != "right":
            console.print(f"{pair['id']} [{pair['kind']}: {verdict}] {pair['query']}", markup=False, soft_wrap=True)
            for c in pair["chunks"]:
                console.print(f"    {c['source']} {c['published_at']} | {c['text']}", markup=False, soft_wrap=True)
            for conflict in result.conflicts:
                console.print(f"    -> {conflict.explain()}", markup=False, soft_wrap=True)
    table = Table("kind", "language", "n", "outcomes")
    for kind in KINDS:
        for lang in ("zh", "en"):
            mine = {v: n for (k, w, v), n in sorted(counts.items()) if (k, w) == (kind, lang)}
            said = ", ".join(f"{v} {n}" for v, n in sorted(mine.items(), key=lambda m: -m[1]))
            table.add_row(kind, lang, str(sum(mine.values())), said)
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
