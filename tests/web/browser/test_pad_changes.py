"""Writing on a score pad: errors at their field, questions, changing any line, and the results to keep."""

from __future__ import annotations

import csv
import io
import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.pads import NAMES, PadPage
from tests.web.browser.visitor import DESKTOP, PHONE, Visitor

pytestmark = pytest.mark.slow


def field(pad: PadPage, name: str, player: str) -> Locator:
    """The place where a player's value is typed."""
    return pad.page.locator(".now").get_by_role("textbox", name=f"{pad.labels[name]}, {player}", exact=True)


def said_at(pad: PadPage, box: Locator) -> Locator:
    """What describes a field: the error that stands at it."""
    expect(box).to_have_attribute("aria-invalid", "true")
    return pad.page.locator(f"[id='{box.get_attribute('aria-describedby')}']")


def loba(visitor: Visitor, *rounds: list[int]) -> PadPage:
    """A Loba pad for three with some rounds."""
    pad = PadPage(visitor, "loba")
    pad.open_new(3)
    for points in rounds:
        pad.each("points", points)
        pad.write()
    return pad


def lines(pad: PadPage) -> list[list[str]]:
    """The points on the sheet, the first round first."""
    rows = pad.page.locator(".sheet tbody tr:not(.note)").all()
    return [row.locator(".points").all_inner_texts() for row in reversed(rows)]


def test_an_error_stands_at_its_field_at_once(visit: Visit) -> None:
    ana = visit(size=PHONE)
    pad = loba(ana)
    ben = field(pad, "points", "Ben")
    field(pad, "points", "Ana").fill("12")
    ben.fill("999")
    told = said_at(pad, ben)  # nothing was written yet
    expect(told).to_have_attribute("role", "alert")
    expect(told).to_contain_text("goes from 0 to 191; Ben cannot have 999.")
    assert told.bounding_box()["y"] > ben.bounding_box()["y"]  # type: ignore[index]
    ben.fill("0")
    expect(pad.page.locator(".now").get_by_role("alert")).to_have_count(0)
    field(pad, "points", "Cleo").fill("0")
    told = said_at(pad, ben)  # two at 0: told at once, at both
    expect(told).to_contain_text("Ben and Cleo cannot all have 0.")
    expect(field(pad, "points", "Cleo")).to_have_attribute("aria-invalid", "true")
    expect(field(pad, "points", "Ana")).not_to_have_attribute("aria-invalid", "true")
    expect(field(pad, "points", "Ana")).to_have_value("12")  # nothing that was typed is lost
    told.get_by_role("button", name=ana.t("pad.rule", rule="B17")).click()
    expect(pad.page.get_by_role("dialog").get_by_text("B17").first).to_be_visible()
    ana.fits()


def test_an_empty_field_is_not_0(visit: Visit) -> None:
    ana = visit(size=PHONE, lang="fr")
    pad = loba(ana)
    field(pad, "points", "Ana").fill("0")
    field(pad, "points", "Cleo").fill("7")
    ana.button(ana.t("pad.write"), exact=True).click()
    ben = field(pad, "points", "Ben")
    expect(said_at(pad, ben)).to_contain_text("rien n’est encore inscrit pour Ben")
    expect(ben).to_be_focused()
    assert lines(pad) == []
    ana.button(ana.t("loba.pad_count_hand", name="Ben"), exact=True).click()
    counter = pad.page.get_by_role("dialog").filter(has=pad.page.locator(".keys"))
    expect(counter.get_by_role("button", name=ana.t("loba.pad_take_over"))).to_have_count(0)
    expect(counter.get_by_role("button", name=ana.t("loba.pad_went_out"))).to_be_visible()  # 0 only if one says so
    pad.page.keyboard.press("Escape")
    ben.fill("5")
    pad.write()
    assert lines(pad) == [["0", "5", "7"]]


