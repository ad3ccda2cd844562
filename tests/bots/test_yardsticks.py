"""What strength is measured with: experts that stay as they were, a cheater that uses what it sees, and searches that
do not let chance choose.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import ludotheque
from ludotheque import lab
from ludotheque.bots.bot import FLOOR, Bot
from ludotheque.bots.ladder import extras, levels, make_contestant
from ludotheque.core.ladder import FLAT
from ludotheque.core.match import Match
from ludotheque.lab.duels import play_deal
from ludotheque.lab.shards import is_compiled, make_plan

GAMES = ludotheque.game_ids()
KNOWN = json.loads((Path(__file__).parent / "expert_1.json").read_text(encoding="utf-8"))
pytestmark = pytest.mark.compiled_only


def decisions(game_id: str, most: int) -> list[Match]:
    """Moments of a match played at random in which there is a choice."""
    rng, match = random.Random(game_id), ludotheque.game(game_id).new(seed=1)
    found: list[Match] = []
    while len(found) < most and not match.over:
        if len(match.legal_ids()) > 1:
            found.append(match.copy())
        for _ in range(5):
            if not match.over:
                match.play(rng.choice(match.legal()))
    return found


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_expert_plays_as_it_always_has(game_id: str) -> None:
    """Who makes an expert stronger keeps this one, so that both can be compared."""
    bot = make_contestant(ludotheque.game(game_id), "expert-1", 1)
    assert [str(bot.choose(match, budget="600it")) for match in decisions(game_id, 12)] == KNOWN[game_id]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_expert_goes_by_no_clock(game_id: str) -> None:
    level = extras(ludotheque.game(game_id))["expert-1"]
    assert level.way != FLAT or level.playouts > 0


@pytest.mark.parametrize("game_id", GAMES)
def test_too_few_playouts_decide_nothing(game_id: str) -> None:
    """A bot that got hardly any time plays the best rated move, as it does without any."""
    game = ludotheque.game(game_id)
    bot = Bot(game, "expert", levels(game)["expert"], 1)
    for match in decisions(game_id, 6):
        thought = bot.think(match, budget=f"{FLOOR - 1}it")
        assert thought.move == bot.choose(match, budget="0it")
        assert thought.candidates[0].move == thought.move


def test_of_moves_as_good_the_best_rated_is_played() -> None:
    """With 300 playouts chance used to take cards that help nobody."""
    game = ludotheque.game("loba")
    bot, planner = (make_contestant(game, name, 1) for name in ("expert", "planner"))
    useless = 0
    for seed in range(12):
        match = game.new(3, seed=seed)
        if planner.choose(match) == "stock":
            useless += bot.choose(match, budget="300it") == "take"
    assert useless == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "deals"), [("skipbo", 4), ("volle_lotte", 8), ("lobo77", 10), ("double_lucky_7", 5)]
)
def test_the_cheater_uses_what_it_sees(game_id: str, deals: int) -> None:
    game = ludotheque.game(game_id)
    rival = "expert" if levels(game)["expert"].way != FLAT else "strong"
    played = [play_deal(game, "cheater", rival, 2, seed, {}) for seed in range(deals)]
    assert sum(deal.wins for deal in played) > 0.6 * deals


@pytest.mark.slow
def test_the_cheater_uses_what_it_sees_among_three() -> None:
    played = [play_deal(ludotheque.game("loba"), "cheater", "planner", 3, seed, {}) for seed in range(2)]
    assert sum(deal.wins for deal in played) > 1.2


def test_equal_ratings_are_all_that_seeing_everything_changes_in_a_plan() -> None:
    """The planner of Skip-Bo rates the open record as it rates its own view."""
    game = ludotheque.game("skipbo")
    expert, cheater = (make_contestant(game, name, 1) for name in ("expert", "cheater"))
    for match in decisions("skipbo", 12):
        assert expert._look(match, match.actor)[3].tolist() == cheater._look(match, match.actor)[3].tolist()


@pytest.mark.parametrize("game_id", GAMES)
def test_the_lab_plays_its_usual_players_in_compiled_code(game_id: str) -> None:
    """No Python for each move: all levels up to club."""
    for level in ("beginner", "casual", "club"):
        assert is_compiled(make_plan(game_id, 5, bots=[level]))


@pytest.mark.parametrize("pair", [("club", "casual"), ("casual", "beginner")])
@pytest.mark.parametrize("game_id", GAMES)
def test_neighbours_of_the_ladder_are_apart(game_id: str, pair: tuple[str, str]) -> None:
    """Between two 55 to 70 %, with a margin for chance; among three as many times likelier to win than either rival."""
    game = ludotheque.game(game_id)
    seats, (hero, rival) = game.info.min_seats, pair
    wins = 0.0
    for seat in range(seats):
        bots = [hero if other == seat else rival for other in range(seats)]
        wins += lab.simulate(game_id, 2000, players=seats, bots=bots, jobs=1).summary.seats[seat].wins / seats
    times = wins / (1 - wins) * (seats - 1)
    assert 0.53 < times / (1 + times) < 0.72


def test_lobas_club_takes_what_brings_the_contract_nearer() -> None:
    game = ludotheque.game("loba")
    club, planner = (make_contestant(game, name, 1) for name in ("club", "planner"))
    drawn = [match for seed in range(40) if (match := game.new(3, seed=seed)).legal()[0] == "stock"]
    assert drawn and all(club.choose(match) == planner.choose(match) for match in drawn)
