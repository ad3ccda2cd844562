"""A walk past every screen, for whoever wants to look: axe, and the camera.

Each part is a generator that leads a visitor from screen to screen and yields the name of the one that shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import expect

from tests.web.browser.pads import PadPage
from tests.web.browser.playing import END, HANDS, Hand, set_up
from tests.web.browser.visitor import Visitor

Part = Callable[[Visitor], Iterator[str]]

PREPARED = """prefs => {
  if (!localStorage['ludotheque.prefs']) localStorage['ludotheque.prefs'] = prefs
  const games = ['lobo77', 'loba', 'skipbo', 'volle_lotte', 'double_lucky_7']
  localStorage['ludotheque.lessons'] ??= JSON.stringify(Object.fromEntries(games.map((game) => [game, 'skipped'])))
}"""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))"


def prepare(visitor: Visitor, speed: str = "none") -> None:
    """A device that knows its person and the games."""
    prefs = {"name": visitor.name, "speed": speed, "lang": visitor.lang, "volume": 0}
    visitor.context.add_init_script(f"({PREPARED})({json.dumps(json.dumps(prefs))})")


def look(visitor: Visitor, size: tuple[int, int], scheme: str) -> None:
    """See the screen in another size, light or dark."""
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visitor.page.evaluate(SETTLED)


def shell(visitor: Visitor) -> Iterator[str]:
    page = visitor.page
    visitor.open()
    expect(page.locator(".games .button.primary")).to_have_count(5)
    yield "home"
    visitor.button(visitor.t("shell.settings")).click()
    yield "settings"
    page.keyboard.press("Escape")
    page.locator("header .name").click()
    expect(page.locator("#name-form")).to_be_visible()
    yield "name"
    page.keyboard.press("Escape")
    visitor.open("/new/skipbo")
    expect(page.locator("form")).to_be_visible()
    yield "new-table"
    for path in ("join", "about"):
        visitor.open(f"/{path}")
        expect(page.locator("main")).to_be_visible()
        yield path
    visitor.forgive("404")
    visitor.open("/nothing/here")
    expect(page.locator("main")).to_be_visible()
    yield "lost"
    visitor.open("/t/abcdefgh2345")
    expect(page.get_by_role("alert")).to_be_visible()
    yield "dead-link"


def lobby(visitor: Visitor) -> Iterator[str]:
    page = visitor.page
    set_up(visitor, "skipbo", 4, 1, teams=True)
    expect(page.get_by_label(visitor.t("table.link"), exact=True)).to_be_visible()
    yield "lobby"
    visitor.button(visitor.t("table.rules"), exact=True).click()
    expect(page.locator("dialog[open] h3").first).to_be_visible()
    yield "lobby-rules"
    page.keyboard.press("Escape")
    visitor.button(visitor.t("table.add_bot", n=3)).click()
    expect(page.get_by_role("menuitem").first).to_be_visible()
    yield "lobby-bots"
    page.keyboard.press("Escape")


def _until(hand: Hand, presses: int, selector: str) -> None:
    """Play on for a while, then until something shows and it is one's turn."""
    goal = hand.pressed + presses
    mine = ".title p.mine"
    hand.finish(1500, until=lambda: hand.pressed >= goal and hand.has(selector) and hand.has(mine))
    assert not hand.has(END), "the match was over too soon"


def _table(game: str, seats: int, presses: int, selector: str, later: str, short: dict[str, Any]) -> Part:
    """A match: in the middle of it, with what can be opened beside it, later if there is more to see, and its end."""

    def part(visitor: Visitor) -> Iterator[str]:
        page = visitor.page
        set_up(visitor, game, seats, seats - 1, **short)
        hand = HANDS[game](visitor)
        _until(hand, presses, selector)
        expect(page.locator(".cheer, .moment")).to_have_count(0)
        yield game
        visitor.button(visitor.t("table.hint"), exact=True).click()
        expect(page.locator(".advice")).to_be_visible()
        yield f"{game}-hint"
        page.locator(".advice header button").click()
        sheet = page.locator("main button.sheet")
        if sheet.count():
            sheet.click()
            yield f"{game}-scores"
            page.keyboard.press("Escape")
        if later:
            hand.finish(1500, until=lambda: hand.has(later))
            yield f"{game}-later"
        hand.finish(1500)
        expect(page.locator(END)).to_be_visible()
        yield f"{game}-end"

    return part


def beside(visitor: Visitor) -> Iterator[str]:
    """What opens beside any table, and the replay."""
    page = visitor.page
    table = set_up(visitor, "lobo77", 3, 2, tokens=1, swim=False)
    visitor.button(visitor.t("table.menu"), exact=True).click()
    expect(page.locator("dialog[open] h3").first).to_be_visible()
    yield "table-menu"
    page.keyboard.press("Escape")
    visitor.button(visitor.t("table.rules"), exact=True).click()
    expect(page.locator("dialog[open] h3").first).to_be_visible()
    yield "rules"
    page.keyboard.press("Escape")
    HANDS["lobo77"](visitor).finish(600)
    visitor.open(f"/t/{table}/replay?ply=7")
    expect(page.get_by_role("slider")).to_be_visible()
    yield "replay"
    visitor.switch(visitor.t("table.replay_open"), True)
    yield "replay-open"
    visitor.open()
    expect(page.locator("#over-title")).to_be_visible()
    expect(page.locator("li.ghost")).to_have_count(0)
    yield "home-mine"


