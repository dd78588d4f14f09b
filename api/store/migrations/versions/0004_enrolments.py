"""What the server is taught, so that every machine with the same database has it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the enrolments."""
    op.create_table(
        "enrolments",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_enrolments"),
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_table("enrolments")
