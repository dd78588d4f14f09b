"""Changes of readings, with time and person; for existing readings they are derived from the steps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

FROM_STEPS = """
INSERT INTO changes (reading, made, who, what, step)
SELECT reading, made, '', CASE WHEN reset THEN 'reset' ELSE 'corrected' END, id FROM steps ORDER BY id
"""


def upgrade() -> None:
    """Add the changes."""
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reading", sa.String(32), nullable=False),
        sa.Column("made", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
        sa.ForeignKeyConstraint(["reading"], ["readings.id"], "fk_changes_reading_readings", ondelete="CASCADE"),
    )
    op.create_index("ix_changes_reading", "changes", ["reading"])
    op.execute(FROM_STEPS)


def downgrade() -> None:
    """Drop them."""
    op.drop_table("changes")
