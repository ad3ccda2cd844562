"""The terminal starts quickly: no screen waits for what it does not need."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from ludotheque.core.starting import quickly


def loaded_by(code: str) -> set[str]:
    """The packages that a fresh interpreter has loaded after a piece of code."""
    told = "import sys; print(*{name.partition('.')[0] for name, module in sys.modules.items() if module})"
    command = [sys.executable, "-c", f"{code}\n{told}"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_the_first_screen_needs_neither_numpy_nor_numba() -> None:
    first = "from ludotheque.tui import app, loading, menu, opening, table_screen"
    loaded = loaded_by(f"import ludotheque.cli; {first}")
    assert "textual" in loaded
    assert not loaded & {"numpy", "numba", "scipy"}


@pytest.mark.compiled_only
def test_a_game_is_ready_without_scipy() -> None:
    load = "with starting.quickly(): opening.ready('double_lucky_7', 'en')"
    loaded = loaded_by(f"from ludotheque.core import starting; from ludotheque.tui import opening\n{load}")
    assert "numba" in loaded and "scipy" not in loaded


def test_afterwards_all_is_as_before() -> None:
    before = sys.modules.get("scipy")
    with pytest.raises(ZeroDivisionError), quickly():
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()
    assert sys.modules.get("scipy") is before and ("scipy" in sys.modules) == (before is not None)
