"""A sweep by itself: a table for a terminal, a page with the curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragclean.report.evaluation_sections import sweep_section
from ragclean.report.evaluation_text import section_table, sweep_rows
from ragclean.report.page import Lang, Page, el
from ragclean.report.phrases import Phrases

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ragclean.evaluation.sweeping import Sweep


def sweep_table(found: Sweep, lang: Lang) -> RenderableType:
    """The settings with what they bring and cost, the sweet spot and its reason above them."""
    return section_table(*sweep_rows(found, Phrases(lang)))


def sweep_html(found: Sweep, lang: Lang) -> str:
    """One self-contained page: the curve, the sweet spot with its reason, and all settings."""
    p = Phrases(lang)
    return Page(p("sweep"), lang, (sweep_section(found, p),), p("skip"), head=(el("h1", p("sweep")),)).render()
