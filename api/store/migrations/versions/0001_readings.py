"""Readings, their photos and the steps of their correction."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "readings",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("held", sa.String(), nullable=True),
        sa.Column("report", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created", sa.Integer(), nullable=False),
        sa.Column("expires", sa.Integer(), nullable=False),
        sa.Column("shared_correction", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_readings"),
    )
    op.create_index("ix_readings_status", "readings", ["status"])
    op.create_index("ix_readings_expires", "readings", ["expires"])
    op.create_table(
        "photos",
        sa.Column("reading", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("reading", "number", name="pk_photos"),
        sa.ForeignKeyConstraint(["reading"], ["readings.id"], "fk_photos_reading_readings", ondelete="CASCADE"),
    )
    op.create_table(
        "steps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reading", sa.String(32), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("reset", sa.Boolean(), nullable=False),
        sa.Column("corrections", sa.JSON(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_steps"),
        sa.ForeignKeyConstraint(["reading"], ["readings.id"], "fk_steps_reading_readings", ondelete="CASCADE"),
    )
    op.create_index("ix_steps_reading", "steps", ["reading"])


def downgrade() -> None:
    """Drop them."""
    for table in ("steps", "photos", "readings"):
        op.drop_table(table)
