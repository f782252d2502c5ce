"""The parts of the evaluation page that hold figures: each from the figures, each with its words beside its colours."""

from __future__ import annotations

from collections.abc import Sequence

from ragclean.evaluation.comparing import Comparison, Difference
from ragclean.evaluation.degradation import FIGURES, NOISY, ROBUST, WATCH, By, Decline
from ragclean.evaluation.gating import Gate, Verdict
from ragclean.evaluation.health import ContentHealth
from ragclean.evaluation.records import Check
from ragclean.evaluation.sweeping import Sweep
from ragclean.report.evaluation_figures import EvaluationFigures
from ragclean.report.page import Element, Node, el, shorten
from ragclean.report.parts import Cell, Tone, badge, fold, foreign, name_list, notice, pairs, passage, section, table
from ragclean.report.phrases import Phrases
from ragclean.report.sweep_curve import MAX_DRAWN, sweep_curve

#: Rows of a table: what a reader can take in; all of them are in the JSON report.
MAX_ROWS = 100
#: Characters of a message of others (an error, a detail), of a name, and names in a row.
MAX_MESSAGE, NAME_WIDTH, MAX_NAMES = 400, 80, 8
#: Upper ends of the steps of colour. They fall on the limits of the grades, so that a colour belongs to one grade.
_STEPS = (0.0, ROBUST, 0.10, WATCH, 0.20, 0.35)
AVERAGED = (
    "correctness", "correctness_lenient", "faithfulness", "faithfulness_lenient", "adoption_relevant",
    "adoption_irrelevant", "refusal",
)  # fmt: skip
_VERDICT_TONES: dict[Verdict, Tone] = {"pass": "good", "blocked": "bad", "inconclusive": "warn"}
_CHECK_TONES: dict[bool | None, Tone] = {True: "good", False: "bad", None: "warn"}


def bounded(rows: Sequence[Sequence[Node | Cell]], p: Phrases, caption: str, columns: Sequence[str]) -> list[Node]:
    """A table of the first rows, and how many there are beside them."""
    made: list[Node] = [table(caption, columns, rows[:MAX_ROWS])]
    if len(rows) > MAX_ROWS:
        made.append(el("p", p("rows_more", count=f"{len(rows) - MAX_ROWS:,}"), class_="more"))
    return made


def names(found: Sequence[str], p: Phrases) -> Node:
    """The first few names in a line."""
    return name_list(found, MAX_NAMES, p("names_more", count="{count}"), NAME_WIDTH)


def message(text: str, p: Phrases) -> Element:
    """An error or a detail, cut."""
    return passage(text, MAX_MESSAGE, p("text_more", count="{count}"))


# ------------------------------------------------------------ what was run


def setup(figures: EvaluationFigures, p: Phrases) -> Element:
    """What was run."""
    rows = [(name, foreign(shorten(value, MAX_MESSAGE))) for name, value in p.head(figures)]
    return section("setup", p("setup"), pairs(rows))


def checks(figures: EvaluationFigures, p: Phrases) -> Element:
    """What the evaluator asked of itself."""
    found = figures.report.checks
    if not found:
        return section("checks", p("checks"), el("p", p("no_checks")))
    columns = [p.title(k) for k in ("check", "result", "measured", "wanted", "cases", "detail")]
    rows = [_check_row(c, p) for c in found]
    return section("checks", p("checks"), bounded(rows, p, p("checks_caption"), columns))


def _check_row(check: Check, p: Phrases) -> list[Node | Cell]:
    name = foreign(shorten(p.check(check), NAME_WIDTH))
    result = badge(p.check_result(check), _CHECK_TONES[check.passed])
    measured = p.share(check.measured) if check.measured is not None else "–"
    wanted = foreign(shorten(p.wanted(check), MAX_MESSAGE)) if check.wanted else "–"
    detail = p.detail(check)
    return [name, result, Cell(measured, "num"), wanted, Cell(f"{check.cases:,}", "num"),
            message(detail, p) if detail else "–"]  # fmt: skip


