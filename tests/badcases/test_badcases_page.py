"""Every code of docs/badcases.md runs as it is written, in its order."""

import re
import shlex
import subprocess
import sys

import pytest

from ragclean.badcases import STAGES, VERDICTS
from ragclean.cli import main

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "badcases.md").read_text(encoding="utf-8")


def test_every_code_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    shown = {}
    for language, code in BLOCK.findall(page):
        if language == "python":
            exec(compile(code, "docs/badcases.md", "exec"), names)
            continue
        for line in code.splitlines():
            words = shlex.split(line, comments=True)
            if words[0] == "ragclean":
                assert main(words[1:]) == 0, line
                shown[line] = capsys.readouterr().out
            else:
                done = subprocess.run([sys.executable, *words[1:]], capture_output=True, encoding="utf-8", check=False)
                assert (words[0], done.returncode) == ("python", 0), done.stdout
    names["store"].close()
    assert "1 of 1 cases right" in shown["ragclean replay cases.sqlite3"]
    assert b"13800138000" not in (tmp_path / "redacted.sqlite3").read_bytes()
    assert shown["ragclean badcases import elsewhere.sqlite3 backup.jsonl"].startswith("1 cases added")


def test_stages_and_verdicts_are_explained(page):
    assert all(f"| `{stage}` |" in page for stage in STAGES)
    assert all(f"`{verdict}`" in page for verdict in VERDICTS)
