"""The terminal starts quickly: no screen waits for what it does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ludotheque.core import background, jit, registry, warm
from ludotheque.core.pages import game_name
from ludotheque.tui.menu import MenuScreen
from ludotheque.tui.table_screen import TableScreen
from tests.tui.helpers import opened, run, shown, text_of, until


def test_the_first_screen_needs_neither_numpy_nor_numba() -> None:
    screens = "import ludotheque.cli; from ludotheque.tui import app, loading, menu, opening, table_screen"
    packages = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    command = [sys.executable, "-c", f"{screens}\n{packages}"]
    loaded = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert "textual" in loaded
    assert not loaded & {"numpy", "numba", "scipy"}


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> threading.Event:
    """A fresh install, where compiling takes until the event is set."""
    is_done = threading.Event()

    def compile_one(game_id: str, purpose: str, *_: Any, **__: Any) -> None:
        is_done.wait(600)
        warm.KNOWN.add((game_id, purpose))

    monkeypatch.setenv("LUDOTHEQUE_HOME", str(tmp_path))
    monkeypatch.setattr(registry, "_LOADED", {})
    monkeypatch.setattr(warm, "KNOWN", set())
    monkeypatch.setattr(warm, "is_warm", lambda *step: step in warm.KNOWN)
    monkeypatch.setattr(warm, "compile_one", compile_one)
    monkeypatch.setattr(background, "_background", background.Background())
    monkeypatch.setattr(background, "_load", lambda *_: None)
    return is_done


@pytest.mark.compiled_only
def test_options_and_table_are_there_at_once_and_the_clock_ticks(compiler: threading.Event) -> None:
    async def story() -> None:
        async with opened(MenuScreen) as (app, pilot):
            await pilot.press("enter")
            await until(pilot, lambda: "Who plays, and how?" in text_of(app))
            assert not compiler.is_set()
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            for clock in ("compiling, 1 s", "compiling, 2 s", "compiling, 3 s"):
                await until(pilot, partial(lambda text: text in text_of(app), clock))
            assert game_name(registry.ids()[0]) in shown(app)[0]
            table: Any = app.screen.table  # type: ignore[attr-defined]
            table.pace = 0
            await until(pilot, lambda: table.is_mine)
            await table.play(table.choices()[0].text)
            assert len(table.match.moves) >= 1
            compiler.set()
            await until(pilot, lambda: "compiling" not in text_of(app))

    run(story())


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs commands as after a fresh install; each must be over before anything is compiled."""

    def run_command(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "LUDOTHEQUE_CACHE": str(tmp_path / "cache"),
            "LUDOTHEQUE_HOME": str(tmp_path),
            "PYTHONPATH": str(jit.PACKAGE.parent),
        }
        command = [sys.executable, "-m", "ludotheque", *arguments, "--lang", "en"]
        done = subprocess.run(command, input=typed, env=environment, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert not list(tmp_path.rglob("compiled-*")), "it waited for the compiler"
        return done

    return run_command


@pytest.mark.compiled_only
def test_the_plain_prompt_plays_at_once(fresh: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    players = ["--players", "Ann,expert,random", "--seed", "3"]
    done = fresh("play", "lobo77", "--plain", *players, typed="1\n" * 4)
    assert "LOBO 77 is being compiled in the background" in done.stdout
    assert done.stdout.count("Ann> ") == 5, "four moves, and the end"


@pytest.mark.compiled_only
def test_records_and_pads_wait_for_nothing(
    fresh: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    match = registry.load("lobo77").new(["Ann", "Ben"], seed=1)
    while not match.over:
        match.play(match.legal()[0])
    file = tmp_path / "match.json"
    file.write_text(json.dumps(match.record()), encoding="utf-8")
    assert match.log("en")[-1] in fresh("replay", "--plain", str(file)).stdout
    assert "genuine" in fresh("verify", str(file)).stdout
    assert "Ann" in fresh("pad", "lobo77", "--plain", "--players", "Ann,Ben").stdout
