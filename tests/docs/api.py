"""The public names of the package, as docs/reference shows them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from tests.docs.blocks import ROOT

_ENTRY = re.compile(r"^::: (\S+)(\n +options:\n +members: \[(.*?)\])?", re.MULTILINE)


def public_names() -> list[str]:
    """The classes and functions of the reference, by their whole names."""
    return [name for name, _ in public()]


def public() -> Iterator[tuple[str, Any]]:
    """The classes and functions that the pages of the reference list, or that the modules listed there define."""
    for page in sorted((ROOT / "docs" / "reference").glob("*.md")):
        for name, listed, members in _ENTRY.findall(page.read_text(encoding="utf-8")):
            thing = find(name)
            if not isinstance(thing, ModuleType):
                yield name, thing
                continue
            chosen = [member for member in members.split(", ") if member] if listed else _defined(thing)
            yield from ((f"{name}.{member}", getattr(thing, member)) for member in chosen)


def find(name: str) -> Any:
    """A module, or a name in one."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        module, _, member = name.rpartition(".")
        return getattr(find(module), member)


def _defined(module: ModuleType) -> list[str]:
    """The public classes and functions that a module defines itself."""
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(thing) or inspect.isroutine(thing))
        and thing.__module__ == module.__name__
    ]
