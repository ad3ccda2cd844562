"""Libraries that only an extra of the package brings: found before they are needed, named if they are missing."""

from __future__ import annotations

from importlib.util import find_spec

from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import worded

LIBRARIES = {
    "cluster": ("psycopg", "ray", "redis"),
    "dqn": ("torch", "tree"),
    "lab": ("choix", "matplotlib", "pyarrow"),
    "openspiel": ("pyspiel",),
    "rl": ("gymnasium", "pettingzoo", "PIL"),
    "sb3": ("sb3_contrib",),
    "server": (
        "alembic", "httptools", "msgspec", "prometheus_client", "sqlalchemy", "starlette", "uvicorn", "uvloop",
        "websockets",
    ),
    "torchrl": ("torchrl",),
    "train": ("torch",),
    "tui": ("textual", "websockets"),
}  # fmt: skip
"""What each extra brings beside the extras that it includes, as it is imported."""


class MissingExtra(LudothequeError, ModuleNotFoundError):
    """A library is not installed; the message says which extra brings it. An `ImportError` too."""


def has(extra: str, *libraries: str) -> bool:
    """Whether the libraries of an extra are installed: those named, or all of it."""
    return not _missing(extra, libraries)


def need(extra: str, *libraries: str) -> None:
    """Raise `MissingExtra` unless the libraries of an extra are installed: those named, or all of it."""
    if missing := _missing(extra, libraries):
        raise worded(MissingExtra, "extra", library=missing, extra=extra)


def _missing(extra: str, libraries: tuple[str, ...]) -> list[str]:
    return [name for name in libraries or LIBRARIES[extra] if find_spec(name) is None]
