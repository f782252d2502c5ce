"""The canary: a stated false-alarm rate, a rise that is found, and a state that survives what happens to processes."""

from __future__ import annotations

import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import datetime, timedelta, timezone

import numpy as np
import pytest

from ragclean import NoiseCorrector
from ragclean.evaluation.canary import Baseline, Canary, CanarySettings, CanaryStateError, count_result, moment
from ragclean.evaluation.canary_detection import STEP, bin_of, calibrated, run_length
from ragclean.evaluation.canary_metrics import exposition
from ragclean.result import RefinedContext

DAY = datetime(2026, 1, 1, tzinfo=timezone.utc)


def traffic(rng, n, mean, chunks=20, alike=4.0):
    """Noise shares of queries: each has its own probability of noise, of the mean given."""
    return rng.binomial(chunks, rng.beta(mean * alike, (1 - mean) * alike, n), n) / chunks


def scores(share, chunks=20):
    noisy = round(share * chunks)
    return [0.1] * noisy + [0.9] * (chunks - noisy)


def feed(canary, shares, start=0):
    """A query a minute; returns the alarm after the last of them."""
    queries = [(scores(s), DAY + timedelta(minutes=start + i)) for i, s in enumerate(shares)]
    return canary.observe_all(queries)[-1]


@pytest.fixture
def watching():
    rng = np.random.default_rng(3)
    canary = Canary()
    feed(canary, traffic(rng, 1000, 0.3))
    return canary, rng


# ------------------------------------------------------------------ what a query counts as


def test_a_result_counts_every_ranked_chunk_by_its_final_signal():
    rows = [
        {"id": "terms", "text": "水泵整机保修期为36个月，自开票之日起计算。"},
        {"id": "menu", "text": "本周食堂供应红烧排骨和番茄蛋汤，欢迎品尝。"},
        {"id": "trip", "text": "周末团建去爬山，请自带雨具。"},
        {"id": "blank", "text": "  "},
    ]
    result = NoiseCorrector().refine("水泵整机保修多久？", rows, as_of="2025-06-01")
    assert count_result(result, 0.42) == (3, 2)
    restored = RefinedContext.from_json(result.to_json())
    assert count_result(restored, 0.42) == (3, 2)
    canary = Canary()
    canary.observe(restored)
    status = canary.status()
    assert (status.queries, status.chunks, status.noisy) == (1, 3, 2)


def test_a_query_is_one_observation_however_many_chunks_it_has():
    canary = Canary(window=10)
    canary.observe([0.1] * 30)
    canary.observe([0.9, 0.9])
    window = canary.status().current
    assert window.rate == 0.5
    assert (window.chunks, window.noisy) == (32, 30)


def test_a_query_without_chunks_is_counted_and_has_no_rate():
    canary = Canary()
    canary.observe([])
    status = canary.status()
    assert (status.queries, status.empty, status.current) == (1, 1, None)


def test_a_score_at_the_threshold_is_no_noise():
    canary = Canary(threshold=0.5)
    canary.observe(np.array([0.5, 0.499], np.float32))
    assert canary.status().noisy == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0.2, 1.7], "scores[1]: expected a number of 0 to 1, got 1.7"),
        ([math.nan], "scores[0]: expected a number of 0 to 1, got nan"),
        ([True], "scores[0]: expected a number of 0 to 1, got bool"),
        (["0.5"], "scores[0]: expected a number of 0 to 1, got str"),
        ("0.5", "scores: expected numbers of 0 to 1, got str"),
        (3, "scores: expected numbers of 0 to 1, got int"),
    ],
)
def test_what_is_no_score_is_named_and_nothing_is_counted(given, message):
    canary = Canary()
    with pytest.raises(ValueError) as raised:
        canary.observe_all([([0.5], None), (given, None)])
    assert message in str(raised.value)
    assert canary.status().queries == 0


def test_times_in_every_form_are_utc():
    noon = datetime(2026, 1, 2, 12, tzinfo=timezone.utc)
    for at in ("2026-01-02T12:00:00Z", "2026-01-02T20:00:00+08:00", "2026-01-02 12:00:00", noon.timestamp(), noon):
        assert moment(at) == noon
    for at in ("soon", True, 1e99, [], "2026-13-01"):
        with pytest.raises(ValueError, match="at: expected a time"):
            moment(at)


# ------------------------------------------------------------------ windows and the baseline


