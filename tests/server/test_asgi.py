"""The room is an ordinary ASGI application: uvicorn runs it as it comes, and another application mounts it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import uvicorn
from picows import ws_connect
from starlette.applications import Starlette
from starlette.routing import Mount

from ludotheque.server.cli import make_bus, make_store
from ludotheque.server.session.room import Room
from ludotheque.server.settings import Settings
from ludotheque.server.wire.app import make_app
from ludotheque.server.wire.gate import Gate
from tests.server.house import GAME, Client, run


def test_another_application_mounts_the_room_on_a_plain_server(tmp_path: Path) -> None:
    async def story() -> None:
        settings = Settings(data=tmp_path)
        room = Room(settings, make_store(settings), make_bus(settings))
        games = make_app(room, Gate(room))

        @contextlib.asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            async with games.router.lifespan_context(games):
                yield

        outer = Starlette(routes=[Mount("/games", games)], lifespan=lifespan)
        listener = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(outer, log_config=None, lifespan="on"))
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        here = f"127.0.0.1:{listener.getsockname()[1]}/games"
        async with httpx.AsyncClient(timeout=60) as http:
            made = (await http.post(f"http://{here}/api/tables", json={"game": GAME, "name": "Ann"})).json()
        _, client = await ws_connect(Client, f"ws://{here}/ws/{made['table']['id']}")
        assert isinstance(client, Client)
        client.send("hello", token=made["token"])
        assert (await client.next())["type"] == "welcome"
        assert (await client.ask("say", text="hello"))["type"] == "update"
        client.close()
        await client.closed.wait()
        server.should_exit = True
        await task

    run(story())
