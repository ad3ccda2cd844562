"""Two browsers at one table: invited by the link, gone and back."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import END, HANDS, PATIENCE, Hand, set_up, skip_guide
from tests.web.browser.visitor import DESKTOP, PHONE, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]


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
    skip_guide(host)
    skip_guide(guest)


def play_on(hands: list[Hand], until: Callable[[], bool]) -> None:
    """Everybody plays until something is true. Not every press plays a card: one too soon after a move does nothing."""
    last = time.monotonic()
    while not until():
        if any([hand.step() for hand in hands]):
            last = time.monotonic()
        else:
            assert time.monotonic() - last < PATIENCE, "nobody has anything to press"
            hands[0].page.wait_for_timeout(20)


def moves_of(name: str, seen_by: Visitor) -> int:
    """How many moves of a player the log tells."""
    return seen_by.page.locator(".log li.move").filter(has_text=re.compile(f"^{name} plays")).count()


def test_invited_by_link_reloading_and_playing_to_the_end(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=DESKTOP), visit(name="Ben", lang="fr", size=PHONE)
    for one in (ana, ben):
        one.open()
        one.hurry()
    set_up(ana, "double_lucky_7", 2, 0, rounds=7)
    invite(ana, ben)
    deal(ana, ben)
    hands: list[Hand] = [HANDS["double_lucky_7"](ana), HANDS["double_lucky_7"](ben)]
    play_on(hands, lambda: ben.page.locator(".hand button.card.legal").count() > 1)
    before = ben.page.locator(".hand .card").count(), ben.page.locator(".state b").first.inner_text()
    ben.page.reload()
    expect(ben.page.locator(".hand .card")).to_have_count(before[0])
    expect(ben.page.locator(".state b").first).to_have_text(before[1])
    play_on(hands, lambda: all(hand.has(END) for hand in hands))
    for one in (ana, ben):
        expect(one.page.locator(END)).to_be_visible()
        expect(one.page.get_by_text(one.t("table.deal_kept"))).to_be_visible()
    places = [one.page.locator(".end ol .name").all_inner_texts() for one in (ana, ben)]
    assert places[0] == places[1] and sorted(places[0]) == ["Ana", "Ben"]


def test_a_bot_stands_in_and_gives_the_seat_back(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=DESKTOP), visit(name="Ben", size=PHONE)
    for one in (ana, ben):
        one.open()
        one.hurry()
    set_up(ana, "lobo77", 2, 0, tokens=6)
    invite(ana, ben)
    deal(ana, ben)
    hands: list[Hand] = [HANDS["lobo77"](ana), HANDS["lobo77"](ben)]
    play_on(hands, lambda: moves_of("Ana", ana) > 0 and moves_of("Ben", ana) > 0)
    address = ben.page.url
    ben.page.goto("about:blank")
    log = ana.page.get_by_role("region", name=ana.t("table.log"))
    stood_in = ana.t("table.log_stood_in", name="Ben")
    hands[0].finish(1500, until=lambda: stood_in in log.inner_text())
    by_bot = moves_of("Ben", ana)
    hands[0].finish(1500, until=lambda: moves_of("Ben", ana) > by_bot + 1)
    ben.open(address)
    expect(log.get_by_text(ana.t("table.log_returned", name="Ben"))).to_be_visible()
    # Nobody but Ben himself plays for Ben now.
    hands[0].finish(1500, until=lambda: ben.page.locator(".hand button.card.legal").count() > 0)
    before = moves_of("Ben", ana)
    play_on(hands[1:], lambda: moves_of("Ben", ana) > before)
    ben.check()


def test_talk_and_reactions_reach_the_other(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=DESKTOP), visit(name="Ben", size=PHONE)
    ana.open()
    set_up(ana, "volle_lotte", 2, 0)
    invite(ana, ben)
    deal(ana, ben)
    ana.page.get_by_role("textbox", name=ana.t("table.say_something")).fill("Bonne chance <b>Ben</b>!")
    ana.page.keyboard.press("Enter")
    ben.button(ben.t("table.talk")).click()
    expect(ben.page.get_by_text("Bonne chance <b>Ben</b>!", exact=False).first).to_be_visible()
    ben.button(ben.t("table.react_with", mark=ben.t("table.mark_0"))).click()
    expect(ana.page.get_by_role("region", name=ana.t("table.log")).get_by_text("👍")).to_be_visible()
