"""What a release holds: source archive and wheel, the files beside the code, and one version everywhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec

import pytest

from ragclean import __version__

#: Files whose loss would only show at a user's: by what they are for.
IN_THE_WHEEL = (
    "ragclean/py.typed", "ragclean/models/encoder/", "ragclean/models/judge/", "ragclean/text/data/",
    "ragclean/report/page.css", "ragclean/report/page.js",
)  # fmt: skip
IN_THE_SOURCES = (
    "README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE", "NOTICE",
    "Makefile", "pyproject.toml", "docs/conf.py", "docs/index.md", "examples/first_steps.ipynb", "tests/conftest.py",
)  # fmt: skip


@pytest.fixture(scope="module")
def built(root, tmp_path_factory):
    """The archive of the sources, and the wheel that was built from it: a wheel needs nothing that it lacks."""
    if find_spec("build") is None:
        pytest.skip("the package build is not installed: pip install '.[dev]'")
    home = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(home), str(root)],
        capture_output=True, encoding="utf-8", timeout=600, check=False, cwd=home,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(p.name for p in home.iterdir()) == [f"ragclean-{__version__}-py3-none-any.whl", f"ragclean-{__version__}.tar.gz"]
    with zipfile.ZipFile(home / f"ragclean-{__version__}-py3-none-any.whl") as wheel:
        names = set(wheel.namelist())
        about = next(n for n in names if n.endswith(".dist-info/METADATA"))
        metadata = wheel.read(about).decode("utf-8")
    with tarfile.open(home / f"ragclean-{__version__}.tar.gz") as archive:
        sources = {m.name.partition("/")[2] for m in archive.getmembers() if m.isfile()}
    return names, metadata, sources


def shipped(root):
    """Every file of the package in the source tree."""
    files = (p for p in (root / "ragclean").rglob("*") if p.is_file() and "__pycache__" not in p.parts and not p.name.startswith("."))
    return {p.relative_to(root).as_posix() for p in files}


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package_and_no_other(root, built):
    names, _, _ = built
    assert {n for n in names if n.startswith("ragclean/")} == shipped(root)
    assert {n.split("/")[0] for n in names} == {"ragclean", f"ragclean-{__version__}.dist-info"}
    for wanted in IN_THE_WHEEL:
        assert any(n.startswith(wanted) for n in names), wanted


@pytest.mark.slow
def test_the_wheel_says_its_licence_and_what_it_needs(built):
    names, metadata, _ = built
    folder = f"ragclean-{__version__}.dist-info/licenses"
    assert {f"{folder}/LICENSE", f"{folder}/NOTICE"} <= names
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "\nRequires-Python: >=3.10\n" in metadata
    base = {re.split(r"[<>=\[; ]", n)[0] for n in re.findall(r"^Requires-Dist: (?!.*extra ==)(.*)$", metadata, re.MULTILINE)}
    assert base == {"dateparser", "jieba", "numpy", "rapidfuzz", "rich", "scikit-learn", "scipy"}


@pytest.mark.slow
def test_the_sources_hold_what_a_reader_and_a_tester_need(root, built):
    _, _, sources = built
    assert [name for name in IN_THE_SOURCES if name not in sources] == []
    assert shipped(root) <= sources
    assert not [name for name in sources if re.search(r"(^|/)(\.venv|build|dist|__pycache__|\.pytest_cache)/", name)]


def test_one_version_in_the_citation_too(root):
    cited = (root / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in cited
    assert cited.startswith("cff-version: 1.2.0\n")
