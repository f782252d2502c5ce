"""The renderer: text of others is text, whatever it holds; nothing that acts can be built."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from report_samples import HOSTILE

from ragclean.report.page import Page, anchor, el, escape, framed, legible, markup
from ragclean.report.parts import Mark, badge, fold, name_list, passage, table


class Seen(HTMLParser):
    """Elements, attributes and text as a parser sees them."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.words, self.comments = [], [], [], []
        self._raw = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *a) for a in attrs]
        self._raw = tag if tag in ("style", "script") else ""

    def handle_endtag(self, tag):
        self._raw = ""

    def handle_comment(self, data):
        self.comments.append(data)

    def handle_data(self, data):
        if not self._raw:
            self.words.append(data)

    @property
    def text(self):
        return "".join(self.words)


def page(*body, **more):
    return Page("title", "zh", body, skip="skip", **more).render()


def test_a_hostile_text_is_read_back_as_the_same_text_and_nothing_else():
    seen = Seen(markup(el("p", HOSTILE)))
    assert seen.tags == ["p"]
    assert seen.text == legible(HOSTILE)
    assert not seen.comments


def test_a_hostile_text_in_an_attribute_stays_in_it():
    seen = Seen(markup(el("td", "x", data_label=HOSTILE)))
    assert seen.attributes == [("td", "data-label", legible(HOSTILE))]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\u202eb", "a\\u202eb"), ("a\u2066b\u2069", "a\\u2066b\\u2069"), ("a\x00b", "a\\x00b"), ("a\ud800b", "a\\ud800b"),
     ("a\x1b[31m", "a\\x1b[31m"), ("a\u200bb\ufeff", "a\\u200bb\\ufeff"), ("a\rb", "a\\x0db"), ("a\U000e0041", "a\\U000e0041"),
     ("a\r\nb\tc", "a\nb\tc"), ("保修期：24 个月“含”——是…", "保修期：24 个月“含”——是…"), ("é e\u0301 שלום", "é e\u0301 שלום")],
)  # fmt: skip
def test_what_controls_is_written_out_and_what_is_writing_stays(text, shown):
    assert legible(text) == shown
    escape(text).encode("utf-8")


def test_a_pile_of_combining_marks_is_written_out():
    shown = legible("a" + "\u0301" * 50)
    assert shown.startswith("a" + "\u0301" * 4 + "\\u0301")
    assert shown.count("\u0301") == 4


@pytest.mark.parametrize("tag", ["script", "style", "iframe", "object", "img", "form", "base", "meta", "link", "p onclick=x", "P", ""])
def test_elements_that_load_or_run_cannot_be_made(tag):
    with pytest.raises(ValueError, match="element"):
        el(tag)


@pytest.mark.parametrize("name", ["onclick", "style", "src", "srcdoc", "action", "formaction", "onload ", "xlink:href", "a b", "data-x onclick"])
def test_attributes_that_load_or_run_cannot_be_made(name):
    with pytest.raises(ValueError, match="attribute"):
        el("a", **{name: "x"})


@pytest.mark.parametrize("address", ["javascript:alert(1)", "http://evil.example/", "//evil.example", "#", "#Über", "#a b", "# a", "data:text/html,x", "a"])
def test_links_lead_nowhere_but_into_the_page(address):
    with pytest.raises(ValueError, match="anchor"):
        el("a", "x", href=address)


def test_anchors_are_never_made_of_foreign_text():
    with pytest.raises(ValueError, match="anchor"):
        anchor(HOSTILE)
    with pytest.raises(ValueError, match="anchor"):
        el("div", id="X' onload=")
    assert anchor("case", 7) == "case-7"


def test_the_policy_allows_the_pages_own_style_and_script_by_hash_and_nothing_else():
    html = page(el("p", "x"), script=True)
    policy = next(v for t, k, v in Seen(html).attributes if t == "meta" and k == "content" and "default-src" in v)
    parts = dict(p.strip().split(" ", 1) for p in policy.split(";"))
    assert parts["default-src"] == parts["base-uri"] == parts["form-action"] == "'none'"
    for name in ("style", "script"):
        content = re.search(f"<{name}>(.*?)</{name}>", html, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert parts[f"{name}-src"] == f"'sha256-{digest}'"
    assert "unsafe" not in policy


def test_a_page_without_a_script_allows_none():
    html = page(el("p", "x"))
    assert "script-src 'none'" in html
    assert "<script" not in html


def test_the_page_says_its_language_its_width_and_leads_past_the_navigation():
    html = page(el("section", el("h2", "A"), id="a"), navigation=(("a", "A"),), navigation_label="here")
    seen = Seen(html)
    assert ("html", "lang", "zh-CN") in seen.attributes
    assert Page("t", "en", (), skip="s").render().count('lang="en"') == 1
    assert any(t == "meta" and v == "width=device-width, initial-scale=1" for t, _, v in seen.attributes)
    ids = [v for _, k, v in seen.attributes if k == "id"]
    links = [v[1:] for t, k, v in seen.attributes if (t, k) == ("a", "href")]
    assert links == ["content", "a"]
    assert set(links) <= set(ids)
    assert len(ids) == len(set(ids))


def test_a_framed_page_can_neither_run_nor_leave_its_frame():
    frame = framed(Page('"><script>x</script>', "zh", (el("p", HOSTILE),), skip="skip", script=True))
    seen = Seen(frame)
    assert seen.tags == ["iframe"]
    attributes = {k: v for _, k, v in seen.attributes}
    assert attributes["sandbox"] == ""
    assert legible(HOSTILE) in Seen(attributes["srcdoc"]).text
    assert "script" not in Seen(attributes["srcdoc"]).tags


def test_a_table_names_its_rows_and_columns_for_those_who_hear_it():
    seen = Seen(markup(table("Cap", ["A", "B"], [["one", "two"]])))
    assert [t for t in seen.tags if t in ("th", "td", "caption")] == ["caption", "th", "th", "th", "td"]
    assert [v for t, k, v in seen.attributes if k == "scope"] == ["col", "col", "row"]
    assert ("td", "data-label", "B") in seen.attributes


def test_a_long_text_is_cut_and_says_by_how_much():
    made = markup(passage("x" * 1_000_000, 100, "{count} more"))
    assert "999,900 more" in made
    assert len(made) < 500


def test_marks_overlap_without_losing_or_doubling_text():
    text = "保修期为24个月，自发票开具之日起。"
    made = markup(passage(text, 100, "", [Mark(4, 9), Mark(6, 12, "against"), Mark(0, 2), Mark(15, 400), Mark(9, 3)]))
    seen = Seen(made)
    assert seen.text == text
    assert seen.tags.count("mark") == 4


def test_a_fold_opens_without_a_script_and_a_badge_has_words():
    assert "<details" in markup(fold("sum", "inside"))
    assert Seen(markup(badge("拦截", "bad"))).text == "拦截"


def test_many_names_are_cut_and_counted():
    assert Seen(markup(name_list([f"n{i}" for i in range(30)], 3, "and {count} more"))).text == "n0, n1, n2 and 27 more"


def test_escaping_a_long_hostile_text_comes_to_an_end(no_blow_up, endless):
    with no_blow_up():
        for piece in (HOSTILE, "\u0301", "<", "&amp;", "\t\n", "\u202e"):
            escape(endless(piece))


def test_importing_the_library_imports_no_report():
    code = "import ragclean, sys; assert not [m for m in sys.modules if m.startswith('ragclean.report')]"
    subprocess.run([sys.executable, "-c", code], check=True)
