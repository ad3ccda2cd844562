"""Two people play a match in a game room over WebSocket: `python room_match.py ADDRESS [ADDRESS OF THE SECOND]`.

It needs what a game room itself is installed with, and nothing of the package.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
import urllib.request
from typing import Any

from websockets.asyncio.client import connect


def post(address: str, path: str, body: dict[str, Any]) -> Any:
    """What a room answers to a request."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


async def player(address: str, table: str, token: str, starts: bool) -> int:
    """Sit at a table and play at random until the match is over; how many moves that were."""
    ids = itertools.count()
    moves = 0
    async with connect(f"{address.replace('http', 'ws', 1)}/ws/{table}") as socket:

        async def send(kind: str, **fields: Any) -> None:
            await socket.send(json.dumps({"type": kind, **fields}))

        await send("hello", token=token, after=None, lang="en")
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "welcome":
                seat = message["seat"]
                if starts:
                    await send("start", id=f"m{next(ids)}")
            assert message["type"] not in ("refused", "bye"), message
            view = message.get("view")
            if view and view["over"]:
                return moves
            if view and view["actor"] == seat and view["legal"]:
                moves += 1
                await send("move", id=f"m{next(ids)}", seq=message["seq"], move=random.choice(view["legal"])["move"])
    raise AssertionError("the room has closed the connection")


async def main(first: str, second: str) -> None:
    """Set up a table at one address, sit down at both, and play."""
    body = {"game": "volle_lotte", "seats": 2, "name": "Ann", "options": {"target": 1000}}
    made = post(first, "/api/tables", body)
    table = made["table"]["id"]
    joined = post(second, f"/api/tables/{table}/join", {"name": "Bob", "key": made["join"]})
    playing = [player(first, table, made["token"], starts=True), player(second, table, joined["token"], starts=False)]
    print(*await asyncio.wait_for(asyncio.gather(*playing), 600))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[-1]))
