"""``ragclean gate``: every exit code, and what it writes."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from evaluator_samples import many_cases

from ragclean.cli import main
from ragclean.evaluation import EvalReport, GullibleAnswerer, RobustAnswerer, evaluate


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """A robust and a gullible pipeline over the same cases, in files."""
    folder, cases = tmp_path_factory.mktemp("reports"), many_cases(100)
    for name, answerer in (("robust", RobustAnswerer(cases)), ("gullible", GullibleAnswerer(cases))):
        report = evaluate(cases, answerer, pipeline=f"{name}-1", check="off")
        replace(report, checked=True).save(folder / f"{name}.json")  # the check itself has tests of its own
    return folder


def test_the_robust_pass_and_the_gullible_are_blocked(reports, capsys):
    assert main(["gate", str(reports / "robust.json"), "--pipeline", "robust-1", "--critical", "price"]) == 0
    passed = capsys.readouterr().out
    assert main(["gate", str(reports / "gullible.json"), "--pipeline", "gullible-1", "--critical", "price,保修"]) == 1
    blocked = capsys.readouterr().out
    assert passed != blocked
    assert "price" in passed
    assert "保修" in blocked


@pytest.mark.parametrize(("lang", "name", "word"), [("zh", "gullible", "拦截"), ("en", "robust", "pass")])
def test_the_verdict_is_in_the_language_asked_for(reports, lang, name, word, capsys):
    main(["gate", str(reports / f"{name}.json"), "--pipeline", f"{name}-1", "--lang", lang])
    assert word in capsys.readouterr().out.lower()


def test_files_for_machines_and_people(reports, tmp_path, capsys):
    junit, page, text = tmp_path / "g.xml", tmp_path / "g.html", tmp_path / "g.md"
    arguments = ["gate", str(reports / "gullible.json"), "--pipeline", "gullible-1", "--critical", "price"]
    assert main([*arguments, "--junit", str(junit), "--html", str(page), "--markdown", str(text), "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert (shown["verdict"], shown["exit_code"]) == ("blocked", 1)
    root = ElementTree.parse(junit).getroot()
    assert {c.get("name"): c.find("failure") is not None for c in root.iter("testcase")} == {"price (critical)": True, "保修": True}
    assert "gullible-1" in page.read_text(encoding="utf-8")
    assert "gullible" in text.read_text(encoding="utf-8")


@pytest.mark.parametrize(("change", "options", "code", "message"), [
    ({}, ["--pipeline", "robust-2"], 2, "of pipeline 'robust-1', not of 'robust-2': evaluate what is released"),
    ({"checked": False}, [], 3, "check of itself failed"),
    ({"checked": None}, [], 3, "check of itself was not made"),
    ({}, ["--critical", "safety"], 2, "no case of the critical category was shown v3: safety"),
    ({}, ["--variant", "v2"], 2, "the report has no outcome of v2"),
    ({}, ["--limit", "20"], 2, "limit is a share between 0 and 1, got 20.0"),
    ({}, ["--critical-limit", "0"], 2, "critical_limit is a share between 0 and 1"),
    ({}, ["--variant", "v4"], 2, "--variant: invalid choice"),
    ({}, ["--junit", "no_such_folder/g.xml"], 2, "there is no folder no_such_folder"),
])  # fmt: skip
def test_what_is_refused_is_said(reports, change, options, code, message, tmp_path, capsys):
    path = tmp_path / "r.json"
    replace(EvalReport.load(reports / "robust.json"), **change).save(path)
    pipeline = [] if "--pipeline" in options else ["--pipeline", "robust-1"]
    assert main(["gate", str(path), *pipeline, *options]) == code
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_too_few_cases_are_code_4(reports, tmp_path, capsys):
    report = EvalReport.load(reports / "robust.json")
    few = {c.id for c in report.cases[:16]}
    path = tmp_path / "few.json"
    replace(report, cases=report.cases[:16], outcomes=tuple(o for o in report.outcomes if o.shown.case_id in few)).save(path)
    junit = tmp_path / "g.xml"
    assert main(["gate", str(path), "--pipeline", "robust-1", "--critical", "price", "--lang", "en", "--junit", str(junit)]) == 4
    assert "too few cases" in capsys.readouterr().out.lower()
    assert ElementTree.parse(junit).getroot().get("errors") == "2"


def test_bad_files_are_code_2(tmp_path, capsys):
    assert main(["gate", str(tmp_path / "none.json"), "--pipeline", "p"]) == 2
    assert "none.json: No such file" in capsys.readouterr().err
    for content, message in (("{}", "bad.json: schema: this version reads 1"), ("[1]", "bad.json: report: expected a JSON object"), ("{", "bad.json: ")):
        (tmp_path / "bad.json").write_text(content, encoding="utf-8")
        assert main(["gate", str(tmp_path / "bad.json"), "--pipeline", "p"]) == 2
        assert message in capsys.readouterr().err
    assert main(["gate", str(tmp_path / "bad.json")]) == 2
    assert "--pipeline" in capsys.readouterr().err
