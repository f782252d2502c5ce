"""Every code of the READMEs and of the documentation runs as it is written, or says what it needs and has no fault."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import docs_blocks
import pytest
from docs_blocks import EXTRAS, OUTSIDE, SHELL, blocks_of, commands, faults, run_pages, script

from ragclean.cli.app import build_parser

ROOT = Path(__file__).resolve().parent.parent
#: Pages whose code takes more than a second or two, since they calibrate, evaluate or start processes.
SLOW = {
    "README.md", "README.zh-CN.md", "docs/calibration.md", "docs/howto/calibrate.md", "docs/howto/calibrate.zh-CN.md",
    "docs/howto/gate-in-ci.md", "docs/howto/gate-in-ci.zh-CN.md", "docs/scaling.md", "docs/scaling.zh-CN.md",
    "docs/integrations.md", "docs/integrations.zh-CN.md",
}  # fmt: skip
#: Pages whose code is run by a test of its own, which stands in for what their blocks need.
ELSEWHERE = {
    "docs/evaluation.md": "evaluation/test_evaluation_guide.py",
    "docs/evaluation.zh-CN.md": "evaluation/test_evaluation_guide.py",
}
#: What stands in front of a block that is no Python, no shell and no Sphinx directive, and says so.
PROSE = {"text", "json", "toml", "yaml", "jsonl", "html", "mermaid", "ini", "diff", "promql"}


def pages():
    found = [ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {p.relative_to(ROOT).as_posix(): blocks_of(p.read_text(encoding="utf-8")) for p in found if "_build" not in p.parts}


PAGES = pages()
WITH_CODE = [page for page, blocks in PAGES.items() if any(b.is_python for b in blocks)]
FAST = [page for page in WITH_CODE if page not in SLOW and page not in ELSEWHERE]


def scripts(names, kind):
    return {n: script([b for b in PAGES[n] if b.is_python and kind(b)]) for n in names}

#: Pages of our own among the real ones: what the mechanism says of them is known.
MADE_UP = {"good.md": "print('说')\n", "bad.md": "\n\nraise KeyError('why')\n"}


@pytest.fixture(scope="module")
def fast_pages(tmp_path_factory, examples):
    named = scripts(FAST, lambda b: not b.needs)
    return run_pages({**named, **MADE_UP}, tmp_path_factory.mktemp("pages"), examples)


@pytest.fixture(scope="module")
def slow_pages(tmp_path_factory, examples):
    """Those that take longer, and those with a block that an installed extra lets run."""
    names = [n for n in WITH_CODE if n not in ELSEWHERE and (n in SLOW or any(b.needs and b.runs_here for b in PAGES[n]))]
    return run_pages(scripts(names, lambda b: b.runs_here), tmp_path_factory.mktemp("pages"), examples)


@pytest.mark.parametrize("page", FAST)
def test_the_code_of_the_page_runs_and_prints_what_the_page_says(fast_pages, page):
    assert fast_pages[page]["error"] == ""
    assert broken_promises(page, fast_pages[page]["printed"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("page", [n for n in WITH_CODE if n not in ELSEWHERE and (n in SLOW or any(b.needs for b in PAGES[n]))])
def test_the_longer_code_of_the_page_runs_with_the_extras_that_are_here(slow_pages, page):
    if page not in slow_pages:
        pytest.skip("none of the extras that its blocks need is installed")
    assert slow_pages[page]["error"] == ""
    assert broken_promises(page, slow_pages[page]["printed"]) == []


def broken_promises(page, printed):
    """What the page says that its code prints, in order, and is not printed."""
    broken, at = [], 0
    for block in PAGES[page]:
        if not block.promised:
            continue
        found = printed.find(block.content, at)
        at = max(at, found + len(block.content) if found >= 0 else at)
        broken += [] if found >= 0 else [block.content]
    return broken


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page):
    unknown = [b.line for b in PAGES[page] if b.language not in (*docs_blocks.PYTHON, *SHELL, *PROSE) and not is_directive(b, page)]
    assert unknown == []
    needs = {need for block in PAGES[page] for need in block.needs}
    assert sorted(needs - {*EXTRAS, *OUTSIDE}) == []


def is_directive(block, page):
    """A block for Sphinx alone, of which only the reference and the indexes of the site are made."""
    return not block.language and page.startswith(("docs/reference/", "docs/project/", "docs/index"))


@pytest.mark.parametrize("page", WITH_CODE)
def test_code_that_is_not_run_here_has_no_fault(page):
    blocks = [b for b in PAGES[page] if b.is_python]
    left = [(b, blocks[:i]) for i, b in enumerate(blocks) if b.needs or page in ELSEWHERE]
    assert [fault for block, before in left for fault in faults(block, before)] == []


@pytest.mark.parametrize("page", ELSEWHERE)
def test_pages_that_are_run_elsewhere_are(root, page):
    assert f'"{page.removeprefix("docs/")}"' in (root / "tests" / ELSEWHERE[page]).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page, blocks in PAGES.items() if any(b.language in SHELL for b in blocks)])
def test_the_commands_of_the_page_exist(root, page):
    parser, make = build_parser(), (root / "Makefile").read_text(encoding="utf-8")
    for block in PAGES[page]:
        if block.language not in SHELL:
            continue
        for program, *words in commands(block):
            if program == "ragclean":
                with contextlib.suppress(SystemExit):  # --help and --version; what is wrong raises a CommandError
                    parser.parse_args(words)
            elif program == "make":
                unknown = [t for t in words if "=" not in t and not re.search(rf"^{re.escape(t)}:", make, re.MULTILINE)]
                assert unknown == [], words
            elif program == "python" and words[0].startswith(("examples/", "benchmarks/", "scripts/", "docs/")):
                assert (root / words[0]).is_file(), words


def test_extras_that_blocks_may_need_are_extras_of_the_package(root):
    declared = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert [extra for extra in EXTRAS if not re.search(rf"^{extra} = \[", declared, re.MULTILINE)] == []


# ------------------------------------------------------------------ the mechanism itself

PAGE = """\
Text.

```python
x = 1
```

<!-- needs: endpoint, openai -->
```python
from ragclean import NoiseCorrector, Nothing
import surely_no_such_module

NoiseCorrector(confg=None).refine(question, [])
```

- a list:

  ```bash
  FORCE=1 ragclean refine -q "问 # 题" - < a.jsonl | less && ragclean doctor > out.txt  # said
  ```
"""


def test_blocks_keep_their_place_and_say_what_they_need():
    first, second, third = blocks_of(PAGE)
    assert (first.line, first.needs, second.line, second.needs) == (4, (), 9, ("endpoint", "openai"))
    assert script([first, second]).splitlines()[3] == "x = 1"
    assert third.content.startswith("FORCE=1")


def test_commands_are_taken_apart_as_a_shell_does():
    assert commands(blocks_of(PAGE)[2]) == [["ragclean", "refine", "-q", "问 # 题", "-"], ["less"], ["ragclean", "doctor"]]


def test_faults_of_code_that_is_not_run_are_found():
    first, second, _ = blocks_of(PAGE)
    found = "\n".join(faults(second, [first]))
    assert "line 9: ragclean has no Nothing" in found
    assert "line 12: NoiseCorrector: got an unexpected keyword argument 'confg'" in found
    assert "line 12: nothing gives the name question" in found
    assert faults(first, []) == []


def test_a_page_that_fails_is_told_with_its_line(fast_pages):
    assert fast_pages["good.md"] == {"printed": "说\n", "error": ""}
    assert re.search(r'bad_md.py", line 3.*KeyError: .why', fast_pages["bad.md"]["error"], re.DOTALL)
