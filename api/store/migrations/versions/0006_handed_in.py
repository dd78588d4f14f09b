"""Tables whose photos are submitted at the event itself, with the reading they wait for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

COMING = """
ALTER TABLE event_tables ADD COLUMN coming VARCHAR(32)
CONSTRAINT fk_event_tables_coming_readings REFERENCES readings (id) ON DELETE SET NULL
"""
"""SQLite adds a foreign key only together with its column; recreating the table would delete its decisions."""


def upgrade() -> None:
    """Add the two columns; existing tables came from batches."""
    op.execute(COMING)
    op.add_column("event_tables", sa.Column("by_hand", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_event_tables_coming", "event_tables", ["coming"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_event_tables_coming", "event_tables")
    op.drop_column("event_tables", "by_hand")
    op.drop_column("event_tables", "coming")
