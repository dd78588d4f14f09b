"""Names under which the server answers: a page whose name was made to resolve here does not reach it."""

from __future__ import annotations

from pathlib import Path

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from api.app import create_app
from api.server.clients import is_known_host
from api.server.settings import Settings
from tests.api.serving import Running, error_in

ORIGIN = {"Origin": "http://rebound.example:8000", "Sec-Fetch-Site": "same-origin"}
"""A browser's headers for a page of that name that asks its own host: they look like those of the server's page."""


@pytest.mark.parametrize(
    ("header", "is_known"),
    [
        *((name, True) for name in ("localhost", "localhost:8000", "LocalHost:1", "localhost.", "tally.example:80")),
        *((name, True) for name in ("127.0.0.1", "127.9.8.7:8000", "[::1]", "[::1]:8000", "[::ffff:127.0.0.1]:8000")),
        *((name, True) for name in ("192.0.2.7:8000", "desk", "[2001:DB8:0::7]:80")),
        *((name, False) for name in ("rebound.example", "rebound.example:8000", "localhost.rebound.example", "")),
        *((name, False) for name in ("rebound@localhost", "localhost:80@rebound.example", "localhost/", "[::1", "::1")),
        *((name, False) for name in ("192.0.2.8", "[2001:db8::8]", "0.0.0.0:8000", "tally.example.org", "127.0.0.1.x")),
    ],
)
def test_a_host_is_recognised_by_name_or_address_with_any_port(header: str, is_known: bool) -> None:
    assert is_known_host(header, {"tally.example"}, {"192.0.2.7", "desk", "2001:db8::7"}) == is_known
    assert is_known_host(header, {"*"}, ())


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/rules", "/v1/readings/x", "/nowhere"])
def test_a_page_that_rebinds_its_name_reads_nothing(server: Running, path: str) -> None:
    answer = server.client.get(path, headers={"Host": "rebound.example:8000"})
    error = error_in(answer, 421)
    assert (error["code"], error["details"]["host"]) == ("unknown_host", "rebound.example:8000")
    assert error["details"]["setting"] == "WONDERTALLY_HOSTS"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_page_that_rebinds_its_name_makes_no_event(server: Running) -> None:
    answer = server.client.post("/v1/events", json={"name": "Cup"}, headers={**ORIGIN, "Host": "rebound.example:8000"})
    assert error_in(answer, 421)["code"] == "unknown_host"
    assert server.client.post("/v1/events", json={"name": "Cup"}).status_code == 201


@pytest.mark.parametrize(
    ("bound", "hosts", "known", "unknown"),
    [
        ("::1", "", ["localhost", "[::1]"], ["rebound.example"]),
        ("localhost", "tally.example,Other.example", ["tally.example:443", "other.example"], ["rebound.example"]),
        ("127.0.0.1", "*", ["rebound.example"], []),
        ("0.0.0.0", "", ["rebound.example", "192.0.2.7"], []),
        ("192.0.2.7", "tally.example", ["192.0.2.7", "tally.example", "localhost"], ["rebound.example", "192.0.2.8"]),
    ],
)
def test_host_names_are_checked_on_local_servers_and_those_with_names(
    bound: str, hosts: str, known: list[str], unknown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WONDERTALLY_HOSTS", hosts)
    app = create_app(Settings(data=tmp_path), {bound})
    client = TestClient(app, "http://localhost")

    def get(host: str) -> httpx.Response:
        return client.get("/v1/rules", headers={"Host": host})

    assert [get(host).status_code for host in (*known, *unknown)] == [200] * len(known) + [421] * len(unknown)
    app.state.server.engine.dispose()
