"""The room's games: none keeps a table waiting, whether it is compiled, being compiled, or never will be."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from picows import ws_connect

import ludotheque
from ludotheque.core import background, registry, warm
from ludotheque.server.session import compiling
from tests.server.house import PATIENCE, Client
from tests.server.process import Server


def test_all_games_are_compiled_ahead_for_people_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(background, "compile_ahead", asked.extend)
    compiling.start().join()
    assert asked == [(game, purpose) for purpose in ("play", "show", "think") for game in registry.ids()]


def test_a_game_that_is_played_is_wanted_once_for_all_that_a_table_does(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[str] = []
    monkeypatch.setattr(background, "want", lambda game_id, purpose: wanted.append(f"{game_id} {purpose}"))
    monkeypatch.setattr(compiling, "_firsts", set())
    for _ in range(2):
        compiling.load_first("lobo77")
    assert wanted[:3] == ["lobo77 play", "lobo77 show", "lobo77 think"]
    assert wanted.count("lobo77 play") == 1 or not warm.is_warm("lobo77", "play")


@pytest.mark.slow
async def test_everybody_gets_a_table_right_after_the_start(tmp_path: Path) -> None:
    """Games are loaded when they are first wanted, in several threads at once, while the compiler gets ready."""
    for _ in range(2):
        with Server(tmp_path) as server:
            async with httpx.AsyncClient(base_url=server.url, timeout=120) as http:
                bodies = [{"game": game, "name": "Ann"} for game in ludotheque.game_ids() * 2]
                answers = await asyncio.gather(*(http.post("/api/tables", json=body) for body in bodies))
            assert {answer.status_code for answer in answers} == {200}


async def play_against_bots(server: Server, game_id: str, moves: int) -> tuple[Client, dict[str, Any]]:
    """Play some moves at a table with an expert and a random bot; the client, and the expert's advice."""
    body = {"game": game_id, "seats": 3, "name": "Ann", "bots": ["expert", "random"]}
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        made = (await http.post("/api/tables", json=body)).json()
    url = f"ws://127.0.0.1:{server.port}/ws/{made['table']['id']}"
    _, client = await ws_connect(Client, url, websocket_handshake_timeout=PATIENCE)
    assert isinstance(client, Client)
    client.send("hello", token=made["token"])
    await client.next("welcome")
    if client.view is None:
        assert (await client.ask("start"))["type"] == "update"
    advice: dict[str, Any] = {}
    for _ in range(moves):
        while not (client.view["over"] or (client.view["actor"] == 0 and client.view["legal"])):
            await client.next("update")
        if client.view["over"]:
            break
        advice = advice or await client.ask("hint")
        assert (await client.move())["type"] == "update"
    return client, advice


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
async def test_a_room_without_the_compiler_plays_on_interpreted_rules(
    game_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path / "cache"))
    with Server(tmp_path) as server:
        client, advice = await play_against_bots(server, game_id, 12)
        assert client.view["over"] or client.view["ply"] >= 12
        assert advice["type"] == "hinted" and len(advice["moves"]) == 1
        client.close()
    assert not (tmp_path / "cache").exists()
    assert "Traceback" not in (tmp_path / f"log-{server.port}.txt").read_text()
