"""Markdown and terminal: the same figures, and hostile texts as texts."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from report_samples import (
    HOSTILE,
    a_comparison,
    a_gate,
    a_health,
    a_sweep,
    hostile_extras,
    hostile_report,
    large_report,
    real_report,
)
from rich.console import Console
from test_page_parts import Seen

from ragclean.report.evaluation_figures import figures_of
from ragclean.report.evaluation_text import MAX_FAILING, MAX_ROWS, escaped, evaluation_markdown, evaluation_table
from ragclean.report.page import legible
from ragclean.report.phrases import Phrases

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
LANGS = ("zh", "en")


def printed(table, width=4000):
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system="truecolor", legacy_windows=False)
    console.print(table)
    return console.file.getvalue()


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def extras(report):
    return {"gate": a_gate(report), "comparison": a_comparison(report, report), "sweep": a_sweep(), "health": a_health()}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", ["markdown", "terminal"])
def test_every_figure_is_there(lang, form):
    report = large_report(60)
    figures, p = figures_of(report, **extras(report)), Phrases(lang)
    if form == "markdown":
        text = Seen(MARKDOWN.render(evaluation_markdown(report, lang=lang, **extras(report)))).text
    else:
        text = plain(printed(evaluation_table(report, lang=lang, **extras(report))))
    assert p.headline(figures.headline) in text
    for found in figures.degradations:
        assert p.bucket(found.by, found.bucket) in text
        assert p.decline(found.correctness) in text
        assert p.decline(found.faithfulness) in text
        assert p.action(found) in text
    for a in figures.averages:
        assert p.share(a.correctness) in text
    for bucket in figures.gate.buckets:
        assert all(reason in text for reason in p.gate_reasons(bucket))
    for point in figures.sweep.points:
        assert p.settings(point.settings) in text
    for check in report.checks:
        assert p.check(check) in text
        assert p.detail(check) in text
    for words in ("论坛：自己拆机维修", "w-2021", "TimeoutError: no answer within 30 s", p.shortage("1 of 3 chunks lie in 0.70..0.85")):
        assert words in text


@pytest.mark.parametrize("lang", LANGS)
def test_an_invalid_report_says_so_first_and_why(lang):
    report = large_report(20, checked=False)
    mark = {"zh": "无效", "en": "INVALID"}[lang]
    assert mark in evaluation_markdown(report, lang=lang).split("\n")[2]
    shown = plain(printed(evaluation_table(report, lang=lang)))
    assert shown.startswith(mark)
    assert "0.41" in shown.split("\n")[1]


def test_hostile_texts_are_nothing_but_text_in_markdown():
    source = evaluation_markdown(hostile_report(), lang="en", **hostile_extras())
    source.encode("utf-8")
    html = MARKDOWN.render(source)
    seen = Seen(html)
    assert set(seen.tags) <= {"h1", "h2", "p", "ul", "li", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert seen.tags.count("strong") == 1
    assert "http://" not in source
    assert "www." not in source
    widths = {row.count("<td>") for row in html.split("<tr>") if "<td>" in row}
    assert widths <= {1, 4, 5, 6, 8}
    assert legible(HOSTILE)[:60] in seen.text


@pytest.mark.parametrize(
    "text",
    ["a | b", "`code`", "**b** _i_ ~~s~~", "# h", "- item", "1. item", "1) x", "+ x", "=== x", "---", "<b>x</b>", "&lt;", "![a](b)", "[a](b)", "[a]: b",
     "a\n\n# b", "a\\|b", "\\", "$x$ @user", "http://evil.example", "https://evil.example", "www.evil.example", "    code", "> quote", "{{x}} {% y %}",
     "x\u202ey", "\x00", "\ud800"],
)  # fmt: skip
def test_a_text_is_read_back_as_it_was(text):
    for source in (escaped(text), f"| a |\n| --- |\n| {escaped(text)} |"):
        seen = Seen(MARKDOWN.render(source))
        assert set(seen.tags) <= {"p", "table", "thead", "tbody", "tr", "th", "td"}
        assert " ".join(legible(text).split()) in " ".join(seen.text.split())


def test_a_figure_is_not_escaped_for_its_digits():
    assert escaped("10.0 %") == "10.0 %"


def test_hostile_texts_reach_no_terminal():
    shown = printed(evaluation_table(hostile_report(), lang="en", **hostile_extras()))
    rest = plain(shown)
    assert "\x1b" not in rest
    assert not set("\u202e\u2066\u200b\x00\ud800") & set(rest)
    assert "[red]markup[/red]" in rest
    assert "\\x1b[31m" in rest


def test_a_megabyte_is_cut():
    report = hostile_report("[x]" * 333_334)
    assert len(evaluation_markdown(report, lang="en")) < 60_000
    assert len(printed(evaluation_table(report, lang="en"), 100)) < 400_000


def test_what_is_left_out_is_counted():
    report = large_report(120, hurt=1.0)
    many = replace(report, checks=report.checks * 50)
    source = evaluation_markdown(many, lang="en")
    total = len(figures_of(many).failing)
    assert f"The first {MAX_FAILING} of {total:,} entries" in source
    assert f"{150 - MAX_ROWS} more rows" in source


def test_a_failed_answer_is_said_to_have_failed():
    assert "TimeoutError: no answer within 30 s" in evaluation_markdown(real_report())
    assert "调用失败" in evaluation_markdown(real_report())
