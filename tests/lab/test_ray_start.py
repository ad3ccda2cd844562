"""Two machines as anybody sets them up, with `ray start` twice: one that is slow, and one that dies."""

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
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from ludotheque.cli import main
from tests import needs
from tests.lab.ray_nodes import SOON, children
from tests.lab.test_cluster import LIMIT, ROOT, SIMULATE, wait_for

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]
HOST = "127.0.0.2"
"""This machine and nobody else; 127.0.0.1 Ray would replace by the address that others see."""
NODE = ["--block", f"--node-ip-address={HOST}", "--num-cpus=1", f"--object-store-memory={100 << 20}"]
NODE += ["--min-worker-port=0", "--max-worker-port=0", "--dashboard-agent-listen-port=0"]


def descendants(pid: int) -> list[int]:
    """A process and all that it has started, and they in turn."""
    found = [pid]
    with suppress(OSError):  # it is gone
        for child in children(pid):
            found += descendants(child)
    return found


@dataclass
class Machines:
    """Two nodes, each a `ray start` that stays."""

    address: str
    environment: dict[str, str]
    second: subprocess.Popen[bytes]

    def start(self, *command: str) -> subprocess.Popen[str]:
        """A driver."""
        return subprocess.Popen(
            [sys.executable, "-m", "ludotheque", *command, "--ray", self.address],
            env=self.environment, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def at_work(self) -> list[int]:
        """The second machine's processes that have a task."""
        found = []
        for pid in descendants(self.second.pid):
            with suppress(OSError):
                if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::work"):
                    found.append(pid)
        return found


def is_up(node: subprocess.Popen[bytes], told: Path) -> bool:
    """Whether a node stands, or has given up."""
    return node.poll() is not None or b"block forever" in told.read_bytes()


def clean_up(nodes: list[subprocess.Popen[bytes]], folder: Path) -> None:
    """Leave nothing of the machines."""
    for pid in [pid for node in reversed(nodes) for pid in descendants(node.pid)]:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    for node in nodes:
        node.wait(LIMIT)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def machines(request: pytest.FixtureRequest) -> Machines:
    needs.installed("ray")
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # the paths of sockets must be short
    (folder / "token").write_text(secrets.token_hex(32))
    environment = os.environ | {
        "RAY_TMPDIR": str(folder),
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(folder / "token"),
        "RAY_USAGE_STATS_ENABLED": "0",
        "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
    }
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    address = f"{HOST}:{port}"
    ray = [sys.executable, "-m", "ray.scripts.scripts", "start"]
    head = ["--head", f"--port={port}", "--include-dashboard=false", f"--system-config={json.dumps(SOON)}"]
    nodes: list[subprocess.Popen[bytes]] = []
    request.addfinalizer(lambda: clean_up(nodes, folder))
    for number, command in enumerate([[*ray, *head, *NODE], [*ray, f"--address={address}", *NODE]]):
        told = folder / f"node {number}"
        with told.open("wb") as file:
            nodes.append(subprocess.Popen(command, env=environment, stdout=file, stderr=subprocess.STDOUT))
        wait_for(partial(is_up, nodes[-1], told))
        assert nodes[-1].poll() is None, told.read_text()
    return Machines(address, environment, nodes[1])


def test_a_slow_machine_and_a_dead_one_change_nothing(
    machines: Machines, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The second machine halts three times while the first goes on, and then it is killed: files equal to the byte."""
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    assert main([*SIMULATE, "--jobs", "1", "--out", str(here), "--json", f"{here}.json"]) == 0
    driver = machines.start(*SIMULATE, "--out", str(there), "--json", f"{there}.json")
    request.addfinalizer(driver.kill)
    log = tmp_path / "there.parquet.part"

    def size() -> int:
        assert driver.poll() is None
        return log.stat().st_size if log.exists() else 0

    def grown(before: int) -> bool:
        return size() > before

    for _ in range(3):
        halted = wait_for(machines.at_work)
        for pid in halted:
            os.kill(pid, signal.SIGSTOP)
        before = size()
        wait_for(partial(grown, before))
        for pid in halted:
            os.kill(pid, signal.SIGCONT)
    wait_for(machines.at_work)
    driver.send_signal(signal.SIGSTOP)  # so that it cannot be done before the machine is dead
    assert not there.exists()
    for pid in descendants(machines.second.pid):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    driver.send_signal(signal.SIGCONT)
    _, err = driver.communicate(timeout=LIMIT)
    assert driver.returncode == 0, err
    assert there.read_bytes() == here.read_bytes()
    assert Path(f"{there}.json").read_bytes() == Path(f"{here}.json").read_bytes()