def averages(figures: EvaluationFigures, p: Phrases) -> Element:
    """Every figure by variant."""
    columns = [p.title(k) for k in ("variant", "cases", "failed", *AVERAGED)]
    rows: list[list[Node | Cell]] = [
        [p.variant(a.variant), Cell(f"{a.cases:,}", "num"), Cell(f"{a.failed:,}", "num"),
         *(_share(getattr(a, k), p) for k in AVERAGED)]
        for a in figures.averages
    ]  # fmt: skip
    return section("averages", p("averages"), bounded(rows, p, p("averages_caption"), columns))


def _share(value: float | None, p: Phrases) -> Cell:
    return Cell(p.share(value), "num" if value is not None else "num undefined")


# ------------------------------------------------------------ degradation


def matrix(figures: EvaluationFigures, p: Phrases) -> Element:
    """Heat maps: overall and by category and difficulty; each cell has its grade and interval in words."""
    made: list[Node] = [el("p", p("scale"), class_="hint")]
    if not figures.variants:
        return section("degradation", p("degradation"), el("p", p("no_headline")))
    for by in ("all", "category", "difficulty"):
        made += heat_map(figures, by, p)
    return section("degradation", p("degradation"), made)


def positions(figures: EvaluationFigures, p: Phrases) -> Element | None:
    """The heat map by where the noise stands; None where nothing was injected among trusted chunks."""
    made = heat_map(figures, "position", p)
    return section("positions", p("by_position"), made) if made else None


def heat_map(figures: EvaluationFigures, by: By, p: Phrases) -> list[Node]:
    """One division of the cases as a table; empty where they have none."""
    buckets = figures.buckets(by)
    if not buckets:
        return []
    captions = {"all": "degradation_caption", "position": "position_caption"}
    caption = p(captions.get(by, f"by_{by}"))
    columns = [p("bucket"), *map(p.variant, figures.variants)]
    rows: list[list[Node | Cell]] = []
    for bucket in buckets[:MAX_ROWS]:
        row: list[Node | Cell] = [foreign(shorten(p.bucket(by, bucket), NAME_WIDTH))]
        for variant in figures.variants:
            found = figures.degradation(by, bucket, variant)
            both = [getattr(found, f) for f in FIGURES] if found else []
            row.append(Cell([_heat(d, p) for d in both] or p("not_shown"), "heats"))
        rows.append(row)
    more = len(buckets) - len(rows)
    made: list[Node] = [table(caption, columns, rows, "heat-map")]
    return [*made, el("p", p("rows_more", count=f"{more:,}"), class_="more")] if more > 0 else made


def _heat(found: Decline, p: Phrases) -> Element:
    """A figure of a cell: what it lost, graded, with interval and cases, in words first."""
    low_high = p.interval(found.low, found.high)
    left = p.left_out(found)
    below = " · ".join(t for t in (low_high, p("cases_n", n=f"{found.cases:,}"), left) if t)
    return el(
        "div",
        el("span", p.title(found.figure), class_="figure-name"),
        el("strong", p.percent(found.value)), el("span", p.grade(found.grade), class_="grade"),
        el("span", below, class_="below"),
        class_=f"heat {_colour(found)}",
    )  # fmt: skip


def _colour(found: Decline) -> str:
    if found.grade == "inconclusive" or found.value is None:
        return "heat-none"
    value = round(found.value, 9)
    return f"heat-{sum(value > step for step in _STEPS)}"


# ------------------------------------------------------------ verdicts


def gate_section(gate: Gate, p: Phrases) -> Element:
    """The verdict on a release, what blocks first."""
    verdict = el(
        "p", badge(p(f"gate_{gate.verdict}"), _VERDICT_TONES[gate.verdict]), " ", p("gate_exit", code=gate.exit_code),
        class_="verdict",
    )  # fmt: skip
    columns = [p.title(k) for k in ("bucket", "verdict", "limit", "reason")]
    order: tuple[Verdict, ...] = ("blocked", "inconclusive", "pass")
    rows: list[list[Node | Cell]] = [
        [foreign(shorten(p.gate_bucket(b), NAME_WIDTH)), badge(p(f"gate_{b.verdict}"), _VERDICT_TONES[b.verdict]),
         Cell(p.percent(b.limit), "num"), [el("p", r) for r in p.gate_reasons(b)]]
        for v in order for b in gate.buckets if b.verdict == v
    ]  # fmt: skip
    caption = p("gate_caption", variant=p.variant(gate.variant))
    return section("gate", p("gate"), verdict, bounded(rows, p, caption, columns))


