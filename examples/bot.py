"""An outside bot: it takes a seat in the game room with a token and plays there like anybody else.

    python examples/bot.py http://localhost:7707 TABLE --key SECRET --name Ada

It sees what its seat is sent and nothing more. This one plays at random: put your own choice into `choose`.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
from typing import Any

import httpx
import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect


def choose(view: dict[str, Any]) -> str:
    """The move to play, out of what the seat may see: `view["table"]` and `view["legal"]`."""
    legal = view["legal"]
    move: str = random.choice(legal)["move"]
    return move


class Player(WSListener):
    """One connection. Everything that is needed to go on later is `seq`."""

    def __init__(self, seat: int, token: str, after: int | None) -> None:
        self.seat = seat
        self.token = token
        self.seq = after
        self.over = False
        self.gone = asyncio.Event()
        self._ids = itertools.count()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._send(transport, type="hello", token=self.token, after=self.seq)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.gone.set()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        message = msgspec.json.decode(frame.get_payload_as_bytes())
        if message["type"] in ("refused", "bye"):
            print(message["text"])
        for event in message.get("events", []):
            for seen in event.get("seen", []):
                print(seen["text"])
        if message["type"] in ("welcome", "update", "refused"):
            self.seq = message["seq"]
        view = message.get("view")
        if view is None:
            return
        self.over = view["over"]
        if self.over:
            transport.disconnect()
        elif view["actor"] == self.seat and view["legal"]:
            move = choose(view)
            self._send(
                transport, type="move", id=f"{random.getrandbits(32)}-{next(self._ids)}", seq=self.seq, move=move
            )

    def _send(self, transport: WSTransport, **message: Any) -> None:
        transport.send(WSMsgType.TEXT, msgspec.json.encode(message))


async def play(address: str, table: str, name: str, key: str | None) -> None:
    """Sit down, and play until the match is over, whatever happens to the connection."""
    async with httpx.AsyncClient(base_url=address) as http:
        answer = await http.post(f"/api/tables/{table}/join", json={"name": name, "key": key})
        if answer.status_code != 200:
            raise SystemExit(answer.json()["text"])
        seat, token = answer.json()["seat"], answer.json()["token"]
    print(f"seat {seat}, token {token}")
    url = f"{address.replace('http', 'ws', 1)}/ws/{table}"
    after: int | None = None
    while True:
        try:
            _, player = await ws_connect(lambda: Player(seat, token, after), url)  # noqa: B023  # called at once
            assert isinstance(player, Player)
            await player.gone.wait()
            after = player.seq
            if player.over:
                return
        except OSError:
            pass
        await asyncio.sleep(1)


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", help="such as http://localhost:7707")
    parser.add_argument("table", help="the table's id")
    parser.add_argument("--key", help="the secret of the link, unless the table is public")
    parser.add_argument("--name", default="Ada")
    args = parser.parse_args()
    asyncio.run(play(args.address, args.table, args.name, args.key))


if __name__ == "__main__":
    main()
