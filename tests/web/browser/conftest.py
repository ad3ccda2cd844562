"""A real server, a real Chromium, and visitors whose pages must stay free of trouble."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests import needs
from tests.server.process import Server
from tests.web.browser import chromium
from tests.web.browser.visitor import Visitor
from tests.web.sources import PAGE, WEB

AWAY = 10
"""Seconds until a bot stands in for somebody who is away; a page is loaded again in less, on a busy machine too."""
PATIENCE = 30_000
"""Milliseconds until what should show is taken for missing."""
expect.set_options(timeout=PATIENCE)

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process."""
    path = chromium.find() or needs.missing(chromium.MISSING)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, path)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page_built() -> None:
    """The pages, built if they are not yet."""
    if not (PAGE / "index.html").exists():
        subprocess.run([sys.executable, str(WEB / "build.py")], check=True)


@pytest.fixture(scope="session")
def server(page_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a process, with quick bots that soon stand in."""
    settings = {"AWAY_SECONDS": str(AWAY), "BOT_SECONDS": "0.2", "HINT_SECONDS": "0.2"}
    with Server(tmp_path_factory.mktemp("room"), **settings) as running:
        yield running


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember which tests failed, for a picture of what was there."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def visit(browser: Browser, server: Server, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visit]:
    """Make visitors; when the test is over, nothing may have gone wrong on their pages."""
    visitors: list[Visitor] = []

    def make(**given: Any) -> Visitor:
        visitors.append(Visitor(browser, given.pop("address", server.url), **given))
        return visitors[-1]

    yield make
    try:
        for visitor in visitors:
            visitor.check()
    finally:
        for number, visitor in enumerate(visitors):
            if request.node.stash.get(FAILED, False):
                picture = tmp_path / f"{number}.png"
                visitor.page.screenshot(path=picture)
                print(f"What {visitor.name} saw: {picture}\n" + "\n".join(visitor.troubles))
            visitor.close()