def lesson(visitor: Visitor) -> Iterator[str]:
    """A guided match: a move is asked for, a wrong one was tried, the right one is praised."""
    page = visitor.page
    visitor.open("/lesson/lobo77")
    page.locator(".coach .primary").click()
    expect(page.locator(".coach .ask")).to_be_visible()
    yield "lesson"
    page.locator('.hand [data-spot="hand:0"]').click()
    expect(page.locator(".coach .wrong")).to_be_visible()
    yield "lesson-wrong"
    page.locator('.hand [data-spot="hand:4"]').click()
    expect(page.locator(".coach .good")).to_be_visible()
    yield "lesson-good"


def _pad(game: str, players: int, entries: list[dict[str, Any]], options: dict[str, Any]) -> Part:
    def part(visitor: Visitor) -> Iterator[str]:
        pad = PadPage(visitor, game)
        pad.start(players, first=0, **options)
        for entry in entries:
            for field, values in entry.items():
                if field == "player":
                    pad.page.locator(".players").get_by_role("button").nth(values).click()
                elif field == "total":
                    pad.page.locator(".now").get_by_role("radio").nth(values // 11 - 1).check()
                elif isinstance(values, list):
                    pad.each(field, values)
                else:
                    pad.number(pad.labels[field], values)
            pad.write()
        yield f"pad-{game}"

    return part


def pad_setup(visitor: Visitor) -> Iterator[str]:
    page = visitor.page
    visitor.open("/pad?game=double_lucky_7")
    expect(page.locator("ol .input").first).to_be_visible()
    page.locator("summary").click()
    yield "pad-setup"
    pad = PadPage(visitor, "loba")
    pad.start(3, first=0)
    visitor.button(visitor.t("loba.pad_count_hand", name="Ana"), exact=True).click()
    for key in (4, 9, 13):
        page.locator(".keys button").nth(key).click()
    yield "pad-count"
    visitor.button(visitor.t("loba.pad_take_over"), exact=True).click()
    pad.each("points", [40, 999, 12])
    expect(page.locator(".now .refused")).to_be_visible()
    yield "pad-wrong"
    pad.each("points", [40, 3, 12])
    visitor.button(visitor.t("pad.write"), exact=True).click()
    expect(page.locator(".question")).to_be_visible()
    yield "pad-asked"
    pad.each("points", [40, 0, 12])
    pad.write()
    visitor.button(visitor.t("pad.names"), exact=True).click()
    yield "pad-names"
    page.keyboard.press("Escape")
    visitor.button(visitor.t("pad.share"), exact=True).click()
    yield "pad-share"
    page.keyboard.press("Escape")
    pad.correct(1)
    yield "pad-correct"


BIDS: list[dict[str, Any]] = [
    {"bids": [1, 0, 1, 0]},
    {"tricks": [1, 0, 0, 0]},
    {"bids": [0, 1, 0, 0]},
    {"tricks": [0, 1, 1, 0]},
    {"bids": [1, 1, 2, 0]},
]
PARTS: dict[str, Part] = {
    "shell": shell,
    "lobby": lobby,
    "beside": beside,
    "lesson": lesson,
    "lobo77": _table("lobo77", 4, 4, ".hand .card.legal", "", {"tokens": 2}),
    "loba": _table("loba", 3, 20, "button[data-spot^='meld:']", ".melds section", {}),
    "skipbo": _table("skipbo", 3, 10, ".mine .card.legal", ".mine .card.picked", {"stock": 10}),
    "volle_lotte": _table("volle_lotte", 3, 2, ".rolled .die.legal", "", {"target": 3000}),
    "double_lucky_7": _table("double_lucky_7", 4, 15, ".hand .card.legal", "", {"rounds": 7}),
    "pad_setup": pad_setup,
    "pad_lobo77": _pad("lobo77", 4, [{"player": 1, "total": 33}, {"player": 2, "total": 77}], {}),
    "pad_loba": _pad("loba", 4, [{"points": [40, 0, 13, 12]}, {"points": [0, 25, 8, 31]}], {}),
    "pad_skipbo": _pad("skipbo", 3, [{"stocks": [0, 7, 9]}, {"stocks": [4, 0, 6]}], {"match": "points"}),
    "pad_volle_lotte": _pad("volle_lotte", 3, [{"points": p} for p in (950, 0, 1700, 400)], {}),
    "pad_double_lucky_7": _pad("double_lucky_7", 4, BIDS, {}),
}
