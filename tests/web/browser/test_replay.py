"""A match again: opened at a moment by its link, moved through, and its deal checked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import END, HANDS, set_up
from tests.web.browser.visitor import DESKTOP, PHONE

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]


COPIED = """async () => {
  const text = await navigator.clipboard.readText()
  return text.startsWith('http') && text
}"""


def test_a_replay_opened_at_a_moment(visit: Visit) -> None:
    ana = visit(size=DESKTOP, permissions=["clipboard-read", "clipboard-write"])
    ana.open()
    ana.hurry()
    table = set_up(ana, "lobo77", 2, 1, swim=False)
    HANDS["lobo77"](ana).finish(limit=1500)
    expect(ana.page.locator(".end .verdict")).to_have_text(ana.t("table.deal_kept"))
    with ana.page.expect_download() as download:
        ana.button(ana.t("table.download"), exact=True).click()
    assert re.fullmatch(rf"ludotheque-lobo77-{table}-1\.json", download.value.suggested_filename)

    ana.page.get_by_role("link", name=ana.t("table.replay"), exact=True).click()
    slider = ana.page.get_by_role("slider")
    total = int(slider.get_attribute("max") or 0)
    assert total > 3
    expect(slider).to_have_value("0")
    slider.fill("2")
    moment = ana.page.locator(".moment")
    expect(moment).to_have_text(ana.t("table.replay_move", n=2, total=total))
    expect(ana.page).to_have_url(re.compile(r"[?&]ply=2(&|$)"))
    sentence = ana.page.locator(".sentence").inner_text()
    shown = ana.page.locator("main.screen").inner_text()
    ana.button(ana.t("table.replay_next"), exact=True).click()
    expect(moment).to_have_text(ana.t("table.replay_move", n=3, total=total))
    ana.button(ana.t("table.replay_last"), exact=True).click()
    expect(moment).to_have_text(ana.t("table.replay_move", n=total, total=total))
    ana.button(ana.t("table.replay_first"), exact=True).click()
    expect(slider).to_have_value("0")
    ana.button(ana.t("table.replay_play"), exact=True).click()
    expect(slider).not_to_have_value("0")
    ana.button(ana.t("table.replay_pause"), exact=True).click()

    slider.fill("2")
    expect(moment).to_have_text(ana.t("table.replay_move", n=2, total=total))
    ana.button(ana.t("table.replay_link"), exact=True).click()
    link = ana.page.wait_for_function(COPIED).json_value()

    # Somebody else opens that moment on a phone.
    ben = visit(name="Ben", size=PHONE)
    ben.open(link)
    expect(ben.page.locator(".moment")).to_have_text(ben.t("table.replay_move", n=2, total=total))
    expect(ben.page.locator(".sentence")).to_have_text(sentence)
    assert ben.page.locator("main.screen").inner_text() == shown

    # All hands are open once the match is over, and each seat may be looked over the shoulder.
    ben.switch(ben.t("table.replay_open"), True)
    ben.fits()
    ben.page.get_by_role("group", name=ben.t("table.replay_seat")).get_by_role("radio").nth(1).check()
    expect(ben.page).to_have_url(re.compile(r"[?&]seat=1(&|$)"))


def test_a_match_under_way_shows_ones_own_seat_only(visit: Visit) -> None:
    ana = visit()
    ana.open()
    ana.hurry()
    table = set_up(ana, "double_lucky_7", 3, 2)
    hand = HANDS["double_lucky_7"](ana)
    hand.finish(50, until=lambda: hand.pressed >= 3)
    ana.open(f"/t/{table}/replay")
    expect(ana.page.get_by_text(ana.t("table.replay_later"))).to_be_visible()
    expect(ana.page.get_by_role("group", name=ana.t("table.replay_seat")).get_by_role("radio")).to_have_count(1)


def test_another_match_at_the_same_table(visit: Visit) -> None:
    ana = visit(lang="fr")
    ana.open()
    ana.hurry()
    set_up(ana, "volle_lotte", 2, 1, target=1000)
    HANDS["volle_lotte"](ana).finish(limit=300)
    ana.button(ana.t("table.rematch"), exact=True).click()
    expect(ana.page.locator(END)).to_have_count(0)
    hand = HANDS["volle_lotte"](ana)
    hand.finish(limit=300)
    assert hand.pressed > 0
    expect(ana.page.locator(".end .verdict")).to_have_text(ana.t("table.deal_kept"))