def comparison_section(found: Comparison, p: Phrases) -> Element:
    """Two pipelines: which loses more, and by how much."""
    heads = pairs(
        (p(side), foreign(shorten(f"{h.pipeline} · {h.date}" if h.date else h.pipeline, MAX_MESSAGE)))
        for side, h in (("first", found.first), ("second", found.second))
    )
    shown = [v for v in NOISY if any(d.variant == v for d in found.degradations)]
    told = [el("li", p(f"worse_{found.worse(v)}", variant=p.variant(v))) for v in shown]
    columns = [p.title(k) for k in ("variant", "figure", "first", "second", "difference", "p_value", "cases", "left")]
    made: list[Node] = [heads, el("ul", told) if told else None]
    if found.degradations:
        rows = [_difference(d, p, True) for d in found.degradations]
        made += [el("h3", p("comparison_lost")), el("p", p("comparison_lost_note"), class_="hint")]
        made += bounded(rows, p, p("comparison_caption"), columns)
    means = [_difference(d, p, False) for d in found.means]
    made += [el("h3", p("comparison_means")), *bounded(means, p, p("comparison_caption"), columns)]
    return section("comparison", p("comparison"), made)


def _difference(d: Difference, p: Phrases, degradation: bool) -> list[Node | Cell]:
    value, span = (p.percent, p.interval) if degradation else (p.share, p.span)
    interval = span(d.low, d.high)
    difference = value(d.value) + (f" ({interval})" if interval else "")
    return [p.variant(d.variant), p.figure(d.figure), Cell(value(d.first), "num"), Cell(value(d.second), "num"),
            Cell(difference, "num"), Cell(p.probability(d.p), "num"), Cell(f"{d.cases:,}", "num"),
            Cell(f"{d.left_out:,}", "num")]  # fmt: skip


# ------------------------------------------------------------ sweep


def sweep_section(sweep: Sweep, p: Phrases) -> Element:
    """The drawing, the best setting with its reason, and all of them in a table."""
    lead = p("best_none") if sweep.best is None else p("best_is", n=sweep.best + 1)
    why = p.sweep_reason(sweep)
    reason: Node = [" ", foreign(shorten(why, MAX_MESSAGE))] if why else None
    drawing = sweep_curve(sweep, p)
    placed = [q for q in sweep.points if q.recall is not None and q.degradation.worst.value is not None]
    hints = [p("sweep_frontier")] if drawing else []
    if len(placed) < len(sweep.points):
        hints.append(p("sweep_unplaced", n=len(sweep.points) - len(placed)))
    if len(sweep.points) > MAX_DRAWN:
        hints.append(p("sweep_not_drawn", n=MAX_DRAWN))
    figure = el("figure", drawing, el("figcaption", " ".join(hints))) if drawing else el("p", " ".join(hints))
    columns = [p.title(k) for k in ("settings", "recall", "v3_lost", "correctness", "passages")]
    rows: list[list[Node | Cell]] = []
    for i, point in enumerate(sweep.points):
        worst = point.degradation.worst
        name: Node = [f"{i + 1}. ", foreign(p.settings(point.settings))]
        named = [name, " ", badge(p("best"), "good")] if i == sweep.best else name
        lost = f"{p.lost(worst)}, {p.grade(point.degradation.grade)}"
        rows.append([named, _share(point.recall, p), Cell(lost, "num"), _share(point.correctness, p),
                     Cell(f"{point.passages:.1f}", "num")])  # fmt: skip
    return section("sweep", p("sweep"), el("p", el("strong", lead), reason), figure,
                   bounded(rows, p, p("sweep_caption"), columns))  # fmt: skip


# ------------------------------------------------------------ content health


