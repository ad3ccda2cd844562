"""For everybody: axe finds nothing on any screen, text stands out from the felt, and fingers hit what they mean."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import needs
from tests.web.browser.conftest import Visit
from tests.web.browser.eyes import contrasts, small_targets
from tests.web.browser.playing import HANDS
from tests.web.browser.tour import PARTS, look, prepare
from tests.web.browser.visitor import DESKTOP, PHONE, Visitor
from tests.web.sources import WEB

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

FELTS = {*HANDS, "loba-later", "skipbo-later", "replay-open"}
"""Screens with text on felt, where axe cannot tell the background: there it is measured."""
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.flatMap(
  ({ id, help, nodes }) => nodes.map(({ target, any, all, none }) =>
    `${id}: ${help} ${target.join(' ')} ${[...any, ...all, ...none].map((one) => one.message).join('; ')}`))"""


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it is. Its script comes by the debugger, which no policy of the page stops."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(RUN)
    return found


@pytest.fixture(scope="module")
def axe() -> None:
    if not AXE.exists():
        needs.missing("axe-core is not installed: make web")


def walk(visitor: Visitor, part: str, measure: Callable[[str, tuple[int, int], str], list[str]]) -> list[str]:
    """What is found on the screens of a part, in two sizes, light and dark."""
    prepare(visitor)
    found = []
    for name in PARTS[part](visitor):
        for size, scheme in itertools.product((DESKTOP, PHONE), ("light", "dark")):
            look(visitor, size, scheme)
            visitor.fits()
            found += [f"{name} {size[0]} {scheme}: {one}" for one in measure(name, size, scheme)]
        look(visitor, DESKTOP, "light")
    return found


def somebody(visit: Visit, part: str) -> Visitor:
    return visit(reduced_motion="reduce", lang="fr" if part in ("skipbo", "pad_loba") else "en")


@pytest.mark.parametrize("part", PARTS)
def test_axe_finds_nothing(axe: None, visit: Visit, part: str) -> None:
    ana = somebody(visit, part)
    found = walk(ana, part, lambda *_: violations(ana.page))
    assert not found, "\n".join(found)


@pytest.mark.looks
@pytest.mark.parametrize("part", PARTS)
def test_eyes_and_fingers_find_everything(visit: Visit, part: str) -> None:
    """Contrast on the felt by its pixels; on a phone, targets by what a touch hits."""
    ana = somebody(visit, part)

    def measure(name: str, size: tuple[int, int], scheme: str) -> list[str]:
        found = []
        if name in FELTS:
            expect(ana.page.locator(".shell .cheer, .shell .moment")).to_have_count(0)
            found += contrasts(ana)
        if size == PHONE and scheme == "light":
            found += small_targets(ana, ".advice" if name.endswith("-hint") else "body")
        return found

    found = walk(ana, part, measure)
    assert not found, "\n".join(found)
