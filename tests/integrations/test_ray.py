"""Over a Ray cluster: what two workers give is what one process gives, row by row and case by case."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile

import pytest

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.evaluation import ExtractiveReader, NoiseSettings, OfflineJudge, read_cases, run_evaluation
from ragclean.integrations.ray import _Refiner, evaluate_on_ray, refine_dataset
from ragclean.result import RefinedContext

DAY = "2025-06-01"
#: Rows, and cases of each file that they are made of.
ROWS, CASES = 2000, 15
FIELDS = ("id", "text", "source", "source_weight", "published_at")


def told(trace):
    """A result's JSON without its times and cache figures, which depend on the machine."""
    return {**json.loads(trace), "stats": None}


@pytest.fixture(scope="module")
def rows(root):
    """Questions of the project's own cases, each several times with other candidates of its case."""
    cases = []
    for name in ("aftersales", "policy", "techdoc"):
        lines = (root / "benchmarks" / "data" / "cases" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        cases += map(json.loads, lines[:CASES])
    made = []
    for n in range(ROWS):
        case, shift = cases[n % len(cases)], n // len(cases)
        chunks = case["chunks"][shift:] + case["chunks"][:shift]
        made.append({"n": n, "query": case["query"], "candidates": [{k: c[k] for k in FIELDS if c.get(k) is not None} for c in chunks[:2]]})
    return made


@pytest.fixture(scope="module")
def ray():
    """Two workers of a local Ray, which ends with the tests and leaves nothing behind."""
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    folder = tempfile.mkdtemp(prefix="ray")  # short: Ray's sockets lie in it
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")  # else it writes a token into the home folder
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        home = listed()
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False, _temp_dir=folder, object_store_memory=100 * 2**20)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.execution_options.preserve_order = True
        yield ray
        ray.shutdown()
        assert listed() == home
    shutil.rmtree(folder, ignore_errors=True)


def listed():
    """What lies in the home folder, hidden or not."""
    folder = os.path.expanduser("~")
    return sorted(os.listdir(folder)) + sorted(os.listdir(os.path.join(folder, ".ray")) if os.path.isdir(os.path.join(folder, ".ray")) else [])


# -- without a cluster


def refiner(**options):
    return _Refiner(CorrectorConfig().to_dict(), {}, options, "query", "candidates")


def test_without_ray_the_message_has_the_pip_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r'pip install "ragclean\[ray\]"'):
        refine_dataset(None)
    with pytest.raises(ImportError, match=r'pip install "ragclean\[ray\]"'):
        evaluate_on_ray([], tuple, pipeline="p")


def test_a_row_may_hold_a_list_or_json_of_one_and_gaps_are_no_faults(corrector):
    chunks = [{"id": "a", "text": "云舟K3的电池保修18个月。", "source": "official_policy"}, {"id": "b", "text": "云舟K3电池保修6个月。", "score": 0.5}]
    filled = [{"id": c["id"], "text": c["text"], "source": c.get("source"), "score": c.get("score")} for c in chunks]
    refine = refiner(as_of=DAY)
    query = "云舟K3的电池保修多久？"
    expected = told(corrector.refine(query, chunks, as_of=DAY).to_json())
    for given in (chunks, json.dumps(chunks), filled, tuple(chunks)):
        row = refine({"query": query, "candidates": given, "mine": 7})
        assert told(row["trace"]) == expected and row["mine"] == 7 and row["candidates"] is given
    strings = refine({"query": query, "candidates": [c["text"] for c in chunks]})
    assert "18个月" in strings["context"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"query": "保修多久？"}, "no column 'candidates'; it has query"),
        ({"question": "保修多久？", "candidates": []}, "no column 'query'; it has candidates, question"),
        ({"query": "保修多久？", "candidates": [], "trace": "mine"}, "its column 'trace' would be lost"),
        ({"query": "保修多久？", "candidates": "保修18个月。"}, "candidates: at the query 保修多久？: neither a list nor JSON"),
        ({"query": "保修多久？", "candidates": '"保修18个月。"'}, "expected a list of chunks, got str"),
        ({"query": "保修多久？", "candidates": '{"text": "保修"}'}, "expected a list of chunks, got dict"),
        ({"query": "保修多久？", "candidates": None}, "expected a list of chunks, got NoneType"),
        ({"query": "保修多久？", "candidates": "[" * 100_000}, "neither a list nor JSON of one"),
    ],
)
def test_a_bad_row_is_named(row, said):
    with pytest.raises(ValueError, match=r"dataset|candidates") as caught:
        refiner()(row)
    assert said in str(caught.value)


