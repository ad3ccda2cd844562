"""Joining a table of a running game room, from the terminal."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludotheque.core.records import verify
from ludotheque.tui.opening import join_page
from ludotheque.tui.page import Page
from ludotheque.tui.remote import RemoteTable
from ludotheque.tui.saves import read_seats
from ludotheque.tui.table_screen import TableScreen
from tests.server.process import Server
from tests.tui.helpers import opened, run, text_of, until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("room")) as running:
        yield running


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDOTHEQUE_HOME", str(tmp_path))
    return tmp_path


def new_table(server: Server, **wanted: Any) -> dict[str, Any]:
    """A table of a game room, set up as a browser would."""
    body = json.dumps({"game": "double_lucky_7", "seats": 2, "options": {"rounds": 7}, **wanted}).encode()
    request = urllib.request.Request(f"{server.url}/api/tables", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        made: dict[str, Any] = json.load(answer)
    return made


def page(url: str, name: str | None = "Ann", watch: bool = False) -> Page:
    return join_page(url, name, "en", watch)


def table_of(app: Any) -> RemoteTable:
    table = app.screen.table
    assert isinstance(table, RemoteTable)
    return table


def link(server: Server, made: dict[str, Any]) -> str:
    return f"{server.url}/t/{made['table']['id']}#join={made['join']}"


async def seated(app: Any, pilot: Any) -> RemoteTable:
    """Wait until the table is there."""
    await until(pilot, lambda: isinstance(app.screen, TableScreen) and app.screen.table.connection == "online")
    table = table_of(app)
    table.retry_seconds = 0.1
    return table


@pytest.mark.slow
def test_a_whole_match_against_a_bot_of_the_room(server: Server, tmp_path: Path) -> None:
    made = new_table(server)

    async def story() -> None:
        async with opened(lambda: page(link(server, made))) as (app, pilot):
            table = await seated(app, pilot)
            assert "Waiting for 1 more player" in text_of(app) and "1. Ann" in text_of(app)
            await pilot.press(*"bot", "space", "2", "enter")
            await until(pilot, lambda: "All seats are taken" in text_of(app))
            await pilot.press(*"start", "enter")
            await until(pilot, lambda: table.view is not None)
            await pilot.press("f2")
            await until(pilot, lambda: table.is_mine)
            while table.view is not None and not table.view["over"]:
                if table.is_mine:
                    ply = table.view["ply"]
                    await pilot.press("down", "enter")
                    await until(pilot, lambda ply=ply: bool(table.view and table.view["ply"] > ply))  # type: ignore[misc]
                await pilot.pause(0.005)
            assert "The match is over" in text_of(app) and "Another match" in text_of(app)
            await table.save(tmp_path / "record.json")
            assert verify(json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))["record"]).true
            await pilot.press(*"rematch", "enter")
            await until(pilot, lambda: table.view is None and "All seats are taken" in text_of(app))

    run(story())


def test_two_people_talk_and_play_from_two_terminals(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    made = new_table(server, public=True)

    async def story() -> None:
        async with opened(lambda: page(link(server, made))) as (ann, ann_pilot):
            first = await seated(ann, ann_pilot)
            monkeypatch.setenv("LUDOTHEQUE_HOME", "/nowhere")
            monkeypatch.setattr("ludotheque.tui.remote.keep_seat", lambda address, seat: None)
            async with opened(lambda: page(f"{server.url}/t/{made['table']['id']}", "Ben")) as (ben, ben_pilot):
                second = await seated(ben, ben_pilot)
                await until(ann_pilot, lambda: "All seats are taken" in text_of(ann))
                await ann_pilot.press("apostrophe", *"hi", "enter")
                await until(ben_pilot, lambda: "Ann: hi" in text_of(ben))
                await first._request({"type": "react", "mark": "clap"})
                await until(ben_pilot, lambda: "Ann reacts: applause" in text_of(ben))
                await ben_pilot.press(*"start", "enter")
                await until(ann_pilot, lambda: first.view is not None)
                await until(ben_pilot, lambda: second.view is not None)
                assert first.view and second.view
                assert first.view["table"]["hand"] != second.view["table"]["hand"]
                mover, app, pilot = (first, ann, ann_pilot) if first.is_mine else (second, ben, ben_pilot)
                await pilot.press(*"R14", "enter")
                await until(pilot, lambda: "[D6]" in text_of(app))
                await pilot.press("down", "enter")
                await until(pilot, lambda: not mover.is_mine)
                other, other_pilot = (second, ben_pilot) if mover is first else (first, ann_pilot)
                await until(other_pilot, lambda: other.is_mine)

    run(story())


def test_a_lost_connection_is_said_and_made_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Server(tmp_path_factory.mktemp("room"))
    server.start()
    made = new_table(server, bots=["random"])

    async def story() -> None:
        async with opened(lambda: page(link(server, made))) as (app, pilot):
            table = await seated(app, pilot)
            await pilot.press(*"start", "enter")
            await until(pilot, lambda: table.is_mine)
            before = table.view
            await asyncio.to_thread(server.stop)
            await until(pilot, lambda: table.connection == "connection lost")
            assert "your seat is kept" in text_of(app)
            await pilot.press("down", "enter")
            await asyncio.to_thread(server.start)
            await until(pilot, lambda: table.connection == "online")
            assert table.view and before and table.view["table"]["hand"] == before["table"]["hand"]
            await pilot.press("f5")
            await until(pilot, lambda: "À vous, Ann." in text_of(app))
            ply = table.view["ply"]
            await pilot.press("down", "enter")
            await until(pilot, lambda: bool(table.view and table.view["ply"] > ply))

    try:
        run(story())
    finally:
        server.stop()


def test_the_same_seat_again_after_leaving(server: Server) -> None:
    made = new_table(server, public=True)
    url = f"{server.url}/t/{made['table']['id']}"

    async def story() -> None:
        async with opened(lambda: page(url)) as (app, pilot):
            await seated(app, pilot)
            await pilot.press("ctrl+q")
        assert "ludotheque join" in (app.return_value or "")
        assert len(read_seats()) == 1
        async with opened(lambda: page(url, None)) as (app, pilot):
            table = await seated(app, pilot)
            assert table.seat == 0 and "1. Ann" in text_of(app) and "2. free" in text_of(app)

    run(story())


def test_the_tables_of_a_room_and_watching(server: Server) -> None:
    made = new_table(server, public=True, title="Friday", bots=["random", "random"])

    async def story() -> None:
        async with opened(lambda: page(server.url, None, watch=True)) as (app, pilot):
            await until(pilot, lambda: "Friday" in text_of(app))
            lines = [line.text for line in app.screen.query("Choices").first().items]  # type: ignore[attr-defined]
            await pilot.press(*["down"] * lines.index(made["table"]["id"]), "enter")
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            table = table_of(app)
            await until(pilot, lambda: table.connection == "watching")
            assert table.seat is None

    run(story())


@pytest.mark.parametrize(
    ("path", "reason"), [("/t/nosuchtable1", "no"), ("", "cannot be reached")], ids=["no table", "no room"]
)
def test_what_cannot_be_joined_is_said_in_words(server: Server, path: str, reason: str) -> None:
    async def story() -> None:
        url = f"{server.url}{path}" if path else "http://127.0.0.1:9"
        async with opened(lambda: page(url)) as (app, pilot):
            await until(pilot, lambda: app.error is not None)
        assert reason in str(app.error).lower()

    run(story())
