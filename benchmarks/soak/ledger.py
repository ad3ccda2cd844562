"""What honest clients know: what they sent, how it was answered, what they were shown, and how long that took."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

MANY = 20
"""How many complaints of a kind are kept word for word."""


class Outcome(enum.Enum):
    """How a command was answered."""

    PENDING = enum.auto()
    STORED = enum.auto()
    REFUSED = enum.auto()


@dataclass
class Command:
    """A message that changes a table, under the id by which the store knows it."""

    table: str
    sender: str
    id: str
    message: dict[str, Any]
    outcome: Outcome = Outcome.PENDING
    tries: int = 0
    sent: float = 0.0
    epoch: int = 0
    """See `Ledger.epoch`: when it was first sent."""


class Witness:
    """Somebody at a table, and every event they were shown."""

    def __init__(self, table: str, name: str) -> None:
        self.table = table
        self.name = name
        self.seq = 0
        self.events: dict[int, dict[str, Any]] = {}
        self.is_present = True
        """Whether they can come back: who gave a seat away can't."""

    def take(self, message: dict[str, Any]) -> Iterable[str]:
        """Note what a message shows; what is wrong with it."""
        for event in message.get("events", ()):
            seq = event["seq"]
            if seq in self.events:
                if self.events[seq] != event:
                    yield f"event {seq} of {self.table} has changed for {self.name}"
            elif seq != self.seq + 1 and not (self.seq == 0 and seq == 2):  # the first event of a table is not shown
                yield f"events {self.seq + 1} to {seq - 1} of {self.table} were not shown to {self.name}"
            self.events[seq] = event
            self.seq = max(self.seq, seq)
        if message["type"] in ("welcome", "update") and message["seq"] > max(self.seq, 1):
            yield f"event {message['seq']} of {self.table} was announced to {self.name}, but not shown"
            self.seq = message["seq"]


@dataclass
class Ledger:
    """All that the honest know together."""

    commands: list[Command] = field(default_factory=list)
    witnesses: list[Witness] = field(default_factory=list)
    answers: dict[str, list[float]] = field(default_factory=dict)
    """Seconds from a command to its answer, by the phase of the soak."""
    health: dict[str, list[float]] = field(default_factory=dict)
    """Seconds that `/healthz` took."""
    complaints: dict[str, list[str]] = field(default_factory=dict)
    """What went wrong, by kind."""
    counts: Counter[str] = field(default_factory=Counter)
    phase: str = "control"
    epoch: int = 0
    """Goes up whenever a fault begins and when it has passed: times across a change are not compared."""
    is_calm: bool = True
    """Whether no server is down and none was restarted just now."""

    def complain(self, kind: str, text: str) -> None:
        """Something went wrong."""
        self.counts[f"complaint: {kind}"] += 1
        kept = self.complaints.setdefault(kind, [])
        if len(kept) < MANY:
            kept.append(text)

    def answered(self, command: Command, now: float) -> None:
        """Note how long a command took, if nothing but attackers can have delayed it."""
        if self.is_calm and command.epoch == self.epoch and command.tries == 1:
            self.answers.setdefault(self.phase, []).append(now - command.sent)

    def set_calm(self, is_calm: bool) -> None:
        """A fault begins, or has passed."""
        self.is_calm = is_calm
        self.epoch += 1
