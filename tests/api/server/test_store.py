"""The store: its history holds every earlier state, and its tables are those of the migrations."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, make_url, text

from api.server.errors import ServerError
from api.store.database import clear_log, open_database, upgrade_database
from api.store.events import EventStore
from api.store.photos import PhotoStore
from api.store.readings import History, ReadingStore, Step, StoredPhoto
from api.store.tables import Base, InstallationRow
from tests.api.databases import ON_BOTH_DATABASES, own_database

DAY = 24 * 3600
DONE = ("held", "report")


@pytest.fixture
def store(engine: Engine) -> ReadingStore:
    return ReadingStore(engine)


def add(store: ReadingStore, name: str = "a", keep: float = DAY) -> None:
    store.add(name, "hash", {"rules": "C3", "track": {}, "files": ["x.jpg"]}, keep)


def done(store: ReadingStore, name: str = "a") -> None:
    add(store, name)
    assert store.finish(name, *DONE, [StoredPhoto(0, f"{name}.0.jpg", 4, 3)])


@pytest.mark.parametrize(("encoding", "asked"), [("SQL_ASCII", {}), ("UTF8", {"client_encoding": "latin1"})])
def test_names_survive_any_encoding_of_the_database_or_its_address(
    encoding: str, asked: dict[str, str], tmp_path: Path
) -> None:
    with own_database("postgresql", tmp_path, encoding) as url:
        engine = open_database(make_url(url).update_query_dict(asked).render_as_string(False))
        store = ReadingStore(engine)
        add(store)
        assert store.finish("a", "{}", "{}", [StoredPhoto(0, "Zoë, Ștefan 日本 🎲.jpg", 4, 3)])
        assert [photo.key for photo in store.get("a").photos] == ["Zoë, Ștefan 日本 🎲.jpg"]
        engine.dispose()


actions = st.lists(st.sampled_from(["add", "undo", "redo", "reset"]), max_size=30)


@given(actions)
def test_undo_and_redo_reach_every_earlier_state(asked: list[str]) -> None:
    """Compares with a simple implementation: a list of states and a place in it."""
    steps: list[Step] = []
    history = History(steps, None)
    states: list[list[Any]] = [[]]
    place = 0
    for number, action in enumerate(asked, 1):
        assert history.corrections == states[place]
        assert (history.can_undo, history.can_redo) == (place > 0, place < len(states) - 1)
        if action == "undo" and history.can_undo:
            history, place = History(steps, history.before), place - 1
        elif action == "redo" and history.can_redo:
            history, place = History(steps, history.after), place + 1
        elif action in ("add", "reset"):
            added = [number] if action == "add" else []
            steps = [*steps, Step(number, history.at, action == "reset", added)]
            history = History(steps, number)
            states = [*states[: place + 1], [*states[place], *added] if action == "add" else []]
            place += 1
    assert history.corrections == states[place]


@ON_BOTH_DATABASES
def test_migrations_create_the_declared_tables(engine: Engine) -> None:
    upgrade_database(engine)
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), Base.metadata)
        if engine.dialect.name == "sqlite":  # SQLAlchemy reflects nothing after a key in its column's line
            keys = connection.execute(text("PRAGMA foreign_key_list(event_tables)")).mappings()
            assert ("coming", "readings", "SET NULL") in {(key["from"], key["table"], key["on_delete"]) for key in keys}
            differences = [difference for difference in differences if difference[1].column_keys != ["coming"]]
        assert differences == []


def test_sqlite_is_opened_for_readers_beside_a_writer(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'deep' / 'server.db'}")
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    engine.dispose()


def find_in_files(folder: Path, name: str) -> list[str]:
    """Return the database's files in which a name occurs."""
    return [file.name for file in folder.glob("server.db*") if name.encode() in file.read_bytes()]


def test_deleted_names_are_in_no_sqlite_file_while_the_server_runs(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'server.db'}")
    store, events = ReadingStore(engine), EventStore(engine)
    done(store)
    store.add_step(store.get("a"), [{"kind": "player", "name": "Hildegard"}], False, "Hildegard's")
    events.add("cup", "hash", "Cup of Hildegard", "C3")
    assert "server.db-wal" in find_in_files(tmp_path, "Hildegard")
    with engine.connect() as beside:  # one that asks all the time
        beside.execute(text("SELECT 1")).all()
        store.delete("a")
        events.delete("cup")
    assert find_in_files(tmp_path, "Hildegard") == []
    engine.dispose()


