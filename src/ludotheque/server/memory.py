"""Taking little memory, and giving it back.

Loading compiled rules takes LLVM, tens of megabytes of code that nobody needs once they run. The system would take
those pages when it runs short of memory, and read them again from the file whenever they are wanted. We give them back
as soon as all is loaded. On Linux only; elsewhere nothing happens.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from functools import cache

LIBRARY = "libllvmlite"
_MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \S+ +(\S.*)\n")
_DONT_NEED = 4
"""MADV_DONTNEED in <sys/mman.h>."""
_ARENA_MAX = -8
"""M_ARENA_MAX in <malloc.h>."""


def share_one_arena() -> None:
    """Let all threads take memory from one place; each has its own otherwise. To be said before there are any."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back_code() -> None:
    """Let go of the compiler's code until it is wanted again. Costs next to nothing if it was not."""
    with contextlib.suppress(OSError, AttributeError):  # another system, or another C library
        system = ctypes.CDLL(None)
        for begin, end in _code():
            system.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _DONT_NEED)


def give_back_free() -> None:
    """Let go of memory that was freed. Takes milliseconds."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0))


@cache
def _code() -> list[tuple[int, int]]:
    """Where the library lies: the parts that are just as they are in its file, since others could not be read again."""
    found: list[tuple[int, int]] = []
    candidate: tuple[int, int] | None = None
    with open("/proc/self/smaps", encoding="utf-8", errors="replace") as file:
        for line in file:
            mapping = _MAPPING.fullmatch(line)
            if mapping is not None:
                begin, end, rights, path = mapping.groups()
                is_ours = LIBRARY in path and "w" not in rights
                candidate = (int(begin, 16), int(end, 16)) if is_ours else None
            elif line.startswith("Anonymous:") and candidate is not None and line.split()[1] == "0":
                found.append(candidate)
    return found
