"""Somebody who keeps the score with the pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx
from playwright.sync_api import Locator, expect

from tests.web.browser.playing import games
from tests.web.browser.visitor import Visitor

# What stands on the page tells one moment of a pad from another: what comes next, what could be taken back, the lines.
WRITTEN = """() => ['.now h2', '.now .wipe', 'tbody'].map((one) => document.querySelector(one)?.textContent).join()"""
NAMES = ["Ana", "Ben", "Cleo", "Dan"]


class PadPage:
    """A pad on a visitor's page. What is written goes through the form, as with fingers."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.game = game
        answer = httpx.get(f"{visitor.address}/api/games/{game}/texts", params={"lang": visitor.lang})
        self.labels: dict[str, str] = answer.raise_for_status().json()["texts"]["pad"]["fields"]

    def start(self, players: int, first: int, **options: Any) -> None:
        """Set a pad up for the first of the names."""
        visitor = self.visitor
        info = games(visitor.address, visitor.lang)[self.game]
        visitor.open("/pad")
        self.page.get_by_role("radio", name=info["name"]).check()
        for number in range(1, players + 1):
            field = self.page.get_by_label(visitor.t("pad.player", n=number), exact=True)
            if field.count() == 0:
                visitor.button(visitor.t("pad.add"), exact=True).click()
            field.fill(NAMES[number - 1])
        self.page.get_by_role("combobox").select_option(NAMES[first])
        if options:
            self.page.get_by_text(visitor.t("pad.options"), exact=True).click()
        for name, value in options.items():
            visitor.set_option(next(option for option in info["options"] if option["name"] == name), value)
        visitor.fits()
        visitor.button(visitor.t("pad.begin"), exact=True).click()
        self.page.wait_for_url("**/pad/*")
        expect(self.page.get_by_role("region", name=visitor.t("pad.sheet"))).to_be_visible()

    def open_new(self, players: int, first: int = 0, **options: Any) -> None:
        """A pad that was set up already, opened by its link."""
        wanted = {"game": self.game, "kind": "pad", "players": NAMES[:players], "first": first, "options": options}
        made = httpx.post(f"{self.visitor.address}/api/tables", json=wanted).raise_for_status().json()
        self.visitor.open(f"/pad/{made['table']['id']}#join={made['join']}")
        expect(self.page.get_by_role("region", name=self.visitor.t("pad.sheet"))).to_be_visible()

    def number(self, label: str, value: int, inside: Locator | None = None) -> None:
        """A number, whether it is a row of buttons or a place to type."""
        where = inside or self.page.locator(".now")
        few = where.get_by_role("radiogroup", name=label, exact=True)
        if few.count():
            few.get_by_role("radio", name=str(value), exact=True).check()
        else:
            where.get_by_role("textbox", name=label, exact=True).fill(str(value))

    def each(self, field: str, values: Sequence[int], inside: Locator | None = None) -> None:
        """A number for every player."""
        for name, value in zip(NAMES, values, strict=False):
            self.number(f"{self.labels[field]}, {name}", value, inside)

    def write(self) -> None:
        """Write it down; the form is for the next entry then, or the match is over."""
        before = self.page.evaluate(WRITTEN)
        self.visitor.button(self.visitor.t("pad.write"), exact=True).click()
        self.page.wait_for_function(f"before => ({WRITTEN})() !== before", arg=before)
        self.visitor.fits()

    def sure(self) -> None:
        """Try to write: it is asked about, and confirmed."""
        self.visitor.button(self.visitor.t("pad.write"), exact=True).click()
        before = self.page.evaluate(WRITTEN)
        self.visitor.button(self.visitor.t("pad.ask_yes"), exact=True).click()
        self.page.wait_for_function(f"before => ({WRITTEN})() !== before", arg=before)

    def refused(self, words: str) -> None:
        """Try to write: it is refused in these words, and nothing changes."""
        before = self.totals()
        self.visitor.button(self.visitor.t("pad.write"), exact=True).click()
        expect(self.page.locator(".now").get_by_role("alert")).to_contain_text(words)
        assert self.totals() == before

    def totals(self) -> list[int]:
        """The sums on top of the sheet."""
        texts = self.page.locator("thead .total").all_inner_texts()
        return [int("".join(sign for sign in text.replace("−", "-") if sign in "-0123456789")) for text in texts]

    def points(self, line: int) -> list[str]:
        """The points of a line of the sheet, the last one first."""
        row = self.page.locator("tbody tr:not(.note)").nth(line)
        return row.locator(".points").all_inner_texts()

    def correct(self, number: int) -> Locator:
        """Open a line to correct it; the dialog."""
        self.visitor.button(self.visitor.t("pad.correct_round", n=number), exact=True).click()
        return self.page.get_by_role("dialog").filter(has=self.page.locator("h2"))

    def share(self) -> str:
        """The link for others at the table."""
        self.visitor.button(self.visitor.t("pad.share"), exact=True).click()
        link = self.page.get_by_label(self.visitor.t("pad.link"), exact=True).input_value()
        self.page.keyboard.press("Escape")
        return link
