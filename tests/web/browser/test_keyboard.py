"""A whole match with the keyboard alone: Tab, arrows, Enter."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.ears import has_focus
from tests.web.browser.playing import Hand
from tests.web.browser.visitor import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

LEGAL_STEPS = """() => {
  const all = [...document.querySelectorAll('.hand .card')]
  const to = all.findIndex((card) => card.classList.contains('legal'))
  return to < 0 ? null : to - all.indexOf(document.activeElement)
}"""

# A second press so soon after a move counts as the end of a double one, and plays nothing.
TWICE = 0.4

MOVED = """told => document.querySelectorAll('.log li').length > told || !document.querySelector('.hand .card.legal')"""


class Keys(Hand):
    """LOBO 77 without a pointer."""

    moved = 0.0

    def press_on(self) -> bool:
        if not self.has(".pause button.primary"):
            return False
        self.page.keyboard.press("Enter")
        return True

    def tab_to(self, selector: str) -> None:
        """Tab until the focus is there."""
        for _ in range(80):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    def arrow(self, steps: int) -> None:
        for _ in range(abs(steps)):
            self.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")

    def choose(self, label: str, steps: int) -> None:
        """Another one in a row of choices."""
        name = self.page.get_by_role("group", name=label, exact=True).get_by_role("radio").first.get_attribute("name")
        self.tab_to(f'input[name="{name}"]')
        self.arrow(steps)

    def step(self) -> bool:
        if self.page.evaluate(LEGAL_STEPS) is None:
            return False
        self.tab_to(".hand .card")
        self.arrow(self.page.evaluate(LEGAL_STEPS))
        self.page.wait_for_timeout(1000 * max(0.0, self.moved + TWICE - time.monotonic()))
        told = self.page.locator(".log li").count()
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(MOVED, arg=told)
        assert has_focus(self.visitor)
        self.moved = time.monotonic()
        self.pressed += 1
        return True


def set_up(keys: Keys, visitor: Visitor) -> None:
    """Three seats, two bots, one token, without touching the mouse."""
    keys.tab_to('a[href="/new/lobo77"]')
    keys.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**/new/lobo77")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("LOBO 77")
    keys.choose(visitor.t("shell.seats"), -1)
    keys.tab_to('input[type="number"]')
    keys.page.keyboard.press("ArrowUp")
    keys.page.keyboard.press("ArrowUp")
    keys.choose("Tokens", -2)
    keys.tab_to(".end button.primary")
    keys.page.keyboard.press("Enter")
    expect(visitor.page.locator("#name-form input")).to_be_focused()
    keys.page.keyboard.type("Ana")
    keys.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**/t/*")


def test_a_match_without_a_mouse(visit: Visit) -> None:
    ana = visit(reduced_motion="reduce")
    ana.open()
    expect(ana.page.locator('a[href="/new/lobo77"]')).to_be_visible()
    keys = Keys(ana)
    set_up(keys, ana)
    keys.finish(limit=200)
    assert keys.pressed >= 3
    keys.tab_to('.end a[href*="/replay"]')
    keys.page.keyboard.press("Enter")
    slider = ana.page.get_by_role("slider")
    expect(slider).to_be_visible()
    assert ana.page.evaluate("() => document.activeElement.tagName") != "A"
    keys.page.keyboard.press("End")
    expect(slider).to_have_value(str(slider.get_attribute("max")))
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^Move \d+ of \d+\. .*wins!"))
    keys.page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(int(slider.get_attribute("max") or 0) - 1))
