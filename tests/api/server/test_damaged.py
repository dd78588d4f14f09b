"""Data or places that are damaged, missing, unreachable or invalid: reported as such, and never as a fault of ours."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, make_url, text
from starlette.testclient import TestClient

from api.i18n import load_words
from api.languages import LANGUAGES
from api.server.errors import ServerError, ServingError
from api.server.settings import Settings
from api.store.database import open_database
from api.store.photos import MARK, PhotoStore
from tests.api.commands import error_of, run
from tests.api.databases import own_database
from tests.api.doubted import held
from tests.api.serving import error_in, keep, unopened

READING, TOKEN = "abcdefghijklmnopqrstuv", "the owner's token"
PAGE_BYTES = 4096


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[TestClient]:
    """Open an app that keeps a reading in a place of its own for photos."""
    with unopened(Settings(data=tmp_path / "data")) as app:
        photos = app.state.server.readings.photos
        photos.make()
        photos.mark("this database")
        photos.bind("this database")
        keep(app, READING, TOKEN, held(3))
        yield TestClient(app, "http://localhost:8000", headers={"Authorization": f"Bearer {TOKEN}"})


def list_pictures() -> list[str]:
    return ["photo", "photo?width=320", "overlay.png", "report.pdf"]


@pytest.mark.parametrize("address", list_pictures())
def test_a_lost_photo_is_not_found_and_other_data_is(address: str, kept: TestClient, tmp_path: Path) -> None:
    for file in (tmp_path / "data" / "photos").glob("*.jpg"):
        file.unlink()
    error = error_in(kept.get(f"/v1/readings/{READING}/{address}"), 404)
    assert (error["code"], "photo" in error["details"]) == ("not_found", True)
    assert kept.get(f"/v1/readings/{READING}").status_code == 200
    assert kept.delete(f"/v1/readings/{READING}").status_code == 204


@pytest.mark.parametrize("address", list_pictures())
def test_a_missing_place_of_photos_is_reported_as_unreachable(address: str, kept: TestClient, tmp_path: Path) -> None:
    photos = tmp_path / "data" / "photos"
    photos.rename(tmp_path / "elsewhere")
    assert error_in(kept.get(f"/v1/readings/{READING}/{address}"), 503)["code"] == "storage_away"
    photos.mkdir()  # a folder without a mount
    assert error_in(kept.get(f"/v1/readings/{READING}/{address}"), 503)["code"] == "storage_away"
    photos.rmdir()
    shutil.move(tmp_path / "elsewhere", photos)
    assert (photos / MARK).exists()
    assert kept.get(f"/v1/readings/{READING}/{address}").status_code == 200


def test_a_database_damaged_while_running_is_reported(kept: TestClient, tmp_path: Path) -> None:
    engine = kept.app.state.server.engine  # type: ignore[attr-defined]
    with engine.begin() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")
    engine.dispose()
    for beside in ("server.db-wal", "server.db-shm"):
        (tmp_path / "data" / beside).unlink(missing_ok=True)
    file = tmp_path / "data" / "server.db"
    whole = file.read_bytes()
    file.write_bytes(whole[:PAGE_BYTES] + b"\xa5" * (len(whole) - PAGE_BYTES))
    assert error_in(kept.get(f"/v1/readings/{READING}"), 500)["code"] == "database_damaged"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_gives_advice_about_damage(language: str) -> None:
    texts = {load_words(language).say(f"error-{code}") for code in ("database_damaged", "models_damaged")}
    assert len(texts) == 2


@pytest.mark.parametrize("name", ["a\0b", "‮Anna", "", " ", "\n", "x\x7f", " Anna"])
def test_every_interface_refuses_names_that_cannot_be_displayed(name: str, kept: TestClient) -> None:
    player: dict[str, Any] = {"kind": "player", "colour": "red", "name": name}
    for answer in (
        kept.post("/v1/scores", json={"board": "D0", "names": {"blue": name}}),
        kept.patch(f"/v1/readings/{READING}", json={"corrections": [player]}),
        kept.post("/v1/events", json={"name": name}),
    ):
        assert error_in(answer, 422)["code"] == "bad_field"


@pytest.mark.parametrize("points", [True, False, 0.5, [1], {"a": 1}, "x", 1e300])
def test_every_interface_refuses_invalid_points(points: Any, kept: TestClient) -> None:
    track = {"kind": "track", "colour": "black", "points": points}
    for answer in (
        kept.post("/v1/scores", json={"board": "D0", "track": {"blue": points}}),
        kept.post("/v1/scores", json={"board": "D0", "player_count": points}),
        kept.post("/v1/scores", json={"board": "D0", "goods": {"wine": {"blue": points}}}),
        kept.patch(f"/v1/readings/{READING}", json={"corrections": [track]}),
    ):
        assert error_in(answer, 422)["code"] == "bad_field"


@pytest.mark.parametrize("written", [b"no database at all\n" * 100, b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_server_does_not_start_on_a_damaged_database(
    written: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "server.db").write_bytes(written)
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path))
    status, _, errors = run(capsys, "serve", "--port", "0")
    error = error_of(errors)
    assert (status, error["code"]) == (2, "database_damaged")
    assert error["details"]["file"] == str(tmp_path / "server.db")
    assert (tmp_path / "server.db").read_bytes() == written


def dropped(url: str) -> None:
    """Close all connections to a database."""
    where = make_url(url)
    engine = create_engine(where.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {where.database} WITH (FORCE)"))
    engine.dispose()


def test_an_unreachable_database_is_reported_with_a_time_to_retry(tmp_path: Path) -> None:
    with (
        own_database("postgresql", tmp_path) as url,
        unopened(Settings(data=tmp_path, database=url)) as app,
    ):
        client = TestClient(app, "http://localhost:8000")
        dropped(url)
        answer = client.get("/v1/readings/x")
        error = error_in(answer, 503)
        assert (error["code"], error["details"]) == ("storage_away", {"storage": "database"})
        assert int(answer.headers["retry-after"]) > 0
        with pytest.raises(ServerError, match="storage_away"):
            open_database(url)


def test_unreachable_photos_are_reported_and_the_reading_stays(tmp_path: Path) -> None:
    with unopened(Settings(data=tmp_path)) as app:
        keep(app, "kept", "token", held(5))
        client = TestClient(app, "http://localhost:8000")
        (tmp_path / "photos").rename(tmp_path / "elsewhere")
        for address in ("photo", "overlay.png"):
            answer = client.get(f"/v1/readings/kept/{address}")
            error = error_in(answer, 503)
            assert (error["code"], error["details"]) == ("storage_away", {"storage": "photos"})
            assert int(answer.headers["retry-after"]) > 0
        (tmp_path / "elsewhere").rename(tmp_path / "photos")
        assert client.get("/v1/readings/kept/photo").content.startswith(b"\xff\xd8")


def test_a_reading_is_deleted_while_its_photos_are_unreachable(tmp_path: Path) -> None:
    with unopened(Settings(data=tmp_path)) as app:
        keep(app, "kept", "token", held(5))
        shutil.rmtree(tmp_path / "photos")
        (tmp_path / "photos").write_text("no folder")
        client = TestClient(app, "http://localhost:8000", headers={"Authorization": "Bearer token"})
        client.delete("/v1/readings/kept").raise_for_status()
        assert error_in(client.get("/v1/readings/kept"), 404)


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "nonsense://x",
        "postgresql+nonsense://x",
        "postgresql://u:pw@127.0.0.1:1/x?nonsense=1",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:////proc/nowhere/server.db",
        "sqlite:////dev/null/server.db",
        "sqlite:////tmp",
        "sqlite:///server.db?mode=ro",
        "sqlite:///file:server.db?mode=ro&uri=true",
        "postgresql://u:pw@127.0.0.1:1/x?sslmode=bogus",
        "postgresql://u:pw@127.0.0.1:1/x?keepalives=x",
        "postgresql://u:pw@127.0.0.1:1/x?connect_timeout=soon",
        "postgresql://u:pw@127.0.0.1:1/x?gssencmode=require&target_session_attrs=any-one",
        "postgresql://u:pw@127.0.0.1:99999/x",
        "postgresql://u:pw@/x?host=127.0.0.1:1&host=127.0.0.1:99999",
        "postgresql://u:pw@/x?hostaddr=999.1.1.1",
        "postgresql://u:pw@/x?service=nowhere",
    ],
)
def test_an_invalid_database_address_is_a_bad_setting(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ServingError, match="bad_settings") as caught:
        open_database(url)
    assert "WONDERTALLY_DATABASE" in str(caught.value.details)
    assert "pw" not in str(caught.value.details)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:pw@127.0.0.1:1/x",
        "postgresql://u:pw@127.0.0.1:1/x?sslmode=require&keepalives=1&connect_timeout=5",
        "postgresql://u:pw@/x?host=127.0.0.1:1&host=127.0.0.1:2",
        "postgresql://u:pw@/x?host=/no/such/folder",
        "postgresql://u:pw@/x?hostaddr=127.0.0.1&port=1",
        "postgresql://u:pw@no-host.invalid/x",
    ],
)
def test_an_unreachable_database_is_not_a_bad_setting(url: str) -> None:
    with pytest.raises(ServerError, match="storage_away"):
        open_database(url)


def test_an_invalid_place_of_photos_is_a_bad_setting(tmp_path: Path) -> None:
    with pytest.raises(ServingError, match="bad_settings") as caught:
        PhotoStore("nonsense://x")
    assert "WONDERTALLY_PHOTOS" in str(caught.value.details)
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="storage_away"):
        PhotoStore(str(tmp_path / "file" / "photos")).make()