def health_section(found: ContentHealth, p: Phrases) -> Element:
    """The work list for whoever keeps the documents."""
    made: list[Node] = [el("p", p("health_note"), class_="hint")]
    if not found.stale and not found.losing:
        return section("health", p("health"), made, el("p", p("health_clean", n=f"{found.cases:,}")))
    if found.stale:
        columns = [p.title(k) for k in ("lineage", "reason", "newest", "stale_ids", "in_cases")]
        rows: list[list[Node | Cell]] = [
            [foreign(shorten(s.lineage_id, NAME_WIDTH)), foreign(shorten(p.known(f"stale_{s.reason}", s.reason), 80)),
             foreign(shorten(s.newest, NAME_WIDTH)), names(s.stale, p), _cases(s.cases, p)]
            for s in found.stale
        ]  # fmt: skip
        made += bounded(rows, p, p("stale"), columns)
    if found.losing:
        columns = [p.title(k) for k in ("page_id", "source", "lost_of", "in_cases")]
        rows = [
            [[foreign(shorten(page.title or page.chunk_id, NAME_WIDTH)), " ",
              el("code", foreign(shorten(page.chunk_id, NAME_WIDTH))) if page.title else None],
             foreign(shorten(page.source, NAME_WIDTH)) if page.source else "–",
             Cell(f"{page.lost:,} / {page.conflicts:,}", "num"), _cases(page.cases, p)]
            for page in found.losing
        ]  # fmt: skip
        made += bounded(rows, p, p("losing"), columns)
    return section("health", p("health"), made)


def _cases(found: Sequence[str], p: Phrases) -> Node:
    return [f"{len(found):,}", ": " if found else None, names(found, p)]


# ------------------------------------------------------------ what is missing


def shortages(figures: EvaluationFigures, p: Phrases) -> Element:
    """Variants that could not be made, and why."""
    if not figures.shortages:
        return section("shortages", p("shortages"), el("p", p("nothing_short")))
    columns = [p.title(k) for k in ("variant", "reason", "nearest", "in_cases")]
    rows: list[list[Node | Cell]] = [
        [p.variant(s.variant), foreign(shorten(p.shortage(s.reason), MAX_MESSAGE)),
         p("to", low=f"{s.nearest[0]:.2f}", high=f"{s.nearest[-1]:.2f}") if s.nearest else "–", _cases(s.cases, p)]
        for s in figures.shortages
    ]  # fmt: skip
    return section("shortages", p("shortages"), bounded(rows, p, p("shortages_caption"), columns))


def failures(figures: EvaluationFigures, p: Phrases) -> Element:
    """Calls that failed, and why; none counts as 0."""
    if not figures.failures:
        return section("failures", p("failures"), el("p", p("nothing_failed")))
    columns = [p.title(k) for k in ("variant", "blame", "reason", "failed_answers", "in_cases")]
    rows: list[list[Node | Cell]] = [
        [p.variant(f.variant), p(f"blame_{f.blame}"), message(f.reason, p), Cell(f"{f.answers:,}", "num"),
         _cases(f.cases, p)]
        for f in figures.failures
    ]  # fmt: skip
    return section("failures", p("failures"), bounded(rows, p, p("failures_caption"), columns))


def method(p: Phrases) -> Element:
    """How the figures are to be read."""
    points = [el("li", p(f"method_{k}")) for k in ("figures", "undefined", "interval", "v4")]
    return section("method", p("method"), el("ul", points))


def warnings(figures: EvaluationFigures, p: Phrases) -> Element | None:
    """What whoever reads the figures has to know; None where there is nothing."""
    found = figures.report.warnings
    if not found:
        return None
    lines = [el("li", foreign(shorten(w, MAX_MESSAGE))) for w in found[:MAX_ROWS]]
    more = el("p", p("rows_more", count=f"{len(found) - MAX_ROWS:,}")) if len(found) > MAX_ROWS else None
    return notice("warn", el("strong", p("warnings")), el("ul", lines), more)


def banner(figures: EvaluationFigures, p: Phrases) -> Element:
    """Whether the report may be believed; what fails the check is said at once."""
    if figures.status == "valid":
        return notice("good", el("strong", p("status_valid")))
    wrong = figures.report.check_failures
    lines = [el("li", foreign(shorten(w, MAX_MESSAGE))) for w in wrong[:MAX_NAMES]]
    more = fold(p("names_more", count=f"{len(wrong) - MAX_NAMES:,}"), el("ul", [
        el("li", foreign(shorten(w, MAX_MESSAGE))) for w in wrong[MAX_NAMES:MAX_ROWS]
    ])) if len(wrong) > MAX_NAMES else None  # fmt: skip
    return notice(
        "bad" if figures.status == "failed" else "warn",
        el("strong", p(f"status_{figures.status}")), " ", p(f"status_{figures.status}_long"),
        el("ul", lines) if lines else None, more,
    )  # fmt: skip
