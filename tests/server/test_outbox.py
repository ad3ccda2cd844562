"""What is sent over all connections leaves together, and in order."""

from __future__ import annotations

import asyncio

from ludotheque.server.outbox import Outbox


class Reader:
    def __init__(self, outbox: Outbox, got: list[tuple[str, bytes, int]], name: str) -> None:
        self.outbox = outbox
        self.got = got
        self.name = name

    def send(self, data: bytes, seq: int = 0) -> None:
        self.outbox.put(self, data, seq)

    def transmit(self, data: bytes, seq: int) -> None:
        self.got.append((self.name, data, seq))
        if data == b"ask":
            self.send(b"answer")


def test_messages_leave_together_and_in_order() -> None:
    async def story() -> None:
        outbox = Outbox()
        got: list[tuple[str, bytes, int]] = []
        ann, bob = (Reader(outbox, got, name) for name in ("ann", "bob"))
        ann.send(b"1", 1)
        bob.send(b"1", 1)
        ann.send(b"ask")
        assert got == []
        await asyncio.sleep(0)
        assert got == [("ann", b"1", 1), ("bob", b"1", 1), ("ann", b"ask", 0)]
        await asyncio.sleep(0)
        assert got[3:] == [("ann", b"answer", 0)]  # what comes up while sending leaves next
        bob.send(b"2", 2)
        outbox.flush()  # at once, for one who is to be cut off
        assert got[4:] == [("bob", b"2", 2)]
        await asyncio.sleep(0)
        assert len(got) == 5

    asyncio.run(story())
