"""For everybody: axe finds nothing on any screen, and each move is said in words."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Page, expect

from tests import needs
from tests.web.browser.conftest import Visit
from tests.web.browser.playing import HANDS, set_up
from tests.web.browser.tour import PARTS, look, prepare
from tests.web.browser.visitor import DESKTOP, PHONE
from tests.web.sources import WEB

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.flatMap(
  ({ id, help, nodes }) => nodes.map(({ target, any, all, none }) =>
    `${id}: ${help} ${target.join(' ')} ${[...any, ...all, ...none].map((one) => one.message).join('; ')}`))"""


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it is. Its script comes by the debugger, which no policy of the page stops."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(RUN)
    return found


@pytest.fixture(scope="module")
def axe() -> None:
    if not AXE.exists():
        needs.missing("axe-core is not installed: make web")


@pytest.mark.parametrize("part", PARTS)
def test_axe_finds_nothing(axe: None, visit: Visit, part: str) -> None:
    ana = visit(reduced_motion="reduce", lang="fr" if part in ("skipbo", "pad_loba") else "en")
    prepare(ana)
    found = []
    for name in PARTS[part](ana):
        for size, scheme in itertools.product((DESKTOP, PHONE), ("light", "dark")):
            look(ana, size, scheme)
            ana.fits()
            found += [f"{name} {size[0]} {scheme}: {one}" for one in violations(ana.page)]
        look(ana, DESKTOP, "light")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", HANDS)
def test_every_move_is_announced(visit: Visit, game: str) -> None:
    """All that the log says of the match is also said in the live region, in the same order; and one's turn."""
    ana = visit(lang="fr")
    prepare(ana)
    ana.open()
    seats = 3 if game == "loba" else 2
    set_up(ana, game, seats, seats - 1)
    expect(ana.page.locator(".log li.move").first).to_be_visible()
    region = ana.page.locator("[data-announcer]")
    assert region.get_attribute("aria-live") == "polite"
    told = ana.page.evaluate(
        """() => {
          const region = document.querySelector('[data-announcer]')
          window.said = [...region.children].map((line) => line.textContent)
          new MutationObserver((news) => {
            for (const { addedNodes } of news) for (const node of addedNodes) window.said.push(node.textContent)
          }).observe(region, { childList: true })
          return (window.logged = document.querySelectorAll('.log li').length)
        }"""
    )
    HANDS[game](ana).finish(1500, until=lambda: ana.page.locator(".log li").count() >= told + 8)
    logged, said = ana.page.evaluate(
        """() => {
          const lines = [...document.querySelectorAll('.log li')].slice(window.logged)
          return [lines.map((line) => line.textContent.trim()), window.said.map((text) => text.trim())]
        }"""
    )
    turn = ana.t("table.your_turn")
    assert turn in said
    moves = [text for text in said if text != turn]
    assert len(logged) >= 8 and moves[-len(logged) :] == logged
