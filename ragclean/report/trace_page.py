"""The trace of one ``refine`` as a page: what came in, what stayed of it, what went and why, who was believed.

First what is asked in a hurry (what went in and out, what went and why, which fact won), then each decision in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragclean.report.page import Element, Lang, Node, Page, anchor, el, joined, shorten
from ragclean.report.parts import Cell, Mark, badge, fold, foreign, name_list, notice, pairs, passage, section, table
from ragclean.report.trace_wording import QUOTE_WIDTH, TRACE_WORDS, detail_of, reason_of, why_of
from ragclean.report.wording import Wording
from ragclean.result import RefinedContext
from ragclean.text.folding import fold as folded
from ragclean.text.folding import language
from ragclean.types import Chunk, Conflict, Dropped, KeptChunk, Side, Witness

#: Characters shown of a chunk and of the context; what is longer stands in ``to_dict()``.
CHUNK_LIMIT, CONTEXT_LIMIT = 20_000, 100_000
#: Chunks, sentences of one chunk and conflicts that are shown one by one: thirty chunks are usual.
MAX_CHUNKS, MAX_GONE, MAX_CONFLICTS = 200, 60, 50
#: Characters of a name, and names in a line.
NAME_WIDTH, MAX_NAMES = 80, 8
#: Characters of a name among others, such names in a line, and sentences quoted for one side of a conflict.
SHORT_NAME, MAX_LINKS, MAX_QUOTES = 28, 5, 2


@dataclass(frozen=True, slots=True)
class _Fate:
    """What became of one candidate."""

    number: int
    """In the retriever's order, from 1."""
    chunk: Chunk
    place: int
    """In the context, from 1; 0 where it is not in it."""
    kept: KeptChunk | None
    whole: Dropped | None
    parts: tuple[Dropped, ...]
    """Sentences that went, in the order of the text."""

    @property
    def name(self) -> str:
        return self.chunk.title or self.chunk.id


def trace_page(result: RefinedContext, lang: Lang | None = None) -> Page:
    """The page of a result.

    Args:
        lang: of the page's own words; None for the query's.
    """
    w = Wording(lang or ("zh" if language(folded(result.query)) == "zh" else "en"), TRACE_WORDS)
    fates = _fates(result)
    body: list[Node] = [_warnings(result, w), _glance(result, fates, w), _conflicts(result, fates, w),
                        _chunks(result, fates, w), _context(result, w), _timing(result, w)]  # fmt: skip
    words = {"conflicts": "conflicts_short"}
    names = ("glance", "conflicts", "candidates", "context", "timing")
    navigation = tuple((name, w(words.get(name, name))) for name in names)
    head = (el("h1", w("title")), el("p", foreign(shorten(result.query, QUOTE_WIDTH)), class_="headline"),
            el("p", w("as_of", day=result.as_of), class_="hint"), _tiles(result, w))  # fmt: skip
    return Page(w("title"), w.lang, tuple(body), w("skip"), navigation, w("sections"), head=head)


def trace_html(result: RefinedContext, lang: Lang | None = None) -> str:
    """One self-contained file: no network, no script; hostile text is text."""
    return trace_page(result, lang).render()


def _fates(result: RefinedContext) -> list[_Fate]:
    """Each candidate with what became of it. Ids may repeat, so texts are compared as well."""
    kept = {(k.id, k.chunk.text): (place, k) for place, k in enumerate(result.chunks, 1)}
    gone: dict[str, list[Dropped]] = {}
    for d in result.dropped:
        gone.setdefault(d.chunk_id, []).append(d)
    made: list[_Fate] = []
    for number, chunk in enumerate(_candidates(result), 1):
        place, stayed = kept.pop((chunk.id, chunk.text), (0, None))
        of_it = gone.get(chunk.id, [])
        whole = next((d for d in of_it if d.start is None and d.text == chunk.text), None) if stayed is None else None
        if whole is not None:
            of_it.remove(whole)
        parts = [d for d in of_it if d.start is not None and chunk.text[d.start : d.end] == d.text]
        parts.sort(key=lambda d: (d.start or 0, -(d.end or 0)))
        made.append(_Fate(number, chunk, place, stayed, whole, tuple(parts)))
    return made


