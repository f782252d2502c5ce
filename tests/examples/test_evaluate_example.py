"""The shipped evaluation: its cases, the script as it is, the workflow's commands, and the READMEs' section on it."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from ragclean.cli import evaluate, gate
from ragclean.evaluation import NoiseMaker, Shown, read_cases
from ragclean.text.folding import fold, language

SCRIPT, CASES, WORKFLOW = "evaluate_rag.py", "eval_cases.jsonl", "github_actions_gate.yml"
SECTIONS = {"README.md": "## How much does noise cost your RAG?", "README.zh-CN.md": "## 噪声让你的 RAG 损失多少？"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(arguments, cwd, **more):
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", **more}
    return subprocess.run(arguments, capture_output=True, encoding="utf-8", timeout=300, check=False, cwd=cwd, env=environment)


def test_the_cases_are_twelve_in_two_languages_and_every_one_can_be_contradicted(examples):
    cases = read_cases(examples / CASES)
    assert len(cases) == len({c.question for c in cases}) == 12
    assert sum(language(fold(c.question)) == "zh" for c in cases) == 6
    maker = NoiseMaker.of_cases(cases)
    assert all(isinstance(maker.make(c, "v3"), Shown) for c in cases)
    assert {bool(c.old_versions) for c in cases} == {True, False}
    assert all(c.gold and c.category and c.as_of for c in cases)


@pytest.mark.slow
def test_the_example_runs_as_written_and_leaves_reports(examples, tmp_path):
    done = run([sys.executable, str(examples / SCRIPT), "out"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "did not pass its own check" not in done.stdout
    rows = {m[1]: float(m[2]) for m in re.finditer(r"^│ (raw|corrected) +│ (-?[\d.]+) %.* │$", done.stdout, re.MULTILINE)}
    assert rows["raw"] > 50 > 15 > rows["corrected"]
    assert re.search(r"fooled the raw application in \d+ of 12 cases", done.stdout)
    home = tmp_path / "out"
    assert {"raw.html", "raw.json", "corrected.html", "corrected.json", "cache"} <= {p.name for p in home.iterdir()}
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert "<html" in (home / "raw.html").read_text(encoding="utf-8")[:200]
    gated = run([sys.executable, "-m", "ragclean", "gate", "out/raw.json", "--pipeline", json.loads((home / "raw.json").read_bytes())["pipeline"]], tmp_path)
    assert gated.returncode in (1, 4), gated.stderr  # a dozen cases may be too few to block, and never pass


def steps(examples):
    """The shell scripts of the workflow's steps, by name."""
    page = (examples / WORKFLOW).read_text(encoding="utf-8")
    found = {}
    for step in re.split(r"\n      - ", page)[1:]:
        name = re.match(r"name: (.*)", step)
        script = re.search(r"^        run: \|\n((?:^          .*\n|^\n)+)", step, re.MULTILINE)
        if name and script:
            found[name[1]] = "\n".join(line[10:] for line in script[1].split("\n"))
    return found


def check_usage(call):
    """Ends the test where a command, an option or a value is unknown."""
    parser = argparse.ArgumentParser()
    known = parser.add_subparsers(required=True)
    for command in (evaluate, gate):
        command.add_parser(known)
    parser.parse_args(call)


def commands(script):
    """The calls of ragclean in a script, split as a shell would."""
    joined = script.replace("\\\n", " ")
    return [shlex.split(line.split("||")[0])[1:] for line in joined.split("\n") if line.strip().startswith("ragclean ")]


def test_the_workflow_calls_commands_and_options_that_exist(examples):
    found = steps(examples)
    assert list(found) == ["Name the pipeline", "Evaluate", "Gate"]
    calls = [call for script in found.values() for call in commands(script)]
    assert [call[0] for call in calls] == ["evaluate", "gate"]
    for call in calls:
        check_usage(call)


@pytest.mark.skipif(shutil.which("bash") is None, reason="the workflow's shell is not there")
@pytest.mark.parametrize(
    "event, code, ends", [("pull_request", 0, 0), ("pull_request", 1, 1), ("pull_request", 3, 3), ("pull_request", 4, 0), ("push", 4, 4), ("push", 2, 2)]
)
def test_the_workflow_lets_pass_what_it_says(examples, tmp_path, event, code, ends):
    stand_in = tmp_path / "ragclean"
    stand_in.write_text(f"#!/bin/sh\necho written > gate.md\nexit {code}\n", encoding="utf-8")
    stand_in.chmod(0o755)
    done = run(
        ["bash", "-e", "-c", steps(examples)["Gate"]], tmp_path, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}", PIPELINE="p",
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"), GITHUB_EVENT_NAME=event,
    )  # fmt: skip
    assert done.returncode == ends, done.stderr
    assert ("::warning" in done.stdout) == (code == 4 and ends == 0)
    assert (tmp_path / "summary").read_text(encoding="utf-8") == "written\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="the workflow's shell is not there")
def test_the_workflow_names_a_pipeline_by_its_files_and_none_without_them(examples, tmp_path):
    script, home = steps(examples)["Name the pipeline"], tmp_path / "env"
    assert run(["bash", "-e", "-c", script], tmp_path, HASH="0123456789abcdef", GITHUB_ENV=str(home)).returncode == 0
    assert home.read_text(encoding="utf-8") == "PIPELINE=rag-0123456789ab\n"
    assert run(["bash", "-e", "-c", script], tmp_path, HASH="", GITHUB_ENV=str(home)).returncode == 2


def section(root, name):
    page = (root / name).read_text(encoding="utf-8")
    return page.split(SECTIONS[name])[1].split("\n## ")[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", SECTIONS)
def test_the_section_of_the_readme_runs_and_shows_what_comes_out(root, tmp_path, name):
    found = BLOCK.findall(section(root, name))
    assert [language for language, _ in found] == ["py", "text", "bash"]
    shutil.copytree(root / "examples", tmp_path / "examples")
    (tmp_path / "section.py").write_text(found[0][1], encoding="utf-8")
    done = run([sys.executable, "section.py"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == found[1][1]


@pytest.mark.parametrize("name", SECTIONS)
def test_the_commands_of_the_readme_exist(root, name):
    calls = [call for language, script in BLOCK.findall(section(root, name)) if language == "bash" for call in commands(re.sub(r" +#.*", "", script))]
    assert [call[0] for call in calls] == ["evaluate", "gate"]
    for call in calls:
        check_usage(call)
