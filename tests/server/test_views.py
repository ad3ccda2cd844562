"""The room's fast views are the engine's views, to the byte."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import chain

import msgspec
import numpy as np
import pytest

import ludotheque
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import Grid, reader
from ludotheque.server.views import Stage, history

LANGS = ("en", "fr")


def plain(value: object) -> object:
    return json.loads(msgspec.json.encode(value))


def some_matches(game_id: str, count: int) -> Iterator[tuple[Match, random.Random]]:
    game = ludotheque.game(game_id)
    chance = random.Random(game_id)
    for number in range(count):
        seats = chance.randint(game.info.min_seats, game.info.max_seats)
        yield game.new(seats, seed=f"views {number}"), chance


def play_some(match: Match, chance: random.Random, count: int) -> Iterator[None]:
    for _ in range(count):
        if match.over:
            return
        seat = chance.choice(match.movers())
        match.play(chance.choice(match.legal_ids(seat)), seat)
        yield


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_fast_views_are_the_views_of_the_engine(game_id: str) -> None:
    for match, chance in some_matches(game_id, 2):
        viewers = [(seat, lang) for seat in (None, *range(match.num_seats)) for lang in LANGS]
        told: dict[tuple[int | None, str], list[object]] = {viewer: [] for viewer in viewers}
        stage = Stage(match)
        for _ in play_some(match, chance, 60):
            scene = stage.after_move()
            for seat, lang in viewers:
                view, seen = map(plain, scene.show(seat, lang))
                told[seat, lang].append(seen)
                whole = match.view(seat, lang)
                assert seen == plain(whole["events"])
                assert isinstance(view, dict)
                assert view == {key: plain(whole[key]) for key in view}
        for (seat, lang), steps in told.items():
            assert plain(history(match, seat, lang)[1:]) == steps
            assert plain(Stage(match).now().show(seat, lang)) == plain(stage.now().show(seat, lang))


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_what_all_see_alike_is_the_same_for_every_seat(game_id: str) -> None:
    """It is made from a spectator's record: whatever differs belongs to `own`."""
    views = ludotheque.game(game_id).views
    for match, chance in some_matches(game_id, 4):
        read = reader(match.game).read
        for _ in chain([None], play_some(match, chance, 300)):
            shown = views.common(read(match.concealed(None)))
            for seat in range(match.num_seats):
                assert views.common(read(match.concealed(seat))) == shown


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_events_are_told_by_their_numbers(game_id: str) -> None:
    """All but a few kinds: for those nothing is asked of the record, nor who looks, and so they can be kept."""
    views = ludotheque.game(game_id).views
    kept: set[int] = set()
    for match, chance in some_matches(game_id, 4):
        for _ in chain([None], play_some(match, chance, 300)):
            for viewer in (NOBODY, *range(match.num_seats)):
                look = match.concealed(None if viewer == NOBODY else viewer)
                s = reader(match.game).read(look)
                for numbers in reader(match.game).journal(look):
                    if numbers[0] not in views.NOT_BY_NUMBERS:
                        kept.add(numbers[0])
                        told = views.event(s, viewer, *numbers)
                        assert told == views.event(object(), NOBODY, *numbers)
                        assert views.localise(told, match.game.catalogue("fr"), match.options) is told
    assert len(kept) >= 3


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_snapshot_reads_what_the_record_holds(game_id: str) -> None:
    for match, chance in some_matches(game_id, 1):
        for _ in play_some(match, chance, 10):
            buf = match.concealed(0)
            read, whole = reader(match.game).read(buf), match.game.read(buf)
            for name in read._fields:
                value = getattr(read, name)
                assert np.array_equal(list(value) if isinstance(value, Grid) else value, getattr(whole, name))
            kinds, seats, args = whole.event_kind, whole.event_seat, whole.event_args
            journal = [(kinds[i], seats[i], *args[i]) for i in range(whole.num_events)]
            assert reader(match.game).journal(buf) == journal
            with pytest.raises(AttributeError):
                _ = read.key


def test_names_are_told_as_they_are() -> None:
    names = ["%(1)b 100%", "\\u0010\\u0011", 'a"b\\']
    match = ludotheque.game("double_lucky_7").new(names, seed="names")
    stage = Stage(match)
    for _ in range(30):
        match.play(match.legal_ids()[0])
        scene = stage.after_move()
        for seat in range(3):
            assert plain(scene.show(seat, "en")[1]) == plain(match.view(seat)["events"])
