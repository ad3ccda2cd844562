"""Work on a real Ray of two nodes on this machine: what dies, differs, or is not there at all."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pytest

from ludotheque import LudothequeError, __version__
from ludotheque.cli import main
from ludotheque.core import extras
from ludotheque.core.texts import worded
from ludotheque.lab import cluster
from ludotheque.lab.cluster import Cluster, check_address, fingerprint
from ludotheque.lab.shards import Part, Plan, play_shard
from tests import needs

pytestmark = pytest.mark.compiled_only
T = TypeVar("T")
ROOT = Path(__file__).parents[2]
LIMIT = 240
"""Seconds that nothing here may last."""

SIMULATE = [
    "simulate",
    "double_lucky_7",
    "--bots",
    "random",
    "--games",
    "1000000",
    "--players",
    "3",
    "--rounds",
    "7",
    "--lang",
    "en",
]


@dataclass
class Nodes:
    """The cluster of `ray_nodes.py`, and the environment in which it and its drivers run."""

    process: subprocess.Popen[str]
    environment: dict[str, str]
    address: str
    folder: Path

    def order(self, *words: str) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "ok\n"

    def start(self, *command: str) -> subprocess.Popen[str]:
        """A driver."""
        return subprocess.Popen(
            [sys.executable, *command], env=self.environment, cwd=ROOT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def workers(self) -> list[int]:
        """The processes of these nodes that have a task."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                is_worker = (process / "cmdline").read_bytes().startswith(b"ray::work")
                if is_worker and os.fsencode(self.folder) in (process / "environ").read_bytes():
                    found.append(int(process.name))
            except OSError:
                pass  # it is gone
        return found


@pytest.fixture(scope="module")
def ray() -> None:
    needs.installed("ray")


@pytest.fixture(scope="module")
def nodes(ray: None) -> Iterator[Nodes]:
    """Two nodes with a processor each, on the loopback address, with their files in a folder of their own."""
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # the paths of sockets must be short
    (folder / "ray").mkdir()
    (folder / "token").write_text(secrets.token_hex(32))
    environment = os.environ | {
        "RAY_TMPDIR": str(folder),
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(folder / "token"),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # stay on the loopback address, as Ray does there
        "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
    }
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tests/lab/ray_nodes.py")], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    yield Nodes(process, environment, process.stdout.readline().strip(), folder)
    process.communicate(timeout=LIMIT)
    shutil.rmtree(folder, ignore_errors=True)


def wait_for(condition: Callable[[], T]) -> T:
    end = time.monotonic() + LIMIT
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


SQUARES = """
import json, sys
from ludotheque.lab.cluster import Cluster
from tests.lab.ray_nodes import square

machines = []
with Cluster(sys.argv[1]) as cluster:
    for _ in range(int(sys.argv[2])):
        for place, result in cluster.spread(square, ((n, 0.1) for n in range(40)), machines.append):
            print(json.dumps([place, result, max(machines)]), flush=True)
"""


@pytest.mark.slow
def test_each_task_comes_back_once_and_ray_keeps_quiet(nodes: Nodes) -> None:
    """Two runs one after the other; in the second a node falls silent."""
    driver = nodes.start("-c", SQUARES, nodes.address, "2")
    assert driver.stdout is not None
    lines = [driver.stdout.readline() for _ in range(42)]
    nodes.order("kill")
    out, err = driver.communicate(timeout=LIMIT)
    nodes.order("add")
    assert (err, driver.returncode) == ("", 0)
    found = [json.loads(line) for line in lines + out.splitlines()]
    for half in (found[:40], found[40:]):
        assert sorted((place, result[0]) for place, result, _ in half) == [(n, n * n) for n in range(40)]
    assert len({result[1] for _, result, _ in found[:40]}) == 2
    assert found[-1][2] == 2


@pytest.mark.slow
def test_what_dies_costs_nothing_but_time(nodes: Nodes, tmp_path: Path) -> None:
    """A worker is killed and a node removed: files are the same as those of one process here, to the byte."""
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    assert main([*SIMULATE, "--jobs", "1", "--out", str(here), "--json", f"{here}.json"]) == 0
    command = [*SIMULATE, "--ray", nodes.address, "--out", str(there), "--json", f"{there}.json"]
    driver = nodes.start("-m", "ludotheque", *command)
    log = tmp_path / "there.parquet.part"
    wait_for(lambda: driver.poll() is not None or (log.exists() and log.stat().st_size > 10_000))
    os.kill(wait_for(nodes.workers)[0], signal.SIGKILL)
    driver.send_signal(signal.SIGSTOP)  # so that it cannot be done before the node is gone
    nodes.order("remove")
    assert log.exists() and not there.exists()
    driver.send_signal(signal.SIGCONT)
    _, err = driver.communicate(timeout=LIMIT)
    nodes.order("add")
    assert driver.returncode == 0, err
    assert "Ray" not in err and "ray" not in err
    assert there.read_bytes() == here.read_bytes()
    assert Path(f"{there}.json").read_bytes() == Path(f"{here}.json").read_bytes()


