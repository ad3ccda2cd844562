"""The fonts are ours: they have every sign the pages use, and nothing jumps when they arrive."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

# A sign that a font lacks is drawn by the next one: as wide as there, not as wide as in the font alone with its blank.
LACKING = """([font, signs]) => {
  const pen = document.createElement('canvas').getContext('2d')
  const width = (family, sign) => ((pen.font = `400px ${family}`), pen.measureText(sign).width)
  return [...signs].filter((sign) => width(`${font}, monospace`, sign) === width('monospace', sign)
    && width(`${font}, serif`, sign) === width('serif', sign))
}"""
SIZES = "() => ['h1', 'h2', 'p'].map((one) => document.querySelector(one).getBoundingClientRect().height)"


def loaded(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "() => document.fonts.ready.then(() => [...document.fonts].filter((one) => one.status === 'loaded')"
        ".map((one) => one.family))"
    )
    return found


def test_the_pages_bring_their_fonts(visit: Visit) -> None:
    ana = visit(lang="fr")
    ana.open()
    expect(ana.page.get_by_role("heading", level=1)).to_be_visible()
    assert {"Nunito", "Fraunces"} <= set(loaded(ana.page))
    assert ana.page.evaluate(LACKING, ["Nunito", "♠♥♦♣★▲→éœç’−×"]) == []
    assert ana.page.evaluate(LACKING, ["Fraunces", "éÉœç’"]) == []
    there = ana.page.evaluate(SIZES)
    without = visit(lang="fr")
    without.forgive("woff2", "net::ERR_FAILED")
    without.page.route("**/*.woff2", lambda route: route.abort())
    without.open()
    expect(without.page.get_by_role("heading", level=1)).to_be_visible()
    assert "Nunito" not in loaded(without.page)
    assert without.page.evaluate(SIZES) == pytest.approx(there, abs=2)
