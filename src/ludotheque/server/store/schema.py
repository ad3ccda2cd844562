"""The schema, brought up to date by Alembic's migrations."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from ludotheque.server.store.base import StoreError

MIGRATIONS = Path(__file__).resolve().parent / "migrations"

_LOCK = Lock()
"""Alembic's context is global: it runs once at a time in a process."""


def revisions() -> list[str]:
    """The revisions this version knows, the newest last: the beginnings of the migrations' file names."""
    return sorted(path.stem.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def is_current(revision: str | None) -> bool:
    """Whether a schema of this revision (None: no schema yet) needs no migration; refuses one of another version."""
    known = revisions()
    if revision is not None and revision not in known:
        raise StoreError(
            f"the tables were stored by another version of Ludothèque (schema {revision}; this version has {known[-1]})"
            " that this one cannot read. Nothing was changed: run that version, or choose another place with --data or"
            " --database"
        )
    return revision == known[-1]


def alembic_url(url: str) -> str:
    """A PostgreSQL address as SQLAlchemy writes it."""
    return "postgresql+psycopg://" + url.partition("://")[2]


def sqlite_url(path: Path) -> str:
    """A file's address as SQLAlchemy writes it."""
    return f"sqlite:///{path}"


def upgrade(url: str) -> None:
    """Run the migrations that a database lacks, in one transaction."""
    # Imported only when there is something to migrate: a server that starts again saves some 35 MB of memory.
    from alembic import command, util
    from alembic.config import Config
    from sqlalchemy.exc import SQLAlchemyError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["url"] = url
    try:
        with _LOCK:
            command.upgrade(config, "head")
    except (SQLAlchemyError, util.CommandError) as error:
        raise StoreError(f"the database's schema could not be brought up to date: {error}") from None
