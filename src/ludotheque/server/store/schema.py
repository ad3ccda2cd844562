"""The schema, brought up to date by Alembic's migrations."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

_LOCK = Lock()
"""Alembic runs once at a time in a process."""

MIGRATIONS = Path(__file__).resolve().parent / "migrations"


def alembic_url(url: str) -> str:
    """A PostgreSQL address as SQLAlchemy writes it."""
    return "postgresql+psycopg://" + url.partition("://")[2]


def upgrade(url: str, revision: str = "head") -> None:
    """Run the migrations that a database lacks."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["url"] = url
    with _LOCK:
        command.upgrade(config, revision)
