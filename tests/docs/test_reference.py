"""The reference: every public class and function says what it takes, and shows an example that runs."""

from __future__ import annotations

import doctest
import inspect
from typing import Any

import pytest

import ludotheque
from tests.docs.api import public

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
NAMES = dict(public())


SLOW = ("ludotheque.lab.", "ludotheque.testing.")
"""What plays many matches takes a while."""


def _cases() -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.slow] if name.startswith(SLOW) else []) for name in NAMES]


@pytest.mark.parametrize("name", _cases())
def test_examples_run(name: str) -> None:
    text = inspect.getdoc(NAMES[name]) or ""
    example = doctest.DocTestParser().get_doctest(text, dict(vars(inspect.getmodule(NAMES[name]))), name, None, None)
    assert example.examples, f"{name} has no example"
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("name", [name for name, thing in NAMES.items() if inspect.isroutine(thing)])
def test_functions_name_their_arguments(name: str) -> None:
    text = inspect.getdoc(NAMES[name]) or ""
    unnamed = [argument for argument in _arguments(NAMES[name]) if f"\n    {argument}: " not in text]
    assert not unnamed


def _arguments(function: Any) -> list[str]:
    """The arguments of a function, written as in a docstring: `**options`."""
    return [str(given).partition(":")[0].partition("=")[0] for given in inspect.signature(function).parameters.values()]


def test_everything_that_the_package_exports_is_there() -> None:
    assert not {f"ludotheque.{name}" for name in ludotheque.__all__ if name != "__version__"} - set(NAMES)


def test_an_example_that_lies_is_found() -> None:
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, None)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append)
    assert said
