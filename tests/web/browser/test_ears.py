"""For those who listen and type: hints are said, Tab leads to targets, single letters can be switched off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import set_up
from tests.web.browser.tour import prepare

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

NO_LETTERS = """() => {
  const key = 'ludotheque.prefs'
  localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), keys: false })
}"""


def test_a_hint_is_said_tab_leads_on_and_letters_can_be_off(visit: Visit) -> None:
    ana = visit(reduced_motion="reduce")
    prepare(ana)
    ana.open()
    set_up(ana, "skipbo", 2, 1)
    held = ana.page.locator('button.card.legal[data-spot^="hand:"]').first
    held.focus()
    ana.page.keyboard.press("Shift+Enter")
    ana.page.keyboard.press("Tab")
    spot = ana.page.evaluate("() => document.activeElement.dataset.spot ?? ''")
    assert spot.startswith(("built:", "discard:")), spot
    ana.page.keyboard.press("Escape")
    ana.page.keyboard.press("h")
    expect(ana.page.get_by_role("log").get_by_text("Hint: ")).to_have_count(1)
    ana.page.keyboard.press("?")
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    ana.page.evaluate(NO_LETTERS)
    ana.page.reload()
    expect(held).to_be_visible()
    ana.page.keyboard.press("?")
    ana.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert ana.page.get_by_role("dialog").count() == 0
