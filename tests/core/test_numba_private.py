"""Numba's private parts behave as `core/numba_private.py` takes them to."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import numba
import numpy as np
import pytest

from ludotheque.core import numba_private
from ludotheque.core.numba_private import INNER_OPTIONS, TRIED, check_version, widen_integers

pytestmark = pytest.mark.compiled_only

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
FIELDS = np.dtype((np.record, [("small", "i1"), ("large", "<i4")]))


def test_the_installed_version_is_one_of_those_tried() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_version(numba.__version__)


@pytest.mark.parametrize("version", ["0.60.0", "0.69.0rc1", "0.680.1", "1.0.0"])
def test_any_other_version_is_warned_of(version: str) -> None:
    with pytest.warns(RuntimeWarning, match=rf"Numba 0\.68\.x, this is {version}"):
        check_version(version)


def test_the_dependency_admits_what_was_tried() -> None:
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    versions = sorted(tuple(map(int, version.split("."))) for version in TRIED)
    (major, minor), (_, last) = versions[0], versions[-1]
    assert f"numba>={major}.{minor},<{major}.{last + 1}" in dependencies


@pytest.mark.parametrize(("widen", "versions"), [(False, 2), (True, 1)])
def test_integers_of_all_widths_share_one_version(widen: bool, versions: int) -> None:
    @numba.njit(**INNER_OPTIONS)  # type: ignore[untyped-decorator]  # Numba is untyped
    def twice(number: int) -> int:
        return 2 * number

    if widen:
        assert widen_integers(twice) is twice

    @numba.njit  # type: ignore[untyped-decorator]  # Numba is untyped
    def entry(rows: np.ndarray[tuple[int], np.dtype[np.void]]) -> int:
        return int(twice(rows[0].small) + twice(rows[0].large))

    rows = np.zeros(1, FIELDS)
    rows["small"], rows["large"] = -100, 1 << 30
    assert entry(rows) == 2 * (1 << 30) - 200
    assert len(twice.signatures) == versions


def test_only_wanted_modules_are_optimised() -> None:
    # In a process of its own: it stays like that.
    code = """
import numba
from numba.core import codegen
from ludotheque.core.numba_private import optimise_only

optimised = []
original = codegen.CPUCodeLibrary._optimize_final_module
codegen.CPUCodeLibrary._optimize_final_module = lambda self: (optimised.append(self.name), original(self))
optimise_only(lambda name: name == "entry")

@numba.njit
def inner(x):
    return x + 1

@numba.njit
def entry(x):
    return inner(x) + 1

assert entry(1) == 3
print(*optimised)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["entry"]


def test_no_other_file_reaches_into_numba() -> None:
    package = Path(numba_private.__file__).parents[1]
    documented = "from numba.core import cgutils"  # part of the extension interface
    found = set()
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8").replace(documented, "")
        if any(name in text for name in ("numba.core", "get_call_template", "no_cpython_wrapper", "no_cfunc_wrapper")):
            found.add(path.name)
    assert found == {"numba_private.py"}
