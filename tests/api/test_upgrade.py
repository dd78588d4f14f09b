"""A full database of the first released version is migrated and keeps all its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, inspect, select

from api.store.database import MIGRATIONS, create_database_engine, upgrade_database
from api.store.events import EventStore
from api.store.readings import ChangeRecord, ReadingStore

OLDEST = "0006"
LATE = 4_000_000_000
GENERATED = {("steps", "id"), ("changes", "id")}
Rows = Sequence[Mapping[str, Any]]


def reading(name: str, **columns: Any) -> dict[str, Any]:
    usual = {
        "id": name,
        "token_hash": "0f" * 32,
        "status": "done",
        "asked": {"rules": "C3", "track": {"blue": 90}, "files": ["Tisch Ö.jpg", "b.jpg"]},
        "error": None,
        "held": '{"schema": "wondertally/held/1", "names": "Ștefan, 李"}',
        "report": '{"doubtful": true}',
        "attempts": 1,
        "created": 1_790_000_000,
        "expires": 2_000_000_000,
        "shared_correction": False,
        "version": 1,
        "step": None,
    }
    return {**usual, **columns}


OLD: Mapping[str, Rows] = {
    "readings": [
        reading("corrected", version=5, step=2, shared_correction=True),
        reading("waiting", status="queued", held=None, report=None, attempts=2, version=0),
        reading("failed", status="failed", held=None, report=None, error={"code": "board_not_found", "details": {}}),
    ],
    "photos": [
        {"reading": "corrected", "number": 0, "key": "corrected.1.jpg", "width": 4000, "height": 3000},
        {"reading": "corrected", "number": 1, "key": "corrected.0.jpg", "width": 40, "height": 30},
    ],
    "steps": [
        {"id": 1, "reading": "corrected", "parent": None, "reset": False, "corrections": [{"a": "ß"}], "made": 1_800},
        {"id": 2, "reading": "corrected", "parent": 1, "reset": True, "corrections": [], "made": 1_900},
        {"id": 3, "reading": "corrected", "parent": 2, "reset": False, "corrections": [1, 2], "made": 1_950},
    ],
    "changes": [
        {"id": 1, "reading": "corrected", "made": 1_800, "who": "", "what": "corrected", "step": 1},
        {"id": 2, "reading": "corrected", "made": LATE, "who": "Ștefan", "what": "reset", "step": 2},
    ],
    "enrolments": [{"name": "mine", "digest": "0b" * 32, "created": LATE, "data": b"\0prints"}],
    "events": [
        {
            "id": "cup",
            "token_hash": "0f" * 32,
            "name": "Cup Ö",
            "rules": "C3",
            "source": "batch",
            "created": 1_790_000_000,
            "version": 7,
        }
    ],
    "event_tables": [
        {
            "id": 1,
            "event": "cup",
            "identity": '["cup", "1", "4"]',
            "position": 3,
            "contest": "cup",
            "round": "1",
            "name": "4",
            "photos": ["a.jpg"],
            "names": {"red": "Anna"},
            "track": {"red": 90},
            "wonders": {},
            "key": "0a" * 32,
            "reading": None,
            "error": {"code": "board_not_found", "text": "No.", "details": {}},
            "missing": [["b.jpg", {"code": "photo_not_found"}]],
            "status": "failed",
            "confidence": 0.25,
            "whole": True,
            "doubts": 2,
            "scores": [["red", "Anna", 90, 1]],
            "version": 4,
            "decided": "unscorable",
            "reason": "Wind",
            "who": "Ștefan",
            "decided_at": LATE,
            "settled": None,
            "coming": "waiting",
            "by_hand": True,
        }
    ],
    "decisions": [
        {
            "id": 1,
            "event": "cup",
            "event_table": 1,
            "made": LATE,
            "who": "Ștefan",
            "what": "unscorable",
            "reason": "Wind",
        }
    ],
    "standings": [
        {
            "event": "cup",
            "position": 0,
            "contest": "cup",
            "place": 1,
            "player": "Anna",
            "tables": 1,
            "wins": "1/2",
            "points": 90,
            "share": "1/3",
            "final_only": 0,
            "doubtful": 1,
        }
    ],
}


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = create_database_engine(database)
    yield engine
    engine.dispose()


def fill(engine: Engine) -> None:
    """Fill every column of every table, like another program; keys that other rows name are the database's own."""
    tables = MetaData()
    tables.reflect(engine)
    assert set(tables.tables) == {*OLD, "alembic_version"}
    with engine.begin() as connection:
        for name, rows in OLD.items():
            for row in rows:
                assert set(row) == set(tables.tables[name].columns.keys())
                values = {column: value for column, value in row.items() if (name, column) not in GENERATED}
                connection.execute(tables.tables[name].insert().values(values))


def read_rows(engine: Engine, name: str) -> Rows:
    """Return all rows of a table, of the columns that it had."""
    tables = MetaData()
    tables.reflect(engine, only=[name])
    columns = [tables.tables[name].columns[column] for column in OLD[name][0]]
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(select(*columns)).mappings()]


def sort_rows(rows: Rows) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in rows)


def test_an_upgrade_from_the_first_release_keeps_every_value_in_use(engine: Engine) -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_base() == OLDEST
    upgrade_database(engine, OLDEST)
    fill(engine)
    upgrade_database(engine)
    upgrade_database(engine)
    for name, old in OLD.items():
        assert sort_rows(read_rows(engine, name)) == sort_rows(old)
    (table,) = EventStore(engine).list_tables("cup")
    assert (table.coming, table.by_hand, table.listed_table.table) == ("waiting", True, "4")
    store = ReadingStore(engine)
    assert store.list_changes("corrected") == [
        ChangeRecord(1_800, "", "corrected", 1, [{"a": "ß"}]),
        ChangeRecord(LATE, "Ștefan", "reset", 2, []),
    ]
    store.redo(store.get("corrected"), "with both", "Anna")
    store.add_step(store.get("corrected"), [4], False, "with four")
    assert store.get("corrected").history.corrections == [1, 2, 4]
    assert [done.what for done in store.list_changes("corrected")[2:]] == ["redone", "corrected"]
    assert store.get("failed").error == {"code": "board_not_found", "details": {}}


def test_times_after_2038_are_kept(engine: Engine) -> None:
    upgrade_database(engine)
    store = ReadingStore(engine)
    store.add("late", "hash", {"files": []}, LATE)
    assert store.get("late").expires > LATE


def test_an_interrupted_upgrade_leaves_the_database_unchanged(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade_database(engine, OLDEST)
    fill(engine)

    def broken(*given: object, **named: object) -> None:
        raise RuntimeError("the end")

    with monkeypatch.context() as patched:
        patched.setattr("alembic.op.add_column", broken)
        with pytest.raises(RuntimeError, match="the end"):
            upgrade_database(engine)
    assert "installation" not in inspect(engine).get_table_names()
    upgrade_database(engine)
    assert len(ReadingStore(engine).list_changes("corrected")) == 2
