"""The recipes in examples/: each learns for a moment, and what it saved takes a seat. Not their strength."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from tests import needs

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME = "double_lucky_7"
RECIPES = {
    "sb3_maskable_ppo.py": ("sb3_contrib", f"{GAME} --steps 1", "agent.zip"),
    "torchrl_ppo.py": ("torchrl", f"{GAME} --steps 1", "agent.pt"),
    "cleanrl_ppo.py": ("torch", f"--game {GAME} --total-timesteps 1 --num-envs 16 --num-steps 16", "agent.pt"),
    "openspiel_dqn.py": ("tree", f"{GAME} --episodes 2", "agent.pt"),
}

SEAT = """
import sys
import ludotheque
from ludotheque.bots.ladder import make_contestant

game = ludotheque.game("double_lucky_7")
bots = [make_contestant(game, sys.argv[1], 1), make_contestant(game, "random", 1)]
match = game.new(2, seed=5, rounds=7)
while not match.over:
    match.play(bots[match.actor].choose(match))
"""


def run(*arguments: str, folder: Path) -> None:
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_learns_and_its_agent_plays_a_match(name: str, tmp_path: Path) -> None:
    library, small, agent = RECIPES[name]
    needs.installed(library)
    recipe = str(EXAMPLES / name)
    run(recipe, *small.split(), "--out", agent, folder=tmp_path)
    run("-c", SEAT, f"{recipe}:player:{agent}", folder=tmp_path)


def load() -> Any:
    spec = importlib.util.spec_from_file_location("language_model", EXAMPLES / "language_model.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


llm = load()


@pytest.mark.parametrize("game", ludotheque.game_ids())
def test_a_model_is_told_its_moves_and_plays_them(game: str) -> None:
    """The stand-in reads them out of the prompt alone, so every one of its first hundred replies is understood."""
    loaded = ludotheque.game(game)
    choose, match = llm.player(loaded, 1), loaded.new(seed=1)
    for _ in range(100):
        if match.over:
            break
        move = choose(match.concealed(match.actor), match.actor, match.legal())
        assert move in match.legal()
        match.play(move)


def test_a_model_that_does_not_answer_gets_asked_again_and_then_a_random_move() -> None:
    game = ludotheque.game(GAME)
    chats: list[Any] = []

    def silent(chat: Any) -> str:
        chats.append(list(chat))
        return "I pass"

    player, match = llm.Player(game, silent, 1), game.new(seed=1)
    assert player.choose("Your moves", match.legal()) in match.legal()
    assert (player.asked, player.refused, [len(chat) for chat in chats]) == (3, 3, [2, 4, 6])
    assert llm.find_move("Well.\n`*>3`", ["*>3", ">3"]) == "*>3" and llm.find_move("", ["a"]) is None
    for wrong in ("nobody", "model@ftp://x"):
        with pytest.raises(ludotheque.InvalidOptions, match="MODEL@ADDRESS"):
            llm.find_model(wrong)


def test_a_model_behind_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes chats as OpenAI's does, with the stand-in behind it."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(
                (
                    self.headers["Authorization"],
                    body := json.loads(self.rfile.read(int(self.headers["Content-Length"]))),
                )
            )
            reply = json.dumps({"choices": [{"message": {"content": llm.Scripted(1)(body["messages"])}}]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: Any) -> None:
            pass

    monkeypatch.setenv("LANGUAGE_MODEL_KEY", "secret")
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        model = llm.find_model(f"tiny@http://127.0.0.1:{server.server_port}/v1/chat/completions")
        game = ludotheque.game(GAME)
        match = game.new(seed=1)
        move = llm.Player(game, model, 1).choose(llm.describe(match, match.actor), match.legal())
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert move in match.legal()
    assert asked[0][0] == "Bearer secret" and asked[0][1]["model"] == "tiny"
