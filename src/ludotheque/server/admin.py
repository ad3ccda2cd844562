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
from typing import Any

import sqlalchemy as sa

from ludotheque.core.errors import LudothequeError
from ludotheque.server import events
from ludotheque.server.settings import Settings
from ludotheque.server.store.journal import drain, unpack
from ludotheque.server.store.schema import alembic_url, upgrade
from ludotheque.server.store.sqlite import FILE, connect

DAY = 86_400
ROWS = 1000
"""How many rows are copied at a time."""
TABLES = ("events", "tables", "settings")


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


def _url(settings: Settings) -> str:
    return alembic_url(settings.database) if settings.database else f"sqlite:///{settings.data / FILE}"


def _check_source(settings: Settings) -> None:
    if not settings.database and not (settings.data / FILE).exists():
        raise LudothequeError(f"there are no tables in {settings.data}")


def _drain(file: Path) -> None:
    """Bring a file up to date and move events to their place that are in its journal, so that `events` has them all."""
    upgrade(f"sqlite:///{file}")
    try:
        with closing(connect(file)) as connection:
            drain(connection)
    except sqlite3.Error as error:
        raise LudothequeError(f"{file} cannot be used: {error}") from None


def backup(settings: Settings, target: Path) -> int:
    """Copy everything into a file, as it is at one moment. How many tables there are."""
    _check_source(settings)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
    except OSError as error:
        raise LudothequeError(f"{target} cannot be written: {error.strerror}") from None
    fresh = Path(name)
    try:
        if settings.database:
            upgrade(f"sqlite:///{fresh}")
            _copy(_url(settings), f"sqlite:///{fresh}")
        else:
            with closing(connect(settings.data / FILE)) as source, closing(sqlite3.connect(fresh)) as copy:
                source.backup(copy, pages=256, sleep=0.002)
            _drain(fresh)
        with closing(sqlite3.connect(fresh)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise LudothequeError(f"the copy is damaged: {found}")
            count: int = copy.execute("SELECT count(DISTINCT table_id) FROM events").fetchone()[0]
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
        with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as copy:
            copy.execute("SELECT count(DISTINCT table_id) FROM events").fetchone()
    except sqlite3.Error:
        raise LudothequeError(f"{source} is not a backup of tables") from None
    if not settings.database:
        try:
            settings.data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LudothequeError(f"{settings.data} cannot be used: {error.strerror}") from None
    upgrade(_url(settings))
    with _engine(_url(settings)) as engine, engine.connect() as connection:
        if connection.execute(sa.text("SELECT 1 FROM events LIMIT 1")).first() is not None:
            raise NotEmpty("there are tables already")
        # A server that was started before has a key of its own; the one in the backup is what links were made with.
        connection.execute(sa.text("DELETE FROM settings"))
        connection.commit()
    with tempfile.TemporaryDirectory() as folder:  # the file itself stays as it is
        twin = Path(folder) / FILE
        with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old, closing(sqlite3.connect(twin)) as new:
            old.backup(new)
        _drain(twin)
        with closing(sqlite3.connect(twin)) as new:
            count: int = new.execute("SELECT count(DISTINCT table_id) FROM events").fetchone()[0]
        _copy(f"sqlite:///{twin}", _url(settings))
    return count


def _copy(source: str, target: str) -> None:
    """All rows from one database to another, in one transaction on either side."""
    with _engine(source) as one, _engine(target) as other:
        reader = one.connect().execution_options(isolation_level="REPEATABLE READ") if "postgresql" in source else None
        with reader or one.connect() as old, other.begin() as new:
            for name in TABLES:
                found = old.execution_options(stream_results=True).execute(sa.text(f"SELECT * FROM {name}"))
                columns = [column for column in list(found.keys()) if column != "num"]
                insert = sa.text(f"INSERT INTO {name} ({', '.join(columns)}) VALUES (:{', :'.join(columns)})")
                rows = (row for whole in found.mappings() for row in _rows(name, dict(whole)))
                while part := list(islice(rows, ROWS)):
                    new.execute(insert, part)


def _rows(name: str, row: dict[str, Any]) -> list[dict[str, Any]]:
    """A row as every kind of store has it: each event by itself."""
    if name == "tables":
        return [{**row, "public": bool(row["public"])}]
    if name != "events":
        return [row]
    found = unpack(bytes(row["data"]), row.get("num", 1))
    first = row["seq"] - len(found) + 1
    return [{"table_id": row["table_id"], "seq": first + n, "data": data} for n, data in enumerate(found)]


def prune(settings: Settings, days: float) -> int:
    """Remove tables whose last event is older than so many days. How many that were."""
    _check_source(settings)
    if not settings.database:
        _drain(settings.data / FILE)
    before = time.time() - days * DAY
    removed = 0
    last = sa.text(
        "SELECT e.* FROM events e JOIN "
        "(SELECT table_id, max(seq) AS seq FROM events GROUP BY table_id) m "
        "ON e.table_id = m.table_id AND e.seq = m.seq"
    )
    with _engine(_url(settings)) as engine:
        with engine.connect() as connection:
            newest = (_rows("events", dict(row))[-1] for row in connection.execute(last).mappings())
            old = [row["table_id"] for row in newest if events.decode(row["data"]).at < before]
        for table in old:
            with engine.begin() as connection:
                connection.execute(sa.text("DELETE FROM events WHERE table_id = :t"), {"t": table})
                connection.execute(sa.text("DELETE FROM tables WHERE id = :t"), {"t": table})
            removed += 1
    return removed
