"""Sets that are bits of a number, for those who read records from Python. Compiled code has `bits`."""

from __future__ import annotations


def members(mask: int) -> list[int]:
    """The places of the bits that are set, lowest first."""
    result = []
    while mask:
        lowest = mask & -mask
        result.append(lowest.bit_length() - 1)
        mask ^= lowest
    return result
