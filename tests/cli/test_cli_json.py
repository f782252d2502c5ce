"""``--json``: one document on standard output and nothing else, with the figures of the text."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from docs_blocks import Block, commands
from evaluator_samples import write, written_cases
from test_cli_language import COMMANDS

from ragclean import NoiseCorrector
from ragclean.badcases import BadCaseStore
from ragclean.cli import console, main
from ragclean.cli.app import build_parser

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
#: Without a report (a shell's script), and a walk that is for people.
WITHOUT = {"completion", "label"}
ROWS = [
    {"id": "terms", "source": "official_policy", "text": "水泵整机保修期为36个月，自开票之日起计算。感谢惠顾。"},
    {"id": "menu", "source": "marketing", "text": "本周食堂供应红烧排骨和番茄蛋汤，欢迎品尝。"},
]


def said(arguments, capsys, code=0):
    """The text of a command and its document, under the same exit code."""
    assert main(arguments) == code
    text = capsys.readouterr()
    assert main([*arguments, "--json"]) == code
    told = one_document(capsys.readouterr().out)
    command = max((c for c in COMMANDS if c.split() == arguments[: len(c.split())]), key=len)
    row = re.search(rf"^\| `{command}(?: --show)?` \| .*$", PAGE, re.MULTILINE)[0]
    assert set(told) - set(re.findall(r"`(\w+)`", row)) == set(), "docs/cli.md does not name these keys"
    return text.out, told


def one_document(out):
    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(out, parse_constant=refuse)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - WITHOUT))
def test_every_command_that_reports_has_the_option(command):
    assert any("--json" in action.option_strings for action in COMMANDS[command]._actions)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_help_says_what_for_with_an_example_and_exit_codes(command, capsys):
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    shown = capsys.readouterr().out
    assert COMMANDS[command].description
    assert re.search(rf"examples?:\n(  .*\n)*  .*ragclean {command} ", shown), shown
    assert re.search(r"exit codes: 0 ", shown)


@pytest.fixture
def chunks(tmp_path):
    path = tmp_path / "chunks.jsonl"
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in ROWS), encoding="utf-8")
    return str(path)


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "cases.sqlite3"
    with BadCaseStore(path) as made:
        result = NoiseCorrector().refine("水泵整机保修多久？", ROWS, as_of="2025-06-01")
        made.record(result, verdict="noise", expected={"accepted": ["36个月"], "keep": ["terms"]})
        made.record(result)
    return str(path)


def test_refine(chunks, capsys):
    text, told = said(["refine", "-q", "水泵保修多久？", "--as-of", "2025-06-01", chunks], capsys)
    assert told["text"] + "\n" == text
    assert main(["refine", "-q", "水泵保修多久？", "--as-of", "2025-06-01", "--format", "json", chunks]) == 0
    again = one_document(capsys.readouterr().out)
    assert {**again, "stats": None} == {**told, "stats": None}  # times differ


def test_doctor(capsys):
    text, told = said(["doctor"], capsys)
    marks = {"ok": "ok", "wrong": "WRONG", "told": "-"}
    lines = [f"{marks[f['status']]:<6} {f['name']}: " for f in told["findings"]]
    assert told["healthy"] is True
    assert len(text.splitlines()) == len(lines) + 1
    assert all(line.startswith(head) for line, head in zip(text.splitlines(), lines, strict=False))
    said_wrong, wrong = said(["doctor", "--encoder", "/no/such/model"], capsys, code=1)
    assert wrong["healthy"] is False
    assert said_wrong.count("WRONG") == sum(f["status"] == "wrong" for f in wrong["findings"])


def test_bad_cases(store, tmp_path, capsys):
    text, told = said(["badcases", "list", store], capsys)
    assert [line.split()[0] for line in text.splitlines()] == [c["id"] for c in told["cases"]]
    assert [(c["verdict"], c["labelled"]) for c in told["cases"]] == [("noise", True), (None, False)]
    out = str(tmp_path / "out.jsonl")
    text, told = said(["badcases", "export", store, out], capsys)
    assert (told, text) == ({"written": 2, "file": out}, f"2 cases written to {out}\n")
    text, told = said(["badcases", "import", "--replace", store, out], capsys)
    assert (told, text) == ({"added": 0, "replaced": 2, "known": 0}, "0 cases added, 2 replaced, 0 known already\n")
    text, told = said(["badcases", "export-cases", store, str(tmp_path / "l.jsonl")], capsys)
    assert (told["written"], [s["reason"] for s in told["left_out"]]) == (1, ["no chunk or sentence has a label"])
    assert "1 cases written" in text and "1 left out" in text
    text, told = said(["badcases", "export-tests", store, str(tmp_path / "suite")], capsys)
    assert (told["written"], len(told["left_out"])) == (1, 1)
    assert told["data"] in text and told["test"].endswith("test_bad_cases.py")


def test_replay(store, capsys):
    text, told = said(["replay", store], capsys)
    assert f"{told['ok']} of {told['judged']} cases right" in text
    assert main(["replay", store, "--fail-on-loss", "--json"]) == bool(sum(told["stages"].values()) - told["stages"]["kept"])


def test_calibrate_keeps_its_warnings_beside_the_document(root, tmp_path, capsys):
    lines = (root / "tests" / "data" / "cases.jsonl").read_text(encoding="utf-8").splitlines()[:8]
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    text, told = said(["calibrate", str(path), "--folds", "2"], capsys)
    assert f"held-out F1 {told['held_out']['f1']:.3f}, present {told['before']['f1']:.3f}" in text


def test_the_plan_of_an_evaluation(tmp_path, capsys):
    cases = write(written_cases(6), tmp_path / "cases.jsonl")
    arguments = ["evaluate", cases, "--plan", "--price-answer", "0.5", "--price-judge", "0.01", "--variants", "v2,v3", "--repeats", "2", "--json"]
    assert main(arguments) == 0
    shown = capsys.readouterr()
    plan = one_document(shown.out)["plan"]
    assert f"{plan['cases']} cases, v0, v2, v3: {plan['answers']} answers, {plan['judge_calls']} judge calls" in shown.err
    assert f"up to {plan['self_check_answers']} answers and {plan['self_check_judge_calls']} judge calls more" in shown.err
    assert f"about {plan['price']:.2f} in all" in shown.err
    assert [(s["variant"], s["cases"], len(s["nearest"])) for s in plan["short"]] == [("v2", 6, 3)]


def test_cases(tmp_path, capsys):
    docs, drafts, cases = tmp_path / "docs.jsonl", str(tmp_path / "d.jsonl"), str(tmp_path / "c.jsonl")
    docs.write_text(json.dumps(ROWS[0]) + "\n", encoding="utf-8")
    assert main(["cases", "build", "-o", drafts, "--documents", str(docs), "--json"]) == 0
    shown = capsys.readouterr()
    assert one_document(shown.out) == {"added": 1, "known": 0, "needing": 0, "left_out": {}, "file": drafts}
    assert shown.err == "1 drafts\n"
    text, told = said(["cases", "review", drafts, "--show"], capsys)
    assert text == "1 of 1 drafts to review, 0 accepted, 0 dropped\n"
    assert told == {"drafts": 1, "open": 1, "accepted": 0, "dropped": 0}
    assert main(["cases", "review", drafts, "--json"]) == 2
    assert "--json: the walk is for people" in capsys.readouterr().err
    write(written_cases(3), tmp_path / "c.jsonl")
    text, told = said(["cases", "check", cases], capsys)
    assert text.startswith(f"{told['cases']} cases\n")


def test_audit_and_canary(chunks, tmp_path, capsys):
    text, told = said(["audit", chunks, "--as-of", "2025-06-01"], capsys)
    assert text.startswith(f"{told['pages']} pages as of 2025-06-01: {len(told['contradictions'])} contradictions")
    log = tmp_path / "log.jsonl"
    log.write_text('{"scores": [0.9, 0.1]}\n', encoding="utf-8")
    text, told = said(["canary", str(log)], capsys)
    assert f"{told['queries']} queries ({told['empty']} without any chunk), {told['chunks']} chunks" in text


def test_reports_of_the_evaluator(tmp_path, capsys):
    """The figures of tables have tests of their own; here that the page names what stands in the documents."""
    cases, report = write(written_cases(6), tmp_path / "cases.jsonl"), str(tmp_path / "r.json")
    assert main(["evaluate", cases, "--reader", "--variants", "v3", "-o", report, "--json"]) == 0
    figures = one_document(capsys.readouterr().out)
    checked = json.loads(Path(report).read_text(encoding="utf-8"))
    Path(report).write_text(json.dumps({**checked, "checked": True}), encoding="utf-8")
    assert main(["compare", report, report, "--json"]) == 0
    compared = one_document(capsys.readouterr().out)
    code = main(["gate", report, "--pipeline", figures["pipeline"], "--json"])
    gated = one_document(capsys.readouterr().out)
    assert (gated["exit_code"], gated["verdict"]) == (code, {0: "pass", 1: "blocked", 4: "inconclusive"}[code])
    assert main(["sweep", cases, "--reader", "--set", "top_k=1,2", "--json"]) == 0
    swept = one_document(capsys.readouterr().out)
    for command, told in (("evaluate", figures), ("compare", compared), ("gate", gated), ("sweep", swept)):
        row = re.search(rf"^\| `{command}` \| .*$", PAGE, re.MULTILINE)[0]
        assert set(told) - set(re.findall(r"`(\w+)`", row)) == set(), command


def test_an_error_leaves_standard_output_empty(capsys):
    for arguments in (["refine", "-q", "x", "/no/file"], ["replay", "/no/file"], ["audit", "/no/file"], ["cases", "check", "/no/file"],
                      ["gate", "/no/file", "--pipeline", "p"], ["compare", "/no/file", "/no/file"], ["badcases", "list", "/no/file"]):  # fmt: skip
        assert main([*arguments, "--json"]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.startswith("ragclean: error: ") and shown.err.count("\n") == 1


def test_numbers_that_are_none_and_lone_surrogates(capsys):
    console.document({"a": [math.nan, math.inf, (1.5,)], "b": "\ud83d水泵"})
    assert one_document(capsys.readouterr().out) == {"a": [None, None, [1.5]], "b": "\ud83d水泵"}


def test_a_lone_surrogate_in_a_file_goes_through(tmp_path, capsys):
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "text": "水泵整机保修期36个月。\\ud83d", "title": "\\ud83d"}\n', encoding="utf-8")
    assert main(["refine", "-q", "水泵保修多久？", "--json", str(path)]) == 0
    assert "36个月" in one_document(capsys.readouterr().out)["text"]
    assert main(["audit", str(path), "--as-of", "2025-06-01", "--json"]) == 0
    assert one_document(capsys.readouterr().out)["pages"] == 1


def test_the_examples_of_every_help_are_commands(capsys):
    parser = build_parser()
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([*command.split(), "--help"])
        (block,) = re.findall(r"examples?:\n((?:  .*\n)+)", capsys.readouterr().out)
        for program, *words in commands(Block("bash", block, 1)):
            if program == "ragclean":
                parser.parse_args(words)


def test_the_page_names_the_keys_and_exit_codes_of_every_command():
    keys = dict(re.findall(r"^\| `([a-z -]+?)(?: --\w+)?` \| (.*) \|$", PAGE.partition("## `ragclean refine`")[0], re.MULTILINE))
    assert set(keys) == set(COMMANDS) - WITHOUT
    for name in {command.split()[0] for command in COMMANDS}:
        section = re.search(rf"^## .*`ragclean {name}`.*?(?=^## )", PAGE, re.MULTILINE | re.DOTALL)[0]
        assert "Exit codes" in section, name
