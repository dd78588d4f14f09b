"""Games kept by their photos."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the tables of games, their photos and their corrections."""
    seconds = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", seconds, nullable=False),
        sa.Column("expires", seconds, nullable=False, index=True),
        sa.Column("finished", seconds, nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("inputs", sa.Integer(), nullable=False),
        sa.Column("documented", sa.Integer(), nullable=False),
        sa.Column("document", sa.String(), nullable=True),
        sa.Column("problem", sa.JSON(), nullable=True),
    )
    op.create_table(
        "game_photos",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("client_id", sa.String(64), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(8), nullable=False, index=True),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("made", seconds, nullable=False),
        sa.UniqueConstraint("game", "client_id", name="uq_game_photos_game_client_id"),
    )
    op.create_table(
        "game_corrections",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("correction", sa.JSON(), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("made", seconds, nullable=False),
        sqlite_autoincrement=True,
    )
