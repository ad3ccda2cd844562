"""Parts that a test needs and a machine may lack: it is skipped there, but fails in CI, where everything must run."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

import pytest

SETUP = "is not installed: make setup"


def missing(what: str) -> NoReturn:
    """End the test, or the file of tests, with a line on what is missing and how to get it."""
    if os.environ.get("CI"):
        pytest.fail(what, pytrace=False)
    pytest.skip(what, allow_module_level=True)


def installed(*names: str) -> None:
    """Need packages, without importing them here."""
    if absent := [name for name in names if find_spec(name) is None]:
        missing(f"{', '.join(absent)} {SETUP}")


def module(name: str, otherwise: str = SETUP) -> Any:
    """A module that a test needs."""
    if find_spec(name) is None:
        missing(f"{name} {otherwise}")
    return import_module(name)
