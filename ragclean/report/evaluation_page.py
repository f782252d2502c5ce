"""The report of an evaluation as one HTML page: self-contained, readable on a phone, without network or scripts."""

from __future__ import annotations

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.comparing import Comparison
from ragclean.evaluation.gating import Gate
from ragclean.evaluation.health import ContentHealth
from ragclean.evaluation.sweeping import Sweep
from ragclean.report import evaluation_sections as parts
from ragclean.report.evaluation_cases import failing_section
from ragclean.report.evaluation_figures import EvaluationFigures, figures_of
from ragclean.report.page import Element, Lang, Node, Page, el, shorten
from ragclean.report.parts import Tone, badge, foreign
from ragclean.report.phrases import Phrases

#: Characters of the pipeline's name in the page's title.
_TITLE_WIDTH = 60


def evaluation_html(
    report: EvalReport, *, lang: Lang = "zh", sweep: Sweep | None = None, health: ContentHealth | None = None,
    gate: Gate | None = None, comparison: Comparison | None = None,
) -> str:  # fmt: skip
    """The report as one HTML document.

    Args:
        lang: of the page's own words; texts of cases stay as they are.
        sweep, health, gate, comparison: shown where they are given.

    Raises:
        ValueError: the language is not known, an outcome's case is not among the report's cases, or a score is no
            share from 0 to 1.
    """
    return figures_html(figures_of(report, gate=gate, comparison=comparison, sweep=sweep, health=health), lang=lang)


def figures_html(figures: EvaluationFigures, *, lang: Lang = "zh") -> str:
    """The same from figures that are worked out already.

    Raises:
        ValueError: the language is not known.
    """
    return figures_page(figures, lang=lang).render()


def figures_page(figures: EvaluationFigures, *, lang: Lang = "zh") -> Page:
    """The page before it is written; :func:`~ragclean.report.page.framed` puts it into a notebook.

    Raises:
        ValueError: the language is not known.
    """
    p = Phrases(lang)
    sections = [s for s in _sections(figures, p) if s is not None]
    places = [(dict(s.attributes)["id"], _heading(s)) for s in sections]
    mark = "" if figures.status == "valid" else f"[{p(f'status_{figures.status}')}] "
    return Page(
        title=f"{mark}{p('title')} · {shorten(figures.report.pipeline, _TITLE_WIDTH)}",
        lang=lang,
        head=(el("h1", p("title")), parts.banner(figures, p), parts.warnings(figures, p), _summary(figures, p)),
        body=tuple(sections),
        skip=p("skip"),
        navigation=tuple(places),
        navigation_label=p("sections"),
        script=bool(figures.failing),
    )


def _sections(figures: EvaluationFigures, p: Phrases) -> list[Element | None]:
    """In the order in which they are read: the verdict, what it rests on, what went wrong, and where."""
    return [
        parts.gate_section(figures.gate, p) if figures.gate else None,
        parts.matrix(figures, p),
        parts.positions(figures, p),
        parts.averages(figures, p),
        parts.comparison_section(figures.comparison, p) if figures.comparison else None,
        parts.sweep_section(figures.sweep, p) if figures.sweep else None,
        parts.health_section(figures.health, p) if figures.health else None,
        failing_section(figures, p),
        parts.failures(figures, p),
        parts.shortages(figures, p),
        parts.checks(figures, p),
        parts.setup(figures, p),
        parts.method(p),
    ]


def _heading(section: Element) -> str:
    """The words of a section's heading."""
    heading = section.children[0]
    words = heading.children[0] if isinstance(heading, Element) else ""
    return words if isinstance(words, str) else ""


def _summary(figures: EvaluationFigures, p: Phrases) -> Node:
    """The run in a sentence and a few numbers."""
    r = figures.report
    tiles: list[tuple[str, str, Tone]] = [
        (p("cases"), f"{len(r.cases):,}", "plain"),
        (p("answers"), f"{len(r.outcomes):,}", "plain"),
        (p("failing_cases"), f"{figures.failing_cases:,}", "plain"),
        (p("failed_answers"), f"{figures.failed_answers:,}", "bad" if figures.failed_answers else "plain"),
    ]
    gate = figures.gate
    tones: dict[str, Tone] = {"pass": "good", "blocked": "bad", "inconclusive": "warn"}
    verdict = badge(p("gate") + p.colon + p(f"gate_{gate.verdict}"), tones[gate.verdict]) if gate else None
    date = f" · {shorten(r.date, _TITLE_WIDTH)}" if r.date else None
    about = el("p", foreign(shorten(r.pipeline, parts.MAX_MESSAGE)), date, class_="below")
    return [
        about,
        el("p", verdict, " " if verdict else None, p.headline(figures.headline), class_="headline"),
        el("dl", [el("div", el("dt", name), el("dd", value), class_=f"tile {tone}") for name, value, tone in tiles],
           class_="tiles"),
    ]  # fmt: skip
