"""One client does not lock out the others: connections, uploads and requests are counted by client, proxies or not."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from pydantic import ValidationError
from starlette.datastructures import Headers

from api.http.limits import MAX_JSON_BYTES, compute_patience_seconds
from api.server.clients import find_client_group, is_in_networks, list_spellings, parse_networks
from api.server.settings import Settings
from datasets.benchmark.serving import run_server
from tests.api.processes import Process
from tests.api.serving import Running, error_in, launch_fork, running

SLOW_HEAD = b"POST /v1/readings HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
SLOW_UPLOAD = SLOW_HEAD + b"Content-Length: 60000000\r\n\r\n--x\r\n"
UPLOADS, CONNECTIONS = 5, 40
OTHER = "127.0.0.2"
"""Another client on the same machine (Linux)."""
ASKED = """
import encodings.idna, http.client, os, sys
os.setuid(int(sys.argv[3]))
connection = http.client.HTTPConnection(sys.argv[1], int(sys.argv[2]))
connection.request("DELETE", "/v1/enrolments/x")
print(connection.getresponse().status)
"""


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a server without known proxies, with few connections and uploads per client."""
    settings = {"uploads_per_client": UPLOADS, "connections_per_client": CONNECTIONS, "readers": 1}
    limits = {"readings_per_minute": 10_000, "requests_per_minute": 10_000}
    with running(tmp_path_factory.mktemp("limited") / "data", **settings, **limits) as started:
        yield started


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a server behind a proxy on the same machine, with three requests a minute per client."""
    data = tmp_path_factory.mktemp("proxied") / "data"
    with running(data, proxies="127.0.0.1,10.0.0.0/8", requests_per_minute=3, readers=1) as started:
        yield started


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="a machine without IPv6")
def test_listening_on_all_ipv6_addresses_includes_all_ipv4_ones(tmp_path: Path) -> None:
    def launch_at_all(words: Sequence[str], log: IO[str], env: Mapping[str, str]) -> Process:
        return launch_fork(["--host", "::", *words], log, env)

    with run_server(tmp_path / "data", 0, launch_at_all, readers=1, connections_per_client=3) as server:
        port = int(server.url.rpartition(":")[2])
        for host in ("127.0.0.1", "[::1]", "localhost"):  # each is this machine, which may enrol
            assert httpx.get(f"http://{host}:{port}/healthz").status_code == 200
            refused = httpx.delete(f"http://{host}:{port}/v1/enrolments/x")
            assert error_in(refused, 404)["code"] == "no_such_enrolment"
        with ExitStack() as stack:
            for _ in range(4):
                stack.enter_context(closing(socket.create_connection(("127.0.0.1", port)))).sendall(SLOW_HEAD)
            time.sleep(0.2)
            crowded = httpx.get(f"http://127.0.0.1:{port}/v1/games")
            assert error_in(crowded, 429)["code"] == "too_many_requests"
            other = httpx.HTTPTransport(local_address=OTHER)
            with httpx.Client(transport=other) as client:
                assert client.get(f"http://127.0.0.1:{port}/v1/games").status_code == 200


@contextmanager
def opened(server: Running, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Open some connections of one client that each have sent something."""
    where = urlsplit(server.url)
    with ExitStack() as stack:
        connections = []
        for _ in range(count):
            connection = socket.create_connection((where.hostname or "", where.port or 0), timeout=300)
            connections.append(stack.enter_context(connection))
            if sent:
                connection.sendall(sent)
        yield connections


@contextmanager
def other_client(server: Running) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, transport=httpx.HTTPTransport(local_address=OTHER), timeout=300) as client:
        yield client


def read_statuses(connections: list[socket.socket], seconds: float) -> Counter[bytes]:
    """Count the statuses of those that were answered meanwhile."""
    ended, statuses = time.monotonic() + seconds, Counter[bytes]()
    for connection in connections:
        connection.settimeout(max(0.05, ended - time.monotonic()))
        try:
            statuses[connection.recv(65536).split(b" ")[1]] += 1
        except (TimeoutError, OSError, IndexError):
            statuses[b""] += 1
    return statuses


