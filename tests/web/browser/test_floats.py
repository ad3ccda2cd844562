"""Hints, reasons and notices lie beside what they speak of, close with Escape and give the focus back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.layout import resize
from tests.web.browser.playing import HANDS, set_up
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import DESKTOP, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only, pytest.mark.looks]

SIZES = ((390, 664), (740, 360), DESKTOP)
NEW_VERSION = "() => dispatchEvent(new Event('vite:preloadError'))"
"""With it comes a notice that stays."""
APART = """([panel, about]) => {
  const box = document.querySelector(panel).getBoundingClientRect()
  const found = [...document.querySelectorAll(about)]
  if (found.length === 0) return `nothing is ${about}`
  if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) return `${panel} is cut off`
  const over = found.map((node) => node.getBoundingClientRect()).filter((other) =>
    Math.min(box.right, other.right) > Math.max(box.left, other.left) + 1 &&
    Math.min(box.bottom, other.bottom) > Math.max(box.top, other.top) + 1)
  return over.length ? `${panel} lies over ${about}` : ''
}"""


def lies_beside(visitor: Visitor, panel: str, about: str) -> None:
    expect(visitor.page.locator(panel)).to_be_visible()
    visitor.page.wait_for_function(f"given => ({APART})(given) === ''", arg=[panel, about])


def closes(visitor: Visitor, panel: str, before: Locator) -> None:
    """Somebody goes into it, closes it with Escape, and is where they were."""
    expect(before).to_be_focused()
    visitor.page.locator(f"{panel} button").first.focus()
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(panel)).to_have_count(0)
    expect(before).to_be_focused()


@pytest.mark.parametrize("game", ["double_lucky_7", "volle_lotte"])
def test_what_floats_lies_beside_what_it_speaks_of(visit: Visit, game: str) -> None:
    ana = visit(reduced_motion="reduce")
    prepare(ana)
    set_up(ana, game, 2, 1)
    there = {"double_lucky_7": ".ask button", "volle_lotte": ".rolled .die.legal"}[game]
    hand = HANDS[game](ana)
    hand.finish(60, until=lambda: hand.has(there) and hand.has(".title p.mine"))
    hint = ana.button(ana.t("table.hint"), exact=True)
    for size in SIZES:
        resize(ana, size)
        hint.focus()
        ana.page.keyboard.press("Enter")
        lies_beside(ana, ".advice", "main .hinted")
        ana.page.evaluate(NEW_VERSION)
        lies_beside(ana, ".toasts", f"[aria-label='{ana.t('table.hint')}'], .advice")
        closes(ana, ".toasts", hint)
        closes(ana, ".advice", hint)


def test_the_reason_lies_beside_what_was_pressed(visit: Visit) -> None:
    ana = visit(reduced_motion="reduce")
    prepare(ana)
    set_up(ana, "double_lucky_7", 2, 1)
    hand = HANDS["double_lucky_7"](ana)
    hand.finish(60, until=lambda: hand.has(".ask button") and hand.has(".title p.mine"))
    card = ana.page.locator(".hand button.card").first
    for size in SIZES:
        resize(ana, size)
        card.focus()
        ana.page.keyboard.press("Enter")
        lies_beside(ana, ".notice", ".hand button.card:first-child")
        closes(ana, ".notice", card)
        ana.press(card)
        lies_beside(ana, ".notice", ".hand button.card:first-child")
        ana.page.keyboard.press("Escape")
        expect(ana.page.locator(".notice")).to_have_count(0)
