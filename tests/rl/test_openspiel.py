"""The games for OpenSpiel: its own checks, secrecy of what is drawn anew, and exact methods on small games."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.core.errors import InvalidOptions, InvalidPosition, LudothequeError
from tests import needs

pyspiel = needs.module("pyspiel")

from ludotheque.rl import openspiel, openspiel_small  # noqa: E402  # only where there is OpenSpiel

pytestmark = pytest.mark.slow

SHORT = (
    "double_lucky_7(players=2,rounds=7)",
    "lobo77(players=3,tokens=1)",
    "skipbo(players=2,stock=5)",
    "volle_lotte(players=2,target=1000)",
    "loba(players=3)",
)
"""A short match of every game."""

CORNERS = (
    "double_lucky_7(players=7,rounds=7,lead=winner,forfeits=True)",
    "double_lucky_7(players=3,deals=5,returns=score)",
    "double_lucky_7(small=six_cards)",
    "lobo77(players=8,tokens=1,card_76=True,end=last_tokens)",
    "lobo77(tokens=1,draw=manual)",
    "lobo77(players=3,tokens=1,draw=manual,out_of_turn=True,returns=score)",
    "lobo77(small=three_cards)",
    "skipbo(players=4,stock=5,teams=True)",
    "skipbo(players=3,stock=5,manners=True,out_of_turn=True)",
    "skipbo(small=used_up)",
    "volle_lotte(players=8,target=1000,negative=True,ending=round)",
    "volle_lotte(players=3,target=1500,straight_goes_on=True,leader_loses=at_once,returns=score)",
)


def load(text: str) -> Any:
    """A game by what follows the prefix."""
    return pyspiel.load_game(openspiel.PREFIX + text)


def sampler(seed: int) -> Callable[[], float]:
    """What OpenSpiel hands to `resample_from_infostate`."""
    return random.Random(seed).random


def dealt(game: Any, seed: int = 1) -> Any:
    """A state after its chance nodes."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.randrange(len(state.chance_outcomes())))
    return state


def played(game: Any, moves: int, seed: int = 1) -> Any:
    """A state after some random moves, not over."""
    for attempt in itertools.count(seed):
        rng = random.Random(attempt)
        state = dealt(game, attempt)
        for _ in range(moves):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


@pytest.mark.parametrize("text", SHORT[:-1])
def test_short_matches_pass_the_tests_of_openspiel(text: str) -> None:
    pyspiel.random_sim_test(load(text), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("text", [SHORT[-1], *CORNERS])
def test_options_pass_the_tests_of_openspiel(text: str) -> None:
    pyspiel.random_sim_test(load(text), num_sims=1, serialize=True, verbose=False)


def test_parameters_are_checked() -> None:
    assert {openspiel.PREFIX + name for name in ludotheque.game_ids()} <= set(pyspiel.registered_names())
    assert load("lobo77(players=5)").num_players() == 5
    assert load("loba").num_players() == 3
    for text, reason in (
        ("lobo77(players=9)", "2 to 8 players"),
        ("lobo77(tokens=0)", "tokens is a number from 1 to 6"),
        ("lobo77(draw=never)", "auto.*manual"),
        ("lobo77(returns=glory)", "returns is centred or score"),
        ("lobo77(deals=-1)", "deals is a number"),
        ("lobo77(small=none_such)", "there are: three_cards"),
        ("lobo77(small=three_cards,tokens=2)", "leave them out"),
        ("loba(small=any)", "there are: none"),
        ("skipbo(players=3,teams=True)", "teams"),
    ):
        with pytest.raises(InvalidOptions, match=reason):
            load(text)
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter"):
        load("lobo77(colour=red)")


@pytest.mark.parametrize("text", SHORT)
def test_a_state_is_the_match_of_its_seed(text: str) -> None:
    game = load(text)
    rng = random.Random(3)
    state = dealt(game)
    setup = game.setup
    match = setup.game.new(setup.players, seed=f"openspiel {state.drawn.hex()}", **setup.options)
    for _ in range(60):
        if state.is_terminal():
            break
        assert state.current_player() == match.actor
        assert state.legal_actions() == sorted(match.legal_ids())
        assert state.action_to_string(state.legal_actions()[0]) == match.game.moves.texts[state.legal_actions()[0]]
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        match.play(match.game.moves[action])
        assert state.buf.tobytes() == match.to_bytes()


@pytest.mark.parametrize("text", [*SHORT, "double_lucky_7(small=six_cards)", "lobo77(deals=4)"])
def test_what_is_drawn_anew_looks_the_same_and_tells_nothing(text: str) -> None:
    """Drawing from the true state, or from one the player cannot tell from it, gives the same: the truth is unused."""
    state = played(load(text), 3)
    for player in range(state.num_players()):
        other = state.resample_from_infostate(player, sampler(5))
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.current_player() == state.current_player()
        other.memories = tuple(kept if seat == player else b"" for seat, kept in enumerate(other.memories))
        first, second = (one.resample_from_infostate(player, sampler(6)) for one in (state, other))
        assert first.buf.tobytes() == second.buf.tobytes()
        assert first.memories == second.memories
        again = pickle.loads(pickle.dumps(other))
        assert again.information_state_string(player) == other.information_state_string(player)
    worlds = {state.resample_from_infostate(0, sampler(seed)).buf.tobytes() for seed in range(8)}
    assert len(worlds) > 1 or "deals" in text  # of four deals only the true one fits


def test_deals_that_fit_are_drawn_as_often_as_each_other() -> None:
    state = played(load("double_lucky_7(small=six_cards)"), 2)
    drawn = Counter(state.resample_from_infostate(0, sampler(seed)).history()[0] for seed in range(300))
    assert len(drawn) == 6  # two cards of the other four
    assert max(drawn.values()) < 2 * min(drawn.values())
    assert state.history()[0] in drawn


def test_nothing_is_drawn_anew_before_the_deal() -> None:
    with pytest.raises(LudothequeError, match="before the deal"):
        load("lobo77").new_initial_state().resample_from_infostate(0, sampler(1))


def test_states_and_games_can_be_saved() -> None:
    for text in ("lobo77(players=3,tokens=1)", "double_lucky_7(small=six_cards)"):
        game = load(text)
        assert str(pickle.loads(pickle.dumps(game))) == str(game)
        state = played(game, 2)
        again_game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again_game) == str(game)
        assert again.buf.tobytes() == state.buf.tobytes()
        assert again.history() == state.history()
        for each in (state, again):
            each.apply_action(each.legal_actions()[0])
        assert str(again) == str(state)


