"""The game of docs/adding-a-game.md in the browser: written and installed as the page says, then played there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.scaffold.environment import Environment, written_game
from tests.server.process import Server
from tests.web.browser.conftest import Visit
from tests.web.browser.pads import PadPage
from tests.web.browser.playing import Hand, set_up
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import PHONE

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

ROLL, HOLD = (f".dock [data-move='{move}']:not([aria-disabled='true'])" for move in ("roll", "hold"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which the game is installed."""
    return written_game(tmp_path_factory.mktemp("author"))


@pytest.fixture(scope="module")
def room(place: Environment, page_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A room in that environment."""
    settings = {"BOT_SECONDS": "0.2", "HINT_SECONDS": "0.2"}
    with Server(tmp_path_factory.mktemp("room"), python=place.python, **settings) as running:
        yield running


class Player(Hand):
    """Rolls once, then holds."""

    def step(self) -> bool:
        return self.press(HOLD, ROLL)


def test_a_match_of_a_game_from_another_package(visit: Visit, room: Server) -> None:
    ana = visit(address=room.url, lang="fr", size=PHONE, reduced_motion="reduce")
    prepare(ana)
    ana.open()
    expect(ana.page.locator("#tile-pig")).to_have_text("Pig")
    set_up(ana, "pig", 3, 2, target=60)  # more than the bots make of one turn
    expect(ana.page.locator("main")).to_contain_text("Objectif")
    expect(ana.page.locator(".dock")).to_be_visible()
    hand = Player(ana)
    hand.finish(200)
    assert hand.pressed >= 1
    expect(ana.page.get_by_text("victoire pour").first).to_be_attached()


def test_its_score_pad(visit: Visit, room: Server) -> None:
    ana = visit(address=room.url, reduced_motion="reduce")
    prepare(ana)
    pad = PadPage(ana, "pig")
    pad.start(2, first=0)
    for points in (12, 0):
        pad.number("Points of the turn", points)
        pad.write()
    assert pad.totals() == [12, 0]
