"""Phones in the server's network: paired by a code, they enrol and correct; only its own machine shows it."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.app import create_app
from api.carcassonne.report.snapshot import build_snapshot
from api.server.lan import LanSite
from api.server.settings import Settings
from tests.api.doubted import joined
from tests.api.serving import error_in, keep
from tests.api.tables_read import reading_of
from tests.scoring.laid import laid

ADDRESS = "https://192.0.2.9:8000"
READING, TOKEN = "atableofthetestsofpair", "the owner of the table"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    (tmp_path / "incoming").mkdir()
    app = create_app(Settings(data=tmp_path), (), LanSite(ADDRESS, "AB:CD"))
    keep(app, READING, TOKEN, build_snapshot(joined(reading_of(laid("E2 red^0,0=cS")))))
    yield app
    app.state.server.engine.dispose()


@pytest.fixture
def phone(app: FastAPI) -> TestClient:
    return TestClient(app, base_url=ADDRESS, client=("192.0.2.50", 5000))


@pytest.fixture
def own(app: FastAPI) -> TestClient:
    """Return a client on the server's own machine."""
    return TestClient(app, base_url="https://localhost:8000", client=("127.0.0.1", 5000))


def pair(phone: TestClient, app: FastAPI) -> dict[str, str]:
    """Pair a phone, and return the header of its further requests."""
    code = app.state.server.paired.code
    key = phone.post("/v1/phones", json={"code": f" {code.lower()} "}).raise_for_status().json()["key"]
    return {"X-API-Key": key}


def test_only_the_servers_own_machine_sees_the_code(own: TestClient, phone: TestClient) -> None:
    assert own.get("/v1/phones").json() == {"address": ADDRESS, "can_pair": True, "paired": 0}
    for path in ("/v1/phones", "/v1/phones/address.svg", "/v1/phones/pairing.svg"):
        assert own.get(path).status_code == 200
        assert error_in(phone.get(path), 403)["code"] == "local_only"
    assert error_in(phone.delete("/v1/phones"), 403)["code"] == "local_only"
    assert error_in(phone.post("/v1/phones", json={"code": "22222-22222"}), 403)["code"] == "wrong_code"


def test_a_paired_phone_enrols_until_it_is_forgotten(app: FastAPI, own: TestClient, phone: TestClient) -> None:
    def refused(headers: dict[str, str]) -> str | None:
        refusal: str | None = phone.get("/v1/wonders", headers=headers).raise_for_status().json()["refused"]
        return refusal

    assert refused({}) == refused({"X-API-Key": "something else"}) == "local_only"
    headers = pair(phone, app)
    assert refused(headers) is None
    kept = app.state.server.settings.data / "paired-devices"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert headers["X-API-Key"] not in kept.read_text()
    again = create_app(Settings(data=app.state.server.settings.data))
    assert again.state.server.paired.knows(headers["X-API-Key"])
    again.state.server.engine.dispose()
    assert own.get("/v1/phones").json()["paired"] == 1
    assert own.delete("/v1/phones").status_code == 204
    assert refused(headers) == "local_only"


def test_a_paired_phone_corrects_every_reading_but_owns_none(app: FastAPI, phone: TestClient) -> None:
    path, named = f"/v1/readings/{READING}", {"corrections": [{"kind": "player", "colour": "red", "name": "Ann"}]}
    assert phone.get(path).json()["may_correct"] is False
    assert error_in(phone.patch(path, json=named), 401)["code"] == "token_wanted"
    headers = pair(phone, app)
    assert phone.get(path, headers=headers).json()["may_correct"] is True
    assert phone.patch(path, json=named, headers=headers).raise_for_status().json()["report"]["names"] == {"red": "Ann"}
    assert error_in(phone.patch(path, json={"shared_correction": True}, headers=headers), 401)["code"] == "token_wanted"
    assert error_in(phone.delete(path, headers=headers), 401)["code"] == "token_wanted"


@pytest.mark.parametrize("site", [None, LanSite("http://192.0.2.9:8000")])
def test_nothing_is_paired_without_a_certificate(site: LanSite | None, tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path), (), site)
    own = TestClient(app, base_url="http://localhost:8000", client=("127.0.0.1", 5000))
    code = {"code": app.state.server.paired.code}
    assert error_in(own.post("/v1/phones", json=code), 404)["code"] == "not_found"
    assert own.get("/v1/phones/pairing.svg").status_code == 404
    assert own.get("/v1/phones").status_code == (404 if site is None else 200)
    app.state.server.engine.dispose()