def _candidates(result: RefinedContext) -> Sequence[Chunk]:
    """The candidates; of a result that was read back, those whose text it still holds."""
    if result.candidates:
        return result.candidates
    whole = {d.chunk_id: d for d in result.dropped if d.start is None and d.text}
    kept = [k.chunk for k in result.chunks]
    return [*kept, *(Chunk(d.text, id=i) for i, d in whole.items() if i not in {c.id for c in kept})]


# ------------------------------------------------------------ at a glance


def _tiles(result: RefinedContext, w: Wording) -> Element:
    s = result.stats
    shown = [
        (w("chunks"), f"{s.get('chunks_in', 0):,.0f} → {s.get('chunks_out', len(result.chunks)):,.0f}"),
        (w("tokens"), f"{s.get('tokens_in', 0):,.0f} → {s.get('tokens_out', 0):,.0f}"),
        (w("shorter"), f"{100 * s.get('shorter', 0.0):.0f}%"),
        (w("milliseconds"), f"{s.get('ms_total', 0.0):,.1f}"),
    ]
    tiles = [el("div", el("dt", name), el("dd", value), class_="tile") for name, value in shown]
    return el("dl", tiles, class_="tiles")


def _warnings(result: RefinedContext, w: Wording) -> Node:
    parts: list[Node] = [notice("info", el("p", w("observing")))] if result.mode == "observe" else []
    if result.warnings:
        lines = [
            el("li", el("strong", foreign(shorten(w.known(f"caution_{c.code}", c.code), NAME_WIDTH))), w.colon,
               foreign(shorten(c.message, QUOTE_WIDTH)))
            for c in result.warnings
        ]  # fmt: skip
        parts.append(notice("warn", el("strong", w("warnings")), el("ul", lines)))
    return parts


def _glance(result: RefinedContext, fates: Sequence[_Fate], w: Wording) -> Element:
    """What stayed, what went for which reason, which facts won: each leads to the decision in full."""
    stayed = sorted((f for f in fates if f.kept is not None), key=lambda f: f.place)
    rows: list[tuple[str, Node]] = [(w("kept_chunks", n=len(result.chunks)), _links(stayed, w) or w("none"))]
    found = [el("div", _outcome(c, n, w)) for n, c in enumerate(result.conflicts[:MAX_NAMES], 1)]
    rows.append((w("conflicts_short"), [found, _more(len(result.conflicts) - MAX_NAMES, w)] if found else w("none")))
    by_reason: dict[str, list[_Fate]] = {}
    for f in fates:
        if f.kept is None:
            by_reason.setdefault(_short_fate(f, w), []).append(f)
    lost = [
        el("div", badge(shorten(reason, NAME_WIDTH), "bad", wraps=True), f" {len(those)}{w.colon}", _links(those, w))
        for reason, those in sorted(by_reason.items(), key=lambda item: -len(item[1]))
    ]
    rows.append((w("gone_chunks", n=sum(map(len, by_reason.values()))), lost or w("none")))
    cut = [d for f in stayed for d in f.parts]
    kept = sum(len(k.sentences) for k in result.chunks)
    told: list[Node] = [w("cut_count", cut=f"{len(cut):,}", kept=f"{kept:,}")]
    if cut:
        told.append(w.colon + _counted(cut, w))
    facts = sum(d.protected for d in cut)
    if facts:
        told += [" ", badge(w("cut_facts", n=facts), "warn")]
    rows.append((w("cut_sentences"), told))
    return section("glance", w("glance"), pairs(rows))


def _outcome(conflict: Conflict, number: int, w: Wording) -> Node:
    """A conflict in a line: about what, what was taken, what was not."""
    slot = shorten(conflict.slot, NAME_WIDTH) or w("conflict_plain")
    line: list[Node] = [el("a", foreign(slot), href=f"#{anchor('conflict', number)}"), w.colon]
    values = [foreign(shorten(s.value, NAME_WIDTH)) for s in conflict.sides[:MAX_NAMES] if s != conflict.winner]
    others = joined(values, w.comma)
    if conflict.winner is None:
        return [line, badge(w("unresolved"), "warn"), " ", others]
    taken = el("strong", foreign(shorten(conflict.winner.value, NAME_WIDTH)))
    return [line, badge(w("adopted"), "good"), " ", taken, w.semicolon, w("rejected"), " ", others]


