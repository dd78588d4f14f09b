"""All tables as version 0.1.0 had them; databases of development versions before it are not migrated."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = None

SECONDS = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """Create the tables of readings, enrolments and events; keys and indices get the names of `api.store.tables`."""
    _create_readings()
    op.create_table(
        "enrolments",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created", SECONDS, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    _create_events()


def _create_readings() -> None:
    op.create_table(
        "readings",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("status", sa.String(8), nullable=False, index=True),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("held", sa.String(), nullable=True),
        sa.Column("report", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created", SECONDS, nullable=False),
        sa.Column("expires", SECONDS, nullable=False, index=True),
        sa.Column("shared_correction", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
    )
    op.create_table(
        "photos",
        sa.Column("reading", sa.String(32), sa.ForeignKey("readings.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
    )
    op.create_table(
        "steps",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "reading", sa.String(32), sa.ForeignKey("readings.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("reset", sa.Boolean(), nullable=False),
        sa.Column("corrections", sa.JSON(), nullable=False),
        sa.Column("made", SECONDS, nullable=False),
    )
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "reading", sa.String(32), sa.ForeignKey("readings.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("made", SECONDS, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
    )


def _create_events() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("source", sa.String(64), nullable=True),
        sa.Column("created", SECONDS, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.UniqueConstraint("source", name="uq_events_source"),
    )
    op.create_table(
        "event_tables",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("event", sa.String(32), sa.ForeignKey("events.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("contest", "round", "name")),
        *(sa.Column(name, sa.JSON(), nullable=False) for name in ("photos", "names", "track", "wonders")),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column(
            "reading", sa.String(32), sa.ForeignKey("readings.id", ondelete="SET NULL"), nullable=True, index=True
        ),
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
        sa.Column(
            "coming", sa.String(32), sa.ForeignKey("readings.id", ondelete="SET NULL"), nullable=True, index=True
        ),
        sa.Column("by_hand", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.UniqueConstraint("event", "identity", name="uq_event_tables_event_identity"),
    )
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("event", sa.String(32), sa.ForeignKey("events.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column(
            "event_table",
            sa.Integer(),
            sa.ForeignKey("event_tables.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("made", SECONDS, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("what", sa.String(12), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
    )
    op.create_table(
        "standings",
        sa.Column("event", sa.String(32), sa.ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("contest", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("wins", sa.String(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("share", sa.String(), nullable=False),
        sa.Column("final_only", sa.Integer(), nullable=False),
        sa.Column("doubtful", sa.Integer(), nullable=False),
    )
