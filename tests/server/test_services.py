"""`make services`: it waits for another apt-get instead of failing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs

SCRIPT = Path(__file__).with_name("services.sh")

HOLD = """
import fcntl, sys
with open(sys.argv[1], "w") as lock:
    fcntl.lockf(lock, fcntl.LOCK_EX)
    print("held", flush=True)
    sys.stdin.read()
"""


def program(folder: Path, name: str, text: str) -> None:
    """A program of ours on the PATH."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A PATH on which tmux is missing, and where whoever asks is root."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program(folder, "id", "echo 0")
    for name in ("sh", "ls", "mkdir", "rmdir", "cat"):
        (folder / name).symlink_to(shutil.which(name) or name)
    return folder


def services(tools: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(tools), "CHROMIUM": "here", **more}
    return subprocess.run(["/bin/sh", str(SCRIPT)], env=environment, capture_output=True, text=True, timeout=300)


def test_every_call_waits_for_the_locks(tools: Path, tmp_path: Path) -> None:
    calls, waits = tmp_path / "calls", tmp_path / "waits"
    lock = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)"
    # The first two updates come upon a lock; what is installed then is there.
    program(
        tools,
        "apt-get",
        f'echo "$@" >> {calls}\ncase $* in *update) [ -d {tmp_path}/b ] || {{ mkdir {tmp_path}/a 2>/dev/null ||'
        f" mkdir {tmp_path}/b; echo '{lock}' >&2; exit 100; }} ;;\n"
        f"*) for made in tmux nginx redis-server postgres; do cat > {tools}/$made < /dev/null; done ;; esac",
    )
    program(tools, "sleep", f"echo $1 >> {waits}")
    services(tools)
    lines = calls.read_text().splitlines()
    assert [line.split()[2] for line in lines] == ["update", "update", "update", "install"]
    assert all(line.startswith("-o DPkg::Lock::Timeout=600 ") for line in lines)
    assert len(waits.read_text().split()) == 2


def test_another_error_is_said_at_once(tools: Path) -> None:
    program(tools, "apt-get", "echo 'E: no network' >&2; exit 100")
    program(tools, "sleep", "exit 1")
    done = services(tools)
    assert "E: no network" in done.stderr and "sudo apt-get install" in done.stderr
    assert done.returncode == 0
    assert services(tools, CI="true").returncode == 1


def test_a_real_update_waits_for_a_real_lock(tools: Path, tmp_path: Path) -> None:
    """apt-get itself, in folders of this test: the lock is let go when the script has waited once."""
    apt = shutil.which("apt-get")
    if apt is None:
        needs.missing("there is no apt-get here")
    (tools / "apt-get").symlink_to(apt)
    lists, state = tmp_path / "lists", tmp_path / "state"
    for folder in (lists / "partial", state):
        folder.mkdir(parents=True)
    (state / "status").touch()
    settings = {"Dir::State::lists": str(lists), "Dir::State::status": f"{state}/status", "Dir::Cache": str(tmp_path)}
    settings |= {"Dir::Etc::SourceList": "/dev/null", "Dir::Etc::SourceParts": "/dev/null"}
    config = tmp_path / "apt.conf"
    config.write_text("".join(f'{name} "{value}";\n' for name, value in settings.items()))
    command = [sys.executable, "-c", HOLD, str(lists / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        fifo = tmp_path / "waited"
        os.mkfifo(fifo)
        program(tools, "sleep", f"echo waited > {fifo}; cat {fifo} > /dev/null")
        script = subprocess.Popen(
            ["/bin/sh", str(SCRIPT)],
            env={"PATH": str(tools), "CHROMIUM": "here", "APT_CONFIG": str(config)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with open(fifo) as waited:
            assert waited.read() == "waited\n"
        holder.stdin.close()
        holder.wait()
        with open(fifo, "w") as go:
            go.write("on\n")
        _, said = script.communicate(timeout=300)
    assert "Could not get lock" not in said
    assert "Unable to locate package" in said  # it came to installing, and no source has anything
