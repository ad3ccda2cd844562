"""For each extra alone: install it, and do what it is for. `make test` leaves the big ones to `make test-installs`."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import needs
from tests.core.test_extras import COMMANDS, project
from tests.installs.environments import INTERPRETED, ROOT, Environment, fetch
from tests.server.services import Postgres, Redis, free_port, have_services

pytestmark = pytest.mark.slow

Install = Callable[[str], Environment]
BASE = {"ludotheque", "llvmlite", "numba", "numpy"}
INCLUDED = {
    "cluster": {"lab", "server"}, "dqn": {"openspiel", "rl"}, "openspiel": {"rl"}, "sb3": {"rl"}, "torchrl": {"rl"},
    "train": {"lab", "rl"},
}  # fmt: skip
"""Extras that others bring along."""
ROOM_MATCH = str(Path(__file__).with_name("room_match.py"))
GAME = "volle_lotte"

MATCH = """
import json
from pathlib import Path
import ludotheque

match = ludotheque.game("volle_lotte").new(players=["Ann", "Ben"], seed=7, target=1000)
bots = [ludotheque.bot("volle_lotte", level) for level in ("beginner", "casual")]
while not match.over:
    match.play(bots[match.actor].choose(match))
record = match.record()
assert ludotheque.replay(record).scores == match.scores
assert ludotheque.verify(record).true
Path("match.json").write_text(json.dumps(record))
print(len(record["moves"]))
"""


def refuses(environment: Environment, *extras: str, langs: tuple[str, ...] = ("en",)) -> None:
    """Commands whose extra is missing say which one to install; all others are not tried here."""
    present = set(extras).union(*(INCLUDED.get(extra, set()) for extra in extras))
    for command, extra in COMMANDS.items():
        for lang in langs if extra not in present else ():
            done = environment.run(["ludotheque", *command.split(), "--lang", lang], **INTERPRETED)
            assert done.returncode == 2, (command, done.stderr)
            assert f'pip install "ludotheque[{extra}]"' in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_the_base_package_plays_records_and_solves(installed: Install) -> None:
    base = installed("")
    assert base.distributions() == BASE
    compiled = base.python("-c", MATCH)
    assert base.python("-c", MATCH, **INTERPRETED) == compiled and int(compiled) > 10
    assert "The match is over" in base.ludotheque("replay match.json --plain --lang en", **INTERPRETED)
    base.ludotheque("verify match.json", **INTERPRETED)
    record = json.loads((base.work / "match.json").read_text())
    record["moves"] = record["moves"][:-1]
    (base.work / "wrong.json").write_text(json.dumps(record))
    assert base.run(["ludotheque", "verify", "wrong.json"], **INTERPRETED).returncode != 0

    said = base.ludotheque(
        f"play {GAME} --plain --players Ann,beginner --seed 3 --lang fr", "#1\nquit\n", **INTERPRETED
    )
    assert "Ann>" in said
    said = base.ludotheque(
        "pad double_lucky_7 --plain --players A,B --lang en", "0\n1\nsave p.json\nquit\n", **INTERPRETED
    )
    assert "Round 1" in said and (base.work / "p.json").exists()
    base.ludotheque("pad --plain --load p.json", "quit\n", **INTERPRETED)
    assert "B16" in base.ludotheque("rules loba --lang fr")
    assert "%" in base.ludotheque(f"solve {GAME} --target 1000 --out table.npz")
    assert (base.work / "table.npz").exists()
    base.ludotheque(f"simulate {GAME} --games 20 --jobs 1 --json x.json --report x.html", **INTERPRETED)
    refuses(base, langs=("en", "fr"))
    for module, extra in {"pettingzoo": "rl", "gymnasium": "rl", "openspiel": "openspiel"}.items():
        done = base.run(["python", "-c", f"import ludotheque.rl.{module}"], **INTERPRETED)
        assert done.stderr.rstrip().endswith(f'pip install "ludotheque[{extra}]"'), done.stderr


def test_tui_shows_its_first_screen(installed: Install) -> None:
    tui = installed("tui")
    shown = on_terminal([str(tui.bin / "ludotheque"), "play", "--lang", "en"], tui)
    assert all(name in shown for name in ("LOBO 77", "Loba", "Skip-Bo", "Volle Lotte", "Double Lucky 7")), shown
    refuses(tui, "tui")


def on_terminal(command: list[str], environment: Environment) -> str:
    """What a program writes on a terminal of 100 by 30 until the last game of the menu is there; then `q` ends it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    variables = environment.variables(TERM="xterm-256color", **INTERPRETED)
    program = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=variables, cwd=environment.work, start_new_session=True
    )
    os.close(theirs)
    written = b""
    try:
        while select.select([ours], [], [], 60)[0]:
            try:
                written += os.read(ours, 65536)
            except OSError:  # the program has ended
                break
            if b"Double Lucky 7" in written:
                os.write(ours, b"q")
    finally:
        os.close(ours)
        program.kill() if program.poll() is None else None
        code = program.wait()
    text = written.decode("utf-8", "replace")
    assert code == 0, text
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_lab_simulates_measures_and_rates(installed: Install) -> None:
    lab = installed("lab")
    lab.ludotheque(f"simulate {GAME} --games 50 --jobs 1 --report games.html --out games.parquet", **INTERPRETED)
    rows = lab.python("-c", "import pyarrow.parquet as p; print(p.read_table('games.parquet').num_rows)")
    assert int(rows) == 100
    assert "<svg" in (lab.work / "games.html").read_text()
    bots = "--bots beginner,random --deals 2"
    said = lab.ludotheque(f"tournament {GAME} {bots} --report t.html --plot t.svg --lang en", **INTERPRETED)
    assert "rating" in said
    lab.ludotheque(f"skill {GAME} {bots} --report s.html", **INTERPRETED)
    assert all((lab.work / name).stat().st_size > 1000 for name in ("t.html", "t.svg", "s.html"))
    refuses(lab, "lab")