@pytest.mark.soak
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere 127.0.0.2 is no address of its own")
def test_slow_uploads_of_one_client_do_not_block_others(limited: Running) -> None:
    with opened(limited, 511, SLOW_UPLOAD) as connections, other_client(limited) as other:
        assert httpx.get(f"{limited.url}/healthz").status_code == 200
        assert other.get("/v1/games").status_code == other.get("/").status_code == 200
        board = other.post("/v1/scores", json={"board": "D0"})
        assert board.status_code == 200
        statuses = read_statuses(connections, 10)
        assert statuses[b"429"] >= CONNECTIONS - UPLOADS
        assert statuses[b"429"] + statuses[b""] == 511
        refused = httpx.post(f"{limited.url}/v1/scores", json={"board": "D0"})
        assert error_in(refused, 429)["code"] == "too_many_requests"
        assert int(refused.headers["retry-after"]) > 0
    until_served(limited)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere 127.0.0.2 is no address of its own")
def test_silent_connections_do_not_block_others(limited: Running) -> None:
    with opened(limited, 600, b""), other_client(limited) as other:
        for _ in range(3):
            assert other.get("/v1/games").status_code == 200
            assert httpx.get(f"{limited.url}/healthz").status_code == 200
            assert httpx.get(f"{limited.url}/metrics").status_code == 200
        refused = httpx.get(f"{limited.url}/v1/games")
        assert error_in(refused, 429, listed=False)["code"] == "too_many_requests"
        assert refused.headers["connection"] == "close"
    until_served(limited)


def until_served(server: Running) -> None:
    """Wait until a client's open connections are forgotten."""
    for _ in range(200):
        if httpx.post(f"{server.url}/v1/scores", json={"board": "D0"}).status_code == 200:
            return
        time.sleep(0.1)
    raise AssertionError("a client that has nothing open any more is refused")


def until_refused(server: Running) -> httpx.Response:
    """Wait until a client's last connections are counted, and its next one is refused."""
    for _ in range(200):
        answer = httpx.post(f"{server.url}/v1/scores", json={"board": "D0"})
        if answer.status_code != 200:
            return answer
        time.sleep(0.1)
    raise AssertionError("a client that has too much open is served")


def test_finished_uploads_make_room_for_others(limited: Running) -> None:
    for _ in range(4 * UPLOADS):
        assert httpx.post(f"{limited.url}/v1/scores", json={"board": "D0"}).status_code == 200
    with opened(limited, UPLOADS, SLOW_UPLOAD) as connections:
        refused = until_refused(limited)
        assert error_in(refused, 429)["code"] == "too_many_requests"
        connections[0].close()
        until_served(limited)


