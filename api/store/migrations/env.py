"""Alembic's environment: migrations run on the connection that `api.store.database` passes in."""

from __future__ import annotations

from alembic import context

from api.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
