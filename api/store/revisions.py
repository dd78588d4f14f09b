"""The version of a database, from Alembic's own table; an unknown version is refused."""

from __future__ import annotations

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from api.server.errors import ServingError
from api.store.event_rows import EventRow


def find_revision(connection: Connection, script: ScriptDirectory) -> str | None:
    """Find the revision of a database; None if it has none of our tables yet.

    Raises ServingError `database_newer` for a revision without a script, and `database_unversioned` for existing tables
    with no revision, or for several revisions.
    """
    revisions = MigrationContext.configure(connection).get_current_heads()
    if unknown := sorted({*revisions} - {known.revision for known in script.walk_revisions()}):
        raise ServingError("database_newer", details={"revision": unknown[0], "known": script.get_current_head()})
    if len(revisions) == 1:
        return revisions[0]
    tables = sorted({*EventRow.metadata.tables} & {*inspect(connection).get_table_names()})
    if tables or revisions:
        raise ServingError("database_unversioned", details={"tables": tables})
    return None
