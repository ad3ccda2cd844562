"""What compiled code makes of the bytes that come over sockets."""

from __future__ import annotations

import fcntl
import random
import socket
import struct
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludotheque
from ludotheque.core import traffic, warm
from ludotheque.core.desks import Desks, Tray, _texts_of
from ludotheque.core.painter import SHOW, no_opening
from ludotheque.core.traffic import ID_KEY, MOST_TEXT, MOVE_KEY, NUMBER_FOUND, SENT, SEQ_KEY
from ludotheque.server.limits import Bucket
from ludotheque.server.protocol import Move, decode_request

SIOCOUTQNSD = 0x894B
"""Linux: how many bytes of a socket have not left yet."""


def found_in(data: bytes) -> tuple[str, int, int | str] | None:
    """The id, the seq and the move, as found."""
    if len(data) > MOST_TEXT:
        return None
    found = np.zeros(10, np.int64)
    if not traffic.find_keys(data, len(data), found):
        return None
    places = found.tolist()
    move: int | str = places[2 * MOVE_KEY]
    if places[2 * MOVE_KEY + 1] != NUMBER_FOUND:
        move = data[places[2 * MOVE_KEY] : places[2 * MOVE_KEY + 1]].decode()
    name = data[places[2 * ID_KEY] : places[2 * ID_KEY + 1]].decode()
    return name, places[2 * SEQ_KEY], move


PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters='"\\'), max_size=20)


@given(PLAIN, st.integers(0, 10**15 - 1), st.integers(0, 10**6) | PLAIN, st.permutations(range(4)), st.booleans())
def test_moves_are_found(name: str, seq: int, move: int | str, order: list[int], is_wide: bool) -> None:
    """However a client orders its keys, and with or without spaces."""
    pairs = [("type", "move"), ("id", name), ("seq", seq), ("move", move)]
    data = msgspec.json.encode(dict(pairs[k] for k in order))
    if is_wide and '"' not in name:
        data = b"  { " + data[1:-1].replace(b'":', b'" : ').replace(b',"', b' , "') + b" } "
        if any(sign in f"{name}{move}" for sign in ",:"):
            return
    assert found_in(data) == ((name, seq, move) if len(data) <= MOST_TEXT else None)


WORDS = ['"type"', '"id"', '"seq"', '"move"', '"say"', '"a\\u0041"', "0", "7", "-1", "1.5", "1e3", "01", "null", "[]"]
SIGNS = st.sampled_from([*WORDS, "{", "}", ":", ",", " ", '"', "\\", "é", "\t", "x"])


@given(st.lists(SIGNS, max_size=25).map("".join) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_what_is_found_is_what_the_message_says(text: str) -> None:
    check(text.encode())


def check(data: bytes) -> None:
    found = found_in(data)
    if found is not None and found[0]:
        message = decode_request(data)
        assert isinstance(message, Move) and (message.id, message.seq, message.move) == found


def test_damaged_messages_are_no_moves_or_what_they_say() -> None:
    chance = random.Random("damage")
    whole = b'{"type":"move","id":"a1","seq":12,"move":"R7"}'
    num_found = 0
    for _ in range(20_000):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(data))
            what = chance.random()
            if what < 0.4:
                data[place] = chance.choice(b'{}":,0123 atypeidsqmov\\')
            elif what < 0.7:
                del data[place]
            else:
                data[place:place] = data[chance.randrange(len(data)) :][: chance.randint(1, 12)]
        num_found += found_in(bytes(data)) is not None
        check(bytes(data))
    assert num_found > 500