# -- on a cluster


@pytest.mark.slow
def test_two_workers_give_what_one_process_gives(ray, rows, corrector):
    dataset = refine_dataset(ray.data.from_items(rows, override_num_blocks=16), as_of=DAY, top_k=2)
    found = dataset.take_all()
    assert [row["n"] for row in found] == list(range(ROWS))
    for row, given in zip(found, rows, strict=True):
        here = corrector.refine(given["query"], given["candidates"], as_of=DAY, top_k=2)
        assert row["context"] == here.text
        assert list(row["kept"]) == [c.id for c in here.chunks]
        assert list(row["warnings"]) == [str(w) for w in here.warnings]
        assert told(row["trace"]) == told(here.to_json())
    assert RefinedContext.from_json(found[0]["trace"]).query == rows[0]["query"]


@pytest.mark.slow
def test_json_and_every_part_travel_and_rows_that_keep_nothing_stay(ray, rows):
    def half(query, text):
        return 0.5

    config = CorrectorConfig(admission_threshold=0.3)
    made = NoiseCorrector(config=config, judge=half, count_tokens=len)
    given = [{"query": r["query"], "candidates": json.dumps(r["candidates"])} for r in rows[:6]] + [{"query": "无", "candidates": "[]"}]
    dataset = ray.data.from_items(given, override_num_blocks=7)
    found = refine_dataset(dataset, config=config, judge=half, count_tokens=len, actors=1, as_of=DAY).take_all()
    for row, r in zip(found, given, strict=True):
        here = made.refine(r["query"], json.loads(r["candidates"]), as_of=DAY)
        assert told(row["trace"]) == told(here.to_json())
        assert json.loads(row["trace"])["stats"]["tokens_out"] == here.stats["tokens_out"] == len(here.text)
    assert list(found[-1]["kept"]) == []


@pytest.mark.slow
def test_an_evaluation_over_the_cluster_is_that_of_one_process_though_an_actor_is_lost(ray, root, tmp_path):
    from dataclasses import replace

    cases = read_cases(root / "tests" / "data" / "cases.jsonl")
    cases = [replace(c, id=f"{n}-{c.id}") for n in range(4) for c in cases][:55]
    cases[3] = replace(cases[3], contexts=(), old_versions=())
    noise, lost = NoiseSettings(on_empty_band="nearest", count=2), str(tmp_path / "lost")

    def make():
        reader = ExtractiveReader()

        def answer(question, contexts):
            if not os.path.exists(lost):
                open(lost, "w").close()
                os._exit(1)  # the machine goes, once
            return reader(question, contexts)

        return answer, OfflineJudge()

    there = evaluate_on_ray(cases, make, pipeline="p", noise=noise)
    assert os.path.exists(lost)
    here = run_evaluation(cases, ExtractiveReader(), OfflineJudge(), pipeline="p", noise=noise)
    assert there.to_dict() == here.to_dict()
    assert here.warnings and here.short
    with pytest.raises(ValueError, match="cases: there is none"):
        evaluate_on_ray([], make, pipeline="p")
    with pytest.raises(ValueError, match="is used twice"):
        evaluate_on_ray([cases[0], cases[0]], make, pipeline="p")
    with pytest.raises(ValueError, match="actors: must be a whole number"):
        evaluate_on_ray(cases, make, pipeline="p", actors=0)
