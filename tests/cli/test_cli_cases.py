"""``ragclean cases``: build, a walk that can be left at any line, and a check with an exit code."""

from __future__ import annotations

import argparse
import io
import json
import sys

import pytest

from ragclean import NoiseCorrector
from ragclean.badcases import BadCaseStore
from ragclean.cli import cases, console
from ragclean.cli.failure import CommandError
from ragclean.evaluation.case_drafts import read_drafts
from ragclean.evaluation.cases import read_cases

TERMS = {"id": "terms", "source": "official_policy", "text": "水泵整机保修期为36个月，自开票之日起计算。"}
FEES = {"id": "fees", "title": "Delivery\x1b[2J", "text": "The delivery fee is £4.50 per parcel.\n[1/9] no line of ours \x1b]0;owned\x07\u202e"}
MENU = {"id": "menu", "text": "本周食堂供应红烧排骨和番茄蛋汤。"}


def main(argv):
    """As the command line's own ``main``."""
    parser = argparse.ArgumentParser(prog="ragclean")
    cases.add_parser(parser.add_subparsers(dest="command"))
    try:
        args = parser.parse_args(["cases", *map(str, argv)])
        return args.run(args)
    except CommandError as e:
        console.note(f"ragclean: error: {e}")
        return e.exit_code


def lines(path, rows):
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), encoding="utf-8")
    return path


@pytest.fixture
def documents(tmp_path):
    return lines(tmp_path / "docs.jsonl", [TERMS, FEES, MENU])


@pytest.fixture
def drafts(documents, tmp_path, capsys):
    log = lines(tmp_path / "log.jsonl", [{"question": "食堂供应什么？", "contexts": [MENU], "answer": "红烧排骨和番茄蛋汤。"}])
    path = tmp_path / "drafts.jsonl"
    assert main(["build", "-o", path, "--documents", documents, "--log", log]) == 0
    capsys.readouterr()
    return path


@pytest.fixture
def walk(drafts, tmp_path, monkeypatch, capsys):
    def go(*typed, code=0):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{t}\n" for t in typed)))
        assert main(["review", drafts, "-o", tmp_path / "cases.jsonl"]) == code
        shown = capsys.readouterr()
        return shown.out + shown.err

    return go


def decided(path):
    return {d.case.question: d.status for d in read_drafts(path)}


def test_build_from_documents_logs_and_a_store_keeps_what_is_there(documents, drafts, tmp_path, capsys):
    assert list(decided(drafts)) == ["水泵整机保修期为多久？", "How much is the delivery fee per parcel?", "食堂供应什么？"]
    with BadCaseStore(tmp_path / "bad.sqlite3") as store:
        result = NoiseCorrector().refine("水泵能保修几年？", [TERMS, MENU], as_of="2025-06-01")
        store.record(result, expected={"accepted": ["36个月"], "keep": ["terms"]})
    before = drafts.read_bytes()
    assert main(["build", "-o", drafts, "--documents", documents, "--badcases", tmp_path / "bad.sqlite3"]) == 0
    assert "1 drafts added" in capsys.readouterr().out
    assert drafts.read_bytes().startswith(before.rstrip(b"\n"))
    assert read_drafts(drafts)[-1].case.reference == "水泵整机保修期为36个月，自开票之日起计算。"


def test_documents_may_serve_as_contexts_alone(documents, tmp_path, capsys):
    log = lines(tmp_path / "log2.jsonl", [{"question": "水泵整机保修多久？"}])
    out = tmp_path / "d.jsonl"
    assert main(["build", "-o", out, "--log", log, "--documents", documents, "--only-log", "-k", "1"]) == 0
    (made,) = read_drafts(out)
    assert [c.id for c in made.case.contexts] == ["terms"]


def test_a_walk_accepts_edits_and_drops(walk, drafts, tmp_path):
    shown = walk("a", "r", "£4.50 for each parcel.", "p", "£4.50", "", "a", "d")
    assert set(decided(drafts).values()) == {"accepted", "dropped"}
    first, second = read_cases(tmp_path / "cases.jsonl")
    assert (second.reference, second.keypoints) == ("£4.50 for each parcel.", ("£4.50",))
    assert first.gold == ("terms",)
    assert "question:  水泵整机保修期为多久？" in shown
    assert "point 1: 水泵整机保修期为36个月" in shown
    assert "gold terms | official_policy" in shown
    assert "2 cases written to" in shown
    assert "0 of 3 drafts to review, 2 accepted, 1 dropped" in shown


