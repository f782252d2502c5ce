"""Clean the two shipped examples and show what happened: before, after, what went and why.

    python examples/demo.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.cells import chop_cells
from rich.console import Console, Group
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ragclean import NoiseCorrector, RefinedContext
from ragclean.types import Dropped

HERE = Path(__file__).resolve().parent
#: Readable on the narrowest common terminal and not too wide for the eye.
MIN_WIDTH, MAX_WIDTH = 80, 120
#: Where the output is no terminal: nobody can tell how wide it will be shown.
PIPED_WIDTH = 100
OPENING = 44


@dataclass(frozen=True)
class Example:
    """A question with the candidates a retriever brought for it."""

    title: str
    file: str
    query: str
    as_of: str
    top_k: int


EXAMPLES = (
    Example("A laptop's screen flickers", "screen_flicker.zh.jsonl", "保修期内屏幕闪烁怎么办？", "2025-06-01", 3),
    Example(
        "How many requests per minute?", "rate_limit.en.jsonl",
        "How many API requests per minute does the Larkspur Team plan allow?", "2025-06-01", 3,
    ),
)  # fmt: skip


def load(file: str) -> list[dict[str, str]]:
    """The candidates of a shipped example, in the retriever's order."""
    return [json.loads(line) for line in (HERE / file).read_text(encoding="utf-8").splitlines()]


def main() -> None:
    console = make_console()
    corrector = NoiseCorrector()
    corrector.refine("准备好了吗？", ["准备好了。", "Ready."])  # loads dictionaries and models, once a process
    for number, example in enumerate(EXAMPLES, 1):
        candidates = load(example.file)
        result = corrector.refine(example.query, candidates, top_k=example.top_k, as_of=example.as_of)
        console.print(Rule(f"[bold]{number}  {example.title}", style="cyan"))
        console.print(Text.assemble(("Question  ", "bold"), example.query, (f"   (as of {result.as_of})", "dim")))
        console.print()
        show_before(console, candidates)
        show_after(console, result, candidates)
        show_gone(console, result, candidates)
        show_findings(console, result)
        console.print()


def make_console() -> Console:
    """Colour on a terminal, plain text in a pipe or file; never narrower or wider than reads well."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    console = Console(highlight=False)
    width = console.width if console.is_terminal else PIPED_WIDTH
    console.width = min(max(width, MIN_WIDTH), MAX_WIDTH)
    return console


def show_before(console: Console, candidates: list[dict[str, str]]) -> None:
    size = sum(len(c["text"]) for c in candidates)
    table = plain_table("bold yellow",
        f"BEFORE  {len(candidates)} chunks, {size:,} characters, in the retriever's order")  # fmt: skip
    table.add_column("chunk", no_wrap=True, min_width=max(len(c["id"]) for c in candidates))
    table.add_column("source", no_wrap=True, style="cyan", min_width=max(len(c["source"]) for c in candidates))
    table.add_column("date", no_wrap=True, min_width=len("2025-06-01"))
    table.add_column("title", ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column("size", justify="right", no_wrap=True, min_width=4)
    for c in candidates:
        table.add_row(c["id"], c["source"], date_of(c), escape(c["title"]), str(len(c["text"])))
    console.print(table)
    console.print()


def show_after(console: Console, result: RefinedContext, candidates: list[dict[str, str]]) -> None:
    originals = {c["id"]: c for c in candidates}
    blocks = []
    for number, kept in enumerate(result.chunks, 1):
        original = originals[kept.id]
        head = Text.assemble(
            (f"[{number}] {kept.chunk.title}", "bold green"),
            (f"  {kept.chunk.source}, {date_of(original)}, score {kept.signals.final:.2f}", "dim"),
        )
        blocks += [head, Padding(Text(wrapped(kept.text, console.width - 8)), (0, 0, 0, 4)), Text()]
    stats = result.stats
    title = (
        f"AFTER  {len(result.chunks)} chunks, {int(stats['chars_out']):,} characters, "
        f"{stats['shorter']:.0%} shorter, {stats['ms_total']:.0f} ms"
    )
    body = Group(*blocks[:-1]) if blocks else Text("(nothing)")
    console.print(Panel(body, title=f"[bold green]{title}", title_align="left", border_style="green"))
    console.print()


def show_gone(console: Console, result: RefinedContext, candidates: list[dict[str, str]]) -> None:
    titles = {c["id"]: c["title"] for c in candidates}
    chunks = plain_table("bold red", "DROPPED  whole chunks, and why")
    chunks.add_column("chunk", ratio=2)
    chunks.add_column("why", ratio=3)
    for gone in (d for d in result.dropped if d.start is None):
        what = Text.assemble((gone.chunk_id, "bold red"), (f"\n{short(titles[gone.chunk_id])}", "dim"))
        chunks.add_row(what, why(gone))
    console.print(chunks)
    console.print()

    sentences = plain_table("bold red", "CUT  sentences of the chunks above")
    sentences.add_column("chunk", no_wrap=True)
    sentences.add_column("sentences", ratio=1)
    for chunk_id, cut in group_by_chunk(d for d in result.dropped if d.start is not None).items():
        lines = [Text.assemble((f"{short(d.text)}  ", "red"), mark(d)) for d in cut]
        sentences.add_row(chunk_id, Group(*lines))
    console.print(sentences)


def show_findings(console: Console, result: RefinedContext) -> None:
    for conflict in result.conflicts:
        winner = conflict.winner.value if conflict.winner else "undecided"
        console.print()
        console.print(Text.assemble(("CONFLICT  ", "bold magenta"), f"{conflict.slot}: ", (winner, "bold")))
        console.print(Padding(Text(conflict.explain()), (0, 0, 0, 4)))
    for warning in result.warnings:
        console.print()
        console.print(Text.assemble(("WARNING  ", "bold yellow"), str(warning)))


def plain_table(style: str, title: str) -> Table:
    return Table(
        title=title, title_style=style, title_justify="left", box=None, header_style="dim", pad_edge=False, expand=True
    )


def group_by_chunk(dropped: Iterable[Dropped]) -> dict[str, list[Dropped]]:
    groups: dict[str, list[Dropped]] = {}
    for gone in dropped:
        groups.setdefault(gone.chunk_id, []).append(gone)
    return groups


def why(gone: Dropped) -> Text:
    label = gone.reason.replace("_", " ")
    return Text.assemble((label, "yellow"), f": {gone.detail}" if gone.detail else "")


def mark(gone: Dropped) -> Text:
    """Why a sentence went, short where it is the usual reason: the score that was too low."""
    if gone.reason == "below_threshold" and gone.score is not None:
        return Text(f"{gone.score:.2f}", style="dim")
    return why(gone)


def wrapped(text: str, width: int) -> str:
    """Chinese has no spaces to break lines at: break lines of it where they are full."""
    lines = []
    for line in text.splitlines():
        lines += [line] if line.isascii() else chop_cells(line, width)
    return "\n".join(lines)


def short(text: str, limit: int = OPENING) -> str:
    """The opening of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def date_of(candidate: dict[str, str]) -> str:
    fields = ("effective_from", "updated_at", "published_at")
    return next((candidate[f] for f in fields if candidate.get(f)), "undated")


if __name__ == "__main__":
    main()
