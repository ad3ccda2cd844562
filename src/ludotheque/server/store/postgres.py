"""The PostgreSQL store, for several servers on the same tables."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import psycopg

from ludotheque.server.store.base import Conflict, Row, StoreError, Uncertain
from ludotheque.server.store.group import GroupStore, HeadRow
from ludotheque.server.store.schema import alembic_url, newest, upgrade_apart

Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_SECONDS = 5
_INSERT = "INSERT INTO events (table_id, seq, data) SELECT * FROM unnest(%s::text[], %s::int[], %s::bytea[])"
_HEAD = (
    "INSERT INTO tables (id, public, updated, summary) VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO UPDATE "
    "SET public = excluded.public, updated = excluded.updated, summary = excluded.summary"
)


class PostgresStore(GroupStore[Connection]):
    """Tables in a database."""

    def __init__(self, url: str) -> None:
        super().__init__(num_readers=4)
        self._url = "postgresql://" + url.partition("://")[2]

    def _prepare(self) -> None:
        connection = self._connect()
        try:
            is_new = self._revision(connection) == newest()
        finally:
            self._disconnect(connection)
        if not is_new:
            upgrade_apart(alembic_url(self._url))

    def _connect(self) -> Connection:
        try:
            return psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_SECONDS)
        except psycopg.Error as error:
            raise StoreError(f"the database cannot be reached: {error}") from None

    def _disconnect(self, connection: Connection) -> None:
        with contextlib.suppress(psycopg.Error):
            connection.close()

    def _store(self, connection: Connection, rows: Sequence[Row], heads: Sequence[HeadRow]) -> None:
        try:
            with connection.transaction(), connection.cursor() as cursor:
                if rows:
                    tables, seqs, data = zip(*rows, strict=True)
                    cursor.execute(_INSERT, (list(tables), list(seqs), list(data)))
                if heads:
                    cursor.executemany(_HEAD, heads)
        except psycopg.errors.UniqueViolation as error:
            raise Conflict(str(error)) from None
        except psycopg.Error as error:
            # Once the connection is gone nobody knows whether the database got to the end of it.
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
