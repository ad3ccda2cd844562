"""Redacting: stored events as others may read them, without the secrets that they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludotheque.server.domain import events, protocol
from ludotheque.server.domain.events import Event
from ludotheque.server.domain.table import Table


def redact(table: Table, event: Event) -> protocol.Happened:
    """The event just applied to a table, for everybody; what one reader saw of the game is added as `seen`."""
    return _REDACT[type(event)](table, event)


def _redact_moved(t: Table, e: events.Moved) -> protocol.Happened:
    proof = t.proof() if t.match is not None and t.match.over else None
    return protocol.Moved(t.seq, e.at, e.seat, t.game.moves.texts[e.action], e.by or None, proof=proof)


def _redact_started(t: Table, e: events.Started) -> protocol.Happened:
    assert t.match is not None and t.match.commitment is not None
    return protocol.Started(t.seq, e.at, t.match_no, t.match.commitment)


def _redact_entered(t: Table, e: events.PadEntered) -> protocol.Happened:
    assert t.pad is not None
    return protocol.Entered(t.seq, e.at, e.entry, e.index if e.index >= 0 else len(t.pad.entries) - 1, e.insert)


def _redact_back(t: Table, e: events.PadBack) -> protocol.Happened:
    assert t.pad is not None
    return protocol.Wiped(t.seq, e.at, e.index if e.index >= 0 else len(t.pad.entries))


_REDACT: dict[type, Callable[[Table, Any], protocol.Happened]] = {
    events.Moved: _redact_moved,
    events.Started: _redact_started,
    events.PadEntered: _redact_entered,
    events.Seated: lambda t, e: protocol.Seated(t.seq, e.at, e.seat, e.name),
    events.BotSeated: lambda t, e: protocol.BotSeated(t.seq, e.at, e.seat, e.name, e.level),
    events.Left: lambda t, e: protocol.Left(t.seq, e.at, e.seat, e.name or None, e.level or None),
    events.TookSeat: lambda t, e: protocol.TookSeat(t.seq, e.at, e.seat, e.left),
    events.Arranged: lambda t, e: protocol.Arranged(t.seq, e.at),
    events.Contributed: lambda t, e: protocol.Contributed(t.seq, e.at, e.seat),
    events.Undone: lambda t, e: protocol.Undone(t.seq, e.at, e.seat, e.ply),
    events.Said: lambda t, e: protocol.Said(t.seq, e.at, e.text, e.name, e.seat if e.seat >= 0 else None),
    events.Reacted: lambda t, e: protocol.Reacted(t.seq, e.at, e.mark, e.name, e.seat if e.seat >= 0 else None),
    events.StoodIn: lambda t, e: protocol.StoodIn(t.seq, e.at, e.seat, e.level),
    events.Returned: lambda t, e: protocol.Returned(t.seq, e.at, e.seat),
    events.Rematched: lambda t, e: protocol.Rematched(t.seq, e.at, t.match_no, t.commitment),
    events.PadBack: _redact_back,
    events.PadMoved: lambda t, e: protocol.Reordered(t.seq, e.at, e.index, e.to),
    events.PadRenamed: lambda t, e: protocol.Renamed(t.seq, e.at, list(e.names)),
}
