"""What goes wrong says what happened and what to do: dead links, full tables, foreign seats, a lost server."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.server.process import Server
from tests.web.browser.conftest import Visit
from tests.web.browser.playing import HANDS, set_up
from tests.web.browser.visitor import PHONE, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

TOKEN = """id => {
  const tables = JSON.parse(localStorage['ludotheque.tables'])
  tables[id].token = 'A'.repeat(tables[id].token.length)
  localStorage['ludotheque.tables'] = JSON.stringify(tables)
}"""


def says(visitor: Visitor, problem: str) -> None:
    """The page tells the problem, in words of its own, with a way out."""
    alert = visitor.page.get_by_role("alert")
    expect(alert.get_by_role("heading", name=visitor.t(f"shell.trouble_{problem}_title"))).to_be_visible()
    expect(alert).to_contain_text(visitor.t(f"shell.trouble_{problem}"))
    expect(alert.get_by_role("link", name=visitor.t("shell.to_games"))).to_be_visible()
    visitor.fits()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_dead_link(visit: Visit, lang: str) -> None:
    ana = visit(lang=lang, size=PHONE)
    ana.forgive("404")
    ana.open("/t/abcdefgh2345")
    says(ana, "unknown_table")
    ana.page.get_by_role("link", name=ana.t("shell.to_games")).click()
    expect(ana.page.get_by_role("heading", level=1)).to_have_text(ana.t("shell.home_title"))


def test_a_dead_pad(visit: Visit) -> None:
    ana = visit(size=PHONE)
    ana.forgive("404")
    ana.open("/pad/abcdefgh2345")
    expect(ana.page.get_by_role("alert")).to_be_visible()
    assert len(ana.page.get_by_role("alert").inner_text()) > 40


def test_an_address_where_nothing_is(visit: Visit) -> None:
    ana = visit()
    ana.forgive("404")
    ana.open("/nothing/here")
    expect(ana.page.get_by_role("heading", name=ana.t("shell.lost_title"))).to_be_visible()


def test_what_is_no_code(visit: Visit) -> None:
    ana = visit(lang="fr")
    ana.open("/join")
    field = ana.page.get_by_label(ana.t("shell.join_label"))
    field.fill("bonjour")
    field.press("Enter")
    expect(ana.page.get_by_text(ana.t("shell.join_wrong"))).to_be_visible()


def test_a_private_table_without_its_key(visit: Visit) -> None:
    ana, ben = visit(), visit(name="Ben", size=PHONE)
    ben.forgive("403", "401")
    ana.open()
    table = set_up(ana, "lobo77", 2, 0)
    ben.open(f"/t/{table}")
    says(ben, "not_allowed")


def test_a_full_table(visit: Visit, server: Server) -> None:
    """Somebody else was quicker: the last seat is taken between looking and sitting down."""
    ana, ben = visit(), visit(name="Ben", size=PHONE)
    ben.forgive("409")
    ana.open()
    table = set_up(ana, "lobo77", 2, 0)
    link = ana.page.get_by_label(ana.t("table.link"), exact=True).input_value()
    ben.open(link)
    expect(ben.button(ben.t("table.sit_here"))).to_be_visible()

    def too_late(route: Route) -> None:
        key = link.partition("#join=")[2]
        httpx.post(f"{server.url}/api/tables/{table}/join", json={"name": "Cleo", "key": key}).raise_for_status()
        route.continue_()

    ben.page.route(re.compile(r"/join\b"), too_late)
    ben.button(ben.t("table.sit_here")).click()
    ben.say_name()
    expect(ben.page.locator(".toast").first).to_have_text(re.compile(".{10}"))
    # And whoever comes later sees that no seat is free.
    cleo = visit(name="Cleo")
    cleo.open(link)
    expect(cleo.page.get_by_text(cleo.t("table.full"))).to_be_visible()
    expect(cleo.button(cleo.t("table.sit_here"))).to_have_count(0)


def test_a_foreign_seat(visit: Visit) -> None:
    """With a token that is not the seat's one watches, and the page still works."""
    ana = visit()
    ana.forgive("401", "403")
    ana.open()
    table = set_up(ana, "lobo77", 2, 1)
    expect(ana.page.locator("main.screen")).to_be_visible()
    ana.page.evaluate(TOKEN, table)
    ana.context.clear_cookies()
    ana.page.reload()
    expect(ana.page.locator("main.screen")).to_be_visible()
    expect(ana.page.locator(".hand button.card")).to_have_count(0)
    expect(ana.button(ana.t("table.hint"))).to_have_count(0)


def test_the_server_goes_and_comes_back(visit: Visit, tmp_path: Path, page_built: None) -> None:
    with Server(tmp_path, BOT_SECONDS="0.2") as server:
        ana = visit(address=server.url, size=PHONE)
        ana.forgive("ERR_CONNECTION_REFUSED", "WebSocket connection", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
        ana.open()
        ana.hurry()
        set_up(ana, "lobo77", 2, 1)
        hand = HANDS["lobo77"](ana)
        lost = ana.t("table.link_lost")
        for how, text in ((signal.SIGTERM, re.compile("restart")), (signal.SIGKILL, lost)):
            goal = hand.pressed + 3
            hand.finish(400, until=lambda goal=goal: hand.pressed >= goal)  # type: ignore[misc]
            ana.page.locator(".hand button.card.legal").first.wait_for()
            before = ana.page.locator(".hand .card").evaluate_all("all => all.map(one => one.ariaLabel)")
            server.stop(how)
            expect(ana.page.locator(".link p[role=status]")).to_have_text(text)
            expect(ana.page.locator(".hand button.card.legal")).to_have_count(0)
            server.start()
            expect(ana.page.locator(".link p[role=status]")).to_have_count(0, timeout=60_000)
            ana.page.locator(".hand button.card.legal").first.wait_for()
            assert ana.page.locator(".hand .card").evaluate_all("all => all.map(one => one.ariaLabel)") == before
        goal = hand.pressed + 3
        hand.finish(400, until=lambda: hand.pressed >= goal)


def test_an_old_tab_after_an_update(visit: Visit) -> None:
    """A part of the page that the server no longer has: the tab says so and offers to reload."""
    ana = visit(service_workers="block")
    ana.forgive("404", "dynamically imported module", "Service Worker registration blocked")
    ana.page.route(re.compile(r"/assets/NewTable-.*\.js"), lambda route: route.fulfill(status=404, body=""))
    ana.open()
    ana.page.locator('a[href="/new/loba"]').click()
    expect(ana.page.get_by_text(ana.t("shell.page_failed"))).to_be_visible()
    expect(ana.page.locator(".toast")).to_contain_text(ana.t("shell.update_here"))
    ana.page.unroute_all()
    ana.button(ana.t("shell.reload"), exact=True).first.click()
    expect(ana.page.get_by_role("heading", level=1)).to_have_text("Loba")
