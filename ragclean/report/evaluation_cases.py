"""Failing cases side by side: what was shown with and without noise, what was answered, and what the judge said.

A page stays of a size that a browser opens: cases are folded, texts are cut, and what is left out is counted and said
to be in the JSON report, which holds everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragclean.evaluation.records import ClaimVerdict, EvalCase, Injected, Outcome, PointVerdict, Shown, Support
from ragclean.report.evaluation_figures import EvaluationFigures, FailingCase, Fault
from ragclean.report.page import Element, Node, anchor, el, markup, shorten
from ragclean.report.parts import (
    Cell,
    Mark,
    MarkKind,
    Tone,
    badge,
    fold,
    foreign,
    notice,
    pairs,
    passage,
    section,
    table,
)
from ragclean.report.phrases import Phrases
from ragclean.types import Chunk

#: Failing cases shown, and characters of HTML they may take together. A page of 300 short ones (1.5 million characters)
#: opened in 4 s in a browser slowed four times, as on a phone, and one of 4 million in 11 s.
MAX_CASES, MAX_CHARACTERS = 300, 2_000_000
#: Characters of an answer, of a chunk, and of a question or reference.
MAX_ANSWER, MAX_CHUNK, MAX_TEXT = 3000, 1500, 1200
#: Of a claim, a key point or a piece of evidence.
MAX_QUOTE = 400
#: Of the question in the line that opens a case.
SUMMARY_WIDTH = 90
#: Of an id or a title.
NAME_WIDTH = 80
#: Verdicts of one kind, chunks of one variant, and key points of a case.
MAX_VERDICTS, MAX_CHUNKS = 30, 40
FAULTS: tuple[Fault, ...] = ("lower", "adopted", "failed")
_FAULT_TONES: dict[Fault, Tone] = {"lower": "warn", "adopted": "bad", "failed": "plain"}
_SUPPORT_TONES: dict[Support, Tone] = {"supported": "good", "contradicted": "bad", "not_mentioned": "warn"}


def failing_section(figures: EvaluationFigures, p: Phrases) -> Element:
    """Every failing case, as far as the page has room."""
    found = figures.failing
    if not found:
        return section("failing", p("failing_cases"), el("p", p("failing_none")))
    shown: list[Node] = []
    room = MAX_CHARACTERS
    for number, failing in enumerate(found[:MAX_CASES], 1):
        made = failing_case(failing, number, p)
        room -= len(markup(made))
        if room < 0 and shown:
            break
        shown.append(made)
    cut = len(found) > len(shown)
    words = p("failing_shown", shown=f"{len(shown):,}", total=f"{len(found):,}") if cut else ""
    left = notice("info", words) if cut else None
    return section("failing", p("failing_cases"), el("p", p("failing_note"), class_="hint"), left,
                   _filters(found, p), el("div", shown, class_="cases", id="cases"))  # fmt: skip


def _filters(found: Sequence[FailingCase], p: Phrases) -> Element:
    """Hidden until the script is there to answer them."""
    variants = sorted({f.variant for f in found})
    faults = [f for f in FAULTS if any(f in c.faults for c in found)]
    any_option = el("option", p("filter_any"), value="any")
    return el(
        "div",
        el("label", p("filter_text"), el("input", type="search", id="filter-text")),
        el("label", p("filter_variant"),
           el("select", any_option, [el("option", p.variant(v), value=v) for v in variants], id="filter-variant")),
        el("label", p("filter_fault"),
           el("select", any_option, [el("option", p(f"fault_{f}"), value=f) for f in faults], id="filter-fault")),
        el("p", p("filter_count"), " ", el("strong", f"{len(found)}", id="filter-count"), aria_live="polite"),
        class_="filters", id="filters", hidden=True,
    )  # fmt: skip


def failing_case(failing: FailingCase, number: int, p: Phrases) -> Element:
    """One case, folded: the question and its faults in the line that opens it."""
    case = failing.case
    faults = [badge(p(f"fault_{f}"), _FAULT_TONES[f]) for f in failing.faults]
    scores = f"{p.share(failing.base_correctness)} → {p.share(failing.noisy_correctness)}"
    line = el(
        "span", el("span", badge(p.variant(failing.variant), "info"), faults, class_="tags"),
        el("span", foreign(shorten(case.question, SUMMARY_WIDTH)), class_="asked"),
        el("span", foreign(shorten(case.id, NAME_WIDTH)), f" · {p('correctness')} {scores}", class_="below"),
        class_="line",
    )  # fmt: skip
    sides = [s for s in (failing.base, failing.noisy) if s is not None]
    columns = [_side(o, failing, p) for o in sides]
    made = fold(line, _asked(case, p), el("div", columns, class_=f"sides sides-{len(columns)}"),
                _contexts(failing, p), place=anchor("case", number), kind="case")  # fmt: skip
    data = (("data-variant", failing.variant), ("data-faults", " ".join(failing.faults)))
    return Element(made.tag, (*made.attributes, *data), made.children)


def _text(text: str, limit: int, p: Phrases, marks: Sequence[Mark] = ()) -> Element:
    return passage(text, limit, p("text_more", count="{count}"), marks)


def _asked(case: EvalCase, p: Phrases) -> Element:
    rows: list[tuple[str, Node]] = [(p("question"), _text(case.question, MAX_TEXT, p))]
    reference = _text(case.reference, MAX_TEXT, p) if case.answerable else p("no_reference")
    rows.append((p("reference"), reference))
    for name in ("category", "difficulty", "as_of"):
        value: str | None = getattr(case, name)
        if value:
            rows.append((p(name), foreign(shorten(value, NAME_WIDTH))))
    return pairs(rows)


# ------------------------------------------------------------ answers and verdicts


def _side(outcome: Outcome, failing: FailingCase, p: Phrases) -> Element:
    noisy = outcome is failing.noisy
    repeats = failing.answers if noisy else 1
    heading = el("h3", p.variant(outcome.shown.variant))
    which = el("p", p("answer_of", n=repeats, i=outcome.repeat + 1), class_="below") if repeats > 1 else None
    if outcome.failed:
        body: list[Node] = [notice("warn", p("no_answer", why=shorten(outcome.failed, MAX_QUOTE)))]
        return el("article", heading, which, body, class_="side")
    said = _text(outcome.answer, MAX_ANSWER, p) if outcome.answer.strip() else el("p", p("empty_answer"))
    body = [el("h4", p("answer")), said]
    if outcome.judgement.failed:
        body.append(notice("warn", p("no_verdict", why=shorten(outcome.judgement.failed, MAX_QUOTE))))
    else:
        body += [_scores(outcome, p), *_points(outcome.judgement.points, p), *_claims(outcome, p)]
    return el("article", heading, which, body, class_="side noisy" if noisy else "side")


def _scores(outcome: Outcome, p: Phrases) -> Element:
    s = outcome.score
    figures = ("correctness", "faithfulness")
    rows: list[tuple[str, Node]] = [(p.title(name), p.share(getattr(s, name))) for name in figures]
    if s.adoption_relevant is not None:
        rows.append((p.title("adoption_relevant"), p.share(s.adoption_relevant)))
    if s.adoption_irrelevant is not None:
        rows.append((p.title("adoption_irrelevant"), p.share(s.adoption_irrelevant)))
    if outcome.judgement.refusal:
        rows.append((p("refusal"), badge(p("refused"), "warn")))
    return el("div", pairs(rows), class_="scores")


def _points(points: Sequence[PointVerdict], p: Phrases) -> list[Node]:
    if not points:
        return [el("p", p("points_none"), class_="hint")]
    rows: list[list[Node | Cell]] = []
    for v in points[:MAX_VERDICTS]:
        state, tone = _point_state(v)
        evidence: Node = _text(v.evidence, MAX_QUOTE, p) if v.evidence else "–"
        rows.append([_text(v.point, MAX_QUOTE, p), badge(p(f"point_{state}"), tone), evidence])
    columns = [p.title(k) for k in ("point", "verdict", "evidence")]
    return _rows_of(p("points_caption"), columns, rows, len(points), p)


def _point_state(verdict: PointVerdict) -> tuple[str, Tone]:
    if verdict.contradicted:
        return "contradicted", "bad"
    return ("covered", "good") if verdict.covered else ("missing", "warn")


def _claims(outcome: Outcome, p: Phrases) -> list[Node]:
    claims = outcome.judgement.claims
    if not claims:
        return [el("p", p("claims_none"), class_="hint")]
    columns = [p.title(k) for k in ("claim", "verdict", "evidence")]
    rows: list[list[Node | Cell]] = [_claim_row(c, p) for c in claims[:MAX_VERDICTS]]
    return _rows_of(p("claims_caption"), columns, rows, len(claims), p)


def _claim_row(verdict: ClaimVerdict, p: Phrases) -> list[Node | Cell]:
    evidence: list[Node] = []
    if verdict.evidence:
        evidence.append(_text(verdict.evidence, MAX_QUOTE, p))
    if verdict.chunk_id:
        evidence.append(el("code", foreign(shorten(verdict.chunk_id, NAME_WIDTH))))
    if verdict.injected_id:
        kind = p(f"kind_{verdict.injected_kind}") if verdict.injected_kind else p("injected")
        origin = p("claim_from", id=shorten(verdict.injected_id, NAME_WIDTH), kind=kind)
        evidence.append(el("p", badge(origin, "bad", wraps=True)))
    state = badge(p(f"claim_{verdict.support}"), _SUPPORT_TONES[verdict.support])
    return [_text(verdict.claim, MAX_QUOTE, p), state, evidence or "–"]


def _rows_of(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[Node | Cell]], total: int, p: Phrases
) -> list[Node]:
    made: list[Node] = [table(caption, columns, rows, "verdicts")]
    if total > len(rows):
        made.append(el("p", p("rows_cut", count=f"{total - len(rows):,}"), class_="more"))
    return made


# ------------------------------------------------------------ contexts


def _contexts(failing: FailingCase, p: Phrases) -> list[Node]:
    """The contexts of the noisy variant; those of v0 apart only where they are not the same without what was added."""
    noisy, base = failing.noisy.shown, failing.base.shown if failing.base else None
    same = base is not None and base.contexts == noisy.trusted
    folds: list[Node] = [_shown(noisy, failing, p, note=p("contexts_same") if same else "")]
    if base is not None and not same:
        folds.append(_shown(base, failing, p))
    return folds


def _shown(shown: Shown, failing: FailingCase, p: Phrases, note: str = "") -> Element:
    title = p("contexts", n=len(shown.contexts), added=len(shown.injected))
    added = {i.chunk.id: i for i in shown.injected}
    marks = _quotes(failing)
    items = [_chunk(c, added.get(c.id), failing.case, marks.get(c.id, ()), p) for c in shown.contexts[:MAX_CHUNKS]]
    more = len(shown.contexts) - len(items)
    return fold(
        p.variant(shown.variant) + p.colon + title, el("p", note, class_="hint") if note else None,
        el("ol", items, class_="chunks") if items else el("p", p("contexts_none")),
        el("p", p("chunks_more", count=f"{more:,}"), class_="more") if more else None,
    )  # fmt: skip


def _quotes(failing: FailingCase) -> dict[str, list[tuple[str, MarkKind]]]:
    """The words of each chunk that the verdicts rest on."""
    found: dict[str, list[tuple[str, MarkKind]]] = {}
    for outcome in (failing.base, failing.noisy):
        for claim in outcome.judgement.claims if outcome else ():
            if claim.chunk_id and claim.evidence:
                kind: MarkKind = "against" if claim.support == "contradicted" else "evidence"
                found.setdefault(claim.chunk_id, []).append((claim.evidence, kind))
    return found


def _chunk(
    chunk: Chunk, injected: Injected | None, case: EvalCase, quotes: Sequence[tuple[str, MarkKind]], p: Phrases
) -> Element:
    labels: list[Node] = [el("code", foreign(shorten(chunk.id, NAME_WIDTH)))]
    if chunk.title:
        labels.append(el("strong", foreign(shorten(chunk.title, NAME_WIDTH))))
    if injected is not None:
        origin = foreign(shorten(p.origin(injected), MAX_QUOTE))
        labels += [badge(p("injected"), "bad"), el("span", origin, class_="below")]
    elif chunk.id in case.gold:
        labels.append(badge(p("gold"), "good"))
    about = [v for v in (chunk.source, chunk.day) if v]
    labels += [el("span", foreign(shorten(v, NAME_WIDTH)), class_="below") for v in about]
    marks = [
        Mark(at, at + len(quote), kind) for quote, kind in quotes[:MAX_VERDICTS] if (at := chunk.text.find(quote)) >= 0
    ]
    head = el("div", [[label, " "] for label in labels], class_="chunk-head")
    return el("li", head, _text(chunk.text, MAX_CHUNK, p, marks), class_="chunk injected" if injected else "chunk")
