"""The shipped web service, run as its docstring says: what it answers is what the library gives."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest

from ragclean import CorrectorConfig, NoiseCorrector

httpx = pytest.importorskip("httpx")
pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

pytestmark = pytest.mark.slow

DAY = "2025-06-01"
SECRET = "鹦鹉的暗号"
CHUNKS = [
    {"id": "terms", "source": "official_policy", "published_at": "2025-02-01", "text": "云舟K3的电池自签收之日起保修18个月。电机保修三年。"},
    {"id": "forum", "source": "forum", "text": f"我记得云舟K3电池保修只有6个月。{SECRET}"},
    {"id": "news", "source": "news", "text": "云舟科技昨日宣布与三家商场签约，将在春季开设体验店。"},
]


@pytest.fixture(scope="module")
def service(examples, tmp_path_factory):
    """The address of the running service, and where its output goes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("service") / "log"
    config = log.with_name("config.json")
    CorrectorConfig(time_budget_ms=60_000).save(config)
    limits = {"RAGCLEAN_MAX_BYTES": "20000", "RAGCLEAN_MAX_CHUNKS": "20"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, str(examples / "service.py"), "--port", str(port), "--config", str(config)],
            stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **limits},
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(trust_env=False) as client:
            for _ in range(600):
                assert process.poll() is None, log.read_text(encoding="utf-8")
                try:
                    if client.get(f"{address}/health").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.2)
        yield address, log
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def client(service):
    with httpx.Client(base_url=service[0], trust_env=False, timeout=120) as made:
        yield made


def test_many_at_once_get_what_the_library_gives(service):
    corrector = NoiseCorrector(config=CorrectorConfig(time_budget_ms=60_000))
    parts = ("电池", "电机", "主机", "滤网")
    asked = [{"query": f"云舟K3的{parts[n % 4]}保修多久？", "chunks": CHUNKS[n % 3 :] + CHUNKS[: n % 3], "top_k": 1 + n % 2, "as_of": DAY, "trace": True} for n in range(60)]

    async def all_of_them():
        async with httpx.AsyncClient(base_url=service[0], trust_env=False, timeout=120) as made:
            return await asyncio.gather(*(made.post("/refine", json=one) for one in asked))

    for one, answer in zip(asked, asyncio.run(all_of_them()), strict=True):
        assert answer.status_code == 200
        found = corrector.refine(one["query"], one["chunks"], top_k=one["top_k"], as_of=DAY)
        said = answer.json()
        assert said["context"] == found.text
        assert said["prompt"] == found.to_prompt().text
        assert said["kept"] == [c.id for c in found.chunks]
        assert said["citations"] == {str(k): v for k, v in found.to_prompt().citations.items()}
        assert {**said["trace"], "stats": None} == {**json.loads(found.to_json()), "stats": None}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"chunks": CHUNKS}, "body.query"),
        ({"query": 5, "chunks": CHUNKS}, "body.query"),
        ({"query": "保修？", "chunks": "no list"}, "body.chunks"),
        ({"query": "保修？", "chunks": [{"id": "a"}]}, "body.chunks.0.text"),
        ({"query": "保修？", "chunks": [{"text": SECRET, "trust": 1}]}, "body.chunks.0.trust"),
        ({"query": "保修？", "chunks": [{"text": "a"}] * 21}, "body.chunks"),
        ({"query": "保修？", "chunks": CHUNKS, "top_k": 0}, "body.top_k"),
        ({"query": "x" * 5000, "chunks": CHUNKS}, "body.query"),
    ],
)
def test_bad_input_is_422_and_names_the_field_without_the_text(client, body, field):
    answer = client.post("/refine", json=body)
    assert answer.status_code == 422
    assert field in [fault["field"] for fault in answer.json()["detail"]]
    assert SECRET not in answer.text


def test_what_is_no_json_or_no_date_is_422_too(client):
    assert client.post("/refine", content=b'{"query": ').status_code == 422
    dated = client.post("/refine", json={"query": "保修？", "chunks": CHUNKS, "as_of": "someday"})
    assert dated.status_code == 422
    assert dated.json()["detail"] == [{"field": "body.as_of", "error": "'someday' is no date that can be read"}]