def test_the_past_is_remembered(tmp_path: Path) -> None:
    """Two tricks in either order lead to the same record; the information state knows the order."""
    hands = [["G1", "G2", "G3"], ["G11", "G12", "G13"]]
    path = tmp_path / "three_tricks.json"
    path.write_text(json.dumps({"position": {"table": {"round": 12, "turned": "R7", "hands": hands}}}))
    game = load(f"double_lucky_7(small={path})")
    states = []
    for moves in ("bid 0, bid 2, G1, G11, G2, G12, G3", "bid 0, bid 2, G2, G12, G1, G11, G3"):
        state = dealt(game)
        for move in moves.split(", "):
            state.apply_action(state.string_to_action(move))
        states.append(state)
    one, other = states
    assert one.buf.tobytes() == other.buf.tobytes()
    for player in range(2):
        assert one.observation_string(player) == other.observation_string(player)
        assert one.information_state_string(player) != other.information_state_string(player)
        assert one.information_state_tensor(player) != other.information_state_tensor(player)


def test_tensors_have_names() -> None:
    from open_spiel.python.observation import make_observation

    game = load("double_lucky_7(players=3)")
    state = played(game, 5)  # bids, and two cards of the first round
    observation = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    observation.set_from(state, 1)
    assert observation.dict["player"].tolist() == [0, 1, 0]
    assert observation.dict["hand"].sum() <= 7
    assert np.count_nonzero(observation.dict["moves"][:, 1]) == 5
    assert game.observation_tensor_shape() == [3 + game.setup.encoder.size]
    assert "bids 0 1 2" in observation.string_from(state, 1)
    with pytest.raises(InvalidOptions, match="one player"):
        game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
        )


@pytest.mark.parametrize("text", [SHORT[0], "volle_lotte(target=1000,returns=score)"])
def test_returns_follow_the_places(text: str) -> None:
    rng = random.Random(2)
    state = dealt(load(text))
    assert state.returns() == [0.0, 0.0]
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    returns = state.returns()
    assert sum(returns) == pytest.approx(0)
    scores, places = (np.zeros(8, np.int32) for _ in range(2))
    state.setup.game.kernels.result(state.buf, scores, places)
    assert (returns[0] > returns[1]) == (places[0] < places[1])
    if "score" in text:
        assert returns[0] == scores[0] - scores[1]


def test_seats_are_asked_out_of_turn_where_that_is_wanted() -> None:
    game = load("lobo77(tokens=1,draw=manual,out_of_turn=True)")
    state = dealt(game)
    first = state.current_player()
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == first  # it may draw now, or wait
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["draw", "wait"]
    waiting, drawing = (state.child(action) for action in reversed(state.legal_actions()))
    assert waiting.current_player() == drawing.current_player() == 1 - first
    assert waiting.observation_string(first) != drawing.observation_string(first)
    still = dealt(load("lobo77(tokens=1,draw=manual)"))
    still.apply_action(still.legal_actions()[0])
    assert still.current_player() != first


def test_small_games_are_all_deals_of_their_cards() -> None:
    expected = {("double_lucky_7", "six_cards"): 90, ("lobo77", "three_cards"): 140, ("skipbo", "used_up"): 24}
    for (game_id, name), deals in expected.items():
        outcomes = load(f"{game_id}(small={name})").new_initial_state().chance_outcomes()
        assert [chance for _, chance in outcomes] == pytest.approx([1 / deals] * deals)
    assert openspiel_small.names(ludotheque.game("double_lucky_7")) == ["last_card", "six_cards"]