def test_windows_end_with_their_queries_and_with_the_day():
    canary = Canary(window=3, period="day")
    for hour in (1, 2, 3, 4, 25, 26):
        canary.observe([0.1, 0.9], at=DAY + timedelta(hours=hour))
    assert [w.queries for w in canary.windows()] == [3, 1]
    assert canary.status().current.queries == 2
    weekly = Canary(period="week")
    for day in (4, 5, 6):  # Sunday, Monday, Tuesday
        weekly.observe([0.9], at=datetime(2026, 1, day))
    assert [w.queries for w in weekly.windows()] == [1]


def test_a_query_that_comes_late_counts_in_the_open_window():
    canary = Canary(period="day")
    canary.observe([0.9], at=DAY + timedelta(days=1))
    canary.observe([0.1], at=DAY)
    assert canary.windows() == ()
    assert canary.status().current.queries == 2


def test_the_baseline_is_learnt_from_the_first_windows_and_no_alarm_is_raised_meanwhile():
    rng = np.random.default_rng(0)
    canary = Canary(window=50, baseline=4)
    assert feed(canary, traffic(rng, 199, 0.3)) is None
    assert canary.status().learning
    assert canary.status().windows_learnt == 3
    assert feed(canary, [1.0]) is None
    status = canary.status()
    assert not status.learning
    assert status.baseline_queries == 200
    assert status.baseline == pytest.approx(0.3, abs=0.05)


def test_few_queries_a_window_take_more_windows():
    canary = Canary(window=10, baseline=2)
    feed(canary, [0.2] * 90)
    assert canary.status().learning
    feed(canary, [0.2] * 10)
    assert not canary.status().learning


def test_a_baseline_that_is_given_watches_from_the_first_query():
    rng = np.random.default_rng(1)
    canary = Canary(baseline=Baseline.of(traffic(rng, 1000, 0.3)))
    assert feed(canary, traffic(rng, 400, 0.5)).baseline == pytest.approx(0.3, abs=0.03)
    with pytest.raises(ValueError, match="99 queries are too few"):
        Baseline.of([0.5] * 99)
    with pytest.raises(ValueError, match=r"shares\[1\]"):
        Baseline.of([0.5, 2.0])


# ------------------------------------------------------------------ alarm and recovery


def test_a_rise_raises_an_alarm_that_says_since_when_and_by_how_much(watching):
    canary, rng = watching
    assert feed(canary, traffic(rng, 500, 0.3), 1000) is None
    alarm = feed(canary, traffic(rng, 600, 0.5), 1500)
    began = datetime.fromisoformat(alarm.since)
    assert abs((began - DAY).total_seconds() / 60 - 1500) < 60, "within 60 queries of the true change"
    assert alarm.raised > alarm.since
    assert alarm.rise == pytest.approx(0.2, abs=0.05)
    assert "2026-01-02" in alarm.explain("zh")
    assert f"{100 * alarm.rise:+.1f} 个百分点" in alarm.explain("zh")
    assert f"{alarm.rate:.1%}" in alarm.explain("en")
    assert canary.status().alarms == 1


def test_the_alarm_ends_when_the_noise_is_back(watching):
    canary, rng = watching
    assert feed(canary, traffic(rng, 400, 0.5), 1000)
    assert feed(canary, traffic(rng, 1500, 0.3), 1400) is None
    status = canary.status()
    assert (status.alarm, status.alarms) == (None, 1)
    assert feed(canary, traffic(rng, 400, 0.5), 2900), "and comes back with the next rise"
    assert canary.status().alarms == 2


def test_less_noise_than_usual_raises_nothing_and_hides_nothing(watching):
    canary, rng = watching
    assert feed(canary, traffic(rng, 3000, 0.1), 1000) is None
    assert feed(canary, traffic(rng, 200, 0.5), 4000)


def test_an_acknowledged_alarm_stays_on_and_is_marked(watching):
    canary, rng = watching
    assert not canary.acknowledge()
    feed(canary, traffic(rng, 400, 0.5), 1000)
    assert canary.acknowledge()
    alarm = feed(canary, traffic(rng, 100, 0.5), 1400)
    assert alarm.acknowledged
    assert "已确认" in alarm.explain("zh")
    feed(canary, traffic(rng, 1500, 0.3), 1500)
    assert not feed(canary, traffic(rng, 400, 0.5), 3000).acknowledged