def test_a_walk_goes_on_where_it_was_left(walk, drafts):
    assert "2 of 3 drafts to review, 1 accepted" in walk("a", "q")
    shown = walk("s", "d")
    assert "水泵整机保修期为多久" not in shown
    assert decided(drafts) == {"水泵整机保修期为多久？": "accepted", "How much is the delivery fee per parcel?": "open", "食堂供应什么？": "dropped"}


def test_going_back_and_the_end_of_the_input(walk, drafts):
    walk("s", "b", "a")
    assert decided(drafts)["水泵整机保修期为多久？"] == "accepted"


def test_a_log_draft_takes_the_answer_for_reference_and_gold_by_id(walk, drafts, tmp_path):
    shown = walk("s", "s", "u", "g", "menu", "a")
    assert "answered:  红烧排骨和番茄蛋汤。" in shown
    assert "missing:   reference, gold" in shown
    (case,) = read_cases(tmp_path / "cases.jsonl")
    assert (case.reference, case.gold) == ("红烧排骨和番茄蛋汤。", ("menu",))


def test_a_question_without_an_answer_is_accepted_as_such(walk, tmp_path):
    walk("s", "s", "n")
    (case,) = read_cases(tmp_path / "cases.jsonl")
    assert not case.answerable


def test_nothing_of_a_text_acts_on_the_terminal_or_passes_for_ours(walk):
    shown = walk("s", "m", "q")
    assert not any(c in shown for c in "\x1b\x07\u202e")
    assert "\n  | [1/9] no line of ours" in shown


@pytest.mark.parametrize(("typed", "message"), [(("x",), "x is no key here"), (("s", "s", "a"), "it has no reference"),
                                                (("g", "none"), "gold: no context has the id 'none'")])  # fmt: skip
def test_a_script_with_a_wrong_line_is_stopped(walk, drafts, typed, message):
    shown = walk(*typed, code=2)
    assert message in shown
    assert "the rest is not read" in shown
    assert set(decided(drafts).values()) == {"open"}


def test_show_asks_nothing(drafts, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["review", drafts, "--show"]) == 0
    assert "3 of 3 drafts to review" in capsys.readouterr().out
    assert main(["review", drafts]) == 2
    assert "standard input is closed" in capsys.readouterr().err


def test_check_ends_with_1_where_there_are_faults(walk, drafts, tmp_path, capsys):
    walk("a", "a", "n")
    assert main(["check", tmp_path / "cases.jsonl"]) == 0
    assert "3 cases" in capsys.readouterr().out
    walk()
    out = tmp_path / "cases.jsonl"
    text = out.read_text(encoding="utf-8").replace('"reference": "水泵整机保修期为36个月', '"reference": "水泵整机保修期为48个月').replace('"水泵整机保修期为36个月"', '"48个月"')
    out.write_text(text, encoding="utf-8")
    assert main(["check", out, "--lang", "zh"]) == 1
    assert "答案片段中找不到 48个月" in capsys.readouterr().out
    assert main(["check", out, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["faults"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "-o", "OUT"], "name --documents, --log or --badcases"),
        (["build", "-o", "OUT", "--documents", "/no/such/file.jsonl"], "/no/such/file.jsonl: No such file"),
        (["build", "-o", "OUT", "--documents", "DOCS", "--limit", "0"], "--limit: must be 1 or more"),
        (["build", "-o", "OUT", "--documents", "DOCS", "--base-url", "http://x/v1"], "--base-url: name the --model too"),
        (["build", "-o", "OUT", "--log", "DOCS"], "docs.jsonl:1: question: expected a string"),
        (["build", "-o", "DOCS", "--documents", "DOCS"], "docs.jsonl:1: question: expected a string"),
        (["build", "-o", "OUT", "--badcases", "DOCS"], "docs.jsonl:1: neither candidates"),
        (["review", "/no/such/file"], "/no/such/file: No such file"),
        (["check", "DOCS"], "docs.jsonl:1: question"),
        (["check", "DRAFTS"], "no case is accepted (3 drafts)"),
        (["review", "DRAFTS", "-o", "DRAFTS", "--show"], "is the file of the drafts itself"),
    ],
)
def test_bad_input_is_2_in_one_line(documents, drafts, tmp_path, arguments, message, capsys):
    places = {"DOCS": str(documents), "OUT": str(tmp_path / "out.jsonl"), "DRAFTS": str(drafts)}
    assert main([places.get(a, a) for a in arguments]) == 2
    assert message in capsys.readouterr().err
