"""Nothing jumps while a page comes: what stands in for what is awaited has its size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.pads import PadPage
from tests.web.browser.playing import set_up
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import DESKTOP, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

MOST = 0.02
WATCH = """() => {
  window.shifts = []
  const tell = (entry) => entry.hadRecentInput || window.shifts.push([entry.value, ...entry.sources.map(({ node }) => {
    const shown = node instanceof Element ? node : node?.parentElement
    return shown ? `${shown.tagName.toLowerCase()}.${shown.className}` : '?'
  })])
  new PerformanceObserver((list) => list.getEntries().forEach(tell)).observe({ type: 'layout-shift', buffered: true })
}"""
QUIET = """() => new Promise((done) => {
  const seen = () => performance.getEntriesByType('resource').length
  let [last, calm] = [seen(), 0]
  const look = () => {
    calm = seen() === last ? calm + 1 : 0
    last = seen()
    if (calm > 20) done(window.shifts)
    else requestAnimationFrame(look)
  }
  document.fonts.ready.then(look)
})"""
"""Everything was fetched and drawn; what has shifted until then."""


def jumped(visitor: Visitor, path: str, there: str) -> list[str]:
    """Open a page and wait until it is all there; how it jumped, if it did."""
    visitor.open(path)
    expect(visitor.page.locator(there).first).to_be_visible()
    shifts = visitor.page.evaluate(QUIET)
    total = sum(shift[0] for shift in shifts)
    return [f"{path}: {total:.3f}, {shifts}"] if total > MOST else []


@pytest.mark.parametrize("size", [(390, 664), DESKTOP])
def test_nothing_jumps(visit: Visit, size: tuple[int, int]) -> None:
    ana = visit(size=size, reduced_motion="reduce")
    prepare(ana)
    ana.context.add_init_script(f"({WATCH})()")
    wrong = []
    for game in ("lobo77", "double_lucky_7"):
        table = set_up(ana, game, 3, 2)
        # In one's own turn nobody else moves.
        expect(ana.page.locator(".title p.mine")).to_be_visible()
        expect(ana.page.locator("main .card.legal, main .ask").first).to_be_visible()
        wrong += jumped(ana, f"/t/{table}", "main.screen .seat")
    pad = PadPage(ana, "loba")
    pad.start(3, first=0)
    wrong += jumped(ana, ana.path, "main form, main table")
    wrong += jumped(ana, f"/t/{set_up(ana, 'skipbo', 4, 1)}", "main")
    wrong += jumped(ana, "/", ".games .button.primary")
    wrong += jumped(ana, "/new/skipbo", "form")
    wrong += jumped(ana, "/pad?game=double_lucky_7", "ol .input")
    assert not wrong, "\n".join(wrong)
