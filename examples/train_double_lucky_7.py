"""Train a small agent for Double Lucky 7 by letting it play against itself, watch it learn, and sit it down at a table.

    python examples/train_double_lucky_7.py --minutes 6 --out agent.pt --plot curve.svg
    ludotheque tournament double_lucky_7 --players 4 --deals 150 \\
        --bots examples/train_double_lucky_7.py:player:agent.pt,club

Hundreds of matches are stepped together in an arena. One network plays all seats; it learns by PPO from the points of
each round, its own less the mean of the others', and may choose among legal moves only. Needs the extras `train` and
`lab`. See docs/training.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import ludotheque
from ludotheque.bots.bot import Bot
from ludotheque.bots.ladder import make_contestant
from ludotheque.bots.outside import OutsideBot
from ludotheque.core import extras
from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.progress import Bar
from ludotheque.core.record import Buffer
from ludotheque.lab.duels import play_deal
from ludotheque.lab.statistics import Estimate, bootstrap
from ludotheque.rl.vector import make

extras.need("train")
import torch
from torch import Tensor, nn

GAME = "double_lucky_7"
COLOURS, NUMBERS, JOKER, NUM_CARDS, NUM_ACTIONS = 4, 14, 56, 57, 69
TRUMP_ACTIONS, BID_ACTIONS, MAX_BID = 57, 61, 7
POINTS = 10.0  # an exact bid makes 10 and more: rewards are then about 1


@dataclass(frozen=True)
class Settings:
    """What a training run is made of. The same settings and number of updates give the same agent."""

    players: int = 4
    matches: int = 512
    """Matches stepped together,"""
    steps: int = 128
    """and so many moves in each between two updates."""
    width: int = 256
    """Size of the two hidden layers."""
    learning_rate: float = 1e-3
    """At the beginning; it sinks to a tenth of that."""
    epochs: int = 4
    minibatch: int = 4096
    trust: float = 0.95
    """GAE's lambda; there is no discount within a round."""
    clip: float = 0.2
    entropy: float = 0.01
    threads: int = 1
    """Cores for the matches; the network has one."""
    seed: int = 1


# What the network sees. Colours are turned round so that trump is the first: what was learnt about one counts for all.


def _turned(trump: int) -> list[int]:
    """For each action as the network numbers them, the game's: colours counted from trump on."""
    cards = [(trump + colour) % COLOURS * NUMBERS + number for colour in range(COLOURS) for number in range(NUMBERS)]
    choices = [TRUMP_ACTIONS + (trump + colour) % COLOURS for colour in range(COLOURS)]
    return [*cards, JOKER, *choices, *range(BID_ACTIONS, NUM_ACTIONS)]


TURNED = torch.tensor([_turned(max(trump, 0)) for trump in range(-1, COLOURS)])
"""By trump + 1: 0 is for the moment before it is chosen."""


@cache
def _places(game: Game) -> dict[str, slice]:
    """Where each piece of the observation lies."""
    places, start = {}, 0
    for piece in game.info.observation:
        places[piece.name] = slice(start, start + piece.size)
        start += piece.size
    return places