def _links(fates: Sequence[_Fate], w: Wording) -> Node:
    shown = [_link(f, SHORT_NAME) for f in fates[:MAX_LINKS]]
    more = " " + w("names_more", count=f"{len(fates) - MAX_LINKS:,}") if len(fates) > MAX_LINKS else None
    return [joined(shown, w.comma), more] if shown else None


def _link(fate: _Fate, width: int) -> Node:
    """A chunk's number and name that open it; a browser opens what the target lies in."""
    name: list[Node] = [f"{fate.number}. ", foreign(shorten(fate.name, width))]
    return el("a", name, href=f"#{anchor('chunk', fate.number)}") if fate.number <= MAX_CHUNKS else name


def _counted(gone: Iterable[Dropped], w: Wording) -> str:
    """How many went for which reason, the most frequent first."""
    counts = Counter(shorten(reason_of(d, w), NAME_WIDTH) for d in gone).most_common()
    each = [w("reason_count", reason=reason, n=n) for reason, n in counts[:MAX_NAMES]]
    return w.comma.join(each)


# ------------------------------------------------------------ conflicts


def _conflicts(result: RefinedContext, fates: Sequence[_Fate], w: Wording) -> Element:
    if not result.conflicts:
        return section("conflicts", w("conflicts"), el("p", w("no_conflicts")))
    by_id: dict[str, _Fate] = {}
    for f in fates:
        by_id.setdefault(f.chunk.id, f)
    cards = [_conflict(c, number, by_id, w) for number, c in enumerate(result.conflicts[:MAX_CONFLICTS], 1)]
    return section("conflicts", w("conflicts"), cards, _more(len(result.conflicts) - MAX_CONFLICTS, w))


def _conflict(conflict: Conflict, number: int, by_id: dict[str, _Fate], w: Wording) -> Element:
    slot = shorten(conflict.slot, NAME_WIDTH)
    about: Node = [w("conflict_about"), " ", foreign(slot)] if slot else w("conflict_plain")
    state = badge(w("decided"), "good") if conflict.winner is not None else badge(w("unresolved"), "warn")
    if conflict.winner is None:
        said = el("p", w("unresolved_long"))
    else:
        why = w.known(f"why_{conflict.reason}", conflict.reason)
        margin = w("lead", margin=f"{100 * conflict.margin:.0f}%")
        taken = el("strong", foreign(shorten(conflict.winner.value, QUOTE_WIDTH)))
        said = el("p", badge(w("adopted"), "good"), " ", taken, w.semicolon, w("because"), w.colon, foreign(why),
                  w.semicolon, margin)  # fmt: skip
    columns = [w("side"), w("weight"), w("witnesses")]
    total = sum(s.weight for s in conflict.sides)
    rows = [_side(s, s == conflict.winner, total, by_id, w) for s in conflict.sides[:MAX_NAMES]]
    return el(
        "article", el("h3", about, " ", state), said, table(w("sides_caption"), columns, rows),
        _more(len(conflict.sides) - MAX_NAMES, w),
        el("p", foreign(shorten(conflict.explain(), 4 * QUOTE_WIDTH)), class_="hint"), id=anchor("conflict", number),
    )  # fmt: skip


def _side(side: Side, won: bool, total: float, by_id: dict[str, _Fate], w: Wording) -> list[Node | Cell]:
    value: list[Node] = [foreign(shorten(side.value, QUOTE_WIDTH))]
    if won:
        value += [" ", badge(w("adopted"), "good")]
    quoted = [s for s in side.sentences[:MAX_QUOTES] if s.strip() != side.value.strip()]
    value += [el("div", foreign(shorten(s, QUOTE_WIDTH)), class_="hint quoted") for s in quoted]
    told: list[Node] = [_witness(one, by_id, w) for one in side.witnesses[:MAX_NAMES]]
    if len(side.witnesses) > MAX_NAMES:
        told.append(el("div", w("names_more", count=f"{len(side.witnesses) - MAX_NAMES:,}"), class_="more"))
    share = f" ({100 * side.weight / total:.0f}%)" if total > 0 else ""
    return [value, Cell(f"{side.weight:.2f}{share}", "num"), told]


