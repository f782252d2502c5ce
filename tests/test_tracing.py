"""Spans of OpenTelemetry: one a call, one a stage, figures and nothing of the texts."""

from __future__ import annotations

import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from ragclean import CorrectorConfig, NoiseCorrector

SECRET = "保修多久？secret-4711"
CHUNKS = [{"id": "secret-id", "text": "保修24个月，自开票之日起计算。"}, {"id": "b", "text": "今天天气很好。"}]


@pytest.fixture(scope="module")
def exporter():
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace.set_tracer_provider(provider)  # of the process, and for good: what later tests do must not be kept
    yield kept
    provider.shutdown()
    kept.clear()


def test_a_call_is_a_span_and_its_stages_lie_within_it(exporter):
    exporter.clear()
    found = NoiseCorrector().refine(SECRET, CHUNKS)
    spans = {s.name: s for s in exporter.get_finished_spans()}
    assert {"ragclean.refine", "ragclean.screen", "ragclean.rank", "ragclean.arbitrate", "ragclean.compress"} <= set(spans)
    whole = spans["ragclean.refine"]
    assert all(s.parent.span_id == whole.context.span_id for name, s in spans.items() if name != "ragclean.refine")
    assert whole.attributes["ragclean.chunks_in"] == 2
    assert whole.attributes["ragclean.chunks_out"] == found.stats["chunks_out"]


def test_spans_hold_nothing_of_query_texts_and_ids(exporter):
    exporter.clear()
    NoiseCorrector().refine(SECRET, CHUNKS)
    written = "".join(s.to_json() for s in exporter.get_finished_spans())
    assert "secret" not in written
    assert "保修" not in written


def test_spans_hold_nothing_of_what_an_error_quotes(exporter):
    exporter.clear()
    with pytest.raises(ValueError, match="secret"):
        NoiseCorrector(config=CorrectorConfig(on_bad_candidate="raise")).refine("q", [{"text": "x", "title": ["secret"]}])
    spans = exporter.get_finished_spans()
    assert {s.attributes["error.type"] for s in spans} == {"BadCandidateError"}
    assert "secret" not in "".join(s.to_json() for s in spans)


def test_an_application_without_a_provider_notices_nothing():
    code = (
        "from ragclean import NoiseCorrector; r = NoiseCorrector().refine('保修多久？', ['保修24个月。']); "
        "import sys; sys.stdout.buffer.write(r.text.encode())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert "24个月" in done.stdout.decode()


def test_importing_the_library_imports_no_tracing():
    code = "import sys, ragclean; sys.exit(any(m.startswith('opentelemetry') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
