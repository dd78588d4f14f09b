"""Choices on boxes' own rules for an event's tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column; it is empty for existing events."""
    op.add_column("events", sa.Column("box_rules", sa.JSON(), nullable=False, server_default="{}"))
