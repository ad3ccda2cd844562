"""A round without eyes: what somebody hears of a page, and how they play by it.

Nothing here knows how a page looks. Things are found by their role and name, and pressed with the Enter key; what
happens is known from what is announced.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from typing import Any

from playwright.sync_api import Locator, TimeoutError, expect

from ludotheque.core.words import game_words
from tests.web.browser.playing import PATIENCE, set_up
from tests.web.browser.visitor import Visitor
from tests.web.sources import texts

# What a screen reader does with live regions: it says what is added to them.
HEAR = """() => {
  window.announced = []
  const live = '[aria-live=polite], [aria-live=assertive], [role=log], [role=status], [role=alert]'
  new MutationObserver((news) => {
    for (const { addedNodes, target } of news) for (const node of addedNodes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(live)
      const found = region ? [node] : node.nodeType === 1 ? [...node.querySelectorAll(live)] : []
      for (const one of found) if (one.textContent.trim()) window.announced.push(one.textContent.trim())
    }
  }).observe(document, { childList: true, subtree: true })
}"""
MOMENT = 1_000
"""Milliseconds in which something that was there is pressed."""
ROUNDS = {"double_lucky_7": 3, "volle_lotte": 2}
"""Rounds that are played, where the first is over in a moment."""
SHORT: dict[str, dict[str, Any]] = {"skipbo": {"stock": 5}, "double_lucky_7": {"rounds": 7}}


def beginning(lang: str, key: str) -> re.Pattern[str]:
    """The beginning of a name, up to what is filled in."""
    area, name = key.split(".", 1)
    return re.compile("^" + re.escape(plain(texts(lang, area)[name].split("{")[0])))


def said(game: str, lang: str, key: str) -> re.Pattern[str]:
    """A sentence of the game, whatever is filled in."""
    found = game_words(game).catalogue(lang).find(key)
    forms = [found] if isinstance(found, str) else list(found.values())
    holes = [re.sub(r"\\\{.*?\\\}", ".+", re.escape(form)) for form in forms]
    return re.compile(plain("|".join(holes)))


def plain(text: str) -> str:
    """As it is heard: all spaces are alike."""
    return re.sub(r"[\u00a0\u202f]", " ", text).strip()


def has_focus(visitor: Visitor) -> bool:
    """Whether the keyboard is somewhere on the page, and not thrown back to its top."""
    try:
        visitor.page.wait_for_function("() => document.activeElement !== document.body", timeout=MOMENT)
    except TimeoutError:
        return False
    return True


class Ear(ABC):
    """One person who listens and types."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.visitor = visitor
        self.game = game
        self.page = visitor.page
        self.lost_focus: list[str] = []

    def sit_down(self) -> None:
        """A table with bots on the other seats, dealt."""
        self.visitor.context.add_init_script(f"({HEAR})()")
        seats = 3 if self.game in ("loba", "double_lucky_7") else 2
        set_up(self.visitor, self.game, seats, seats - 1, **SHORT.get(self.game, {}))
        expect(self.page.get_by_role("main")).to_be_visible()

    @property
    def announced(self) -> list[str]:
        """Everything that was announced so far."""
        return [plain(text) for text in self.page.evaluate("() => window.announced")]

    @property
    def is_my_turn(self) -> bool:
        """As the title of the page says it."""
        return self.page.title().startswith("●")

    def t(self, key: str, **params: object) -> str:
        return self.visitor.t(key, **params)

    def starts(self, key: str) -> re.Pattern[str]:
        return beginning(self.visitor.lang, key)

    def buttons(self, name: str | re.Pattern[str] | None = None, inside: str | None = None) -> Locator:
        """Buttons that can be pressed now, by their names; in a region if one is given."""
        place = self.page.get_by_role("region", name=inside, exact=True) if inside else self.page.get_by_role("main")
        if name is None:
            return place.get_by_role("button", disabled=False)
        return place.get_by_role("button", name=name, disabled=False, exact=isinstance(name, str))

    def press(self, button: Locator) -> bool:
        """Press the first of them with Enter, if there is one, and listen until something was said or changed."""
        if button.count() == 0:
            return False
        before, told = self.page.get_by_role("main").aria_snapshot(), len(self.announced)
        try:
            button.first.press("Enter", timeout=MOMENT)
        except TimeoutError:  # it went away in between
            return False
        for _ in range(40):
            if len(self.announced) > told or self.page.get_by_role("main").aria_snapshot() != before:
                break
            self.page.wait_for_timeout(25)
        if not has_focus(self.visitor):
            self.lost_focus.append(f"after {self.announced[-1:]}")
        return True

    @abstractmethod
    def step(self) -> bool:
        """Press something that goes on, if it is one's turn."""

    def play_rounds(self) -> None:
        """Play until a round is over, or the match."""
        goal = ROUNDS.get(self.game, 1)
        ends = [said(self.game, self.visitor.lang, f"events.{key}") for key in ("round_end", "match_end")]
        last, told = time.monotonic(), 0
        while True:
            announced = self.announced
            if len(announced) > told:
                told, last = len(announced), time.monotonic()
            if sum(any(end.fullmatch(line) for end in ends) for line in announced) >= goal:
                return
            press_on = self.page.get_by_role("dialog").get_by_role("button", name=self.t("table.press_on"), exact=True)
            if self.press(press_on) or (self.is_my_turn and self.step()):
                assert len(announced) < 2000, "no end"
                continue
            assert time.monotonic() - last < PATIENCE, f"nothing to do: {announced[-3:]}"
            self.page.wait_for_timeout(40)


