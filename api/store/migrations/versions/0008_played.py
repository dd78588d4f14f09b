"""How many played at a table of an event, with how many tiles and for which goods."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of tables that are there nobody said anything."""
    op.add_column("event_tables", sa.Column("played", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("event_tables", "played")
