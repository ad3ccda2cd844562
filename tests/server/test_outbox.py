"""What is sent over all connections leaves together, and in order."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import numpy as np
import pytest

import ludotheque
from ludotheque.core import warm
from ludotheque.core.painter import SHOW, Painter, Written
from ludotheque.core.portray import FRAME
from ludotheque.core.raw import MORE
from ludotheque.server import outbox
from ludotheque.server.outbox import MANY, Outbox


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
        box = Outbox()
        got: list[tuple[str, bytes, int]] = []
        ann, bob = (Reader(box, got, name) for name in ("ann", "bob"))
        ann.send(b"1", 1)
        bob.send(b"1", 1)
        ann.send(b"ask")
        assert got == []
        await asyncio.sleep(0)
        assert got == [("ann", b"1", 1), ("bob", b"1", 1), ("ann", b"ask", 0)]
        await asyncio.sleep(0)
        assert got[3:] == [("ann", b"answer", 0)]  # what comes up while sending leaves next
        bob.send(b"2", 2)
        box.flush()  # at once, for one who is to be cut off
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
        self.pushes = 0

    def send(self, data: bytes, seq: int = 0) -> None:
        self.sent.append(data)

    def line(self) -> int:
        return self.socket.fileno() if self.has_line else -1

    def push(self) -> None:
        self.pushes += 1

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
    Outbox().post(painter, out, [(guest, first, last, 17, False)])
    assert guest.seq == 17 and guest.sent == []
    assert bool(guest.rests) == (size >= 65_535)  # the socket takes less than that
    assert texts_in(guest.read()) == [text]


@pytest.mark.compiled_only
def test_letters_go_where_they_belong_after_what_waits(painter: Painter) -> None:
    async def story() -> None:
        box = Outbox()
        got: list[tuple[str, bytes, int]] = []
        Reader(box, got, "ann").send(b"before", 1)
        guests = [Guest() for _ in range(5)]
        guests[3].has_line = False
        guests[4].socket.shutdown(socket.SHUT_WR)  # it is gone, and nobody has noticed
        letters = [letter(100 * number, number) for number in range(5)]
        out, places = lay_out(*letters)
        order = [*range(5), 1]  # one letter may go to several
        box.post(painter, out, [(guests[n], *places[n], n, False) for n in order])
        assert got == [("ann", b"before", 1)]
        assert [guest.seq for guest in guests] == [0, 1, 2, 0, 4]
        assert guests[3].sent == [letters[3]] and guests[3].read() == b""
        assert texts_in(guests[4].read()) == [letters[4]]
        assert [texts_in(guests[n].read()) for n in range(3)] == [[letters[0]], [letters[1]] * 2, [letters[2]]]

    asyncio.run(story())


class Neighbour(Guest):
    """Somebody over the network."""

    def __init__(self) -> None:
        super().__init__()
        self.socket.close()
        self.other.close()
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.other = socket.create_connection(server.getsockname())
            self.socket, _ = server.accept()
        self.socket.setblocking(False)
        self.other.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def push(self) -> None:
        super().push()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def has_come(self) -> bytes:
        """What can be read just now."""
        try:
            return self.other.recv(1 << 16)
        except BlockingIOError:
            return b""

    async def next_texts(self, count: int) -> list[bytes]:
        """The next so many texts, once they have come."""
        data = b""
        while len(found := texts_in(data) if data else []) < count:
            data += self.has_come()
            await asyncio.sleep(0.001)
        return found

    def close(self) -> None:
        self.socket.close()
        self.other.close()


class Crowd:
    """So many that letters may wait."""

    def __init__(self, painter: Painter) -> None:
        self.outbox = Outbox()
        self.guests = [Neighbour() for _ in range(MANY)]
        self._painter = painter
        self._seq = 0

    def post(self, *patient: int, count: int = MANY) -> bytes:
        """Send everybody the same letter, which some may wait for."""
        self._seq += 1
        text = letter(100, self._seq)
        out, [place] = lay_out(text)
        self.outbox.post(self._painter, out, [(self.guests[n], *place, self._seq, n in patient) for n in range(count)])
        return text

    def close(self) -> None:
        for guest in self.guests:
            guest.close()


@pytest.fixture
def crowd(painter: Painter, monkeypatch: pytest.MonkeyPatch) -> Iterator[Crowd]:
    monkeypatch.setattr(outbox, "HOLD_SECONDS", 0.01)
    monkeypatch.setattr(outbox, "REST_SECONDS", 60.0)
    found = Crowd(painter)
    yield found
    found.close()


@pytest.mark.compiled_only
def test_a_letter_that_may_wait_goes_with_the_next(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "HOLD_SECONDS", 60.0)

    async def story() -> None:
        waiting, other = crowd.guests[:2]
        first = crowd.post(0)
        came = waiting.has_come()
        assert bool(came) != bool(MORE)  # where the system cannot hold it back it is there
        assert await other.next_texts(1) == [first]
        second = crowd.post()
        assert texts_in(came + waiting.has_come()) == [first, second]
        assert waiting.pushes == 0

    asyncio.run(story())


@pytest.mark.compiled_only
def test_a_letter_waits_for_a_moment_only_and_not_again_if_that_was_of_no_use(crowd: Crowd) -> None:
    async def story() -> None:
        waiting = crowd.guests[0]
        first = crowd.post(0)
        assert await waiting.next_texts(1) == [first]
        async with asyncio.timeout(10):
            while MORE and not waiting.pushes:
                await asyncio.sleep(0.001)
        second = crowd.post(0)
        assert texts_in(waiting.has_come()) == [second]
        await asyncio.sleep(10 * outbox.HOLD_SECONDS)
        assert waiting.pushes == bool(MORE)

    asyncio.run(story())


@pytest.mark.compiled_only
def test_letters_wait_as_long_as_most_are_followed_soon(crowd: Crowd) -> None:
    async def story() -> None:
        for number in range(20):
            first = crowd.post(0, 1, 2)
            assert bool(crowd.guests[0].has_come()) != bool(MORE)
            second = crowd.post(*range(3, MANY))  # those wait now, all of them until the next time
            if MORE:
                assert [texts_in(guest.has_come()) for guest in crowd.guests[:3]] == [[first, second]] * 3
            if number % 5 == 4:
                crowd.post()  # for a while nothing more comes
                await asyncio.sleep(4 * outbox.HOLD_SECONDS)
            for guest in crowd.guests:
                guest.has_come()
        assert not any(guest.pushes for guest in crowd.guests)

    asyncio.run(story())


@pytest.mark.compiled_only
def test_of_few_letters_none_waits(crowd: Crowd) -> None:
    async def story() -> None:
        text = crowd.post(0, count=MANY - 1)
        assert texts_in(crowd.guests[0].has_come()) == [text]
        await asyncio.sleep(4 * outbox.HOLD_SECONDS)
        assert crowd.guests[0].pushes == 0

    asyncio.run(story())


class Keeper:
    """Tells how many letters have waited, and how many of them in vain."""

    waited = 4, 4
    has_held = False

    def let_go(self) -> tuple[int, int]:
        return self.waited


def test_the_more_often_waiting_is_of_no_use_the_longer_none_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        box, keeper = Outbox(), Keeper()
        box.keepers.append(keeper)
        loop = asyncio.get_running_loop()
        now = 1000.0
        monkeypatch.setattr(loop, "time", lambda: now)
        rests = []
        for waited in [(4, 4), (4, 3), (0, 0), (4, 4), (4, 1), (4, 4), *[(4, 4)] * 9]:
            keeper.waited = waited
            box._push()
            rests.append(round(box._rests_until - now, 3))
            now += 10
        at_most = outbox.MOST_REST_SECONDS
        assert rests[:6] == [0.05, 0.1, -9.9, 0.2, -9.8, 0.05]
        assert rests[6:] == [min(0.05 * 2**n, at_most) for n in range(1, 10)]

    asyncio.run(story())
