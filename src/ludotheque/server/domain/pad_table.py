"""Score pads as tables: what is asked of them, and what has happened on them. Scoring is the game's, by its pad."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ludotheque.core.errors import IllegalMove, InvalidOptions, LudothequeError, MatchOver
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry
from ludotheque.server.domain import events, protocol
from ludotheque.server.domain.commands import Who
from ludotheque.server.domain.events import Event, Stamp
from ludotheque.server.domain.names import clean_name, skeleton
from ludotheque.server.domain.refusals import Doubt, Refusal

if TYPE_CHECKING:
    from ludotheque.server.domain.table import Table

T = TypeVar("T")


def written_pad(table: Table, who: Who) -> Pad:
    """The pad, for somebody who may write on it."""
    if table.pad is None:
        raise Refusal("is_no_pad")
    if not who.can_write:
        raise Refusal("not_allowed")
    return table.pad


def check(table: Table, command: protocol.Check, who: Who, lang: str) -> protocol.Checked:
    """What can be said of an entry while it is being written."""
    pad = written_pad(table, who)

    def problems(errors: list[InvalidEntry]) -> list[protocol.PadProblem]:
        return [
            protocol.PadProblem(pad.refusal_text(error, lang), error.field, error.seats, error.rule or None)
            for error in errors
        ]

    found = _tried(lambda: (pad if command.index is None else pad.at(command.index)).check(command.entry))
    return protocol.Checked(command.id, table.seq, found.values, problems(found.errors), problems(found.missing))


def decide_enter(table: Table, command: protocol.Enter, who: Who, stamp: Stamp) -> Event:
    pad = _fresh_pad(table, command, who)
    index = -1 if command.index is None else command.index
    _tried(lambda: _entered(pad, command.entry, index, command.insert))
    before = pad if index < 0 else pad.at(index)
    for question in before.check(command.entry).questions:
        if question.key not in command.confirmed:
            raise Doubt(question)
    return events.PadEntered(command.entry, index, command.insert, **stamp)


def decide_wipe(table: Table, command: protocol.Wipe, who: Who, stamp: Stamp) -> Event:
    pad = _fresh_pad(table, command, who)
    if not pad.entries:
        raise Refusal("nothing_to_undo")
    if command.index is None:
        return events.PadBack(**stamp)
    index = command.index
    _tried(lambda: pad.remove(index))
    return events.PadBack(index, **stamp)


def decide_reorder(table: Table, command: protocol.Reorder, who: Who, stamp: Stamp) -> Event:
    pad = _fresh_pad(table, command, who)
    _tried(lambda: pad.move(command.index, command.to))
    return events.PadMoved(command.index, command.to, **stamp)


def decide_rename(table: Table, command: protocol.Rename, who: Who, stamp: Stamp) -> Event:
    pad = _fresh_pad(table, command, who)
    try:
        names = [clean_name(name) for name in command.names]
    except InvalidOptions as error:
        raise Refusal("bad_name", cause=error) from None
    for number, name in enumerate(names):
        if skeleton(name) in map(skeleton, names[:number]):
            raise Refusal("name_taken", {"name": name})
    try:
        pad.rename(names)
    except InvalidOptions as error:
        raise Refusal("bad_options", {}, error) from None
    return events.PadRenamed(tuple(names), **stamp)


def _fresh_pad(
    table: Table, command: protocol.Enter | protocol.Wipe | protocol.Reorder | protocol.Rename, who: Who
) -> Pad:
    pad = written_pad(table, who)
    table.check_fresh(command.seq)
    return pad


def _tried(change: Callable[[], T]) -> T:
    """What the pad makes of it, or a refusal in its words."""
    try:
        return change()
    except IllegalMove as error:
        raise Refusal("illegal", cause=error) from None
    except MatchOver as error:
        raise Refusal("match_over", cause=error) from None
    except LudothequeError as error:
        raise Refusal("no_such_entry", cause=error) from None


def _entered(pad: Pad, entry: dict[str, Any], index: int, insert: bool) -> Pad:
    if index < 0:
        return pad.enter(entry)
    return pad.insert(index, entry) if insert else pad.correct(index, entry)


def after(pad: Pad, event: Event) -> Pad:
    """The pad after something that was stored."""
    match event:
        case events.PadEntered():
            return _entered(pad, event.entry, event.index, event.insert)
        case events.PadBack():
            return pad.back() if event.index < 0 else pad.remove(event.index)
        case events.PadMoved():
            return pad.move(event.index, event.to)
        case events.PadRenamed():
            return pad.rename(event.names)
    raise AssertionError(event)


HANDLERS: dict[type, Callable[[Table, Any, Who, Stamp], Event]] = {
    protocol.Enter: decide_enter,
    protocol.Wipe: decide_wipe,
    protocol.Reorder: decide_reorder,
    protocol.Rename: decide_rename,
}

EVENTS = {events.PadEntered, events.PadBack, events.PadMoved, events.PadRenamed}
"""Events after which a pad looks different."""
