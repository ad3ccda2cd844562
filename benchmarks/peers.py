"""How fast the peers play at random: OpenSpiel in its own C++ and stepped from Python, and RLCard.

Every rate counts the decisions of players; chance events take time but do not count. A measure is the median
of three runs of about a second each, on one core. `python -m benchmarks.peers` prints them all.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pyspiel
import rlcard
from rlcard.agents import RandomAgent

SECONDS = 1.0
RUNS = 3
DEALS = 24  # starts per game: oh_hell draws the number of tricks, so a few deals would not be typical
COUNTED_GAMES = 1200  # over all deals: brings the mean length of a gin rummy game within 1 %
SEED = 7


@dataclass(frozen=True, slots=True)
class Rate:
    """What one peer did in its median run."""

    name: str
    decisions: int
    seconds: float

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds


def openspiel_rollouts(game_string: str) -> Rate:
    """Rollouts inside OpenSpiel: MCTSBot with one simulation, which is `n` C++ rollouts from the given node.

    They start behind the deal, so the peer is not charged for dealing. The bot does not say how many
    decisions it made: the number of rollouts times the mean length of random games from the same nodes.
    """
    game = pyspiel.load_game(game_string)
    rng = random.Random(SEED)
    starts = [_deal(game, rng) for _ in range(DEALS)]
    mean_decisions = _mean_decisions(game, starts, rng)

    def search(num_rollouts: int, seed: int) -> float:
        begin = time.perf_counter()
        for start in starts:
            evaluator = pyspiel.RandomRolloutEvaluator(num_rollouts, seed)
            bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False)
            bot.mcts_search(start)
        return time.perf_counter() - begin

    # One simulation evaluates the root and expands nothing; `n` grows until a pass takes long enough to time.
    num_rollouts = 8
    while (elapsed := search(num_rollouts, SEED)) < SECONDS / 10:
        num_rollouts *= 2
    num_rollouts = max(1, round(num_rollouts * SECONDS / elapsed))

    def run(seed: int) -> Rate:
        seconds = search(num_rollouts, seed)
        decisions = round(mean_decisions * DEALS * num_rollouts)
        return Rate(f"OpenSpiel {game_string}, C++ rollouts", decisions, seconds)

    return _median(run)


def openspiel_python(game_string: str, *, deal: bool = True) -> Rate:
    """Whole games stepped from Python: legal_actions and apply_action, chance nodes sampled as they weigh.

    Dealing card by card through chance nodes takes most of that time; with `deal=False` it is not timed.
    """
    game = pyspiel.load_game(game_string)

    def run(seed: int) -> Rate:
        rng = random.Random(seed)
        decisions, seconds, clock = 0, 0.0, time.perf_counter
        while seconds < SECONDS:
            begin = clock()
            state = _deal(game, rng)
            if not deal:
                begin = clock()
            decisions += _play_out(state, rng)
            seconds += clock() - begin
        suffix = "" if deal else ", deal not timed"
        return Rate(f"OpenSpiel {game_string}, from Python{suffix}", decisions, seconds)

    return _median(run)


def rlcard_random(env_name: str) -> Rate:
    """RLCard as its documentation runs it: an environment, a RandomAgent per seat, `env.run`."""

    def run(seed: int) -> Rate:
        env = rlcard.make(env_name, config={"seed": seed})
        env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
        begin = time.perf_counter()
        while (seconds := time.perf_counter() - begin) < SECONDS:
            env.run(is_training=False)
        return Rate(f"RLCard {env_name}, env.run", env.timestep, seconds)

    return _median(run)


def _median(run: Callable[[int], Rate]) -> Rate:
    return sorted((run(SEED + i) for i in range(RUNS)), key=lambda r: r.rate)[RUNS // 2]


def _sample(state: pyspiel.State, rng: random.Random) -> int:
    actions, chances = zip(*state.chance_outcomes(), strict=True)
    action: int = rng.choices(actions, chances)[0]
    return action


def _deal(game: pyspiel.Game, rng: random.Random) -> pyspiel.State:
    """The first node of a new game where a player decides."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(_sample(state, rng))
    return state


def _play_out(state: pyspiel.State, rng: random.Random) -> int:
    """Play at random to the end; the number of decisions made."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_sample(state, rng))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions


def _mean_decisions(game: pyspiel.Game, starts: list[pyspiel.State], rng: random.Random) -> float:
    """The mean number of decisions in a random game from `starts`, counted twice.

    Once in games stepped here, once in the histories of games that OpenSpiel's C++ random bots played.
    """
    bots = [pyspiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(game.num_players())]
    stepped: list[int] = []
    from_history: list[int] = []
    for i in range(COUNTED_GAMES):
        start = starts[i % len(starts)]
        stepped.append(_play_out(start.clone(), rng))
        played = start.clone()
        pyspiel.evaluate_bots(played, bots, SEED + i)
        from_history.append(sum(move.player >= 0 for move in played.full_history()))
    here, there = statistics.fmean(stepped), statistics.fmean(from_history)
    if abs(here - there) > 0.05 * there:
        raise RuntimeError(f"{game}: {here:.1f} decisions per game stepped, {there:.1f} in C++")
    return (here + there) / 2


def main() -> None:
    """Measure every peer and print a table."""
    games = ("oh_hell(players=4)", "gin_rummy", "hearts", "pig")
    measures = [
        *(partial(openspiel_rollouts, game) for game in games),
        *(partial(openspiel_python, game) for game in games),
        partial(openspiel_python, "oh_hell(players=4)", deal=False),
        *(partial(rlcard_random, env) for env in ("gin-rummy", "uno")),
    ]
    print(f"{'peer':<58}{'decisions':>12}{'seconds':>10}{'decisions/s':>14}")
    for measure in measures:
        r = measure()
        print(f"{r.name:<58}{r.decisions:>12,}{r.seconds:>10.2f}{r.rate:>14,.0f}", flush=True)


if __name__ == "__main__":
    main()
