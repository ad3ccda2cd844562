"""A client of the game room in thirty lines: it sits down at a public table and plays the first move it may.

pip install httpx websockets
python examples/client.py http://localhost:7707 TABLE
"""

import asyncio
import itertools
import json
import sys

import httpx
import websockets


async def main(address: str, table: str) -> None:
    joined = httpx.post(f"{address}/api/tables/{table}/join", json={"name": "Robin"}).raise_for_status().json()
    ids = itertools.count()
    seq = None  # the last event seen
    # It connects again by itself, and resumes after the last event seen.
    async for socket in websockets.connect(f"{address.replace('http', 'ws', 1)}/ws/{table}"):
        try:
            await socket.send(json.dumps({"type": "hello", "token": joined["token"], "after": seq, "lang": "en"}))
            async for text in socket:
                message = json.loads(text)
                if message["type"] in ("refused", "bye"):
                    print("refused:", message["text"])
                for event in message.get("events", []):
                    for seen in event.get("seen", []):
                        print(seen["text"])
                if message["type"] in ("welcome", "update", "refused"):
                    seq = message["seq"]
                view = message.get("view")
                if view and view["over"]:
                    return
                if view and view["actor"] == joined["seat"] and view["legal"]:
                    move = view["legal"][0]["move"]
                    await socket.send(json.dumps({"type": "move", "id": f"m{next(ids)}", "seq": seq, "move": move}))
        except websockets.ConnectionClosed:
            continue


asyncio.run(main(*sys.argv[1:3]))
