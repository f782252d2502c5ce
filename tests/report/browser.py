"""A real browser for the tests of pages, and what it is asked about each.

Needs a Chromium on the path and ``pip install playwright``. Without them the tests are skipped, unless ``CI_BROWSER=1``
says that they have to be there.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from contextlib import contextmanager

import pytest

WIDTHS, SCHEMES = (390, 1280), ("light", "dark")
#: Contrast that WCAG 2 asks of small text (level AA).
CONTRAST = 4.5
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@contextmanager
def a_browser():
    """One that runs until the tests of a file are done."""
    missing = "no Chromium is on the path" if CHROMIUM is None else "playwright is not installed" if importlib.util.find_spec("playwright") is None else ""
    if missing:
        (pytest.fail if os.environ.get("CI_BROWSER") == "1" else pytest.skip)(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, headless=True, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def opening(browser):
    """Opens pages, and closes them in the end."""
    there = []

    def make(*given, **more):
        there.append(Opened(browser, *given, **more))
        return there[-1]

    yield make
    for one in there:
        one.close()


class Opened:
    """A page, with everything it did that it should not have."""

    def __init__(self, browser, address, width=1280, scheme="light", script=True, touch=False):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script, has_touch=touch)
        self.page, self.did = context.new_page(), []
        self.page.on("dialog", lambda d: (self.did.append(("dialog", d.message)), d.dismiss()))
        self.page.on("console", lambda m: self.did.append((m.type, m.text)))
        self.page.on("pageerror", lambda e: self.did.append(("error", str(e))))
        self.page.on("request", lambda r: self.did.append(("request", r.url)) if r.url != address else None)
        self.page.goto(address)

    def unfold(self):
        self.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        self.page.wait_for_timeout(50)

    def fits(self):
        return self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    def close(self):
        self.page.context.close()


#: Elements with words of their own, and what style sheets write before and after them, whose colour is too near to the
#: ground behind it.
CONTRASTS = """least => {
  const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => { const f = v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
    return .2126 * f(r) + .7152 * f(g) + .0722 * f(b); };
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
  const weak = [];
  const look = (e, style, words) => {
    const behind = ground(e), opacity = Number(style.opacity);
    const ink = parse(style.color).slice(0, 3).map((v, i) => v * opacity + behind[i] * (1 - opacity));
    const [a, b] = [light(ink), light(behind)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    if (ratio < least) weak.push([e.tagName, e.className, ratio.toFixed(2), words.slice(0, 30)].join(' '));
  };
  for (const e of document.querySelectorAll('body *')) {
    if (!e.getClientRects().length || e.closest('svg, .skip, option')) continue;
    if ([...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) look(e, getComputedStyle(e), e.textContent);
    for (const where of ['::before', '::after']) {
      const style = getComputedStyle(e, where);
      if (!['none', 'normal', '""'].includes(style.content)) look(e, style, where + style.content);
    }
  }
  return [...new Set(weak)].slice(0, 10);
}"""
