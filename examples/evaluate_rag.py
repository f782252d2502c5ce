"""How much does noise cost a RAG application, and how much of that does the corrector give back?

    python examples/evaluate_rag.py [folder]

Offline, without a key. ``answer`` stands for your application: the twelve cases beside this file ask it first with
what was retrieved, then with old versions and altered copies among it. The report goes to the folder, a new temporary
one where none is named.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ragclean import Chunk
from ragclean.evaluation import compare_arms, read_cases
from ragclean.report.arms_table import arms_table
from ragclean.report.evaluation_page import evaluation_html

CASES = Path(__file__).with_name("eval_cases.jsonl")
WIDTH = 140  # columns of the table where it is written to a file
SENTENCE_ENDS = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+")


def answer(question: str, contexts: Sequence[Chunk]) -> str:
    """A toy: the sentence that shares most with the question; of equals the first one. Yours would ask a model."""
    asked = pairs(question)
    sentences = [s for chunk in contexts for s in SENTENCE_ENDS.split(chunk.text) if s.strip()]
    return max(sentences, key=lambda s: len(asked & pairs(s)), default="")


def pairs(text: str) -> set[str]:
    """Its pairs of letters: a measure of likeness that does for Chinese and English."""
    text = text.lower()
    return {text[i : i + 2] for i in range(len(text) - 1)}


def main() -> None:
    home = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="ragclean-evaluation-"))
    home.mkdir(parents=True, exist_ok=True)
    cases = read_cases(CASES)
    # Change the name whenever the answers may change: a gate compares it.
    arms = compare_arms(cases, answer, pipeline="toy-1", top_k=3, cache=home / "cache")

    Console(width=None if sys.stdout.isatty() else WIDTH).print(arms_table(arms, "en"))
    raw = arms.reports["raw"]
    if not raw.valid:
        print("The evaluator did not pass its own check; believe no figure:", *raw.check_failures, sep="\n  ")
    fooled = [o for o in raw.outcomes if o.shown.variant == "v3" and o.score.correctness == 0]
    print(f"Contradictions fooled the raw application in {len(fooled)} of {len(cases)} cases, for example:")
    for outcome in fooled[:2]:
        print(f"  {raw.case(outcome.shown.case_id).question}\n    {outcome.answer}")

    for name, report in arms.reports.items():
        file = home / f"{name.replace(' ', '-')}.html"
        file.write_text(evaluation_html(report, lang="en"), encoding="utf-8")
        report.save(file.with_suffix(".json"))
    print(f"Reports, one for each way of treating the contexts: {home}")


if __name__ == "__main__":
    main()
