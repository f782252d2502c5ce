"""The documentation site: ``sphinx-build -W -n docs build/docs`` after ``pip install ".[docs]"``.

The pages are plain Markdown with relative links, so that they can be read on a code host as well. What links need on
the site alone is done here: files outside this folder have a page or are handed out as they are.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from sphinx.ext.napoleon import GoogleDocstring  # noqa: E402

import ragclean  # noqa: E402


def haystack_stand_in() -> ModuleType:
    """What Haystack's decorators are to readers: nothing. The mock of autodoc would take the methods' docstrings."""

    def component(decorated: Any) -> Any:
        return decorated

    component.output_types = lambda **_: component  # type: ignore[attr-defined]
    module = ModuleType("haystack")
    module.component = component  # type: ignore[attr-defined]
    for name in ("Document", "default_from_dict", "default_to_dict"):
        setattr(module, name, type(name, (), {}))
    return module


sys.modules["haystack"] = haystack_stand_in()

project = "ragclean"
author = "the ragclean authors"
copyright = author
version = release = ragclean.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "README.md"]  # README.md lists the pages for readers on a code host; here index.md does
root_doc = "index"
language = "en"
nitpicky = True

myst_heading_anchors = 4  # links to `page.md#heading` work as they do on a code host
myst_url_schemes = ["http", "https", "mailto"]
suppress_warnings = [
    "myst.header",  # pages of release notes and decisions may leave a level out
    "ref.python",  # two packages have an Outcome and a Comparison; a bare name links to that of its own page
]

html_theme = "furo"
html_title = f"ragclean {release}"
html_search_language = "zh"  # cuts Chinese into words, and stems English ones

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
# Frameworks are stood in for, so that the pages are the same whatever is installed.
autodoc_mock_imports = ["langchain_core", "llama_index", "pydantic", "ray"]
napoleon_google_docstring = True
napoleon_numpy_docstring = False
# Types of other packages, and of ours that are no public names, are named in signatures and lead nowhere.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!ragclean\b).*"),
    (r"py:.*", r"ragclean\.(.*\._\w+|prepare\..*|signals\.scorers\..*|evaluation\.judging)"),
]

#: Files outside this folder that have a page on the site; every other file that is linked can be downloaded.
OUTER_PAGES = {
    "README.md": "project/readme",
    "README.zh-CN.md": "project/readme.zh-CN",
    "CHANGELOG.md": "project/changelog",
    "CONTRIBUTING.md": "project/contributing",
    "SECURITY.md": "project/security",
    "benchmarks/README.md": "project/benchmarks",
    "benchmarks/data/README.md": "project/benchmark-data",
    "benchmarks/results/README.md": "project/benchmark-results",
    "tests/data/README.md": "project/test-data",
    "docs/README.md": "index",
}
#: Pages that list others in plain Markdown: what puts these below them in the site's table of contents.
BELOW = {"decisions/README": "\n```{toctree}\n:hidden:\n:glob:\n\n0*\n```\n"}
_OUTER_FILES = {page: file for file, page in OUTER_PAGES.items() if page != "index"}
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(?=[#)])")
_FENCED = re.compile(r"^( *)(`{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)


def take_outer_page(app: Any, docname: str, source: list[str]) -> None:
    """Pages under ``project`` hold a link to a file of the project; on the site they are that file."""
    file = _OUTER_FILES.get(docname)
    if file is not None:
        source[0] = (ROOT / file).read_text(encoding="utf-8")
        app.env.note_dependency(str(ROOT / file), docname=docname)
    here = (ROOT / file).parent if file is not None else (HERE / docname).parent
    source[0] = relinked(source[0], here, docname) + BELOW.get(docname, "")


def relinked(text: str, here: Path, docname: str) -> str:
    """The links of a page that lies in ``here`` in the project, as they have to be on the page ``docname``."""
    spans = [match.span() for match in _FENCED.finditer(text)]

    def replaced(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in spans):
            return match[0]
        target = Path(os.path.normpath(here / match[1]))
        name = target.relative_to(ROOT).as_posix() if target.is_relative_to(ROOT) else ""
        page = OUTER_PAGES.get(name)
        to = HERE / f"{page}.md" if page else target
        return Path(os.path.relpath(to, (HERE / docname).parent)).as_posix()

    return _LINK.sub(replaced, text)


def whole_attribute(reader: GoogleDocstring) -> tuple[str, list[str]]:
    """The docstring of an attribute as it is: what stands before its first colon is no type here."""
    return "", reader._consume_to_end()


def setup(app: Any) -> None:
    """Called by Sphinx."""
    GoogleDocstring._consume_inline_attribute = whole_attribute
    app.connect("source-read", take_outer_page)
