"""For those who listen and type: a round by the accessibility tree alone, in words, with the focus always in place."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import expect

import ludotheque
from tests.web.browser.conftest import Visit
from tests.web.browser.ears import EARS, Ear, beginning, has_focus, plain, said, words_of
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import Visitor
from tests.web.sources import texts
from tests.wording import notation

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

ROUNDS = [("lobo77", "fr"), ("loba", "en"), ("skipbo", "en"), ("volle_lotte", "fr"), ("double_lucky_7", "en")]
DEALS = {"lobo77": ["deal"], "loba": ["deal"], "skipbo": [], "volle_lotte": [], "double_lucky_7": ["deal"]}
"""The events after which somebody holds cards that nothing else has told."""
SETTING = """(change) => {
  const key = 'ludotheque.prefs'
  localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), ...change })
}"""
# The accessible name of what has the focus, as far as the pages use it: a label, or what stands in it.
NAME = """() => {
  const node = document.activeElement
  const inside = [...node.querySelectorAll('[aria-label]')]
    .filter((one) => !one.closest('[aria-hidden=true]'))
    .map((one) => one.ariaLabel)
  return node.ariaLabel ?? (inside.join(' ') || node.textContent)
}"""


def listener(visit: Visit, game: str, lang: str) -> Ear:
    """Somebody with a screen reader at a table of the game."""
    ana = visit(lang=lang, reduced_motion="reduce")
    prepare(ana)
    ana.open()
    ear = EARS[game](ana, game)
    ear.sit_down()
    return ear


def log_of(visitor: Visitor) -> list[str]:
    """The log, line by line."""
    log = visitor.page.get_by_role("region", name=visitor.t("table.log"), exact=True)
    return [plain(re.sub(r"\s+", " ", line)) for line in log.get_by_role("listitem").all_inner_texts()]


@pytest.mark.parametrize(("game", "lang"), ROUNDS)
def test_a_round_by_ear(visit: Visit, game: str, lang: str) -> None:
    """Roles, names and announcements are enough; all of them are words; the focus never falls to the page's top."""
    ear = listener(visit, game, lang)
    ear.play_rounds()
    assert not ear.lost_focus, ear.lost_focus
    announced = ear.announced
    turn = plain(ear.t("table.your_turn"))
    assert turn in announced
    # What the log says is announced in the same words and order, between one's turns and what one holds.
    logged = list(itertools.dropwhile(lambda line: line not in announced, log_of(ear.visitor)))
    hand = beginning(lang, "table.aloud_hand")
    told = iter([line for line in announced if line != turn and not hand.search(line)])
    missing = [line for line in logged if line not in told]
    assert len(logged) > 8 and not missing, missing
    # Whoever is dealt cards is told them; where cards are drawn instead, that is told.
    deals = [said(game, lang, f"events.{key}") for key in DEALS[game]]
    num_deals = sum(any(deal.fullmatch(line) for deal in deals) for line in announced)
    assert sum(bool(hand.search(line)) for line in announced) >= num_deals
    written = notation(ludotheque.game(game))
    heard = announced + words_of(ear.visitor)
    # The same table in the other language, with its whole log told anew.
    ear.page.evaluate(SETTING, {"lang": "en" if lang == "fr" else "fr"})
    ear.page.reload()
    expect(ear.page.get_by_role("banner")).to_be_visible()
    heard += words_of(ear.visitor)
    assert not [line for line in heard if written.search(line)]


@pytest.mark.parametrize("game", EARS)
def test_the_table_is_read_on_request(visit: Visit, game: str) -> None:
    """By a key and by a button in the menu: whose turn, what lies where, who has what, what one holds."""
    ear = listener(visit, game, "fr" if game in ("loba", "volle_lotte") else "en")
    ana, page = ear.visitor, ear.page
    expect(page).to_have_title(re.compile("●"))
    page.keyboard.press("r")
    reading = page.get_by_role("log").get_by_text(re.compile(f"^{ear.t('table.your_turn')}\\. ."))
    expect(reading).to_have_count(1)
    text = plain(reading.inner_text())
    other = page.get_by_role("region", name=re.compile(f", {ear.t('parts.bot')}")).first.get_attribute("aria-label")
    for name in (str(other).split(",")[0], plain(ear.t("table.aloud_you"))):
        assert name in text, text
    held = [line for line in ear.announced if beginning(ana.lang, "table.aloud_hand").search(line)]
    assert text.endswith(held[-1] if held else "."), text
    assert game == "volle_lotte" or beginning(ana.lang, "table.aloud_hand").pattern[1:] in re.escape(text), text
    assert not notation(ludotheque.game(game)).search(text)
    menu = ana.button(ear.t("table.menu"), exact=True)
    menu.press("Enter")
    ana.button(ear.t("table.read"), exact=True).press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(reading).to_have_count(2)
    expect(menu).to_be_focused()


