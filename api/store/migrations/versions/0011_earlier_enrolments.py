"""Enrolments before each of their changes, for steps back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the table, without any steps for existing enrolments."""
    op.create_table(
        "earlier_enrolments",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, index=True),
        sa.Column("changed", sa.Double(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=True),
    )
