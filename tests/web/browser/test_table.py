"""What else one does at a table: drag, ask why, take advice, take back, change the language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.playing import HANDS, VolleLotte, set_up
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import PHONE, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]


def at_a_table(visit: Visit, game: str, seats: int, speed: str = "none", **given: object) -> Visitor:
    """Somebody at a table with bots, at turn."""
    ana: Visitor = visit(**given)
    prepare(ana, speed)
    set_up(ana, game, seats, seats - 1)
    return ana


def centre(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_is_dragged_onto_the_pile(visit: Visit) -> None:
    ana = at_a_table(visit, "lobo77", 2, speed="fast")
    card = ana.page.locator(".hand button.card.legal").last
    card.wait_for()
    name = ana.page.locator(".hand button.card").count()
    ana.page.mouse.move(*centre(card))
    ana.page.mouse.down()
    ana.page.mouse.move(600, 500, steps=5)
    expect(ana.page.locator("body > .card")).to_have_count(1)
    ana.page.mouse.move(*centre(ana.page.locator(".played")), steps=5)
    ana.page.mouse.up()
    expect(ana.page.locator(".log li.move").filter(has_text="Ana plays").first).to_be_visible()
    expect(ana.page.locator("body > .card")).to_have_count(0)
    expect(ana.page.locator(".hand button.card")).to_have_count(name)

    # Let go anywhere else, it goes home and nothing is played.
    card = ana.page.locator(".hand button.card.legal").first
    card.wait_for()
    lines = ana.page.locator(".log li").count()
    ana.page.mouse.move(*centre(card))
    ana.page.mouse.down()
    ana.page.mouse.move(60, 300, steps=5)
    ana.page.mouse.up()
    expect(ana.page.locator("body > .card")).to_have_count(0)
    assert ana.page.locator(".log li").count() == lines
    expect(card).to_be_visible()


FITTING = """() => {
  const wanted = [...document.querySelectorAll('.built .next')].map((next) => next.textContent.replace(/\\D/g, ''))
  const cards = [...document.querySelectorAll('.mine button.card.legal[data-spot^="hand:"]')]
  const found = (fits) => cards.find((card) => fits === wanted.includes(card.ariaLabel) && card.ariaLabel !== 'Skip-Bo')
  return [found(true), found(false)].map((card) => card?.dataset.spot ?? null)
}"""
"""Where in the hand there is a card that one building pile takes, and one that none takes."""


def test_a_card_that_fits_one_pile_takes_one_tap(visit: Visit) -> None:
    ana = at_a_table(visit, "skipbo", 2)
    hand = HANDS["skipbo"](ana)
    spots: list[str | None] = []

    def has_both() -> bool:
        spots[:] = ana.page.evaluate(FITTING)
        return all(spots) and not hand.has(".card.picked")

    hand.finish(400, until=has_both)
    fitting, other = (ana.page.locator(f'[data-spot="{spot}"]') for spot in spots)
    moves = ana.page.locator(".log li.move")
    before = moves.count()
    picked = ana.page.locator(".mine .card.picked")
    # A discard ends the turn: it takes a card and a pile.
    other.click()
    expect(picked).to_have_count(1)
    other.click()
    expect(picked).to_have_count(0)
    # Whoever wants to discard what could be built holds it for a moment.
    ana.page.mouse.move(*centre(fitting))
    ana.page.mouse.down()
    expect(picked).to_have_count(1)
    ana.page.mouse.up()
    expect(picked).to_have_count(1)
    ana.page.keyboard.press("Escape")
    expect(picked).to_have_count(0)
    fitting.focus()
    ana.page.keyboard.press("Shift+Enter")
    expect(picked).to_have_count(1)
    ana.page.keyboard.press("Escape")
    assert moves.count() == before
    fitting.click()
    expect(moves.nth(before)).to_contain_text("Ana plays")
    expect(picked).to_have_count(0)


def test_what_cannot_be_played_says_why_and_opens_the_rule(visit: Visit) -> None:
    ana = at_a_table(visit, "loba", 3, size=PHONE)
    stock = ana.page.locator('button[data-spot="stock"]')
    ana.page.locator('button[data-spot="stock"].legal').wait_for()
    held = ana.page.locator("[data-held]")
    before = held.count()
    ana.press(stock)
    expect(held).to_have_count(before + 1)
    ana.press(stock)
    notice = ana.page.locator(".notice")
    expect(notice).to_be_visible()
    assert len(notice.inner_text()) > 15
    assert notice.locator("p").inner_text() in ana.page.locator("[data-announcer]").inner_text()
    notice.get_by_role("button").first.click()
    meant = ana.page.locator("dialog[open] .meant").first
    expect(meant).to_be_in_viewport()
    ana.fits()


def test_advice_is_given_played_and_taken_back(visit: Visit) -> None:
    ana = at_a_table(visit, "double_lucky_7", 3, lang="fr")
    ana.page.locator(".ask button[data-move], .hand .card.legal").first.wait_for()
    ana.button(ana.t("table.hint"), exact=True).click()
    advice = ana.page.locator(".advice")
    expect(advice).to_be_visible()
    expect(ana.page.locator(".hinted").first).to_be_visible()
    moves = ana.page.locator(".log li.move")
    before = moves.count()
    advice.get_by_role("button", name=ana.t("table.play_it"), exact=True).click()
    expect(moves.nth(before)).to_be_visible()
    expect(advice).to_have_count(0)
    ana.button(ana.t("table.undo"), exact=True).click()
    expect(ana.page.get_by_text(ana.t("table.log_undone", name="Ana")).last).to_be_visible()


def test_the_language_changes_in_the_middle_of_a_match(visit: Visit) -> None:
    ana = at_a_table(visit, "volle_lotte", 2, size=PHONE)
    hand = HANDS["volle_lotte"](ana)
    hand.finish(30, until=lambda: hand.pressed >= 4)
    ana.button(ana.t("table.menu"), exact=True).click()
    ana.choose(ana.t("shell.language"), "Français")
    ana.lang = "fr"
    expect(ana.page.get_by_role("heading", name=ana.t("table.people"))).to_be_visible()
    ana.page.keyboard.press("Escape")
    assert ana.page.evaluate("() => document.documentElement.lang") == "fr"
    hand.finish(60, until=lambda: hand.pressed >= 8)
    ana.page.reload()
    expect(ana.button(ana.t("table.rules"), exact=True)).to_be_visible()
    words = "lance|pioche|retourne|garde|arrête|inscrit|tour|Manche"
    expect(ana.page.locator(".strip")).to_have_text(re.compile(words))


PRESS_UNLESS_FIREWORKS = """(about) => {
  const stop = document.querySelector('button.big.stop')
  if (stop && document.body.textContent.includes(about)) return false
  const found = stop ?? document.querySelector('button.big.go:not([aria-disabled="true"]), .rolled button.die.legal')
  found?.click()
  return Boolean(found)
}"""


class BeforeFireworks(VolleLotte):
    """Looks and presses in one step: a button seen first and pressed later may be that of the next card."""

    def step(self) -> bool:
        done = bool(self.page.evaluate(PRESS_UNLESS_FIREWORKS, self.visitor.t("volle_lotte.does_fireworks_stop")))
        self.pressed += done
        return done


def test_the_fireworks_may_be_stopped_where_the_table_allows_it(visit: Visit) -> None:
    """V9, `fireworks_stop`: the card says so, and the button scores the turn."""
    ana = visit(lang="en")
    ana.open()
    ana.hurry()
    set_up(ana, "volle_lotte", 2, 1, target=20000, fireworks_stop=True)
    hand = BeforeFireworks(ana)
    about = ana.page.get_by_text(ana.t("volle_lotte.does_fireworks_stop"))
    stop = ana.page.locator("button.big.stop")
    hand.finish(800, until=lambda: about.count() > 0 and stop.count() > 0)
    expect(ana.page.get_by_text(ana.t("volle_lotte.no_stopping"), exact=True)).to_have_count(0)
    moves = ana.page.locator(".log li.move")
    before = moves.count()
    stop.click()
    expect(moves.nth(before)).to_contain_text("Ana stops.")
    expect(ana.page.locator(".log li").filter(has_text="Ana scores").last).to_be_visible()


def test_a_game_that_is_being_prepared_is_named(visit: Visit) -> None:
    ana = visit(size=PHONE, lang="fr")
    prepare(ana)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if route.request.method == "POST" else route.continue_()

    ana.page.route("**/api/tables?*", hold)
    ana.open()
    ana.page.locator(".games .button.primary").first.click()
    expect(
        ana.page.get_by_role("status").filter(has_text=ana.t("shell.preparing", game="Double Lucky 7"))
    ).to_be_visible()
    ana.fits()
    held[0].continue_()
    ana.page.wait_for_url("**/t/*")
    expect(ana.page.locator(".hand .card").first).to_be_visible()


def test_play_now_takes_one_click_and_a_name(visit: Visit) -> None:
    """The first time a guided match is offered, which one tap turns down for good."""
    ana = visit(size=PHONE)
    ana.open()
    ana.button("Play now LOBO 77").click()
    ana.button(ana.t("shell.lesson_skip"), exact=True).click()
    ana.say_name()
    HANDS["lobo77"](ana).finish(10, until=lambda: ana.page.locator(".hand").count() > 0)
    ana.open()
    expect(ana.page.get_by_role("heading", name=ana.t("shell.mine_title"))).to_be_visible()
    ana.page.locator("#mine-title + ul a, section[aria-labelledby=mine-title] li a").first.click()
    expect(ana.page.locator(".hand .card").first).to_be_visible()
    ana.open()
    ana.button("Play now LOBO 77").click()
    ana.page.wait_for_url("**/t/*")