def test_hints_and_undo_are_said_and_letters_can_be_off(visit: Visit) -> None:
    ear = listener(visit, "skipbo", "en")
    ana, page = ear.visitor, ear.page
    expect(page).to_have_title(re.compile("●"))
    page.keyboard.press("h")
    log = page.get_by_role("log")
    expect(log.get_by_text(beginning("en", "table.hint_said"))).to_have_count(1)
    page.keyboard.press("Escape")
    while not any(line.startswith("Ana discards") for line in ear.announced):
        assert ear.step() or not ear.is_my_turn
    expect(page).to_have_title(re.compile("●"))
    page.keyboard.press("u")
    expect(log.get_by_text(ana.t("table.log_undone", name="Ana"), exact=True)).to_have_count(1)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate(SETTING, {"keys": False})
    page.reload()
    expect(page.get_by_role("region", name=ana.t("skipbo.hand"))).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("r")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.get_by_role("dialog").count() == 0
    assert not [line for line in ear.announced if "Building pile" in line]


# How something is picked in each game, and the name of where it goes.
PICKS = {
    "lobo77": ("Shift+Enter", "lobo77.hand", ("lobo77.top", "lobo77.nothing_played")),
    "skipbo": ("Shift+Enter", "skipbo.hand", ("skipbo.built", "skipbo.discard")),
    "double_lucky_7": ("Shift+Enter", "double_lucky_7.your_hand", ("double_lucky_7.leads",)),
    "loba": ("Enter", "loba.your_hand", ()),
}


@pytest.mark.looks
@pytest.mark.parametrize("game", PICKS)
def test_tab_leads_from_what_is_picked_to_its_target(visit: Visit, game: str) -> None:
    key, region, names = PICKS[game]
    ear = listener(visit, game, "en")
    page = ear.page
    targets = [beginning("en", name) for name in names] or [said(game, "en", "moves.drop")]
    hand = page.get_by_role("region", name=ear.t(region), exact=True)
    picked = hand.get_by_role("button", pressed=True)
    for _ in range(400):
        if ear.is_my_turn and hand.get_by_role("button", disabled=False).count() and ready(ear):
            hand.get_by_role("button", disabled=False).first.press(key)
            if picked.count():
                break
        elif ear.is_my_turn:
            ear.step()
        page.wait_for_timeout(40)
    expect(picked).to_have_count(1)
    for _ in range(5):
        page.keyboard.press("Tab")
        name = plain(page.evaluate(NAME))
        if any(target.search(name) for target in targets):
            break
    else:
        raise AssertionError(f"after five presses of Tab: {name}")
    logged = page.get_by_role("log").last.inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").last).not_to_have_text(logged, use_inner_text=True)
    assert has_focus(ear.visitor)


def ready(ear: Ear) -> bool:
    """Whether cards are being played now: bids come first, and a card is drawn before one is discarded."""
    if ear.game == "double_lucky_7":
        return not any(
            ear.page.get_by_role("group", name=ear.t(f"double_lucky_7.{key}")).count()
            for key in ("bid_ask", "trump_choose")
        )
    return ear.game != "loba" or any(said("loba", "en", "events.draw").search(line) for line in ear.announced)


def test_f6_goes_round_the_parts_of_the_table(visit: Visit) -> None:
    """Bar, table, hand, talk; and back with Shift. The menu says so."""
    ear = listener(visit, "skipbo", "en")
    ana, page = ear.visitor, ear.page
    hand = page.get_by_role("region", name=ear.t("skipbo.hand"), exact=True)
    expect(hand).to_be_visible()
    places = {
        "bar": page.get_by_role("banner"),
        "hand": hand,
        "talk": page.get_by_role("complementary"),
        "table": page.get_by_role("main"),
    }
    seen = []
    for key in ("F6",) * 5 + ("Shift+F6",) * 2:
        page.keyboard.press(key)
        inside = "(place) => place.contains(document.activeElement)"
        seen.append(next(name for name, place in places.items() if place.evaluate(inside)))
    assert seen == ["bar", "table", "hand", "talk", "bar", "talk", "hand"]
    ana.button(ear.t("table.menu"), exact=True).press("Enter")
    expect(page.get_by_role("dialog").get_by_text(texts("en", "table")["keys_regions"])).to_be_visible()


def test_the_focus_stays_on_the_page(visit: Visit) -> None:
    """Whatever is closed, or taken away because it was pressed, the keyboard goes on from there."""
    ear = listener(visit, "volle_lotte", "en")
    ana, page = ear.visitor, ear.page
    expect(page).to_have_title(re.compile("●"))
    for name in ("table.menu", "table.rules"):
        ana.button(ear.t(name), exact=True).press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(ana.button(ear.t(name), exact=True)).to_be_focused()
    ana.button(ear.t("table.hint"), exact=True).press("Enter")
    advice = page.get_by_role("region", name=ear.t("table.advice"), exact=True)
    advice.get_by_role("button", name=ear.t("shell.close"), exact=True).press("Enter")
    expect(advice).to_have_count(0)
    assert has_focus(ear.visitor)