def test_points_can_be_typed_as_ranks_without_suits(visit: Visit) -> None:
    ana, ben = visit(), visit(lang="fr", size=PHONE)
    pad = loba(ana)
    field(pad, "points", "Ana").fill("5 10 k *")
    expect(pad.page.locator(".now").get_by_text(ana.t("pad.counted", n=53))).to_be_visible()
    field(pad, "points", "Ben").fill("5 11")
    expect(said_at(pad, field(pad, "points", "Ben"))).to_contain_text("11 is not a card")
    field(pad, "points", "Ben").fill("0")
    field(pad, "points", "Cleo").fill("QQ")
    expect(said_at(pad, field(pad, "points", "Cleo"))).to_contain_text("QQ is not a card")
    field(pad, "points", "Cleo").fill("q q")
    pad.write()
    assert pad.totals() == [53, 0, 24]
    french = loba(ben)
    field(french, "points", "Ana").fill("V D R")
    expect(french.page.locator(".now").get_by_text(ben.t("pad.counted", n=36))).to_be_visible()


def test_loba_with_nobody_at_0_asks(visit: Visit) -> None:
    ana = visit(size=PHONE)
    pad = loba(ana)
    pad.each("points", [5, 6, 7])
    ana.button(ana.t("pad.write"), exact=True).click()
    question = pad.page.locator(".question")
    expect(question.get_by_role("alert")).to_have_text(re.compile("did everybody play 40 turns"))
    no, yes = ana.button(ana.t("pad.ask_no"), exact=True), ana.button(ana.t("pad.ask_yes"), exact=True)
    expect(no).to_be_focused()
    ana.fits()
    no.click()
    expect(question).to_have_count(0)
    assert lines(pad) == []
    expect(field(pad, "points", "Cleo")).to_have_value("7")
    ana.button(ana.t("pad.write"), exact=True).click()
    yes.click()
    expect(pad.page.locator(".sheet tbody tr:not(.note)")).to_have_count(1)
    assert pad.totals() == [5, 6, 7]
    pad.each("points", [5, 0, 7])
    pad.write()  # somebody is at 0: nothing is asked


def test_an_absurd_number_is_asked_about(visit: Visit) -> None:
    ana = visit(size=PHONE, lang="fr")
    pad = PadPage(ana, "volle_lotte")
    pad.open_new(2)
    pad.number(pad.labels["points"], 30000)
    ana.button(ana.t("pad.write"), exact=True).click()
    expect(pad.page.locator(".question")).to_contain_text("30000 points en un seul tour (Ana)")
    ana.button(ana.t("pad.ask_no"), exact=True).click()
    pad.number(pad.labels["points"], 3000)
    pad.write()
    assert pad.totals() == [3000, 0]
    pad.number(pad.labels["points"], 30000)
    pad.sure()
    expect(pad.page.locator(".now h2")).to_have_text(re.compile("^Dernier tour"))  # one, and Ana has the fewest
    assert pad.totals() == [3000, 30000]


def test_entries_are_inserted_moved_and_removed_anywhere(visit: Visit) -> None:
    ana, ben = visit(size=PHONE), visit(name="Ben", lang="fr")
    pad = loba(ana, [0, 12, 23], [5, 0, 7])
    ben.open(pad.share())

    dialog = pad.correct(2)
    dialog.get_by_role("button", name=ana.t("pad.insert")).click()
    pad.each("points", [9, 8, 0], inside=dialog)
    dialog.get_by_role("button", name=ana.t("pad.insert_it"), exact=True).click()
    expect(dialog).to_have_count(0)
    assert lines(pad) == [["0", "12", "23"], ["9", "8", "0"], ["5", "0", "7"]]
    assert pad.totals() == [14, 20, 30]

    dialog = pad.correct(3)
    ana.fits()
    dialog.get_by_label(ana.t("pad.move_to"), exact=True).select_option("0")
    expect(dialog).to_have_count(0)
    assert lines(pad) == [["5", "0", "7"], ["0", "12", "23"], ["9", "8", "0"]]
    more = pad.page.locator(".sheet tbody tr:not(.note) .more")
    assert more.all_inner_texts()[-3:] == ["5", "0", "7"]  # the sums after it are counted anew

    dialog = pad.correct(2)
    dialog.get_by_role("button", name=ana.t("pad.remove_entry"), exact=True).click()
    dialog.get_by_role("button", name=ana.t("pad.remove_it"), exact=True).click()
    expect(dialog).to_have_count(0)
    assert lines(pad) == [["5", "0", "7"], ["9", "8", "0"]] and pad.totals() == [14, 8, 7]
    expect(ben.page.locator("thead .total").first).to_contain_text("14")  # others see it too
    expect(pad.page.locator(".now h2")).to_contain_text("Round 3 of 6")


