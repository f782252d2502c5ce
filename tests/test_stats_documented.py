"""The page on running at scale names every figure of a result and every span, and no other."""

from __future__ import annotations

import re

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from ragclean import NoiseCorrector, tracing

PAGES = {"scaling.md": "## Figures and spans", "scaling.zh-CN.md": "## 数字与 span"}
CHUNKS = ["整机保修24个月，自开票之日起计算。", "今天天气很好。"]


@pytest.fixture(params=PAGES)
def section(root, request):
    """What a page says of figures and spans."""
    page = (root / "docs" / request.param).read_text(encoding="utf-8")
    return re.split(r"^## ", page.split(PAGES[request.param] + "\n")[1], flags=re.MULTILINE)[0]


def rows(section):
    """The cells of its tables' rows."""
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| `")]
    assert len(found) > 10
    return found


def test_every_figure_of_a_result_is_on_the_page_with_its_unit_and_no_other_is(section):
    told = [row for row in rows(section) if not row[0].startswith("`ragclean.")]
    given = NoiseCorrector().refine("整机保修多久？", CHUNKS).stats
    assert [name.strip("`") for name, *_ in told] == list(given)
    assert all(len(row) == 3 and row[1] and row[2] for row in told)


def test_every_span_is_on_the_page_with_its_attributes_and_no_other_is(section, monkeypatch):
    kept = InMemorySpanExporter()
    provider = TracerProvider()  # of this test alone: the process keeps its own
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "_tracer", lambda: provider.get_tracer(tracing.NAME))
    stats = NoiseCorrector().refine("整机保修多久？", CHUNKS).stats
    recorded = {span.name: set(span.attributes) for span in kept.get_finished_spans()}

    told = {name: row[2] for row in rows(section) for name in re.findall(r"`(ragclean\.\w+)`", row[0])}
    assert set(told) == set(recorded)
    beside = set(re.findall(r"`(ragclean\.\w+)`", told["ragclean.refine"]))
    assert recorded["ragclean.refine"] == beside | {f"ragclean.{name}" for name in stats}
    assert not any(attributes for name, attributes in recorded.items() if name != "ragclean.refine")