def frame(kind: int, size: int, is_masked: bool, is_last: bool = True) -> bytes:
    head = bytes([kind | (0x80 if is_last else 0)])
    mask = 0x80 if is_masked else 0
    if size < 126:
        head += bytes([mask | size])
    elif size < 1 << 16:
        head += bytes([mask | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + size.to_bytes(8, "big")
    return head + bytes(4 if is_masked else 0) + bytes(size)


FRAMES = st.builds(frame, st.sampled_from([1, 2, 8, 9, 10]), st.integers(0, 70) | st.just(300), st.booleans())


def is_whole(data: bytes) -> bool:
    return bool(traffic.is_whole(data, 0, len(data)))


@given(st.lists(FRAMES, min_size=1, max_size=4).map(b"".join), st.data())
def test_whole_frames(data: bytes, draw: st.DataObject) -> None:
    assert is_whole(data)
    cut = draw.draw(st.integers(1, len(data) - 1))
    ends = [k for k in range(len(data)) if k == cut and is_whole(data[:k])]
    assert not ends or is_whole(data[cut:])  # the same as two whole parts
    assert not is_whole(data + b"\x81") and not is_whole(data + frame(1, 5, True)[:-1])


def test_parts_of_messages_are_not_whole() -> None:
    assert is_whole(frame(1, 70_000, True))
    for data in (frame(1, 5, True, False), frame(0, 5, True), frame(3, 5, True), frame(0x41, 5, True)):
        assert not is_whole(data) and not is_whole(frame(1, 3, True) + data)
    assert not is_whole(b"\x81\xff" + b"\xff" * 8 + bytes(4))


@given(st.binary(min_size=1, max_size=130), st.binary(min_size=4, max_size=4))
def test_texts_are_unmasked(text: bytes, mask: bytes) -> None:
    masked = bytes(letter ^ mask[place % 4] for place, letter in enumerate(text))
    data = frame(1, len(text), True)[: -len(text) - 4] + mask + masked
    out = np.zeros(MOST_TEXT, np.uint8)
    size = traffic.unmask(data, 0, len(data), out)
    assert size == (len(text) if len(text) <= MOST_TEXT else -1)
    assert size < 0 or out[:size].tobytes() == text
    for other in (frame(2, len(text), True), frame(1, len(text), False), data + b"\x00", data[:-1]):
        assert traffic.unmask(other, 0, len(other), out) < 0


@given(st.lists(st.floats(0, 3), max_size=60), st.floats(0.1, 5), st.integers(1, 10))
def test_rates_are_those_of_a_bucket(waits: list[float], per_second: float, at_once: int) -> None:
    bucket = Bucket(per_second, at_once, 0.0)
    rates = np.array([[0.0, bucket.left, bucket.last, per_second, at_once]])
    now = 0.0
    for wait in waits:
        now += wait
        may = traffic.spend(rates, 0, now)
        if not may:  # then the message is passed on, and counted there
            bucket.left, bucket.last = rates[0, 1:3].tolist()
        assert bucket.take(now) == may
        rates[0, 1:3] = bucket.left, bucket.last


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_all_moves_are_known_by_their_texts(game_id: str) -> None:
    texts = ludotheque.game(game_id).moves.texts
    moves, ends, places = _texts_of(texts)
    chance = random.Random(game_id)
    for action in chance.sample(range(len(texts)), min(len(texts), 300)):
        text = texts[action].encode()
        assert traffic.find_move(text, 0, len(text), moves, ends, places) == action
    for word in ("", "nonsense", texts[0] + " ", texts[0][:-1] + "\x7f"):
        text = word.encode()
        assert traffic.find_move(text, 0, len(text), moves, ends, places) == -1


def num_unsent(line: socket.socket) -> int:
    return struct.unpack("i", fcntl.ioctl(line, SIOCOUTQNSD, bytes(4)))[0]  # type: ignore[no-any-return]  # untyped


@pytest.mark.compiled_only
def test_letters_that_are_still_held_are_let_go() -> None:
    """The second time that one looks; but not if another has followed since."""
    warm.ensure("double_lucky_7", SHOW)
    desks = Desks(ludotheque.game("double_lucky_7"), no_opening)
    desks._let_go(desks.held, 0, desks.lines)  # loading it takes longer than the system holds anything back
    listener = socket.create_server(("127.0.0.1", 0))
    lines = [socket.create_connection(listener.getsockname()) for _ in range(2)]
    for number, line in enumerate(lines):
        line.send(b"held", socket.MSG_MORE)
        desks.lines[line.fileno(), SENT] = 7
        desks.held[number] = line.fileno(), 7 - number
    desks.num_held = 2
    assert [num_unsent(line) for line in lines] == [4, 4] and desks.has_held
    assert desks.let_go() == (0, 0) and num_unsent(lines[0]) == 4 and desks.has_held
    assert desks.let_go() == (2, 1) and [num_unsent(line) for line in lines] == [0, 4] and not desks.has_held
    for line in (*lines, listener):
        line.close()
    desks.close()


def test_desks_are_used_again() -> None:
    desks = Desks(ludotheque.game("double_lucky_7"), no_opening)
    job: Any = [0] * 9
    first, second = desks.lay(job, 3, {}), desks.lay(job, 3, {})
    assert 0 < first != second > 0 and desks.is_open(first)
    desks.close_desk(first)
    desks.free(first)
    assert not desks.is_open(first) and desks.lay(job, 3, {}) == first and desks.is_open(first)
    desks.close()
    tray = Tray()
    tray.count = 3
    tray.jobs[:3, 0] = 5, 6, 7
    tray.keep([0, 2])
    tray.used = 300
    assert tray.count == 2 and tray.jobs[:2, 0].tolist() == [5, 7]
    tray.keep([])
    assert (tray.count, tray.used) == (0, 0)  # else nothing would ever fit again
