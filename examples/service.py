"""A small web service around one corrector: POST /refine, GET /health, GET /metrics.

    pip install ragclean fastapi uvicorn
    python examples/service.py --port 8000 [--config config.json]

or, with the settings in the environment, as several processes behind one port:

    RAGCLEAN_CONFIG=config.json uvicorn service:app --app-dir examples --workers 4

One process, one corrector: requests share its models and its memory of texts. Nearly all of the work holds Python's
interpreter lock, so that one process does one refine at a time, whatever the threads; more come from more processes.
Nothing of a query or a chunk is written to the log or to the metrics.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any

import anyio
import anyio.to_thread
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from ragclean import CorrectorConfig, NoiseCorrector

logger = logging.getLogger("ragclean.service")

#: Bytes of a request at most (RAGCLEAN_MAX_BYTES): 50 chunks of 5,000 Chinese characters are 0.8 MB.
MAX_BYTES = int(os.environ.get("RAGCLEAN_MAX_BYTES", 2_000_000))
#: Chunks of a request at most (RAGCLEAN_MAX_CHUNKS): refine takes time in proportion.
MAX_CHUNKS = int(os.environ.get("RAGCLEAN_MAX_CHUNKS", 100))
#: Milliseconds after which stages are skipped, with a warning (RAGCLEAN_BUDGET_MS); a configuration's own comes first.
BUDGET_MS = float(os.environ.get("RAGCLEAN_BUDGET_MS", 2_000))
#: Refines under way at a time, and requests that may wait for one (RAGCLEAN_WAITING); more are told to come again.
AT_ONCE = 4
WAITING = int(os.environ.get("RAGCLEAN_WAITING", 64))
#: Parts of a question and protected terms at most: each is looked for in every chunk.
MAX_PARTS, MAX_TERMS = 16, 200
#: Unix times begin here, in September 2001: no smaller number with a fraction is a date.
FIRST_TIME = 1e9
#: Upper bounds of the latency histogram, in seconds.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


# -- what is said


Text = Annotated[str, Field(max_length=4_000)]


def name(value: Any) -> Any:
    """A string, or a number, as databases give ids."""
    if value is None or (isinstance(value, (str, int, float)) and not isinstance(value, bool)):
        return value
    raise ValueError("expected a string or a number")


def day(value: Any) -> Any:
    """A date as text, as a number (20250301), or as a Unix time in seconds or milliseconds."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is None or isinstance(value, str) or whole or (isinstance(value, float) and value >= FIRST_TIME):
        return value
    raise ValueError("expected a date as a string, or a Unix time")


def page(value: Any) -> Any:
    """A passage may be its text alone."""
    if isinstance(value, (str, dict)):
        return {"text": value} if isinstance(value, str) else value
    raise ValueError("expected a string, or an object with a text")


