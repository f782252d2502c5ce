"""The trace of a result as a page: everything that was decided can be seen, and nothing in a text can do anything."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest

from ragclean import Chunk, CorrectorConfig, NoiseCorrector
from ragclean.report.trace_wording import TRACE_WORDS
from ragclean.result import RefinedContext

QUERY = "X200的保修期是多久？"
CHUNKS = [
    Chunk("X200整机保修24个月，自开票之日起计算。感谢您的支持。", id="official", title="保修政策", source="official_policy", published_at="2025-01-01"),
    Chunk("听说X200保修12个月。", id="forum", source="forum", published_at="2022-01-01"),
    Chunk("今天天气很好，适合出游。", id="weather"),
]
EVIL = "<script>window.hit=1</script><img src=x onerror=alert(1)>\u202e保修24个月 javascript:alert(1) </style>\x00"


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)


def read(page):
    reader = _Reader()
    reader.feed(page)
    return reader


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector()


@pytest.fixture(scope="module")
def result(corrector):
    return corrector.refine(QUERY, CHUNKS, as_of="2025-06-01")


def shown(page):
    return html.unescape("".join(read(page).text))


def test_what_stayed_what_went_and_why_is_shown(result):
    page = shown(result.to_html("zh"))
    for word in (QUERY, "2025-06-01", "X200整机保修24个月", "今天天气很好", "感谢您的支持", "forum", "official_policy"):
        assert word in page
    for gone in result.dropped:
        assert TRACE_WORDS[f"reason_{gone.reason}"][0] in page, gone.reason
    for conflict in result.conflicts:
        assert conflict.explain()[:60] in page
    assert result.conflicts, "the sample has a conflict"


def test_kept_and_dropped_sentences_are_marked_in_the_original_text(result):
    page = result.to_html("zh")
    marks = re.findall(r'<mark class="mark-(\w+)"[^>]*>([^<]*)</mark>', page)
    kept = {html.unescape(text) for kind, text in marks if kind in ("kept", "protected")}
    assert {s.text for c in result.chunks for s in c.sentences} <= kept
    dropped = {html.unescape(text) for kind, text in marks if kind == "dropped"}
    assert {d.text for d in result.dropped if d.start is not None} <= dropped


def test_the_reason_of_a_dropped_sentence_is_seen_with_and_without_a_pointer(result):
    page = result.to_html("en")
    notes = [value for name, value in read(page).attributes if name == "title"]
    cut = [d for d in result.dropped if d.start is not None]
    assert cut
    assert len([n for n in notes if "sentence threshold" in n]) >= 1
    assert "below the sentence threshold" in shown(page)


def test_the_language_follows_the_query_or_the_caller(corrector, result):
    assert '<html lang="zh-CN">' in result.to_html()
    assert '<html lang="en">' in result.to_html("en")
    english = corrector.refine("How long is the warranty?", ["The warranty lasts 24 months."])
    assert '<html lang="en">' in english.to_html()
    with pytest.raises(ValueError, match="lang"):
        result.to_html("fr")


def test_every_word_is_there_in_both_languages_with_the_same_places():
    for key, words in TRACE_WORDS.items():
        assert len(words) == 2, key
        assert all(w.strip() for w in words), key
        assert len({frozenset(re.findall(r"{(\w+)}", w)) for w in words}) == 1, key


def test_hostile_text_is_text(corrector):
    found = corrector.refine(
        f"{EVIL}保修多久", [Chunk(EVIL + "保修12个月。", id=EVIL, title=EVIL, source=EVIL), Chunk("保修24个月" + EVIL, source="official_policy")],
        as_of="2025-06-01",
    )  # fmt: skip
    page = found.to_html()
    reader = read(page)
    assert not {"script", "img", "iframe", "object", "a:href"} & set(reader.tags)
    assert not [name for name, value in reader.attributes if name.startswith("on") or ("javascript:" in (value or "") and name != "title")]
    assert "\u202e" not in page
    assert "\x00" not in page
    assert "default-src 'none'" in page


def test_a_notebook_gets_a_frame_in_which_nothing_runs(result):
    frame = result._repr_html_()
    assert frame.startswith('<iframe sandbox=""')
    assert "<script" not in frame


def test_a_result_read_back_shows_what_it_holds(result):
    again = RefinedContext.from_json(result.to_json())
    page = shown(again.to_html("zh"))
    assert "X200整机保修24个月" in page
    assert "今天天气很好" in page


def test_observing_is_said(corrector):
    watching = NoiseCorrector(config=CorrectorConfig(mode="observe"))
    assert TRACE_WORDS["observing"][1] in shown(watching.refine(QUERY, CHUNKS).to_html("en"))


def test_nothing_to_show_is_shown_as_well(corrector):
    page = shown(corrector.refine("保修多久？", []).to_html())
    assert TRACE_WORDS["context_empty"][0] in page


def test_unreadable_candidates_are_named(corrector):
    page = shown(corrector.refine(QUERY, [{"text": None, "id": "broken-7"}, CHUNKS[0]]).to_html())
    assert "broken-7" in page or "candidate" in page


def test_candidates_that_share_an_id_keep_their_own_fates(corrector):
    found = corrector.refine(QUERY, [Chunk(c.text, id="same", source=c.source) for c in CHUNKS], as_of="2025-06-01")
    page = found.to_html("zh")
    assert page.count('class="fold traced kept"') == len(found.chunks) == 1
    assert page.count('class="fold traced gone"') == 2


def test_the_figures_behind_a_reason_are_said_in_the_language_of_the_page(corrector):
    many = [*CHUNKS, *(Chunk(f"X200的保修期自开票之日起计算，第{n}条另有说明，购买时请看清。", id=f"c{n}") for n in range(6))]
    found = corrector.refine(QUERY, many, as_of="2025-06-01", max_tokens=20, top_k=3)
    details = {d.detail for d in found.dropped if re.match(r"score|judge|place|worth|\d", d.detail)}
    assert len({d.split()[0] for d in details}) >= 2
    page = shown(found.to_html("zh"))
    assert not [d for d in details if d in page]


def test_a_fact_that_went_all_the_same_is_pointed_out(corrector):
    found = corrector.refine(QUERY, [f"{CHUNKS[0].text}客服在48小时内回复。门店2025年3月1日开业。"], as_of="2025-06-01", max_tokens=25)
    lost = [d for d in found.dropped if d.protected and d.start is not None]
    assert lost, "the sample loses a fact to the budget"
    page = shown(found.to_html("zh"))
    assert TRACE_WORDS["cut_facts"][0].format(n=len(lost)) in page
    assert page.count(TRACE_WORDS["held_fact"][0]) >= len(lost)
