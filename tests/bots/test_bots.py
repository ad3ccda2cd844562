"""All bots of all games: legal moves only, the same choice again, interruptible, several at once, clear refusals."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidMove, InvalidOptions, LudothequeError, UnknownGame
from ludotheque.bots import searches as templates
from ludotheque.bots.bot import Bot
from ludotheque.bots.ladder import PLAYABLE, extras, levels, make_contestant, make_player
from ludotheque.core.chance import key_from_seed
from ludotheque.core.ladder import EXACT, LEVELS, TREE, Level
from ludotheque.core.match import Match
from ludotheque.testing import corners

GAMES = ludotheque.game_ids()
pytestmark = pytest.mark.compiled_only


def players_of(game_id: str) -> int:
    return ludotheque.game(game_id).info.min_seats


def play_on(match: Match, bots: list[Bot], budget: str, most: int) -> int:
    """Let bots play; `Match.play` refuses what is not legal. Returns the decisions made."""
    made = 0
    while not match.over and made < most:
        seat = match.actor
        for other in match.movers():
            if other != match.actor:
                unasked = bots[other].unasked(match, other)
                if unasked is not None:
                    match.play(unasked, other)
                    break
                match_move = bots[other].choose(match, other, budget)
                assert match_move in match.legal(other)
        else:
            match.play(bots[seat].choose(match, seat, budget), seat)
        made += 1
    return made


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_the_five_levels(game_id: str) -> None:
    game = ludotheque.game(game_id)
    assert tuple(levels(game)) == LEVELS
    for level in LEVELS:
        bot = ludotheque.bot(game_id, level, seed=1)
        match = game.new(seed=3)
        assert bot.choose(match, budget="64it") in match.legal()


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_policies_play_by_the_rules_at_every_corner(game_id: str) -> None:
    """A quarter of a million moves a game, each looked at: the policies that all search rests on."""
    game = ludotheque.game(game_id)
    kernels = templates.kernels(game)
    found = corners(game)
    for n, corner in enumerate(found):
        buf = np.zeros(game.info.state.itemsize, np.uint8)
        codes = game.options(corner.players, corner.options).codes
        moves = 250_000 // len(found)
        verdict = kernels.vet(buf, moves, n, key_from_seed(n), corner.players, codes, np.zeros(8))
        assert verdict == 0, f"{corner}: {verdict}"


FEWER = {**{("loba", level): 12_000 for level in PLAYABLE}, ("skipbo", "expert"): 15_000}
"""How many decisions where each takes long."""


@pytest.mark.slow
@pytest.mark.parametrize("level", PLAYABLE)
@pytest.mark.parametrize("game_id", GAMES)
def test_no_level_ever_plays_an_illegal_move(game_id: str, level: str) -> None:
    """At every option corner with every number of seats, without any time to think, and now and then with a little.

    A million decisions over all games and levels; fewer where each takes long.
    """
    game = ludotheque.game(game_id)
    found = corners(game)
    rng = random.Random(level)
    left = 3_000 if levels(game).get(level, Level()).way == EXACT else FEWER.get((game_id, level), 45_000)
    n = 0
    while left > 0:
        corner = found[n % len(found)]
        match = game.new(corner.players, seed=f"{level} {n}", **corner.options)
        for _ in range(rng.randrange(60)):  # get into the middle of it, by anybody's moves
            seat = rng.choice(match.movers())
            match.play(rng.choice(match.legal(seat)), seat)
            if match.over:
                break
        bots = [make_player(game, level, f"{n} {seat}") for seat in range(corner.players)]
        left -= play_on(match, bots, "0it" if n % 16 else "32it", 400 if n % 16 else 20)
        n += 1


@pytest.mark.slow
@pytest.mark.parametrize("level", ["beginner", "club", "expert"])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_same_seed_and_iterations_choose_alike(game_id: str, level: str) -> None:
    game = ludotheque.game(game_id)
    match = game.new(seed=11)
    for ply in range(30):
        if match.over:
            break
        first = make_player(game, level, 9).think(match, match.actor, "200it")
        again = make_player(game, level, 9).think(match.concealed(match.actor), match.actor, "200it")
        assert (first.move, first.candidates, first.iterations) == (again.move, again.candidates, again.iterations)
        match.play(first.move if ply % 2 else match.legal()[0])


@pytest.mark.parametrize("game_id", GAMES)
def test_reasons_name_the_chosen_move_first(game_id: str) -> None:
    match = ludotheque.game(game_id).new(seed=2)
    while len(match.legal_ids()) < 2:
        match.play(match.legal()[0])
    for level in LEVELS:
        thought = ludotheque.bot(game_id, level, seed=1).think(match, budget="400it")
        assert thought.candidates[0].move == thought.move
        legal = match.legal()
        for candidate in thought.candidates:
            assert candidate.move in legal
            assert 0 <= candidate.win <= 1 and 0 <= candidate.share <= 1


@pytest.mark.parametrize("game_id", GAMES)
def test_without_time_there_is_a_move_but_no_reasons_of_a_search(game_id: str) -> None:
    match = ludotheque.game(game_id).new(seed=2)
    for budget in ("0it", "0ms", 0):
        thought = ludotheque.bot(game_id, "expert", seed=1).think(match, budget=budget)
        assert thought.move in match.legal()
        assert thought.iterations == 0


def searching(game_id: str) -> bool:
    return levels(ludotheque.game(game_id))["expert"].way in ("flat", "tree")


def undecided(game_id: str) -> Match:
    """A moment with several moves that differ little, so that a search goes on for as long as it may."""
    match = ludotheque.game(game_id).new(seed=4)
    while len(match.legal_ids()) < 3:
        match.play(match.legal()[0])
    return match


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if searching(game_id)])
def test_thinking_stops_when_told(game_id: str) -> None:
    match = undecided(game_id)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    thought = ludotheque.bot(game_id, "expert", seed=1).think(match, budget="3600s", stop=stop)
    assert thought.move in match.legal()
    assert asked <= 4


@pytest.mark.parametrize("game_id", GAMES)
def test_several_think_side_by_side(game_id: str) -> None:
    """One bot on four threads gives what it gives alone."""
    match = undecided(game_id)
    bot = ludotheque.bot(game_id, "expert", seed=1)
    alone = bot.think(match, budget="2000it")
    with ThreadPoolExecutor(4) as pool:
        thoughts = list(pool.map(lambda _: bot.think(match, budget="2000it"), range(8)))
    assert all(thought.candidates == alone.candidates for thought in thoughts)


def test_other_code_runs_while_a_bot_thinks() -> None:
    match = undecided("double_lucky_7")
    bot = Bot(match.game, "tree", Level(TREE), 1)  # it uses all its time
    done = threading.Event()
    ticks = 0

    def think() -> None:
        bot.choose(match, budget="300ms")
        done.set()

    thread = threading.Thread(target=think)
    thread.start()
    while not done.is_set():
        time.sleep(0.002)
        ticks += 1
    thread.join()
    assert ticks >= 3


def test_weak_levels_choose_softly_and_never_without_bounds() -> None:
    """Several of the sensible moves, none far behind."""
    for game_id in GAMES:
        ladder = getattr(templates.hooks(ludotheque.game(game_id)), "LADDER", None)
        if ladder is not None:
            assert ladder["beginner"].temperature > 0
            assert ladder["beginner"].cap < float("inf")
            assert ladder["club"].temperature <= ladder["beginner"].temperature


def test_the_cheater_sits_at_no_table() -> None:
    assert "cheater" not in PLAYABLE
    with pytest.raises(InvalidOptions):
        ludotheque.bot("loba", "cheater")
    game = ludotheque.game("double_lucky_7")
    match = game.new(4, seed=5)
    cheater = make_contestant(game, "cheater", 1)
    assert cheater.choose(match, budget="100it") in match.legal()
    with pytest.raises(InvalidMove):
        cheater.choose(match.concealed(0), 0)


def test_extras_are_contestants() -> None:
    for game_id in GAMES:
        game = ludotheque.game(game_id)
        for name in extras(game):
            match = game.new(seed=1)
            assert make_contestant(game, name, 1).choose(match) in match.legal()


def refuse_level() -> None:
    ludotheque.bot("loba", "grandmaster")


def refuse_game() -> None:
    ludotheque.bot("chess", "club")


def refuse_budget() -> None:
    ludotheque.bot("loba", "club").choose(ludotheque.game("loba").new(seed=1), budget="soon")


def refuse_seat_without_move() -> None:
    match = ludotheque.game("double_lucky_7").new(4, seed=1)
    ludotheque.bot("double_lucky_7", "expert").choose(match, (match.actor + 1) % 4)


def refuse_seat_that_is_not_there() -> None:
    ludotheque.bot("double_lucky_7", "expert").choose(ludotheque.game("double_lucky_7").new(4, seed=1), 9)


def refuse_another_games_record() -> None:
    match = ludotheque.game("double_lucky_7").new(4, seed=1)
    ludotheque.bot("loba", "club").choose(match.concealed(0), 0)


def refuse_when_over() -> None:
    match = ludotheque.game("volle_lotte").new(2, seed=1, target=1000)
    while not match.over:
        match.play(match.legal()[0])
    ludotheque.bot("volle_lotte", "club").choose(match, 0)


@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        (refuse_level, InvalidOptions, "beginner, casual, club, strong, expert"),
        (refuse_game, UnknownGame, "chess"),
        (refuse_budget, InvalidOptions, "50ms"),
        (refuse_seat_without_move, LudothequeError, "no move"),
        (refuse_seat_that_is_not_there, InvalidMove, "seat"),
        (refuse_another_games_record, InvalidMove, "bytes"),
        (refuse_when_over, LudothequeError, "no move"),
    ],
)
def test_refusals_say_what_is_wrong(what: Callable[[], None], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        what()
