"""Criteria for ranking an event's players, in an order that its owner chooses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column; it is empty for existing events."""
    op.add_column("events", sa.Column("tie_breakers", sa.JSON(), nullable=False, server_default="[]"))
