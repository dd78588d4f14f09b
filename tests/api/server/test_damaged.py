"""Damaged or missing data on the server's disk: reported as such, with advice, and never as a fault of ours."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.i18n import load_words
from api.languages import LANGUAGES
from api.server.settings import Settings
from api.store.photos import MARK
from tests.api.commands import error_of, run
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
def test_a_photo_that_is_gone_is_not_found_and_all_else_is(address: str, kept: TestClient, tmp_path: Path) -> None:
    for file in (tmp_path / "data" / "photos").glob("*.jpg"):
        file.unlink()
    error = error_in(kept.get(f"/v1/readings/{READING}/{address}"), 404)
    assert (error["code"], "photo" in error["details"]) == ("not_found", True)
    assert kept.get(f"/v1/readings/{READING}").status_code == 200
    assert kept.delete(f"/v1/readings/{READING}").status_code == 204


@pytest.mark.parametrize("address", list_pictures())
def test_a_place_that_is_gone_is_away(address: str, kept: TestClient, tmp_path: Path) -> None:
    photos = tmp_path / "data" / "photos"
    photos.rename(tmp_path / "elsewhere")
    assert error_in(kept.get(f"/v1/readings/{READING}/{address}"), 503)["code"] == "storage_away"
    photos.mkdir()  # a folder without a mount
    assert error_in(kept.get(f"/v1/readings/{READING}/{address}"), 503)["code"] == "storage_away"
    photos.rmdir()
    shutil.move(tmp_path / "elsewhere", photos)
    assert (photos / MARK).exists()
    assert kept.get(f"/v1/readings/{READING}/{address}").status_code == 200


def test_a_database_that_is_damaged_meanwhile_is_told(kept: TestClient, tmp_path: Path) -> None:
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
def test_each_language_says_what_to_do(language: str) -> None:
    texts = {load_words(language).say(f"error-{code}") for code in ("database_damaged", "models_damaged")}
    assert len(texts) == 2


@pytest.mark.parametrize("name", ["a\0b", "‮Anna", "", " ", "\n", "x\x7f", " Anna"])
def test_names_that_cannot_be_shown_are_refused_at_every_door(name: str, kept: TestClient) -> None:
    player: dict[str, Any] = {"kind": "player", "colour": "red", "name": name}
    for answer in (
        kept.post("/v1/scores", json={"board": "D0", "names": {"blue": name}}),
        kept.patch(f"/v1/readings/{READING}", json={"corrections": [player]}),
        kept.post("/v1/events", json={"name": name}),
    ):
        assert error_in(answer, 422)["code"] == "bad_field"


@pytest.mark.parametrize("points", [True, False, 0.5, [1], {"a": 1}, "x", 1e300])
def test_points_that_are_none_are_refused_at_every_door(points: Any, kept: TestClient) -> None:
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
