"""The trace of one refine in a real browser: fits a phone, runs nothing of others, asks nobody, is used by keyboard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import CONTRAST, CONTRASTS, SCHEMES, WIDTHS, a_browser, opening
from report_samples import HOSTILE

from ragclean import Chunk, NoiseCorrector
from ragclean.result import RefinedContext
from ragclean.types import Caution, Conflict, Dropped, KeptChunk, KeptSentence, Side, Signals, Witness

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples"
#: Every control that turns the direction of what follows it.
TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
#: Names in a script that is written from right to left, with figures that join the run of letters before them.
HEBREW = "אחריות 24 חודשים"
MEGABYTE = 1_000_000


def hostile_result(text: str, body: str = "") -> RefinedContext:
    """The same text in every field that holds foreign text; ``body`` stands before it in the chunks."""
    whole = f"{body}{text}. Second {text}. Third {text}."
    first, second = len(body) + len(text) + 1, len(body) + 2 * len(text) + 10
    chunk = Chunk(whole, id=text, title=text, lineage_id=text, version=text, source=text, uri=text, published_at=text, metadata={text: text})
    lost, odd = Chunk(whole, id=text + "2", source=text), Chunk(text, id=text + "3", title=text)
    kept = KeptChunk(chunk, Signals(0.5, 0.5, None, 0.5), (KeptSentence(whole[:first], 0, first, 0.5, True, (text, text + "2")),), whole[:first], (text, "pinned"))
    witness = Witness(text, 1.0, 0.9, 1.0, 0.5, (text + "2", text), (text, "expired"))
    sides = (Side(text, text, (witness, witness), 2.0, (text,)), Side(text + "!", text, (witness,), 1.0, (whole[:first],)))
    won = Conflict(text, sides, sides[0], 0.5, "source", "duration", text)
    dropped = (
        Dropped(text, "compress", "below_threshold", f"0.97 like a sentence of {text}, which stays", whole[first:second], first, second, 0.1, True),
        Dropped(text, text, text, text, whole[second:], second, len(whole), 0.1),
        Dropped(text + "2", "arbitrate", "lost_conflict", text, whole),
        Dropped(text + "3", text, text, text, text),
        Dropped(text + "4", "screen", "bad_candidate", text),
    )
    return RefinedContext(text, text, (kept,), dropped, (won, Conflict(text, sides, None, 0.0, "tie", "", text)),
                          (Caution(text, text, text), Caution("vague_query", text)), "2025-06-01",
                          {"chunks_in": 3, "ms_total": 1.0, f"ms_{text}": 0.5}, candidates=(chunk, lost, odd))  # fmt: skip


def thirty(name: str, query: str, other: str) -> RefinedContext:
    """A real run over thirty chunks: an example, the other example, and copies under other names."""
    lines = [json.loads(line) for file in (name, other) for line in (EXAMPLES / file).read_text(encoding="utf-8").splitlines()]
    copies = [{**c, "id": f"{c['id']}-mirror", "source": "repost", "uri": None} for c in lines]
    return NoiseCorrector().refine(query, (lines + copies)[:30], as_of="2025-06-01", max_tokens=300)


@pytest.fixture(scope="module")
def results():
    zh, en = "screen_flicker.zh.jsonl", "rate_limit.en.jsonl"
    return {
        "zh": thirty(zh, "保修期是多久？", en),
        "en": thirty(en, "How many API requests per minute does the Team plan allow?", zh),
        "hostile": hostile_result(f"{HOSTILE}{TURNING}</script> {HEBREW}"),
        "long": hostile_result("x" * 5000, "y" * MEGABYTE),
        "hebrew": hostile_result(HEBREW),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory, results):
    """Address of each page."""
    folder = tmp_path_factory.mktemp("traces")
    for name, result in results.items():
        (folder / f"{name}.html").write_text(result.to_html("zh" if name == "zh" else "en"), encoding="utf-8")
    framed = results["hostile"]._repr_html_()
    (folder / "framed.html").write_text(f"<!DOCTYPE html><title>t</title>{framed}", encoding="utf-8")
    return {path.stem: path.as_uri() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def browser():
    with a_browser() as started:
        yield started


@pytest.fixture
def opened(browser):
    with opening(browser) as make:
        yield make


def test_the_samples_show_what_they_are_for(results):
    for name in ("zh", "en"):
        result = results[name]
        assert len(result.candidates) == 30
        assert result.conflicts and result.conflicts[0].winner is not None
        assert len({d.reason for d in result.dropped}) >= 4
        assert any(d.start is not None for d in result.dropped)


@pytest.mark.parametrize("name", ["zh", "en", "hostile", "long", "hebrew"])
def test_a_trace_fits_the_screen_and_does_nothing(opened, files, name):
    one = opened(files[name])
    for step in (lambda: None, one.unfold):
        step()
        for width in WIDTHS:
            one.page.set_viewport_size({"width": width, "height": 900})
            assert one.fits(), width
            assert one.page.evaluate(HIDDEN) == [], width
    assert one.did == []


#: Words that run out of the box they stand in, so that they are cut off or lie over others.
HIDDEN = """() => {
  const out = [];
  for (const e of document.querySelectorAll('section, article, summary, .text, td, th, dd, .tile, .notice, .badge')) {
    const box = e.closest('section, .notice, .tile');
    if (!box || !e.getClientRects().length || e.closest('thead')) continue;
    if (e.getBoundingClientRect().right > box.getBoundingClientRect().right + 1 || (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'))
      out.push(e.tagName + '.' + e.className);
  }
  return [...new Set(out)];
}"""


@pytest.mark.parametrize("name", ["zh", "hostile"])
def test_words_stand_out_from_their_ground_in_the_colours_of_the_reader(opened, files, name):
    one, grounds = opened(files[name]), []
    one.unfold()
    for scheme in SCHEMES:
        one.page.emulate_media(color_scheme=scheme)
        assert one.page.evaluate(CONTRASTS, CONTRAST) == [], scheme
        grounds.append(one.page.evaluate("getComputedStyle(document.querySelector('section')).backgroundColor"))
    light, dark = (sum(map(int, g[4:-1].split(", "))) for g in grounds)
    assert light > 3 * 200
    assert dark < 3 * 60


def test_hostile_texts_run_nothing_and_ask_nobody(opened, files):
    one = opened(files["hostile"])
    one.unfold()
    one.page.evaluate("""document.querySelectorAll('bdi, mark, .text, a').forEach(e => {
        for (const what of ['mouseover', 'mouseenter', 'focus', 'click']) e.dispatchEvent(new MouseEvent(what, {bubbles: true}));
    })""")
    assert one.page.evaluate("[window.hacked, document.scripts.length]") == [None, 0]
    assert one.page.evaluate("document.querySelectorAll('img, iframe, object, embed, form, base, [src], [style], a:not([href^=\"#\"])').length") == 0
    assert one.page.evaluate("[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()).filter(n => n.startsWith('on'))") == []
    assert "<script>window.hacked=1;alert(1)</script>" in one.page.inner_text("#context")
    assert one.did == []


def test_a_framed_trace_runs_nothing(opened, files):
    one = opened(files["framed"])
    assert "window.hacked" in one.page.frames[1].inner_text("body")
    assert [d for d in one.did if d != ("request", "about:srcdoc")] == []


def test_no_text_turns_the_line_it_stands_in(opened, files):
    one = opened(files["hostile"])
    left = one.page.evaluate("t => [...t].filter(c => document.documentElement.outerHTML.includes(c))", TURNING)
    assert left == []
    assert all(f"\\u{ord(c):04x}" in one.page.inner_text("#context") for c in TURNING)


def test_names_written_from_right_to_left_leave_our_words_in_their_places(opened, files):
    one = opened(files["hebrew"])
    one.unfold()
    for width in WIDTHS:
        one.page.set_viewport_size({"width": width, "height": 900})
        moved = one.page.evaluate(ORDER)
        assert moved["looked"] > 20
        assert moved["wrong"] == [], width


#: Our own words beside a text of others, on the same line: what comes after it in the page must lie to the right of it.
ORDER = """() => {
  const wrong = []; let looked = 0;
  const rects = n => { const r = document.createRange(); r.selectNodeContents(n); return [...r.getClientRects()]; };
  for (const name of document.querySelectorAll('bdi')) {
    const owner = name.closest('summary > .line > span, li, p, td > div, th, h3, dd, .witness > div, a');
    if (!owner) continue;
    const walk = document.createTreeWalker(owner, NodeFilter.SHOW_TEXT);
    const [last] = rects(name).slice(-1);
    for (let n = walk.nextNode(); n; n = walk.nextNode()) {
      if (!n.data.trim() || !(name.compareDocumentPosition(n) & Node.DOCUMENT_POSITION_FOLLOWING) || name.contains(n)) continue;
      const [first] = rects(n);
      if (!first || !last || first.top > last.bottom - 2 || first.bottom < last.top + 2) continue;
      looked += 1;
      if (first.left < last.right - 1) wrong.push(name.parentElement.tagName + ': ' + n.data.slice(0, 40));
    }
  }
  return {looked, wrong};
}"""


def test_the_keyboard_reaches_and_opens_every_part(opened, files):
    one = opened(files["en"])
    one.page.evaluate("""() => { window.stops = []; document.addEventListener('focusin', e => stops.push({
        name: e.target.tagName, at: [...document.querySelectorAll('summary')].indexOf(e.target), ring: getComputedStyle(e.target).outlineStyle})); }""")
    links = one.page.locator("a").count()
    for _ in range(links + 5):
        one.page.keyboard.press("Tab")
        if one.page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    total = one.page.locator("details").count()
    for _ in range(total):
        one.page.keyboard.press("Enter")
        one.page.keyboard.press("Tab")
    stops = one.page.evaluate("stops")
    assert [s["at"] for s in stops if s["name"] == "SUMMARY"] == list(range(total)), "in the order of the page, none left out"
    assert one.page.locator("details[open]").count() == total
    assert all(s["ring"] != "none" for s in stops), "what has the focus is seen"


@pytest.mark.parametrize("name", ["zh", "en"])
def test_thirty_chunks_say_at_a_glance_what_became_of_them(opened, files, results, name):
    one, result = opened(files[name], 390), results[name]
    assert one.page.locator("details.traced").count() == 30
    assert one.page.locator("details.traced[open]").count() == 0
    kept = one.page.locator("details.traced.kept > summary .badge.good")
    assert kept.count() == len(result.chunks)
    gone = one.page.locator("details.traced.gone > summary .badge.bad")
    assert gone.count() == 30 - len(result.chunks)
    assert all(words.strip() for words in gone.all_inner_texts())
    assert all(one.page.evaluate("[...document.querySelectorAll('details.traced > summary .badge')].map(e => e.getClientRects().length > 0)"))
    glance = one.page.locator("#glance")
    assert result.conflicts[0].winner.value in glance.inner_text()
    assert glance.bounding_box()["y"] < 900, "on the first screen of a phone"


def test_a_name_at_a_glance_opens_its_chunk(opened, files, results):
    one = opened(files["zh"])
    link = one.page.locator("#glance a[href^='#chunk-']").first
    place = link.get_attribute("href")
    link.focus()
    one.page.keyboard.press("Enter")
    one.page.wait_for_timeout(100)
    assert one.page.locator(f"details[open] {place}").is_visible()
    assert results["zh"].chunks[0].id in one.page.inner_text(place)
    assert one.page.evaluate("p => { const b = document.querySelector(p).closest('details').getBoundingClientRect(); return b.top >= 0 && b.top < innerHeight; }", place)


@pytest.mark.parametrize("name", ["zh", "en"])
def test_the_reason_of_every_cut_is_read_by_touch_under_its_number(opened, files, results, name):
    one = opened(files[name], 390, touch=True)
    first = one.page.locator("details.traced:has(.mark-dropped)").first
    first.locator("summary").tap()
    assert first.locator(".cut .number").first.is_visible()
    one.unfold()
    cut = {d.chunk_id for d in results[name].dropped if d.start is not None}
    seen = one.page.evaluate(REASONS)
    assert len(seen) >= len(cut)
    for chunk in seen:
        assert len(chunk["rows"]) == len(chunk["sentences"])
        for number, (sentence, row) in enumerate(zip(chunk["sentences"], chunk["rows"], strict=True), 1):
            assert row["visible"]
            assert row["text"].startswith(f"{number} {sentence['text'][:40].strip()}"), (row, sentence)
            assert sentence["note"] in row["text"], "what the pointer is told stands below as well"


REASONS = """() => [...document.querySelectorAll('details.traced')].filter(d => d.querySelector('.mark-dropped')).map(d => ({
  sentences: [...d.querySelectorAll('.mark-dropped')].map(m => ({text: m.textContent, note: m.title})),
  rows: [...d.querySelectorAll('.cut tbody tr')].map(r => ({
    text: r.textContent, visible: r.getBoundingClientRect().height > 0})),
}))"""


def test_a_megabyte_makes_no_megabyte_of_page(files):
    assert Path(files["long"].removeprefix("file://")).stat().st_size < MEGABYTE / 2
