"""How Alembic reaches the database: by the address it is given, in one transaction."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, pool

LOCK = 779177001

engine = create_engine(context.config.attributes["url"], poolclass=pool.NullPool)
with engine.connect() as connection:
    if connection.dialect.name == "postgresql":
        # Several servers may start at once: one migrates, the others wait until that is committed.
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
engine.dispose()
