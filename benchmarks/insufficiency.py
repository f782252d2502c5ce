"""How well the signals of insufficiency know their questions: vague ones, and those that need two pages.

    python benchmarks/insufficiency.py               # precision and recall by signal, language and split
    python benchmarks/insufficiency.py --data DIR    # and the share warned about in public sets (or RAGCLEAN_DATA)
    python benchmarks/insufficiency.py --failures    # and every wrong one of the development split

``data/questions.jsonl``: ``vague`` and ``multi_hop`` are the labels, ``kind`` is what the question was written to be.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from case_form import load_cases
from rich.console import Console
from rich.table import Table

from ragclean.signals.insufficiency import multi_hop, vague
from ragclean.text.question import parse_question

FILE = Path(__file__).parent / "data" / "questions.jsonl"
SIGNALS: dict[str, Callable[[str], str]] = {
    "vague": lambda query: vague(parse_question(query)),
    "multi_hop": lambda query: multi_hop(parse_question(query)),
}
LANGUAGES = ("zh", "en")
SPLITS = ("dev", "test")
#: Public sets and what they hold: one bridge or comparison a question, two values a question, or plain questions.
PUBLIC = {
    "noiser_bamboogle": "multi-hop", "rgb_zh_int": "two parts", "cmrc2018_dev": "single-hop",
    "cmrc2018_trial": "single-hop", "drcd_dev_hant": "single-hop", "expmrc_squad": "single-hop",
    "nomiracl_zh": "single-hop", "nomiracl_en": "single-hop", "ramdocs": "single-hop", "rgb_zh_refine": "single-hop",
    "rgb_zh_fact": "single-hop", "rgb_en_fact": "single-hop", "dureader_demo": "single-hop",
}  # fmt: skip


@dataclass(frozen=True)
class Count:
    """Right alarms, false alarms and misses."""

    right: int
    false: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.false) if self.right + self.false else 0.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 0.0


def load_questions(path: Path = FILE) -> list[Mapping[str, Any]]:
    """The labelled questions, one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def count(rows: Sequence[Mapping[str, Any]], signal: str) -> Count:
    """How often the signal was right on these questions."""
    pairs = [(bool(SIGNALS[signal](r["query"])), bool(r[signal])) for r in rows]
    return Count(pairs.count((True, True)), pairs.count((True, False)), pairs.count((False, True)))


def failures(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The wrong ones in words, sorted by kind."""
    for r in sorted(rows, key=lambda r: (r["lang"], r["kind"])):
        for signal, ask in SIGNALS.items():
            reason = ask(r["query"])
            if bool(reason) != r[signal]:
                wrong = "false alarm" if reason else "missed"
                yield f"{signal} {wrong} [{r['lang']} {r['kind']}] {r['query']} {reason}"


def public_queries(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Name, kind and distinct questions of each public set that is there."""
    for name, kind in PUBLIC.items():
        path = folder / f"{name}.jsonl"
        if path.exists():
            with path.open(encoding="utf-8") as lines:
                yield name, kind, list(dict.fromkeys(json.loads(line)["query"] for line in lines if line.strip()))


def case_queries() -> Iterator[tuple[str, str, list[str]]]:
    """The same of the labelled cases. Their 'multi' means several chunks of one matter: few are multi-hop questions."""
    cases = load_cases()
    for frozen in (False, True):
        for hard in (False, True):
            mine = [c.query for c in cases if c.frozen == frozen and (c.difficulty == "multi") == hard]
            yield "cases, frozen" if frozen else "cases", "several chunks" if hard else "one chunk", mine


def _labelled(rows: Sequence[Mapping[str, Any]]) -> Table:
    table = Table("signal", "language", "split", "questions", "of them labelled", "precision", "recall")
    for signal in SIGNALS:
        for split in SPLITS:
            for lang in (*LANGUAGES, "both"):
                mine = [r for r in rows if r["split"] == split and lang in (r["lang"], "both")]
                c = count(mine, signal)
                table.add_row(signal, lang, split, str(len(mine)), str(c.right + c.missed),
                              f"{c.precision:.2f}", f"{c.recall:.2f}")  # fmt: skip
    return table


def _warned(sets: Sequence[tuple[str, str, list[str]]]) -> Table:
    table = Table("set", "what it holds", "questions", *(f"{signal}: warned" for signal in SIGNALS))
    for name, kind, queries in sets:
        shares = [sum(bool(ask(q)) for q in queries) for ask in SIGNALS.values()]
        table.add_row(name, kind, str(len(queries)), *(f"{n} ({n / max(len(queries), 1):.1%})" for n in shares))
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RAGCLEAN_DATA"), help="folder of public sets")
    parser.add_argument("--failures", action="store_true", help="print the wrong ones of the development split")
    options = parser.parse_args(arguments)
    console, rows = Console(width=140), load_questions()
    console.print(_labelled(rows))
    sets = list(case_queries())
    if options.data is None:
        console.print("public sets: give their folder with --data or RAGCLEAN_DATA")
    else:
        sets += public_queries(Path(options.data))
    console.print(_warned(sets))
    if options.failures:
        for line in failures([r for r in rows if r["split"] == "dev"]):
            console.print(line, markup=False, soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