def _witness(witness: Witness, by_id: dict[str, _Fate], w: Wording) -> Element:
    fate = by_id.get(witness.chunk_id)
    name = _link(fate, NAME_WIDTH) if fate else foreign(shorten(witness.chunk_id, NAME_WIDTH))
    facts: list[Node] = [*_origin(fate.chunk)] if fate else []
    facts += [w("trust", value=f"{witness.trust:.2f}"), w("age_factor", value=f"{witness.time_factor:.2f}")]
    notes: list[Node] = [
        [" ", badge(shorten(w.known(f"note_{n}", n.replace("_", " ")), NAME_WIDTH), wraps=True)] for n in witness.notes
    ]
    copied: Node = None
    if witness.copies:
        others = name_list(witness.copies, MAX_NAMES, w("names_more", count="{count}"))
        copied = el("div", w("copies"), w.colon, others, class_="hint")
    return el("div", name, el("div", joined(facts, " · "), notes, class_="hint"), copied, class_="witness")


def _origin(chunk: Chunk) -> list[Node]:
    """Source and date, as far as they are known."""
    return [foreign(shorten(str(part), NAME_WIDTH)) for part in (chunk.source, chunk.day) if part]


# ------------------------------------------------------------ chunks


def _chunks(result: RefinedContext, fates: Sequence[_Fate], w: Wording) -> Element:
    losing = _losing(result)
    shown = [_chunk(f, losing, w) for f in fates[:MAX_CHUNKS]]
    known = {f.chunk.id for f in fates}
    unread = [d for d in result.dropped if d.chunk_id not in known]
    lost = [
        el("p", badge(w("unread"), "bad"), " ", foreign(shorten(d.chunk_id, NAME_WIDTH)), w.colon,
           foreign(shorten(d.detail or d.reason, QUOTE_WIDTH)))
        for d in unread[:MAX_GONE]
    ]  # fmt: skip
    hint = el("p", f"{w('in_order')} " if result.candidates else None, w("legend"), class_="hint")
    return section("candidates", w("candidates"), hint, shown, lost, _more(len(fates) - MAX_CHUNKS, w),
                   _more(len(unread) - MAX_GONE, w))  # fmt: skip


def _losing(result: RefinedContext) -> set[str]:
    """Sentences of the sides that were not taken."""
    sides = [s for c in result.conflicts if c.winner is not None for s in c.sides if s != c.winner]
    won = {t for c in result.conflicts if c.winner is not None for t in c.winner.sentences}
    return {t for s in sides for t in s.sentences if t.strip()} - won


def _chunk(fate: _Fate, losing: set[str], w: Wording) -> Element:
    if fate.kept is not None:
        marks = [Mark(s.start, s.end, "protected" if s.protected else "kept") for s in fate.kept.sentences]
    elif fate.whole is not None and fate.whole.reason == "lost_conflict":
        found = [(fate.chunk.text.find(t), t) for t in losing]
        marks = [Mark(at, at + len(t), "against", why_of(fate.whole, w)) for at, t in found if at >= 0]
    else:
        marks = []
    struck = [Mark(d.start or 0, d.end or 0, "dropped", why_of(d, w)) for d in fate.parts]
    text = passage(fate.chunk.text, CHUNK_LIMIT, w("text_more", count="{count}"), [*marks, *struck])
    inside: list[Node] = [el("div", _facts(fate, w), id=anchor("chunk", fate.number), class_="short facts"),
                          el("div", text, class_="numbered")]  # fmt: skip
    if fate.parts:
        rows: list[list[Node | Cell]] = [_cut(d, n, w) for n, d in enumerate(fate.parts[:MAX_GONE], 1)]
        inside += [table(w("gone_table"), [w("sentence"), w("reason")], rows, "cut"),
                   _more(len(fate.parts) - MAX_GONE, w)]  # fmt: skip
    state = "kept" if fate.kept is not None else "gone"
    return fold(_summary(fate, w), inside, kind=f"traced {state}")


def _cut(d: Dropped, number: int, w: Wording) -> list[Node | Cell]:
    told = _why(d, w)
    if d.protected:
        told += [" ", badge(w("held_fact"), "warn")]
    return [[el("span", f"{number}", class_="hint number"), " ", foreign(shorten(d.text, QUOTE_WIDTH))], told]


def _why(d: Dropped, w: Wording) -> list[Node]:
    """Reason, figures and stage."""
    stage = w.known(f"stage_{d.stage}", d.stage)
    return [foreign(why_of(d, w)), " ", el("span", "· ", foreign(stage), class_="hint")]