def test_a_log_read_during_a_deletion_is_cleared_afterwards(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'server.db'}")
    store = ReadingStore(engine)
    done(store)
    store.add_step(store.get("a"), [{"kind": "player", "name": "Hildegard"}], False, "Hildegard's")
    reader = sqlite3.connect(tmp_path / "server.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM readings").fetchall()
    store.delete("a")
    assert store.list_ids() == set(), "nobody waits for who reads"
    assert find_in_files(tmp_path, "Hildegard") != []
    reader.close()
    clear_log(engine)
    assert find_in_files(tmp_path, "Hildegard") == []
    engine.dispose()


@ON_BOTH_DATABASES
def test_a_step_is_kept_while_it_is_referenced(store: ReadingStore) -> None:
    done(store)
    store.add_step(store.get("a"), [{"kind": "one"}], False, "with one")
    store.add_step(store.get("a"), [{"kind": "two"}], False, "with two")
    reading = store.get("a")
    assert (reading.report, reading.version) == ("with two", 3)
    assert reading.history.corrections == [{"kind": "one"}, {"kind": "two"}]
    store.undo(reading, "with one")
    store.add_step(store.get("a"), [], True, "report")
    reading = store.get("a")
    assert reading.history.corrections == []
    assert len(reading.history.steps) == 3
    assert store.get_snapshot("a") == "held"


@ON_BOTH_DATABASES
def test_one_of_two_simultaneous_changes_is_refused(store: ReadingStore) -> None:
    done(store)
    reading, codes = store.get("a"), list[str]()

    def change(name: str) -> None:
        try:
            store.add_step(reading, [name], False, name)
        except ServerError as error:
            codes.append(error.code)

    threads = [threading.Thread(target=change, args=(name,)) for name in "xyz"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == ["conflict", "conflict"]
    assert len(store.get("a").history.steps) == 1


@ON_BOTH_DATABASES
def test_a_deletion_leaves_nothing(store: ReadingStore, engine: Engine) -> None:
    done(store)
    store.add_step(store.get("a"), ["x"], False, "x")
    store.delete("a")
    assert not store.finish("a", *DONE, [])
    with pytest.raises(ServerError, match="not_found"):
        store.get("a")
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            assert table is InstallationRow.__table__ or connection.execute(table.select()).all() == []


@ON_BOTH_DATABASES
def test_an_expired_reading_is_not_found(store: ReadingStore) -> None:
    add(store, "old", keep=-1)
    add(store, "new")
    for look in (store.get, store.get_snapshot):
        with pytest.raises(ServerError, match="not_found"):
            look("old")
    assert [reading.id for reading in store.list_expired()] == ["old"]
    assert {reading.id for reading in store.list_unfinished()} == {"old", "new"}


@ON_BOTH_DATABASES
def test_texts_accept_any_character_and_ids_are_harmless(store: ReadingStore) -> None:
    done(store)
    odd = [{"name": "\0 ß 李 \U0001f3f0 ' -- %s :x"}]
    store.add_step(store.get("a"), odd, False, "report ' %s :x 李")
    assert store.get("a").history.corrections == odd
    assert store.get("a").report == "report ' %s :x 李"
    for reading in ("\0", "a\0", "' OR 1=1 --", "x" * 5000, "李", "%s", ""):
        for look in (store.get, store.get_snapshot):
            with pytest.raises(ServerError, match="not_found"):
                look(reading)


@ON_BOTH_DATABASES
def test_a_failed_reading_states_the_reason(store: ReadingStore) -> None:
    add(store)
    with pytest.raises(ServerError, match="not_read_yet"):
        store.get_snapshot("a")
    store.fail("a", {"code": "board_not_found", "text": "No.", "details": {}})
    reading = store.get("a")
    assert (reading.status, reading.error and reading.error["code"]) == ("failed", "board_not_found")
    assert store.list_unfinished() == []


def test_photos_are_stored_with_pixels_only(tmp_path: Path) -> None:
    photos = PhotoStore(str(tmp_path / "photos"))
    photos.make()
    photos.put("a.0.jpg", np.full((3, 4, 3), 200, np.uint8))
    assert photos.has("a.0.jpg")
    assert photos.get("a.0.jpg").startswith(b"\xff\xd8")
    assert b"Exif" not in photos.get("a.0.jpg")
    photos.remove("a.0.jpg")
    photos.remove("a.0.jpg")
    assert not photos.has("a.0.jpg")
