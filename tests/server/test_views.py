"""The room's fast views are the engine's views, to the byte."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import msgspec
import numpy as np
import pytest

import ludotheque
from ludotheque.core import painter, portray, warm
from ludotheque.core.match import Match
from ludotheque.core.painter import SHOW, Painter, bit
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import Grid, reader
from ludotheque.core.view import common
from ludotheque.games.double_lucky_7 import rules
from ludotheque.server import views
from ludotheque.server.views import Phrases, Shown, Stage, history

LANGS = ("en", "fr")


def plain(value: object) -> object:
    return json.loads(msgspec.json.encode(value))


def everybody(match: Match) -> int:
    """A spectator and all seats, as a set of viewers."""
    return (1 << match.num_seats + 1) - 1


def bytes_of(shown: Shown) -> tuple[bytes, bytes]:
    return bytes(shown[0]), bytes(shown[1])


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


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_fast_views_are_the_views_of_the_engine(game_id: str) -> None:
    for match, chance in some_matches(game_id, 2):
        seats = (None, *range(match.num_seats))
        told: dict[tuple[int | None, str], list[object]] = {(seat, lang): [] for seat in seats for lang in LANGS}
        stage = Stage(match)
        for _ in play_some(match, chance, 60):
            for lang in LANGS:
                for seat, shown in zip(seats, stage.show(everybody(match), lang), strict=True):
                    view, seen = map(plain, shown)
                    told[seat, lang].append(seen)
                    whole = match.view(seat, lang)
                    assert seen == plain(whole["events"])
                    assert isinstance(view, dict)
                    assert view == {key: plain(whole[key]) for key in view}
        for lang in LANGS:
            assert plain(Stage(match).show(everybody(match), lang)) == plain(stage.show(everybody(match), lang))
        for (seat, lang), steps in told.items():
            assert plain(history(match, seat, lang)[1:]) == steps


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_compiled_views_are_those_of_python_to_the_byte(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warm.ensure(game_id, SHOW)
    for match, chance in some_matches(game_id, 12):
        written, drawn = Stage(match), Stage(match)
        for _ in chain([None], play_some(match, chance, 150)):
            viewers = everybody(match)
            if chance.random() < 0.5:  # some are not there, and a move now and then nobody sees
                viewers = chance.randrange(1 << match.num_seats + 1)
            if viewers:
                compiled = written.show(viewers, "fr")
                with monkeypatch.context() as patch:
                    patch.setattr(Phrases, "painter", lambda self: None)
                    assert list(map(bytes_of, compiled)) == list(map(bytes_of, drawn.show(viewers, "fr")))


@pytest.mark.compiled_only
def test_a_view_of_any_length_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painter, "ROOM", 10)
    match = ludotheque.game("loba").new(5, seed="long")
    labels = [str(action) for action in range(match.game.info.num_actions)]
    small = Painter(match.game, labels)
    monkeypatch.undo()
    large = Painter(match.game, labels)
    assert match.paint(small, everybody(match)) == match.paint(large, everybody(match))
    painted = match.paint(small, bit(0))
    assert msgspec.json.decode(painted.head + b"1,2" + painted.portraits[0].rest)["rounds"] == [1, 2]


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_what_was_compiled_ahead_is_what_runs(game_id: str) -> None:
    """Other types of arguments than those it was compiled for would be compiled anew, while everybody waits."""
    warm.ensure(game_id, SHOW)
    for match, chance in some_matches(game_id, 1):
        stage = Stage(match)
        for _ in chain([None], play_some(match, chance, 100)):
            stage.show(everybody(match), "en")
            actions = range(-1, match.game.info.num_actions + 1)
            assert [action for action in actions if match.allows(action, 0)] == sorted(match.legal_ids(0))
        kernels = match.game.kernels
        entries = [portray.kernels(match.game).portray, kernels.allows, kernels.play, kernels.moves, kernels.hide]
        assert [len(one.signatures) for one in entries] == [1] * len(entries)


@pytest.mark.compiled_only
def test_sentences_are_learnt_again_whenever_they_were_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said before views were compiled, too: else it would be said the slow way for good."""
    warm.ensure("double_lucky_7", SHOW)
    monkeypatch.setattr(views, "MOST_SENTENCES", 2)
    said = Phrases(ludotheque.game("double_lucky_7"), "en")
    names = {b"0": b"Ann"}
    events = [(rules.PLAY, 0, card, 0, 0) for card in range(3)]
    sentences = [said.event(event, names) for event in events]
    ready = said.painter()
    assert ready is not None
    for _ in range(3):
        for event, sentence in zip(events, sentences, strict=True):
            assert said.event(event, names) == sentence
            lexicon = ready._lexicon
            first, end = lexicon.places[portray.find_event(lexicon.keys, lexicon.places, *event)]
            marked = lexicon.words[first:end].tobytes()
            assert marked.replace(bytes([portray.FIRST_MARK]), b"Ann") == sentence


@pytest.mark.compiled_only
def test_more_jobs_than_there_is_space_for_are_refused() -> None:
    match = ludotheque.game("double_lucky_7").new(2, seed=1)
    one = [match.address, 0, 0, portray.NO_MOVE, bit(0), *[0] * (portray.JOB - portray.NAMES)]
    worker = Painter(match.game, [""] * match.game.info.num_actions)
    assert len(worker.do(one * painter.MOST_JOBS)) == painter.MOST_JOBS
    with pytest.raises(ValueError, match="65 jobs at once; at most 64"):
        worker.do(one * (painter.MOST_JOBS + 1))


@pytest.mark.compiled_only
def test_threads_that_share_a_painter_get_their_own_views() -> None:
    game = ludotheque.game("double_lucky_7")
    painter = Painter(game, [""] * game.info.num_actions)
    matches = [game.new(4, seed=number) for number in range(8)]
    wanted = [match.paint(painter, everybody(match)) for match in matches]

    def look(number: int) -> bool:
        return all(matches[number].paint(painter, everybody(matches[number])) == wanted[number] for _ in range(300))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(look, range(8)))


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_what_all_see_alike_is_the_same_for_every_seat(game_id: str) -> None:
    """It is made from a spectator's record: whatever differs belongs to `own`."""
    for match, chance in some_matches(game_id, 4):
        read = reader(match.game).read
        for _ in chain([None], play_some(match, chance, 300)):
            shown = common(match.game, read(match.concealed(None)))
            for seat in range(match.num_seats):
                assert common(match.game, read(match.concealed(seat))) == shown


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
                        assert told == views.event(None, NOBODY, *numbers)
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
        for seat, shown in enumerate(stage.show(everybody(match) & ~bit(NOBODY), "en")):
            assert plain(shown[1]) == plain(match.view(seat)["events"])


def test_a_match_is_shown_with_the_names_of_its_own_players() -> None:
    """Whatever was shown at the table before."""
    game = ludotheque.game("double_lucky_7")
    first, same, other = (game.new(names, seed="names") for names in (["Ann", "Bob"], ["Ann", "Bob"], ["Ann", "Cy"]))
    before = Stage(first)
    for match in (same, other):
        stage = Stage(match, before=before)
        assert stage._packed == Stage(match)._packed  # the names as compiled code finds them
        for _ in range(4):
            match.play(match.legal_ids()[0])
            for seat, shown in enumerate(stage.show(everybody(match) & ~bit(NOBODY), "en")):
                assert plain(shown[1]) == plain(match.view(seat)["events"])
