"""The evaluation report as Markdown and as tables for terminals: the figures of the page, texts of others escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.comparing import Comparison, Difference
from ragclean.evaluation.degradation import FIGURES, NOISY, By
from ragclean.evaluation.gating import Gate
from ragclean.evaluation.health import ContentHealth
from ragclean.evaluation.sweeping import Sweep
from ragclean.report.evaluation_figures import EvaluationFigures, FailingCase, figures_of
from ragclean.report.page import Lang, legible, shorten
from ragclean.report.phrases import Phrases

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

#: Rows of a table, failing cases in Markdown and in a terminal, and cases named in a row: as much as is read in a pull
#: request's comment, and on a screen. Everything is in the JSON report.
MAX_ROWS, MAX_FAILING, MAX_ON_SCREEN, MAX_NAMES = 50, 20, 10, 5
#: Characters of a name, of a question, answer or message of others, and of a cell, whose own words are never so many.
NAME_WIDTH, TEXT_WIDTH, CELL_WIDTH = 60, 160, 2000
AVERAGED = ("correctness", "faithfulness", "adoption_relevant", "adoption_irrelevant", "refusal")
#: What starts emphasis, code, links, images, tables, HTML or mentions anywhere in a line.
_ACTIVE = re.compile(r"[\\`*_\[\]#<>&|~$@!{}]")
_LINK = re.compile(r"(?i)(?<=http)s?:|(?<=ftp):|(?<=www)\.")
#: What makes a list, a heading's underline or a rule at the beginning of a line.
_OPENING = re.compile(r"^(?:[-+=]|\d{1,9}(?=[.)](?:\s|$)))")
#: As references to characters, where a backslash does not help everywhere.
_REFERENCES = frozenset("<>&|~$@{}")

Section = tuple[str, Sequence[str], list[list[str]]]
"""Heading, columns and rows; cells are plain text."""


def escaped(text: str, width: int = CELL_WIDTH) -> str:
    """A text of others as one line of Markdown that is nothing but text."""
    line = " ".join(legible(shorten(text, width)).split())
    line = _LINK.sub(lambda m: "".join(f"&#{ord(c)};" if c in ":." else c for c in m[0]), _ACTIVE.sub(_inert, line))
    return _OPENING.sub(lambda m: f"&#{ord(m[0][0])};{m[0][1:]}", line)


def _inert(found: re.Match[str]) -> str:
    char = found[0]
    return f"&#{ord(char)};" if char in _REFERENCES else "\\" + char


# ------------------------------------------------------------ tables that both show


def tables(figures: EvaluationFigures, p: Phrases) -> list[Section]:
    """Every table of figures, in the order in which they are read; those without a row are left out."""
    found: list[Section] = []
    if figures.gate:
        found.append(_gate(figures.gate, p))
    found += [_matrix(figures, by, p) for by in ("all", "category", "difficulty", "position")]
    columns = [p.title(k) for k in ("variant", "cases", "failed", *AVERAGED)]
    found.append((p("averages"), columns, [
        [p.variant(a.variant), f"{a.cases:,}", f"{a.failed:,}", *(p.share(getattr(a, k)) for k in AVERAGED)]
        for a in figures.averages
    ]))  # fmt: skip
    if figures.comparison:
        found += _comparison(figures.comparison, p)
    if figures.sweep:
        found.append(sweep_rows(figures.sweep, p))
    if figures.health:
        found += _health(figures.health, p)
    found += [_failures(figures, p), _shortages(figures, p), _checks(figures, p)]
    return [s for s in found if s[2]]


def _gate(found: Gate, p: Phrases) -> Section:
    columns = [p.title(k) for k in ("bucket", "verdict", "limit", "reason")]
    rows = [
        [p.gate_bucket(b), p(f"gate_{b.verdict}"), p.percent(b.limit), p.semicolon.join(p.gate_reasons(b))]
        for v in ("blocked", "inconclusive", "pass") for b in found.buckets if b.verdict == v
    ]  # fmt: skip
    return f"{p('gate')} ({p.variant(found.variant)}){p.colon}{p(f'gate_{found.verdict}')}", columns, rows


def _matrix(figures: EvaluationFigures, by: By, p: Phrases) -> Section:
    """A row for each bucket and variant: a screen has no room for six columns of figures with their intervals."""
    columns = [p.title(k) for k in ("bucket", "variant", *FIGURES, "grade")]
    rows: list[list[str]] = []
    for bucket in figures.buckets(by):
        for variant in figures.variants:
            found = figures.degradation(by, bucket, variant)
            if found is not None:
                lost = [p.decline(getattr(found, f)) for f in FIGURES]
                name = shorten(p.bucket(by, bucket), NAME_WIDTH)
                rows.append([name, p.variant(variant), *lost, p.grade(found.grade) + p.colon + p.action(found)])
    return p("degradation") if by == "all" else p("degradation") + p.colon + p(f"by_{by}"), columns, rows


def _comparison(found: Comparison, p: Phrases) -> list[Section]:
    columns = [p.title(k) for k in ("variant", "figure", "first", "second", "difference", "p_value", "cases", "left")]
    name = p("comparison") + p.colon
    sides = " → ".join(shorten(h.pipeline, NAME_WIDTH) for h in (found.first, found.second))
    told = [
        [p(f"worse_{found.worse(v)}", variant=p.variant(v))]
        for v in NOISY if any(d.variant == v for d in found.degradations)
    ]  # fmt: skip
    return [
        (name + sides, [p.title("verdict")], told),
        (name + p("comparison_lost"), columns, [_difference(d, p, True) for d in found.degradations]),
        (name + p("comparison_means"), columns, [_difference(d, p, False) for d in found.means]),
    ]


def _difference(d: Difference, p: Phrases, degradation: bool) -> list[str]:
    value, span = (p.percent, p.interval) if degradation else (p.share, p.span)
    interval = span(d.low, d.high)
    return [p.variant(d.variant), p.figure(d.figure), value(d.first), value(d.second),
            value(d.value) + (f" ({interval})" if interval else ""), p.probability(d.p), f"{d.cases:,}",
            f"{d.left_out:,}"]  # fmt: skip


def sweep_rows(found: Sweep, p: Phrases) -> Section:
    """The settings with what they bring and cost."""
    columns = [p.title(k) for k in ("settings", "recall", "v3_lost", "correctness", "passages")]
    rows = [
        [f"{i + 1}. {p.settings(q.settings)}" + (f" ({p('best')})" if i == found.best else ""), p.share(q.recall),
         p.decline(q.degradation.worst), p.share(q.correctness), f"{q.passages:.1f}"]
        for i, q in enumerate(found.points)
    ]  # fmt: skip
    lead = p("best_none") if found.best is None else p("best_is", n=found.best + 1)
    return f"{p('sweep')}{p.colon}{lead} {shorten(p.sweep_reason(found), TEXT_WIDTH)}".strip(), columns, rows


def _health(found: ContentHealth, p: Phrases) -> list[Section]:
    stale = [
        [shorten(s.lineage_id, NAME_WIDTH), shorten(p.known(f"stale_{s.reason}", s.reason), TEXT_WIDTH),
         shorten(s.newest, NAME_WIDTH), _names(s.stale, p), _names(s.cases, p)]
        for s in found.stale
    ]  # fmt: skip
    losing = [
        [shorten(page.title or page.chunk_id, NAME_WIDTH), shorten(page.source, NAME_WIDTH),
         f"{page.lost:,} / {page.conflicts:,}", _names(page.cases, p)]
        for page in found.losing
    ]  # fmt: skip
    return [
        (p("stale"), [p.title(k) for k in ("lineage", "reason", "newest", "stale_ids", "in_cases")], stale),
        (p("losing"), [p.title(k) for k in ("page_id", "source", "lost_of", "in_cases")], losing),
    ]


def _failures(figures: EvaluationFigures, p: Phrases) -> Section:
    columns = [p.title(k) for k in ("variant", "blame", "reason", "failed_answers", "in_cases")]
    rows = [
        [p.variant(f.variant), p(f"blame_{f.blame}"), shorten(f.reason, TEXT_WIDTH), f"{f.answers:,}",
         _names(f.cases, p)]
        for f in figures.failures
    ]  # fmt: skip
    return p("failures"), columns, rows


def _shortages(figures: EvaluationFigures, p: Phrases) -> Section:
    columns = [p.title(k) for k in ("variant", "reason", "nearest", "in_cases")]
    rows = [
        [p.variant(s.variant), shorten(p.shortage(s.reason), TEXT_WIDTH),
         p("to", low=f"{s.nearest[0]:.2f}", high=f"{s.nearest[-1]:.2f}") if s.nearest else "–", _names(s.cases, p)]
        for s in figures.shortages
    ]  # fmt: skip
    return p("shortages"), columns, rows


def _checks(figures: EvaluationFigures, p: Phrases) -> Section:
    columns = [p.title(k) for k in ("check", "result", "measured", "wanted", "cases", "detail")]
    rows = [
        [shorten(p.check(c), NAME_WIDTH), p.check_result(c), "–" if c.measured is None else p.share(c.measured),
         shorten(p.wanted(c), TEXT_WIDTH) or "–", f"{c.cases:,}", shorten(p.detail(c), TEXT_WIDTH) or "–"]
        for c in figures.report.checks
    ]  # fmt: skip
    return p("checks"), columns, rows


def _names(found: Sequence[str], p: Phrases) -> str:
    named = ", ".join(shorten(n, NAME_WIDTH) for n in found[:MAX_NAMES])
    more = f" {p('names_more', count=len(found) - MAX_NAMES)}" if len(found) > MAX_NAMES else ""
    return f"{len(found):,}: {named}{more}" if found else "0"


def counts(figures: EvaluationFigures, p: Phrases) -> list[tuple[str, str]]:
    """How much was run, and how much of it went wrong."""
    return [(p("answers"), f"{len(figures.report.outcomes):,}"), (p("failing_cases"), f"{figures.failing_cases:,}"),
            (p("wrong_without"), _names(figures.wrong_without, p)),
            (p("failed_answers"), f"{figures.failed_answers:,}")]  # fmt: skip


def _failing_columns(p: Phrases) -> list[str]:
    return [p.title(k) for k in ("case", "variant", "filter_fault", "correctness", "question", "answer")]


def _failing_row(failing: FailingCase, p: Phrases) -> list[str]:
    scores = f"{p.share(failing.base_correctness)} → {p.share(failing.noisy_correctness)}"
    answer = failing.noisy.answer.strip() or failing.noisy.failed or p("empty_answer")
    faults = ", ".join(p(f"fault_{f}") for f in failing.faults)
    return [shorten(failing.case.id, NAME_WIDTH), p.variant(failing.variant), faults, scores,
            shorten(failing.case.question, TEXT_WIDTH), shorten(answer, TEXT_WIDTH)]  # fmt: skip


# ------------------------------------------------------------ Markdown


def evaluation_markdown(
    report: EvalReport, *, lang: Lang = "zh", sweep: Sweep | None = None, health: ContentHealth | None = None,
    gate: Gate | None = None, comparison: Comparison | None = None,
) -> str:  # fmt: skip
    """The report as Markdown with GitHub's tables.

    Raises:
        ValueError: as :func:`~ragclean.report.evaluation_page.evaluation_html`.
    """
    return figures_markdown(figures_of(report, gate=gate, comparison=comparison, sweep=sweep, health=health), lang=lang)


def figures_markdown(figures: EvaluationFigures, *, lang: Lang = "zh") -> str:
    """The same from figures that are worked out already.

    Raises:
        ValueError: the language is not known.
    """
    p = Phrases(lang)
    lines = [f"# {p('title')}", "", f"**{escaped(p.status(figures))}**", "", escaped(p.headline(figures.headline)), ""]
    lines += [f"- {escaped(c, TEXT_WIDTH)}" for c in figures.report.check_failures[:MAX_ROWS]]
    lines += [f"- {p('warnings')}{p.colon}{escaped(w, TEXT_WIDTH * 2)}" for w in figures.report.warnings[:MAX_ROWS]]
    lines += ["", *(f"- {name}{p.colon}{escaped(value, TEXT_WIDTH * 2)}" for name, value in p.head(figures)), ""]
    lines += [p.semicolon.join(name + p.colon + value for name, value in counts(figures, p)), ""]
    for heading, columns, rows in tables(figures, p):
        lines += [f"## {escaped(heading)}", "", *_markdown_table(columns, rows[:MAX_ROWS]), ""]
        if len(rows) > MAX_ROWS:
            lines += [p("rows_more", count=f"{len(rows) - MAX_ROWS:,}"), ""]
    lines += [f"## {p('failing_cases')}", ""]
    if figures.failing:
        rows = [_failing_row(f, p) for f in figures.failing[:MAX_FAILING]]
        lines += [*_markdown_table(_failing_columns(p), rows), ""]
    else:
        lines += [p("failing_none"), ""]
    if len(figures.failing) > MAX_FAILING:
        lines += [p("failing_shown", shown=MAX_FAILING, total=f"{len(figures.failing):,}"), ""]
    return "\n".join(lines)


def _markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    head = ["| " + " | ".join(escaped(c) for c in columns) + " |", "|" + " --- |" * len(columns)]
    return head + ["| " + " | ".join(escaped(v) for v in row) + " |" for row in rows]


# ------------------------------------------------------------ terminal


def evaluation_table(
    report: EvalReport, *, lang: Lang = "zh", sweep: Sweep | None = None, health: ContentHealth | None = None,
    gate: Gate | None = None, comparison: Comparison | None = None,
) -> RenderableType:  # fmt: skip
    """The report for a terminal, to be printed by a rich console. No text of others is read as markup or control.

    Raises:
        ValueError: as :func:`~ragclean.report.evaluation_page.evaluation_html`.
    """
    return figures_table(figures_of(report, gate=gate, comparison=comparison, sweep=sweep, health=health), lang=lang)


def figures_table(figures: EvaluationFigures, *, lang: Lang = "zh") -> RenderableType:
    """The same from figures that are worked out already.

    Raises:
        ValueError: the language is not known.
    """
    from rich.console import Group

    p = Phrases(lang)
    style = {"valid": "green", "failed": "bold red", "unchecked": "yellow"}[figures.status]
    parts: list[RenderableType] = [_text(p.status(figures), style)]
    parts += [_text(shorten(c, TEXT_WIDTH), style) for c in figures.report.check_failures[:MAX_ROWS]]
    noted = figures.report.warnings[:MAX_ROWS]
    parts += [_text(p("warnings") + p.colon + shorten(w, TEXT_WIDTH * 2), "yellow") for w in noted]
    parts += [_text(name + p.colon + shorten(value, TEXT_WIDTH * 2)) for name, value in p.head(figures)]
    parts.append(_text(p.semicolon.join(name + p.colon + value for name, value in counts(figures, p))))
    parts.append(_text(p.headline(figures.headline), "bold"))
    for heading, columns, rows in tables(figures, p):
        parts.append(section_table(heading, columns, rows[:MAX_ROWS]))
        if len(rows) > MAX_ROWS:
            parts.append(_text(p("rows_more", count=f"{len(rows) - MAX_ROWS:,}")))
    if figures.failing:
        rows = [_failing_row(f, p) for f in figures.failing[:MAX_ON_SCREEN]]
        parts.append(section_table(p("failing_cases"), _failing_columns(p), rows))
    if len(figures.failing) > MAX_ON_SCREEN:
        parts.append(_text(p("failing_shown", shown=MAX_ON_SCREEN, total=f"{len(figures.failing):,}")))
    return Group(*parts)


def section_table(heading: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """One table for a terminal."""
    from rich.table import Table

    made = Table(title=_text(heading, "bold"), title_justify="left", show_lines=False)
    for column in columns:
        made.add_column(_text(column), overflow="fold")
    for row in rows:
        made.add_row(*(_text(value) for value in row))
    return made


def _text(words: str, style: str = "") -> Text:
    """Words as they are: nothing in them is markup, and nothing moves the cursor or turns the line."""
    from rich.text import Text

    return Text(" ".join(legible(shorten(words, CELL_WIDTH)).split()), style=style)