Name = Annotated[str | int | float | None, BeforeValidator(name)]
Day = Annotated[str | int | float | None, BeforeValidator(day)]
Share = Annotated[float | None, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Score = Annotated[float | None, Field(strict=True, allow_inf_nan=False)]


class ChunkIn(BaseModel):
    """A retrieved passage, with the fields of ``ragclean.types.Chunk``; what is null counts as not given."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(validation_alias=AliasChoices("text", "content", "page_content"))]
    id: Name = None
    title: Name = None
    lineage_id: Name = None
    version: Name = None
    source: Name = None
    uri: Name = None
    source_weight: Share = None
    published_at: Day = None
    updated_at: Day = None
    effective_from: Day = None
    expires_at: Day = None
    score: Score = None
    embedding: list[float] | None = None
    metadata: Annotated[dict[str, Any] | None, Field(validation_alias=AliasChoices("metadata", "meta"))] = None
    """A field that is not given is taken from here."""


class RefineIn(BaseModel):
    """One question with what was retrieved for it; options as for ``NoiseCorrector.refine``."""

    model_config = ConfigDict(extra="forbid")

    query: Text
    chunks: Annotated[list[Annotated[ChunkIn, BeforeValidator(page)]], Field(max_length=MAX_CHUNKS)]
    """Strings, or objects."""
    top_k: Annotated[int, Field(strict=True, ge=1, le=100)] = 8
    as_of: str | None = None
    max_tokens: Annotated[int | None, Field(strict=True, ge=1)] = None
    pinned: list[str] = []
    sub_queries: Annotated[list[Text], Field(max_length=MAX_PARTS)] = []
    protected_terms: Annotated[list[str], Field(max_length=MAX_TERMS)] = []
    trace: bool = False
    """Whether the whole decision comes back too."""


class RefineOut(BaseModel):
    """The context, and what it is made of."""

    context: str
    prompt: str
    citations: dict[int, str]
    kept: list[str]
    warnings: list[str]
    conflicts: list[str]
    stats: dict[str, float]
    trace: dict[str, Any] | None = None


# -- what is counted


class Metrics:
    """Counters and one histogram, as Prometheus reads them; names and labels are the library's own codes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, Counter[str]] = {
            name: Counter() for name in ("requests", "drops", "warnings", "conflicts")
        }
        self._buckets = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0

    def answered(self, status: int) -> None:
        with self._lock:
            self._counts["requests"][f'status="{status}"'] += 1

    def refined(self, found: Any, seconds: float) -> None:
        with self._lock:
            self._buckets[bisect_left(BUCKETS, seconds)] += 1
            self._seconds += seconds
            self._counts["drops"].update(f'stage="{d.stage}",reason="{d.reason}"' for d in found.dropped)
            self._counts["warnings"].update(f'code="{w.code}"' for w in found.warnings)
            self._counts["conflicts"].update(f'decided="{str(c.winner is not None).lower()}"' for c in found.conflicts)

    def text(self) -> str:
        with self._lock:
            lines = []
            for name, counts in self._counts.items():
                lines.append(f"# TYPE ragclean_{name}_total counter")
                lines += [f"ragclean_{name}_total{{{label}}} {n}" for label, n in sorted(counts.items())]
            lines.append("# TYPE ragclean_refine_seconds histogram")
            total = 0
            for bound, n in zip((*map(str, BUCKETS), "+Inf"), self._buckets, strict=True):
                total += n
                lines.append(f'ragclean_refine_seconds_bucket{{le="{bound}"}} {total}')
            lines += [f"ragclean_refine_seconds_sum {self._seconds:.6f}", f"ragclean_refine_seconds_count {total}"]
        return "\n".join(lines) + "\n"


# -- what is served


