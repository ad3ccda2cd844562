"""The view: what one seat, or a spectator, is shown. Built from nothing, out of a record that was concealed first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludotheque.core.jit import plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.snapshot import reader
from ludotheque.core.views import Fields

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.core.match import Match


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
        "table": show_table(game, s, viewer),
        "legal": [] if seat is None else legal_with_labels(match, seat, lang),
        "events": [{**event, "text": match.sentence(event, lang)} for event in steps[-1]],
    }


def show_table(game: Game, s: State, viewer: int) -> dict[str, Any]:
    """What the table shows a seat (`NOBODY`: a spectator), from its concealed record."""
    declared: Fields = game.views.VIEW
    cells = declared.new()
    plain(game.views.view)(s, viewer, Record(cells, declared.dtype))
    return declared.show(cells)


def legal_with_labels(match: Match, seat: int, lang: str) -> list[dict[str, Any]]:
    """The legal moves of a seat: id, notation and what a button would say."""
    return [{"id": move.id, "move": move, "label": move.label(lang)} for move in match.legal(seat)]
