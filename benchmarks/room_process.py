"""Server processes under measurement: started, killed and started again, and what they take of the machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Self

SERVER_CORE, CLIENT_CORE = 0, 1
"""The server has a core of its own; who loads it has the other."""

NO_LIMITS = {
    "MESSAGES_PER_SECOND": "1e9",
    "MESSAGES_AT_ONCE": "1000000000",
    "REQUESTS_PER_SECOND": "1e9",
    "REQUESTS_AT_ONCE": "1000000000",
    "CONNECTIONS_PER_ADDRESS": "1000000",
    "TABLES_PER_DAY": "10000000",
}
"""Settings for a load that comes from one address and is faster than people are."""

START_SECONDS = 120.0
CALM = 0.05
"""A process that takes less of a core than this has settled."""


class Server:
    """`ludotheque serve` on a core of its own. Killed and started again it keeps its port and its data."""

    def __init__(self, data: Path, *arguments: str, **settings: str) -> None:
        self.port = 0
        self._data = data
        self._arguments = arguments
        self._settings = {f"LUDOTHEQUE_{name}": value for name, value in settings.items()}
        self._process: subprocess.Popen[str] | None = None
        self._log: IO[str] | None = None

    @property
    def pid(self) -> int:
        """The process; there must be one."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_up(self) -> bool:
        """Whether there is a process."""
        return self._process is not None and self._process.poll() is None

    @property
    def log_path(self) -> Path:
        """What the server writes to its standard error."""
        return self._data / "server.log"

    def launch(self) -> None:
        """Start the process, and do not wait for it."""
        self._data.mkdir(parents=True, exist_ok=True)
        self._log = open(self.log_path, "a", encoding="utf-8")  # noqa: SIM115  # closed in `stop`
        command = [sys.executable, "-m", "ludotheque", "serve", "--port", str(self.port), "--data", str(self._data)]
        self._process = subprocess.Popen(
            [*command, "--lang", "en", *self._arguments],
            env={**os.environ, **self._settings},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_CORE}),
        )

    def start(self) -> None:
        """Start, and wait until it is open."""
        self.launch()
        self.wait_open()

    def wait_open(self) -> None:
        """Wait until a launched server says its address."""
        assert self._process is not None and self._process.stdout is not None
        found = re.search(r":(\d+)/", self._process.stdout.readline())
        if found is None:
            self.stop()
            raise RuntimeError(f"the server does not start: {self.log_path.read_text()[-2000:]}")
        self.port = int(found[1])

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the process and wait for its end."""
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._log is not None:
            self._log.close()
        self._process = self._log = None

    def settle(self) -> None:
        """Wait until it has loaded what it loads in the background."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            used = processor_seconds(self.pid, children=True)
            time.sleep(1.0)
            if 0 <= processor_seconds(self.pid, children=True) - used < CALM:  # below 0: a child has just ended
                return

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def resident(pid: int) -> float:
    """Megabytes of memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def processor_seconds(pid: int, children: bool = False) -> float:
    """Processor time a process has used, in its own code and in the system; with that of its running children."""
    ticks = 0
    for name in [pid, *(_children(pid) if children else ())]:
        try:
            fields = Path(f"/proc/{name}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            continue  # a child that has just ended
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in found for child in path.read_text(encoding="ascii").split()]
