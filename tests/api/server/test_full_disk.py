"""A full disk: no more uploads are accepted, accepted ones wait, and deleting makes room."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
import pytest
from sqlalchemy.exc import OperationalError

from api.server.errors import ServerError, ServingError
from api.server.tokens import generate_id
from api.store.database import open_database
from api.store.photos import PhotoStore, build_photo_key
from api.store.readings import ReadingStore
from api.store.sqlite_file import Spare
from api.store.unavailable import find_passing_error
from datasets.benchmark.attacks.cluster import Cluster, MissingError, run_cluster
from datasets.benchmark.serving import run_server
from datasets.benchmark.uploads import enlarge_example
from tests.api.http.growing import KeptGame
from tests.api.server.filled import DATABASE_DISK_MIB, FILLER, fill
from tests.api.serving import ASYNC, LEVEL, Running, error_in, photo_form, running, send, until


def post(server: Running) -> Any:
    return server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes()))


@pytest.mark.soak
def test_a_full_disk_accepts_nothing_and_a_delete_makes_room(disk: Path) -> None:
    with running(disk, readers=1, wait_seconds=100) as server:
        made = post(server).raise_for_status().json()
        fill(disk)
        refused = post(server)
        error = error_in(refused, 503)
        assert error["code"] == "storage_full"
        assert int(refused.headers["retry-after"]) > 0
        assert not list((disk / "incoming").iterdir()), "nothing is left of what was refused"
        owner = {"Authorization": f"Bearer {made['token']}"}
        assert server.client.delete(f"/v1/readings/{made['id']}", headers=owner).status_code == 204
        assert error_in(server.client.get(f"/v1/readings/{made['id']}"), 404)
        assert shutil.disk_usage(disk).free > 2**17
        assert server.photos() == set()
        (disk / FILLER).unlink()
        assert post(server).status_code == 201


@pytest.mark.soak
def test_a_server_starts_on_a_full_disk_and_a_delete_makes_room(disk: Path) -> None:
    with running(disk, readers=1, wait_seconds=100) as server:
        made = post(server).raise_for_status().json()
        server.kill()
    for file in disk.glob("server.db-shm"):
        file.unlink()  # as a restart of the machine leaves it
    fill(disk)
    with running(disk, readers=1) as again:
        owner = {"Authorization": f"Bearer {made['token']}"}
        assert again.client.delete(f"/v1/readings/{made['id']}", headers=owner).status_code == 204
        assert error_in(again.client.get(f"/v1/readings/{made['id']}"), 404)


def test_a_full_disk_without_a_spare_file_is_reported_as_full(disk: Path) -> None:
    url = f"sqlite:///{disk / 'server.db'}"
    open_database(url).dispose()
    fill(disk)
    with pytest.raises(ServingError, match="disk_full"):
        open_database(url)


@pytest.mark.soak
def test_accepted_readings_wait_until_there_is_room(disk: Path) -> None:
    with running(disk, readers=1) as server:
        (reader,) = server.readers()
        reader.suspend()
        readings = [send(server) for _ in range(2)]
        fill(disk)
        reader.resume()
        until(lambda: "job_postponed" in {line["event"] for line in server.lines()})
        assert {server.client.get(reading["poll"]).json()["status"] for reading in readings} <= {"queued", "reading"}
        assert len(list((disk / "incoming").iterdir())) == 2
        (disk / FILLER).unlink()
        assert [server.followed(reading["id"])["status"] for reading in readings] == ["done", "done"]


@pytest.mark.soak
def test_a_full_disk_loses_no_photo_of_a_game(disk: Path) -> None:
    with running(disk, readers=1) as server:
        game = KeptGame(server)
        (reader,) = server.readers()
        reader.suspend()
        assert game.send(0).status_code == 201
        fill(disk)
        reader.resume()
        until(lambda: "job_postponed" in {line["event"] for line in server.lines()})
        assert error_in(game.send(1), 503)["code"] == "storage_full"
        (disk / FILLER).unlink()
        assert game.send(1).status_code == 201
        assert [photo["status"] for photo in game.follow()["photos"]] == ["read", "read"]


@pytest.mark.soak
def test_a_full_disk_of_temporary_files_is_reported_as_full(
    disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large uploads pass through one while they arrive."""
    monkeypatch.setenv("TMPDIR", str(disk))
    large = enlarge_example("test_level", 4000, 3.0)
    with (
        run_server(tmp_path / "data", readers=1) as served,
        httpx.Client(base_url=served.url, timeout=120) as client,
    ):
        for is_full in (False, True, False):
            if is_full:
                fill(disk)
            answer = client.post("/v1/readings", **photo_form(large), headers=ASYNC)
            (disk / FILLER).unlink(missing_ok=True)
            assert answer.status_code == (503 if is_full else 202), answer.text
            if is_full:
                assert error_in(answer)["code"] == "storage_full"
                assert int(answer.headers["retry-after"]) > 0


