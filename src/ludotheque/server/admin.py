"""Looking after stored tables: backup, restore, removing old ones. All are safe while servers run, but for restoring.

A backup is an SQLite file of the same schema, whatever the tables are kept in, so it can be restored into either.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import sqlalchemy as sa

from ludotheque.core import extras
from ludotheque.core.errors import LudothequeError
from ludotheque.server.domain import events
from ludotheque.server.settings import Settings
from ludotheque.server.store import sqlite
from ludotheque.server.store.schema import alembic_url, is_current, sqlite_url, upgrade
from ludotheque.server.store.sqlite import FILE, LAST, connect, connect_read_only, revision_of

DAY = 86_400
ROWS = 1000
"""How many rows are copied at a time."""
_EVENTS = sa.table("events", sa.column("table_id"), sa.column("seq"), sa.column("data"))
_TABLES = sa.table(
    "tables", sa.column("id"), sa.column("public", sa.Boolean), sa.column("updated"), sa.column("summary")
)
_SETTINGS = sa.table("settings", sa.column("name"), sa.column("value"))


class NotEmpty(LudothequeError):
    """There are tables already where a backup should be restored to."""


@contextmanager
def _engine(url: str) -> Iterator[sa.Engine]:
    engine = sa.create_engine(url)
    try:
        yield engine
    except sa.exc.SQLAlchemyError as error:
        raise LudothequeError(f"the database cannot be used: {type(error).__name__}") from None
    finally:
        engine.dispose()


def _prepare(settings: Settings) -> str:
    """Bring the schema of a store up to date, or create it. Its address."""
    if settings.database:
        extras.need("cluster", "psycopg")
        from ludotheque.server.store import postgres

        postgres.prepare(settings.database)
        return alembic_url(settings.database)
    sqlite.prepare(settings.data / FILE)
    return sqlite_url(settings.data / FILE)


def _prepare_source(settings: Settings) -> str:
    """The same for a store that must exist."""
    if not settings.database and not (settings.data / FILE).exists():
        raise LudothequeError(f"there are no tables in {settings.data}")
    return _prepare(settings)


def _count_tables(connection: sqlite3.Connection) -> int:
    count: int = connection.execute("SELECT count(DISTINCT table_id) FROM events").fetchone()[0]
    return count


def backup(settings: Settings, target: Path) -> int:
    """Copy everything into a file, as it is at one moment. How many tables there are."""
    url = _prepare_source(settings)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
    except OSError as error:
        raise LudothequeError(f"{target} cannot be written: {error.strerror}") from None
    fresh = Path(name)
    try:
        if settings.database:
            upgrade(sqlite_url(fresh))
            _copy(url, sqlite_url(fresh))
        else:
            with closing(connect(settings.data / FILE)) as source, closing(sqlite3.connect(fresh)) as copy:
                source.backup(copy)
        with closing(sqlite3.connect(fresh)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise LudothequeError(f"the copy is damaged: {found}")
            count = _count_tables(copy)
        with open(fresh, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(fresh, target)
    except sqlite3.Error as error:
        raise LudothequeError(f"the backup failed: {error}") from None
    finally:
        fresh.unlink(missing_ok=True)
    return count


def restore(settings: Settings, source: Path) -> int:
    """Bring everything back from a backup into an empty store. How many tables there are."""
    try:
        is_current(revision_of(source))  # refuses a backup of another version
        with closing(connect_read_only(source)) as copy:
            _count_tables(copy)
    except sqlite3.Error:
        raise LudothequeError(f"{source} is not a backup of tables") from None
    url = _prepare(settings)
    with _engine(url) as engine, engine.connect() as connection:
        if connection.execute(sa.text("SELECT 1 FROM events LIMIT 1")).first() is not None:
            raise NotEmpty("there are tables already")
        # A server that was started before has a key of its own; the one in the backup is what links were made with.
        connection.execute(sa.text("DELETE FROM settings"))
        connection.commit()
    with tempfile.TemporaryDirectory() as folder:  # the backup stays as it is, even if its schema is an older one
        twin = Path(folder) / FILE
        with closing(connect_read_only(source)) as old, closing(sqlite3.connect(twin)) as new:
            old.backup(new)
        upgrade(sqlite_url(twin))
        with closing(sqlite3.connect(twin)) as new:
            count = _count_tables(new)
        _copy(sqlite_url(twin), url)
    if not settings.database:
        (settings.data / LAST).unlink(missing_ok=True)  # what it says is about a file that was here before
    return count


def _copy(source: str, target: str) -> None:
    """All rows from one database to another, in one transaction on either side."""
    with _engine(source) as one, _engine(target) as other:
        reader = one.connect().execution_options(isolation_level="REPEATABLE READ") if "postgresql" in source else None
        with reader or one.connect() as old, other.begin() as new:
            for table in (_EVENTS, _TABLES, _SETTINGS):
                select = sa.select(table)
                if table is _EVENTS:
                    select = select.order_by(sa.column("number"))  # it is not copied, but the order of storing is
                found = old.execution_options(stream_results=True).execute(select)
                rows = (dict(row) for row in found.mappings())
                while part := list(islice(rows, ROWS)):
                    new.execute(sa.insert(table), part)


def prune(settings: Settings, days: float) -> int:
    """Remove tables whose last event is older than so many days. How many that were."""
    url = _prepare_source(settings)
    before = time.time() - days * DAY
    newest = sa.text(
        "SELECT e.table_id, e.seq, e.data FROM events e JOIN "
        "(SELECT table_id, max(seq) AS seq FROM events GROUP BY table_id) m "
        "ON e.table_id = m.table_id AND e.seq = m.seq"
    )
    # A table where somebody goes on just now is kept.
    remove = sa.text(
        "DELETE FROM events WHERE table_id = :table AND "
        "NOT EXISTS (SELECT 1 FROM events WHERE table_id = :table AND seq > :seq)"
    )
    removed = 0
    with _engine(url) as engine:
        with engine.connect() as connection:
            old = [
                {"table": row.table_id, "seq": row.seq}
                for row in connection.execute(newest)
                if events.decode(row.data).at < before
            ]
        for one in old:
            with engine.begin() as connection:
                if connection.execute(remove, one).rowcount:
                    connection.execute(sa.text("DELETE FROM tables WHERE id = :table"), one)
                    removed += 1
    return removed