@pytest.mark.slow
def test_a_tournament_runs_there_too(nodes: Nodes, tmp_path: Path) -> None:
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    command = ["tournament", "double_lucky_7", "--bots", "club,random", "--deals", "6", "--rounds", "7"]
    assert main([*command, "--json", str(here)]) == 0
    driver = nodes.start("-m", "ludotheque", *command, "--json", str(there), "--ray", nodes.address)
    _, err = driver.communicate(timeout=LIMIT)
    assert driver.returncode == 0, err
    assert json.loads(there.read_text())["cells"] == json.loads(here.read_text())["cells"]


@pytest.mark.slow
def test_ctrl_c_leaves_the_cluster_clean_and_another_machine_goes_on(nodes: Nodes, tmp_path: Path) -> None:
    whole, resumed = tmp_path / "whole.json", tmp_path / "resumed.json"
    assert main([*SIMULATE, "--json", str(whole)]) == 0
    command = [*SIMULATE, "--json", str(resumed)]
    driver = nodes.start("-m", "ludotheque", *command, "--ray", nodes.address)
    log = tmp_path / "resumed.json.part"
    wait_for(lambda: driver.poll() is not None or (log.exists() and log.stat().st_size > 10_000))
    driver.send_signal(signal.SIGINT)
    _, err = driver.communicate(timeout=LIMIT)
    assert driver.returncode == 130, err
    assert "--resume" in err
    wait_for(lambda: not nodes.workers())
    assert main([*command, "--resume"]) == 0
    assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("other", ["an older version", "nothing"])
def test_a_machine_with_other_sources_is_refused(nodes: Nodes, tmp_path: Path, other: str) -> None:
    package = tmp_path / "ludotheque"
    if other == "nothing":
        package.mkdir()
        (package / "__init__.py").touch()  # in front of the one installed
    else:
        shutil.copytree(ROOT / "src/ludotheque", package, ignore=shutil.ignore_patterns("page", "__pycache__"))
        with (package / "lab/statistics.py").open("a") as file:
            file.write("# older\n")
    nodes.order("add", str(tmp_path))
    driver = nodes.start("-m", "ludotheque", *SIMULATE, "--ray", nodes.address)
    _, err = driver.communicate(timeout=LIMIT)
    nodes.order("remove")
    assert driver.returncode == 2
    assert ("is not installed on 127.0.0.1" if other == "nothing" else "127.0.0.1 has another ludotheque") in err
    assert fingerprint() in err


@pytest.mark.usefixtures("ray")
def test_what_is_no_cluster_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "never.parquet"
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        assert main([*SIMULATE, "--ray", address, "--out", str(out)]) == 2
    assert f"nothing answers at {address}" in capsys.readouterr().err
    for address in ("here", "host:", ":1", "host:0", "host:99999", "ray://host:1"):
        assert main([*SIMULATE, "--ray", address, "--out", str(out)]) == 2
        assert "host:port, auto or local" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("done", [0, 2])
def test_when_the_cluster_is_gone_the_run_can_go_on(
    done: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Dying:
        def __init__(self, address: str) -> None:
            pass

        def __enter__(self) -> Dying:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def run(self, plan: Plan, numbers: Iterator[int], watch: Callable[[int], None]) -> Iterator[tuple[int, Part]]:
            watch(1)
            for number in islice(numbers, done):
                yield number, play_shard(plan, number)
            raise worded(LudothequeError, "cluster.gone")

    monkeypatch.setattr(cluster, "Cluster", Dying)
    out = tmp_path / "out.json"
    command = ["simulate", "double_lucky_7", "--bots", "random", "--games", "20000", "--json", str(out), "--lang", "en"]
    assert main([*command, "--ray", "auto"]) == 2
    told = capsys.readouterr().err
    assert "the Ray cluster is gone" in told
    assert ("--resume" in told) == (done > 0)
    assert [path.name for path in tmp_path.iterdir()] == (["out.json.part"] if done else [])
    assert main(command + ["--resume"] * (done > 0)) == 0
    assert out.exists()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(LudothequeError, match=r"ludotheque\[cluster\]"):
        check_address("local")


@pytest.mark.usefixtures("ray")
def test_what_listens_but_is_not_ray_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "JOINING", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(LudothequeError, match=f"what listens at {address} does not answer as a Ray cluster"):
            Cluster(address)


def test_a_fingerprint_is_of_version_and_sources() -> None:
    assert fingerprint().partition("+")[0] == __version__
    assert len(fingerprint().partition("+")[2]) == 12