@pytest.mark.soak
def test_a_slowly_sent_small_body_is_aborted_soon(limited: Running) -> None:
    head = (
        b"POST /v1/scores HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    )
    with opened(limited, 1, head) as (connection,):
        connection.settimeout(1.0)
        for _ in range(100):
            connection.sendall(b" ")
            try:
                answer = connection.recv(65536)
                break
            except TimeoutError:
                continue
    assert b" 408 " in answer.splitlines()[0]


def test_a_large_body_gets_more_time_than_a_small_one() -> None:
    def patience(length: str) -> float:
        return compute_patience_seconds(Headers({"content-length": length} if length else {}), 65 * 2**20)

    assert patience("100") < patience("12000000") / 10
    assert patience("12000000") < patience("60000000") < patience("") == patience("9" * 19)
    assert compute_patience_seconds(Headers({}), MAX_JSON_BYTES) < 90


def test_a_client_is_an_ipv4_address_or_64_bits_of_an_ipv6_one() -> None:
    assert find_client_group("2001:db8::1") == find_client_group("2001:db8:0:0:ffff::2") == "2001:db8::/64"
    assert find_client_group("2001:db8:0:1::1") != find_client_group("2001:db8::1")
    assert find_client_group("::ffff:192.0.2.7") == find_client_group("192.0.2.7") == "192.0.2.7"
    assert find_client_group("192.0.2.8") != find_client_group("192.0.2.7")
    assert find_client_group("testclient") == "testclient"


def ask(server: Running, forwarded: str) -> int:
    return httpx.get(f"{server.url}/v1/games", headers={"X-Forwarded-For": forwarded}).status_code


def test_clients_of_a_trusted_proxy_are_counted_by_their_own_addresses(proxied: Running) -> None:
    assert [ask(proxied, "192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
    assert ask(proxied, "192.0.2.2") == 200
    assert [ask(proxied, f"2001:db8:0:7::{n}") for n in range(1, 5)] == [200, 200, 200, 429]
    assert ask(proxied, "2001:db8:0:8::1") == 200
    assert ask(proxied, "192.0.2.9, 192.0.2.1") == 429, "what a client says itself is not believed"


def test_an_intermediate_proxy_is_skipped_in_any_spelling(proxied: Running) -> None:
    """A proxy that listens on IPv6 too writes an IPv4 address in IPv6 form: all behind it would be one client."""
    for number, between in enumerate(["10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1:4711", "[::ffff:10.0.0.1]:4711"]):
        client = f"192.0.2.{100 + number}"
        assert [ask(proxied, f"{client}, {between}") for _ in range(4)] == [200, 200, 200, 429]
    ports = [ask(proxied, f"[2001:db8:0:9::1]:{port}") for port in range(4000, 4004)]
    assert ports == [200, 200, 200, 429], "another port is no other client"


def test_a_proxys_address_is_recognised_in_any_spelling() -> None:
    assert parse_networks("::ffff:10.0.0.1, ::ffff:10.1.0.0/112") == parse_networks("10.0.0.1,10.1.0.0/16")
    assert is_in_networks("10.0.0.1", parse_networks("::ffff:10.0.0.1"))
    assert list_spellings(parse_networks("10.0.0.0/8, 2001:db8::/32")) == [
        *("10.0.0.0/8", "::ffff:10.0.0.0/104"),
        "2001:db8::/32",
    ]


def test_forwarding_headers_are_ignored_without_a_trusted_proxy(tmp_path: Path) -> None:
    with running(tmp_path / "data", requests_per_minute=3, readers=1) as server:
        assert [ask(server, f"192.0.2.{n}") for n in range(4)] == [200, 200, 200, 429]


def delete_print(server: Running, **headers: str) -> str:
    return str(error_in(httpx.delete(f"{server.url}/v1/enrolments/x", headers=headers))["code"])


def test_a_proxy_permits_nobody_to_enrol(limited: Running, proxied: Running) -> None:
    assert delete_print(limited) == "no_such_enrolment"
    for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto"):
        assert delete_print(limited, **{name: "192.0.2.1"}) == "local_only", name
    assert delete_print(limited, **{"X-Forwarded-For": "127.0.0.1"}) == "local_only"
    assert delete_print(proxied) == "local_only", "the proxy has sent no header"
    assert delete_print(proxied, **{"X-Forwarded-For": "127.0.0.1"}) == "local_only"
    assert delete_print(proxied, **{"X-Forwarded-For": "192.0.2.77"}) == "local_only"


def connect_from(port: int, place: tuple[str, int]) -> socket.socket:
    """Connect from a port, which may have been left a moment ago; 0 is any."""
    connected = socket.socket()
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    connected.bind(("127.0.0.1", port))
    connected.connect(place)
    return connected


def test_a_port_left_by_another_connection_belongs_to_no_other_user(limited: Running) -> None:
    where = urlsplit(limited.url)
    with socket.create_server(("127.0.0.1", 0)) as other, connect_from(0, other.getsockname()) as left:
        port = left.getsockname()[1]
        accepted, _ = other.accept()
        left.close()  # the system keeps this end for a while, and no program holds it
        accepted.close()
    with closing(HTTPConnection(where.netloc)) as connection:
        connection.sock = connect_from(port, (str(where.hostname), where.port or 0))
        connection.request("DELETE", "/v1/enrolments/x")
        assert json.loads(connection.getresponse().read())["error"]["code"] == "no_such_enrolment"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root may start a program of another user")
def test_another_local_users_program_cannot_enrol_without_headers(limited: Running) -> None:
    where = urlsplit(limited.url)
    python = [sys.executable, "-c", ASKED, where.hostname or "", str(where.port)]
    status = {}
    for user in (0, 65534):
        done = subprocess.run([*python, str(user)], capture_output=True, text=True, check=True, timeout=60)
        status[user] = int(done.stdout)
    assert status == {0: 404, 65534: 403}


@pytest.mark.parametrize("value", ["proxy.example", "10.0.0.1/8", "127.0.0.1;10.0.0.1", "*"])
def test_invalid_proxy_addresses_are_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WONDERTALLY_PROXIES", value)
    with pytest.raises(ValidationError):
        Settings()
