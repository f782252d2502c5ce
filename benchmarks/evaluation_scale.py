"""How near a whole evaluation comes to the time that its calls take anyway: 300 cases under five variants.

    python benchmarks/evaluation_scale.py
    python benchmarks/evaluation_scale.py --concurrency 8 --cases 100 --json scale.json --check

Application and judge are stubs behind a local endpoint, in a process of its own, that answers everything after 200 ms.
The ideal is that of calls and nothing else: calls x latency / concurrency. What a run takes beyond it is our own work:
making noise, judging, the client, the caches. Seconds differ from machine to machine; the ratio is held to a bound.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ragclean.endpoint import Endpoint
from ragclean.evaluation.answerers import EndpointAnswerer
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.llm_answer_judge import EndpointAnswerJudge
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.records import EvalCase
from ragclean.evaluation.running import WEEKLY, failures, run_evaluation

DATA = Path(__file__).parent / "data" / "cases"
LATENCY, CASES, CONCURRENCY = 0.2, 300, (8, 16, 32)
#: The bound on wall time / ideal time.
BOUND = 1.5


@dataclass(frozen=True)
class Run:
    """One run: its calls by kind, and its time against the ideal."""

    concurrency: int
    cases: int
    answers: int
    judge_calls: int
    wall: float
    ideal: float
    cpu: float
    """Processor seconds of the run's own process."""
    failed: int
    short: int

    @property
    def ratio(self) -> float:
        return self.wall / self.ideal


# -- the stub


class Stub:
    """Answers and verdicts that hang on the request alone, each after the latency."""

    def __init__(self, latency: float) -> None:
        self.latency, self.seen = latency, Counter[str]()

    async def serve(self) -> None:
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=256)
        print(server.sockets[0].getsockname()[1], flush=True)
        async with server:
            await server.serve_forever()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if head.startswith(b"GET"):
                    writer.write(_http(json.dumps(self.seen)))
                    continue
                lengths = [line[15:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                body = await reader.readexactly(int(lengths[0]))
                until = asyncio.get_running_loop().time() + self.latency
                said = self._reply(json.loads(body))
                await asyncio.sleep(until - asyncio.get_running_loop().time())
                writer.write(_http(json.dumps({"choices": [{"message": {"role": "assistant", "content": said}}]})))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _reply(self, request: dict[str, Any]) -> str:
        self.seen[request["model"]] += 1
        user = request["messages"][-1]["content"]
        return _answer(user) if request["model"] == "answerer" else json.dumps(_verdicts(json.loads(user)))


def _http(body: str) -> bytes:
    data = body.encode("utf-8")
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(data), data)


def _answer(prompt: str) -> str:
    """Two sentences of the passages, which ones depending on the prompt: other noise, other answer."""
    sentences = [s for block in prompt.split("\n\n")[1:-2] for s in block.split("] ", 1)[-1].split("。") if s.strip()]
    at = len(prompt) % len(sentences)
    return "。".join(s[:80] for s in sentences[at : at + 2]) + "。"


def _verdicts(data: dict[str, Any]) -> dict[str, Any]:
    if "claims" in data:
        whole = "\n".join(p["text"] for p in data["passages"])
        held = [c["text"] in whole for c in data["claims"]]
        told = [
            (c["id"], "supported" if h else "not_mentioned", c["text"] if h else "")
            for c, h in zip(data["claims"], held, strict=True)
        ]
    else:
        told = [(p["id"], "covered" if len(p["text"]) % 2 else "missing", data["answer"][:30]) for p in data["points"]]
    return {"items": [{"id": i, "verdict": v, "evidence": e} for i, v, e in told]}


# -- the run


def measured(cases: list[EvalCase], noise: NoiseMaker, port: int, concurrency: int) -> Run:
    """One run from nothing, with caches on disk as users have them."""
    before = _seen(port)
    with tempfile.TemporaryDirectory() as folder:
        answerer, judge = (
            Endpoint(
                name, base_url=f"http://127.0.0.1:{port}/v1", api_key="none", concurrency=concurrency, max_retries=0,
                cache=cache, patience=600,
            )
            for name, cache in (("answerer", False), ("judge", Path(folder) / "judge.sqlite3"))  # a run keeps answers
        )  # fmt: skip
        started, worked = time.perf_counter(), time.process_time()
        report = run_evaluation(
            cases, EndpointAnswerer(answerer, may_refuse=True), EndpointAnswerJudge(judge), pipeline="stub",
            noise=noise, variants=WEEKLY, concurrency=concurrency, cache=folder,
        )  # fmt: skip
        wall, cpu = time.perf_counter() - started, time.process_time() - worked
    calls = _seen(port) - before
    failed = sum(failures(report.outcomes).values())
    return Run(
        concurrency, len(cases), calls["answerer"], calls["judge"], wall, calls.total() * LATENCY / concurrency, cpu,
        failed, len(report.short),
    )  # fmt: skip


def _seen(port: int) -> Counter[str]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{port}/", timeout=30) as reply:
        return Counter(json.loads(reply.read()))


def show(runs: list[Run]) -> None:
    whole = f"{runs[0].cases} cases x {len(WEEKLY)} variants, {LATENCY * 1000:.0f} ms a call"
    table = Table(title=f"an evaluation of {whole}", title_justify="left")
    for name in ("concurrency", "answers", "judge calls", "ideal s", "wall s", "ratio", "own cpu s", "failed", "short"):
        table.add_column(name, justify="right")
    for run in runs:
        row = (run.concurrency, run.answers, run.judge_calls, f"{run.ideal:.1f}", f"{run.wall:.1f}", f"{run.ratio:.2f}",
               f"{run.cpu:.1f}", run.failed, run.short)  # fmt: skip
        table.add_row(*map(str, row))
    console = Console()
    if not console.is_terminal:
        console.width = 110
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--concurrency", type=int, nargs="+", default=list(CONCURRENCY))
    parser.add_argument("--cases", type=int, default=CASES, help=f"how many (default: {CASES})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    parser.add_argument("--check", action="store_true", help=f"end with 1 where a ratio is above {BOUND}")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        asyncio.run(Stub(LATENCY).serve())
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1"
    cases = [case for file in sorted(DATA.glob("*.jsonl")) for case in read_cases(file)][: args.cases]
    noise = NoiseMaker.of_cases(cases, NoiseSettings(on_empty_band="nearest"))
    with subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True) as stub:
        try:
            assert stub.stdout is not None
            port = int(stub.stdout.readline())
            runs = [measured(cases, noise, port, concurrency) for concurrency in args.concurrency]
        finally:
            stub.kill()
    show(runs)
    if args.json:
        data = {"python": platform.python_version(), "runs": [{**asdict(run), "ratio": run.ratio} for run in runs]}
        args.json.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return int(args.check and any(run.ratio > BOUND or run.failed for run in runs))


if __name__ == "__main__":
    sys.exit(main())
