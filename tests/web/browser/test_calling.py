"""Calling people to the table: title, sound and notification when it is their turn, and the system's sharing."""

from __future__ import annotations

import time

import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import PATIENCE, play_on, set_up, two_at_a_table
from tests.web.browser.visitor import DESKTOP, PHONE, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

# A browser without a window never hides its page, and has no speaker: the page is told so, and notes are counted.
AWAY = """() => {
  window.tones = 0
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...given) { tones += 1; return start.apply(this, given) }
  let away = false
  Object.defineProperty(document, 'hidden', { get: () => away })
  window.lookAway = (yes) => { away = yes; document.dispatchEvent(new Event('visibilitychange')) }
}"""
TOLD = """async () => {
  const worker = await navigator.serviceWorker.ready
  return (await worker.getNotifications()).map(({ title, body }) => [title, body])
}"""


def wait_for_notifications(visitor: Visitor, count: int) -> list[list[str]]:
    """The notifications of the system, as soon as there are so many."""
    end = time.monotonic() + PATIENCE
    while len(told := visitor.page.evaluate(TOLD)) != count:
        assert time.monotonic() < end, f"{len(told)} notifications instead of {count}"
        visitor.page.wait_for_timeout(50)
    found: list[list[str]] = told
    return found


def test_your_turn_is_told_in_the_title_aloud_and_by_the_system(visit: Visit) -> None:
    ana, ben = visit(name="Ana", size=DESKTOP), visit(name="Ben", lang="fr", size=PHONE)
    ben.context.grant_permissions(["notifications"], origin=ben.address)
    ben.context.add_init_script(f"({AWAY})()")
    hands = two_at_a_table(ana, ben, "lobo77", tokens=6)
    ben.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    mine = f"● {ben.t('table.your_turn')}"
    # Both pages must show Ana's turn: Ben's may hear of it later, and his last turn would be taken for the next.
    play_on(hands, lambda: hands[0].has(".title p.mine") and not hands[1].has(".title p.mine"))
    assert not ben.page.title().startswith("●")
    before = ben.page.evaluate("() => tones")
    assert wait_for_notifications(ben, 0) == []
    ben.page.evaluate("() => lookAway(true)")
    play_on(hands[:1], lambda: hands[1].has(".title p.mine"))
    assert wait_for_notifications(ben, 1) == [[ben.t("table.your_turn"), "LOBO 77"]]
    assert ben.page.title().startswith(mine)
    assert ben.page.evaluate("() => tones") > before
    ben.page.evaluate("() => lookAway(false)")
    wait_for_notifications(ben, 0)


def test_a_link_is_handed_to_the_systems_sharing(visit: Visit) -> None:
    ana = visit(lang="fr", size=PHONE)
    ana.context.add_init_script("navigator.share = async (what) => { window.shared = what }")
    ana.open()
    set_up(ana, "skipbo", 2, 0)
    ana.button(ana.t("table.share"), exact=True).click()
    shared = ana.page.evaluate("() => shared")
    link = ana.page.get_by_label(ana.t("table.link"), exact=True).input_value()
    assert shared == {"title": ana.t("table.share_title"), "url": link}
