"""The PostgreSQL store, for several servers on the same tables."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import psycopg

from ludotheque.server.store.base import Conflict, StoreError, Uncertain
from ludotheque.server.store.group import EventRow, GroupStore, HeadRow
from ludotheque.server.store.schema import alembic_url, is_current, upgrade

Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_SECONDS = 5
KEEPALIVE: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}
"""A connection to a machine that is gone is given up after some 20 seconds."""

_INSERT_EVENTS = "INSERT INTO events (table_id, seq, data) SELECT * FROM unnest(%s::text[], %s::int[], %s::text[])"
_INSERT_HEAD = (
    "INSERT INTO tables (id, public, updated, summary) VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO UPDATE "
    "SET public = excluded.public, updated = excluded.updated, summary = excluded.summary"
)


def connect(url: str) -> Connection:
    """A connection that commits each statement by itself."""
    try:
        address = "postgresql://" + url.partition("://")[2]
        return psycopg.connect(address, autocommit=True, connect_timeout=CONNECT_SECONDS, **KEEPALIVE)
    except psycopg.Error as error:
        raise StoreError(f"the database cannot be reached: {error}") from None


def prepare(url: str) -> None:
    """Create our schema in a database, or bring it up to date."""
    try:
        with connect(url) as connection:
            revision = _revision(connection)
    except psycopg.Error as error:
        raise StoreError(f"the database cannot be used: {error}") from None
    if not is_current(revision):
        upgrade(alembic_url(url))


def _revision(connection: Connection) -> str | None:
    found = connection.execute("SELECT 1 WHERE to_regclass('alembic_version') IS NOT NULL").fetchone()
    if found is not None:
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return found[0] if found is not None else None


class PostgresStore(GroupStore[Connection]):
    """Tables in a database."""

    def __init__(self, url: str) -> None:
        super().__init__(num_readers=4)
        self._url = url

    def _prepare(self) -> None:
        prepare(self._url)

    def _connect(self) -> Connection:
        return connect(self._url)

    def _disconnect(self, connection: Connection) -> None:
        with contextlib.suppress(psycopg.Error):
            connection.close()

    def _store(self, connection: Connection, events: Sequence[EventRow], heads: Sequence[HeadRow]) -> None:
        try:
            with connection.transaction(), connection.cursor() as cursor:
                # Sorted, so that two servers lock the same rows in the same order and neither is a victim of deadlock.
                if events:
                    tables, seqs, data = zip(*sorted(events), strict=True)
                    cursor.execute(_INSERT_EVENTS, (list(tables), list(seqs), list(data)))
                if heads:
                    cursor.executemany(_INSERT_HEAD, sorted(heads))
        except psycopg.errors.UniqueViolation as error:
            raise Conflict(str(error)) from None
        except psycopg.Error as error:
            # Once the connection is gone nothing tells whether the database committed.
            if connection.broken or connection.closed:
                raise Uncertain(str(error)) from None
            raise StoreError(str(error)) from None

    def _query(self, connection: Connection, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            with connection.cursor() as cursor:
                cursor.execute(query.replace("?", "%s"), tuple(values))
                return cursor.fetchall() if cursor.description is not None else []
        except psycopg.Error as error:
            raise StoreError(str(error)) from None
