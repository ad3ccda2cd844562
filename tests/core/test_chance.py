"""The generator: published vectors, exact uniformity, seeds, scripts and commitments."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludotheque import InvalidOptions
from ludotheque.core import chance
from ludotheque.core.jit import COMPILED, plain
from ludotheque.core.record import Cells, Record, state_dtype

HEADER_ONLY = state_dtype([])

below = plain(chance.below)
next_word = plain(chance.next_word)
shuffle = plain(chance.shuffle)
set_key = plain(chance.set_key)


def record(key: bytes = bytes(32)) -> Record:
    """A record with nothing but a header, at the beginning of its stream."""
    s = Record(np.zeros(HEADER_ONLY.itemsize, np.uint8), HEADER_ONLY)
    set_key(s, chance.key_from_seed(key))
    return s


def interpreted_block(key: bytes, counter: int, nonce: int, rounds: int) -> list[int]:
    """A block computed by Python."""
    out = Cells(np.zeros(16, np.uint32))
    plain(chance.chacha_block)(Cells(np.frombuffer(key, "<u4")), counter, nonce, rounds, out)
    return out.tolist()


def _call_block(key: Any, counter: int, nonce: int, rounds: int, out: Any) -> None:
    chance.chacha_block(key, counter, nonce, rounds, out)


def _call_shuffle(buffer: Any, key: Any, cards: Any, num_cards: int) -> None:
    s = buffer.view(HEADER_ONLY)[0]
    chance.set_key(s, key)
    chance.shuffle(s, cards, num_cards)


if COMPILED:  # rules are called by compiled code only: here by these
    import numba

    call_block, call_shuffle = numba.njit(_call_block), numba.njit(_call_shuffle)


def compiled_block(key: bytes, counter: int, nonce: int, rounds: int) -> list[int]:
    """A block computed by compiled code."""
    out = np.zeros(16, np.uint32)
    call_block(np.frombuffer(key, "<u4").astype(np.uint32), counter, nonce, rounds, out)
    result: list[int] = out.tolist()
    return result


BLOCKS = [interpreted_block, compiled_block] if COMPILED else [interpreted_block]
Block = Callable[[bytes, int, int, int], list[int]]


@pytest.mark.parametrize("block", BLOCKS)
def test_chacha20_vector_of_rfc_8439(block: Block) -> None:
    """RFC 8439, section 2.3.2: https://www.rfc-editor.org/rfc/rfc8439#section-2.3.2

    It has a counter of one word and a nonce of three; here both have two, so the nonce's first word is the counter's
    second.
    """
    words = block(bytes(range(32)), 0x09000000_00000001, 0x00000000_4A000000, 20)
    assert " ".join(f"{word:08x}" for word in words) == (
        "e4e7f110 15593bd1 1fdd0f50 c47120a3 c7f4d1c7 0368c033 9aaa2204 4e6cd4c3 "
        "466482d2 09aa9f07 05d7c214 a2028bd9 d19c12b5 b94e16de e883d0cb 4e3c50a2"
    )


# Key, nonce and the first two blocks.
CHACHA8 = {
    "TC1, all zero": (
        "00" * 32,
        "00" * 8,
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
        "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
        "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa",
    ),
    "TC2, one bit of the key": (
        "01" + "00" * 31,
        "00" * 8,
        "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea"
        "289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8",
        "b4355a7d93dd8867089ee643558b95754efa2bd1a8a1e2d75bcdb32015542638"
        "291941feb49965587c4fdfe219cf0ec132a6cd4dc067392e67982fe53278c0b4",
    ),
    "TC3, one bit of the nonce": (
        "00" * 32,
        "01" + "00" * 7,
        "2b8f4bb3798306ca5130d47c4f8d4ed13aa0edccc1be6942090faeeca0d7599b"
        "7ff0fe616bb25aa0153ad6fdc88b954903c22426d478b97b22b8f9b1db00cf06",
        "470bdffbc488a8b7c701ebf4061d75c5969186497c95367809afa80bd843b040"
        "a79abc6e73a91757f1db73c8eacfa543b38f289d065ab2f3032d377b8c37fe46",
    ),
    "TC7, sequences": (
        "00112233445566778899aabbccddeeffffeeddccbbaa99887766554433221100",
        "0f1e2d3c4b5a6978",
        "db43ad9d1e842d1272e4530e276b3f568f8859b3f7cf6d9d2c74fa53808cb515"
        "7a8ebf46ad3dcc4b6c7dadde131784b0120e0e22f6d5f9ffa7407d4a21b695d9",
        "c5dd30bf55612fab9bdd118920c19816470c7f5dcd42325dbbed8c57a56281c1"
        "44cb0f03e81b3004624e0650a1ce5afaf9a7cd8163f6dbd72602257dd96e471e",
    ),
    "TC8, random": (
        "c46ec1b18ce8a878725a37e780dfb7351f68ed2e194c79fbc6aebee1a667975d",
        "1ada31d5cf688221",
        "838751b42d8ddd8a3d77f48825a2ba752cf4047cb308a5978ef274973be374c9"
        "6ad848065871417b08f034e681fe46a93f7d5c61d1306614d4aaf257a7cff08b",
        "16f2fda170cc18a4b58a2667ed962774af792a6e7f3c77992540711a7a136d7e"
        "8a2f8d3f93816709d45a3fa5f8ce72fde15be7b841acba3a2abd557228d9fe4f",
    ),
}


def hexadecimal(words: list[int]) -> str:
    """A block as it is published."""
    return np.array(words, "<u4").tobytes().hex()


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("case", CHACHA8)
def test_chacha8_vectors(case: str, block: Block) -> None:
    """draft-strombergson-chacha-test-vectors-01, 256-bit keys, 8 rounds:
    https://datatracker.ietf.org/doc/html/draft-strombergson-chacha-test-vectors-01
    """
    key, nonce, first, second = CHACHA8[case]
    number = int.from_bytes(bytes.fromhex(nonce), "little")
    assert hexadecimal(block(bytes.fromhex(key), 0, number, 8)) == first
    assert hexadecimal(block(bytes.fromhex(key), 1, number, 8)) == second


def test_a_record_reads_the_chacha8_stream_of_its_key() -> None:
    key, _, first, second = CHACHA8["TC2, one bit of the key"]
    s = record(bytes.fromhex(key))
    assert hexadecimal([next_word(s) for _ in range(32)]) == first + second


# Numbers below n

SPAN = 1 << 32


def read_word(word: int, n: int) -> int | None:
    """What `below(n)` makes of one random word; None if it takes another instead."""
    s = record()
    s.block[14] = word
    s.block[15] = SPAN - 1  # always taken, and gives n - 1
    s.cursor = 14
    value = below(s, n)
    return value if s.cursor == 15 else None


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 55, 57, 64, 1000, 10_000, 57**4])
def test_below_gives_every_number_from_equally_many_words(n: int) -> None:
    share = SPAN // n
    for value in range(0, n, 1 + n // 1000):
        first = -(-value * SPAN // n)  # the words whose product with n has this value in its upper half
        last = -(-(value + 1) * SPAN // n) - 1
        refused = read_word(first, n) is None
        assert last - first + 1 - refused == share
        # All others of them are taken: the lower half of the product only grows.
        for word in {first + refused, first + 1, (first + last) // 2, last}:
            assert read_word(word, n) == value


def test_below_refuses_words_again_and_again() -> None:
    s = record()
    s.block[12:] = [0, 0, 0, SPAN - 1]  # of 2**32 words one is too many for three equal shares: the first
    s.cursor = 12
    assert below(s, 3) == 2
    assert s.cursor == 16


@pytest.mark.parametrize("n", [5, 6, 8, 23, 57, 86])
def test_five_draws_give_every_combination_from_equally_many_words(n: int) -> None:
    """Read as one number in mixed radix, five draws are what `below` of their product makes of the same words."""
    product = n * (n - 1) * (n - 2) * (n - 3) * (n - 4)
    for value in [*range(0, product, 1 + product // 500), product - 1]:
        first = -(-value * SPAN // product)
        for word in {first, min(first + 1, SPAN - 1), first + SPAN // product - 1}:
            s = record()
            s.block[14:] = [word, SPAN - 1]
            s.cursor = 14
            draws = plain(chance.five_draws)(s, n)
            number = 0
            for k in range(5):
                number = number * (n - k) + plain(chance.drawn)(draws, n - k)
                draws = plain(chance.draw_on)(draws, n - k)
            expected = read_word(word, product)
            assert number == (product - 1 if expected is None else expected)
            assert (s.cursor == 16) == (expected is None)


# Shuffling


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_order_comes_from_one_way_to_draw(size: int) -> None:
    orders = set()
    ways = list(itertools.product(*(range(n) for n in range(size, 1, -1))))
    for draws in ways:
        s = record()
        chance.script(s, list(zip(draws, range(size, 1, -1), strict=True)))
        cards = Cells(np.arange(10, 10 + size + 2, dtype=np.int8))
        shuffle(s, cards, size)
        shuffled = cards.tolist()
        assert shuffled[size:] == [10 + size, 11 + size]  # the rest stays
        orders.add(tuple(shuffled[:size]))
    assert orders == set(itertools.permutations(range(10, 10 + size)))
    assert len(orders) == len(ways)


@pytest.mark.compiled_only
def test_compiled_and_interpreted_shuffles_agree() -> None:
    key = bytes(range(32))
    cards, twin = np.arange(52, dtype=np.int8), np.arange(52, dtype=np.int8)
    shuffle(record(key), Cells(cards), 52)
    call_shuffle(np.zeros(HEADER_ONLY.itemsize, np.uint8), chance.key_from_seed(key), twin, 52)
    assert sorted(cards.tolist()) == list(range(52))
    assert cards.tolist() == twin.tolist() != list(range(52))


# Seeds


def test_seeds_name_keys_for_ever() -> None:
    def hexadecimal_key(seed: int | str | bytes) -> str:
        return chance.key_from_seed(seed).astype("<u4").tobytes().hex()

    assert hexadecimal_key(7) == hashlib.sha256(b"ludotheque seed number 7").hexdigest()
    assert hexadecimal_key(-(10**30)) == hashlib.sha256(b"ludotheque seed number -" + b"1" + b"0" * 30).hexdigest()
    assert hexadecimal_key("7") == hashlib.sha256(b"ludotheque seed text 7").hexdigest()
    assert hexadecimal_key("café") == hashlib.sha256("ludotheque seed text café".encode()).hexdigest()
    assert hexadecimal_key(bytes(range(32))) == bytes(range(32)).hex()


def test_no_seed_is_a_secret_of_its_own() -> None:
    keys = {chance.key_from_seed(None).tobytes() for _ in range(20)}
    assert len(keys) == 20


@pytest.mark.parametrize("seed", [b"", b"short", bytes(33), 1.5, True, False, [1], {}, object(), bytearray(32)])
def test_other_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(InvalidOptions, match="seed"):
        chance.key_from_seed(seed)


def test_commitment_is_the_sha256_of_the_key() -> None:
    key = chance.key_from_seed(bytes(range(32)))
    assert chance.commitment(key) == hashlib.sha256(bytes(range(32))).hexdigest()


# Scripts


def test_scripted_draws_come_first_and_then_the_stream() -> None:
    s, plain_stream = record(), record()
    draws = [(0, 57), (56, 57), (3, 6), (0, 1), (9_999, 10_000), (57**4 - 1, 57**4), (0, 2), (1, 2)]
    chance.script(s, draws)
    assert [below(s, n) for _, n in draws] == [value for value, _ in draws]
    assert [next_word(s) for _ in range(20)] == [next_word(plain_stream) for _ in range(20)]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 57, 1000])
def test_every_value_can_be_scripted(n: int) -> None:
    for value in range(n):
        s = record()
        chance.script(s, [(value, n)])
        assert below(s, n) == value
        assert s.cursor == 16


@pytest.mark.parametrize("draws", [[(0, 2)] * 17, [(2, 2)], [(-1, 2)], [(0, 0)], [(0, 2), (5, 3)]])
def test_impossible_scripts_are_refused(draws: list[tuple[int, int]]) -> None:
    with pytest.raises(InvalidOptions):
        chance.script(record(), draws)
    chance.script(record(), [(0, 2)] * 16)
