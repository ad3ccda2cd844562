"""What is sent over all connections leaves together, and in order."""

from __future__ import annotations

import asyncio
import socket

import numpy as np
import pytest

import ludotheque
from ludotheque.core import warm
from ludotheque.core.painter import SHOW, Painter, Written
from ludotheque.core.portray import FRAME
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


class Guest:
    """Somebody with a socket that does not wait, and little room in it."""

    def __init__(self) -> None:
        self.socket, self.other = socket.socketpair()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        self.seq = 0
        self.has_line = True
        self.sent: list[bytes] = []
        self.rests: list[bytes] = []

    def send(self, data: bytes, seq: int = 0) -> None:
        self.sent.append(data)

    def line(self) -> int:
        return self.socket.fileno() if self.has_line else -1

    def send_rest(self, data: bytes) -> None:
        self.rests.append(data)

    def read(self) -> bytes:
        """Everything that has come, and what was left to be sent."""
        self.socket.close()
        data = b""
        while part := self.other.recv(1 << 16):
            data += part
        self.other.close()
        return data + b"".join(self.rests)


def letter(size: int, seed: int) -> bytes:
    return bytes(np.random.default_rng(seed).integers(32, 127, size, np.uint8))


def texts_in(frames: bytes) -> list[bytes]:
    """The texts in frames from a server, read as RFC 6455 has them."""
    found = []
    while frames:
        assert frames[0] == 0x81 and frames[1] < 128  # a whole text, not masked
        size, at = frames[1], 2
        if size == 126:
            size, at = int.from_bytes(frames[2:4], "big"), 4
            assert size >= 126
        elif size == 127:
            size, at = int.from_bytes(frames[2:10], "big"), 10
            assert size >= 1 << 16
        found.append(frames[at : at + size])
        frames = frames[at + size :]
    return found


def lay_out(*letters: bytes) -> tuple[Written, list[tuple[int, int]]]:
    """Letters with the space they need before them, and from where to where they stand."""
    places, text = [], b""
    for one in letters:
        text += bytes(FRAME)
        places.append((len(text), len(text) + len(one)))
        text += one
    return np.frombuffer(text, np.uint8).copy(), places


@pytest.fixture(scope="module")
def painter() -> Painter:
    warm.ensure("double_lucky_7", SHOW)
    game = ludotheque.game("double_lucky_7")
    return Painter(game, [""] * game.info.num_actions)


@pytest.mark.compiled_only
@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 1 << 20])
def test_a_letter_is_sent_as_a_frame_and_what_is_left_is_told(painter: Painter, size: int) -> None:
    guest = Guest()
    text = letter(size, size)
    out, [(first, last)] = lay_out(text)
    Outbox().post(painter, out, [(guest, first, last, 17)])
    assert guest.seq == 17 and guest.sent == []
    assert bool(guest.rests) == (size >= 65_535)  # the socket takes less than that
    assert texts_in(guest.read()) == [text]


@pytest.mark.compiled_only
def test_letters_go_where_they_belong_after_what_waits(painter: Painter) -> None:
    async def story() -> None:
        outbox = Outbox()
        got: list[tuple[str, bytes, int]] = []
        Reader(outbox, got, "ann").send(b"before", 1)
        guests = [Guest() for _ in range(5)]
        guests[3].has_line = False
        guests[4].socket.shutdown(socket.SHUT_WR)  # it is gone, and nobody has noticed
        letters = [letter(100 * number, number) for number in range(5)]
        out, places = lay_out(*letters)
        order = [*range(5), 1]  # one letter may go to several
        outbox.post(painter, out, [(guests[n], *places[n], n) for n in order])
        assert got == [("ann", b"before", 1)]
        assert [guest.seq for guest in guests] == [0, 1, 2, 0, 4]
        assert guests[3].sent == [letters[3]] and guests[3].read() == b""
        assert texts_in(guests[4].read()) == [letters[4]]
        assert [texts_in(guests[n].read()) for n in range(3)] == [[letters[0]], [letters[1]] * 2, [letters[2]]]

    asyncio.run(story())
