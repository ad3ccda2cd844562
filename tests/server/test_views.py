"""The room's fast views are the engine's views, to the byte."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

import ludotheque
from ludotheque.core.match import Match
from ludotheque.server.views import Eye, Seen, history

LANGS = ("en", "fr")


def plain(value: object) -> object:
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_fast_views_are_the_views_of_the_engine(game_id: str) -> None:
    game = ludotheque.game(game_id)
    chance = random.Random(game_id)
    for number in range(2):
        match: Match = game.new(chance.randint(game.info.min_seats, game.info.max_seats), seed=f"views {number}")
        seats = [None, *range(match.num_seats)]
        eyes = {(seat, lang): Eye(match, seat, lang) for seat in seats for lang in LANGS}
        told: dict[tuple[int | None, str], list[Seen]] = {key: [] for key in eyes}
        for _ in range(60):
            if match.over:
                break
            seat = chance.choice(match.movers())
            match.play(chance.choice(match.legal_ids(seat)), seat)
            result = match.scores, match.places
            said: dict[str, Seen] = {lang: [] for lang in LANGS}
            for (viewer, lang), eye in eyes.items():
                seen, view = eye.after_move(match, result, said[lang])
                said[lang] = seen
                told[viewer, lang].append(seen)
                whole = match.view(viewer, lang)
                assert plain(seen) == plain(whole["events"])
                assert plain(view) == {key: plain(whole[key]) for key in view}
        for (viewer, lang), steps in told.items():
            assert plain(history(match, viewer, lang)[1:]) == plain(steps)
            again = Eye(match, viewer, lang).view(match, (match.scores, match.places))
            assert plain(again["rounds"]) == plain(match.rounds(viewer))
