"""What the project promises around the library: cheap import, README that runs, docs that keep step."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from rich.cells import cell_len

from ragclean import __version__

READMES = ("README.md", "README.zh-CN.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, encoding="utf-8", timeout=300, check=False, **options
    )


def blocks(path):
    """(language, content) of each fenced block, in order."""
    return BLOCK.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", READMES)
def test_first_code_of_the_readme_prints_what_the_readme_says(root, name):
    found = blocks(root / name)
    at = next(i for i, (language, _) in enumerate(found) if language == "python")
    language, promised = found[at + 1]
    assert language == "text"
    done = run("-c", found[at][1], cwd=root)
    assert done.stderr == ""
    assert done.stdout == promised


@pytest.mark.parametrize("name", READMES)
def test_every_code_of_the_readme_runs(root, tmp_path, name):
    code = [content for language, content in blocks(root / name) if language == "python"]
    assert len(code) > 1
    script = tmp_path / "readme.py"
    script.write_text("\n".join(code), encoding="utf-8")
    done = run(str(script), cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_two_readmes_have_the_same_parts(root):
    shapes = []
    for name in READMES:
        page = (root / name).read_text(encoding="utf-8")
        rows = len(re.findall(r"^\|", page, re.MULTILINE))
        shapes.append(([language for language, _ in BLOCK.findall(page)], page.count("\n## "), rows))
    assert shapes[0] == shapes[1]


def test_links_in_the_documentation_lead_somewhere(root):
    pages = [root / name for name in (*READMES, "CHANGELOG.md")]
    for page in (*pages, *(root / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_import_is_cheap():
    heavy = ["torch", "sklearn", "jieba", "dateparser", "tokenizers", "rich", "sentence_transformers", "scipy"]
    code = f"import sys, ragclean; print([m for m in {heavy!r} if m in sys.modules])"
    done = run("-c", code)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_refine_needs_no_torch_and_says_nothing():
    code = (
        "import sys\nfrom ragclean import NoiseCorrector\nr = NoiseCorrector()"
        ".refine('保修多久？', ['整机保修24个月。'])\n"
        "print(r.text, [m for m in ('torch', 'sklearn', 'sentence_transformers') if m in sys.modules])"
    )
    done = run("-W", "default", "-c", code)
    assert (done.stdout, done.stderr) == ("整机保修24个月。 []\n", "")


def test_one_version(root):
    assert f'\nversion = "{__version__}"\n' in (root / "pyproject.toml").read_text(encoding="utf-8")
    assert f"## {__version__}" in (root / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_reference_of_the_configuration_is_up_to_date(root):
    done = run(str(root / "scripts" / "config_reference.py"), "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_shipped_examples_are_candidates_the_library_reads(examples):
    files = sorted(file for file in examples.glob("*.jsonl") if file.name not in ("bad_cases.jsonl", "eval_cases.jsonl"))
    assert len(files) >= 2
    for file in files:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        assert 8 <= len(rows) <= 12
        assert len({r["id"] for r in rows}) == len(rows)
        assert all(r["text"] and r["title"] and r["source"] for r in rows)


def test_the_demo_runs_without_a_terminal(examples, tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "40"}
    done = run(str(examples / "demo.py"), cwd=tmp_path, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b[" not in done.stdout
    assert max(cell_len(line) for line in done.stdout.splitlines()) <= 120


def test_the_showcase(examples, corrector):
    rows = [json.loads(x) for x in (examples / "screen_flicker.zh.jsonl").read_text(encoding="utf-8").splitlines()]
    result = corrector.refine("保修期内屏幕闪烁怎么办？", rows, top_k=4, as_of="2025-06-01")
    kept = [c.id for c in result.chunks]
    assert "terms-2025" in kept
    assert "faq-repair" in kept
    assert "news-book16" not in kept
    assert not set(kept[:-1]) & {"forum-88213", "repost-5512"}, "an old forum's advice ranks last at best"
    assert "免费维修" in result.text
    assert "400-810-0000" in result.text


def test_the_english_example(examples, corrector):
    rows = [json.loads(x) for x in (examples / "rate_limit.en.jsonl").read_text(encoding="utf-8").splitlines()]
    result = corrector.refine(
        "How many API requests per minute does the Larkspur Team plan allow?", rows, top_k=3, as_of="2025-06-01"
    )
    assert "1,200 requests per minute" in result.text
    for wrong in ("600 requests", "300 requests", "6,000 requests"):
        assert wrong not in result.text
    assert [c.winner.value for c in result.conflicts if c.winner] == ["1,200 requests"]


def test_every_warning_and_reason_is_documented(root):
    page = (root / "docs" / "warnings.md").read_text(encoding="utf-8")
    source = "\n".join(p.read_text(encoding="utf-8") for p in sorted((root / "ragclean").rglob("*.py")))
    codes = set(re.findall(r"(?:Caution|warn)\(\s*\"([a-z_]+)\"", source))
    codes |= set(re.findall(r"\"(?:screen|rank|arbitrate|compress)\", \"([a-z_]+)\"", source)) - {"rank", "compress"}
    assert len(codes) > 20
    assert [c for c in sorted(codes) if f"`{c}`" not in page] == []
