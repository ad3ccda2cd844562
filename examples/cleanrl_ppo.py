"""PPO in one file, after CleanRL's `ppo.py`: many matches at once in a vector environment, illegal actions masked.

    pip install 'ludotheque[train]'
    python examples/cleanrl_ppo.py --game double_lucky_7 --total-timesteps 2000000 --out agent.pt
    ludotheque tournament double_lucky_7 --bots examples/cleanrl_ppo.py:player:agent.pt,random

Read it from top to bottom, and change it. A mask for every row comes in the info; rows whose match has ended deal at
once (`SameStep`), so that every step is a real one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import ludotheque
from ludotheque.rl import gymnasium
from ludotheque.rl.observations import Encoder


@dataclass
class Args:
    """What a run is made of."""

    game: str = "double_lucky_7"
    opponents: str = "random"
    """A level of bots; `random` ones play in compiled code."""
    out: str = "agent.pt"
    seed: int = 1
    total_timesteps: int = 2_000_000
    num_envs: int = 128
    num_steps: int = 64
    """Moves in each match between two updates."""
    learning_rate: float = 5e-4
    gamma: float = 1.0
    gae_lambda: float = 0.95
    num_minibatches: int = 8
    update_epochs: int = 4
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5


class Agent(nn.Module):
    """A policy and a critic, two hidden layers each."""

    def __init__(self, game: ludotheque.Game, width: int = 128) -> None:
        super().__init__()
        size, num_actions = game.info.observation_size, game.info.num_actions
        self.critic = nn.Sequential(
            layer(size, width), nn.Tanh(), layer(width, width), nn.Tanh(), layer(width, 1, std=1.0)
        )
        self.actor = nn.Sequential(
            layer(size, width), nn.Tanh(), layer(width, width), nn.Tanh(), layer(width, num_actions, std=0.01)
        )

    def choices(self, seen: Tensor, mask: Tensor) -> Any:
        """The policy: illegal actions have no chance."""
        return Categorical(logits=self.actor(seen).masked_fill(~mask, -1e9))


def layer(inputs: int, outputs: int, std: float = 2**0.5) -> nn.Linear:
    """A layer as CleanRL initialises it."""
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, std)
    nn.init.zeros_(made.bias)
    return made


def train(args: Args) -> Agent:
    """Learn from `total_timesteps` moves."""
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    batch_size = args.num_envs * args.num_steps
    envs = gymnasium.vector_env(
        args.game, args.num_envs, args.opponents, reward="centred", flat=True, threads=1, autoreset_mode="SameStep"
    )
    agent = Agent(envs.game)
    optimizer = torch.optim.Adam(agent.parameters(), args.learning_rate, eps=1e-5)
    shape = (args.num_steps, args.num_envs)
    obs = torch.zeros(*shape, envs.encoder.size)
    masks = torch.zeros(*shape, envs.game.info.num_actions, dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.long)
    logprobs, rewards, dones, values = (torch.zeros(shape) for _ in range(4))

    seen, info = envs.reset(seed=args.seed)
    torch.set_num_threads(1)  # after the first parallel loop of the matches, which lets PyTorch use all cores
    next_obs, next_mask = torch.from_numpy(seen), torch.from_numpy(info["action_mask"]).bool()
    next_done = torch.zeros(args.num_envs)
    began = time.perf_counter()
    num_updates = -(-args.total_timesteps // batch_size)
    for update in range(1, num_updates + 1):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - (update - 1) / num_updates)
        finished = []
        for step in range(args.num_steps):
            obs[step], masks[step], dones[step] = next_obs, next_mask, next_done
            with torch.no_grad():
                policy = agent.choices(next_obs, next_mask)
                action = policy.sample()
                values[step] = agent.critic(next_obs).flatten()
            actions[step], logprobs[step] = action, policy.log_prob(action)
            seen, reward, terminations, truncations, info = envs.step(action.numpy())
            rewards[step] = torch.from_numpy(reward)
            next_obs, next_mask = torch.from_numpy(seen), torch.from_numpy(info["action_mask"]).bool()
            next_done = torch.from_numpy(terminations | truncations).float()
            finished += reward[terminations].tolist()

        with torch.no_grad():
            next_value = agent.critic(next_obs).flatten()
            advantages = torch.zeros(shape)
            last = torch.zeros(args.num_envs)
            for t in reversed(range(args.num_steps)):
                is_last = t == args.num_steps - 1
                going_on = 1.0 - (next_done if is_last else dones[t + 1])
                coming = next_value if is_last else values[t + 1]
                delta = rewards[t] + args.gamma * coming * going_on - values[t]
                last = delta + args.gamma * args.gae_lambda * going_on * last
                advantages[t] = last
            returns = advantages + values

        flat = [part.flatten(0, 1) for part in (obs, masks, actions, logprobs, advantages, returns)]
        for _ in range(args.update_epochs):
            for rows in torch.randperm(batch_size).chunk(args.num_minibatches):
                b_obs, b_masks, b_actions, b_logprobs, b_advantages, b_returns = (part[rows] for part in flat)
                policy = agent.choices(b_obs, b_masks)
                ratio = (policy.log_prob(b_actions) - b_logprobs).exp()
                gains = (b_advantages - b_advantages.mean()) / (b_advantages.std() + 1e-8)
                near = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                pg_loss = -torch.minimum(gains * ratio, gains * near).mean()
                v_loss = 0.5 * (agent.critic(b_obs).flatten() - b_returns).square().mean()
                loss = pg_loss - args.ent_coef * policy.entropy().mean() + args.vf_coef * v_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()

        speed = int(update * batch_size / (time.perf_counter() - began))
        mean = f"mean reward {np.mean(finished):+.3f}" if finished else "none ended"
        print(f"{update * batch_size:>10,} moves, {len(finished)} matches, {mean}, {speed:,} moves/s", flush=True)
    envs.close()
    return agent


@cache
def load(game_id: str, path: str) -> Agent:
    """A saved agent, read once."""
    agent = Agent(ludotheque.game(game_id))
    agent.load_state_dict(torch.load(path, weights_only=True))
    return agent


def player(game: ludotheque.Game, seed: int | str | None, path: str = "agent.pt") -> Callable[..., ludotheque.Move]:
    """The agent as a contestant: the network gets what its seat sees, and the likeliest legal move is played."""
    agent, encoder = load(game.id, path), Encoder(game)

    @torch.no_grad()
    def choose(record: Any, seat: int, legal: list[ludotheque.Move]) -> ludotheque.Move:
        logits = agent.actor(torch.from_numpy(encoder.observe(record, seat)))
        return max(legal, key=lambda move: float(logits[move.id]))

    return choose


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in asdict(Args()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"({value})")
    settings = Args(**vars(parser.parse_args()))
    torch.save(train(settings).state_dict(), settings.out)
