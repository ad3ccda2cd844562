"""Train OpenSpiel's own DQN agent in OpenSpiel's own environment, and sit it down in a tournament.

    pip install 'ludotheque[dqn,lab]'
    python examples/openspiel_dqn.py double_lucky_7 --episodes 3000 --out agent.pt
    ludotheque tournament double_lucky_7 --bots examples/openspiel_dqn.py:player:agent.pt,random

Importing `ludotheque.rl.openspiel` registers the games; from there on everything is OpenSpiel's.
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.dqn import DQN
from open_spiel.python.rl_environment import ChanceEventSampler, Environment, ObservationType

import ludotheque
import ludotheque.rl.openspiel  # registers the games with OpenSpiel
from ludotheque.rl.observations import Encoder


def make_agent(game: Any, episodes: int = 1) -> DQN:
    """The agent, which learns in seat 0."""
    return DQN(
        0, game.observation_tensor_size(), game.num_distinct_actions(), [128, 128], learning_rate=1e-3, batch_size=64,
        learn_every=4, optimizer_str="adam", epsilon_end=0.05, epsilon_decay_duration=20 * episodes, seed=1,
    )  # fmt: skip


def train(game_id: str, episodes: int, out: str) -> None:
    """Learn against random agents, and save what was learnt."""
    random.seed(1)
    np.random.seed(1)
    torch.set_num_threads(1)
    game = pyspiel.load_game(f"python_ludotheque_{game_id}")
    env = Environment(game, chance_event_sampler=ChanceEventSampler(1), observation_type=ObservationType.OBSERVATION)
    others = [RandomAgent(seat, game.num_distinct_actions()) for seat in range(1, game.num_players())]
    agents = [make_agent(game, episodes), *others]
    total = 0.0
    for episode in range(1, episodes + 1):
        time_step = env.reset()
        while not time_step.last():
            output = agents[time_step.current_player()].step(time_step)
            time_step = env.step([output.action])
        for agent in agents:
            agent.step(time_step)
        total += time_step.rewards[0]
        if episode % 100 == 0:
            print(f"{episode} matches, mean reward of the last 100 {total / 100:+.3f}", flush=True)
            total = 0.0
    agents[0].save(Path(out))


@cache
def load(game_id: str, path: str) -> tuple[DQN, int]:
    """A saved agent, read once, and how many sit at its table."""
    game = pyspiel.load_game(f"python_ludotheque_{game_id}")
    agent = make_agent(game)
    saved = torch.load(path, weights_only=True)
    buffer = io.BytesIO()  # OpenSpiel 2.0 saves the network under one name and looks for it under another
    torch.save({**saved, "model_state_dict": saved["model"]}, buffer)
    buffer.seek(0)
    agent.load(buffer, load_optimiser=False)
    return agent, game.num_players()


def player(game: ludotheque.Game, seed: int | str | None, path: str = "agent.pt") -> Callable[..., ludotheque.Move]:
    """The agent as a contestant: it takes the legal move that it thinks is worth most."""
    agent, num_players = load(game.id, path)
    encoder = Encoder(game)
    # OpenSpiel's tensor begins with who looks. What follows is counted from there, so that any seat may say it is 0.
    who = np.eye(1, num_players, dtype=np.float32)[0]

    def choose(record: Any, seat: int, legal: list[ludotheque.Move]) -> ludotheque.Move:
        seen = np.concatenate([who, encoder.observe(record, seat)])
        action, _ = agent.act_epsilon_greedy(seen, [move.id for move in legal], 0.0)
        return game.move(int(action))

    return choose


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="double_lucky_7", choices=ludotheque.game_ids())
    parser.add_argument("--episodes", type=int, default=3000, help="matches (3000)")
    parser.add_argument("--out", default="agent.pt", help="where the agent goes (agent.pt)")
    args = parser.parse_args()
    train(args.game, args.episodes, args.out)
