"""The guide of the evaluator: all of its code runs, in order, in both languages, which say the same."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from chat_server import say

from ragclean import Chunk
from ragclean.cli import canary, cases, compare, evaluate, gate, sweep
from ragclean.evaluation import OfflineJudge
from ragclean.evaluation import selfcheck as checks

GUIDES = ("evaluation.md", "evaluation.zh-CN.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages(root):
    return [(root / "docs" / name).read_text(encoding="utf-8") for name in GUIDES]


def reply(seen):
    """A model that answers with its first passage, and one that judges as the offline judge does."""
    if len(seen.body["messages"]) == 1:
        return say(re.search(r"^\[1\] (.*)$", seen.user, re.MULTILINE)[1])
    asked, judge = json.loads(seen.user), OfflineJudge()
    if "claims" in asked:
        contexts = [Chunk(id=str(i), **p) for i, p in enumerate(asked["passages"])]
        told = judge.support(asked["question"], asked["answer"], [c["text"] for c in asked["claims"]], contexts)
        found = [(v.support, v.evidence) for v in told]
    else:
        told = judge.coverage(asked["question"], asked["answer"], asked["reference"], [p["text"] for p in asked["points"]])
        found = [("covered" if v.covered else "contradicted" if v.contradicted else "missing", v.evidence) for v in told]
    ids = [item["id"] for item in asked.get("claims") or asked["points"]]
    items = [{"id": i, "verdict": verdict, "evidence": evidence} for i, (verdict, evidence) in zip(ids, found, strict=True)]
    return say(json.dumps({"items": items}, ensure_ascii=False))


@pytest.mark.slow
@pytest.mark.parametrize("name", GUIDES)
def test_every_code_of_the_guide_runs_in_order(root, tmp_path, chat_server, name):
    code = [content for language, content in BLOCK.findall((root / "docs" / name).read_text(encoding="utf-8")) if language == "python"]
    assert len(code) > 10
    chat_server.script = reply
    shutil.copytree(root / "examples", tmp_path / "examples")
    (tmp_path / "guide.py").write_text("\n".join(code), encoding="utf-8")
    environment = {**os.environ, "OPENAI_BASE_URL": chat_server.url, "PYTHONIOENCODING": "utf-8", "XDG_CACHE_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "guide.py"], capture_output=True, encoding="utf-8", timeout=600, check=False, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    failed = [line.removeprefix("self-check: ") for line in done.stderr.splitlines()]
    assert [line.partition(":")[0] for line in failed] == ["refusals", "controls"], "the guide's own judge fails, nothing else is said"
    assert all(line in done.stdout.splitlines() for line in failed), done.stdout
    assert re.search(r"^answer-judge:my-judge@\S+ True$", done.stdout, re.MULTILINE), "a judge behind an endpoint passes the self-check"
    assert (tmp_path / "evaluation-cache" / "evaluation.sqlite3").exists()
    assert (tmp_path / "evaluation-cache" / "endpoint.sqlite3").exists()
    assert not (tmp_path / "home").exists(), "nothing is kept but where the guide says"


def test_the_two_guides_have_the_same_parts(root):
    shapes = []
    for page in pages(root):
        code = [content for language, content in BLOCK.findall(page) if language in ("bash", "json", "text")]
        calls = [re.sub(r"\s*#.*", "", content) for language, content in BLOCK.findall(page) if language == "python"]
        heads, rows = re.findall(r"^#+ ", page, re.MULTILINE), len(re.findall(r"^\|", page, re.MULTILINE))
        shapes.append(([language for language, _ in BLOCK.findall(page)], heads, rows, len(code), [len(c.splitlines()) for c in calls]))
    assert shapes[0] == shapes[1]


def test_the_guides_name_every_check_and_the_bounds_in_use(root):
    bounds = (
        checks.LEAST_ORACLE, checks.MOST_STRANGER, checks.MOST_STRANGER_SUPPORTED, checks.LEAST_CAUGHT,
        checks.LEAST_UNFAITHFUL, checks.LEAST_AGREEMENT,
    )  # fmt: skip
    for page in pages(root):
        for name in (*checks.ESSENTIAL, *checks.ESSENTIAL_V3, "quotes", "refusals", "no change", "contexts", checks.OWN_JUDGE):
            assert f"`{name}`" in page
        assert [b for b in bounds if f"{b:.2f}" not in page] == []


@pytest.mark.parametrize("module", [canary, cases, compare, evaluate, gate, sweep])
def test_every_option_is_in_the_reference_of_the_command_line(root, module):
    name = module.__name__.rpartition(".")[2]
    parser = argparse.ArgumentParser()
    module.add_parser(parser.add_subparsers())
    page = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    part = page.split(f"## `ragclean {name}`\n")[1].split("\n## ")[0]
    if name == "sweep":  # which it shares with evaluate
        part += page.split("## `ragclean evaluate`\n")[1].split("\n## ")[0]
    options = {option for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", usage(parser)) if option != "--help"}
    assert len(options) > 2
    assert sorted(o for o in options if not re.search(rf"{o}(?![\w-])", part)) == []


def usage(parser):
    """The usage of a parser and of all commands below it."""
    below = [p for a in parser._actions if isinstance(a, argparse._SubParsersAction) for p in a.choices.values()]
    return parser.format_usage() + "".join(map(usage, below))
