"""Events, their tables, the decisions about these, and the standings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SECONDS = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """Add the four tables."""
    op.create_table(
        "events",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("source", sa.String(64), nullable=True),
        sa.Column("created", SECONDS, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
        sa.UniqueConstraint("source", name="uq_events_source"),
    )
    op.create_table(
        "event_tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(32), nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("contest", "round", "name")),
        *(sa.Column(name, sa.JSON(), nullable=False) for name in ("photos", "names", "track", "wonders")),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("reading", sa.String(32), nullable=True),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("missing", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("whole", sa.Boolean(), nullable=False),
        sa.Column("doubts", sa.Integer(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("decided", sa.String(12), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("decided_at", SECONDS, nullable=True),
        sa.Column("settled", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_event_tables"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], "fk_event_tables_event_events", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reading"], ["readings.id"], "fk_event_tables_reading_readings", ondelete="SET NULL"),
        sa.UniqueConstraint("event", "identity", name="uq_event_tables_event_identity"),
    )
    op.create_index("ix_event_tables_event", "event_tables", ["event"])
    op.create_index("ix_event_tables_reading", "event_tables", ["reading"])
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(32), nullable=False),
        sa.Column("event_table", sa.Integer(), nullable=False),
        sa.Column("made", SECONDS, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("what", sa.String(12), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], "fk_decisions_event_events", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["event_table"], ["event_tables.id"], "fk_decisions_event_table_event_tables", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_decisions_event", "decisions", ["event"])
    op.create_index("ix_decisions_event_table", "decisions", ["event_table"])
    op.create_table(
        "standings",
        sa.Column("event", sa.String(32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("contest", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("wins", sa.String(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("share", sa.String(), nullable=False),
        sa.Column("final_only", sa.Integer(), nullable=False),
        sa.Column("doubtful", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "position", name="pk_standings"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], "fk_standings_event_events", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Drop them; their readings stay."""
    for table in ("standings", "decisions", "event_tables", "events"):
        op.drop_table(table)
