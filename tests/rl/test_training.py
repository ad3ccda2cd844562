"""The training example: what its network sees, a very short training, and a seat for the agent. Not its strength."""

from __future__ import annotations

import importlib.util
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.bots.ladder import make_contestant
from ludotheque.core.errors import LudothequeError
from ludotheque.core.match import Match
from tests import needs

torch = needs.module("torch")

pytestmark = pytest.mark.slow

FILE = Path(__file__).parents[2] / "examples" / "train_double_lucky_7.py"
GAME = ludotheque.game("double_lucky_7")


def _load() -> Any:
    spec = importlib.util.spec_from_file_location("train_double_lucky_7", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["train_double_lucky_7"] = module
    spec.loader.exec_module(module)
    return module


example = _load()

TINY = example.Settings(players=3, matches=16, steps=64, width=16, minibatch=256)
CARDS, TAKES = 57, slice(114, 171)


def after(moves: int, seed: int = 1) -> Match:
    """A match of three after some random moves."""
    rng = random.Random(seed)
    match = GAME.new(3, seed=seed)
    for _ in range(moves):
        match.play(rng.choice(match.legal()))
    return match


def seen(match: Match) -> Any:
    """The observation of the seat at turn, as a batch of one."""
    out = np.zeros((1, GAME.info.observation_size), np.int16)
    GAME.kernels.watch(match.concealed(match.actor), match.actor, out[0])
    return out


def recoloured(match: Match) -> Match:
    """The same match with every colour exchanged for the next."""

    def turn(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turn(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [turn(inner) for inner in value]
        is_card = isinstance(value, str) and value[:1] in tuple("RGBY")
        return value.translate(str.maketrans("RGBY", "GBYR")) if is_card else value

    position = match.position()
    return GAME.position({**position, "players": 3, "table": turn(position["table"])})


def test_colours_are_alike_to_the_network() -> None:
    for moves in range(4, 90, 7):
        match = after(moves, seed=moves)
        other = recoloured(match)
        inputs, turned = example.encode(GAME, 3, seen(match))
        same, otherwise = example.encode(GAME, 3, seen(other))
        assert torch.equal(inputs, same)
        legal = torch.zeros(1, GAME.info.num_actions, dtype=torch.bool)
        legal[0, match.legal_ids()] = True
        elsewhere = torch.zeros_like(legal)
        elsewhere[0, other.legal_ids()] = True
        assert torch.equal(legal.gather(1, turned), elsewhere.gather(1, otherwise))


def test_cards_that_take_the_trick_so_far_are_marked() -> None:
    looked_at = 0
    for moves in range(6, 120):
        match = after(moves, seed=2)
        if match.state.phase != GAME.rules.PLAYING or match.state.num_played != 1:
            continue
        inputs, turned = example.encode(GAME, 3, seen(match))
        marks = {int(turned[0, n]) for n in torch.nonzero(inputs[0, TAKES])[:, 0]}
        for card in match.legal():
            tried = match.copy()
            tried.play(card)
            assert (tried.state.best_seat == match.actor) == (card.id in marks)
            looked_at += 1
    assert looked_at > 30


def test_gains_are_what_came_less_what_was_expected() -> None:
    """With full trust in the outcome. Seat 0 chooses twice in the round, seat 1 once; the next is not finished."""
    collector = example.Collector(example.Agent(3, 16), replace(TINY, trust=1.0, matches=1, steps=5))
    seats = np.array([[0], [1], [0], [1], [1]])
    is_free = np.array([[True], [True], [True], [False], [True]])
    ended = np.array([[False], [False], [False], [True], [False]])
    rewards = np.zeros((5, 1, 3))
    rewards[3, 0] = [1.0, -0.5, -0.5]
    worths = np.array([[0.25], [0.5], [0.75], [7.0], [9.0]])
    gains, known = collector._gains(seats, is_free, ended, rewards, worths)
    assert gains[:3, 0].tolist() == [0.75, -1.0, 0.25]
    assert known[:, 0].tolist() == [True, True, True, True, False]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An agent after three updates, its file, and what it was before."""
    before = [p.clone() for p in _first().network.parameters()]
    told: list[int] = []
    agent = example.train(TINY, 1e6, 3, lambda agent, collector, minutes, decisions: told.append(decisions))
    assert told == [1024, 2048, 3072]
    path = tmp_path_factory.mktemp("agent") / "agent.pt"
    agent.save(path)
    return agent, path, before


def _first() -> Any:
    torch.manual_seed(TINY.seed)
    return example.Agent(TINY.players, TINY.width)


def test_training_changes_every_layer(trained: Any) -> None:
    agent, _, before = trained
    for now, then in zip(agent.network.parameters(), before, strict=True):
        assert torch.isfinite(now).all()
        assert not torch.equal(now, then)


def test_the_same_settings_train_the_same_agent(trained: Any) -> None:
    again = example.train(TINY, 1e6, 3, lambda *_: None)
    for one, other in zip(trained[0].network.parameters(), again.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_illegal_moves_have_no_chance(trained: Any) -> None:
    batch = example.Collector(trained[0], TINY).collect()
    with torch.no_grad():
        logs, _ = trained[0].network(batch.inputs, batch.masks)
    assert logs.exp()[~batch.masks].max() == 0
    assert batch.masks.gather(1, batch.actions[:, None]).all()
    assert torch.allclose(logs.exp().sum(1), torch.ones(len(logs)))


def test_a_saved_agent_takes_a_seat_in_a_tournament(trained: Any) -> None:
    agent, path, _ = trained
    bots = [make_contestant(GAME, f"{FILE}:player:{path}", 1), make_contestant(GAME, "club", 1)]
    match = GAME.new(3, seed=5, rounds=7)
    while not match.over:
        move = bots[match.actor > 0].choose(match)
        if match.actor == 0:
            assert move is agent.choose(match.concealed(0), 0, match.legal())
        match.play(move)


def test_what_an_agent_cannot_play_it_says(trained: Any, tmp_path: Path) -> None:
    _, path, _ = trained
    name = f"{FILE}:player"
    with pytest.raises(LudothequeError, match="there is no agent"):
        make_contestant(GAME, f"{name}:{tmp_path / 'none.pt'}")
    (tmp_path / "bad.pt").write_text("nothing")
    with pytest.raises(LudothequeError, match="is not an agent"):
        make_contestant(GAME, f"{name}:{tmp_path / 'bad.pt'}")
    with pytest.raises(LudothequeError, match="not lobo77"):
        make_contestant(ludotheque.game("lobo77"), f"{name}:{path}")
    with pytest.raises(LudothequeError, match="3 players"):
        make_contestant(GAME, f"{name}:{path}").choose(GAME.new(4, seed=1))


@pytest.mark.slow
def test_the_command_trains_draws_and_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, plot = tmp_path / "agent.pt", tmp_path / "curve.svg"
    arguments = f"--updates 2 --players 2 --matches 8 --steps 64 --width 8 --deals 1 --out {out} --plot {plot}"
    monkeypatch.setattr(sys, "argv", ["train", *arguments.split()])
    example.main()
    assert "points to club" in capsys.readouterr().out
    assert plot.read_text().startswith("<?xml")
    before = out.read_bytes()
    with pytest.raises(SystemExit, match="there already"):
        example.main()
    assert out.read_bytes() == before
