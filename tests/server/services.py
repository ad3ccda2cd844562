"""A real PostgreSQL and a real Redis for tests, on loopback and free ports, gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import psycopg
import redis


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def find(program: str) -> str | None:
    """A program's path, also where Debian hides PostgreSQL's."""
    found = shutil.which(program)
    if found is None:
        places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
        found = str(places[-1]) if places else None
    return found


def have_services() -> bool:
    """Whether both are installed."""
    return all(find(program) for program in ("initdb", "postgres", "redis-server"))


class Service(ABC):
    """A server process that can be killed and started again."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ludotheque-test-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def _command(self) -> list[str]: ...

    @abstractmethod
    def _is_up(self) -> bool: ...

    def _how(self) -> dict[str, Any]:
        return {}

    def start(self) -> None:
        self.process = subprocess.Popen(
            self._command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder, **self._how()
        )
        for _ in range(1200):
            if self._is_up():
                return
            time.sleep(0.05)
        raise RuntimeError(f"{type(self).__name__} does not start")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def remove(self) -> None:
        self.stop(signal.SIGINT)
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Service):
    """PostgreSQL. It refuses to run as root, so then it runs as its own user."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        initdb = find("initdb")
        assert initdb is not None
        command = [initdb, "-D", str(self.folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self._how())

    def _how(self) -> dict[str, Any]:
        return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}

    def _command(self) -> list[str]:
        postgres = find("postgres")
        assert postgres is not None
        settings = ["-c", f"unix_socket_directories={self.folder}", "-c", "listen_addresses=127.0.0.1"]
        return [postgres, "-D", str(self.folder / "data"), "-p", str(self.port), *settings]

    def _is_up(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=1).close()
        except psycopg.Error:
            return False
        return True


class Redis(Service):
    """Redis, without anything on disk."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def _command(self) -> list[str]:
        return ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]

    def _is_up(self) -> bool:
        client = redis.Redis(port=self.port)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()
