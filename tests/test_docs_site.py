"""The documentation site builds without a warning, and its links lead somewhere on the site as on a code host."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from urllib.parse import unquote, urlsplit

import pytest

NEEDED = ("sphinx", "myst_parser", "furo")


@pytest.fixture(scope="module")
def site(root, tmp_path_factory):
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing and os.environ.get("CI_DOCS") != "1":
        pytest.skip(f"{', '.join(missing)} not installed: pip install '.[docs]'")
    home = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-d", str(home / "doctrees"), str(root / "docs"), str(home / "html")],
        capture_output=True, encoding="utf-8", timeout=900, check=False, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return home / "html"


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.anchors |= {named[key] for key in ("id", "name") if named.get(key)}
        target = {"a": "href", "img": "src"}.get(tag)
        if target and named.get(target):
            self.targets.append(named[target])


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_holds_every_page(root, site):
    for page in (root / "docs").rglob("*.md"):
        name = page.relative_to(root / "docs")
        assert name.as_posix() == "README.md" or (site / name.with_suffix(".html")).is_file(), name


@pytest.mark.slow
def test_every_link_of_the_site_leads_to_a_file_and_a_place_in_it(site):
    pages = {page: Links(page.read_text(encoding="utf-8")) for page in site.rglob("*.html") if "_modules" not in page.parts}
    lost = []
    for page, links in pages.items():
        for link in links.targets:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            known = pages.get(target)
            if not target.exists() or (known and parts.fragment and unquote(parts.fragment) not in known.anchors):
                lost.append(f"{page.relative_to(site)}: {link}")
    assert lost == []


@pytest.mark.slow
def test_the_pages_outside_the_folder_are_shown_whole(site):
    shown = (site / "project" / "readme.zh-CN.html").read_text(encoding="utf-8")
    assert "检索器和大模型之间" in shown
    assert 'href="../configuration.html"' in shown


@pytest.mark.slow
def test_the_site_asks_no_other_host_for_anything(site):
    for page in site.rglob("*.html"):
        assert not re.search(r"<(?:script|img|link)[^>]+(?:src|href)=\"https?://", page.read_text(encoding="utf-8")), page


def test_every_public_name_is_in_the_reference(root):
    for page in ("ragclean", "calibration", "badcases", "evaluation"):
        text = (root / "docs" / "reference" / f"{page}.md").read_text(encoding="utf-8")
        package = page if page == "ragclean" else f"ragclean.{page}"
        names = set(importlib.import_module(package).__all__) - {"__version__"}
        shown = set(re.findall(rf"^\.\. auto\w+:: {re.escape(package)}\.(\w+)$", text, re.MULTILINE))
        assert names - shown <= {"CaseFileError"}
        assert "CaseFileError" not in names or "CaseFileError" in text


def test_every_page_in_chinese_has_one_in_english_and_both_lead_to_each_other(root):
    for chinese in (root / "docs").rglob("*.zh-CN.md"):
        english = chinese.with_name(chinese.name.replace(".zh-CN", ""))
        assert english.is_file(), chinese
        if "project" not in chinese.parts:
            assert f"({chinese.name})" in english.read_text(encoding="utf-8"), english
            assert f"({english.name})" in chinese.read_text(encoding="utf-8"), chinese
    for folder in ("howto",):
        pages = {p.name for p in (root / "docs" / folder).glob("*.md")}
        assert {p for p in pages if ".zh-CN" not in p} == {p.replace(".zh-CN", "") for p in pages if ".zh-CN" in p}


def test_pictures_say_in_words_what_they_show_and_know_both_backgrounds(root):
    pictures = sorted((root / "docs" / "images").glob("*.svg"))
    assert pictures
    for picture in pictures:
        text = picture.read_text(encoding="utf-8")
        assert "<title" in text
        assert "<desc" in text
        assert "prefers-color-scheme:dark" in text
        assert not re.search(r"<script|href=|url\(", text)
