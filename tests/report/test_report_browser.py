"""The evaluation report in a real browser: fits a phone, runs nothing of others, asks nobody, is used by keyboard."""

from __future__ import annotations

import pytest
from browser import CONTRAST, CONTRASTS, SCHEMES, WIDTHS, a_browser, opening
from report_samples import (
    a_comparison,
    a_gate,
    a_health,
    a_sweep,
    hostile_extras,
    hostile_report,
    large_report,
    real_report,
)

from ragclean.report.evaluation_figures import figures_of
from ragclean.report.evaluation_page import evaluation_html, figures_page
from ragclean.report.page import framed

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser():
    with a_browser() as started:
        yield started


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Address of each page."""
    folder = tmp_path_factory.mktemp("pages")
    large = large_report(60)
    extras = {"gate": a_gate(large), "comparison": a_comparison(large, large_report(60, "other", 0.05)), "sweep": a_sweep(), "health": a_health()}
    pages = {
        "zh": evaluation_html(large, lang="zh", **extras),
        "en": evaluation_html(large, lang="en", **extras),
        "real": evaluation_html(real_report(), lang="zh"),
        "invalid": evaluation_html(large_report(20, checked=False), lang="en"),
        "hostile": evaluation_html(hostile_report(), lang="en", **hostile_extras()),
        "long": evaluation_html(hostile_report("x" * 5000), lang="en", **hostile_extras("x" * 5000)),
    }
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    frame = framed(figures_page(figures_of(hostile_report(), **hostile_extras()), lang="en"))
    (folder / "framed.html").write_text("<!DOCTYPE html><title>t</title>" + frame, encoding="utf-8")
    return {path.stem: path.as_uri() for path in folder.iterdir()}


@pytest.fixture
def opened(browser):
    with opening(browser) as make:
        yield make


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["zh", "en", "real", "invalid", "hostile", "long"])
def test_a_page_fits_the_screen_and_does_nothing(opened, files, name, width, scheme):
    one = opened(files[name], width, scheme)
    for step in (lambda: None, one.unfold):
        step()
        assert one.fits()
    assert one.did == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_words_stand_out_from_their_ground(opened, files, scheme):
    for name in ("zh", "invalid"):
        one = opened(files[name], 1280, scheme)
        one.unfold()
        weak = one.page.evaluate(CONTRASTS, CONTRAST)
        assert weak == []


def test_hostile_texts_run_nothing_ask_nobody_and_are_read_as_text(opened, files):
    one = opened(files["hostile"])
    one.unfold()
    for target in one.page.query_selector_all("bdi, .text")[:40]:
        target.hover(force=True)
    assert one.page.evaluate("window.hacked") is None
    assert one.page.evaluate("document.scripts.length") == 1
    assert one.page.evaluate("document.querySelectorAll('img, iframe, object, embed, [src], [style], a:not([href^=\"#\"])').length") == 0
    assert "<script>window.hacked=1;alert(1)</script>" in one.page.inner_text("main")
    assert one.did == []


def test_a_script_that_got_in_all_the_same_would_not_run(opened, files):
    one, stopped = opened(files["zh"]), []
    one.page.on("requestfailed", lambda r: stopped.append((r.url, r.failure)))
    one.page.evaluate("""() => {
        const script = document.createElement('script'); script.textContent = 'window.hacked = 1'; document.body.append(script);
        const image = document.createElement('img'); image.src = 'http://evil.example/x.png'; document.body.append(image);
        document.body.insertAdjacentHTML('beforeend', '<b onclick="window.hacked = 2" id="trap">x</b>'); document.getElementById('trap').click();
    }""")
    one.page.wait_for_timeout(100)
    assert one.page.evaluate("window.hacked") is None
    assert stopped == [("http://evil.example/x.png", "csp")]
    assert len([d for d in one.did if "Content Security Policy" in d[1]]) >= 3


def test_a_framed_page_runs_nothing(opened, files):
    one = opened(files["framed"])
    inside = one.page.frames[1]
    assert "Failing cases" in inside.inner_text("body")
    assert [d for d in one.did if d != ("request", "about:srcdoc")] == []


def test_cells_of_the_heat_map_hold_words(opened, files):
    one = opened(files["zh"])
    cells = one.page.eval_on_selector_all(".heat", "all => all.map(e => e.innerText)")
    assert len(cells) > 20
    assert all(any(grade in cell for grade in ("稳健", "留意", "敏感", "无法判断")) and "%" in cell for cell in cells)
    colours = one.page.eval_on_selector_all(".heat", "all => all.map(e => getComputedStyle(e).backgroundColor)")
    assert len(set(colours)) >= 3


def test_a_case_opens_and_closes_by_keyboard(opened, files):
    one = opened(files["real"])
    one.page.focus("details.case > summary")
    for key, state in (("Enter", True), ("Space", False), ("Enter", True)):
        one.page.keyboard.press(key)
        assert one.page.evaluate("document.querySelector('details.case').open") is state
    one.page.keyboard.press("Tab")
    assert one.page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_the_first_stop_of_the_keyboard_leads_past_the_navigation(opened, files):
    one = opened(files["en"])
    one.page.keyboard.press("Tab")
    assert one.page.evaluate("document.activeElement.className") == "skip"
    assert one.page.evaluate("document.activeElement.getBoundingClientRect().left >= 0")
    one.page.keyboard.press("Enter")
    assert one.page.evaluate("document.activeElement.id") == "content"


def test_cases_can_be_filtered(opened, files):
    one = opened(files["real"])
    visible = "[...document.querySelectorAll('details.case')].filter(d => d.offsetParent).length"
    every = one.page.evaluate(visible)
    one.page.select_option("#filter-fault", "failed")
    failed = one.page.evaluate(visible)
    assert 0 < failed < every
    assert one.page.inner_text("#filter-count") == str(failed)
    one.page.select_option("#filter-fault", "any")
    one.page.fill("#filter-text", "DELIVERY fee")
    assert 0 < one.page.evaluate(visible) < every
    one.page.fill("#filter-text", "nothing like this")
    assert one.page.evaluate(visible) == 0
    assert one.did == []


def test_without_scripts_everything_is_there_but_the_filter(opened, files):
    one = opened(files["real"], script=False)
    assert not one.page.locator("#filters").is_visible()
    one.page.locator("details.case > summary").first.click()
    assert one.page.locator("details.case .side").first.is_visible()


def test_a_right_to_left_override_turns_no_line_of_ours(opened, files):
    one = opened(files["hostile"])
    assert one.page.evaluate("document.body.innerText.includes('\\\\u202e')")
    assert not one.page.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText)")
