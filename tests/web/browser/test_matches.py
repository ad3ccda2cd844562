"""For each game a whole match against bots, by clicking, from the first page to the ranking."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import END, HANDS, set_up
from tests.web.browser.visitor import DESKTOP, PHONE, TABLET, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

MATCHES = [
    ("lobo77", "fr", PHONE, 3, {"tokens": 1}),
    ("loba", "en", PHONE, 3, {}),
    ("skipbo", "fr", TABLET, 2, {"stock": 5}),
    ("volle_lotte", "en", PHONE, 2, {"target": 1000}),
    ("double_lucky_7", "fr", DESKTOP, 3, {"rounds": 7}),
    ("lobo77", "en", DESKTOP, 5, {"tokens": 1, "swim": False, "keep_top": True, "draw": "manual", "card_76": True}),
    ("skipbo", "en", PHONE, 4, {"stock": 5, "teams": True, "manners": True}),
    ("double_lucky_7", "en", PHONE, 7, {"rounds": 7, "lead": "winner", "forfeits": True}),
    ("volle_lotte", "fr", DESKTOP, 8, {"target": 1000, "ending": "round", "negative": True}),
]


@pytest.mark.parametrize(
    ("game", "lang", "size", "seats", "options"), MATCHES, ids=[f"{match[0]}-{match[3]}" for match in MATCHES]
)
def test_a_whole_match(
    visit: Visit, game: str, lang: str, size: tuple[int, int], seats: int, options: dict[str, Any]
) -> None:
    ana = visit(lang=lang, size=size)
    ana.open()
    ana.hurry()
    ana.fits()
    set_up(ana, game, seats, seats - 1, **options)
    HANDS[game](ana).finish(limit=1500)
    expect(ana.page.locator(END)).to_be_visible()
    places = [int(text) for text in ana.page.locator(".end ol .place").all_inner_texts()]
    assert len(places) == seats and places == sorted(places) and places[0] == 1
    assert "Ana" in ana.page.locator(".end ol .name").all_inner_texts()
    expect(ana.page.get_by_text(ana.t("table.deal_kept"))).to_be_visible()
    tells_the_story(ana, game, seats)


def tells_the_story(ana: Visitor, game: str, seats: int) -> None:
    """Places in words, how everybody came out, what decided it, what was luck; never the same nothing for all."""
    end = ana.page.locator(".end")
    names = end.locator("ol .name").all_inner_texts()
    expect(end.locator(".places")).to_have_text(re.compile(r"\w"))
    places = end.locator(".places").inner_text()
    assert all(name in places for name in names)
    results = end.locator("ol .result").all_inner_texts()
    assert len(results) == seats and all(results)
    if game in ("lobo77", "skipbo"):
        assert len(set(results)) > 1 and not any(re.match(r"\D{0,2}\d+ \w+$", one) for one in results), results
    expect(end.get_by_text(ana.t("table.end_luck"))).to_be_visible()
    if end.get_by_text(ana.t("table.curve")).count():
        expect(end.get_by_text(ana.t("table.end_decided"))).to_be_visible()
