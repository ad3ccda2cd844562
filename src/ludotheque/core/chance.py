"""Chance: a ChaCha8 stream in the match's record, under a 256-bit key.

Whoever sees the cards so far cannot compute those to come, and (key, moves) replays to the byte anywhere. Words are
kept below 2**32 in signed 64-bit integers, so that compiled and interpreted mode compute alike.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.bits import add_words, rotate_word
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.jit import jit
from ludotheque.core.record import State

WORD = 0xFFFFFFFF
BLOCK_WORDS = 16

Key = npt.NDArray[np.uint32]
"""A 256-bit key as eight little-endian words."""


@jit
def quarter_round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """ChaCha's quarter round on four words."""
    a = add_words(a, b)
    d = rotate_word(d ^ a, 16)
    c = add_words(c, d)
    b = rotate_word(b ^ c, 12)
    a = add_words(a, b)
    d = rotate_word(d ^ a, 8)
    c = add_words(c, d)
    b = rotate_word(b ^ c, 7)
    return a, b, c, d


@jit
def chacha_block(key: Any, counter: int, nonce: int, rounds: int, out: Any) -> None:
    """One block of ChaCha with a 64-bit counter and a 64-bit nonce: 16 words into `out`."""
    c0, c1, c2, c3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    # int() for Python, where a NumPy word would overflow; + 0 for Numba, which widens the word with it.
    k0, k1, k2, k3 = int(key[0]) + 0, int(key[1]) + 0, int(key[2]) + 0, int(key[3]) + 0
    k4, k5, k6, k7 = int(key[4]) + 0, int(key[5]) + 0, int(key[6]) + 0, int(key[7]) + 0
    n0, n1 = counter & WORD, (counter >> 32) & WORD
    n2, n3 = nonce & WORD, (nonce >> 32) & WORD
    x0, x1, x2, x3 = c0, c1, c2, c3
    x4, x5, x6, x7 = k0, k1, k2, k3
    x8, x9, x10, x11 = k4, k5, k6, k7
    x12, x13, x14, x15 = n0, n1, n2, n3
    for _ in range(rounds // 2):
        x0, x4, x8, x12 = quarter_round(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter_round(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter_round(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter_round(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter_round(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter_round(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter_round(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter_round(x3, x4, x9, x14)
    out[0] = add_words(x0, c0)
    out[1] = add_words(x1, c1)
    out[2] = add_words(x2, c2)
    out[3] = add_words(x3, c3)
    out[4] = add_words(x4, k0)
    out[5] = add_words(x5, k1)
    out[6] = add_words(x6, k2)
    out[7] = add_words(x7, k3)
    out[8] = add_words(x8, k4)
    out[9] = add_words(x9, k5)
    out[10] = add_words(x10, k6)
    out[11] = add_words(x11, k7)
    out[12] = add_words(x12, n0)
    out[13] = add_words(x13, n1)
    out[14] = add_words(x14, n2)
    out[15] = add_words(x15, n3)


@jit
def set_key(s: State, key: Any) -> None:
    """Start the record's stream under this key."""
    for i in range(8):
        s.key[i] = key[i]
    s.counter = 0
    s.cursor = BLOCK_WORDS


@jit
def next_word(s: State) -> int:
    """The next 32 random bits."""
    if s.cursor >= BLOCK_WORDS:
        chacha_block(s.key, s.counter, 0, 8, s.block)
        s.counter += 1
        s.cursor = 0
    word = s.block[s.cursor] + 0
    s.cursor += 1
    return word


@jit
def below(s: State, n: int) -> int:
    """A number from 0 to n - 1, each exactly as likely as the others (Lemire's multiplication, with rejection)."""
    product = next_word(s) * n
    if (product & WORD) < n:
        threshold = (WORD + 1 - n) % n
        while (product & WORD) < threshold:
            product = next_word(s) * n
    return product >> 32


@jit
def five_draws(s: State, n: int) -> int:
    """Five draws out of one random word: below n, n - 1, ... n - 4, each combination exactly as likely; n up to 86.

    `drawn` reads the first and `draw_on` goes to the next (Lemire's multiplication again, on the word's fractions).
    """
    product = n * (n - 1) * (n - 2) * (n - 3) * (n - 4)
    word = next_word(s)
    fraction = (word * product) & WORD
    if fraction < product:
        threshold = (WORD + 1) % product
        while fraction < threshold:
            word = next_word(s)
            fraction = (word * product) & WORD
    return word


@jit
def drawn(draws: int, n: int) -> int:
    """The next of some draws: the one below n."""
    return (draws * n) >> 32


@jit
def draw_on(draws: int, n: int) -> int:
    """The draws after the one below n."""
    return (draws * n) & WORD


@jit
def shuffle(s: State, cards: Any, num_cards: int) -> None:
    """Shuffle the first `num_cards` of an array."""
    for i in range(num_cards - 1, 0, -1):
        j = below(s, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def key_from_seed(seed: int | str | bytes | None) -> Key:
    """The key for a seed: 32 bytes are the key itself, an integer or a string is hashed, None draws a fresh one."""
    if seed is None:
        material = secrets.token_bytes(32)
    elif isinstance(seed, bytes):
        if len(seed) != 32:
            raise InvalidOptions(f"a seed in bytes is the 256-bit key itself: 32 bytes, not {len(seed)}")
        material = seed
    elif isinstance(seed, str):
        material = hashlib.sha256(b"ludotheque seed text " + seed.encode()).digest()
    elif isinstance(seed, int) and not isinstance(seed, bool):
        material = hashlib.sha256(b"ludotheque seed number " + str(seed).encode()).digest()
    else:
        raise InvalidOptions(f"a seed is an integer, a string or 32 bytes, not {type(seed).__name__}")
    return np.frombuffer(material, dtype="<u4").astype(np.uint32)


def commitment(key: Key) -> str:
    """What may be shown before the first card: the SHA-256 of the key."""
    return hashlib.sha256(key.astype("<u4").tobytes()).hexdigest()


def script(s: State, draws: Sequence[tuple[int, int]]) -> None:
    """Make the next calls of `below(n)` give chosen values, as (value, n) pairs: for stories and puzzles.

    The words are put into the record's current block, so at most 16; after them the stream goes on as usual.
    """
    if len(draws) > BLOCK_WORDS:
        raise InvalidOptions(f"at most {BLOCK_WORDS} draws can be scripted, not {len(draws)}")
    start = BLOCK_WORDS - len(draws)
    for i, (value, n) in enumerate(draws):
        if not 0 <= value < n:
            raise InvalidOptions(f"a draw below {n} cannot give {value}")
        s.block[start + i] = ((2 * value + 1) << 31) // n  # the middle of the words that give this value
    s.cursor = start
