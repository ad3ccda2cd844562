"""Two browsers at one table: invited by the link, gone and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import END, deal, invite, play_on, set_up, two_at_a_table
from tests.web.browser.visitor import DESKTOP, PHONE, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]


def moves_of(name: str, seen_by: Visitor) -> int:
    """How many moves of a player the log tells."""
    return seen_by.page.locator(".log li.move").filter(has_text=re.compile(f"^{name} plays")).count()


def test_invited_by_link_reloading_and_playing_to_the_end(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=DESKTOP), visit(name="Ben", lang="fr", size=PHONE)
    hands = two_at_a_table(ana, ben, "double_lucky_7", rounds=7)
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
    hands = two_at_a_table(ana, ben, "lobo77", tokens=6)
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
    ben.button(ben.t("table.react_with", mark=ben.t("table.mark_thumb"))).click()
    told = ana.t("table.reacts", name="Ben", mark=ana.t("table.mark_thumb"))
    expect(ana.page.get_by_role("log").get_by_text(told, exact=True)).to_have_count(1)
    line = ana.page.get_by_role("region", name=ana.t("table.log")).get_by_role("listitem").filter(has_text=told)
    expect(line.locator("svg")).to_be_visible()
    expect(ana.page.get_by_role("img", name=told)).to_be_visible()
