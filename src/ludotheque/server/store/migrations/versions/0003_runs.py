"""Runs in an SQLite file: a row of `events` may have several events, and rows of the journal are written over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Say how many events a row has, and in which epoch one of the journal was written. PostgreSQL needs neither."""
    if op.get_bind().dialect.name != "sqlite":
        return
    # With row numbers the tree by table and number has keys only: to find one among long rows SQLite would read each
    # that it compares with to its end. And rows are added at the end, so pages are full.
    op.rename_table("events", "old_events")
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("num", sa.Integer, nullable=False, server_default="1"),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.execute("INSERT INTO events SELECT table_id, seq, 1, data FROM old_events ORDER BY table_id, seq")
    op.drop_table("old_events")
    op.rename_table("journal", "old_journal")
    op.create_table(
        "journal",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("writer", sa.Integer, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("rows", sa.LargeBinary, nullable=False),
    )
    op.execute("INSERT INTO journal SELECT number, writer, 0, rows FROM old_journal")
    op.drop_table("old_journal")
