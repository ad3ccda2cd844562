"""Two browsers at one table: invited by the link, gone and back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import AWAY, Visit
from tests.web.browser.playing import END, HANDS, Hand, set_up, skip_guide
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


def play_on(hands: list[Hand], presses: int) -> None:
    """Everybody plays until so many presses have been made, or to the end."""
    goal = sum(hand.pressed for hand in hands) + presses
    idle = 0
    while sum(hand.pressed for hand in hands) < goal and not all(hand.has(END) for hand in hands):
        if any([hand.step() for hand in hands]):
            idle = 0
        else:
            idle += 1
            assert idle < 600, "nobody has anything to press"
            hands[0].page.wait_for_timeout(20)


def test_invited_by_link_reloading_and_playing_to_the_end(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=DESKTOP), visit(name="Ben", lang="fr", size=PHONE)
    for one in (ana, ben):
        one.open()
        one.hurry()
    set_up(ana, "double_lucky_7", 2, 0, rounds=7)
    invite(ana, ben)
    deal(ana, ben)
    hands: list[Hand] = [HANDS["double_lucky_7"](ana), HANDS["double_lucky_7"](ben)]
    play_on(hands, 16)
    ben.page.wait_for_timeout(500)
    before = ben.page.locator(".hand .card").count(), ben.page.locator(".state b").first.inner_text()
    ben.page.reload()
    expect(ben.page.locator(".hand .card")).to_have_count(before[0])
    expect(ben.page.locator(".state b").first).to_have_text(before[1])
    play_on(hands, 400)
    for one, word in ((ana, "deal_kept"), (ben, "deal_kept")):
        expect(one.page.locator(END)).to_be_visible()
        expect(one.page.get_by_text(one.t(f"table.{word}"))).to_be_visible()
    places = [one.page.locator(".end ol .name").all_inner_texts() for one in (ana, ben)]
    assert places[0] == places[1] and sorted(places[0]) == ["Ana", "Ben"]


def test_a_bot_stands_in_and_gives_the_seat_back(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=DESKTOP), visit(name="Ben", size=PHONE)
    for one in (ana, ben):
        one.open()
        one.hurry()
    set_up(ana, "lobo77", 2, 0)
    invite(ana, ben)
    deal(ana, ben)
    hands: list[Hand] = [HANDS["lobo77"](ana), HANDS["lobo77"](ben)]
    play_on(hands, 4)
    address = ben.page.url
    ben.page.goto("about:blank")
    log = ana.page.get_by_role("region", name=ana.t("table.log"))
    stood_in = ana.t("table.log_stood_in", name="Ben")
    hands[0].finish(200, until=lambda: stood_in in log.inner_text())
    ana.page.wait_for_timeout(1000 * AWAY / 10)
    pressed = hands[0].pressed
    hands[0].finish(200, until=lambda: hands[0].pressed >= pressed + 3)
    ben.open(address)
    expect(log.get_by_text(ana.t("table.log_returned", name="Ben"))).to_be_visible()
    pressed = hands[1].pressed
    play_on(hands, 6)
    assert hands[1].pressed > pressed, "Ben's seat is his again"
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
