"""The bots of Volle Lotte!: clear choices, exact advice against slow expectimax, honesty."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

from ludotheque.bots.bot import Bot
from ludotheque.core.jit import COMPILED, plain
from ludotheque.core.ladder import EXACT, LEVELS
from ludotheque.core.match import Match
from ludotheque.core.record import Buffer
from ludotheque.games.volle_lotte import bots, cards, gains, state
from ludotheque.games.volle_lotte.dice import KEEPS, ROLLS, points_of, scoring_dice, unpack
from tests.games.volle_lotte.helpers import ANA, BOX, GAME, at
from tests.games.volle_lotte.reference import SlowTurn

LEVEL_NAMES = [name for name in LEVELS if COMPILED or bots.LADDER[name].way != EXACT]

policy = plain(bots.policy)
worth = plain(bots.worth)


@cache
def bot(name: str) -> Bot:
    return Bot(GAME, name, {**bots.LADDER, **bots.EXTRAS}[name], seed=1)


@cache
def advisor() -> bots.Advisor:
    return bots.Advisor(GAME)


def chosen(name: str, match: Match) -> str:
    """The move a bot makes."""
    return bot(name).choose(match)


def weigh(match: Match) -> tuple[dict[str, float], dict[str, float]]:
    """Chances to win and expected points, by move."""
    ids = np.array(match.legal_ids(), np.int16)
    wins, points = advisor().weigh(match.concealed(match.actor), match.actor, ids)
    moves = match.legal()
    return dict(zip(moves, wins.tolist(), strict=True)), dict(zip(moves, points.tolist(), strict=True))


def last_turn(behind: int, table: dict[str, Any], **options: Any) -> Match:
    """Ana's last turn against Ben."""
    scores = {"scores": [6000 - behind, 6000], "closing": True, "actor": ANA, "first": ANA}
    return at({**scores, **table}, players=2, **options)


@pytest.mark.parametrize("level", [*LEVEL_NAMES, "fixed"])
@pytest.mark.parametrize("players, options", [(2, {}), (3, {"ending": "round"}), (5, {"leader_loses": "at_once"})])
def test_every_level_plays_a_match(level: str, players: int, options: dict[str, Any]) -> None:
    match = GAME.new(players, seed=3, target=1000, **options)
    while not match.over:
        match.play(bot(level).choose(match))


def test_the_ladder_has_all_levels() -> None:
    assert tuple(bots.LADDER) == LEVELS
    assert bots.LADDER["expert"].way == EXACT


@pytest.mark.parametrize(
    "card, roll, aside, move",
    [
        ("bonus 200", "1 1 2 3 4", "5", "keep 1 1"),  # 250
        ("bonus 200", "1 1 3 4", "1 5", "stop"),  # 350 and two dice left
        ("bonus 200", "5 5 2 3 4 6", "", "keep 5 5"),  # 100
        ("bonus 200", "1 1 5 5 2 3", "", "stop"),  # 300 and two dice left
        ("bonus 200", "3 3 3 2 4 6", "", "stop"),  # 300 and three dice left
        ("bonus 200", "1 2 3 4 6 6", "", "keep 1"),
        ("double", "1 2 3 4", "1 1", "stop"),  # 300 and three dice left
        ("fireworks", "1 1 1 2 3 4", "", "keep 1 1 1"),
        ("plusminus", "1 1 1 2 3 4", "", "keep 1 1 1"),
        ("plusminus", "1 1 1 5", "1 1", "stop"),
    ],
)
def test_the_fixed_rule(card: str, roll: str, aside: str, move: str) -> None:
    match = at({"card": card, "roll": roll, "aside": aside}, players=2)
    assert chosen("fixed", match) == move


def test_the_fixed_rule_stops_with_600_and_many_dice_left() -> None:
    match = at({"card": "bonus 300", "roll": "1 2 3 4 4 6", "turn_points": 500}, players=2)
    assert chosen("fixed", match) == "stop"


def test_the_fixed_rule_in_the_last_turn() -> None:
    table: dict[str, Any] = {"card": "bonus 200", "roll": "1 1 3 4", "aside": "1 5"}
    assert chosen("fixed", last_turn(300, table)) == "stop"
    assert chosen("fixed", last_turn(400, table)) != "stop"


