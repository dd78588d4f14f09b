"""Enrolments in the database, so that every machine with the same database has them.

Earlier versions kept them as files in the data folder: these are copied, and stay.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import sqlalchemy as sa
from alembic import context, op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def upgrade() -> None:
    """Add the enrolments."""
    table = op.create_table(
        "enrolments",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_enrolments"),
    )
    if folder := context.config.attributes.get("enrolments"):
        op.bulk_insert(table, [_row(file) for file in sorted(folder.glob("*.npz")) if NAME.fullmatch(file.stem)])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("enrolments")


def _row(file: Path) -> dict[str, object]:
    data, made = file.read_bytes(), int(file.stat().st_mtime)
    return {"name": file.stem, "digest": hashlib.sha256(data).hexdigest(), "created": made, "data": data}
