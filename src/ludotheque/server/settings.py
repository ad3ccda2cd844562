"""What a server is set to."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ludotheque.core.errors import LudothequeError

PREFIX = "LUDOTHEQUE_"


@dataclass(frozen=True)
class Settings:
    """All settings. Each can be given in the environment too: `LUDOTHEQUE_AWAY_SECONDS=30`."""

    data: Path = Path("ludotheque-data")
    """The folder of the SQLite store."""
    database: str = ""
    """`postgresql://…` instead."""
    bus: str = ""
    """`redis://…` if several servers share the database."""
    origins: tuple[str, ...] = field(default=())
    """Further addresses that pages may come from, such as `https://games.example`."""
    trust_proxy: bool = False
    """Whether a proxy in front sets X-Forwarded-For and X-Forwarded-Proto."""

    bot_threads: int = 0
    """How many bots think at a time; 0: one less than there are cores, at least one."""
    bot_seconds: float = 1.0
    """No bot thinks longer than that about a move."""
    bot_pace: float = 0.5
    """A bot's move comes no sooner than that, so that people can follow."""
    hint_seconds: float = 1.0
    pause_seconds: float = 60.0
    """After that a table goes on after a round, even if somebody has not pressed on."""
    away_seconds: float = 60.0
    """After that a bot stands in for somebody who is away, when it is their turn."""
    sleep_seconds: float = 120.0
    """After that a table where nobody is leaves the memory."""
    stall_seconds: float = 10.0
    """A connection that takes nothing for so long is closed."""
    hello_seconds: float = 10.0
    """A connection that has not said who it is by then is closed."""

    rule_seconds: float = 10.0
    """A table whose rules compute longer than that about one move is closed."""

    max_frame: int = 16_384
    """Bytes of a message from a client."""
    messages_per_second: float = 20.0
    messages_at_once: int = 60
    requests_per_second: float = 20.0
    """HTTP requests and new connections of one address."""
    requests_at_once: int = 200
    connections_per_address: int = 500
    tables_per_day: int = 200
    """How many tables one identity sets up."""

    @classmethod
    def from_environment(cls, **given: object) -> Settings:
        """Settings from the environment; what is given (and not None) wins."""
        values: dict[str, object] = {}
        for one in fields(cls):
            text = os.environ.get(PREFIX + one.name.upper())
            if text is None:
                continue
            kind: Any = type(getattr(cls, one.name, ()))
            if kind is bool:
                values[one.name] = text.lower() in ("1", "yes", "true", "on")
            elif kind is tuple:
                values[one.name] = tuple(part for part in text.split(",") if part)
            else:
                try:
                    values[one.name] = kind(text)
                except ValueError:
                    raise LudothequeError(f"{PREFIX}{one.name.upper()} is a number, not {text!r:.40}") from None
        values.update({name: value for name, value in given.items() if value is not None})
        return cls(**values)  # type: ignore[arg-type]  # each of its field's type, from above
