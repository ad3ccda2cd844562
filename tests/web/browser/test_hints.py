"""A hint says why in the game's terms, and no figure that is not known."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import set_up
from tests.web.browser.tour import prepare

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]


def test_a_hint_has_a_reason_and_no_figure_that_is_not_known(visit: Visit) -> None:
    ana = visit(reduced_motion="reduce")
    prepare(ana)
    ana.open()
    set_up(ana, "skipbo", 2, 1)
    expect(ana.page.locator('button.card.legal[data-spot^="hand:"]').first).to_be_visible()
    ana.page.keyboard.press("h")
    advice = ana.page.locator(".advice")
    expect(advice).to_be_visible()
    expect(advice.locator("p")).to_have_text(re.compile(r"[A-Z].{15,}[.!]"))
    shown = advice.locator(".chance").all_inner_texts()
    words = {ana.t("table.as_good"), ana.t("table.weaker"), ""}
    assert len(shown) > 1 and shown[1] in words
    log = ana.page.get_by_role("log")
    expect(log.get_by_text(advice.locator("p").inner_text())).to_have_count(1)
