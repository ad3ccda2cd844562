"""Train MaskablePPO of sb3-contrib against bots, and sit the agent down in a tournament.

    pip install 'ludotheque[lab,sb3]'
    python examples/sb3_maskable_ppo.py double_lucky_7 --steps 200000 --out agent.zip
    ludotheque tournament double_lucky_7 --bots examples/sb3_maskable_ppo.py:player:agent.zip,random

The environment has the method `action_masks` that sb3-contrib asks for, and flat observations suit its `MlpPolicy`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import ludotheque
import ludotheque.rl.gymnasium  # registers the games with Gymnasium
from ludotheque.rl.observations import Encoder


def train(game: str, opponents: str, steps: int, out: str) -> None:
    """Learn, and save what was learnt."""
    settings = {"opponents": opponents, "flat": True, "reward": "centred"}
    envs = make_vec_env(f"ludotheque/{game}-v0", n_envs=8, seed=1, env_kwargs=settings)
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=256, gamma=1.0, seed=1, verbose=1)
    model.learn(steps)
    model.save(out)


load = cache(MaskablePPO.load)
"""Reads an agent, once."""


def player(game: ludotheque.Game, seed: int | str | None, path: str = "agent.zip") -> Callable[..., ludotheque.Move]:
    """The agent as a contestant: the network gets what its seat sees, and the likeliest legal move is played."""
    model, encoder = load(path), Encoder(game)

    def choose(record: Any, seat: int, legal: list[ludotheque.Move]) -> ludotheque.Move:
        mask = np.isin(np.arange(game.info.num_actions), [move.id for move in legal])
        action, _ = model.predict(encoder.observe(record, seat), action_masks=mask, deterministic=True)
        return game.move(int(action))

    return choose


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="double_lucky_7", choices=ludotheque.game_ids())
    parser.add_argument("--opponents", default="random", help="a level of bots (random)")
    parser.add_argument("--steps", type=int, default=200_000, help="moves of the learner (200000)")
    parser.add_argument("--out", default="agent.zip", help="where the agent goes (agent.zip)")
    args = parser.parse_args()
    train(args.game, args.opponents, args.steps, args.out)
