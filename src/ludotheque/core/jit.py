"""Compiling rules with Numba, and running the very same functions without it.

`jit` marks a rule function. `rebind` makes a game's own function out of a template in `entries.py`: the template's
code with the game's functions as its globals; `entry` compiles it for calls from Python. That way one generic loop is
specialised and inlined per game, and Numba's on-disk cache still finds it (a closure over jitted functions it would
never find).

With `NUMBA_DISABLE_JIT=1` nothing is compiled and Numba is not even imported.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether rules run compiled in this process."""

PACKAGE = Path(__file__).resolve().parent.parent

RULES_TEMPLATES = PACKAGE / "core" / "entries.py"
VIEW_TEMPLATES = PACKAGE / "server" / "views" / "writer.py"
BOT_TEMPLATES = PACKAGE / "bots" / "searches.py"
LAB_TEMPLATES = PACKAGE / "lab" / "playing.py"

# How long a core that has done its part of a parallel loop spins before it sleeps. The default is milliseconds, which
# keeps cores from other work on a busy machine.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

if COMPILED:
    import numba

    from ludotheque.core.numba_private import INNER_OPTIONS, cached_in, describe_compiler, widen_integers

    TOOLS = describe_compiler()
    """All that compiled code depends on beside its sources."""

    # All compiled code is nogil (bots think while a server serves) and divides as C does (no zero checks).
    _OPTIONS = {"nogil": True, "error_model": "numpy", **INNER_OPTIONS}
    _INNER = numba.njit(**_OPTIONS)

    def jit(fn: F) -> F:
        """Mark a function of the rules: compiled, and cached, as part of the entries that call it.

        It cannot be called from Python; `plain` gives the version that can.
        """
        return widen_integers(_INNER(fn))

    def inlined(fn: F) -> F:
        """Like `jit`, for a small function: its code is put into those that call it.

        A call that hands on arrays counts their references, which takes longer than writing a few bytes.
        """
        return numba.njit(inline="always", **_OPTIONS)(fn)

    prange = numba.prange

    def set_num_threads(count: int) -> None:
        """Let the parallel loops of this thread use so many cores; more than there are do not help."""
        numba.set_num_threads(min(count, numba.config.NUMBA_NUM_THREADS))

    def prepare() -> None:
        """Compile an empty function, so that the first entry need not wait 0.3 s for Numba's own start."""
        numba.njit("void()")(lambda: None)

    def entry(fn: F, directory: Path, parallel: bool = False) -> F:
        """Compile a function that Python calls, and keep it in a cache directory."""
        compiler = numba.njit(nogil=True, error_model="numpy", cache=True, parallel=parallel)
        with cached_in(directory):
            return compiler(fn)

else:
    TOOLS = ""
    prange = range

    def set_num_threads(count: int) -> None:
        """Interpreted loops run one after the other."""

    def prepare() -> None:
        """Nothing is compiled."""

    def jit(fn: F) -> F:
        """Leave the function as it is: rules run interpreted."""
        return fn

    inlined = jit

    def entry(fn: F, directory: Path, parallel: bool = False) -> F:
        """Leave the function as it is."""
        return fn


def rebind(template: Callable[..., Any], namespace: Mapping[str, Any], owner: str = "") -> FunctionType:
    """The template's code, looking its names up in `namespace` first; named after its owner.

    The name matters: compiled code of two games that was cached under one name would be taken for the same.
    """
    assert isinstance(template, FunctionType)
    scope = {**template.__globals__, **namespace, "__builtins__": builtins}
    fn = FunctionType(template.__code__, scope, owner + template.__name__, template.__defaults__)
    fn.__qualname__ = owner + template.__qualname__
    return fn


_PLAIN: dict[Any, Callable[..., Any]] = {}
"""Python versions of compiled functions, and of the intrinsics of `bits.py`."""


def plain(fn: F) -> F:
    """The same rule function for calling from Python with a `Record`: interpreted, and all it calls too.

    For views and notation, which read a few facts off one record: compiling for that would cost more than it saves.
    """
    if not COMPILED:
        return fn
    if fn not in _PLAIN:
        source: FunctionType = fn.py_func  # type: ignore[attr-defined]
        names = source.__code__.co_names
        _PLAIN[fn] = rebind(source, _plain_names(source.__globals__, names))
    return _PLAIN[fn]  # type: ignore[return-value]


def _plain_names(scope: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Python versions of the compiled functions among some names, and of those called as attributes of a module."""
    known = {name: scope[name] for name in names if name in scope}
    found: dict[str, Any] = {name: plain(value) for name, value in known.items() if _has_plain(value)}
    for name, module in known.items():
        if isinstance(module, ModuleType):
            inside = {part: getattr(module, part) for part in names if _has_plain(getattr(module, part, None))}
            if inside:
                versions = {part: plain(value) for part, value in inside.items()}
                found[name] = SimpleNamespace(**{**vars(module), **versions})
    return found


def _has_plain(value: Any) -> bool:
    return callable(value) and (value in _PLAIN or hasattr(value, "py_func"))


def set_plain(fn: Any, python: Callable[..., Any]) -> None:
    """Name the Python version of an intrinsic."""
    _PLAIN[fn] = python
