"""Who sits at a table: every bot has a name and a face of its own, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ludotheque.bots.names import NAMES
from tests.web.browser.conftest import Visit
from tests.web.browser.playing import set_up
from tests.web.browser.tour import prepare

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

FACES = "avatars => avatars.map((avatar) => avatar.innerHTML)"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_eight_at_a_table_are_told_apart(visit: Visit, lang: str) -> None:
    ana = visit(lang=lang, reduced_motion="reduce")
    prepare(ana)
    ana.open()
    set_up(ana, "lobo77", 8, 7)
    seats = ana.page.locator('[data-spot^="seat:"]')
    expect(seats).to_have_count(8)
    bots = [name for name in NAMES if ana.page.get_by_text(name, exact=True).count()]
    assert len(bots) == 7
    faces = ana.page.locator('[data-spot^="seat:"] svg.avatar').evaluate_all(FACES)
    assert len({*faces}) == len(faces) == 8
