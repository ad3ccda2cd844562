"""Compiling rules with Numba, and running the very same functions without it.

`jit` marks a rule function. `rebind` makes a game's own function out of a template in `kernels.py`: the template's
code with the game's functions as its globals; `entry` compiles it as a door for Python. That way one generic loop is
specialised and inlined per game, and Numba's on-disk cache still finds it (a closure over jitted functions it would
never find).

With `NUMBA_DISABLE_JIT=1` nothing is compiled and Numba is not even imported.
"""

from __future__ import annotations

import builtins
import hashlib
import os
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether rules run compiled in this process."""

PACKAGE = Path(__file__).resolve().parent.parent

CORE_SOURCES = (
    "bits.py", "chance.py", "chooser.py", "game.py", "jit.py", "kernels.py", "ranking.py", "raw.py", "record.py",
    "shape.py",
)  # fmt: skip
"""The core's modules with compiled functions in them, or with a say in how they are compiled."""

NEVER_COMPILED = ("notation.py", "pad.py")
"""The modules of a game that have no compiled functions."""

RULES_TEMPLATES = PACKAGE / "core" / "kernels.py"
VIEW_TEMPLATES = PACKAGE / "core" / "portray.py"
BOT_TEMPLATES = PACKAGE / "bots" / "kernels.py"
LAB_TEMPLATES = PACKAGE / "lab" / "kernels.py"

WITH = {VIEW_TEMPLATES: (PACKAGE / "core" / "traffic.py",)}
"""More files of templates, compiled together with those of another."""

HOOKS = {VIEW_TEMPLATES: "view.py", BOT_TEMPLATES: "bots.py", LAB_TEMPLATES: "figures.py"}
"""A game's modules that only the compiled code of its views, its bots, or its simulations depends on."""


@cache
def source_digest(folder: Path, templates: Path) -> str:
    """A digest of all that compiled code of the game in a folder depends on: sources, place, tools, processor.

    Numba notices a change in a cached function's own file only, not in the functions it calls: the cache directory
    is named after this digest, so stale rules cannot run. What Numba does look at, the place and time of that file,
    is in it too: then a cache that is marked as complete is never compiled again behind the user's back.
    """
    files = (templates, *WITH.get(templates, ()))
    stamps = [path.stat().st_mtime_ns for path in files]
    digest = hashlib.sha256(f"{templates} {stamps} {sys.version} {_TOOLS}\0".encode())
    paths = [*files, *(PACKAGE / "core" / name for name in CORE_SOURCES)]
    left_out = {*NEVER_COMPILED, *HOOKS.values()} - {HOOKS.get(templates)}
    paths += [path for path in sorted(folder.rglob("*.py")) if path.name not in left_out]
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled rules are kept: `LUDOTHEQUE_CACHE`, or `ludotheque` in the user's cache directory."""
    named = os.environ.get("LUDOTHEQUE_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ludotheque"


@cache
def cache_dir(game_id: str, folder: Path, templates: Path = RULES_TEMPLATES) -> Path:
    """The cache directory of a game with exactly these sources. Of others, the three used last are kept."""
    root = cache_root() / (game_id if templates == RULES_TEMPLATES else f"{game_id}-{templates.parent.name}")
    directory = root / source_digest(folder, templates)
    if directory.exists():
        with suppress(OSError):  # a cache that is only read
            os.utime(directory)
    else:
        directory.mkdir(parents=True, exist_ok=True)
        others = sorted((p for p in root.iterdir() if p.is_dir() and p != directory), key=os.path.getmtime)
        for old in others[:-3]:
            shutil.rmtree(old, ignore_errors=True)
    return directory


# How long a core that has done its part of a parallel loop spins before it sleeps. By default that is milliseconds:
# when something else runs on the machine, the others wait for a core meanwhile.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

if COMPILED:
    import llvmlite.binding
    import numba

    _ONE_AT_A_TIME = threading.Lock()
    _TOOLS = f"{numba.__version__} {llvmlite.binding.get_host_cpu_name()}"

    # Every kernel is nogil (bots think while a server serves) and divides as C does (no zero checks). Rules are
    # called from entries only, so they need no doors to Python: that saves a fifth of the time to compile.
    _OPTIONS = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    _INNER = numba.njit(**_OPTIONS)
    _LEAN = numba.njit(**_OPTIONS, _nrt=False)

    def jit(fn: F) -> F:
        """Mark a function of the rules: compiled, and cached, as part of the entries that call it.

        It cannot be called from Python; `plain` gives the version that can.
        """
        return _widened(_INNER(fn))

    def lean(fn: F) -> F:
        """Like `jit`, for a function that makes no array and returns none, nor does any that it calls.

        Then nobody counts who holds the arrays that it is given, which takes the processor longer than copying bytes.
        """
        return _widened(_LEAN(fn))

    def _widened(dispatcher: Any) -> Any:
        specialise = dispatcher.get_call_template

        # Fields have many widths. Without this Numba would compile a function anew for every mix of them.
        def widened(args: Any, kws: Any) -> Any:
            wide = tuple(numba.int64 if isinstance(arg, numba.types.Integer) else arg for arg in args)
            return specialise(wide, kws)

        dispatcher.get_call_template = widened
        return dispatcher

    prange = numba.prange

    def set_num_threads(count: int) -> None:
        """Let the parallel loops of this thread use so many cores; more than there are do not help."""
        numba.set_num_threads(min(count, numba.config.NUMBA_NUM_THREADS))

    def prepare() -> None:
        """Let Numba get ready for the first entry: half a second that nobody need wait for then."""
        from numba.core.compiler_lock import global_compiler_lock
        from numba.core.registry import cpu_target

        with global_compiler_lock:
            cpu_target.typing_context.refresh()
            cpu_target.target_context.refresh()

    def entry(fn: F, directory: Path, parallel: bool = False) -> F:
        """Compile a function that Python calls, and keep it in a cache directory."""
        compiler = numba.njit(nogil=True, error_model="numpy", cache=True, parallel=parallel)
        with _ONE_AT_A_TIME:  # Numba has one setting for all threads
            numba.config.CACHE_DIR = str(directory)
            return compiler(fn)

else:
    _TOOLS = ""
    prange = range

    def set_num_threads(count: int) -> None:
        """Interpreted loops run one after the other."""

    def prepare() -> None:
        """Nothing is compiled."""

    def jit(fn: F) -> F:
        """Leave the function as it is: rules run interpreted."""
        return fn

    lean = jit

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
        called = {name: source.__globals__.get(name) for name in source.__code__.co_names}
        compiled = {n: v for n, v in called.items() if callable(v) and (v in _PLAIN or hasattr(v, "py_func"))}
        _PLAIN[fn] = rebind(source, {name: plain(value) for name, value in compiled.items()})
    return _PLAIN[fn]  # type: ignore[return-value]


def set_plain(fn: Any, python: Callable[..., Any]) -> None:
    """Name the Python version of an intrinsic."""
    _PLAIN[fn] = python
