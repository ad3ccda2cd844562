"""Sitting down at a table of a game room: which one, and under which name."""

from __future__ import annotations

import asyncio
import getpass

from ludotheque.core import registry
from ludotheque.core.words import game_words
from ludotheque.tui.loading import Notice, Waiting
from ludotheque.tui.overlays import Ask, Pick
from ludotheque.tui.remote import seat_key, sit_down
from ludotheque.tui.room import Address, ask, parse_address
from ludotheque.tui.saves import read_seats
from ludotheque.tui.table import Choice, Refused
from ludotheque.tui.table_screen import TableScreen
from ludotheque.tui.widgets import Bar


class JoinPage(Waiting):
    """Asks for what is missing, sits down, and goes on to the table."""

    def __init__(self, address: str, name: str | None, watch: bool) -> None:
        super().__init__()
        self._address = address
        self._player = name
        self._watch = watch

    def on_mount(self) -> None:
        """Begin."""
        self.query_one("#title", Bar).show("Ludothèque")
        self.query_one(Notice).show(self.say("room.connecting", address=self._address.partition("#")[0]))
        self.run_worker(self._join())

    async def _join(self) -> None:
        try:
            address: Address | None = parse_address(self._address, self.ludo.lang)
            assert address is not None
            if not address.table:
                address = await self._choose_table(address)
            if address is None or not await self._ask_name(address):
                self._leave()
                return
            name = None if self._watch else self._player
            table = await asyncio.to_thread(sit_down, address, name, self.ludo.lang)
        except Refused as error:
            self.fail(error)
            return
        self.app.switch_screen(TableScreen(table))

    async def _choose_table(self, address: Address) -> Address | None:
        """One of the public tables of the room."""
        found = (await asyncio.to_thread(ask, address, "/api/tables", self.ludo.lang))["tables"]
        items = []
        for one in found:
            if one["game"] in registry.ids():
                label = one["title"] or game_words(one["game"]).name
                seats = self.say("room.seats", taken=one["taken"], all=one["num_seats"])
                items.append(Choice(one["id"], f"{label} · {game_words(one['game']).name} · {seats}"))
        if not items:
            raise Refused(self.say("room.no_tables"))
        chosen = await self.app.push_screen_wait(Pick(self.say("room.tables"), items))
        return None if chosen is None else Address(address.base, chosen)

    async def _ask_name(self, address: Address) -> bool:
        """A name, unless one is known, or only watching."""
        if self._watch or not address.can_join or self._player or seat_key(address) in read_seats():
            return True
        try:
            default = getpass.getuser().capitalize()
        except (OSError, KeyError, ImportError):
            default = ""
        self._player = await self.app.push_screen_wait(Ask(self.say("room.your_name"), default))
        return self._player is not None

    def _leave(self) -> None:
        if self._came_from_page:
            self.app.pop_screen()
        else:
            self.app.exit("")
