"""The database's own id, which marks its place of photos."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table with its one row."""
    table = op.create_table(
        "installation",
        sa.Column("id", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.bulk_insert(table, [{"id": secrets.token_urlsafe(16)}])