@pytest.mark.parametrize("level", [name for name in ("club", "strong", "expert") if name in LEVEL_NAMES])
def test_good_players_do_not_stop_behind_in_the_last_turn(level: str) -> None:
    table: dict[str, Any] = {"card": "bonus 200", "roll": "1 3 4", "aside": "1 1 5"}
    assert chosen(level, last_turn(200, table)) == "stop"
    assert chosen(level, last_turn(800, table)) == "keep 1"


def test_expected_points_are_those_of_a_player_who_may_always_stop() -> None:
    some = np.arange(gains.CAP + 1)
    assert (gains.ROLLING[:, 0, 1:] >= some[:, None] - 1e-9).all()  # after a Volle Lotte the turn is worth its points
    assert (gains.GOING_ON[:18] > some[:18]).all()
    assert (gains.GOING_ON[18:-1] < some[18:-1]).all()  # from 900 on a new card is not worth it


def test_policy_is_legal_and_the_standing_adds_up() -> None:
    out = np.empty(state.NUM_ACTIONS, np.int16)
    values = np.zeros(state.MAX_SEATS)
    for seed in range(6):
        match = GAME.new(2 + seed, seed=seed, target=1500, negative=bool(seed % 2))
        while not match.over:
            action = policy(match.state, match.actor, seed, out)
            worth(match.state, values)
            assert values[: match.num_seats].sum() == pytest.approx(1.0)
            match.play(GAME.moves[action])
        worth(match.state, values)
        places = match.places
        assert [value > 0 for value in values[: match.num_seats]] == [place == 1 for place in places]
        assert values[: match.num_seats].sum() == pytest.approx(1.0)


def test_who_is_ahead_is_worth_more() -> None:
    values = np.zeros(state.MAX_SEATS)
    worth(at({"scores": [3000, 1000, 2000]}).state, values)
    assert values[0] > values[2] > values[1]


# Exact advice