TWINS = {"cards": ["5", "5", "9"], "position": {"options": {"draw": "manual"}, "table": {"hands": [["?"], ["?"]]}}}


def test_deals_that_come_to_the_same_are_one() -> None:
    small = openspiel_small.read(ludotheque.game("lobo77"), TWINS)
    assert sorted(small.chances) == pytest.approx([1 / 3] * 3)  # 5 5, 5 9, 9 5


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cards": ["5"]}, "fewer cards"),
        ({"cards": "5 9"}, "list of cards"),
        ({"cards": ["R1", "R2"]}, "not a card"),
        ({"until": "tea"}, "match or round"),
        ({"position": None}, "object with position"),
        ({"colour": 1}, "object with position"),
        ({"cards": [str(n) for n in range(2, 10)] * 3, "position": {"table": {"draw": ["?"] * 6}}}, "ways to deal"),
    ],
)
def test_bad_small_games_say_why(change: dict[str, Any], reason: str) -> None:
    with pytest.raises((InvalidOptions, InvalidPosition), match=reason):
        openspiel_small.read(ludotheque.game("lobo77"), TWINS | change)


def test_a_small_game_comes_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "twins.json"
    path.write_text(json.dumps(TWINS))
    assert load(f"lobo77(small={path})").max_chance_outcomes() == 3
    path.write_text("{")
    with pytest.raises(InvalidOptions, match="not JSON"):
        load(f"lobo77(small={path})")


def one_card(tmp_path: Path) -> Any:
    """Double Lucky 7's last round with one of seven cards each, R7 turned."""
    cards = ["R2", "R9", "G3", "G8", "B5", "Y14", "joker"]
    position = {"table": {"round": 14, "turned": "R7", "hands": [["?"], ["?"]]}}
    path = tmp_path / "one_card.json"
    path.write_text(json.dumps({"cards": cards, "position": position}))
    return load(f"double_lucky_7(small={path})"), cards


def beats(card: str, led: str) -> bool:
    """Whether a card takes the trick from the one led; red is trump."""
    if "joker" in (card, led):
        return card == "joker"
    if card[0] != led[0]:
        return card[0] == "R"
    return int(card[1:]) > int(led[1:])


def test_cfr_finds_the_value_that_reckoning_gives(tmp_path: Path) -> None:
    """The dealer, first to bid and to lead, chooses whether to win with the trick or without; the other has no choice.

    So the dealer wins, with each card, as often as the likelier of the two.
    """
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game, cards = one_card(tmp_path)
    solver = cfr.CFRPlusSolver(game)
    wins = []
    for led in cards:
        taken = sum(not beats(card, led) for card in cards if card != led) / (len(cards) - 1)
        wins.append(max(taken, 1 - taken))
    found = []
    for count in (1, 19):
        for _ in range(count):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[1] < found[0] / 10
    values = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)
    dealer = game.new_initial_state().child(0).current_player()
    assert values[dealer] == pytest.approx(sum(wins) / len(wins) - 0.5, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["double_lucky_7(small=six_cards)", "lobo77(small=three_cards)", "skipbo(small=used_up)"]
)
def test_cfr_converges_on_every_deal_of_a_small_game(text: str) -> None:
    """The tree goes over to OpenSpiel's C++ as an extensive-form game; there CFR is fast."""
    from open_spiel.python.algorithms import gambit

    tree = pyspiel.load_efg_game(gambit.export_gambit(load(text)))
    solver = pyspiel.CFRSolver(tree)
    found = []
    for count in (1, 19):
        for _ in range(count):
            solver.evaluate_and_update_policy()
        found.append(pyspiel.exploitability(tree, solver.average_policy()))
    assert found[1] < found[0] / 5
    assert found[1] < 0.03


@pytest.mark.parametrize("text", [*SHORT, "double_lucky_7(small=six_cards)", "lobo77(draw=manual,out_of_turn=True)"])
def test_ismcts_plays(text: str) -> None:
    from open_spiel.python.algorithms import ismcts

    game = load(text)

    class Level:
        """An evaluator to whom every position is as good."""

        def evaluate(self, state: Any) -> Any:
            return np.zeros(game.num_players())

        def prior(self, state: Any) -> Any:
            return [(action, 1 / len(state.legal_actions())) for action in state.legal_actions()]

    bot = ismcts.ISMCTSBot(game, Level(), 2.0, 12, random_state=np.random.RandomState(1))
    state = played(game, 2)
    for _ in range(3):
        if not state.is_terminal():
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)


def test_python_ends_in_peace() -> None:
    """OpenSpiel keeps what makes the games until after Python's end, which must not mind."""
    code = "import pyspiel, ludotheque.rl.openspiel; pyspiel.load_game('python_ludotheque_lobo77').new_initial_state()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_openspiel_the_extra_is_named() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import ludotheque.rl.openspiel"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stderr.endswith(
        'MissingExtra: not installed: pyspiel; the extra `openspiel` brings it: pip install "ludotheque[openspiel]"\n'
    )
