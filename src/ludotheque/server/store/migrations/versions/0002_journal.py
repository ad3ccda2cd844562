"""The journal of an SQLite file: groups of events that are not among the others yet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the journal. PostgreSQL needs none."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.create_table(
        "journal",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("writer", sa.Integer, nullable=False),
        sa.Column("rows", sa.LargeBinary, nullable=False),
    )