def played(environment: Environment, *addresses: str) -> bool:
    """Whether two people have played a match to its end in a room, with libraries of the environment."""
    moves = [int(word) for word in environment.python(ROOM_MATCH, *addresses).split()]
    return len(moves) == 2 and sum(moves) > 1


def test_server_serves_its_pages_and_a_match(installed: Install) -> None:
    server = installed("server")
    with server.serving(free_port(), "--lang", "en") as address:
        page = fetch(address)
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
        assert scripts and all(fetch(address + script) for script in scripts)
        assert played(server, address)
    server.ludotheque(f"admin backup copy.sqlite3 --data data-{address.rpartition(':')[2]}")
    refuses(server, "server")


@pytest.mark.big_install
def test_rl_runs_its_page(installed: Install) -> None:
    rl = installed("rl")
    assert rl.snippets(ROOT / "docs" / "learning.md") >= 5
    refuses(rl, "rl")


@pytest.mark.big_install
def test_openspiel_runs_its_page(installed: Install) -> None:
    openspiel = installed("openspiel")
    assert openspiel.snippets(ROOT / "docs" / "openspiel.md") >= 1
    refuses(openspiel, "openspiel")


@pytest.mark.big_install
def test_train_trains_an_agent_that_plays(installed: Install) -> None:
    train = installed("train")
    shutil.copytree(ROOT / "examples", train.work / "examples")
    program = "examples/train_double_lucky_7.py"
    small = "--updates 1 --matches 32 --steps 32 --deals 2 --rival random"
    train.python(program, *small.split(), "--out", "agent.pt", "--plot", "curve.svg")
    bots = f"--bots {program}:player:agent.pt,random --players 4 --deals 2"
    assert "random" in train.ludotheque(f"tournament double_lucky_7 {bots}")
    refuses(train, "train")


def learns(environment: Environment, program: str, small: str) -> None:
    """A recipe trains a little with what its extra brought, and saves an agent."""
    environment.python(str(ROOT / "examples" / program), *small.split(), "--out", "agent")
    assert list(environment.work.glob("agent*"))


@pytest.mark.big_install
def test_sb3_runs_its_recipe(installed: Install) -> None:
    learns(installed("sb3"), "sb3_maskable_ppo.py", "--steps 1")


@pytest.mark.big_install
def test_torchrl_runs_its_recipe(installed: Install) -> None:
    learns(installed("torchrl"), "torchrl_ppo.py", "--steps 1")


@pytest.mark.big_install
def test_dqn_runs_its_recipe(installed: Install) -> None:
    learns(installed("dqn"), "openspiel_dqn.py", "--episodes 2")


@pytest.mark.big_install
def test_cluster_simulates_on_ray_and_serves_from_two_servers(installed: Install) -> None:
    cluster = installed("cluster")
    cluster.ludotheque(f"simulate {GAME} --games 40 --out one.parquet --jobs 1", **INTERPRETED)
    cluster.ludotheque(f"simulate {GAME} --games 40 --out ray.parquet --ray local", **INTERPRETED)
    one, ray = (cluster.work / f"{name}.parquet" for name in ("one", "ray"))
    assert one.read_bytes() == ray.read_bytes()
    if not have_services():
        needs.missing("PostgreSQL or Redis is not installed: make services")
    postgres, redis = Postgres(), Redis()
    try:
        postgres.start()
        redis.start()
        shared = ("--database", postgres.url, "--bus", redis.url, "--lang", "en")
        with cluster.serving(free_port(), *shared) as first, cluster.serving(free_port(), *shared) as second:
            assert played(cluster, first, second)
    finally:
        postgres.remove()
        redis.remove()
    refuses(cluster, "cluster")


def test_every_extra_for_people_is_tried() -> None:
    """An extra that is added is installed and used here too."""
    tried = {name.split("_")[1] for name in globals() if name.startswith("test_")}
    assert set(project()) - {"bench", "dev", "docs", "web"} <= tried
