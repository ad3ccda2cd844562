"""Nothing is ever hidden: every game, with any number of players, on a screen of any size.

Seen is the table in the visitor's turn, as it lies after a few moves: all cards of the hand (or all dice), whoever is
at turn, all buttons and all words are in sight, whole, and nothing lies over them. On large screens the cards are at
least twice as wide as on a phone, the things on the table reach across three quarters of it, and no empty band is
higher than a quarter of it.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.layout import LARGE, PHONE, SIZES, Measures, Size, faults, measure, resize
from tests.web.browser.playing import END, HANDS, Loba, set_up
from tests.web.browser.tour import prepare

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only, pytest.mark.looks]

Table = tuple[str, int, str, dict[str, Any]]
"""The game, the seats, what must be there to look at, and the variants."""


class Keeping(Loba):
    """Draws and discards, and lays nothing down: others do, and the hand stays large."""

    def step(self) -> bool:
        if not self.has(".title p.mine"):
            return False
        return self.press('button[data-spot="stock"].legal', '[data-move^="drop "]', "[data-held] button:not(.dim)")


MOVES = 1
SEATS = {
    "lobo77": range(2, 9),
    "loba": range(3, 6),
    "skipbo": range(2, 5),
    "volle_lotte": range(2, 9),
    "double_lucky_7": range(2, 8),
}
THERE = {
    "lobo77": ".hand .card.legal",
    "loba": "[data-move^='drop ']",
    "skipbo": ".mine .card.legal",
    "volle_lotte": ".rolled .die.legal",
    "double_lucky_7": ".hand .card.legal",
}
FULL: list[Table] = [
    ("lobo77", 8, THERE["lobo77"], {"tokens": 6}),
    ("loba", 5, "main:has([data-spot='meld:4']) [data-move^='drop ']", {"out_by_discard": True}),
    ("skipbo", 4, "main:has(.middle .sheet)", {"teams": True, "match": "points", "stock": 5}),
    ("double_lucky_7", 7, "main:has(.ask button:nth-child(7))", {"rounds": 7}),
]
"""Tables with more on them."""
TABLES: list[Table] = [(game, seats, there, {}) for game, there in THERE.items() for seats in SEATS[game]]


@pytest.mark.parametrize(
    ("game", "seats", "there", "options"),
    TABLES + FULL,
    ids=[f"{game}-{seats}{'-full' * bool(options)}" for game, seats, _, options in TABLES + FULL],
)
def test_nothing_is_hidden(visit: Visit, game: str, seats: int, there: str, options: dict[str, Any]) -> None:
    ana = visit(reduced_motion="reduce")
    prepare(ana)
    set_up(ana, game, seats, seats - 1, **options)
    hand = (Keeping if game == "loba" else HANDS[game])(ana)
    hand.finish(600, until=lambda: hand.pressed >= MOVES and hand.has(there) and hand.has(".title p.mine"))
    assert not hand.has(END), "the match was over too soon"
    expect(ana.page.locator(".cheer, .moment")).to_have_count(0)
    ana.page.mouse.move(0, 0)

    wrong: list[str] = []
    measures: dict[Size, Measures] = {}
    for size in SIZES:
        resize(ana, size)
        wrong += [f"{size[0]}×{size[1]}: {fault}" for fault in faults(ana)]
        measures[size] = measure(ana)
    assert not wrong, "\n".join(wrong)

    small = measures[PHONE]
    for size in LARGE:
        large = measures[size]
        assert large.card >= 2 * small.card, f"{size}: cards of {large.card:.0f} px, {small.card:.0f} px on a phone"
        assert large.across >= 0.75 and large.down >= 0.75, f"{size}: an empty field around the table, {large}"
        assert large.gap <= 0.25, f"{size}: an empty field in the middle of the table, {large}"