def encode(game: Game, players: int, observations: npt.NDArray[np.int16]) -> tuple[Tensor, Tensor]:
    """The network's input for some observations, and the game's action for each of its own numbers."""
    seen = torch.from_numpy(observations.astype(np.int64))
    piece = {name: seen[:, place] for name, place in _places(game).items()}
    trump = piece["trump"][:, 0]
    turned = TURNED[trump]
    hand = piece["hand"].gather(1, turned[:, :NUM_CARDS])
    played = piece["played"].gather(1, turned[:, :NUM_CARDS])
    up = nn.functional.one_hot(piece["turned"][:, 0] - 1, NUM_CARDS).gather(1, turned[:, :NUM_CARDS])
    unseen = 1 - (hand + played + up).clamp(max=1)
    by_colour = unseen[:, :JOKER].view(-1, COLOURS, NUMBERS)
    higher = by_colour.flip(2).cumsum(2).flip(2) - by_colour  # of each card's own colour, not seen yet
    threats = torch.cat([higher.flatten(1), torch.zeros_like(trump)[:, None]], 1)

    # The trick: strength as the rules count it, in turned colours.
    cards = piece["trick"][:, :players] - 1
    shift = (trump - 1).clamp(min=0)[:, None]
    colour = torch.where(cards == JOKER, COLOURS, (cards // NUMBERS - shift) % COLOURS)
    strength = cards % NUMBERS + 50 * (colour == 0) + 100 * (cards == JOKER)
    led = colour.gather(1, piece["leader"])
    is_led = cards.gather(1, piece["leader"]) >= 0
    counts = (cards >= 0) & ((strength >= 50) | (colour == led))
    best = torch.where(counts, strength, -1).amax(1, keepdim=True)
    own = torch.arange(NUM_CARDS)
    own_colour = own // NUMBERS
    own_strength = own % NUMBERS + 50 * (own_colour == 0) + 100 * (own == JOKER)
    takes = is_led & (own_strength > best) & ((own_strength >= 50) | (own_colour == led))

    bids = piece["bids"][:, :players] - 1
    tricks = piece["tricks"][:, :players]
    size = piece["cards"]
    need = torch.where(bids >= 0, bids - tricks, -1)
    points = piece["points"][:, :players]
    void = piece["void"].view(-1, len(piece["void"][0]) // COLOURS, COLOURS)[:, 1:players]
    void = void.gather(2, (turned[:, 0:JOKER:NUMBERS] // NUMBERS)[:, None, :].expand(-1, players - 1, -1))

    def kinds(values: Tensor, number: int) -> Tensor:
        return nn.functional.one_hot(values.clamp(0, number - 1), number).flatten(1)

    parts = [
        hand, hand * threats / 4, hand * takes, unseen, hand * (own_colour == led) * is_led,
        by_colour.sum(2) / 4, hand[:, :JOKER].view(-1, COLOURS, NUMBERS).sum(2) / 2,
        kinds(need[:, :1] + 1, 9), (need[:, 1:] > 0), need[:, 1:] / 2, (need[:, 1:] < 0), bids[:, 1:] < 0,
        kinds(cards + 1, 2), kinds(torch.where(cards < 0, COLOURS + 1, colour), 6),
        torch.where(cards < 0, 0, strength) / 50, (strength == best) & counts,
        kinds(size - 1, MAX_BID), kinds(size - tricks.sum(1, keepdim=True) - 1, MAX_BID),
        (bids.clamp(min=0).sum(1, keepdim=True) - size) / 2, (size - tricks.sum(1, keepdim=True)) / 4,
        kinds((bids >= 0).sum(1, keepdim=True), players + 1), kinds((cards >= 0).sum(1, keepdim=True), players),
        kinds(piece["dealer"], players), kinds(piece["leader"], players),
        kinds((trump > 0)[:, None].long(), 2), piece["round"] == 7, void.flatten(1),
        (points[:, :1] - points[:, 1:]) / 50,
    ]  # fmt: skip
    return torch.cat([part.float() for part in parts], 1), turned


class Network(nn.Module):
    """Two hidden layers; a number for each action, and what the round will bring."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.choice = nn.Linear(width, NUM_ACTIONS)
        self.worth = nn.Linear(width, 1)
        with torch.no_grad():
            self.choice.weight *= 0.01  # at first all moves are alike

    def forward(self, inputs: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities of the actions, which are turned; 0 is the only chance of an illegal one. And the worth."""
        hidden = self.body(inputs)
        logits = self.choice(hidden).masked_fill(~masks, -1e9)
        return torch.log_softmax(logits, 1), self.worth(hidden)[:, 0]


class Agent:
    """A network and how to ask it."""

    def __init__(self, players: int, width: int) -> None:
        self.game = ludotheque.game(GAME)
        self.players, self.width = players, width
        nothing = np.zeros((1, self.game.info.observation_size), np.int16)
        nothing[:, _places(self.game)["turned"]] = 1
        self.network = Network(encode(self.game, players, nothing)[0].shape[1], width)

    def save(self, path: Path) -> None:
        """Write the agent to a file."""
        torch.save({"players": self.players, "width": self.width, "network": self.network.state_dict()}, path)

    @classmethod
    def load(cls, path: str | Path) -> Agent:
        """Read an agent back. Only numbers are read: a file cannot bring code along."""
        try:
            saved = torch.load(path, weights_only=True)
            agent = cls(saved["players"], saved["width"])
            agent.network.load_state_dict(saved["network"])
        except FileNotFoundError:
            raise LudothequeError(f"there is no agent {path}; train one: python {sys.argv[0]} --out {path}") from None
        except Exception as error:
            raise LudothequeError(f"{path} is not an agent of this program: {error}") from None
        return agent

    @torch.no_grad()
    def choose(self, record: Buffer, seat: int, legal: list[ludotheque.Move]) -> ludotheque.Move:
        """The move it thinks best for a seat, out of a record concealed for that seat."""
        if int(record.view(self.game.info.state)["num_seats"][0]) != self.players:
            raise LudothequeError(f"this agent has learnt to play with {self.players} players")
        seen = np.zeros((1, self.game.info.observation_size), np.int16)
        self.game.kernels.watch(record, seat, seen[0])
        inputs, turned = encode(self.game, self.players, seen)
        mask = torch.zeros(1, NUM_ACTIONS, dtype=torch.bool)
        mask[0, [move.id for move in legal]] = True
        logs, _ = self.network(inputs, mask.gather(1, turned))
        return self.game.moves[int(turned[0, logs[0].argmax()])]


@cache
def _loaded(path: str) -> Agent:
    torch.set_num_threads(1)
    return Agent.load(path)


def player(game: Game, seed: int | str | None, path: str = "agent.pt") -> Callable[..., ludotheque.Move]:
    """A saved agent as a contestant of `ludotheque tournament`; it takes the best move, so the seed does nothing."""
    if game.id != GAME:
        raise LudothequeError(f"this agent plays {GAME}, not {game.id}")
    return _loaded(path).choose


@dataclass
class Batch:
    """The decisions between two updates, a row each; only those of rounds that were played to the end."""

    inputs: Tensor
    masks: Tensor
    actions: Tensor
    logs: Tensor
    worths: Tensor
    gains: Tensor
    """How much better than expected it went: GAE."""


class Collector:
    """Plays the current network against itself."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        self.agent, self.settings = agent, settings
        self.env = make(
            GAME, settings.matches, settings.players, seed=settings.seed, threads=settings.threads, reward="rounds"
        )

    @torch.no_grad()
    def collect(self) -> Batch:
        """Some moves in every match, and how the rounds came out."""
        env, shape = self.env, (self.settings.steps, self.settings.matches)
        seats, ended = np.zeros(shape, np.int64), np.zeros(shape, bool)
        rewards = np.zeros((*shape, env.players))
        inputs, masks, actions, logs, worths = [], [], [], [], []
        for step in range(self.settings.steps):
            seats[step] = env.actors
            rounds = self._rounds()
            features, turned = encode(env.game, env.players, env.observations)
            mask = torch.from_numpy(env.masks).bool().gather(1, turned)
            log, worth = self.agent.network(features, mask)
            chosen = torch.multinomial(log.exp(), 1)
            _, reward, done = env.step(turned.gather(1, chosen)[:, 0].numpy())
            rewards[step], ended[step] = reward / POINTS, done.astype(bool) | (self._rounds() != rounds)
            inputs.append(features)
            masks.append(mask)
            actions.append(chosen[:, 0])
            logs.append(log.gather(1, chosen)[:, 0])
            worths.append(worth)
        choices = torch.stack(masks)
        is_free = (choices.sum(2) > 1).numpy()  # where there is one legal move there is nothing to learn
        gains, known = self._gains(seats, is_free, ended, rewards, torch.stack(worths).numpy())
        wanted = torch.from_numpy(known & is_free)
        return Batch(
            torch.stack(inputs)[wanted], choices[wanted], torch.stack(actions)[wanted], torch.stack(logs)[wanted],
            torch.stack(worths)[wanted], torch.from_numpy(gains).float()[wanted],
        )  # fmt: skip

    def _rounds(self) -> npt.NDArray[np.int16]:
        return self.env.observations[:, _places(self.env.game)["round"]][:, 0].copy()

    def _gains(
        self, seats: Any, is_free: Any, ended: Any, rewards: Any, worths: Any
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """GAE backwards through the choices, for each seat by itself; and which of them lie in rounds that have ended.

        A round is an episode: after the last choice in it comes its reward, and nothing more.
        """
        steps, matches = seats.shape
        gains, known = np.zeros((steps, matches)), np.zeros((steps, matches), bool)
        coming, worth, gain = (np.zeros((matches, rewards.shape[2])) for _ in range(3))
        is_known = np.zeros(matches, bool)
        for step in reversed(range(steps)):
            end = ended[step]
            coming[end], worth[end], gain[end] = rewards[step][end], 0.0, 0.0
            is_known |= end
            rows = np.flatnonzero(is_free[step])
            seat, expected = seats[step][rows], worths[step][rows]
            better = coming[rows, seat] + worth[rows, seat] - expected + self.settings.trust * gain[rows, seat]
            gains[step][rows] = gain[rows, seat] = better
            worth[rows, seat], coming[rows, seat] = expected, 0.0
            known[step] = is_known
        return gains, known


def improve(agent: Agent, optimiser: torch.optim.Optimizer, batch: Batch, settings: Settings, entropy: float) -> None:
    """PPO: a few passes over the decisions, in small steps that keep the choices near to what was played."""
    targets = batch.gains + batch.worths
    gains = (batch.gains - batch.gains.mean()) / (batch.gains.std() + 1e-6)
    for _ in range(settings.epochs):
        order = torch.randperm(len(gains))
        for start in range(0, len(order), settings.minibatch):
            rows = order[start : start + settings.minibatch]
            logs, worths = agent.network(batch.inputs[rows], batch.masks[rows])
            ratio = (logs.gather(1, batch.actions[rows, None])[:, 0] - batch.logs[rows]).exp()
            near = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            policy = -torch.minimum(ratio * gains[rows], near * gains[rows]).mean()
            surprise = -(logs.exp() * logs.clamp(min=-30)).sum(1).mean()
            loss = policy + 0.5 * (worths - targets[rows]).square().mean() - entropy * surprise
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.network.parameters(), 0.5)
            optimiser.step()


def seated(agent: Agent) -> Callable[[Game, str, str], Bot]:
    """What makes the bots of a deal: `agent` is this one, other names are bots of the house."""

    def sit_down(game: Game, name: str, seed: str) -> Bot:
        return OutsideBot(game, name, agent.choose, seed) if name == "agent" else make_contestant(game, name, seed)

    return sit_down


def measure(agent: Agent, rival: str, deals: int, seed: str) -> tuple[Estimate, Estimate]:
    """The agent among rivals, once in every seat of each deal: its share of wins, and its points less theirs."""
    results = [
        play_deal(agent.game, "agent", rival, agent.players, f"{seed} {n}", {}, None, seated(agent))
        for n in range(deals)
    ]
    return bootstrap([deal.wins for deal in results]), bootstrap([deal.points - deal.others for deal in results])


@dataclass(frozen=True)
class Point:
    """A point of the curve."""

    minutes: float
    decisions: int
    ahead: float
    """points per match more than the rival's at a table of rivals."""


def train(
    settings: Settings, minutes: float, updates: int, tell: Callable[[Agent, Collector, float, int], None]
) -> Agent:
    """Train until the time or the number of updates is used up, whichever comes first."""
    torch.manual_seed(settings.seed)
    agent = Agent(settings.players, settings.width)
    collector = Collector(agent, settings)
    torch.set_num_threads(1)  # after the arena's first loop, which sets it to all cores: small layers only wait then
    optimiser = torch.optim.Adam(agent.network.parameters(), settings.learning_rate, eps=1e-5)
    began = time.monotonic()
    done, decisions = 0.0, 0
    for update in range(updates):
        done = max((time.monotonic() - began) / (60 * minutes), update / updates)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = settings.learning_rate * (1 - 0.9 * done)
        improve(agent, optimiser, collector.collect(), settings, settings.entropy * (1 - done))
        decisions += settings.matches * settings.steps
        tell(agent, collector, (time.monotonic() - began) / 60, decisions)
    return agent


class Curve:
    """Draws the curve while the agent learns: in the terminal and, if wanted, in a picture that is written anew."""

    def __init__(self, settings: Settings, minutes: float, updates: int, rival: str, every: float, deals: int) -> None:
        self.settings, self.minutes, self.updates = settings, minutes, updates
        self.rival, self.every, self.deals = rival, every, deals
        self.plot: Path | None = None
        self.points: list[Point] = []
        self._bar = Bar(f"training for {settings.players} players")
        self._made = 0

    def __call__(self, agent: Agent, collector: Collector, minutes: float, decisions: int) -> None:
        """After an update."""
        self._made += 1
        done = max(minutes / self.minutes, self._made / self.updates)
        if not self.points or minutes >= self.points[-1].minutes + self.every or done >= 1:
            _, ahead = measure(agent, self.rival, self.deals, "curve")
            self.points.append(Point(minutes, decisions, ahead.mean))
            self._tell()
        self._bar.show(min(int(1000 * done), 1000), 1000)

    def _tell(self) -> None:
        last = self.points[-1]
        heights = [point.ahead for point in self.points]
        low, high = min(heights), max(heights)
        line = "".join("▁▂▃▄▅▆▇█"[int(7.99 * (h - low) / (high - low)) if high > low else 0] for h in heights)
        sys.stderr.write("\r\x1b[K" if sys.stderr.isatty() else "")
        print(f"{last.minutes:5.1f} min {last.decisions:>10,} moves  {last.ahead:+6.1f} points to {self.rival}  {line}")
        sys.stdout.flush()
        if self.plot is not None:
            self._draw(self.plot)

    def _draw(self, path: Path) -> None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 3.5), layout="constrained")
        axes = figure.subplots()
        axes.plot([p.decisions / 1e6 for p in self.points], [p.ahead for p in self.points], "o-", color="#b3502d")
        axes.axhline(0, color="#8a8794", linewidth=1, linestyle=":")
        axes.set_xlabel("million moves")
        axes.set_ylabel(f"points per match more than {self.rival}")
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, dpi=150)


def main() -> None:
    """Train, save, and say how strong it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    defaults = Settings()
    parser.add_argument("--minutes", type=float, default=6.0, help="how long at most (6)")
    parser.add_argument(
        "--updates", type=int, default=10_000, help="how many updates at most: then a run can be repeated"
    )
    parser.add_argument("--out", type=Path, default=Path("agent.pt"), help="where the agent goes (agent.pt)")
    parser.add_argument("--plot", type=Path, help="a picture of the curve, .png or .svg, written anew as it grows")
    parser.add_argument("--rival", default="club", help="whom the curve compares with (club)")
    parser.add_argument("--deals", type=int, default=100, help="deals of the measurement at the end (100)")
    parser.add_argument("--every", type=float, default=0.5, help="minutes between two points of the curve (0.5)")
    for name, value in asdict(defaults).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"({value})")
    args = parser.parse_args()
    try:
        if args.out.exists():
            raise LudothequeError(f"{args.out} is there already: name another file, or remove it")
        settings = Settings(**{name: getattr(args, name) for name in asdict(defaults)})
        curve = Curve(settings, args.minutes, args.updates, args.rival, args.every, min(args.deals, 10))
        curve.plot = args.plot
        agent = train(settings, args.minutes, args.updates, curve)
        agent.save(args.out)
        print(
            f"{args.out}: among rivals of a kind, its share of wins (fair: {1 / settings.players:.2f}) and points ahead"
        )
        for rival in ("random", "beginner", "casual", "club"):
            wins, ahead = measure(agent, rival, args.deals, "measure")
            print(f"  {rival:9} {wins}   {ahead}")
    except LudothequeError as error:
        raise SystemExit(f"train: {error}") from None


if __name__ == "__main__":
    main()