def slow_advice(match: Match, slow: SlowTurn) -> dict[str, float]:
    """What every move of a turn is worth, from the record and the slow solver."""
    s = match.state
    pile = tuple(cards.BOX[kind] - s.discard[kind] for kind in range(cards.NUM_KINDS))
    roll = ROLLS[s.roll]
    x, before = (s.turn_points + s.card_points) // 50, s.turn_points // 50
    advice: dict[str, float] = {}
    for move, action in zip(match.legal(), match.legal_ids(), strict=True):
        if action == state.STOP:
            all_score = s.phase == state.ROLLED and scoring_dice(roll) == roll
            if s.phase == state.LOTTE:
                advice[move] = slow.stand(0, before)
            elif s.card == cards.PLUS_MINUS:
                advice[move] = slow.stand(1, min(before + 20, slow.cap))
            else:
                total = x + points_of(roll) // 50
                if all_score and s.card != cards.FIREWORKS:
                    total = 2 * total if s.card == cards.DOUBLE else total + (s.card - cards.BONUS) * 2 + 4
                advice[move] = slow.stand(0, min(total, slow.cap))
        elif action == state.GO and s.phase == state.ROLLED:
            advice[move] = slow.straight(frozenset(unpack(s.aside)) | set(roll), 0, before, pile)
        elif action == state.GO:
            advice[move] = slow.go(0, before, pile)
        else:
            keep = KEEPS[action - state.KEEP]
            left = len(roll) - len(keep)
            if s.card == cards.PLUS_MINUS:
                advice[move] = slow.seeking(left, 0, before, pile)
            elif s.card == cards.CLOVER:
                advice[move] = slow.clover(left, s.lottes, 0)
            else:
                advice[move] = slow.kept(s.card, left, 0, x + points_of(keep) // 50, pile)
    return advice


def slow_last_turn(behind: int, goes_on: bool = False, fireworks_stop: bool = False) -> SlowTurn:
    """The last turn, so many fifties behind."""

    def stand(k: int, x: int) -> float:
        lead = x + 20 * k - behind
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0

    return SlowTurn(stand, lambda k: 0.0, behind + 60, goes_on=goes_on, fireworks_stop=fireworks_stop)


def rest_in_discard(*pile: str) -> dict[str, int]:
    """A discard with all cards of the box but these."""
    return {name: number - pile.count(name) for name, number in BOX.items()}


TURNS: list[dict[str, Any]] = [
    {"card": "bonus 200", "roll": "1 5 2 3 4 6"},
    {"card": "bonus 600", "roll": "5 5 2 3", "aside": "1 5"},
    {"card": "double", "roll": "1 5 5", "aside": "1 5 5"},
    {"card": "double", "roll": "2 2 2 5 3 4"},
    {"card": "fireworks", "roll": "1 5 2 3 4", "aside": "5"},
    {"card": "plusminus", "roll": "1 5 2 3 4", "aside": "5"},
    {"card": "plusminus", "roll": "1 5", "aside": "1 5 5 5"},
    {"card": "clover", "roll": "1 5 2", "aside": "1 1 5", "lottes": 1},
    {"card": "straight", "roll": "1 2 2 4", "aside": "5 6"},
    {"card": "bonus 200", "aside": "5 5 5 5 5 1", "turn_points": 500},
    {"aside": ""},
]


@pytest.mark.compiled_only
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("behind", [3, 9, 14])
def test_advice_is_exact_where_the_next_cards_are_sure(turn: dict[str, Any], behind: int) -> None:
    """The pile holds one kind of card: what the slow way finds card by card."""
    kind = "bonus 300"
    discard = {**BOX, kind: 0 if turn.get("card") != kind else 1}
    match = last_turn(50 * behind, {**turn, "discard": discard})
    wins, _ = weigh(match)
    assert wins == pytest.approx(slow_advice(match, slow_last_turn(behind)), abs=1e-9)


FIREWORKS: list[dict[str, Any]] = [
    {"card": "fireworks", "roll": "1 5 2 3 4", "aside": "5"},
    {"card": "fireworks", "roll": "1 5 5", "aside": "1 1 5"},
    {"card": "fireworks", "roll": "5", "aside": "5 5 5 5 5", "turn_points": 300},
]


@pytest.mark.compiled_only
@pytest.mark.parametrize("turn", FIREWORKS)
@pytest.mark.parametrize("behind", [3, 9, 14])
def test_advice_under_fireworks_that_may_be_stopped_is_exact(turn: dict[str, Any], behind: int) -> None:
    """V9: stopping, and going on after a Volle Lotte without stopping, are each worth what they are."""
    discard = {**BOX, "bonus 300": 0}
    match = last_turn(50 * behind, {**turn, "discard": discard}, fireworks_stop=True)
    wins, _ = weigh(match)
    assert "stop" in wins
    assert wins == pytest.approx(slow_advice(match, slow_last_turn(behind, fireworks_stop=True)), abs=1e-9)


@pytest.mark.parametrize("level", ["beginner", "casual", "club", "fixed"])
def test_nobody_throws_fireworks_away(level: str) -> None:
    """V9: going on cannot lose a point, so where points count no level stops but by a slip."""
    match = at({"card": "fireworks", "roll": "1 1 1 5 2 2"}, players=2, fireworks_stop=True)
    player, stops = bot(level), 0
    for _ in range(20):
        twin = match.copy()
        twin.play(player.choose(twin))
        stops += twin.events()[-1][0]["type"] == "stop"
    assert stops <= 2


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("seed", range(3))
def test_advice_is_as_good_as_exact_with_any_pile(turn: dict[str, Any], seed: int) -> None:
    """From the card after the next on, the pile is known on average only: that makes hardly a difference."""
    chance = random.Random(seed)
    box = [card for card, number in BOX.items() for _ in range(number)]
    if "card" in turn:
        box.remove(turn["card"])
    chance.shuffle(box)
    pile = box[: chance.randrange(4, 40)]
    match = last_turn(50 * 12, {**turn, "discard": rest_in_discard(*pile)})
    wins, _ = weigh(match)
    assert wins == pytest.approx(slow_advice(match, slow_last_turn(12)), abs=2e-3)


@pytest.mark.compiled_only
def test_expected_points_of_stopping_are_its_points() -> None:
    match = at({"scores": [2000, 1000], "card": "bonus 300", "roll": "1 1 5 3", "aside": "1 1"}, players=2)
    wins, points = weigh(match)
    assert points["stop"] == pytest.approx(450, abs=0.01)
    assert points["keep 1 1 5"] < 450
    assert all(0.0 < win < 1.0 for win in wins.values())
    assert max(wins, key=lambda move: wins[move]) == "stop"


def shuffled(match: Match, seed: int) -> Buffer:
    """The record with the pile in another order."""
    buf = np.frombuffer(match.to_bytes(), np.uint8).copy()
    s = GAME.read(buf)
    pile = s.deck.tolist()[: s.num_deck]
    random.Random(seed).shuffle(pile)
    s.deck[: s.num_deck] = pile
    return buf


@pytest.mark.compiled_only
def test_advice_does_not_depend_on_the_order_of_the_pile() -> None:
    match = GAME.new(2, seed=11)
    for _ in range(12):
        match.play(bot("club").choose(match))
        ids = np.array(match.legal_ids(), np.int16)
        expected = advisor().weigh(match.concealed(match.actor), match.actor, ids)[0]
        for seed in range(3):
            assert np.array_equal(advisor().weigh(shuffled(match, seed), match.actor, ids)[0], expected)


@pytest.mark.compiled_only
def test_threads_may_share_an_advisor() -> None:
    match = at({"scores": [2000, 2500], "card": "double", "roll": "1 1 5 3 2 6"}, players=2)
    buf, ids = match.concealed(ANA), np.array(match.legal_ids(), np.int16)
    expected = advisor().weigh(buf, ANA, ids)[0]
    with ThreadPoolExecutor(4) as pool:
        for wins, _ in pool.map(lambda _: advisor().weigh(buf, ANA, ids), range(16)):
            assert np.array_equal(wins, expected)


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("options", [{}, {"ending": "round"}, {"leader_loses": "at_once", "negative": True}])
def test_chances_are_chances(players: int, options: dict[str, Any]) -> None:
    scores = [[0] * players, [5900] * players, [300 * seat for seat in range(players)]]
    for standing in scores:
        for turn in TURNS[:-1]:
            position = {"players": [f"P{seat}" for seat in range(players)], "options": options}
            match = GAME.position({**position, "table": {**turn, "scores": standing}})
            wins, points = weigh(match)
            assert all(0.0 <= win <= 1.0 for win in wins.values())
            assert all(point >= -1e-3 for point in points.values())


@pytest.mark.compiled_only
@pytest.mark.parametrize("target", [1000, 1025, 5000, 6000, 9000, 20000])
def test_points_help_whatever_the_target(target: int) -> None:
    """More points to start with are a better chance, from far behind to far ahead."""
    chances = []
    for own in range(0, target, max(50, target // 2000 * 50)):
        match = at({"scores": [own, target // 100 * 50]}, players=2, target=target)
        chances.append(weigh(match)[0]["go"])
    assert chances == sorted(chances)
    assert chances[0] < 0.42
    assert chances[-1] > 0.63


@pytest.mark.compiled_only
def test_positions_beyond_all_measure() -> None:
    """Points and scores that no match will see do no harm."""
    for table in (
        {"scores": [0, 5000], "card": "double", "roll": "1 1 5 3 2 6", "turn_points": 90_000_000},
        {"scores": [0, 900_000], "closing": True, "card": "double", "roll": "1 1 5 3 2 6"},
        {"scores": [-900_000, 0], "card": "double", "roll": "1 1 5 3 2 6"},
    ):
        wins, _ = weigh(at(table, players=2, negative=True))
        assert all(0.0 <= win <= 1.0 for win in wins.values())


@pytest.mark.compiled_only
def test_a_leader_far_ahead_dares_less() -> None:
    """The same roll: who needs points goes on, who leads by far stops."""
    turn: dict[str, Any] = {"card": "double", "roll": "1 1 3 4", "aside": "1 1", "first": ANA}
    ahead = weigh(at({**turn, "scores": [5500, 1000]}, players=2))[0]
    behind = weigh(at({**turn, "scores": [1000, 5900]}, players=2))[0]
    assert ahead["stop"] > ahead["keep 1 1"]
    assert behind["stop"] < max(behind["keep 1 1"], behind["keep 1"])


def test_a_beginner_stops_sometimes() -> None:
    match = at({"card": "bonus 300", "roll": "1 1 5 3", "aside": "1 1"}, players=2)
    beginners = [Bot(GAME, "beginner", bots.LADDER["beginner"], seed) for seed in range(40)]
    stops = sum(player.choose(match) == "stop" for player in beginners)
    assert 4 <= stops <= 36
