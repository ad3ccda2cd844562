"""The games that are measured: all of ours, with the number of players that each is measured with."""

from __future__ import annotations

from ludotheque.core import registry

_COMPARED = {"lobo77": 4, "loba": 3, "skipbo": 2, "volle_lotte": 2, "double_lucky_7": 4}
"""As many as play the peer that a game is compared with; others are measured with as few as can play."""

_GAMES = [registry.load(game_id) for game_id in registry.shipped()]

SEATS = {game.id: _COMPARED.get(game.id, game.info.min_seats) for game in _GAMES}
ALL_GAMES = tuple(SEATS)
PAIR_GAMES = tuple(game.id for game in _GAMES if game.info.min_seats <= 2)
"""The games that two people can play."""
