"""The first page, and the ways from it to a table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import END, HANDS, games, set_up

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

SMALL = [(390, 664), (360, 640)]
# What is not wholly on the first screen, by name.
OFF_SCREEN = """elements => elements.flatMap(element => {
  const box = element.getBoundingClientRect()
  const seen = box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth
  return seen ? [] : [`${element.textContent.trim()} ${Math.round(box.top)} to ${Math.round(box.bottom)}`]
})"""
# Whether the lobby was there at any time.
WATCH_LOBBY = """new MutationObserver(() => {
  if (document.querySelector('#seats-title')) sessionStorage.lobby = 'seen'
}).observe(document, { childList: true, subtree: true })"""


def first_screen(page: Page) -> None:
    """All five games can be played, and a table joined, without scrolling."""
    tiles = page.locator(".games article:has(button.primary)")
    expect(tiles).to_have_count(5)
    for part in ("h2", ".ways > *", "button"):
        assert tiles.locator(part).evaluate_all(OFF_SCREEN) == []
    join = page.locator("section[aria-labelledby=join-title]")
    assert join.locator("h2, input, button").evaluate_all(OFF_SCREEN) == []


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("size", SMALL, ids=["390x664", "360x640"])
def test_a_phones_first_screen_has_all_games_and_the_way_to_join(
    visit: Visit, size: tuple[int, int], lang: str
) -> None:
    ana = visit(lang=lang, size=size)
    ana.open()
    first_screen(ana.page)
    # Also for somebody who has a match to go on with.
    set_up(ana, "volle_lotte", 2, 1)
    ana.open()
    mine = ana.page.get_by_role("region", name=ana.t("shell.mine_title"))
    expect(mine.get_by_role("link")).to_be_visible()
    assert mine.get_by_role("link").evaluate_all(OFF_SCREEN) == []
    first_screen(ana.page)


def test_play_now_shows_no_lobby(visit: Visit) -> None:
    ana = visit(size=SMALL[0])
    ana.context.add_init_script(WATCH_LOBBY)
    ana.open()
    info = games(ana.address, "en")["lobo77"]
    ana.button(f"{ana.t('shell.play_now')} {info['name']}").click()
    ana.button(ana.t("shell.lesson_skip"), exact=True).click()
    ana.say_name()
    expect(ana.page.locator(".shell main.screen")).to_be_visible()
    assert ana.page.evaluate("() => sessionStorage.lobby") is None


def test_friends_are_invited_first(visit: Visit) -> None:
    """The link and the QR code come before everything else of the lobby, and on the first screen."""
    ana = visit(size=SMALL[0])
    set_up(ana, "lobo77", 3, 0)
    link = ana.page.get_by_label(ana.t("table.link"), exact=True)
    code = ana.page.get_by_role("img", name=ana.t("table.qr"))
    expect(link).to_be_visible()
    assert link.evaluate_all(OFF_SCREEN) == [] and code.evaluate_all(OFF_SCREEN) == []
    heights = [one.bounding_box() for one in (link, code, ana.page.locator("#seats-title"))]
    tops = [box["y"] for box in heights if box is not None]
    assert len(tops) == 3 and tops == sorted(tops)


def test_finished_matches_are_not_to_go_on_with(visit: Visit) -> None:
    ana = visit(size=SMALL[0])
    ana.open()
    ana.hurry()
    set_up(ana, "volle_lotte", 2, 1, target=1000)
    HANDS["volle_lotte"](ana).finish(limit=400)
    expect(ana.page.locator(END)).to_be_visible()
    ana.open()
    over = ana.page.get_by_role("region", name=ana.t("shell.over_title"))
    expect(over.get_by_text(ana.t("shell.state_over"))).to_be_visible()
    expect(ana.page.get_by_role("region", name=ana.t("shell.mine_title"))).to_have_count(0)
    over.get_by_role("link").click()
    expect(ana.page.locator(END)).to_be_visible()
