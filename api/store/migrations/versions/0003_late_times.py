"""Times after January 2038, which exceed PostgreSQL's plain integers but not SQLite's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TIMES = (("readings", "created"), ("readings", "expires"), ("steps", "made"))


def upgrade() -> None:
    """Widen the columns."""
    _alter(sa.BigInteger())


def downgrade() -> None:
    """Narrow the columns; fails if a time is later."""
    _alter(sa.Integer())


def _alter(kind: sa.types.TypeEngine[int]) -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, column in TIMES:
            op.alter_column(table, column, type_=kind)
