"""Opening screens: what has to be loaded for each, and what is shown then."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludotheque.core import registry
from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import error_text
from ludotheque.tui.table import Refused
from ludotheque.tui.words import say

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.core.pad import Pad
    from ludotheque.tui.local import LocalTable
    from ludotheque.tui.page import Page
    from ludotheque.tui.table import Table


def ready(game_id: str) -> Game:
    """A game to be played at once; what is not compiled yet is compiled in the background, bots and all."""
    from ludotheque.bots.searches import THINK
    from ludotheque.core import background

    game = registry.load(game_id)
    game.new(game.info.min_seats)  # the first call includes Numba's start-up: here, where the user waits anyway
    background.want(game_id, THINK)
    return game


def load_table(path: Path, lang: str) -> LocalTable:
    """A saved match to go on with."""
    from ludotheque.tui.local import LocalTable
    from ludotheque.tui.prompt import load_match

    try:
        match, bots = load_match(path)
    except LudothequeError as error:
        raise _broken(path, lang, error) from None
    table = LocalTable(match, bots, lang)
    table.resume_in(path)
    return table


def _broken(path: Path, lang: str, error: LudothequeError) -> Refused:
    return Refused(say(lang, "app.broken", {"file": str(path), "reason": error_text(error, lang)}))


def table_page(table: Table) -> Page:
    """The screen of a table."""
    from ludotheque.tui.table_screen import TableScreen

    return TableScreen(table)


def setup_page(game: Game) -> Page:
    """The screen where a match is set up."""
    from ludotheque.tui.setup import SetupScreen

    return SetupScreen(game)


def pad_setup(game: Game) -> Page:
    """The screen where a pad is set up."""
    from ludotheque.tui.pad_setup import PadSetup

    return PadSetup(game)


def load_pad(path: Path, lang: str) -> tuple[Pad, Path]:
    """A score pad to go on with, and its file."""
    from ludotheque.core.files import read_text
    from ludotheque.core.pad import Pad
    from ludotheque.core.records import load_json

    try:
        return Pad.from_json(load_json(read_text(path))), path
    except LudothequeError as error:
        raise _broken(path, lang, error) from None


def pad_page(loaded: tuple[Pad, Path | None]) -> Page:
    """The screen of a pad."""
    from ludotheque.tui.pad_screen import PadScreen

    return PadScreen(*loaded)


def join_page(address: str, name: str | None, lang: str, watch: bool = False) -> Page:
    """The screen that sits down at a table of a game room."""
    from ludotheque.tui.joining import JoinPage

    return JoinPage(address, name, watch)
