"""The room's fast views are the engine's views, to the byte."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

import ludotheque
from ludotheque.core.match import Match
from ludotheque.server.views import Eye, Said, history

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
        told: dict[tuple[int | None, str], list[object]] = {key: [] for key in eyes}
        for _ in range(60):
            if match.over:
                break
            seat = chance.choice(match.movers())
            match.play(chance.choice(match.legal_ids(seat)), seat)
            result = match.scores, match.places
            said: dict[str, Said] = {lang: {} for lang in LANGS}
            for (viewer, lang), eye in eyes.items():
                seen, view = eye.after_move(match, result, said[lang])
                told[viewer, lang].append(seen)
                whole = match.view(viewer, lang)
                assert plain(seen) == plain(whole["events"])
                assert plain(view) == {key: plain(whole[key]) for key in view}
        for (viewer, lang), steps in told.items():
            assert plain(history(match, viewer, lang)[1:]) == plain(steps)
            again = Eye(match, viewer, lang).view(match, (match.scores, match.places))
            assert plain(again["rounds"]) == plain(match.rounds(viewer))


def test_names_are_told_as_they_are() -> None:
    names = ["%(1)b 100%", "\\u0010\\u0011", 'a"b\\']
    match = ludotheque.game("double_lucky_7").new(names, seed="names")
    for _ in range(30):
        eyes = [Eye(match, seat, "en") for seat in range(3)]
        match.play(match.legal_ids()[0])
        said: Said = {}
        for seat, eye in enumerate(eyes):
            seen, _ = eye.after_move(match, match.result(), said)
            assert plain(seen) == plain(match.view(seat)["events"])
