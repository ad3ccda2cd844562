"""Compiling rules with Numba, and running the very same functions without it.

`jit` marks a rule function. `bind` makes a game's entry point out of a template in `kernels.py`: the template's
code with the game's own functions as its globals. That way one generic loop is specialised and inlined per game,
and Numba's on-disk cache still finds it (a closure over jitted functions it would never find).

With `NUMBA_DISABLE_JIT=1` nothing is compiled and Numba is not even imported.
"""

from __future__ import annotations

import builtins
import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether rules run compiled in this process."""

PACKAGE = Path(__file__).resolve().parent.parent


@cache
def source_digest() -> str:
    """A digest of all sources that end up in compiled code.

    Numba notices a change in a cached function's own file only, not in the functions it calls: the cache directory
    is named after this digest, so stale rules cannot run.
    """
    digest = hashlib.sha256()
    for folder in ("core", "games", "bots"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled rules are kept: `LUDOTHEQUE_CACHE`, or `ludotheque` in the user's cache directory."""
    named = os.environ.get("LUDOTHEQUE_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ludotheque"


@cache
def cache_dir() -> Path:
    """The cache directory of exactly these sources. Directories of older sources are swept, the last three kept."""
    root = cache_root()
    directory = root / source_digest()
    if not directory.exists():
        directory.mkdir(parents=True, exist_ok=True)
        others = sorted((p for p in root.iterdir() if p.is_dir() and p != directory), key=os.path.getmtime)
        for old in others[:-3]:
            shutil.rmtree(old, ignore_errors=True)
    return directory


if COMPILED:
    import numba

    # Every kernel is nogil (bots think while a server serves) and divides as C does (no zero checks).
    _INNER = numba.njit(nogil=True, error_model="numpy")

    def jit(fn: F) -> F:
        """Compile a rule function when it is first called. It is cached as part of the entry that calls it."""
        return _INNER(fn)  # type: ignore[no-any-return]

    def entry(fn: F) -> F:
        """Compile a function that Python calls, and keep it in the cache on disk."""
        numba.config.CACHE_DIR = str(cache_dir())
        return numba.njit(nogil=True, error_model="numpy", cache=True)(fn)  # type: ignore[no-any-return]

else:

    def jit(fn: F) -> F:
        """Leave the function as it is: rules run interpreted."""
        return fn

    entry = jit


def bind(template: Callable[..., Any], namespace: Mapping[str, Any], owner: str) -> Callable[..., Any]:
    """An entry point: the template's code, looking its names up in `namespace`, named after its owner."""
    assert isinstance(template, FunctionType)
    scope = {**template.__globals__, **namespace, "__builtins__": builtins}
    fn = FunctionType(template.__code__, scope, template.__name__, template.__defaults__)
    fn.__qualname__ = f"{owner}_{template.__name__}"
    fn.__module__ = template.__module__
    return entry(fn)