def test_a_body_that_is_too_large_is_413_whether_it_says_so_or_not(client):
    large = json.dumps({"query": "保修？", "chunks": [{"text": "长" * 20_000}]}).encode()
    assert client.post("/refine", content=large).status_code == 413

    def in_parts():
        for start in range(0, len(large), 1000):
            yield large[start : start + 1000]

    assert client.post("/refine", content=in_parts()).status_code == 413
    assert client.post("/refine", json={"query": "保修？", "chunks": CHUNKS}).status_code == 200


def figures(client):
    lines = client.get("/metrics").text.splitlines()
    assert all(re.fullmatch(r"# TYPE \w+ (counter|histogram)|\w+(\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*\})? [0-9.]+", line) for line in lines)
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}


def test_the_metrics_count_what_was_done(client):
    before = figures(client)
    body = {"query": "云舟K3的电池保修多久？", "chunks": CHUNKS, "as_of": DAY, "trace": True}
    answer = client.post("/refine", json=body).json()
    client.post("/refine", json={})
    client.post("/refine", content=b" " * 30_000)
    after = figures(client)
    gained = {name: after[name] - before.get(name, 0) for name in after}
    assert gained['ragclean_requests_total{status="200"}'] == 1
    assert gained['ragclean_requests_total{status="422"}'] == gained['ragclean_requests_total{status="413"}'] == 1
    assert gained["ragclean_refine_seconds_count"] == gained['ragclean_refine_seconds_bucket{le="+Inf"}'] == 1
    assert gained["ragclean_refine_seconds_sum"] > 0
    drops = sum(v for name, v in gained.items() if name.startswith("ragclean_drops_total"))
    assert drops == len(answer["trace"]["dropped"]) > 0
    warned = sum(v for name, v in gained.items() if name.startswith("ragclean_warnings_total"))
    assert warned == len(answer["warnings"])
    buckets = [v for name, v in after.items() if "_bucket" in name]
    assert buckets == sorted(buckets)


def test_health_names_what_answers_and_no_text_is_logged(service, client):
    told = client.get("/health").json()
    assert told["status"] == "ok"
    assert told["fingerprint"] == NoiseCorrector(config=CorrectorConfig(time_budget_ms=60_000)).fingerprint
    client.post("/refine", json={"query": SECRET, "chunks": [{"text": SECRET, "published_at": SECRET}]})
    assert SECRET not in service[1].read_text(encoding="utf-8")
    assert SECRET not in client.get("/metrics").text


def test_candidates_may_be_what_the_library_takes(client):
    body = {
        "query": "云舟K3电池保修多久？", "as_of": DAY, "protected_terms": ["春季"], "sub_queries": ["电池保修多久？"],
        "chunks": ["云舟K3的电池自签收之日起保修18个月。", {"content": "云舟科技春季开设体验店。", "metadata": {"source": "news"}, "updated_at": 1738368000}],
    }
    told = client.post("/refine", json=body)
    assert told.status_code == 200 and "18个月" in told.json()["context"]


def test_half_a_surrogate_pair_is_answered_and_not_an_error(client):
    body = '{"query": "How long is the warranty?", "chunks": [{"id": "a\\ud83d", "text": "The \\ud83d warranty is 3 years."}], "trace": true}'
    told = client.post("/refine", content=body, headers={"Content-Type": "application/json"})
    assert told.status_code == 200
    assert told.json()["context"] == "The \ud83d warranty is 3 years."


def test_a_caller_who_leaves_in_the_middle_fills_no_log(service, client):
    address, log = service
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as leaving:
        leaving.sendall(b"POST /refine HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{}")
    until = time.monotonic() + 30
    while 'status="400"' not in client.get("/metrics").text:
        assert time.monotonic() < until, "it is counted"
        time.sleep(0.1)
    assert "Traceback" not in log.read_text(encoding="utf-8")


def test_a_configuration_that_cannot_be_read_is_one_line(examples, tmp_path):
    for name, content in (("none.json", None), ("bad.json", '{"schema_version": 1, "protektion": 3}')):
        if content is not None:
            (tmp_path / name).write_text(content, encoding="utf-8")
        done = subprocess.run([sys.executable, str(examples / "service.py"), "--config", str(tmp_path / name)], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and name in done.stderr