def _summary(fate: _Fate, w: Wording) -> Element:
    """Name, what became of it and why: seen without opening."""
    tags: list[Node]
    why: list[Node] = []
    if fate.kept is not None:
        sentences = len(fate.kept.sentences)
        counts = w("part_kept", kept=sentences, all=sentences + len(fate.parts))
        tags = [badge(w("kept_n", n=fate.place), "good"), el("span", counts)]
        if fate.parts:
            why = [w("cut"), w.colon, foreign(_counted(fate.parts, w))]
    elif fate.whole is not None:
        tags = [badge(shorten(reason_of(fate.whole, w), NAME_WIDTH), "bad", wraps=True)]
        detail = detail_of(fate.whole.detail, w)
        why = [foreign(shorten(detail, QUOTE_WIDTH))] if detail else []
    else:
        tags = [badge(_short_fate(fate, w), "bad", wraps=True)]
        why = [foreign(_counted(fate.parts, w))] if fate.parts else []
    origin = _origin(fate.chunk)
    return el(
        "span", el("span", el("span", f"{fate.number}.", class_="hint"), " ", foreign(shorten(fate.name, NAME_WIDTH))),
        el("span", tags, el("span", joined(origin, " · "), class_="hint") if origin else None, class_="tags"),
        el("span", why, class_="hint") if why else None, class_="line",
    )  # fmt: skip


def _short_fate(fate: _Fate, w: Wording) -> str:
    if fate.whole is not None:
        return reason_of(fate.whole, w)
    return w("sentence_by_sentence") if fate.parts else w("gone")


def _facts(fate: _Fate, w: Wording) -> Element:
    """What is known of a chunk: where it is from, its signals, why it went."""
    chunk, kept, whole = fate.chunk, fate.kept, fate.whole
    rows: list[tuple[str, Node]] = []
    if whole is not None:
        rows.append((w("reason"), [*_why(whole, w)]))
        if whole.score is not None:
            rows.append((w("relevance"), f"{whole.score:.2f}"))
    if kept is not None:
        s = kept.signals
        judge = "–" if s.judge is None else f"{s.judge:.2f}"
        signals = (("semantic", f"{s.semantic:.2f}"), ("judge", judge), ("keyword", f"{s.keyword:.2f}"))
        each = ", ".join(f"{w(name)} {value}" for name, value in signals)
        rows.append((w("relevance"), f"{s.final:.2f} ({each})"))
        more = w("names_more", count="{count}")
        if kept.flags:
            flags = [w.known(f"flag_{f}", f.replace("_", " ")) for f in kept.flags]
            rows.append((w("flags"), name_list(flags, MAX_NAMES, more)))
        others = tuple(dict.fromkeys(i for sentence in kept.sentences for i in sentence.also_in))
        if others:
            rows.append((w("also_in"), name_list(others, MAX_NAMES, more)))
    given = (("id", chunk.id), (w("source"), chunk.source), (w("day"), chunk.day), (w("address"), chunk.uri))
    rows += [(name, foreign(shorten(str(value), QUOTE_WIDTH))) for name, value in given if value]
    return pairs(rows)


# ------------------------------------------------------------ context and timing


def _context(result: RefinedContext, w: Wording) -> Element:
    if not result.text.strip():
        return section("context", w("context"), el("p", w("context_empty")))
    return section("context", w("context"), el("p", w("context_hint"), class_="hint"),
                   passage(result.text, CONTEXT_LIMIT, w("text_more", count="{count}")))  # fmt: skip


def _timing(result: RefinedContext, w: Wording) -> Element:
    spent = {name[3:]: value for name, value in result.stats.items() if name.startswith("ms_")}
    total = spent.get("total", 0.0)
    rows: list[tuple[str, Node]] = []
    for name, value in spent.items():
        share = f" ({100 * value / total:.0f}%)" if total > 0 and name != "total" else ""
        rows.append((w.known(f"stage_{name}", name.replace("_", " ")), f"{value:,.2f} ms{share}"))
    return section("timing", w("timing"), el("div", pairs(rows), class_="short"))


def _more(count: int, w: Wording) -> Node:
    return el("p", w("rows_more", count=f"{count:,}"), class_="more") if count > 0 else None