class Lobo(Ear):
    def step(self) -> bool:
        return self.press(self.buttons(inside=self.t("lobo77.hand")))


class Skipbo(Ear):
    """The stock if it goes, otherwise the first card of the hand, which is built or discarded."""

    def step(self) -> bool:
        main = self.page.get_by_role("main")
        if main.get_by_role("button", pressed=True).count():
            return self.press(self.buttons(self.starts("skipbo.built"))) or self.press(
                self.buttons(re.compile(self.starts("skipbo.discard").pattern + r" \d\D"))
            )
        return self.press(self.buttons(self.starts("skipbo.stock"))) or self.press(
            self.buttons(inside=self.t("skipbo.hand"))
        )


class VolleLotte(Ear):
    """Stop as soon as that is possible; otherwise keep a die and roll on."""

    def step(self) -> bool:
        rolls = ("keep_roll", "keep_lotte", "turn_card", "new_card", "roll_on")
        return (
            self.press(self.buttons(self.starts("volle_lotte.stop")))
            or any(self.press(self.buttons(self.starts(f"volle_lotte.{key}"))) for key in rolls)
            or self.press(self.buttons(self.starts("volle_lotte.die"), inside=self.t("volle_lotte.rolled")))
        )


class DoubleLucky(Ear):
    """The first trump or bid that is offered, then the first card that may be played."""

    def step(self) -> bool:
        for key in ("bid_ask", "trump_choose"):
            group = self.page.get_by_role("group", name=self.t(f"double_lucky_7.{key}"), exact=True)
            if group.count():
                return self.press(group.get_by_role("button", disabled=False))
        return self.press(self.buttons(inside=self.t("double_lucky_7.your_hand")))


class Loba(Ear):
    """Draw, lay down what the page arranges, and discard."""

    turns = 0
    has_asked = False
    tried = 0

    def step(self) -> bool:
        turns = self.announced.count(plain(self.t("table.your_turn")))
        if turns > self.turns:
            told = len(self.announced)
            self.press(self.buttons(self.starts("loba.stock")))
            if any(self.heard("events.draw", "why.drawn_already").search(line) for line in self.announced[told:]):
                self.turns, self.has_asked, self.tried = turns, False, 0
            return True
        if self.press(self.buttons(self.t("loba.lay"))):
            self.tried = 0
            return True
        if not self.has_asked and self.press(self.buttons(self.t("loba.propose"))):
            self.has_asked = True
            return True
        hand = self.page.get_by_role("region", name=self.t("loba.your_hand"), exact=True)
        if hand.get_by_role("button", pressed=True).count():
            tools = self.page.get_by_role("toolbar", name=self.t("loba.tools"), exact=True)
            drop = tools.get_by_role("button", name=self.heard("moves.drop"))
            return self.press(drop) or self.press(self.buttons(self.t("loba.put_down")))
        suits = "|".join(self.t(f"loba.suit.{suit}") for suit in "SHDC")
        cards = self.buttons(re.compile(f"({suits})$"), inside=self.t("loba.your_hand"))
        self.tried += 1
        num_cards = cards.count()
        return num_cards > 0 and self.press(cards.nth(num_cards - 1 - self.tried % num_cards))

    def heard(self, *keys: str) -> re.Pattern[str]:
        """Sentences of the game."""
        return re.compile("|".join(said(self.game, self.visitor.lang, key).pattern for key in keys))


EARS: dict[str, type[Ear]] = {
    "lobo77": Lobo,
    "loba": Loba,
    "skipbo": Skipbo,
    "volle_lotte": VolleLotte,
    "double_lucky_7": DoubleLucky,
}


def words_of(visitor: Visitor) -> list[str]:
    """All that the accessibility tree says: names, texts and states, line by line, without addresses of links."""
    lines = visitor.page.locator("body").aria_snapshot().splitlines()
    return [line.strip() for line in lines if "/url:" not in line]
