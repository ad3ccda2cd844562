"""Starting quickly: what Python and Numba look for as they load, and no screen needs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quickly() -> Iterator[None]:
    """Load much at once.

    Numba imports all of SciPy's linear algebra where it is installed, which takes as long as Numba itself: no rule
    multiplies matrices. What is loaded stays, so nobody need look for garbage in it, now or later.
    """
    hides, collects = "scipy" not in sys.modules, gc.isenabled()
    if hides:
        sys.modules["scipy"] = None  # type: ignore[assignment]  # it cannot be imported then
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.freeze()
            gc.enable()
        if hides:
            del sys.modules["scipy"]
