"""Choosing moves at random in playouts: a small linear generator, never used for cards.

Its products may wrap around in 64 bits; the low 62 bits are the same with and without wrapping, so compiled and
interpreted mode choose alike.
"""

from __future__ import annotations

from ludotheque.core.jit import jit

_FACTOR = 6364136223846793005
_STEP = 1442695040888963407
MASK = (1 << 62) - 1


@jit
def advance(x: int) -> int:
    """The next state."""
    return (x * _FACTOR + _STEP) & MASK


@jit
def choose(x: int, n: int) -> int:
    """A number below n, from the high bits of the state."""
    return ((x >> 30) * n) >> 32