def test_a_new_baseline_takes_the_present_noise_for_the_usual_one(watching):
    canary, rng = watching
    feed(canary, traffic(rng, 400, 0.5), 1000)
    canary.reset_baseline()
    status = canary.status()
    assert (status.learning, status.alarm, status.queries) == (True, None, 1400)
    assert feed(canary, traffic(rng, 2000, 0.5), 1400) is None
    assert canary.status().baseline == pytest.approx(0.5, abs=0.03)


def test_without_any_noise_a_single_bad_query_is_no_alarm_and_a_series_is():
    canary = Canary(baseline=Baseline.of([0.0] * 1000))
    assert feed(canary, [1.0] + [0.0] * 200) is None
    assert feed(canary, [0.5] * 20)
    everything = Canary(baseline=Baseline.of([1.0] * 1000))
    assert feed(everything, [1.0] * 1000) is None, "it cannot rise any further"


def test_settings_are_checked_by_name():
    for name, value in (("threshold", 1.2), ("window", 0), ("period", "year"), ("baseline", 0), ("rise", 0.9),
                        ("false_alarms", 3), ("threshold", math.nan), ("window", True)):  # fmt: skip
        with pytest.raises(ValueError, match=f"{name}: expected"):
            CanarySettings(**{name: value})


# ------------------------------------------------------------------ how often it is wrong, and how late it is right


def exact_run_length(true_shares, detector):
    """Queries to a false alarm where the true shares are known."""
    counts = np.bincount([bin_of(s) for s in true_shares], minlength=201)
    used = np.flatnonzero(counts)
    return run_length(used * STEP - detector.reference, counts[used] / counts.sum(), detector.threshold)


