"""Storage that is removed, replaced or read-only under a server: only stored data is acknowledged."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, make_url

from api.server.errors import ServingError
from api.server.settings import Settings
from api.store.database import open_database
from tests.api.commands import error_of, run
from tests.api.databases import ON_BOTH_DATABASES, own_database
from tests.api.doubted import held
from tests.api.serving import ASYNC, LEVEL, Running, error_in, keep, photo_form, running, unopened, until

READING, TOKEN = "abcdefghijklmnopqrstuv", "the owner's token"
FILES = ("server.db", "server.db-wal", "server.db-shm")


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[TestClient]:
    """Open an app that keeps a reading in an SQLite database."""
    with unopened(Settings(data=tmp_path / "data")) as app:
        keep(app, READING, TOKEN, held(3))
        yield TestClient(app, "http://localhost:8000", headers={"Authorization": f"Bearer {TOKEN}"})


def share(client: TestClient) -> Any:
    """Change a share of the reading."""
    return client.patch(f"/v1/readings/{READING}", json={"shared_correction": True})


def execute(url: str, *statements: str) -> None:
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


@ON_BOTH_DATABASES
@pytest.mark.parametrize(
    ("statements", "code"),
    [
        (["UPDATE alembic_version SET version_num = '9999'"], "database_newer"),
        (["UPDATE alembic_version SET version_num = '0005'"], "database_older"),
        (["DELETE FROM alembic_version"], "database_unversioned"),
        (["DROP TABLE alembic_version"], "database_unversioned"),
        (["INSERT INTO alembic_version VALUES ('0007')"], "database_unversioned"),
    ],
)
def test_a_database_of_an_unknown_version_is_refused_unchanged(statements: list[str], code: str, database: str) -> None:
    open_database(database).dispose()
    execute(database, *statements)
    for _ in range(2):
        with pytest.raises(ServingError) as caught:
            open_database(database)
        assert caught.value.code == code
    revision = {"database_newer": "9999", "database_older": "0005"}.get(code)
    assert caught.value.details["revision"] == revision if revision else caught.value.details["tables"]


@ON_BOTH_DATABASES
def test_an_empty_prepared_database_is_accepted(database: str) -> None:
    if database.startswith("sqlite"):
        Path(make_url(database).database or "").touch()
    execute(database, "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    open_database(database).dispose()


def test_the_command_gives_advice_for_a_newer_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    open_database(f"sqlite:///{tmp_path / 'server.db'}").dispose()
    execute(f"sqlite:///{tmp_path / 'server.db'}", "UPDATE alembic_version SET version_num = '9999'")
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path))
    status, _, errors = run(capsys, "serve", "--port", "0")
    assert (status, error_of(errors)["code"]) == (2, "database_newer")
    assert "start that version" in error_of(errors)["text"]


def make_read_only(disk: Path, is_read_only: bool = True) -> None:
    subprocess.run(["mount", "-o", f"remount,{'ro' if is_read_only else 'rw'}", str(disk)], check=True)


def test_a_server_does_not_start_on_a_read_only_disk(
    disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with unopened(Settings(data=disk)):
        pass
    make_read_only(disk)
    elsewhere, database = str(tmp_path / "data"), f"sqlite:///{disk / 'server.db'}"
    for settings, storage in (
        ({"DATA": str(disk)}, "data"),
        ({"DATA": elsewhere, "DATABASE": database}, "database"),
        ({"DATA": elsewhere, "DATABASE": f"sqlite:///{disk / 'new.db'}"}, "database"),
        ({"DATA": elsewhere, "PHOTOS": str(disk / "photos")}, "photos"),
    ):
        for name in ("DATABASE", "PHOTOS"):
            monkeypatch.setenv(f"WONDERTALLY_{name}", settings.get(name, ""))
        monkeypatch.setenv("WONDERTALLY_DATA", settings["DATA"])
        status, _, errors = run(capsys, "serve", "--port", "0")
        error = error_of(errors)
        assert (status, error["code"], error["details"]["storage"]) == (2, "storage_read_only", storage)
        assert error["details"]["file"].startswith(str(disk))


def test_a_read_only_disk_is_reported_as_such(disk: Path) -> None:
    with unopened(Settings(data=disk)) as app:
        (disk / "incoming").mkdir()
        keep(app, READING, TOKEN, held(3))
        client = TestClient(app, "http://localhost:8000", headers={"Authorization": f"Bearer {TOKEN}"})
        app.state.server.engine.dispose()
        make_read_only(disk)
        for answer in (share(client), client.post("/v1/readings", **photo_form(LEVEL.read_bytes()))):
            error = error_in(answer, 503)
            assert error["code"] == "storage_read_only"
            assert int(answer.headers["retry-after"]) > 0
        make_read_only(disk, is_read_only=False)
        assert share(client).status_code == 200


def test_a_read_only_database_is_reported_as_such(tmp_path: Path) -> None:
    with own_database("postgresql", tmp_path) as url, unopened(Settings(data=tmp_path, database=url)) as app:
        keep(app, READING, TOKEN, held(3))
        client = TestClient(app, "http://localhost:8000", headers={"Authorization": f"Bearer {TOKEN}"})
        execute(url, f"ALTER DATABASE {make_url(url).database} SET default_transaction_read_only = on")
        app.state.server.engine.dispose()
        assert client.get(f"/v1/readings/{READING}").status_code == 200
        assert error_in(share(client), 503)["code"] == "storage_read_only"
        with pytest.raises(ServingError, match="storage_read_only"):
            open_database(url)


@pytest.mark.parametrize("whole", [True, False], ids=["data folder", "database"])
def test_a_removed_database_is_unreachable_until_restored(whole: bool, kept: TestClient, tmp_path: Path) -> None:
    data, aside = tmp_path / "data", tmp_path / "aside"
    names = [""] if whole else [*FILES]
    aside.mkdir()
    for name in names:
        (data / name).rename(aside / (name or "data"))
    for folder_is_there in (False, True):
        data.mkdir(exist_ok=folder_is_there or not whole)
        for answer in (
            kept.get(f"/v1/readings/{READING}"),
            share(kept),
            kept.post("/v1/events", json={"name": "Cup"}),
            kept.delete(f"/v1/readings/{READING}"),
        ):
            assert error_in(answer, 503)["code"] == "storage_away"
    assert not (data / "server.db").exists(), "looking for it makes none"
    if whole:
        data.rmdir()
    for name in reversed(names):
        (aside / (name or "data")).rename(data / name)
    assert share(kept).status_code == 200


def test_a_copy_of_the_database_may_replace_it_but_no_other(kept: TestClient, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with closing(sqlite3.connect(data / "server.db")) as source, closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        source.backup(copy)
    open_database(f"sqlite:///{tmp_path / 'other.db'}").dispose()
    for name in ("other.db", "copy.db"):
        for file in FILES:
            (data / file).unlink(missing_ok=True)
        shutil.copy(tmp_path / name, data / "server.db")
        if name == "other.db":
            assert error_in(share(kept), 503)["code"] == "storage_away"
    assert share(kept).status_code == 200
    assert kept.get(f"/v1/readings/{READING}").json()["shared_correction"] is True


def test_without_its_log_nothing_is_acknowledged_and_earlier_data_is_kept(kept: TestClient, tmp_path: Path) -> None:
    """New connections would create a new log, while the old ones continue with theirs."""
    assert share(kept).status_code == 200
    (tmp_path / "data" / "server.db-wal").unlink()
    assert error_in(kept.post("/v1/events", json={"name": "Cup"}), 503)["code"] == "storage_away"
    kept.app.state.server.engine.dispose()  # type: ignore[attr-defined]
    assert kept.get(f"/v1/readings/{READING}").json()["shared_correction"] is True


def suspend_reading(server: Running) -> Any:
    """Return a reading whose photo is in its place, and a suspended reader."""
    made = server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes()), headers=ASYNC).json()
    until(lambda: any(name.endswith(".jpg") for name in server.photos()))
    (reader,) = server.readers()
    reader.suspend()
    return made, reader


@pytest.mark.soak
@pytest.mark.parametrize("place", ["photos", "server.db"])
def test_a_reading_is_not_finished_while_its_data_is_gone(place: str, tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1) as server:
        made, reader = suspend_reading(server)
        moved = [server.data / place] if place == "photos" else [server.data / name for name in FILES]
        for file in moved:
            file.rename(tmp_path / file.name)
        if place == "photos":
            moved[0].mkdir()  # without a mount
        reader.resume()
        until(lambda: bool({"not_kept", "job_postponed"} & {line["event"] for line in server.lines()}))
        answer = server.client.get(made["poll"])
        assert answer.json()["status"] in ("queued", "reading") if place == "photos" else error_in(answer, 503)
        if place == "photos":
            moved[0].rmdir()
        for file in reversed(moved):  # the database last: its presence implies the others
            (tmp_path / file.name).rename(file)
        assert server.followed(made["id"])["status"] == "done"
        assert server.client.get(f"{made['poll']}/photo").status_code == 200
