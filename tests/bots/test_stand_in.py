"""Bots before they are compiled: none keeps people waiting, and those that need no search choose the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ludotheque
from ludotheque.bots import searches, stand_in
from ludotheque.bots.bot import Bot
from ludotheque.bots.ladder import PLAYABLE, RANDOM, levels, make_player
from ludotheque.core import background, registry, warm
from ludotheque.core.game import Game
from ludotheque.core.ladder import LEVELS, RULES

GAMES = ludotheque.game_ids()


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Game]:
    """Games of one's own that are not compiled until `warm.KNOWN` says so; nothing is compiled in the background."""
    monkeypatch.setattr(warm, "KNOWN", set())
    monkeypatch.setattr(warm, "is_warm", lambda *step: step in warm.KNOWN)
    monkeypatch.setattr(background, "want", lambda *_: None)
    return lambda game_id: Game(registry.package(game_id))


def play(game: Game, make: Callable[[str], Bot], moves: int) -> list[str]:
    """What bots of every level without a search choose, and do unasked."""
    match = game.new(3, seed=9)
    rules = [name for name in PLAYABLE if name == RANDOM or levels(game)[name].way == RULES]
    chosen: list[str] = []
    while not match.over and len(chosen) < moves:
        for seat in match.movers():
            unasked = make("club").unasked(match, seat)
            chosen.append(unasked or "")
        move = make(rules[len(chosen) % len(rules)]).choose(match)
        chosen.append(move)
        match.play(move)
    return chosen


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", GAMES)
def test_bots_without_a_search_choose_the_same_interpreted(game_id: str, cold: Callable[[str], Game]) -> None:
    game = cold(game_id)
    interpreted = play(game, lambda name: make_player(game, name, 4), 40)
    assert play(game, lambda name: stand_in.player(game, name, 4), 40) == interpreted
    warm.KNOWN |= {(game_id, warm.PLAY), (game_id, searches.THINK)}
    compiled = cold(game_id)
    assert play(compiled, lambda name: make_player(compiled, name, 4), 40) == interpreted


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", GAMES)
def test_every_level_has_a_stand_in_that_does_not_search(game_id: str, cold: Callable[[str], Game]) -> None:
    game = cold(game_id)
    match = game.new(3, seed=1)
    for level in LEVELS:
        bot = stand_in.player(game, level, 1)
        assert bot.name == level
        thought = bot.think(match)
        assert thought.move in match.legal()
        assert thought.iterations == 0 and not thought.candidates


@pytest.mark.compiled_only
def test_the_bot_itself_plays_once_it_is_compiled(cold: Callable[[str], Game]) -> None:
    game = cold("skipbo")
    assert isinstance(stand_in.player(game, "expert"), stand_in.StandIn)
    warm.KNOWN.add(("skipbo", searches.THINK))
    assert type(stand_in.player(game, "expert")) is Bot


@pytest.mark.compiled_only
def test_a_search_waits_for_the_compiler(cold: Callable[[str], Game], monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for the expert's own choice gets it, however long compiling takes; the budget is for the search."""
    game = cold("lobo77")
    waited: list[tuple[str, str]] = []

    def ensure(*step: str) -> None:
        waited.append((step[0], step[1]))
        raise InterruptedError

    monkeypatch.setattr(warm, "ensure", ensure)
    match = game.new(3, seed=1)
    for level, budget in (("expert", "20ms"), ("strong", None)):
        with pytest.raises(InterruptedError):
            make_player(game, level).choose(match, budget=budget)
    with pytest.raises(InterruptedError):
        make_player(game, "club").think(match)
    assert waited == [("lobo77", searches.THINK)] * 3


def test_an_interpreted_process_has_stand_ins_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_in, "COMPILED", False)
    assert not stand_in.can_search(ludotheque.game("lobo77"))
