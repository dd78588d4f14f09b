"""Invalid files, too much, too slow, or another person's data: the server refuses it, and serves the others."""

from __future__ import annotations

import io
import socket
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from PIL import Image

from tests.api.conftest import BODY_MIB, IDLE_SECONDS
from tests.api.serving import LEVEL, Running, error_in, photo_form, until

pytestmark = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
"""Nearly all of it is refused before it comes to a database."""


def zip_of_a_bomb() -> bytes:
    """Return sixteen megabytes of nothing in a few kilobytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("photo.jpg", bytes(16 * 2**20))
    return packed.getvalue()


def bomb_png() -> bytes:
    """Return a gigapixel in a hundred kilobytes, all of it truly there."""
    packer = zlib.compressobj(9)
    row = b"\0" + bytes(32_000 // 8)
    rows = b"".join(packer.compress(row * 1000) for _ in range(32)) + packer.flush()
    header = struct.pack(">IIBBBBB", 32_000, 32_000, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    parts = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def small_png() -> bytes:
    packed = io.BytesIO()
    Image.new("RGB", (64, 64), "green").save(packed, "PNG")
    return packed.getvalue()


def long_png(width: int, height: int) -> bytes:
    """Return a picture with more pixels to a side than a JPEG can have."""
    packed = io.BytesIO()
    Image.new("1", (width, height)).save(packed, "PNG")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "kind", "status", "code"),
    [
        (b"", "image/jpeg", 422, "empty_file"),
        (zip_of_a_bomb, "image/jpeg", 415, "not_an_image"),
        (bomb_png, "image/png", 413, "too_large"),
        (long_png(65_501, 8), "image/png", 413, "too_large"),
        (long_png(8, 65_536), "image/png", 413, "too_large"),
        (b"<html><script>alert(1)</script></html>", "image/jpeg", 415, "not_an_image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", 415, "not_an_image"),
        (LEVEL.read_bytes(), "text/html", 415, "wrong_content_type"),
        (LEVEL.read_bytes()[:20_000], "image/jpeg", 422, "truncated_image"),
        (b"GIF89a" + bytes(60), "image/gif", 415, "unsupported_image"),
        (small_png()[:-20] + b"\0" * 8 + small_png()[-12:], "image/png", 422, "board_not_found"),
    ],
    ids=[
        "nothing",
        "a zip of a bomb",
        "a bomb",
        "too wide",
        "too high",
        "a page",
        "an SVG",
        "as text",
        "cut off",
        "a GIF",
        "damaged",
    ],
)
def test_invalid_photos_are_refused(
    data: bytes | Callable[[], bytes], kind: str, status: int, code: str, server: Running
) -> None:
    data = data() if callable(data) else data
    before = server.photos()
    error = error_in(server.client.post("/v1/readings", **photo_form(data, "holiday.jpg", kind)))
    if code == "board_not_found":
        assert error["code"] in {"board_not_found", "broken_image"}
    else:
        assert error["code"] == code
        assert error_in(server.client.post("/v1/readings", **photo_form(data, "x.jpg", kind)), status)
    assert server.photos() == before


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({"data": {"game": "carcassonne"}, "files": {"other": b"x"}}, 422, "bad_field"),
        ({"files": [("photo", small_png())] * 9}, 400, "bad_request"),
        ({"files": {"photo": small_png()}, "data": {"game": "chess"}}, 422, "unsupported_game"),
        ({"files": {"photo": small_png()}, "data": {"rules": "C9"}}, 422, "unknown_rules"),
        ({"files": {"photo": small_png()}, "data": {"rules": ["C3", "C3"]}}, 422, "bad_field"),
        ({"files": {"photo": small_png()}, "data": {"track": "blue"}}, 422, "bad_track"),
        ({"files": {"photo": small_png()}, "data": {f"x{n}": "" for n in range(80)}}, 400, "bad_request"),
        ({"files": {"photo": small_png()}, "data": {"rules": "x" * 100_000}}, 400, "bad_request"),
        ({"files": {"photo": small_png(), "game": small_png()}}, 422, "bad_field"),
        ({"content": b"--x", "headers": {"content-type": "multipart/form-data"}}, 400, "bad_request"),
        ({"content": b"junk", "headers": {"content-type": "multipart/form-data; boundary=x"}}, 400, "bad_request"),
        ({"json": {"photo": "x"}}, 415, "wrong_content_type"),
        ({"content": LEVEL.read_bytes(), "headers": {"content-type": "image/jpeg"}}, 415, "wrong_content_type"),
    ],
)
def test_invalid_forms_are_refused(form: dict[str, Any], status: int, code: str, server: Running) -> None:
    assert error_in(server.client.post("/v1/readings", **form), status)["code"] == code


def chunks(count: int) -> Iterator[bytes]:
    yield b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    for _ in range(count):
        yield bytes(2**16)


@pytest.mark.parametrize("mebibytes", [BODY_MIB + 1, 5 * BODY_MIB])
def test_the_size_of_a_body_is_limited_while_it_arrives(mebibytes: int, server: Running) -> None:
    kind = {"content-type": "multipart/form-data; boundary=x"}
    try:
        answer = server.client.post("/v1/readings", content=chunks(mebibytes * 16), headers=kind)
    except httpx.HTTPError:  # far too much: the server does not read to the end
        assert mebibytes > 2 * BODY_MIB
    else:
        assert error_in(answer, 413)["details"]["max_bytes"] == BODY_MIB * 2**20
    assert error_in(server.client.post("/v1/scores", json={"board": "D0" * 2**21}), 413)["code"] == "body_too_large"


def raw(server: Running, sent: bytes) -> tuple[socket.socket, float]:
    where = urlsplit(server.url)
    connection = socket.create_connection((where.hostname or "", where.port or 0), timeout=300)
    connection.sendall(sent)
    return connection, time.monotonic()


def received(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def test_a_stalled_upload_is_aborted_and_delays_nobody(server: Running) -> None:
    head = b"POST /v1/readings HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    slow = [raw(server, head + b"Content-Length: 100000\r\n\r\n--x\r\n") for _ in range(20)]
    assert server.client.get("/healthz").status_code == 200
    for connection, started in slow:
        with closing(connection):
            answer = received(connection)
            assert b" 408 " in answer.splitlines()[0]
            assert b"upload_too_slow" in answer
            assert time.monotonic() - started > 0.8 * IDLE_SECONDS


def test_an_endless_header_is_refused_in_the_common_form(server: Running) -> None:
    connection, _ = raw(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 100_000)
    with closing(connection):
        answer = received(connection)
    assert b" 400 " in answer.splitlines()[0]
    assert b'"code": "bad_request"' in answer
    assert server.client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/v1/readings/..%2f..%2fserver.db",
        "/v1/readings/../../../etc/passwd",
        "/v1/readings/%2e%2e/photo",
        "/v1/readings/x/photo/../../server.db",
        "/v1/readings/%00/photo",
        "/v1/readings/" + "x" * 5000,
        "/v1/readings/*",
        "/v1/readings/' OR 1=1 --",
        "/photos/x.0.jpg",
        "/server.db",
        "//etc/passwd",
    ],
)
def test_paths_cannot_escape_the_server(path: str, server: Running) -> None:
    where = urlsplit(server.url)
    line = f"GET {path.replace(' ', '%20')} HTTP/1.1\r\nHost: {where.netloc}\r\nConnection: close\r\n\r\n"
    connection, _ = raw(server, line.encode())
    with closing(connection):
        answer = received(connection)
    assert b" 404 " in answer.splitlines()[0]
    assert b'"not_found"' in answer


def test_another_persons_id_and_token_do_not_open_a_reading(server: Running, made: dict[str, Any]) -> None:
    for other in (made["id"][:-1] + ("A" if made["id"][-1] != "A" else "B"), made["id"].lower(), made["id"] + "="):
        if other != made["id"]:
            assert error_in(server.client.get(f"/v1/readings/{other}"), 404)["code"] == "not_found"
    for token in ("x", "x y", made["token"][:-1], made["token"] + "x", made["id"]):
        answer = server.client.delete(f"/v1/readings/{made['id']}", headers={"Authorization": f"Bearer {token}"})
        assert error_in(answer)["code"] in {"token_wanted", "not_yours"}
    assert server.client.get(f"/v1/readings/{made['id']}").status_code == 200


def test_a_client_that_disconnects_logs_no_error(server: Running) -> None:
    start = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    head = b"POST /v1/readings HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    connection, _ = raw(server, head + b"Content-Length: 99999\r\n\r\n" + start + bytes(1000))
    time.sleep(0.3)
    connection.close()
    until(lambda: any(line["event"] == "client_gone" for line in server.lines()))
    until(lambda: any(line["event"] == "request" and line["status"] == 0 for line in server.lines()))
    assert [line for line in server.lines() if line["event"] == "fault" or line["level"] == "error"] == []