def test_a_photo_on_a_full_disk_leaves_no_part_of_it(disk: Path) -> None:
    photos = PhotoStore(str(disk / "photos"))
    photos.make()
    fill(disk)
    with pytest.raises(ServerError, match="storage_full"):
        photos.put(
            build_photo_key(generate_id(), 0), np.random.default_rng(0).integers(0, 255, (900, 900, 3)).astype(np.uint8)
        )
    assert photos.list_keys() == []


def test_sqlite_deletes_a_reading_on_a_full_disk(disk: Path) -> None:
    engine = open_database(f"sqlite:///{disk / 'server.db'}")
    store, spare = ReadingStore(engine), Spare(engine)
    spare.keep()
    store.add("large", "hash", {"files": []}, 3600)
    assert store.finish("large", "x" * 2**21, "report", [])
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    fill(disk)
    with pytest.raises(OperationalError) as caught:
        store.add("more", "hash", {"files": ["x" * 2**16]}, 3600)
    passing = find_passing_error(caught.value)
    assert passing is not None
    assert passing.code == "storage_full"
    with pytest.raises(OperationalError):
        store.delete("large")
    spare.delete(store.delete, "large")
    assert store.list_ids() == set()
    (disk / FILLER).unlink()
    spare.keep()
    assert (disk / "server.spare").stat().st_size > 2**20, "it is kept for the next time"
    engine.dispose()


@pytest.mark.soak
def test_a_full_disk_of_postgresql_refuses_photos_and_loses_none(tmp_path: Path) -> None:
    """Rows are still written to pages with room; the first that needs a new page is refused, and reports wait."""
    with (
        _run_cluster() as cluster,
        running(tmp_path / "data", database=cluster.url, readers=1, queue=1000, readings_per_minute=100_000) as server,
    ):
        disk = cluster.disk
        before, second = (send(server) for _ in range(2))
        assert {server.followed(made["id"])["status"] for made in (before, second)} == {"done"}
        (reader,) = server.readers()
        reader.suspend()
        taken = [send(server)["id"] for _ in range(2)]
        fill(disk)
        for _ in range(200):
            answer = server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes()), headers=ASYNC)
            if answer.status_code != 202:
                break
            taken.append(answer.json()["id"])
        error = error_in(answer, 503)
        assert error["code"] == "storage_full"
        assert int(answer.headers["retry-after"]) > 0
        reader.resume()
        until(lambda: "not_kept" in {line["event"] for line in server.lines()})
        owner = {"Authorization": f"Bearer {second['token']}"}
        assert server.client.delete(f"/v1/readings/{second['id']}", headers=owner).status_code == 204
        assert server.client.get(f"/v1/readings/{before['id']}").json()["status"] == "done"
        assert {server.client.get(f"/v1/readings/{made}").json()["status"] for made in taken} <= {"queued", "reading"}
        (disk / FILLER).unlink()
        assert {server.followed(made)["status"] for made in taken} == {"done"}
        assert server.followed(send(server)["id"])["status"] == "done"
        assert [line for line in server.lines() if line["event"] == "fault"] == []


@contextmanager
def _run_cluster() -> Iterator[Cluster]:
    try:
        with run_cluster(DATABASE_DISK_MIB) as cluster:
            yield cluster
    except MissingError as error:
        pytest.skip(str(error))
