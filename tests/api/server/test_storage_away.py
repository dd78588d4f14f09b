"""A database or a place of photos that is unreachable or invalid: reported as such."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text
from starlette.testclient import TestClient

from api.server.errors import ServerError, ServingError
from api.server.settings import Settings
from api.store.database import open_database
from api.store.photos import PhotoStore
from tests.api.databases import own_database
from tests.api.doubted import held
from tests.api.serving import error_in, keep, unopened


def dropped(url: str) -> None:
    """Close all connections to a database."""
    where = make_url(url)
    engine = create_engine(where.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {where.database} WITH (FORCE)"))
    engine.dispose()


def test_a_database_that_went_away_is_told_and_when_to_come_again(tmp_path: Path) -> None:
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


def test_photos_that_went_away_are_told_and_the_reading_stays(tmp_path: Path) -> None:
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


def test_a_reading_is_deleted_though_its_photos_are_away(tmp_path: Path) -> None:
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
def test_a_database_that_cannot_be_is_a_bad_setting(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_database_that_is_only_away_is_no_bad_setting(url: str) -> None:
    with pytest.raises(ServerError, match="storage_away"):
        open_database(url)


def test_a_place_of_photos_that_cannot_be_is_a_bad_setting(tmp_path: Path) -> None:
    with pytest.raises(ServingError, match="bad_settings") as caught:
        PhotoStore("nonsense://x")
    assert "WONDERTALLY_PHOTOS" in str(caught.value.details)
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="storage_away"):
        PhotoStore(str(tmp_path / "file" / "photos")).make()
