"""The server as people run it: `ludotheque serve` in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.server.services import free_port

LIMITS = {
    "MESSAGES_PER_SECOND": "1e9",
    "MESSAGES_AT_ONCE": "1000000000",
    "REQUESTS_PER_SECOND": "1e9",
    "REQUESTS_AT_ONCE": "1000000000",
    "CONNECTIONS_PER_ADDRESS": "100000",
    "TABLES_PER_DAY": "1000000",
    "BOT_PACE": "0",
}


class Server:
    """A server process; killing and starting it again keeps its port and its data."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        program: Sequence[str] = ("-m", "ludotheque"),
        python: str = sys.executable,
        **settings: str,
    ) -> None:
        self.data = data
        self._program = (python, *program)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._arguments = arguments
        self._settings = {f"LUDOTHEQUE_{name}": value for name, value in {**LIMITS, **settings}.items()}
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [*self._program, "serve", "--port", str(self.port), "--data", str(self.data)]
        self.log = open(self.data / f"log-{self.port}.txt", "a", encoding="utf-8")  # noqa: SIM115  # closed in stop
        self.process = subprocess.Popen(
            [*command, "--lang", "en", *self._arguments],
            env={**os.environ, **self._settings},
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        assert self.process.stdout is not None
        assert re.search(r"http://", self.process.stdout.readline())
        for _ in range(1200):
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=5).close()
                return
            except OSError:
                assert self.process.poll() is None, (self.data / f"log-{self.port}.txt").read_text()
                time.sleep(0.05)
        raise RuntimeError("the server does not start")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        assert self.process is not None and self.process.stdout is not None
        self.process.send_signal(how)
        code = self.process.wait(60)
        self.process.stdout.close()
        self.log.close()
        self.process = None
        return code

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.stop()
