"""Fixtures that tests of the server share: one server, and one photo that it has read."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import Engine

from api.store.database import open_database
from tests.api.databases import SOAK_POSTGRESQL, own_database
from tests.api.serving import LEVEL, Running, photo_form, running

GPS = 0x8825
PLACE = "Carcassonne, Pont Vieux"
IDLE_SECONDS = 5.0
"""Timeout that no client of the tests reaches, however busy the machine is. A guess."""
BODY_MIB = 4
DISK_MIB = 48


@pytest.fixture(params=["sqlite", SOAK_POSTGRESQL])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of an empty database."""
    with own_database(request.param, tmp_path) as url:
        yield url


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    """Return an empty database with today's tables."""
    engine = open_database(database)
    yield engine
    engine.dispose()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a small file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no `mount` here")
    if mounted.returncode:
        pytest.skip(f"no file system may be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="session", params=["sqlite", SOAK_POSTGRESQL])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a server that reads one photo at a time and lets one wait."""
    settings: dict[str, Any] = {
        "readers": 1,
        "queue": 1,
        "idle_seconds": IDLE_SECONDS,
        "body_mib": BODY_MIB,
        "readings_per_minute": 1000,
        "requests_per_minute": 100_000,
        "wait_seconds": 100,
    }
    data = tmp_path_factory.mktemp("server") / "data"
    with own_database(request.param, data) as url, running(data, database=url, **settings) as started:
        yield started


def with_gps(jpeg: bytes) -> bytes:
    """Return the same picture with an EXIF position."""
    exif = Image.Exif()
    exif[0x010E] = PLACE
    exif.get_ifd(GPS).update({1: "N", 2: (43.0, 12.0, 22.0), 3: "E", 4: (2.0, 21.0, 49.0)})
    exif_bytes = exif.tobytes()
    return jpeg[:2] + b"\xff\xe1" + (len(exif_bytes) + 2).to_bytes(2, "big") + exif_bytes + jpeg[2:]


@pytest.fixture(scope="session")
def made(server: Running) -> dict[str, Any]:
    """Return a reading of the smallest example, sent with its EXIF position, and its owner's token."""
    form = photo_form(with_gps(LEVEL.read_bytes()), "C:\\games\\..\\level.jpg")
    answer = server.client.post("/v1/readings", **form, data={"track": ["red=90", "pink=28"]})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())
