"""How Alembic reaches the database: by the address it is given, with all migrations in one transaction."""

from __future__ import annotations

from typing import Any

from alembic import context
from sqlalchemy import Connection, create_engine, event, pool

LOCK = 779177001
SQLITE_SECONDS = 60
"""How long one server waits for another that migrates the same file."""

url: str = context.config.attributes["url"]
is_sqlite = url.startswith("sqlite")
engine = create_engine(url, poolclass=pool.NullPool, connect_args={"timeout": SQLITE_SECONDS} if is_sqlite else {})

if is_sqlite:
    # Python's driver does not begin a transaction before it changes the schema, so this is left to us.

    @event.listens_for(engine, "connect")
    def _leave_transactions_to_us(connection: Any, _: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


with engine.begin() as connection:
    if not is_sqlite:
        # Several servers may start at once: one migrates, the others wait until that is committed.
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
    context.configure(connection=connection, transactional_ddl=True)
    context.run_migrations()
engine.dispose()
