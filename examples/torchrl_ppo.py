"""Train PPO with TorchRL's own parts against bots, and sit the agent down in a tournament.

    pip install 'ludotheque[lab,torchrl]'
    python examples/torchrl_ppo.py double_lucky_7 --steps 100000 --out agent.pt
    ludotheque tournament double_lucky_7 --bots examples/torchrl_ppo.py:player:agent.pt,random

TorchRL finds the mask in the observation: `ActionMask` keeps random actions legal, `MaskedCategorical` the policy's.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import LazyTensorStorage, ReplayBuffer, SamplerWithoutReplacement
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, RewardSum, SerialEnv, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import ludotheque
from ludotheque.rl import gymnasium
from ludotheque.rl.observations import Encoder

WIDTH, BATCH, MINIBATCH, EPOCHS = 128, 1024, 256, 4


def make_env(game: str, opponents: str, num_envs: int = 8) -> TransformedEnv:
    """Matches side by side, with masks as TorchRL's distributions want them."""

    def one() -> GymWrapper:
        return GymWrapper(gymnasium.env(game, opponents, reward="centred"), categorical_action_encoding=True)

    as_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    return TransformedEnv(SerialEnv(num_envs, one), Compose(as_bool, ActionMask(), RewardSum()))


def make_actor(game: ludotheque.Game) -> ProbabilisticActor:
    """A policy that gives illegal actions no chance."""
    network = nn.Sequential(
        nn.Linear(game.info.observation_size, WIDTH), nn.Tanh(), nn.Linear(WIDTH, game.info.num_actions)
    )
    return ProbabilisticActor(
        TensorDictModule(network, ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


def train(game: str, opponents: str, steps: int, out: str) -> None:
    """Learn, and save what was learnt."""
    torch.manual_seed(1)
    env, actor = make_env(game, opponents), make_actor(ludotheque.game(game))
    env.set_seed(1)
    size = ludotheque.game(game).info.observation_size
    critic = ValueOperator(nn.Sequential(nn.Linear(size, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 1)), ["observation"])
    gains = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimiser = torch.optim.Adam(loss.parameters(), 3e-4)
    buffer = ReplayBuffer(storage=LazyTensorStorage(BATCH), sampler=SamplerWithoutReplacement(), batch_size=MINIBATCH)
    frames = -(-steps // BATCH) * BATCH
    collector = Collector(
        env, actor, frames_per_batch=BATCH, total_frames=frames, auto_register_policy_transforms=False
    )
    for batch in collector:
        with torch.no_grad():
            gains(batch)
        buffer.extend(batch.reshape(-1))
        for _ in range(EPOCHS * BATCH // MINIBATCH):
            terms = loss(buffer.sample())
            optimiser.zero_grad()
            (terms["loss_objective"] + terms["loss_critic"] + terms["loss_entropy"]).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimiser.step()
        ended = batch["next", "episode_reward"][batch["next", "done"]]
        print(f"{len(ended)} matches, mean reward {ended.mean():+.3f}")
    collector.shutdown()
    torch.save(actor.state_dict(), out)


@cache
def load(game_id: str, path: str) -> ProbabilisticActor:
    """A saved agent, read once."""
    actor = make_actor(ludotheque.game(game_id))
    actor.load_state_dict(torch.load(path, weights_only=True))
    return actor


def player(game: ludotheque.Game, seed: int | str | None, path: str = "agent.pt") -> Callable[..., ludotheque.Move]:
    """The agent as a contestant: the network gets what its seat sees, and the likeliest legal move is played."""
    actor, encoder = load(game.id, path), Encoder(game)

    @torch.no_grad()
    def choose(record: Any, seat: int, legal: list[ludotheque.Move]) -> ludotheque.Move:
        mask = torch.zeros(game.info.num_actions, dtype=torch.bool)
        mask[[move.id for move in legal]] = True
        seen = TensorDict({"observation": torch.from_numpy(encoder.observe(record, seat)), "action_mask": mask})
        return game.move(int(actor.get_dist(seen).probs.argmax()))

    return choose


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="double_lucky_7", choices=ludotheque.game_ids())
    parser.add_argument("--opponents", default="random", help="a level of bots (random)")
    parser.add_argument("--steps", type=int, default=100_000, help="moves of the learner (100000)")
    parser.add_argument("--out", default="agent.pt", help="where the agent goes (agent.pt)")
    args = parser.parse_args()
    train(args.game, args.opponents, args.steps, args.out)
