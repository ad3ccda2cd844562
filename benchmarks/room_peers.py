"""The game room's peers under load: `python -m benchmarks.room_peers`.

boardgame.io and Colyseus, each with the smallest two-player card game (`benchmarks/peers_room`): N tables with two
players each on loopback, the server on one core, the players on another. *Saturated*: whoever is at turn moves at
once. *Paced*: one move a second at every table. Latency is from sending a move to the other seat's seeing it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from benchmarks.room_loads import Measurement, show
from benchmarks.room_process import CLIENT_CORE, SERVER_CORE, processor_seconds, resident

Mode = Literal["saturated", "paced"]

FOLDER = Path(__file__).with_name("peers_room")


@dataclass(frozen=True)
class Peer:
    """A server to measure against."""

    name: str
    library: str
    """Which of the servers and players in `FOLDER`."""
    on_disk: bool = False


PEERS = {
    "memory": Peer("boardgame.io 0.50.2, in memory", "boardgameio"),
    "files": Peer("boardgame.io 0.50.2, its file store", "boardgameio", on_disk=True),
    "colyseus": Peer("Colyseus 0.18, a patch per move, in memory", "colyseus"),
}


def install() -> None:
    """Install the peers from npm, once."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise SystemExit("The peers need Node.js 20 or later with npm: install it, or measure without them.")
    stamp = FOLDER / "node_modules" / ".package-lock.json"
    lock = FOLDER / "package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        print("Installing the peers from npm (once)", flush=True)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--loglevel=error"], cwd=FOLDER, check=True)


def measure(peer: Peer, tables: int, mode: Mode, seconds: float) -> Measurement:
    """One run: a fresh server, everybody seated, two seconds to warm up, then `seconds` that count."""
    with contextlib.ExitStack() as stack:
        arguments = [f"server_{peer.library}.js"]
        if peer.on_disk:
            arguments.append(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(node(arguments, SERVER_CORE))
        port = answer(server, "ready").split()[1]
        players = stack.enter_context(
            node(["load.js", peer.library, port, str(tables), mode, str(seconds)], CLIENT_CORE)
        )
        answer(players, "measuring")
        begin = processor_seconds(server.pid), processor_seconds(players.pid)
        found = json.loads(answer(players, "{"))
        used, taken = processor_seconds(server.pid) - begin[0], processor_seconds(players.pid) - begin[1]
        memory = resident(server.pid)
    if found["stalled"]:
        raise RuntimeError(f"{peer.name}: {found['stalled']} of {tables} tables stood still.")
    moves = found["rate"] * seconds
    return Measurement(
        peer.name,
        mode,
        tables,
        found["rate"],
        found["p50"],
        found["p99"],
        memory,
        cpu=used / moves * 1e6,
        client_load=taken / seconds,
    )


@contextlib.contextmanager
def node(arguments: Sequence[str], core: int) -> Iterator[subprocess.Popen[str]]:
    """A Node process on one core, ended by its id."""
    process = subprocess.Popen(
        ["node", *arguments],
        cwd=FOLDER,
        env={**os.environ, "NODE_ENV": "production"},
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        output(process).close()


def answer(process: subprocess.Popen[str], start: str) -> str:
    """The next line with this start that a process prints."""
    for line in output(process):
        if line.startswith(start):
            return line
    raise RuntimeError(f"{process.args!r} ended before it said {start!r}: see its messages above.")


def output(process: subprocess.Popen[str]) -> IO[str]:
    """What a process prints."""
    assert process.stdout is not None
    return process.stdout


def main() -> None:
    """Measure the peers alone and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=",".join(PEERS), help="of " + ", ".join(PEERS))
    parser.add_argument("--tables", default="50,500")
    parser.add_argument("--paced", default="")
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    names = args.peers.split(",")
    for name in names:
        if name not in PEERS:
            parser.error(f"no peer {name!r}: choose from {', '.join(PEERS)}")
    install()
    runs: list[tuple[int, Mode]] = [(int(count), "saturated") for count in args.tables.split(",") if count]
    runs += [(int(count), "paced") for count in args.paced.split(",") if count]
    for tables, mode in runs:
        for name in names:
            show(measure(PEERS[name], tables, mode, args.seconds))


if __name__ == "__main__":
    main()
