"""A sweep by itself: one page with its curve, and a table."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from report_samples import HOSTILE, a_sweep
from rich.console import Console
from test_page_parts import Seen

from ragclean.evaluation.sweeping import Sweep
from ragclean.report.phrases import Phrases
from ragclean.report.sweep_page import sweep_html, sweep_table

LANGS = ("zh", "en")


def printed(table, width=2000):
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    console.print(table)
    return console.file.getvalue()


def named(point, lang):
    return f"top_k {point.settings['top_k']}{'；' if lang == 'zh' else '; '}admission_threshold {point.settings['admission_threshold']}"


@pytest.mark.parametrize("lang", LANGS)
def test_one_page_holds_the_curve_and_every_setting(lang):
    html = sweep_html(a_sweep(), lang)
    assert html.count("<html") == 1
    assert f'lang="{lang}' in html
    assert "<svg" in html
    seen = Seen(html)
    for point in a_sweep().points:
        assert named(point, lang) in seen.text
        assert f"{point.recall:.3f}" in seen.text
    assert Phrases(lang).sweep_reason(a_sweep()) in seen.text
    for outside in ("http://", "https://", "<script src", "<link"):
        assert outside not in html.replace("http://www.w3.org", "")


@pytest.mark.parametrize("lang", LANGS)
def test_the_table_holds_every_setting_and_the_reason(lang):
    told = printed(sweep_table(a_sweep(), lang))
    for point in a_sweep().points:
        assert named(point, lang) in told
    assert Phrases(lang).sweep_reason(a_sweep()) in told


@pytest.mark.parametrize("lang", LANGS)
def test_names_and_values_of_settings_are_texts(lang):
    hostile = tuple(replace(p, settings={HOSTILE: HOSTILE}) for p in a_sweep().points)
    found = Sweep(hostile, 0, HOSTILE)
    html = sweep_html(found, lang)
    for tag in ("<script>window", "<img", "<iframe", "<svg/onload", "onerror='"):
        assert tag not in html
    assert "\x1b" not in printed(sweep_table(found, lang))
    short = replace(found, points=tuple(replace(p, settings={"k": "[red]markup[/red]"}) for p in hostile))
    assert "[red]markup[/red]" in printed(sweep_table(short, lang))  # no markup of the terminal


@pytest.mark.parametrize("lang", LANGS)
def test_a_sweep_without_a_sweet_spot_or_figures_has_a_page(lang):
    bare = Sweep(tuple(replace(p, recall=None, correctness=None) for p in a_sweep().points), None, "no setting has a recall")
    said = {"zh": "未", "en": "no setting has a recall"}[lang]
    assert said in Seen(sweep_html(bare, lang)).text
    assert Phrases(lang)("best_none")[:6] in printed(sweep_table(bare, lang))
    assert "<html" in sweep_html(Sweep((), None, "nothing"), lang)
