"""Whole matches by hand: what somebody who knows no finesse would press in each game."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import expect

from tests.web.browser.visitor import Visitor

END = "#end-title"
PATIENCE = 90.0
"""Seconds until somebody who has nothing to press is taken for stuck."""


def games(address: str, lang: str) -> dict[str, dict[str, Any]]:
    """The games as the server tells them, by their ids."""
    told = httpx.get(f"{address}/api/games", params={"lang": lang}, timeout=30).raise_for_status().json()
    return {game["id"]: game for game in told["games"]}


def set_up(visitor: Visitor, game: str, seats: int, bots: int, **options: Any) -> str:
    """A table set up on the page for it; its id. With a bot on every other seat it is dealt at once."""
    info = games(visitor.address, visitor.lang)[game]
    visitor.open(f"/new/{game}")
    visitor.choose(visitor.t("shell.seats"), str(seats))
    field = visitor.page.get_by_label(visitor.t("shell.bots"), exact=True)
    field.fill(str(bots))
    field.press("Tab")
    for name, value in options.items():
        visitor.set_option(next(option for option in info["options"] if option["name"] == name), value)
    visitor.fits()
    visitor.button(visitor.t("shell.new_play" if bots == seats - 1 else "shell.new_go"), exact=True).click()
    if visitor.page.evaluate("() => !JSON.parse(localStorage['ludotheque.prefs'] ?? '{}').name"):
        visitor.say_name()
    visitor.page.wait_for_url("**/t/*")
    return visitor.path.rsplit("/", 1)[-1]


class Hand(ABC):
    """One visitor's way through a match. `step` presses something if there is anything to press."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.pressed = 0

    def press(self, *selectors: str) -> bool:
        """Press what the first of the selectors finds that finds something now."""
        done = self.visitor.press_first(*selectors)
        self.pressed += done
        return done

    def has(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0

    def press_on(self) -> bool:
        """Press on after a round, if it is over."""
        return self.press(".pause button.primary")

    @abstractmethod
    def step(self) -> bool:
        """Make a move if one can be made now."""

    def finish(self, limit: int, until: Callable[[], bool] | None = None) -> None:
        """Play to the end of the match, or until something else is true."""
        last = time.monotonic()
        while self.page.locator(END).count() == 0 and not (until and until()):
            assert self.pressed < limit, f"no end after {limit} presses"
            if self.press_on() or self.step():
                last = time.monotonic()
                self.visitor.fits()
            else:
                assert time.monotonic() - last < PATIENCE, (
                    f"nothing to press:\n{self.page.locator('body').inner_text()}"
                )
                self.page.wait_for_timeout(15)


class Lobo(Hand):
    """The first card that can be played. One that was held for too long is taken up instead: it is put back."""

    def step(self) -> bool:
        return self.press(".hand button.card.legal", ".hand button.card.picked")


class Skipbo(Hand):
    """The stock first, then from the hand, and a discard at the end."""

    def step(self) -> bool:
        if self.has(".mine button.card.picked"):
            return self.press(
                'button.card.legal[data-spot^="built:"]', '.mine button.card.legal[data-spot^="discard:"]'
            )
        return self.press(
            '.mine button.card.legal[data-spot^="stock:"]',
            '.mine button.card.legal[data-spot^="hand:"]',
            'button.card.legal[data-spot="draw"]',
            '.mine button.card.legal[data-spot^="discard:"]',
            "button.word:enabled",
        )


class VolleLotte(Hand):
    """Stop as soon as it brings points, otherwise keep what counts."""

    def step(self) -> bool:
        return self.press("button.big.stop", 'button.big.go:not([aria-disabled="true"])', ".rolled button.die.legal")


class DoubleLucky(Hand):
    """Bid the least that is allowed, follow with the first card."""

    def step(self) -> bool:
        return self.press(
            ".ask button[data-move]:not([aria-disabled])", ".hand button.card.legal", ".hand button.card.picked"
        )


class Loba(Hand):
    """Draw, lay down what the page proposes, add what fits, discard."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__(visitor)
        self.tried = 0
        self.proposed = False

    def step(self) -> bool:
        if self.press('button[data-spot="stock"].legal'):
            self.tried, self.proposed = 0, False
            return True
        if not self.has(".title p.mine"):
            return False
        if self.press('[data-move="lay"]', '[data-move^="add "]'):
            self.tried = 0
            return True
        num_held = self.page.locator("[data-held]").count()
        if self.has("[data-held] button.picked"):
            # Whoever is down looks for a card to add first.
            may_drop = self.tried > num_held or not self.has(".contract .said.done")
            return self.press(*['[data-move^="drop "]'] * may_drop, "[data-held] button.picked")
        propose = self.visitor.button(self.visitor.t("loba.propose"))
        if not self.proposed and propose.count():
            self.proposed = True
            self.visitor.press(propose)
            return True
        self.tried += 1
        place = num_held - self.tried % max(1, num_held) - 1
        held = self.page.locator("[data-held] button:not(.card.dim)")
        return held.count() > place >= 0 and self.press(f"[data-held]:nth-child({place + 1}) button")


HANDS: dict[str, type[Hand]] = {
    "lobo77": Lobo,
    "loba": Loba,
    "skipbo": Skipbo,
    "volle_lotte": VolleLotte,
    "double_lucky_7": DoubleLucky,
}


def invite(host: Visitor, guest: Visitor) -> None:
    """The guest opens the host's link on a page that knows nothing yet, and sits down."""
    link = host.page.get_by_label(host.t("table.link"), exact=True).input_value()
    assert "#join=" in link
    guest.open(link)
    guest.button(guest.t("table.sit_here")).first.click()
    guest.say_name()
    expect(host.page.get_by_text(guest.name, exact=True).first).to_be_visible()
    assert "#" not in guest.page.url, "the secret stays in the address"


def deal(host: Visitor, guest: Visitor) -> None:
    host.button(host.t("table.start"), exact=True).click()


def play_on(hands: list[Hand], until: Callable[[], bool]) -> None:
    """Everybody plays until something is true. Not every press plays a card: one too soon after a move does nothing."""
    last = time.monotonic()
    while not until():
        if any([hand.press_on() or hand.step() for hand in hands]):
            last = time.monotonic()
        else:
            assert time.monotonic() - last < PATIENCE, "nobody has anything to press"
            hands[0].page.wait_for_timeout(20)


def two_at_a_table(host: Visitor, guest: Visitor, game: str, **options: Any) -> list[Hand]:
    """A table in a hurry for two who come in by their own pages, dealt; both hands."""
    for one in (host, guest):
        one.open()
        one.hurry()
    set_up(host, game, 2, 0, **options)
    invite(host, guest)
    deal(host, guest)
    return [HANDS[game](host), HANDS[game](guest)]
