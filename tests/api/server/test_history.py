"""The author and time of each change: given by the client, kept for ever, and returned."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.http.dependencies import HEADER, MAX_WHO_CHARACTERS, decode_who_header
from api.server.errors import ServerError
from api.server.settings import Settings
from tests.api.databases import SOAK_POSTGRESQL, own_database
from tests.api.doubted import held
from tests.api.serving import error_in, keep, unopened

OWNER = {"Authorization": "Bearer token"}
READING = "/v1/readings/told"

printable = st.characters(exclude_categories=("C", "Z"))
names = st.text(printable | st.just(" "), max_size=MAX_WHO_CHARACTERS).map(str.strip).filter(str.isprintable)


@pytest.fixture(scope="module", params=["sqlite", SOAK_POSTGRESQL])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    data = tmp_path_factory.mktemp("history")
    with own_database(request.param, data) as url, kept(data, url) as app:
        yield TestClient(app, "http://localhost:8000", headers=OWNER)


@contextmanager
def kept(data: Path, url: str) -> Iterator[FastAPI]:
    """Open an app with a reading."""
    with unopened(Settings(data=data, database=url, requests_per_minute=100_000)) as app:
        keep(app, "told", "token", held(5))
        yield app


def history(client: TestClient) -> list[dict[str, Any]]:
    return list(client.get(f"{READING}/history").raise_for_status().json()["changes"])


def named(name: str) -> dict[str, Any]:
    return {"kind": "player", "colour": "red", "name": name}


@given(names)
def test_a_name_in_the_who_header_reads_back(name: str) -> None:
    assert decode_who_header(quote(name, safe="")) == name
    assert quote(name, safe="").isascii()


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30))
def test_every_who_header_is_a_name_or_is_refused(written: str) -> None:
    with suppress(ServerError):
        who = decode_who_header(written)
        assert decode_who_header(quote(who, safe="")) == who
        assert who.isprintable()


def test_the_history_shows_the_author_of_every_change(client: TestClient) -> None:
    before = int(time.time())
    done: list[tuple[dict[str, Any], str]] = [
        ({"corrections": [named("Anna")]}, "Jürgen Groß"),
        ({"corrections": [named("Bea")]}, ""),
        ({"undo": True}, "Ștefan"),
        ({"redo": True}, "Ștefan"),
        ({"reset": True}, "李"),
        ({"shared_correction": True}, "Jürgen Groß"),
        ({"shared_correction": False}, "Jürgen Groß"),
    ]
    for change, who in done:
        headers = {HEADER: quote(who)} if who else {}
        version = client.patch(READING, json=change, headers=headers).raise_for_status().json()["version"]
        assert len(history(client)) == version
    changes = history(client)
    assert [(one["what"], one["who"]) for one in changes] == [
        ("read", ""),
        ("corrected", "Jürgen Groß"),
        ("corrected", ""),
        ("undone", "Ștefan"),
        ("redone", "Ștefan"),
        ("reset", "李"),
        ("shared", "Jürgen Groß"),
        ("unshared", "Jürgen Groß"),
    ]
    anna, bea = [named("Anna")], [named("Bea")]
    assert [one["corrections"] for one in changes] == [[], anna, bea, bea, bea, [], [], []]
    steps = [one["step"] for one in changes]
    assert steps[2] == steps[3] == steps[4]
    assert [steps[0], *steps[-2:]] == [None] * 3
    assert len({steps[1], steps[2], steps[5]}) == 3
    times = [datetime.fromisoformat(one["made"]).timestamp() for one in changes]
    assert before <= times[1] <= times[-1] <= time.time()
    assert times == sorted(times)


@pytest.mark.parametrize(
    "who",
    ["%zz", "100%", "%ff", "%0a", "%E2%80%8B", "x" * (MAX_WHO_CHARACTERS + 1), "%C3%BC" * (MAX_WHO_CHARACTERS + 1)],
)
def test_an_invalid_name_changes_nothing(who: str, client: TestClient) -> None:
    changes = history(client)
    answer = client.patch(READING, json={"corrections": [named("Eve")]}, headers={HEADER: who})
    error = error_in(answer, 422)
    assert error["code"] == "bad_field"
    assert error["details"]["fields"][0]["field"] == f"header.{HEADER.lower()}"
    assert history(client) == changes


def test_refused_changes_do_not_appear_in_the_history(client: TestClient) -> None:
    changes = history(client)
    error_in(client.patch(READING, json={"corrections": [named("Eve")], "version": 0}), 409)
    error_in(client.patch(READING, json={"undo": True}, headers={"Authorization": "Bearer other"}), 403)
    assert history(client) == changes


def test_a_reading_that_is_deleted_has_no_history(tmp_path: Path, database: str) -> None:
    with kept(tmp_path, database) as app:
        client = TestClient(app, "http://localhost:8000", headers=OWNER)
        client.delete(READING).raise_for_status()
        assert error_in(client.get(f"{READING}/history"), 404)["code"] == "not_found"
        assert app.state.server.readings.store.list_changes("told") == []


def test_a_change_without_effect_adds_no_undo_step(tmp_path: Path) -> None:
    with own_database("sqlite", tmp_path) as url, kept(tmp_path, url) as app:
        undo_to_the_end(TestClient(app, "http://localhost:8000", headers=OWNER))


def undo_to_the_end(client: TestClient) -> None:
    """Make corrections without effect, and undo every real step."""

    def change(body: dict[str, Any]) -> dict[str, Any]:
        return dict(client.patch(READING, json=body).raise_for_status().json())

    started, told = change({"corrections": [named("Ana")]}), len(history(client))
    tile = started["report"]["board"]["tiles"][0]
    as_read = {"kind": "tile", **{key: tile[key] for key in ("row", "col", "tile", "turns")}}
    settled = change({"corrections": [as_read]})
    assert settled["version"] == started["version"] + 1
    for same in (named("Ana"), as_read, {"kind": "rules", "edition": started["report"]["rules"]["edition"]}):
        assert change({"corrections": [same]})["version"] == settled["version"]
    assert change({"undo": True})["corrections"] == [named("Ana")]
    assert change({"corrections": [named("Ana")]})["can_redo"], "what was undone can be brought back still"
    last = change({"undo": True})
    assert (last["can_undo"], last["can_redo"], last["corrections"]) == (False, True, [])
    assert change({"reset": True})["version"] == last["version"]
    assert len(history(client)) == told + 3
