"""Which boxes' own rules were played at an event's tables, as far as somebody said it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of events that are there nobody said anything."""
    op.add_column("events", sa.Column("box_rules", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("events", "box_rules")
