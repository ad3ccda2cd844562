"""One always knows what to do: a line says the step, what comes too early says so, and what is no combination, why."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import set_up
from tests.web.browser.test_lessons import Learner
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import PHONE, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

STEPS = {
    "lobo77": [("first", "lobo77.your_turn")],
    "skipbo": [("start", "skipbo.your_turn")],
    "volle_lotte": [
        ("card", "volle_lotte.step_turn"),
        ("keep", "volle_lotte.step_keep_or_stop"),
        ("bank", "volle_lotte.step_lotte"),
        ("six", "volle_lotte.step_roll"),
    ],
    "double_lucky_7": [("bid", "double_lucky_7.bid_ask"), ("follow", "double_lucky_7.step_play")],
    "loba": [
        ("take", "loba.step_draw"),
        ("drop", "loba.step_play_contract"),
        ("finish", "loba.step_discard"),
        ("run", "loba.step_play"),
    ],
}
"""Moments of the guided matches, and what the table says in them."""


@pytest.mark.parametrize("game", STEPS)
def test_the_step_is_said(visit: Visit, game: str) -> None:
    ana = visit(size=PHONE, reduced_motion="reduce")
    prepare(ana)
    ana.open(f"/lesson/{game}")
    learner = Learner(ana, game)
    for step, key in STEPS[game]:
        learner.until(step)
        words = re.escape(ana.t(key, card="@")).replace("@", ".+")
        expect(ana.page.locator("main").get_by_text(re.compile(f"^{words}$")).first).to_be_visible()


def _table(visit: Visit, **given: object) -> tuple[Visitor, Locator]:
    """A table of Loba, waiting for the visitor to draw; the prompt."""
    ana = visit(reduced_motion="reduce", **given)
    prepare(ana)
    set_up(ana, "loba", 3, 2)
    prompt = ana.page.locator(".prompt")
    expect(prompt).to_have_text(ana.t("loba.step_draw"))
    return ana, prompt


def test_a_tap_that_comes_too_early_says_so(visit: Visit) -> None:
    ana, prompt = _table(visit, size=PHONE)
    ana.press(ana.page.locator("[data-held] button").first)
    expect(prompt).to_have_text(ana.t("loba.step_draw_first"))
    ana.press(ana.page.locator("[data-held] button.picked"))
    expect(prompt).to_have_text(ana.t("loba.step_draw"))


@pytest.mark.parametrize(("spot", "event"), [("stock", "from the stock"), ("pile", "from the .*pile")])
def test_dragging_from_a_pile_to_the_hand_draws(visit: Visit, spot: str, event: str) -> None:
    ana, prompt = _table(visit)
    page = ana.page
    held = page.locator("[data-held]")
    expect(held).to_have_count(11)
    page.locator(f'button[data-spot="{spot}"]').drag_to(held.nth(5))
    expect(held).to_have_count(12)
    expect(prompt).to_have_text(ana.t("loba.step_play_contract"))
    expect(page.locator(".log li").filter(has_text=re.compile(f"Ana .*{event}"))).to_have_count(1)


def test_a_group_that_is_no_combination_says_why(visit: Visit) -> None:
    """Three cards of different ranks are none in any hand."""
    ana, _ = _table(visit)
    page = ana.page
    ranks: set[str] = set()
    chosen: list[Locator] = []
    for button in page.locator("[data-held] button").all():
        rank = (button.get_attribute("data-spot") or "").split(":")[1][:-1]
        if rank and rank not in ranks and len(chosen) < 3:
            ranks.add(rank)
            chosen.append(button)
    for button in chosen:
        ana.press(button)
    ana.button(ana.t("loba.group_these", n=3), exact=True).click()
    expect(page.locator(".notice")).to_contain_text(re.compile(r"B[678]"))
    page.locator(".notice").get_by_role("button", name=ana.t("shell.close")).click()
    ana.button(ana.t("loba.group_why"), exact=True).click()
    expect(page.locator(".notice")).to_contain_text(re.compile(r"B[678]"))


def test_there_is_one_undo(visit: Visit) -> None:
    ana, _ = _table(visit)
    page = ana.page
    ana.button(ana.t("loba.sort.suit"), exact=True).click()
    undo = ana.button(ana.t("table.undo"), exact=True)
    expect(undo).to_have_count(1)
    drawn = undo.locator("path").first.get_attribute("d")
    assert drawn
    expect(page.locator(f'button path[d="{drawn}"]')).to_have_count(1)
