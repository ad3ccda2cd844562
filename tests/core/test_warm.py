"""Compiling ahead: once, however many ask, and again if somebody clears the cache meanwhile."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from ludotheque.core import jit, warm
from ludotheque.core.errors import LudothequeError

GAME = "skipbo"


class Compiler:
    """Stands in for the children: fails as often as told."""

    def __init__(self, failures: int) -> None:
        self.calls = 0
        self._failures = failures

    def __call__(self, *_: object) -> None:
        self.calls += 1
        time.sleep(0.05)
        if self.calls <= self._failures:
            raise LudothequeError("the cache is gone")


def prepare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failures: int) -> Compiler:
    compiler = Compiler(failures)
    monkeypatch.setattr(jit, "COMPILED", True)
    monkeypatch.setattr(warm, "_known", set())
    monkeypatch.setattr(warm, "_marker", lambda game_id, purpose: tmp_path / f"{game_id}-{purpose}")
    monkeypatch.setattr(warm, "_compile_in_children", compiler)
    monkeypatch.delenv(warm._CHILD, raising=False)
    return compiler


def test_threads_that_need_the_same_game_wait_for_each_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = prepare(monkeypatch, tmp_path, 0)
    threads = [threading.Thread(target=warm.ensure, args=(GAME,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compiler.calls == 1
    assert warm.is_warm(GAME, warm.PLAY)


def test_compiling_that_fails_is_tried_once_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = prepare(monkeypatch, tmp_path, 1)
    warm.ensure(GAME)
    assert compiler.calls == 2
    assert warm.is_warm(GAME, warm.PLAY)


def test_compiling_that_fails_twice_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prepare(monkeypatch, tmp_path, 2)
    with pytest.raises(LudothequeError, match="the cache is gone"):
        warm.ensure(GAME)
    assert not warm.is_warm(GAME, warm.PLAY)
