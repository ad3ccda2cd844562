"""The view: what one seat, or a spectator, is shown. Built from nothing, out of a record that was concealed first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ludotheque.core import shape
from ludotheque.core.jit import plain
from ludotheque.core.record import NOBODY
from ludotheque.core.shape import MOST_NUMBERS, More, Shape, numbers_in
from ludotheque.core.snapshot import reader

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.core.match import Match


FEW = 64
"""How many numbers a field of an event may take."""


def build_view(match: Match, seat: int | None, lang: str) -> dict[str, Any]:
    """The view of a match, ready for JSON. Texts in it (labels of moves, sentences of events) are in `lang`."""
    game = match.game
    viewer = NOBODY if seat is None else seat
    s = reader(game).read(match.concealed(seat))
    steps = match.events(seat)
    scores, places = match.scores, match.places
    return {
        "game": game.id,
        "rules_version": game.info.rules_version,
        "options": match.options.to_json(),
        "players": list(match.names),
        "seat": seat,
        "ply": len(match.moves),
        "round": s.round_no,
        "actor": s.actor if s.actor != NOBODY else None,
        "over": bool(s.over),
        "scores": scores,
        "places": places,
        "rounds": match.rounds(seat),
        "table": {**common(game, s), **own(game, s, viewer)},
        "legal": [] if seat is None else legal_with_labels(match, seat, lang),
        "events": [{**event, "text": match.sentence(event, lang)} for event in steps[-1]],
    }


def common(game: Game, s: Any) -> dict[str, Any]:
    """What the table shows everybody, from a concealed record."""
    return _read(game.views.COMMON, game.views.common, s)


def own(game: Game, s: Any, viewer: int) -> dict[str, Any]:
    """What else the table shows a seat, from its own concealed record."""
    return _read(game.views.OWN, game.views.own, s, viewer)


def read_more(told: More, more: Callable[..., None], s: Any, viewer: int, kind: int) -> dict[str, Any]:
    """What an event tells more than its numbers: fields that a game's `more` puts down, one at a time; or nothing."""
    put_down = plain(more)
    out = [0] * FEW
    found = {}
    for place, (name, one) in enumerate(told.shown):
        out[0] = 1  # as `shape.clear` does
        put_down(s, viewer, kind, place, out)
        if out[0] > FEW:
            raise OverflowError(f"{name} takes more than {FEW - 1} numbers")
        found[name] = one.read(iter(out[1 : out[0]])) if out[0] > 1 else ""
    return found


def _read(shown: Shape, put_down: Callable[..., None], *given: Any) -> dict[str, Any]:
    """What a game puts down, read as its shape says."""
    out = np.zeros(MOST_NUMBERS, np.int64)
    plain(shape.clear)(out)
    plain(put_down)(*given, out)
    return cast(dict[str, Any], shown.read(numbers_in(out)))


def label(game: Game, action: int, lang: str) -> str:
    """What a button for a move says."""
    key, params = game.views.label(action)
    return game.catalogue(lang).say(f"moves.{key}", params)


def legal_with_labels(match: Match, seat: int, lang: str) -> list[dict[str, Any]]:
    """The legal moves of a seat: id, notation and what a button would say."""
    game = match.game
    return [
        {"id": action, "move": game.moves.texts[action], "label": label(game, action, lang)}
        for action in match.legal_ids(seat)
    ]
