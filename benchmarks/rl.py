"""Learning environments against their peers, in one run: `python -m benchmarks.rl` writes a section of RESULTS.md.

A step is one decision of a player, with what it sees and a mask of its legal moves as arrays, on both sides: OpenSpiel
is asked for its observation (or information state) and its mask, PettingZoo hands both out anyway, RLCard the first
and a list of legal moves. All choose at random. Ours and the peer are timed by turns, in short slices; one core each,
but for the lines on two.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel
import rlcard

from benchmarks.games import SEATS
from benchmarks.results import Line, show, table, write_section
from benchmarks.undisturbed import Turns
from ludotheque.core.warm import warm
from ludotheque.rl import pettingzoo as ours
from ludotheque.rl import vector

NUM_ENVS = 4096
STEPS = 20
"""Steps of a peer between two looks at the clock."""

NEAREST = {
    "lobo77": ("OpenSpiel crazy_eights", "RLCard uno"),
    "loba": ("OpenSpiel gin_rummy", "RLCard gin-rummy"),
    "skipbo": ("OpenSpiel crazy_eights", "RLCard uno"),
    "volle_lotte": ("OpenSpiel pig", "PettingZoo leduc_holdem_v4"),
    "double_lucky_7": ("OpenSpiel oh_hell(players=4)", "RLCard bridge"),
}
"""The games of the peers that are most like each of ours. PettingZoo's card games are in all, see CARD_GAMES."""

CARD_GAMES = ("leduc_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")
"""PettingZoo's own card games."""

Work = Callable[[], int]


def vector_work(game: str, threads: int, observations: str = "int16") -> Work:
    """One step of all rows, with observations, masks and rewards."""
    env = vector.make(game, NUM_ENVS, SEATS[game], seed=1, threads=threads, observations=observations)

    def step() -> int:
        env.step(env.sample())
        return NUM_ENVS

    for _ in range(50):  # the matches come apart
        step()
    return step


def aec_work(env: Any) -> Work:
    """Some steps of an AEC environment, played as PettingZoo's documentation does."""
    rng = random.Random(1)
    env.reset(seed=1)

    def step() -> int:
        for _ in range(STEPS):
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else _choice(observation["action_mask"], rng))
        return STEPS

    return step


def _choice(mask: Any, rng: random.Random) -> int:
    return int(rng.choice(np.asarray(mask, np.int8).view(np.bool_).nonzero()[0]))


def openspiel_work(name: str, as_arrays: bool = True) -> Work:
    """Some steps of an OpenSpiel game from Python; what it hands out as lists is made into arrays, or left."""
    game = pyspiel.load_game(name)
    rng = random.Random(1)
    kind = game.get_type()
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        for _ in range(STEPS):
            while state.is_chance_node() or state.is_terminal():
                if state.is_terminal():
                    state = game.new_initial_state()
                else:
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(actions, chances)[0])
            seen = state.observation_tensor() if kind.provides_observation_tensor else state.information_state_tensor()
            mask = state.legal_actions_mask()
            if as_arrays:
                np.asarray(seen, np.float32)
                np.asarray(mask, np.int8)
            state.apply_action(rng.choice(state.legal_actions()))
        return STEPS

    return step


def rlcard_work(name: str) -> Work:
    """Some steps of an RLCard environment."""
    env = rlcard.make(name, config={"seed": 1})
    rng = random.Random(1)
    state, _ = env.reset()

    def step() -> int:
        nonlocal state
        for _ in range(STEPS):
            if env.is_over():
                state, _ = env.reset()
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
        return STEPS

    return step


def peer_work(name: str) -> Work:
    """The work of a peer by its name in NEAREST."""
    library, _, game = name.partition(" ")
    if library == "OpenSpiel":
        return openspiel_work(game)
    return rlcard_work(game) if library == "RLCard" else aec_work(classic(game))


def classic(name: str) -> Any:
    """One of PettingZoo's own environments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is another way to make it
        return importlib.import_module(f"pettingzoo.classic.{name}").env()


def fastest(names: Sequence[str], works: Sequence[Work]) -> tuple[str, Work]:
    """The fastest of some peers: each against the fastest before it, by turns."""
    best = 0
    for other in range(1, len(works)):
        timed = Turns(works[best], works[other])
        timed.round()
        before, now = timed.rates()
        best = other if now > before else best
    return names[best], works[best]


def against(what: str, mine: Work, peer_name: str, peer: Work, wanted: float, rounds: int) -> Line:
    """Ours and a peer by turns."""
    timed = Turns(mine, peer)
    for _ in range(rounds):
        timed.round()
    rate, other = timed.rates()
    line = Line(f"{what} ÷ {peer_name}", rate, other, wanted, "steps/s")
    show(line)
    return line


def compare(rounds: int) -> list[Line]:
    """Batches and AEC environments against the fastest peers."""
    lines = []
    for game, nearest in NEAREST.items():
        names = tuple(dict.fromkeys((*nearest, *(f"PettingZoo {card_game}" for card_game in CARD_GAMES[:2]))))
        peer_name, peer = fastest(names, [peer_work(name) for name in names])
        what = f"{game}, {NUM_ENVS} environments"
        lines.append(against(what, vector_work(game, 1), peer_name, peer, 100, rounds))
        if peer_name.startswith("OpenSpiel "):
            lists = openspiel_work(peer_name.removeprefix("OpenSpiel "), as_arrays=False)
            record = f"(for the record) {what}"
            lines.append(against(record, vector_work(game, 1), f"{peer_name}, lists left as lists", lists, 0, rounds))
        as_float = vector_work(game, 1, "float32")
        lines.append(against(f"(for the record) {what} in float32", as_float, peer_name, peer, 0, 1))
    peer_name, peer = fastest(CARD_GAMES, [aec_work(classic(name)) for name in CARD_GAMES])
    for game in SEATS:
        env = ours.env(game, SEATS[game])
        lines.append(against(f"{game}, AEC", aec_work(env), f"PettingZoo {peer_name}", peer, 3, rounds))
    return lines


def two_cores(rounds: int) -> list[Line]:
    """Batches on two cores against one."""
    turns = {game: Turns(vector_work(game, 1), vector_work(game, 2)) for game in SEATS}
    for _ in range(rounds):
        for timed in turns.values():
            timed.round()
    lines = []
    for game, timed in turns.items():
        one, two = timed.rates()
        what = f"{game}, {NUM_ENVS} environments on two cores ÷ on one ({timed.num_calm} pairs)"
        lines.append(Line(what, two, one, 1.7, "steps/s"))
        show(lines[-1])
    return lines


def main() -> None:
    """Measure everything and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    parser.add_argument("--rounds", type=int, default=4, help="rounds of slices per line")
    args = parser.parse_args()
    warm(list(SEATS), purposes=("play", "batch"))
    lines = two_cores(2 * args.rounds) if (os.cpu_count() or 1) > 1 else []
    os.sched_setaffinity(0, {0})
    lines = compare(args.rounds) + lines
    if not args.dry:
        write_section("Learning environments", table(lines), "python -m benchmarks.rl")


if __name__ == "__main__":
    main()
