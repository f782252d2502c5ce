"""``ragclean compare``: two reports beside each other, and what cannot be compared."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from evaluator_samples import many_cases

from ragclean.cli import main
from ragclean.evaluation import GullibleAnswerer, RobustAnswerer, evaluate


@pytest.fixture(scope="module")
def made():
    cases = many_cases(40)
    return [evaluate(cases, a(cases), pipeline=n, check="off") for a, n in ((RobustAnswerer, "robust-1"), (GullibleAnswerer, "gullible-1"))]


@pytest.fixture
def files(made, tmp_path):
    paths = []
    for report in made:
        paths.append(str(tmp_path / f"{report.pipeline}.json"))
        report.save(paths[-1])
    return paths


def test_the_gullible_is_named_as_the_worse(files, capsys):
    assert main(["compare", *files, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["worse"] == {"v3": "second"}
    assert (shown["first"]["pipeline"], shown["second"]["pipeline"]) == ("robust-1", "gullible-1")
    assert main(["compare", *files[::-1], "--json", "--lenient"]) == 0
    assert json.loads(capsys.readouterr().out)["worse"] == {"v3": "first"}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_tables_and_pages(files, lang, tmp_path, capsys):
    page, text = tmp_path / "c.html", tmp_path / "c.md"
    assert main(["compare", *files, "--lang", lang, "--html", str(page), "--markdown", str(text)]) == 0
    told = capsys.readouterr().out
    for shown in (told, page.read_text(encoding="utf-8"), text.read_text(encoding="utf-8")):
        assert "robust" in shown
        assert "gullible" in shown


@pytest.mark.parametrize(("change", "message"), [
    ({"judge": "other-judge"}, "'other-judge': figures of two judges differ"),
    ({"noise": {"count": 5}}, "different noise: count 3 and 5"),
    ({"corpus": "abc"}, "different corpus of noise"),
    ({"cases": "fewer"}, "different cases of v0: only the first has t000"),
    ({"variants": "fewer"}, "different variants: only the first has v3"),
])  # fmt: skip
def test_what_cannot_be_compared_is_code_2_and_named(made, files, change, message, tmp_path, capsys):
    report = made[1]
    if change.get("cases"):
        change = {"cases": report.cases[1:], "outcomes": tuple(o for o in report.outcomes if o.shown.case_id != "t000")}
    elif change.get("variants"):
        change = {"variants": ("v0",), "outcomes": tuple(o for o in report.outcomes if o.shown.variant == "v0")}
    elif change.get("noise"):
        change = {"noise": {**report.noise, **change["noise"]}}
    path = tmp_path / "changed.json"
    replace(report, **change).save(path)
    assert main(["compare", files[0], str(path)]) == 2
    assert message in capsys.readouterr().err


def test_bad_files_are_code_2(files, tmp_path, capsys):
    assert main(["compare", files[0], str(tmp_path / "none.json")]) == 2
    assert "none.json: No such file" in capsys.readouterr().err
    assert main(["compare", files[0]]) == 2
    assert main(["compare", *files, "--html", str(tmp_path / "no" / "c.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err