def test_the_run_length_is_that_of_a_simulation():
    rng = np.random.default_rng(5)
    shares = traffic(rng, 200_000, 0.3)
    detector = calibrated(Baseline.of(shares[:5000]), rise=0.05, false_alarms=500)
    expected = exact_run_length(shares, detector)
    statistic, seen = np.zeros(4000), np.zeros(4000)
    alive = np.ones(4000, bool)
    for n in range(1, 60_000):
        statistic[alive] = np.maximum(0, statistic[alive] + rng.choice(shares, alive.sum()) - detector.reference)
        ended = alive & (statistic >= detector.threshold)
        seen[ended] = n
        alive &= ~ended
        if not alive.any():
            break
    assert not alive.any()
    assert seen.mean() == pytest.approx(expected, rel=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("false_alarms", [2_000])
def test_nine_baselines_of_ten_keep_the_stated_false_alarm_rate(false_alarms):
    rng = np.random.default_rng(7)
    truth = traffic(rng, 200_000, 0.3)
    lengths = [
        exact_run_length(truth, calibrated(Baseline.of(traffic(rng, 1000, 0.3)), rise=0.05, false_alarms=false_alarms))
        for _ in range(30)
    ]
    kept = np.mean([length >= false_alarms for length in lengths])
    assert kept >= 0.8
    assert np.mean([false_alarms / length for length in lengths]) <= 1.0, "fewer than stated, on average"


@pytest.mark.slow
def test_measured_figures_of_the_documentation():
    """The table in docs/canary.md: false alarms by simulation, and delays, over many baselines."""
    rng = np.random.default_rng(11)
    for stated, delay40, delay50 in ((10_000, 105, 40), (100_000, 155, 62)):
        false, queries, d40, d50 = 0, 0, [], []
        for _ in range(60):
            detector = calibrated(Baseline.of(traffic(rng, 1000, 0.3)), rise=0.05, false_alarms=stated)
            statistic = 0.0
            for share in traffic(rng, 4 * stated if stated < 50_000 else stated, 0.3):
                queries += 1
                statistic = max(0.0, statistic + share - detector.reference)
                if statistic >= detector.threshold:
                    false, statistic = false + 1, 0.0
            for mean, found in ((0.4, d40), (0.5, d50)):
                statistic = 0.0
                seen = 0
                while statistic < detector.threshold:
                    for share in traffic(rng, 200, mean):
                        seen += 1
                        statistic = max(0.0, statistic + share - detector.reference)
                        if statistic >= detector.threshold:
                            break
                found.append(seen)
        assert false / queries <= 1.0 / stated
        assert np.mean(d40) == pytest.approx(delay40, rel=0.2)
        assert np.mean(d50) == pytest.approx(delay50, rel=0.2)


@pytest.mark.slow
def test_queries_that_resemble_their_neighbours_do_not_ring_the_bell():
    """Day and night differ: independent queries would be assumed wrongly, and the baseline says so."""
    rng = np.random.default_rng(13)

    def days(n):
        level = np.repeat(rng.normal(0.3, 0.04, n), 100)
        p = np.clip(level, 0.02, 0.98)
        return rng.binomial(20, rng.beta(p * 4, (1 - p) * 4)) / 20

    alarms = 0
    for _ in range(40):
        baseline = Baseline.of(days(20), window=100)
        detector = calibrated(baseline, rise=0.05, false_alarms=20_000)
        statistic = 0.0
        for share in days(200):
            statistic = max(0.0, statistic + share - detector.reference)
            if statistic >= detector.threshold:
                alarms, statistic = alarms + 1, 0.0
    assert alarms <= 40 * 200 * 100 / 20_000


# ------------------------------------------------------------------ the state


def test_the_state_goes_on_where_it_was(tmp_path):
    rng = np.random.default_rng(3)
    shares = [*traffic(rng, 1000, 0.3), *traffic(rng, 300, 0.5)]
    path = tmp_path / "deep" / "canary.sqlite3"
    one = Canary()
    for at in range(0, 1300, 130):
        canary = Canary(state=path)
        assert feed(canary, shares[at : at + 130], at) == feed(one, shares[at : at + 130], at)
    assert Canary(state=path).status() == one.status()
    assert Canary(state=path).windows() == one.windows()
    assert canary.status().alarm


def test_settings_stay_with_the_state(tmp_path):
    path = tmp_path / "canary.sqlite3"
    Canary(threshold=0.5, window=20, state=path)
    assert Canary(state=path).settings == CanarySettings(threshold=0.5, window=20)
    with pytest.raises(ValueError, match=r"threshold: .*canary.sqlite3 was made with 0.5, not 0.6"):
        Canary(threshold=0.6, state=path)
    with pytest.raises(ValueError, match=r"baseline: .* has another one"):
        Canary(baseline=Baseline.of([0.1] * 100), state=path)


def test_the_state_stays_small(tmp_path):
    path = tmp_path / "canary.sqlite3"
    canary = Canary(window=1, state=path)
    for _ in range(5):
        feed(canary, [0.3] * 300)
    assert len(canary.windows()) == 400
    assert canary.status().queries == 1500
    assert path.stat().st_size < 300_000


def test_threads_lose_nothing(tmp_path):
    for canary in (Canary(), Canary(state=tmp_path / "canary.sqlite3")):
        threads = [threading.Thread(target=lambda c=canary: [c.observe([0.1, 0.9]) for _ in range(25)]) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        status = canary.status()
        assert (status.queries, status.chunks, status.noisy) == (200, 400, 200)


_WRITER = """
import sys
from ragclean.evaluation.canary import Canary
canary = Canary(state=sys.argv[1])
for i in range(int(sys.argv[2])):
    canary.observe([0.1, 0.9])
    print(i, flush=True)
"""


def writer(path, n):
    return subprocess.Popen([sys.executable, "-c", _WRITER, str(path), str(n)], stdout=subprocess.PIPE, text=True)


def test_two_processes_lose_nothing(tmp_path):
    path = tmp_path / "canary.sqlite3"
    both = [writer(path, 100) for _ in range(2)]
    assert [p.communicate(timeout=120) and p.returncode for p in both] == [0, 0]
    assert Canary(state=path).status().queries == 200


@pytest.mark.skipif(os.name == "nt", reason="a signal that cannot be caught")
def test_a_kill_leaves_all_that_was_said_to_be_there(tmp_path):
    path = tmp_path / "canary.sqlite3"
    process = writer(path, 1_000_000)
    said = [process.stdout.readline() for _ in range(20)]
    assert all(said)
    os.kill(process.pid, signal.SIGKILL)
    said += process.stdout.readlines()
    process.wait(60)
    queries = Canary(state=path).status().queries
    assert len(said) <= queries <= len(said) + 1


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 500])
def test_a_damaged_file_is_named(tmp_path, content):
    path = tmp_path / "canary.sqlite3"
    path.write_bytes(content)
    with pytest.raises(CanaryStateError, match=r"canary.sqlite3: "):
        Canary(state=path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE parts SET value = '{' WHERE name = 'progress'", "damaged"),
        ("UPDATE parts SET value = '{}' WHERE name = 'progress'", "damaged"),
        ("UPDATE parts SET value = '[1]' WHERE name = 'baseline'", "damaged"),
        ("UPDATE parts SET value = '{\"threshold\": 7}' WHERE name = 'settings'", "damaged"),
        ("DELETE FROM parts WHERE name = 'settings'", "damaged, it has no settings"),
        ("PRAGMA user_version = 9", "written in form 9 by another version"),
        ("PRAGMA application_id = 5", "an SQLite file of another program"),
    ],
)
def test_a_state_that_was_tampered_with_is_named(tmp_path, change, message):
    path = tmp_path / "canary.sqlite3"
    Canary(state=path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(change)
    with pytest.raises(CanaryStateError) as raised:
        Canary(state=path)
    assert str(path) in str(raised.value)
    assert message in str(raised.value)


def test_a_folder_is_no_state(tmp_path):
    with pytest.raises(CanaryStateError, match=str(tmp_path)):
        Canary(state=tmp_path)


# ------------------------------------------------------------------ metrics


def parsed(text):
    """Samples by name and labels; every family has its HELP and TYPE before it."""
    assert text.endswith("\n")
    found, known = {}, {}
    for line in text.splitlines():
        if line.startswith("# "):
            _, what, name, rest = line.split(" ", 3)
            known.setdefault(name, {})[what] = rest
        else:
            key, value = line.rsplit(" ", 1)
            assert set(known[key.split("{")[0]]) == {"HELP", "TYPE"}
            found[key] = float(value)
    return found, known


def test_metrics_hold_rates_statistic_alarm_and_counters(watching):
    canary, rng = watching
    feed(canary, traffic(rng, 450, 0.5), 1000)
    found, known = parsed(canary.metrics())
    status = canary.status()
    assert found['ragclean_canary_noise_rate{window="current"}'] == status.current.rate
    assert found['ragclean_canary_noise_rate{window="last"}'] == status.last.rate
    assert found["ragclean_canary_baseline_noise_rate"] == status.baseline
    assert found["ragclean_canary_cusum"] == status.statistic
    assert found["ragclean_canary_cusum_threshold"] == status.threshold
    assert (found["ragclean_canary_alarm"], found["ragclean_canary_alarm_acknowledged"]) == (1, 0)
    assert found["ragclean_canary_alarm_since_timestamp_seconds"] == datetime.fromisoformat(status.alarm.since).timestamp()
    assert (found["ragclean_canary_queries_total"], found["ragclean_canary_chunks_total"]) == (1450, 29000)
    assert {name for name, about in known.items() if about["TYPE"] == "counter"} == {n for n in known if n.endswith("_total")}


def test_what_is_not_known_yet_has_no_sample():
    found, _ = parsed(Canary().metrics())
    assert "ragclean_canary_baseline_noise_rate" not in found
    assert (found["ragclean_canary_learning"], found["ragclean_canary_alarm"]) == (1, 0)


def test_labels_are_escaped_and_checked():
    text = exposition(Canary().status(), {"index": 'a"b\\c\nd\ud800'})
    assert 'ragclean_canary_alarm{index="a\\"b\\\\c\\nd?"} 0' in text.splitlines()
    for bad in ({"1a": "x"}, {"a-b": "x"}, {"": "x"}, {"__a": "x"}, {"window": "x"}, {"a": 1}, {"é": "x"}):
        with pytest.raises(ValueError, match="labels: "):
            exposition(Canary().status(), bad)


def test_a_textfile_is_replaced_whole_and_readable_by_the_collector(tmp_path):
    canary, path = Canary(), tmp_path / "ragclean.prom"
    canary.write_metrics(path)
    first = path.read_text()
    canary.observe([0.1])
    canary.write_metrics(path, {"index": "手册"})
    assert path.read_text(encoding="utf-8") == canary.metrics({"index": "手册"}) != first
    assert list(tmp_path.iterdir()) == [path]
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o644
    with pytest.raises(OSError, match="none"):
        canary.write_metrics(tmp_path / "none" / "x.prom")


def test_the_status_goes_to_json(watching):
    canary, rng = watching
    feed(canary, traffic(rng, 400, 0.5), 1000)
    data = json.loads(json.dumps(canary.status().to_dict()))
    assert data["alarm"]["rise"] > 0.1
    assert data["last"]["rate"] > 0.4
    assert time.strptime(data["alarm"]["since"][:19], "%Y-%m-%dT%H:%M:%S")