def test_a_change_that_later_lines_do_not_bear_says_which(visit: Visit) -> None:
    ana = visit()
    pad = PadPage(ana, "double_lucky_7")
    pad.open_new(3, rounds=7)
    for name, values in (("bids", [0, 0, 0]), ("tricks", [1, 0, 0]), ("bids", [2, 1, 0]), ("tricks", [2, 0, 0])):
        pad.each(name, values)
        pad.write()
    dialog = pad.correct(1)
    dialog.get_by_role("listitem").first.get_by_role("button").click()
    dialog.get_by_role("button", name=ana.t("pad.remove_entry"), exact=True).click()
    dialog.get_by_role("button", name=ana.t("pad.remove_it"), exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("entry 2 would no longer fit")
    pad.page.keyboard.press("Escape")
    assert len(lines(pad)) == 2


def test_names_can_be_changed(visit: Visit) -> None:
    ana = visit(size=PHONE)
    pad = loba(ana, [0, 12, 23])
    ana.button(ana.t("pad.names"), exact=True).click()
    boxes = [pad.page.get_by_role("dialog").get_by_label(ana.t("pad.player", n=n), exact=True) for n in (1, 2, 3)]
    boxes[2].fill("Ana")
    expect(pad.page.get_by_role("dialog").get_by_role("alert")).to_have_text(ana.t("pad.twice", name="Ana"))
    boxes[0].fill("Ben")  # two change places
    boxes[1].fill("Ana")
    boxes[2].fill("Zoé")
    ana.fits()
    ana.button(ana.t("pad.names_save"), exact=True).click()
    expect(pad.page.get_by_role("dialog").filter(has=pad.page.locator("ol"))).to_have_count(0)
    expect(pad.page.locator("thead .name")).to_have_text(["Ben", "Ana", "Zoé"])
    assert pad.totals() == [0, 12, 23]
    expect(field(pad, "points", "Zoé")).to_be_visible()
    ana.open("/pad")
    expect(pad.page.get_by_role("link", name=re.compile("Ben, Ana, Zoé"))).to_be_visible()


def test_a_skipbo_pad_is_for_points_and_all_pads_are_listed(visit: Visit) -> None:
    ana = visit(size=PHONE)
    pad = PadPage(ana, "skipbo")
    pad.start(2, first=0)
    pad.each("stocks", [0, 5])
    pad.write()
    assert pad.totals() == [50, 0]
    for _ in range(5):
        pad.open_new(2, match="single")
    pad.each("stocks", [0, 5])
    ana.button(ana.t("pad.write"), exact=True).click()
    expect(pad.page.get_by_role("heading", name=ana.t("pad.over", names="Ana", n=1))).to_be_visible()
    ana.open("/pad")
    section = pad.page.get_by_role("region", name=ana.t("pad.mine"))
    expect(section.get_by_role("listitem")).to_have_count(6)
    ana.fits()
    section.get_by_role("listitem").last.get_by_role("button").click()
    expect(section.get_by_role("listitem")).to_have_count(5)
    # Matches do not push them out of what the device keeps.
    pad.page.evaluate(
        """async () => {
          const tables = JSON.parse(localStorage['ludotheque.tables'])
          for (let i = 0; i < 90; i += 1) tables[i] = { id: String(i), game: 'loba', kind: 'match', at: Date.now() + i }
          localStorage['ludotheque.tables'] = JSON.stringify(tables)
        }"""
    )
    pad.open_new(2)
    ana.open("/pad")
    expect(section.get_by_role("listitem")).to_have_count(6)


def saved(visitor: Visitor, word: str) -> tuple[str, bytes]:
    """A file from the menu of results: its name, and what is in it."""
    visitor.button(visitor.t("pad.results"), exact=True).click()
    with visitor.page.expect_download() as waiting:
        visitor.page.get_by_role("menuitem", name=visitor.t(f"pad.{word}"), exact=True).click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_results_as_csv_and_picture(visit: Visit) -> None:
    ana = visit(size=PHONE, lang="fr")
    pad = loba(ana, [0, 12, 23], [5, 0, 7])
    ana.button(ana.t("pad.names"), exact=True).click()
    ana.page.get_by_label(ana.t("pad.player", n=2), exact=True).fill('Zoé, "Z"')
    ana.button(ana.t("pad.names_save"), exact=True).click()
    expect(pad.page.locator("thead .name").nth(1)).to_have_text('Zoé, "Z"')

    name, data = saved(ana, "csv")
    assert name.endswith(".csv") and data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert rows[0][1:] == ["Mène", "Inscrit", "Ana", 'Zoé, "Z"', "Cleo"]
    assert [row[3:] for row in rows[1:]] == [["0", "12", "23"], ["5", "0", "7"], ["5", "12", "30"], ["1", "2", "3"]]

    name, data = saved(ana, "picture")
    assert name.endswith(".png") and data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    assert width > 700 and height > 500
    assert len(data) > 10_000  # there is something on it


def test_the_sheet_on_paper(visit: Visit) -> None:
    ana = visit(color_scheme="dark")
    pad = loba(ana, [0, 12, 23], [5, 0, 7])
    page = ana.page
    page.evaluate("() => { window.print = () => { window.printed = true } }")
    ana.button(ana.t("pad.results"), exact=True).click()
    page.get_by_role("menuitem", name=ana.t("pad.print"), exact=True).click()
    assert page.evaluate("() => window.printed")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Loba")).to_be_visible()
    expect(page.locator("thead .name").first).to_be_visible()
    for hidden in (".now", "header .tools", ".home"):
        expect(page.locator(hidden).first).to_be_hidden()
    ground, ink = page.evaluate(
        "() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('td')).color]"
    )
    assert (ground, ink) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")  # also where the screen is dark
    assert pad.page.pdf().startswith(b"%PDF")


def test_the_screen_stays_awake_or_the_page_says_why_not(visit: Visit) -> None:
    ana = visit(size=PHONE)
    loba(ana)
    held = ana.page.evaluate(
        "() => navigator.wakeLock.request('screen').then((l) => l.release().then(() => true), () => false)"
    )
    expect(ana.page.locator(".awake")).to_have_text(ana.t("pad.awake_on" if held else "pad.awake_denied"))

    ben = visit(lang="fr", size=DESKTOP)
    ben.context.add_init_script("delete Navigator.prototype.wakeLock")
    loba(ben)
    expect(ben.page.locator(".awake")).to_have_text(ben.t("pad.awake_unable"))

    # As over plain http from another machine.
    cleo = visit(size=PHONE)
    cleo.context.add_init_script(
        "delete Navigator.prototype.wakeLock; Object.defineProperty(window, 'isSecureContext', { value: false })"
    )
    loba(cleo)
    expect(cleo.page.locator(".awake")).to_have_text(cleo.t("pad.awake_insecure"))


def test_what_is_wrong_at_a_new_pad_stands_at_the_name(visit: Visit) -> None:
    ana = visit(size=PHONE)
    ana.open("/pad?game=loba")
    first, second = (ana.page.get_by_label(ana.t("pad.player", n=n), exact=True) for n in (1, 2))
    first.fill(NAMES[0])
    second.fill(NAMES[0])
    expect(ana.page.get_by_role("alert")).to_have_text(ana.t("pad.twice", name=NAMES[0]))
    expect(second).to_have_attribute("aria-invalid", "true")
    second.fill("")
    ana.button(ana.t("pad.begin"), exact=True).click()
    expect(second).to_be_focused()
    expect(ana.page.get_by_role("alert")).to_have_text([ana.t("pad.nameless")] * 2)
    expect(first).to_have_value(NAMES[0])
