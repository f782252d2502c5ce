"""``ragclean canary``: logs, endless pipes, exit codes."""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from ragclean import NoiseCorrector
from ragclean.cli import canary, console
from ragclean.cli.failure import CommandError
from ragclean.evaluation.canary import Canary


def main(argv):
    """As the command line's own ``main``."""
    parser = argparse.ArgumentParser(prog="ragclean")
    canary.add_parser(parser.add_subparsers(dest="command"))
    try:
        args = parser.parse_args(["canary", *map(str, argv)])
        return args.run(args)
    except CommandError as e:
        console.note(f"ragclean: error: {e}")
        return e.exit_code


def lines(rng, n, mean, start=0):
    made = []
    for i in range(start, start + n):
        noisy = rng.binomial(20, rng.beta(mean * 4, (1 - mean) * 4))
        at = f"2026-01-{1 + i // 1440:02}T{i // 60 % 24:02}:{i % 60:02}:00Z"
        made.append(json.dumps({"scores": [0.1] * noisy + [0.9] * (20 - noisy), "at": at}))
    return made


@pytest.fixture
def log(tmp_path):
    rng = np.random.default_rng(3)
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join([*lines(rng, 1200, 0.3), *lines(rng, 300, 0.5, 1200)]), encoding="utf-8")
    return path


def test_a_rise_ends_with_1_and_says_since_when(log, tmp_path, capsys):
    state, metrics = tmp_path / "state.sqlite3", tmp_path / "m.prom"
    assert main([log, "--state", state, "--metrics", metrics, "--label", "index=manuals"]) == 1
    shown = capsys.readouterr().out
    assert "Retrieval noise has risen: since about 2026-01-01 " in shown
    assert 'ragclean_canary_alarm{index="manuals"} 1' in metrics.read_text()
    assert main(["--state", state, "--show", "--lang", "zh"]) == 1
    assert "检索噪声上升" in capsys.readouterr().out
    assert main(["--state", state, "--acknowledge"]) == 0
    assert main(["--state", state, "--reset-baseline"]) == 0
    assert "learning the baseline: 0 of 10 windows" in capsys.readouterr().out


def test_no_rise_ends_with_0_and_alarm_and_recovery_are_told(log, tmp_path, capsys):
    rng = np.random.default_rng(4)
    with log.open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(lines(rng, 1500, 0.3, 1500)))
    assert main([log]) == 0
    shown = capsys.readouterr().out
    assert shown.index("has risen") < shown.index("back at the baseline")
    assert main([log, "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["event"] for e in events] == ["alarm", "recovered", "status"]
    assert events[-1]["queries"] == 3000


def test_results_are_read_as_they_are_written(tmp_path, capsys):
    rows = ["水泵整机保修期为36个月。", "本周食堂供应红烧排骨。"]
    result = NoiseCorrector().refine("水泵整机保修多久？", rows, as_of="2025-06-01")
    path = tmp_path / "results.jsonl"
    path.write_text(result.to_json() + "\n", encoding="utf-8")
    assert main([path, "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["queries"], status["chunks"], status["noisy"]) == (1, 2, 1)


def test_bad_lines_are_named_and_passed_over(tmp_path, monkeypatch, capsys):
    good = '{"scores": [0.9, 0.1]}'
    bad = ["{", "[]", '{"scores": [2]}', '{"scores": 3}', '{"scores": [0.5], "at": "soon"}', '{"schema": 1}', "\xff"]
    raw = b"\xef\xbb\xbf" + "\n".join([good, "", *bad[:-1]]).encode() + b"\n\xff\n" + good.encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
    assert main(["--json"]) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["queries"] == 2
    for number, what in ((3, "not JSON"), (4, "expected a JSON object"), (5, "scores[0]: expected a number"),
                         (6, "scores: expected a list"), (7, "at: expected a time"), (8, "result: the field"), (9, "not UTF-8")):  # fmt: skip
        assert f"standard input:{number}: {what}" in shown.err
    assert "7 lines could not be read" in shown.err


def test_a_line_without_end_is_passed_over_in_bounded_memory(monkeypatch, capsys):
    monkeypatch.setattr(canary, "_LONGEST", 1000)
    monkeypatch.setattr(canary, "_PORTION", 300)
    raw = b'{"scores": [0.5]}\n' + b"x" * 5000 + b'\n{"scores": [0.5]}\n' + b"y" * 3000
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
    assert main(["--json"]) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["queries"] == 2
    assert "standard input:2: longer than" in shown.err
    assert "standard input:4: longer than" in shown.err


def test_an_endless_pipe_is_counted_as_it_comes(tmp_path):
    state = tmp_path / "state.sqlite3"
    code = (
        "import argparse, sys; from ragclean.cli import canary; p = argparse.ArgumentParser(); "
        "canary.add_parser(p.add_subparsers()); a = p.parse_args(sys.argv[1:]); sys.exit(a.run(a))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "canary", "--state", str(state), "--metrics", str(tmp_path / "m.prom")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdin.write('{"scores": [0.9]}\n{"scores": [0.1]}\n{"scores"')
    process.stdin.flush()
    while not (tmp_path / "m.prom").exists():
        assert process.poll() is None
    assert Canary(state=state).status().queries == 2, "the pipe is still open"
    out, _ = process.communicate(': [0.1]}\n', timeout=60)
    assert process.returncode == 0
    assert "3 queries" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/no/such/log"], "/no/such/log: No such file"),
        (["--show"], "--show, --acknowledge and --reset-baseline want --state"),
        (["--show", "--state", "/no/such/state"], "--state /no/such/state: no such file"),
        (["--threshold", "3", "LOG"], "threshold: expected above 0"),
        (["--label", "x", "LOG"], "--label: expected NAME=VALUE"),
        (["--label", "a-b=1", "--metrics", "FOLDER/x.prom", "LOG"], "labels: 'a-b' is no name"),
        (["--metrics", "/no/such/folder/x.prom", "LOG"], "--metrics /no/such/folder/x.prom: No such file"),
        (["--state", "LOG", "LOG"], "log.jsonl: file is not a database"),
    ],
)
def test_bad_usage_is_2_in_one_line(log, tmp_path, arguments, message, capsys):
    places = {"LOG": str(log), "FOLDER/x.prom": str(tmp_path / "x.prom")}
    assert main([places.get(a, a) for a in arguments]) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.startswith("ragclean: error: ")


def test_settings_of_a_state_are_kept(log, tmp_path, capsys):
    state = tmp_path / "state.sqlite3"
    assert main([log, "--state", state, "--window", "50"]) == 1
    assert main([log, "--state", state, "--window", "60"]) == 2
    assert "window: " in capsys.readouterr().err
