"""The wheel, once for a run, and environments with it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.installs.environments import Environment, build_wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The wheel of this checkout, shared by all processes of the run."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        folder = folder.parent
    return build_wheel(folder / "wheel")


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Iterator[Callable[[str], Environment]]:
    """Makes an environment with an extra; it is gone after the test."""
    yield lambda extra: Environment(tmp_path / "environment", wheel, extra)
    shutil.rmtree(tmp_path / "environment", ignore_errors=True)
