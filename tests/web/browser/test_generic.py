"""A game without a screen of its own, unknown to the pages when they were built, is played from its view alone."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.server.process import Server
from tests.web.browser import sixth
from tests.web.browser.conftest import Visit
from tests.web.browser.pads import PadPage
from tests.web.browser.playing import Hand, set_up
from tests.web.browser.test_access import axe, violations
from tests.web.browser.tour import look, prepare
from tests.web.browser.visitor import DESKTOP, PHONE, TABLET, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

__all__ = ["axe"]

SIZES = (DESKTOP, TABLET, (390, 664), (360, 640), (844, 390))
MOVE = ".dock [data-move]:not([aria-disabled='true'])"
FOCUSED = "() => document.activeElement?.dataset.move ?? null"


@pytest.fixture(scope="module")
def sixth_server(page_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows a sixth game."""
    program = sixth.write(tmp_path_factory.mktemp("package"))
    settings = {"BOT_SECONDS": "0.2", "HINT_SECONDS": "0.2"}
    with Server(tmp_path_factory.mktemp("room"), program=(str(program),), **settings) as running:
        yield running


class Presser(Hand):
    """The first move there is."""

    def step(self) -> bool:
        return self.press(MOVE)


class Keyboard(Hand):
    """The same by keys: Tab to the moves or the cards of the hand, arrows among the moves, Enter."""

    def step(self) -> bool:
        if not self.has(MOVE):
            return False
        for _ in range(60):
            focused = self.page.evaluate(FOCUSED)
            if focused is not None:
                break
            self.page.keyboard.press("Tab")
        else:
            raise AssertionError("Tab does not lead to a move")
        if self.page.locator(".dock .moves [data-move]:focus").count():
            self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press("End")
        log = self.page.locator(".log li").count()
        self.page.keyboard.press("Enter")
        self.page.wait_for_function("told => document.querySelectorAll('.log li').length > told", arg=log)
        self.pressed += 1
        return True


def guest(visit: Visit, server: Server, **given: object) -> Visitor:
    visitor = visit(address=server.url, reduced_motion="reduce", **given)
    prepare(visitor)
    return visitor


def test_a_whole_match_by_taps(visit: Visit, sixth_server: Server) -> None:
    ana = guest(visit, sixth_server, lang="fr", size=PHONE)
    ana.open()
    expect(ana.page.locator(f"#tile-{sixth.ID}")).to_have_text(sixth.NAME)
    table = set_up(ana, sixth.ID, 3, 2, rounds=7)
    expect(ana.page.locator(".dock")).to_be_visible()
    hand = Presser(ana)
    hand.finish(200)
    assert hand.pressed >= 7
    ana.button(ana.t("table.see_table"), exact=True).click()
    ana.press(ana.page.locator("main button.sheet"))
    expect(ana.page.locator("dialog[open] tbody tr")).to_have_count(7)
    ana.page.keyboard.press("Escape")
    ana.open(f"/t/{table}/replay?ply=5")
    expect(ana.page.get_by_role("slider")).to_have_value("5")
    assert not ana.page.locator(".dock .moves").count()
    ana.switch(ana.t("table.replay_open"), True)
    expect(ana.page.locator(".hands section")).to_have_count(2)
    ana.button(ana.t("table.replay_next"), exact=True).click()
    expect(ana.page.get_by_role("slider")).to_have_value("6")


def test_a_whole_match_by_keys(visit: Visit, sixth_server: Server) -> None:
    ana = guest(visit, sixth_server)
    set_up(ana, sixth.ID, 2, 1, rounds=7)
    hand = Keyboard(ana)
    hand.finish(200)
    assert hand.pressed >= 7


def test_what_the_table_shows(visit: Visit, sixth_server: Server) -> None:
    """Fields with the game's labels or their own names, what belongs to a seat at the seat, cards as moves, help."""
    ana = guest(visit, sixth_server)
    set_up(ana, sixth.ID, 3, 2)
    page = ana.page
    facts = page.locator("dl.facts")
    expect(facts).to_contain_text("To go")
    expect(facts).to_contain_text(re.compile(r"Rounds\s*14"))
    expect(page.locator(".seat .marks").get_by_text("Dealer")).to_have_count(1)
    expect(page.locator(".seat .has").filter(has_text=re.compile(r"Tricks\s*0"))).to_have_count(3)
    hand = Presser(ana)
    hand.finish(40, until=lambda: hand.has(".dock button.piece"))
    ana.button(ana.t("table.hint"), exact=True).click()
    expect(page.locator(".dock .hinted")).to_have_count(1)
    card = page.locator(".dock button.piece.hinted")
    expect(card).to_have_accessible_name(re.compile(r"^Play (the|a) [a-z]+ [a-z]+$"))
    ana.button(ana.t("table.rules"), exact=True).click()
    expect(page.locator("dialog[open] h3").first).to_be_visible()


def test_many_moves_are_searched(visit: Visit, sixth_server: Server) -> None:
    """The browser is sent a view with more moves than fit, as other games have."""
    ana = guest(visit, sixth_server)
    kinds = itertools.product(("lay", "drop"), range(20))
    many = [{"id": i, "move": f"{kind} {i}", "label": f"{kind.title()} {i}"} for kind, i in kinds]

    def changed(message: str | bytes) -> str:
        told = json.loads(message)
        if told.get("view") and told["view"]["legal"]:
            told["view"]["legal"] = many
        return json.dumps(told)

    def between(page: WebSocketRoute) -> None:
        page.connect_to_server().on_message(lambda message: page.send(changed(message)))

    ana.page.route_web_socket("**/ws/*", between)
    set_up(ana, sixth.ID, 2, 1)
    moves = ana.page.locator(".dock .moves button")
    expect(moves).to_have_count(40)
    ana.page.get_by_role("button", name="Drop · 20").click()
    expect(moves).to_have_count(20)
    ana.page.get_by_role("searchbox").fill("drop 1")
    expect(moves).to_have_count(11)
    ana.page.get_by_role("searchbox").fill("nothing")
    expect(ana.page.get_by_text(ana.t("generic.nothing_found"))).to_be_visible()
    ana.fits()


@pytest.mark.usefixtures("axe")
def test_axe_finds_nothing_at_any_size(visit: Visit, sixth_server: Server) -> None:
    ana = guest(visit, sixth_server)
    found: list[str] = []

    def check(name: str) -> None:
        for size, scheme in itertools.product(SIZES, ("light", "dark")):
            look(ana, size, scheme)
            ana.fits()
            found.extend(f"{name} {size} {scheme}: {one}" for one in violations(ana.page))
        look(ana, DESKTOP, "light")

    ana.open()
    expect(ana.page.locator(f"#tile-{sixth.ID}")).to_be_visible()
    check("home")
    set_up(ana, sixth.ID, 4, 3, rounds=7)
    hand = Presser(ana)
    hand.finish(60, until=lambda: hand.pressed >= 6 and hand.has(".dock .moves button"))
    check("moves")
    hand.finish(60, until=lambda: hand.has(".dock button.piece"))
    check("cards")
    hand.finish(200)
    check("end")
    assert not found, "\n".join(found)


def test_a_pad_is_written_on_the_plain_form(visit: Visit, sixth_server: Server) -> None:
    ana = guest(visit, sixth_server, size=PHONE)
    pad = PadPage(ana, sixth.ID)
    pad.start(3, first=0)
    pad.each("bids", [1, 0, 1])
    pad.write()
    pad.each("tricks", [1, 0, 0])
    pad.write()
    assert pad.points(0) == ["12", "10", "0"]
