"""The guided first matches: each played to its end by pressing what is asked, with an error on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import games
from tests.web.browser.visitor import DESKTOP, PHONE, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

SMALL, LANDSCAPE = (360, 640), (740, 360)
COACH, NEXT = ".coach", ".coach .primary"
GLOWING = [f"main {glow}.hinted" for glow in (".big", "[data-move]", ".button", "[data-held] ", ".hand ", ".mine ", "")]

WRONG = {
    "lobo77": ("first", "0", '.hand button.card[data-spot="hand:0"]'),
    "loba": ("take", "stock", 'button[data-spot="stock"]'),
    "skipbo": ("start", "*>1", '.mine button.card[data-spot="hand:4"]'),
    "volle_lotte": ("keep", "stop", "button.big.stop"),
    "double_lucky_7": ("bid", "bid 0", '.ask button[data-move="bid 0"]'),
}
"""At which step somebody errs, the move, and what they press."""

AGAINST_THE_RULES = {
    "double_lucky_7": ("follow", '.hand button.card[data-spot="hand:B12"]', "D9"),
}

SIZES = {
    "lobo77": ("en", SMALL),
    "loba": ("fr", PHONE),
    "skipbo": ("en", LANDSCAPE),
    "volle_lotte": ("fr", SMALL),
    "double_lucky_7": ("en", DESKTOP),
}


class Learner:
    """Somebody who follows a guided match."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.visitor, self.page = visitor, visitor.page
        query = {"lang": visitor.lang}
        self.told: dict[str, Any] = httpx.get(f"{visitor.address}/api/games/{game}/lesson", params=query).json()
        self.steps = {step["id"]: step for step in self.told["steps"] if step["id"]}

    def until(self, step: str) -> None:
        """Do what is asked until a step is asked for."""
        asked = self.steps[step]["ask"]
        self._follow(lambda: self.page.locator(".coach .ask").filter(has_text=asked).count() > 0)

    def finish(self) -> None:
        """Do what is asked to the end."""
        last = self.told["steps"][-1]["say"]
        self._follow(lambda: self.page.locator(COACH).filter(has_text=last).count() > 0)

    def _follow(self, is_there: Callable[[], bool]) -> None:
        for _ in range(200):
            if is_there():
                return
            if self.page.locator(NEXT).count():
                self.visitor.press_first(NEXT)
            elif self.page.locator(".coach .ask").count():
                if not self.page.locator("main .hinted").count():
                    self.visitor.button(self.visitor.t("lesson.show"), exact=True).click()
                self.visitor.press_first(*GLOWING)
            self.visitor.fits()
            self.page.wait_for_timeout(30)
        raise AssertionError(f"no end: {self.page.locator(COACH).inner_text()}")


@pytest.mark.parametrize("game", WRONG)
def test_a_guided_match_to_its_end(visit: Visit, game: str) -> None:
    """It is offered, it can be erred in, left and resumed, and it ends at a real match."""
    lang, size = SIZES[game]
    ana = visit(lang=lang, size=size, reduced_motion="reduce")
    page = ana.page
    learner = Learner(ana, game)
    title = games(ana.address, lang)[game]["name"]
    ana.open()
    ana.hurry()
    ana.button(f"{ana.t('shell.play_now')} {title}", exact=True).click()
    page.get_by_role("link", name=ana.t("shell.lesson_go"), exact=True).click()
    page.wait_for_url(f"**/lesson/{game}")
    expect(page.locator(COACH)).to_contain_text(learner.told["steps"][0]["say"])

    step, move, pressed = WRONG[game]
    learner.until(step)
    ana.press_first(pressed)
    expect(page.locator(".coach .wrong")).to_have_text(learner.steps[step]["wrong"][move])
    expect(page.locator(".coach .ask")).to_have_text(learner.steps[step]["ask"])
    if game in AGAINST_THE_RULES:
        step, pressed, rule = AGAINST_THE_RULES[game]
        learner.until(step)
        ana.press_first(pressed)
        expect(ana.button(ana.t("table.rule", rule=rule), exact=True)).to_be_visible()
        expect(page.locator(".coach .wrong")).to_be_visible()
        expect(page.locator(".coach .ask")).to_have_text(learner.steps[step]["ask"])

    page.get_by_role("link", name=ana.t("lesson.leave"), exact=True).click()
    ana.button(f"{ana.t('shell.play_now')} {title}", exact=True).click()
    page.get_by_role("link", name=ana.t("shell.lesson_resume"), exact=True).click()
    expect(page.locator(".coach .ask")).to_have_text(learner.steps[step]["ask"])

    learner.finish()
    ana.check()
    page.locator(NEXT).click()
    ana.say_name()
    page.wait_for_url("**/t/*")
