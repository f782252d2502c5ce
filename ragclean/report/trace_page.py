"""The trace of one ``refine`` as a page: what came in, what stayed of it, what went and why, who was believed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragclean.report.page import Element, Lang, Node, Page, anchor, el, shorten
from ragclean.report.parts import Cell, Mark, badge, fold, foreign, name_list, notice, pairs, passage, section, table
from ragclean.report.trace_wording import TRACE_WORDS
from ragclean.report.wording import Wording
from ragclean.result import RefinedContext
from ragclean.text.folding import fold as folded
from ragclean.text.folding import language
from ragclean.types import Chunk, Conflict, Dropped, KeptChunk, Side

#: Characters shown of a chunk and of the context; what is longer stands in ``to_dict()``.
CHUNK_LIMIT, CONTEXT_LIMIT = 20_000, 100_000
#: Chunks, sentences of one chunk and conflicts that are shown one by one: thirty chunks are usual.
MAX_CHUNKS, MAX_GONE, MAX_CONFLICTS = 200, 60, 50
#: Characters of a name, of a quoted sentence, and names in a line.
NAME_WIDTH, QUOTE_WIDTH, MAX_NAMES = 80, 300, 8


def trace_page(result: RefinedContext, lang: Lang | None = None) -> Page:
    """The page of a result.

    Args:
        lang: of the page's own words; None for the query's.
    """
    w = Wording(lang or ("zh" if language(folded(result.query)) == "zh" else "en"), TRACE_WORDS)
    body: list[Node] = [_warnings(result, w), _context(result, w), _conflicts(result, w), _chunks(result, w),
                        _timing(result, w)]  # fmt: skip
    navigation = tuple((name, w(name)) for name in ("context", "conflicts", "candidates", "timing"))
    head = (el("h1", w("title")), el("p", foreign(shorten(result.query, QUOTE_WIDTH)), class_="headline"),
            el("p", w("as_of", day=result.as_of), class_="hint"), _tiles(result, w))  # fmt: skip
    return Page(w("title"), w.lang, tuple(body), w("skip"), navigation, w("sections"), head=head)


def trace_html(result: RefinedContext, lang: Lang | None = None) -> str:
    """One self-contained file: no network, no script; hostile text is text."""
    return trace_page(result, lang).render()


def _tiles(result: RefinedContext, w: Wording) -> Element:
    s = result.stats
    shown = [
        (w("chunks"), f"{s.get('chunks_in', 0):,.0f} → {s.get('chunks_out', len(result.chunks)):,.0f}"),
        (w("shorter"), f"{100 * s.get('shorter', 0.0):.0f}%"),
        (w("tokens"), f"{s.get('tokens_in', 0):,.0f} → {s.get('tokens_out', 0):,.0f}"),
        (w("milliseconds"), f"{s.get('ms_total', 0.0):,.1f}"),
    ]
    tiles = [el("div", el("dt", name), el("dd", value), class_="tile") for name, value in shown]
    return el("dl", tiles, class_="tiles")


def _warnings(result: RefinedContext, w: Wording) -> Node:
    parts: list[Node] = [notice("info", el("p", w("observing")))] if result.mode == "observe" else []
    if result.warnings:
        lines = [el("li", badge(c.code), " ", foreign(shorten(c.message, QUOTE_WIDTH))) for c in result.warnings]
        parts.append(notice("warn", el("strong", w("warnings")), el("ul", lines)))
    return parts


def _context(result: RefinedContext, w: Wording) -> Element:
    if not result.text.strip():
        return section("context", w("context"), el("p", w("context_empty")))
    return section("context", w("context"), passage(result.text, CONTEXT_LIMIT, w("text_more", count="{count}")))


# ------------------------------------------------------------ conflicts


def _conflicts(result: RefinedContext, w: Wording) -> Element:
    if not result.conflicts:
        return section("conflicts", w("conflicts"), el("p", w("no_conflicts")))
    cards = [_conflict(c, number, w) for number, c in enumerate(result.conflicts[:MAX_CONFLICTS], 1)]
    return section("conflicts", w("conflicts"), cards, _more(len(result.conflicts) - MAX_CONFLICTS, w))


def _conflict(conflict: Conflict, number: int, w: Wording) -> Element:
    about = w("conflict_about", slot=shorten(conflict.slot, NAME_WIDTH)) if conflict.slot else w("conflict_plain")
    state = badge(w("decided"), "good") if conflict.winner is not None else badge(w("unresolved"), "warn")
    columns = [w("side"), w("weight"), w("witnesses")]
    rows = [_side(side, side == conflict.winner, w) for side in conflict.sides]
    return el(
        "article", el("h3", foreign(about), " ", state), el("p", foreign(shorten(conflict.explain(), 4 * QUOTE_WIDTH))),
        table(w("sides_caption"), columns, rows), id=anchor("conflict", number),
    )  # fmt: skip


def _side(side: Side, won: bool, w: Wording) -> list[Node | Cell]:
    value: list[Node] = [foreign(shorten(side.value, QUOTE_WIDTH))]
    if won:
        value += [" ", badge(w("adopted"), "good")]
    told: list[Node] = []
    for witness in side.witnesses[:MAX_NAMES]:
        trust = w("trust", value=f"{witness.trust:.2f}")
        line: list[Node] = [foreign(shorten(witness.chunk_id, NAME_WIDTH)), ", ", trust]
        if witness.copies:
            line += [", ", w("copies", ids=shorten(", ".join(witness.copies), NAME_WIDTH))]
        if witness.notes:
            line += [" ", *(badge(w.known(f"note_{note}", note.replace("_", " "))) for note in witness.notes)]
        told.append(el("div", line))
    if len(side.witnesses) > MAX_NAMES:
        told.append(el("div", w("names_more", count=f"{len(side.witnesses) - MAX_NAMES:,}"), class_="more"))
    return [value, Cell(f"{side.weight:.2f}", "num"), told]


# ------------------------------------------------------------ chunks


def _chunks(result: RefinedContext, w: Wording) -> Element:
    kept = {k.id: (number, k) for number, k in enumerate(result.chunks, 1)}
    gone: dict[str, list[Dropped]] = {}
    for dropped in result.dropped:
        gone.setdefault(dropped.chunk_id, []).append(dropped)
    chunks = _candidates(result)
    known = {c.id for c in chunks}
    shown = [_chunk(c, n, kept.get(c.id), gone.get(c.id, []), w) for n, c in enumerate(chunks[:MAX_CHUNKS], 1)]
    unread = [d for i, ds in gone.items() if i not in known for d in ds]
    told = [shorten(f"{d.chunk_id}: {d.detail or d.reason}", QUOTE_WIDTH) for d in unread[:MAX_GONE]]
    lost = [el("p", badge(w("unread"), "bad"), " ", foreign(words)) for words in told]
    return section("candidates", w("candidates"), el("p", w("legend"), class_="hint"), shown, lost,
                   _more(len(chunks) - MAX_CHUNKS, w))  # fmt: skip


def _candidates(result: RefinedContext) -> Sequence[Chunk]:
    """The candidates; of a result that was read back, those whose text it still holds."""
    if result.candidates:
        return result.candidates
    whole = {d.chunk_id: d for d in result.dropped if d.start is None and d.text}
    kept = [k.chunk for k in result.chunks]
    return [*kept, *(Chunk(d.text, id=i) for i, d in whole.items() if i not in {c.id for c in kept})]


def _chunk(
    chunk: Chunk, number: int, kept: tuple[int, KeptChunk] | None, gone: Sequence[Dropped], w: Wording
) -> Element:
    whole = next((d for d in gone if d.start is None), None)
    parts = [d for d in gone if d.start is not None and d.end is not None]
    name: list[Node] = [foreign(shorten(chunk.title or chunk.id, NAME_WIDTH)), " "]
    if kept is not None:
        sentences = len(kept[1].sentences)
        name += [badge(w("kept_n", n=kept[0]), "good"), " ", w("part_kept", kept=sentences, all=sentences + len(parts))]
        marks = [Mark(s.start, s.end, "protected" if s.protected else "kept") for s in kept[1].sentences]
    else:
        name.append(badge(_reason(whole, w) if whole else w("gone"), "bad", wraps=True))
        marks = []
    marks += [Mark(d.start, d.end, "dropped", _why(d, w))
              for d in parts if d.start is not None and d.end is not None]  # fmt: skip
    if kept is None and not parts:
        marks = [Mark(0, len(chunk.text), "dropped", _reason(whole, w) if whole else "")]
    inside: list[Node] = [_facts(chunk, kept[1] if kept else None, whole, w)]
    inside.append(passage(chunk.text, CHUNK_LIMIT, w("text_more", count="{count}"), marks))
    if parts:
        columns = [w("sentence"), w("stage"), w("reason")]
        rows: list[list[Node | Cell]] = [
            [foreign(shorten(d.text, QUOTE_WIDTH)), w.known(f"stage_{d.stage}", d.stage),
             foreign(_why(d, w))]
            for d in parts[:MAX_GONE]
        ]  # fmt: skip
        inside += [table(w("gone_table"), columns, rows), _more(len(parts) - MAX_GONE, w)]
    return fold(name, inside, place=anchor("chunk", number))


def _facts(chunk: Chunk, kept: KeptChunk | None, whole: Dropped | None, w: Wording) -> Element:
    """What is known of a chunk: source, date, signals, why it went."""
    rows: list[tuple[str, Node]] = []
    if whole is not None:
        rows.append((w("reason"), [w.known(f"stage_{whole.stage}", whole.stage), ", ", foreign(_why(whole, w))]))
    if chunk.source:
        rows.append((w("source"), foreign(shorten(chunk.source, NAME_WIDTH))))
    day = chunk.effective_from or chunk.updated_at or chunk.published_at
    if day:
        rows.append((w("day"), foreign(shorten(str(day), NAME_WIDTH))))
    if kept is not None:
        s = kept.signals
        judge = "–" if s.judge is None else f"{s.judge:.2f}"
        signals = (("semantic", f"{s.semantic:.2f}"), ("judge", judge), ("keyword", f"{s.keyword:.2f}"))
        each = ", ".join(f"{w(name)} {value}" for name, value in signals)
        rows.append((w("relevance"), f"{s.final:.2f} ({each})"))
        if kept.flags:
            flags = [f.replace("_", " ") for f in kept.flags]
            rows.append((w("flags"), name_list(flags, MAX_NAMES, w("names_more", count="{count}"))))
    return pairs(rows)


def _reason(dropped: Dropped, w: Wording) -> str:
    return w.known(f"reason_{dropped.reason}", dropped.reason.replace("_", " "))


#: Details with figures, as the stages write them; any other stands as it is.
_DETAILS = {
    "detail_score": re.compile(r"score (\d\.\d\d) is below the (?:sentence|admission) threshold (\d\.\d\d)"),
    "detail_judge": re.compile(r"judge (\d\.\d\d), the best passage has (\d\.\d\d)"),
    "detail_place": re.compile(r"place (\d{1,9}), top_k is (\d{1,9})"),
    "detail_like": re.compile(r"(\d\.\d\d) like a sentence of (.{1,200}), which stays"),
}


def _detail(dropped: Dropped, w: Wording) -> str:
    """The figures behind a reason, in the page's language where they are of a known form."""
    for key, form in _DETAILS.items():
        m = form.fullmatch(dropped.detail)
        if m is not None:
            return w(key, score=m[1], bar=m[2])
    return dropped.detail


def _why(dropped: Dropped, w: Wording) -> str:
    """Reason and figures in a line."""
    detail = _detail(dropped, w)
    return shorten(f"{_reason(dropped, w)}{w.colon}{detail}" if detail else _reason(dropped, w), QUOTE_WIDTH)


def _timing(result: RefinedContext, w: Wording) -> Element:
    rows = [
        (w.known(f"stage_{name[3:]}", name[3:].replace("_", " ")), f"{value:,.2f} ms")
        for name, value in result.stats.items() if name.startswith("ms_")
    ]  # fmt: skip
    return section("timing", w("timing"), pairs(rows))


def _more(count: int, w: Wording) -> Node:
    return el("p", w("rows_more", count=f"{count:,}"), class_="more") if count > 0 else None
