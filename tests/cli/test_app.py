from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from ragclean import CorrectorConfig, __version__
from ragclean.cli import main

QUERY = "保修期内屏幕闪烁怎么办？"


@pytest.fixture
def chunks(tmp_path):
    path = tmp_path / "chunks.jsonl"
    rows = [
        {"id": "terms", "source": "official_policy", "text": "水泵整机保修期自开票之日起36个月。感谢您的信任与支持。"},
        {"id": "menu", "source": "marketing", "text": "本周食堂供应红烧排骨和番茄蛋汤，欢迎品尝。"},
    ]
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), encoding="utf-8")
    return str(path)


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "ragclean", *arguments],
        capture_output=True, encoding="utf-8", timeout=120, check=False, **options,
    )  # fmt: skip


def test_text_is_the_context_alone(chunks, capsys):
    assert main(["refine", "--query", "水泵保修多久？", "--as-of", "2025-06-01", chunks]) == 0
    shown = capsys.readouterr()
    assert "36个月" in shown.out
    assert "红烧排骨" not in shown.out
    assert shown.err == ""


def test_json_has_the_reason_for_what_went(chunks, capsys):
    assert main(["refine", "-q", "水泵保修多久？", "-k", "1", "--as-of", "2025-06-01", "--format", "json", chunks]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["as_of"] == "2025-06-01"
    assert [c["chunk"]["id"] for c in result["chunks"]] == ["terms"]
    assert {d["chunk_id"]: bool(d["reason"]) for d in result["dropped"]}["menu"]


def test_prompt_numbers_the_blocks(chunks, capsys):
    assert main(["refine", "-q", "水泵保修多久？", "--format", "prompt", chunks]) == 0
    assert capsys.readouterr().out.startswith("[1] official_policy\n")


def test_explanation_goes_beside_the_context(chunks, capsys):
    assert main(["refine", "-q", "水泵保修多久？", "--explain", chunks]) == 0
    shown = capsys.readouterr()
    assert "terms" in shown.err
    assert "menu" in shown.err
    assert "menu" not in shown.out


def test_warnings_go_to_standard_error(tmp_path, capsys):
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "text": "The pump is covered for 36 months."}\n{"id": "b"}\n', encoding="utf-8")
    assert main(["refine", "-q", "How long is the pump covered?", str(path)]) == 0
    shown = capsys.readouterr()
    assert "36 months" in shown.out
    assert shown.err.startswith("warning: bad_candidate: candidate 1")


def test_configuration_and_protection_reach_the_corrector(chunks, tmp_path, capsys):
    config = tmp_path / "config.json"
    CorrectorConfig(mode="observe").save(config)
    assert main(["refine", "-q", "水泵保修多久？", "--config", str(config), "--protection", "graded", chunks]) == 0
    assert "红烧排骨" in capsys.readouterr().out  # observing changes nothing


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["refine"], "required: --query"),
        (["refine", "-q", "x", "--top-k", "many", "-"], "--top-k"),
        (["refine", "-q", "x", "--format", "xml", "-"], "--format"),
        (["refine", "-q", "x", "/no/such/file.jsonl"], "/no/such/file.jsonl: No such file"),
        (["refine", "-q", "x", "--config", "/no/such/config.json"], "--config /no/such/config.json"),
        (["refine", "-q", "x", "--top-k", "0", "CHUNKS"], "top_k"),
        (["refine", "-q", "x", "--max-tokens", "-5", "CHUNKS"], "max_tokens"),
        (["refine", "-q", "x", "--as-of", "someday", "CHUNKS"], "as_of"),
        (["refine", "-q", "x", "--encoder", " ", "CHUNKS"], "encoder"),
        (["refine", "-q", "x", "--judge", "/no/such/model", "CHUNKS"], ""),
        (["polish"], "polish"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(arguments, message, chunks, capsys):
    assert main([chunks if a == "CHUNKS" else a for a in arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("ragclean: error: ")
    assert shown.err.count("\n") == 1
    assert message in shown.err


def test_a_wrong_configuration_names_its_file_and_key(chunks, tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text('{"top_p": 1}', encoding="utf-8")
    assert main(["refine", "-q", "x", "--config", str(config), chunks]) == 2
    assert f"--config {config}: config: unknown key top_p" in capsys.readouterr().err


def test_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"ragclean {__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["refine", "--help"], ["doctor", "--help"]])
def test_help_has_examples(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    assert "examples:" in capsys.readouterr().out


def test_no_command_shows_the_help(capsys):
    assert main([]) == 2
    assert "refine" in capsys.readouterr().out


def test_an_unexpected_error_is_one_line(monkeypatch, chunks, capsys):
    def broken(*_):
        raise RuntimeError("the disk\nis on fire")

    monkeypatch.setattr("ragclean.cli.refine.read_candidates", broken)
    assert main(["refine", "-q", "x", chunks]) == 1
    assert capsys.readouterr().err.startswith("ragclean: error: unexpected RuntimeError: the disk is on fire")


def test_standard_input_lone_surrogates_and_a_plain_locale():
    done = command(
        "refine", "-q", "水泵保修多久？", "--format", "text",
        input='"水泵整机保修期36个月。\\ud83d"\n', env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "36个月" in done.stdout
    assert done.stderr == ""


def test_a_reader_that_goes_away_leaves_no_traceback(examples):
    file = examples / "screen_flicker.zh.jsonl"
    with subprocess.Popen(
        [sys.executable, "-m", "ragclean", "refine", "-q", QUERY, "--format", "json", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_an_interrupt_leaves_no_traceback(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    # A signal sent to a process is ignored where the shell started it in the background: raise what it would raise.
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=SimpleNamespace(read=interrupted), isatty=lambda: False))
    assert main(["refine", "-q", QUERY]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="closes streams through the shell")
@pytest.mark.parametrize(
    ("redirection", "code", "message"),
    [(">&-", 1, "standard output is closed"), ("<&-", 2, "standard input is closed"), (">/dev/full", 1, "No space left")],
)
def test_closed_and_full_streams_are_one_line(chunks, redirection, code, message):
    file = "-" if "<" in redirection else chunks
    line = f'"{sys.executable}" -m ragclean refine -q 水泵保修多久 {file} {redirection}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == code
    assert done.stderr.startswith("ragclean: error: ") and message in done.stderr
    assert done.stderr.count("\n") == 1
