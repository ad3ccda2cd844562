"""The schema, brought up to date by Alembic's migrations."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Lock

from ludotheque.server.store.base import StoreError

_LOCK = Lock()
"""Alembic runs once at a time in a process."""

MIGRATIONS = Path(__file__).resolve().parent / "migrations"


def alembic_url(url: str) -> str:
    """A PostgreSQL address as SQLAlchemy writes it."""
    return "postgresql+psycopg://" + url.partition("://")[2]


def newest() -> str:
    """The revision of the newest migration."""
    return max(path.stem.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def upgrade(url: str, revision: str = "head") -> None:
    """Run the migrations that a database lacks."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["url"] = url
    with _LOCK:
        command.upgrade(config, revision)


def upgrade_apart(url: str) -> None:
    """The same in a process of its own, unless Alembic is loaded anyway: it takes as much memory as many tables."""
    if "alembic" in sys.modules:
        upgrade(url)
        return
    command = [sys.executable, "-m", "ludotheque.server.store.schema"]
    done = subprocess.run(command, env={**os.environ, _URL: url}, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2]
        raise StoreError(f"the database's schema could not be brought up to date: {reason}")


_URL = "LUDOTHEQUE_MIGRATE"
"""Where that process finds the address, which may hold a password."""

if __name__ == "__main__":
    upgrade(os.environ[_URL])
