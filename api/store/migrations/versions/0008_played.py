"""Numbers of players and tiles, and the goods, of a table of an event."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; it is empty for existing tables."""
    op.add_column("event_tables", sa.Column("played", sa.JSON(), nullable=False, server_default="{}"))
