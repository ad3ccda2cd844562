"""docs/adding-a-game.md, followed to the letter: every command and snippet of the page, in its order.

What needs somebody at the keyboard gets one: a prompt is typed at, a terminal is a real one (tmux), a room is entered
over its WebSocket. The browser's part is in `tests/web/browser/test_another_game.py`.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets

import ludotheque
from ludotheque.cli import main
from ludotheque.core import registry
from ludotheque.scaffold import PROJECT
from tests import needs
from tests.scaffold.environment import Environment, blocks
from tests.server.services import free_port
from tests.tui.test_tmux import Terminal

TURNS = "\n".join(["roll", "roll", "hold"] * 200)


def follow(place: Environment, kind: str, text: str) -> Iterator[str]:
    """Do what a block of the page says; the commands that were run."""
    if kind == "toml":
        written = [path.read_text(encoding="utf-8") for path in (place.work / "pig").rglob("*.toml")]
        assert any(text in one for one in written), f"no file of the game has\n{text}"
    elif kind == "python":
        place.run_python(text)
    else:
        assert kind == "sh", f"nobody knows how to follow a block of {kind}"
        for command in text.splitlines():
            handler = next((act for start, act in ACTS.items() if command.startswith(start)), run_to_the_end)
            handler(place, command)
            yield command


def run_to_the_end(place: Environment, command: str) -> None:
    place.run(command)


def show_a_rule(place: Environment, command: str) -> None:
    assert "[P4]" in place.run(command)


def play_at_the_prompt(place: Environment, command: str) -> None:
    said = place.run(command, TURNS)
    assert "Ana rolls" in said and "The match is over" in said, said[-2000:]


def keep_score(place: Environment, command: str) -> None:
    said = place.run(command, "12\n1\n0\n" * 30)
    assert "a 1 loses all of them" in said and "Points:" in said, said[-2000:]


def play_in_a_terminal(place: Environment, command: str) -> None:
    """On the table that fills the terminal: keys pressed until the person has held something."""
    terminal = Terminal(place.work)
    try:
        names = ("PATH", "PYTHONPATH", "NUMBA_DISABLE_JIT", "LUDOTHEQUE_CACHE", "LUDOTHEQUE_HOME", "LUDOTHEQUE_LANG")
        given = {name: place.env[name] for name in names if name in place.env}
        terminal.run_command(command, 80, 24, {**given, "LANG": "C.UTF-8"})
        text = terminal.wait(lambda text: "Your turn, Ana." in text)
        assert text.splitlines()[0].startswith(" Pig  Round ") and "First to 100 points." in text
        terminal.press("roll", "Enter")
        terminal.wait(lambda text: "Ana rolls" in text or "Ana loses" in text)
        terminal.press("C-q")
        terminal.wait(lambda text: "left with 0" in text)
    finally:
        terminal.close()


def visit_the_room(place: Environment, command: str) -> None:
    """A match against bots over the room's own interface, to its end."""
    port = free_port()
    server = subprocess.Popen(
        [*command.split(), "--port", str(port), "--data", str(place.work / "room")],
        env={**place.env, "LUDOTHEQUE_BOT_PACE": "0"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None and "http://" in server.stdout.readline()
        url = f"http://127.0.0.1:{port}"
        asyncio.run(asyncio.wait_for(play_in_the_room(url), 600))
    finally:
        server.terminate()
        server.communicate(timeout=60)


def ask(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read())


async def play_in_the_room(url: str) -> None:
    for _ in range(600):
        try:
            listed = await asyncio.to_thread(ask, f"{url}/api/games?lang=en")
            break
        except OSError:
            await asyncio.sleep(0.1)
    pig = {game["id"]: game for game in listed["games"]}["pig"]
    assert pig["name"] == "Pig" and pig["has_pad"] and [o["name"] for o in pig["options"]] == ["target"]
    wanted = {"game": "pig", "seats": 3, "name": "Ana", "bots": ["club", "beginner"], "options": {"target": 20}}
    made = await asyncio.to_thread(ask, f"{url}/api/tables", wanted)
    seen = []
    async with websockets.connect(f"{url.replace('http', 'ws', 1)}/ws/{made['table']['id']}") as socket:
        await socket.send(json.dumps({"type": "hello", "token": made["token"], "lang": "en"}))
        number = 0
        async for text in socket:
            message = json.loads(text)
            assert message["type"] not in ("refused", "bye"), message
            if message["type"] == "welcome":
                await socket.send(json.dumps({"type": "start", "id": "start"}))
            seen += [one["text"] for event in message.get("events", []) for one in event.get("seen", [])]
            view = message.get("view")
            if view and view["over"]:
                break
            if view and view["actor"] == 0 and view["legal"]:
                number += 1
                move = {"type": "move", "id": f"m{number}", "seq": message["seq"], "move": view["legal"][-1]["move"]}
                await socket.send(json.dumps(move))
    assert view["table"]["target"] == 20 and max(view["table"]["scores"]) >= 20
    assert any("rolls" in line for line in seen) and any("won with" in line for line in seen)


def simulate(place: Environment, command: str) -> None:
    said = place.run(command)
    assert "Pig" in said and "Turns that end with a 1" in said, said


def let_bots_play(place: Environment, command: str) -> None:
    said = place.run(command)
    assert "club" in said and "beginner" in said, said


def run_its_tests(place: Environment, command: str) -> None:
    assert "9 passed" in place.run(command)


ACTS = {
    "ludotheque rules": show_a_rule,
    "ludotheque play pig --plain": play_at_the_prompt,
    "ludotheque play": play_in_a_terminal,
    "ludotheque pad": keep_score,
    "ludotheque serve": visit_the_room,
    "ludotheque simulate": simulate,
    "ludotheque tournament": let_bots_play,
    "python -m pytest": run_its_tests,
    "NUMBA_DISABLE_JIT=1 python -m pytest": run_its_tests,
}


@pytest.mark.slow
def test_the_page_is_followed_to_the_letter(tmp_path: Path) -> None:
    if shutil.which("tmux") is None:
        needs.missing("tmux is not installed (Debian, Ubuntu: apt-get install tmux)")
    place = Environment(tmp_path)
    done: list[str] = []
    for kind, text in blocks():
        done += follow(place, kind, text)
    assert {start for start in ACTS if any(command.startswith(start) for command in done)} == set(ACTS)
    assert (place.work / "pig" / "pig_game" / "rules.py").exists()
    assert "pig" in place.run_python("import ludotheque; print(*ludotheque.game_ids())").split()


def test_a_folder_among_ours_is_enough(tmp_path: Path) -> None:
    """The same files below `ludotheque/games` are a game as well, without an entry point or a line elsewhere."""
    home = Path(ludotheque.__file__).parent
    copied = tmp_path / "ludotheque"
    shutil.copytree(home, copied, ignore=shutil.ignore_patterns("__pycache__", "page", "scaffold"))
    shutil.copytree(PROJECT / "pig_game", copied / "games" / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (copied / "games" / "pig").glob("*.py"):
        path.write_text(path.read_text().replace("pig_game", "ludotheque.games.pig"))
    code = (
        "import ludotheque, ludotheque.testing as t\n"
        f"assert ludotheque.__file__.startswith({str(tmp_path)!r})\n"
        "assert ludotheque.game_ids() == sorted(ludotheque.game_ids()) and 'pig' in ludotheque.game_ids()\n"
        "t.check_walk(t.Corner(ludotheque.game('pig'), 3, {}), seed=1, max_moves=50)"
    )
    environment = {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_two_actions_are_enough_for_conformance(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludotheque.testing import Corner, check_walk

    monkeypatch.syspath_prepend(str(PROJECT))
    monkeypatch.setitem(registry._REGISTERED, "pig", "pig_game")
    monkeypatch.setattr(registry, "_LOADED", dict(registry._LOADED))
    game = ludotheque.game("pig")
    assert game.info.num_actions == 2
    monkeypatch.setattr("ludotheque.core.warm.ensure", lambda *_: None)
    match = check_walk(Corner(game, 2, {"target": 20}), seed=1)
    assert match.over and main(["rules", "pig", "P6", "--lang", "fr"]) == 0
