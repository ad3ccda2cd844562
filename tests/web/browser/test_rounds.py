"""Between the rounds and after them: pauses, moments that nobody should miss, being out, and the story at the end."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import END, HANDS, Hand, Lobo, set_up, two_at_a_table
from tests.web.browser.visitor import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

SMALL = (390, 664)
PAUSE = ".pause"
# How long things fly, and whether a round was ever shown at its end.
RECORD = """
const animate = Element.prototype.animate
window.durations = []
Element.prototype.animate = function (frames, timing) {
  if (timing?.fill === 'forwards') window.durations.push(timing.duration)
  return animate.call(this, frames, timing)
}
new MutationObserver(() => {
  if (document.querySelector('.pause')) sessionStorage.paused = 'seen'
}).observe(document, { childList: true, subtree: true })"""


def step_until(hands: list[Hand], until: Callable[[], bool]) -> None:
    """Play, but press on nowhere."""
    for _ in range(4000):
        if until():
            return
        if not any([hand.step() for hand in hands]):
            hands[0].page.wait_for_timeout(15)
    raise AssertionError("it never came to that")


def start(visitor: Visitor, game: str, seats: int, **options: object) -> Hand:
    visitor.open()
    visitor.hurry()
    set_up(visitor, game, seats, seats - 1, **options)
    return HANDS[game](visitor)


def test_a_round_ends_with_a_pause(visit: Visit) -> None:
    ana = visit(size=SMALL)
    hand = start(ana, "double_lucky_7", 3, rounds=7)
    step_until([hand], lambda: hand.has(PAUSE))
    sheet = ana.page.get_by_role("dialog", name="End of round 1")
    rows = sheet.locator("tbody tr")
    expect(rows).to_have_count(3)
    for row in rows.all_inner_texts():
        assert re.search(r"Bid \d.* took .*: bid (made|missed)", row), row
        points = 0 if "missed" in row else 10
        assert int(row.split()[-1]) >= points
    expect(sheet).to_be_focused()
    expect(ana.page.locator(".strip")).not_to_contain_text("Round 2,")
    ana.page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    hand.finish(600, until=lambda: ana.page.get_by_role("dialog", name="End of round 2").count() > 0)


def test_everybody_presses_on(visit: Visit) -> None:
    ana, ben = visit(name="Ana"), visit(name="Ben", lang="fr", size=SMALL)
    hands = two_at_a_table(ana, ben, "double_lucky_7", rounds=7)
    step_until(hands, lambda: all(hand.has(PAUSE) for hand in hands))
    ana.button(ana.t("table.press_on"), exact=True).click()
    expect(ana.page.get_by_text(ana.t("table.round_waits", name="Ben"))).to_be_visible()
    expect(ben.button(ben.t("table.press_on"), exact=True)).to_be_visible()
    # Whoever loads the page again is asked again.
    ben.page.reload()
    ben.button(ben.t("table.press_on"), exact=True).click()
    for one in (ana, ben):
        expect(one.page.locator(PAUSE)).to_have_count(0)


def test_who_wants_no_pause_has_none(visit: Visit) -> None:
    ana = visit(size=SMALL)
    ana.context.add_init_script(RECORD)
    ana.open()
    ana.button(ana.t("shell.settings")).click()
    ana.choose(ana.t("shell.pause"), ana.t("shell.pause_none"))
    ana.page.keyboard.press("Escape")
    hand = start(ana, "double_lucky_7", 3, rounds=7)
    step_until([hand], lambda: "Round 3," in ana.page.locator(".strip").inner_text())
    assert ana.page.evaluate("() => sessionStorage.paused") is None


def test_a_lost_token_is_a_moment(visit: Visit) -> None:
    ana = visit(size=SMALL)
    hand = start(ana, "lobo77", 3)
    hand.finish(300, until=lambda: hand.has(".moment"))
    assert "token" in ana.page.locator(".moment").inner_text()


def test_the_first_match_of_a_game_is_calm(visit: Visit) -> None:
    """Things fly slower: 420 milliseconds at the usual pace, or less if moves wait."""
    calm, usual = {700, 437.5, 350, 175}, {420, 262.5, 210, 105}

    def fly() -> set[float]:
        ana.page.wait_for_function("() => window.durations.length > 3")
        return {round(one, 1) for one in ana.page.evaluate("() => window.durations")}

    ana = visit(size=SMALL)
    ana.context.add_init_script(RECORD)
    set_up(ana, "lobo77", 3, 2, tokens=1, swim=False)
    table = ana.path
    hand = Lobo(ana)
    step_until([hand], lambda: ana.page.evaluate("() => window.durations.length > 3"))
    assert fly() & calm and not fly() & usual
    ana.open()
    ana.hurry()
    ana.open(table)
    hand.finish(1500)
    ana.open()
    ana.button(ana.t("shell.settings")).click()
    ana.choose(ana.t("shell.speed"), ana.t("shell.speed_normal"))
    ana.page.keyboard.press("Escape")
    set_up(ana, "lobo77", 3, 2)
    step_until([hand], lambda: ana.page.evaluate("() => window.durations.length > 3"))
    assert fly() & usual and not fly() & calm


class Reckless(Lobo):
    """The highest card, to be out soon."""

    def step(self) -> bool:
        return self.press(*(f'[data-spot="hand:{place}"].legal' for place in range(4, -1, -1)))


def be_out(ana: Visitor) -> None:
    """Play until Ana is out and others are not; whoever wins plays again."""
    start(ana, "lobo77", 5, tokens=1, swim=False)
    hand = Reckless(ana)
    out = ana.page.get_by_role("region", name=ana.t("table.out_title"))
    for _ in range(8):
        hand.finish(1500, until=lambda: out.count() > 0)
        if out.count():
            return
        ana.button(ana.t("table.rematch")).click()
        expect(ana.page.locator(END)).to_have_count(0)


def test_who_is_out_watches_faster_or_jumps_to_the_end(visit: Visit) -> None:
    ana = visit(size=SMALL)
    be_out(ana)
    faster = ana.button(ana.t("table.out_faster"))
    faster.click()
    expect(faster).to_be_disabled()
    ana.button(ana.t("table.out_end")).click()
    expect(ana.page.locator(END)).to_be_visible()
    story = ana.page.locator(".end")
    expect(story.locator(".places")).to_contain_text("Ana is")
    expect(story.locator("li.me .result")).to_have_text(re.compile("^out in round"))


def test_who_is_out_sees_the_result_later(visit: Visit) -> None:
    ana = visit(size=SMALL)
    be_out(ana)
    table = ana.path
    ana.button(ana.t("table.out_later")).click()
    over = ana.page.get_by_role("region", name=ana.t("shell.over_title"))
    ana.page.wait_for_url("**/")
    for _ in range(100):
        ana.open()
        expect(ana.page.locator("article h2").first).to_be_visible()
        expect(ana.page.locator(f'a[href="{table}"]')).to_be_visible()
        if over.count():
            break
    over.get_by_role("link").click()
    expect(ana.page.locator(END)).to_be_visible()
