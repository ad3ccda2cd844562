"""The score pads on a phone, with the figures of the rules' examples."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.pads import PadPage
from tests.web.browser.visitor import DESKTOP, PHONE, TABLET

pytestmark = pytest.mark.slow


def test_lobo77_tokens_swimming_and_out(visit: Visit) -> None:
    ana = visit(size=PHONE)
    pad = PadPage(ana, "lobo77")
    pad.start(4, first=0, tokens=1)
    assert pad.totals() == [1, 1, 1, 1]

    def lose(name: str, total: int) -> None:
        pad.page.locator(".players").get_by_role("button", name=name).click()
        pad.page.locator(".now").get_by_role("radio", name=re.compile(rf"^{total}\b")).check()
        pad.write()

    lose("Ben", 77)  # L16, L18
    assert pad.totals() == [1, 0, 1, 1]
    expect(pad.page.get_by_text("Ben is swimming: one more loss and they are out.")).to_be_visible()
    lose("Ben", 44)
    expect(pad.page.get_by_text("Ben is out of the match, in 4th place.")).to_be_visible()
    expect(pad.page.locator(".players").get_by_role("button", name="Ben")).to_have_count(0)
    for name, total in [("Cleo", 33), ("Cleo", 66), ("Dan", 11), ("Dan", 22)]:
        lose(name, total)
    expect(pad.page.get_by_role("heading", name=ana.t("pad.over", names="Ana", n=1))).to_be_visible()


def test_loba_six_rounds_with_counted_hands(visit: Visit) -> None:
    ana = visit(size=PHONE, lang="fr")
    pad = PadPage(ana, "loba")
    pad.start(4, first=2)
    field = pad.labels["points"]

    # B19: 5, 10 and a joker are 40 points.
    ana.button(ana.t("loba.pad_count_hand", name="Ana"), exact=True).click()
    dialog = pad.page.get_by_role("dialog").filter(has=pad.page.locator(".keys"))
    for rank in ("5", "10", ana.t("loba.pad_joker")):
        dialog.locator(".keys").get_by_role("button", name=rank).first.click()
    expect(dialog.locator(".total")).to_have_text(ana.t("loba.pad_points", n=40))
    ana.fits()
    ana.button(ana.t("loba.pad_take_over"), exact=True).click()
    for name, points in (("Ben", 0), ("Cleo", 13), ("Dan", 12)):
        pad.number(f"{field}, {name}", points)
    pad.write()
    assert pad.totals() == [40, 0, 13, 12]

    # B17: only one is out.
    pad.each("points", [0, 5, 0, 7])
    pad.refused("Ana et Cleo")
    pad.each("points", [191, 0, 1, 1])
    pad.write()
    assert pad.totals() == [231, 0, 14, 13]

    # Correct the first round: Cleo went out instead of Ben.
    dialog = pad.correct(1)
    pad.each("points", [40, 6, 0, 12], inside=dialog)
    dialog.get_by_role("button", name=ana.t("pad.correct"), exact=True).click()
    expect(dialog).to_have_count(0)
    assert pad.totals() == [231, 6, 1, 13]

    for _ in range(4):
        pad.each("points", [0, 1, 2, 3])
        pad.write()
    expect(pad.page.get_by_role("heading", name=ana.t("pad.over", names="Cleo", n=1))).to_be_visible()
    assert pad.totals() == [231, 10, 9, 25]


def test_skipbo_points_and_teams(visit: Visit) -> None:
    ana = visit(size=TABLET)
    pad = PadPage(ana, "skipbo")
    pad.start(3, first=1, match="points", target=100)
    pad.each("stocks", [1, 2, 3])
    pad.refused("enter 0 there, or say that nobody could go on.")  # S12
    pad.each("stocks", [0, 7, 7])
    pad.write()
    assert pad.totals() == [95, 0, 0]  # S13
    pad.each("stocks", [1, 0, 1])
    pad.write()
    pad.each("stocks", [0, 1, 1])
    pad.write()
    assert pad.totals() == [130, 35, 0]
    expect(pad.page.get_by_role("heading", name=ana.t("pad.over", names="Ana", n=1))).to_be_visible()

    pad.start(4, first=0, match="points", teams=True)
    pad.each("stocks", [0, 3, 8, 4])
    ana.switch(pad.labels["blocked"], True)
    pad.write()
    assert pad.totals() == [0, 65]  # S11: the teams' stocks count together


def test_volle_lotte_running_totals(visit: Visit) -> None:
    ana = visit(size=PHONE)
    pad = PadPage(ana, "volle_lotte")
    pad.start(3, first=0)
    points, losses = pad.labels["points"], pad.labels["plus_minus"]

    pad.number(points, 2000)
    pad.write()
    pad.number(points, 950)
    pad.number(losses, 1)
    pad.refused("at least 1000 points")  # V12
    ana.button("+50", exact=True).click()
    pad.write()
    assert pad.totals() == [1000, 1000, 0]
    expect(pad.page.get_by_text("Ana was in the lead and loses 1000 points.")).to_be_visible()
    ana.button(ana.t("volle_lotte.pad_turn_lost"), exact=True).click()
    pad.write()
    pad.number(points, 6000)
    pad.sure()
    expect(pad.page.locator(".now h2")).to_contain_text("Cleo")  # V15: the fewest points
    ana.switch(pad.labels["clover"], True)
    pad.write()
    expect(pad.page.get_by_role("heading", name=ana.t("pad.over", names="Cleo", n=1))).to_be_visible()  # V14
    assert pad.totals() == [7000, 1000, 0]


def test_double_lucky_7_bids_then_tricks(visit: Visit) -> None:
    ana = visit(size=PHONE, lang="fr")
    pad = PadPage(ana, "double_lucky_7")
    pad.start(4, first=1, rounds=7)

    def play(bids: list[int], tricks: list[int]) -> None:
        pad.each("bids", bids)
        pad.write()
        pad.each("tricks", tricks)
        pad.write()

    play([1, 1, 1, 0], [0, 0, 0, 1])
    pad.each("bids", [0, 1, 0, 1])
    pad.refused("1")  # D7: the bids may not add up
    expect(pad.page.locator(".refused .rule")).to_have_text("D7")
    play([2] * 4, [1, 1, 0, 0])
    pad.each("bids", [1, 0, 1, 0])
    pad.write()
    pad.each("tricks", [1, 1, 0, 0])
    pad.refused("Il y a 3 plis dans cette manche, mais le total inscrit est 2.")  # D2
    pad.each("tricks", [0, 1, 0, 2])
    pad.write()
    play([0, 2, 1, 2], [0, 2, 2, 0])  # D12
    assert pad.points(0) == ["10", "14", "0", "0"]
    play([5] * 4, [1, 4, 0, 0])
    play([6] * 4, [1, 5, 0, 0])
    expect(pad.page.locator(".now h2")).to_contain_text("double")
    play([7, 0, 1, 0], [7, 0, 0, 0])  # D13
    assert pad.points(0) == ["48", "20", "0", "20"]
    assert pad.totals() == [58, 34, 0, 20]

    # Correct an old trick count: Ben missed his bid in round 4.
    dialog = pad.correct(4)
    dialog.get_by_role("listitem").get_by_role("button").nth(1).click()
    pad.each("tricks", [0, 1, 1, 2], inside=dialog)
    dialog.get_by_role("button", name=ana.t("pad.correct"), exact=True).click()
    expect(dialog).to_have_count(0)
    assert pad.totals() == [58, 20, 12, 34]


def test_two_phones_on_one_pad(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=PHONE), visit(name="Ben", size=DESKTOP, lang="fr")
    first, second = PadPage(ana, "skipbo"), PadPage(ben, "skipbo")
    first.start(2, first=0, match="points")
    ben.open(first.share())
    expect(ben.page.locator("thead .total")).to_have_count(2)
    first.each("stocks", [0, 5])
    first.write()
    expect(ben.page.locator("thead .total").first).to_contain_text("50")
    second.each("stocks", [4, 0])
    second.write()
    expect(ana.page.locator("thead .total").last).to_contain_text("45")
    assert first.totals() == second.totals() == [50, 45]
    ana.page.locator(".wipe").click()
    expect(ben.page.locator("thead .total").last).to_have_text("0")


def test_who_only_looks_cannot_write(visit: Visit) -> None:
    ana, ben = visit(name="Ana"), visit(name="Ben")
    pad = PadPage(ana, "skipbo")
    pad.start(2, first=0, match="points")
    ana.button(ana.t("pad.share"), exact=True).click()
    ana.choose(ana.t("pad.may"), ana.t("pad.may_look"))
    ben.open(ana.page.get_by_label(ana.t("pad.link"), exact=True).input_value())
    expect(ben.page.get_by_text(ben.t("pad.only_look"))).to_be_visible()
    expect(ben.page.locator(".now form")).to_have_count(0)
