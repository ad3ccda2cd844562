"""A real PostgreSQL, a real Redis and a real nginx for tests, on loopback and free ports, gone afterwards."""

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
    """A program's path, also where Debian hides PostgreSQL's, and where not every user looks."""
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin")
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


class Nginx(Service):
    """nginx with `deploy/nginx.conf`, in front of servers on these ports."""

    CONFIG = Path(__file__).parents[2] / "deploy" / "nginx.conf"

    def __init__(self, ports: list[int]) -> None:
        super().__init__()
        self.url = f"http://127.0.0.1:{self.port}"
        text = self.CONFIG.read_text(encoding="utf-8").replace("listen 80;", f"listen 127.0.0.1:{self.port};")
        for number, port in enumerate(ports, 1):
            text = text.replace(f"room{number}:7707", f"127.0.0.1:{port}")
        (self.folder / "site.conf").write_text(text, encoding="utf-8")
        places = "".join(
            f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self.file = self.folder / "nginx.conf"
        self.file.write_text(
            f"daemon off; pid {self.folder}/pid; error_log {self.folder}/errors.txt; events {{}}\n"
            f"http {{ access_log off; {places} include {self.folder}/site.conf; }}\n"
        )

    def _command(self) -> list[str]:
        nginx = find("nginx")
        assert nginx is not None
        return [nginx, "-p", str(self.folder), "-c", str(self.file), "-e", str(self.folder / "errors.txt")]

    def _is_up(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
