"""What every screen looks like, as text, at 80 by 24 and 120 by 40, in both languages.

The pictures are in `snapshots/`. After a change that is meant: `LUDOTHEQUE_SNAPSHOTS=write pytest tests/tui`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque.core.pad import new_pad
from ludotheque.tui.menu import MenuScreen
from ludotheque.tui.pad_screen import PadScreen
from ludotheque.tui.page import Page
from ludotheque.tui.replay import ReplayTable
from ludotheque.tui.setup import SetupScreen
from ludotheque.tui.table import Table
from ludotheque.tui.table_screen import TableScreen
from tests.tui.helpers import LARGE, SMALL, local, opened, run, shown

FOLDER = Path(__file__).parent / "snapshots"
PLIES = {"lobo77": 16, "loba": 150, "skipbo": 13, "volle_lotte": 41, "double_lucky_7": 90}
"""So far into a match that there is something to see."""


def compare(name: str, lines: list[str]) -> None:
    """The screen is as it was, or the picture is written anew."""
    text = "\n".join(lines).rstrip() + "\n"
    path = FOLDER / f"{name}.txt"
    if os.environ.get("LUDOTHEQUE_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"there is no picture of {name}"
    assert text == path.read_text(encoding="utf-8")


def played(game_id: str, lang: str, bots: int) -> Table:
    """A match some way on, at Ann's turn. Moves are chosen by their number, so there is no luck in it."""
    table = local(game_id, lang, bots=bots)
    match = table.match
    while len(match.moves) < PLIES[game_id] or match.actor != 0 or len(match.legal()) < 3:
        legal = match.legal()
        match.play(legal[(5 * len(match.moves)) % len(legal)])
    table.set_language(lang)
    return table


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_tables(game_id: str, lang: str, size: tuple[int, int]) -> None:
    most = ludotheque.game(game_id).info.max_seats - 1
    table = played(game_id, lang, min(most, 3 if size == SMALL else 4))

    async def story() -> None:
        async with opened(lambda: TableScreen(table), lang, size) as (app, pilot):
            await pilot.press("down")
            await pilot.pause()
            compare(f"{game_id}-{lang}-{size[0]}x{size[1]}", shown(app))

    run(story())


def _menu() -> Page:
    return MenuScreen()


def _setup() -> Page:
    return SetupScreen(ludotheque.game("skipbo"))


def _pad() -> Page:
    pad = new_pad("double_lucky_7", ["Ana", "Ben", "Cleo"], 0, 1, rounds=7)
    for bids, tricks in (([0, 1, 1], [0, 1, 0]), ([0, 1, 0], [0, 2, 0]), ([2, 0, 2], [2, 0, 1])):
        pad = pad.enter({"bids": bids}).enter({"tricks": tricks})
    return PadScreen(pad, keep=False)


def _replay() -> Page:
    match = ludotheque.game("lobo77").new(["Ann", "Ben", "Cleo"], seed=1)
    while len(match.moves) < 40:
        match.play(match.legal()[0])
    table = ReplayTable(match, "en", 0)
    table.step("right", 20)
    return TableScreen(table)


PAGES: dict[str, Callable[[], Page]] = {"menu": _menu, "setup": _setup, "pad": _pad, "replay": _replay}


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str, lang: str, size: tuple[int, int], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("LUDOTHEQUE_HOME", str(tmp_path))

    async def story() -> None:
        async with opened(PAGES[name], lang, size) as (app, pilot):
            app.set_language(lang)
            await pilot.press("down")
            await pilot.pause()
            compare(f"{name}-{lang}-{size[0]}x{size[1]}", shown(app))

    run(story())


def test_there_is_no_picture_that_nothing_is_compared_with() -> None:
    names = [*ludotheque.game_ids(), *PAGES]
    expected = {f"{name}-{lang}-{w}x{h}.txt" for name in names for lang in ("en", "fr") for w, h in (SMALL, LARGE)}
    assert {path.name for path in FOLDER.iterdir()} == expected


@pytest.mark.parametrize("name", ["skipbo-en-80x24", "replay-en-80x24", "pad-en-80x24"])
def test_the_documentation_shows_the_screens_as_they_are(name: str) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "terminal.md").read_text(encoding="utf-8")
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip() in page