class BodyLimit:
    """Refuses a request that is too large, by its length where it says one and while it is read where it does not."""

    def __init__(self, app: Any, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        too_large = not length.isdigit() or int(length[:20]) > self._most
        read, parts = 0, []
        while not too_large:
            message = await receive()
            if message["type"] != "http.request":
                await JSONResponse({"detail": "the request broke off"}, 400)(scope, receive, send)  # to be counted
                return
            parts.append(message.get("body", b""))
            read += len(parts[-1])
            too_large = read > self._most
            if not message.get("more_body"):
                break
        if too_large:
            told = JSONResponse({"detail": f"the request is larger than {self._most} bytes"}, 413)
            await told(scope, receive, send)
            return
        whole = iter([{"type": "http.request", "body": b"".join(parts), "more_body": False}])

        async def replay() -> Any:
            return next(whole, None) or await receive()

        await self._app(scope, replay, send)


def make_app(corrector: NoiseCorrector | None = None) -> FastAPI:
    """The service around a corrector; None: one with the configuration that ``RAGCLEAN_CONFIG`` names."""
    metrics, limiter, waiting = Metrics(), anyio.CapacityLimiter(AT_ONCE), Counter[str]()
    held: dict[str, NoiseCorrector] = {}

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        held["corrector"] = corrector or from_environment()
        await anyio.to_thread.run_sync(warm, held["corrector"])
        yield
        held.clear()

    app = FastAPI(title="ragclean", lifespan=life)

    app.add_middleware(BodyLimit, most=MAX_BYTES)

    @app.middleware("http")  # around the one before: what is refused is counted too
    async def count(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        status = 500  # what an error of ours becomes further out
        try:
            response = await call_next(request)
            status = response.status_code
        finally:
            if request.url.path == "/refine":
                metrics.answered(status)
        return response

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        """Which field is wrong and why, without the text that was sent."""
        told = [{"field": ".".join(map(str, e["loc"])), "error": e["msg"]} for e in error.errors()]
        return JSONResponse({"detail": told}, 422)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        logger.error("refine failed: %s", type(error).__name__)
        return JSONResponse({"detail": "internal error"}, 500)

    @app.post("/refine", response_model=RefineOut)
    async def refine(asked: RefineIn) -> Response:
        if waiting["now"] >= AT_ONCE + WAITING:
            return JSONResponse({"detail": "busy"}, 503, {"Retry-After": "1"})
        waiting["now"] += 1
        began = time.perf_counter()
        try:
            found = await anyio.to_thread.run_sync(lambda: cleaned(held["corrector"], asked), limiter=limiter)
        except ValueError as error:  # a date that cannot be read, or a chunk where the configuration says "raise"
            return JSONResponse({"detail": [refused(error)]}, 422)
        finally:
            waiting["now"] -= 1
        metrics.refined(found, time.perf_counter() - began)
        # Escaped throughout: half a surrogate pair in a text has no other form in JSON.
        return Response(json.dumps(answer(found, asked.trace).model_dump()), media_type="application/json")

    @app.get("/health")
    async def health() -> dict[str, Any]:
        return {"status": "ok", "fingerprint": held["corrector"].fingerprint, "waiting": waiting["now"]}

    @app.get("/metrics", response_class=PlainTextResponse)
    async def show_metrics() -> PlainTextResponse:
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    return app


def cleaned(corrector: NoiseCorrector, asked: RefineIn) -> Any:
    return corrector.refine(
        asked.query, [c.model_dump(exclude_none=True) for c in asked.chunks], top_k=asked.top_k, as_of=asked.as_of,
        max_tokens=asked.max_tokens, pinned=asked.pinned, sub_queries=asked.sub_queries,
        protected_terms=asked.protected_terms,
    )  # fmt: skip


def refused(error: ValueError) -> dict[str, str]:
    """What the library refuses, said as the service says it: ``candidate 3: score: ...`` is ``body.chunks.3.score``."""
    found = re.match(r"(?:candidate (\d{1,9}): )?(\w{1,40}): ", str(error))
    if found is None:
        return {"field": "body", "error": str(error)}
    place = f"chunks.{found[1]}." if found[1] else ""
    return {"field": f"body.{place}{found[2]}", "error": str(error)[found.end() :]}


def answer(found: Any, trace: bool) -> RefineOut:
    prompt = found.to_prompt()
    return RefineOut(
        context=found.text, prompt=prompt.text, citations=dict(prompt.citations), kept=[c.id for c in found.chunks],
        warnings=[str(w) for w in found.warnings], conflicts=[c.explain() for c in found.conflicts],
        stats=dict(found.stats), trace=found.to_dict() if trace else None,
    )  # fmt: skip


#: A question of each language with two pages that contradict each other: every stage has something to do.
WARM_UP: tuple[tuple[str, list[dict[str, Any]]], ...] = (
    ("甲型水泵的保修期是多久？", [
        {"text": "甲型水泵的保修期为36个月，自签收日起算。", "source": "official_policy", "published_at": 1738368000},
        {"text": "我记得甲型水泵的保修期只有12个月。", "source": "forum", "published_at": "3 mars 2024"},
    ]),
    ("How long is the warranty of the A1 pump?", [
        {"text": "The warranty of the A1 pump is 36 months from delivery.", "source": "official_policy"},
        {"text": "I believe the warranty of the A1 pump is only 12 months.", "source": "forum"},
    ]),
)  # fmt: skip

def warm(corrector: NoiseCorrector) -> None:
    """Load what both languages need before the first caller waits for it."""
    for query, pages in WARM_UP:
        found = corrector.refine(query, pages)
        answer(found, trace=True)
        if any(w.code == "stage_skipped" for w in found.warnings):
            logger.warning("the time budget is too small for two short pages: stages will be skipped")


def from_environment() -> NoiseCorrector:
    path = os.environ.get("RAGCLEAN_CONFIG")
    config = CorrectorConfig.load(path) if path else CorrectorConfig()
    return NoiseCorrector(config=config if config.time_budget_ms else config.with_changes(time_budget_ms=BUDGET_MS))


app = make_app()


def reason(error: Exception) -> str:
    """In one line, with the file that is at fault."""
    said = str(getattr(error, "strerror", None) or error or type(error).__name__)
    path = os.environ.get("RAGCLEAN_CONFIG", "")
    return " ".join((said if path in said else f"--config {path}: {said}").split())


def main() -> None:
    import uvicorn

    parser = argparse.ArgumentParser(description="ragclean as a web service")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--config", help="a configuration saved as JSON")
    args = parser.parse_args()
    if args.config:
        os.environ["RAGCLEAN_CONFIG"] = args.config
    try:
        corrector = from_environment()
    except (OSError, ValueError, ImportError) as error:
        parser.exit(2, f"service.py: error: {reason(error)}\n")
    # The library logs no text, but errors of a part of your own might quote some: only what is written here is shown.
    logging.getLogger("ragclean").setLevel(logging.CRITICAL)
    logger.setLevel(logging.INFO)
    uvicorn.run(make_app(corrector), host=args.host, port=args.port, access_log=False)


if __name__ == "__main__":
    main()
