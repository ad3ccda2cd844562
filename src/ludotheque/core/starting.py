"""Starting quickly: what Python and Numba look for as they load, and neither a screen nor the room needs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_scipy() -> Iterator[None]:
    """Hide SciPy: where it is installed Numba imports all its linear algebra.

    That takes as long as Numba itself and 16 MB, and no rule multiplies matrices. Not for those who use us as a
    library: their own compiled code may.
    """
    hides = "scipy" not in sys.modules
    if hides:
        sys.modules["scipy"] = None  # type: ignore[assignment]  # it cannot be imported then
    try:
        yield
    finally:
        if hides:
            del sys.modules["scipy"]


@contextmanager
def quickly() -> Iterator[None]:
    """Load much at once. What is loaded stays, so nobody need look for garbage in it, now or later."""
    collects = gc.isenabled()
    gc.disable()
    try:
        with without_scipy():
            yield
    finally:
        if collects:
            gc.freeze()
            gc.enable()
