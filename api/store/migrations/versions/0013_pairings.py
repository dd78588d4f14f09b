"""Rosters of events: who plays at which table of which round."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the table; events have no roster yet."""
    op.create_table(
        "pairings",
        sa.Column("event", sa.String(32), sa.ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("contest", sa.String(), nullable=False),
        sa.Column("round", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
    )
