"""Tables in a terminal without a terminal: what the tests of the screens share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

import ludotheque
from ludotheque.bots.names import NAMES
from ludotheque.tui.app import LudoApp
from ludotheque.tui.local import LocalTable
from ludotheque.tui.page import Page
from ludotheque.tui.table import Table
from ludotheque.tui.table_screen import TableScreen
from ludotheque.tui.terminal import Look

SMALL, LARGE = (80, 24), (120, 40)


def run(story: Coroutine[Any, Any, None]) -> None:
    """Run a story to its end, or say that it hangs."""
    asyncio.run(asyncio.wait_for(story, 600))


def local(
    game_id: str, lang: str = "en", people: int = 1, bots: int = 2, level: str = "random", **options: Any
) -> LocalTable:
    """A match of people against bots that move at once; nothing is kept on disk."""
    names = ["Ann", "Ben", "Cleo"][:people] + list(NAMES[:bots])
    match = ludotheque.game(game_id).new(names, seed=3, **options)
    levels = {seat: level for seat in range(people, people + bots)}
    return LocalTable(match, levels, lang, 3, pace=0, keep=False)


@asynccontextmanager
async def opened(
    page: Callable[[], Page], lang: str = "en", size: tuple[int, int] = SMALL, look: Look | None = None
) -> AsyncIterator[tuple[LudoApp, Pilot[str]]]:
    """The application with a screen open."""
    app = LudoApp(lambda _: page(), lang, look)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


@asynccontextmanager
async def at_table(
    table: Table, size: tuple[int, int] = SMALL, look: Look | None = None
) -> AsyncIterator[tuple[LudoApp, Pilot[str]]]:
    """The application with a table open, once the table waits for a person."""
    async with opened(lambda: TableScreen(table), table.lang, size, look) as (app, pilot):
        await my_turn(pilot, table)
        yield app, pilot


async def until(pilot: Pilot[str], test: Callable[[], bool], seconds: float = 120) -> None:
    """Wait until something holds."""
    end = asyncio.get_running_loop().time() + seconds
    while not test():
        assert asyncio.get_running_loop().time() < end, "it does not come about\n" + "\n".join(shown(pilot.app))
        await pilot.pause(0.005)
    await pilot.pause()


async def my_turn(pilot: Pilot[str], table: Table) -> None:
    """Wait until the table waits for the person, or the match is over."""
    await until(pilot, lambda: table.is_mine or (table.view is not None and table.view["over"]))


def shown(app: Any) -> list[str]:
    """The screen as lines of text: what somebody at the terminal reads."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    assert len(strips) == height
    lines = ["".join(segment.text for segment in strip) for strip in strips]
    assert all(len(line) <= width for line in lines)
    return [line.rstrip() for line in lines]


def text_of(app: Any) -> str:
    """The screen in one string."""
    return "\n".join(shown(app))


def words_of(app: Any) -> str:
    """The screen's words, wherever its lines break."""
    return " ".join(text_of(app).split())


def click_at(app: Any, text: str) -> tuple[int, int]:
    """Where a text stands on the screen."""
    for y, line in enumerate(shown(app)):
        if text in line:
            return line.index(text), y
    pytest.fail(f"{text!r} is not on the screen:\n{text_of(app)}")
