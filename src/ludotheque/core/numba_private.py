"""The parts of Numba outside its documented interface that this project uses, all of them.

They shorten compiling, or let it be done once, and change nothing of what compiled code computes. They hold for the
versions in `TRIED`, which the dependency in `pyproject.toml` is capped to; with any other version importing this module
warns. To admit a new one, run `tests/core/test_numba_private.py` with it, compile a game cold (`ludotheque warm GAME`
with an empty `LUDOTHEQUE_CACHE`), and extend `TRIED` and the dependency.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import caching, codegen

TRIED = ("0.68",)
"""The versions of Numba this was tried on, without their last number."""


def check_version(version: str) -> None:
    """Warn if a version of Numba is not one of those tried."""
    if version.rpartition(".")[0] not in TRIED:
        tried = ", ".join(f"{known}.x" for known in TRIED)
        text = f"ludotheque is tried with Numba {tried}, this is {version}: compiling games may fail or take long"
        warnings.warn(text, RuntimeWarning, stacklevel=2)


check_version(numba.__version__)

INNER_OPTIONS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options for functions that only compiled code calls: no entry points for Python and for C are made.

`numba.njit` takes them but does not document them; `numba.extending.overload` uses them by default. A game has hundreds
of such functions and some twenty entries: compiling the smallest of ours cold takes 76 s of processor time without
these options, 66 s with them.
"""


def widen_integers(dispatcher: Any) -> Any:
    """Let a compiled function take all its integers as int64. Returns the same dispatcher.

    Fields of records have many widths, and Numba compiles a function for every mix of argument types it meets. The
    documented way, an explicit signature, would compile every function as it is imported, and functions shared by all
    games would have to name the record of each. Compiling the smallest of ours cold takes 80 s of processor time
    without this, 66 s with it.
    """
    specialise = dispatcher.get_call_template

    def widened(args: Any, kws: Any) -> Any:
        wide = tuple(numba.int64 if isinstance(arg, numba.types.Integer) else arg for arg in args)
        return specialise(wide, kws)

    dispatcher.get_call_template = widened
    return dispatcher


def optimise_only(is_wanted: Callable[[str], bool]) -> None:
    """Let this process optimise only the modules with certain names, from now on. For processes that compile.

    Numba optimises every function by itself and again within each entry that calls it. Only the latter runs. Compiling
    a large game of ours cold, without its views, takes 130 s of processor time without this and 85 s with it, the
    smallest 58 s and 52 s; the observations of an arena take 51 ns each without it and 42 ns with it, since more is
    inlined.
    """
    library = codegen.CPUCodeLibrary
    optimise = library._optimize_final_module

    def where_wanted(self: Any) -> None:
        if is_wanted(self.name):
            optimise(self)

    library._optimize_final_module = where_wanted


SETTINGS = ("BOUNDSCHECK", "ENABLE_AVX", "OPT", "USING_SVML")
"""The settings of Numba that change the machine code it makes."""


def describe_compiler() -> str:
    """All that compiled code depends on beside its sources: versions, settings and the processor."""
    versions = f"numba {numba.__version__} numpy {np.__version__} llvmlite {llvmlite.__version__}"
    settings = " ".join(f"{name}={getattr(numba.config, name, None)}" for name in SETTINGS)
    name = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    return f"{versions} {settings} {name} {target_features()}"


def target_features() -> str:
    """The features of the processor that code is compiled for: this machine's, unless `NUMBA_CPU_NAME` names another.

    With `NUMBA_CPU_NAME=generic` it is any of this architecture, and the cache fits all of them.
    """
    given: str | None = numba.config.CPU_FEATURES
    return llvmlite.binding.get_host_cpu_features().flatten() if given is None else given


class DirectoryLocator(caching._CacheLocator):  # type: ignore[misc]  # Numba is untyped
    """Says that compiled functions lie in `numba.config.CACHE_DIR` itself, wherever their source is.

    Numba's own locators name a directory after the path of the source and hash the file for each function. Ours is
    named after a digest of all the sources, so a function found there is fresh.
    """

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file  # Numba's warnings name it
        self._line = function.__code__.co_firstlineno
        self._directory = numba.config.CACHE_DIR

    def get_cache_path(self) -> str:
        """Where the function is kept."""
        return str(self._directory)

    def get_source_stamp(self) -> str:
        """What a cached function is compared by: the directory says it all."""
        return ""

    def get_disambiguator(self) -> str:
        """What tells functions of one name apart."""
        return str(self._line)

    @classmethod
    def from_function(cls, function: Any, file: str) -> DirectoryLocator:
        """The locator of a function."""
        return cls(function, file)


_ONE_AT_A_TIME = threading.Lock()


@contextmanager
def cached_in(directory: Path) -> Iterator[None]:
    """Let functions that are decorated now be kept in a directory; others' functions are kept where they were."""
    config = numba.config
    with _ONE_AT_A_TIME:  # the settings are for all threads
        before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
        config.CACHE_DIR = str(directory)
        config.CACHE_LOCATOR_CLASSES = f"{__name__}.{DirectoryLocator.__name__}"
        try:
            yield
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
