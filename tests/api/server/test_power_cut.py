"""A file system whose power is cut: acknowledged data is on the disk."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from api.batch.journal import Journal
from api.server.tokens import generate_id
from api.store.database import open_database
from api.store.photos import PhotoStore, build_photo_key
from api.store.readings import ReadingStore, StoredPhoto
from api.store.spool import write_upload
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.api.serving import Running, running, send, until
from vision.enrolment.durable import write_durably
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.enrolment.wonders import EnrolledWonder, EnrolledWonders

DISK_MIB = 96
SHUT_DOWN = 2 << 30 | 4 << 16 | ord("X") << 8 | 125
"""ext4's and XFS's request to go down at once (FS_IOC_SHUTDOWN in Linux)."""
KEPT_SUFFIXES = ("", ".png", ".toml", ".jsonl")
WRITE_NOTHING = struct.pack("I", 2)
"""Pending writes are lost, as in a power cut."""


class Disk:
    """A file system of its own in a file, at `folder`."""

    def __init__(self, image: Path, folder: Path) -> None:
        self._image, self.folder = image, folder

    def mount(self) -> str:
        """Mount it; return the error, or nothing."""
        return _try("mount", "-o", "loop", str(self._image), str(self.folder))

    def cut(self) -> None:
        """Lose everything that is not on the disk; nothing more is read or written."""
        descriptor = os.open(self.folder, os.O_RDONLY)
        fcntl.ioctl(descriptor, SHUT_DOWN, WRITE_NOTHING)
        os.close(descriptor)

    def unmount(self) -> None:
        """Unmount it, once no process uses it any more."""
        until(lambda: _try("umount", str(self.folder)) == "", 30)

    def restart(self) -> None:
        """Mount it after a cut, as the system does at its start."""
        self.unmount()
        assert self.mount() == ""


def _try(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError as error:
        return str(error)
    return done.stderr.strip() or "refused" if done.returncode else ""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Return a file system of its own whose power can be cut."""
    image, folder = tmp_path / "image", tmp_path / "disk"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(DISK_MIB * 2**20)
    disk = Disk(image, folder)
    if reason := _try("mkfs.ext4", "-q", str(image)) or disk.mount():
        pytest.skip(f"no file system may be made and mounted here: {reason}")
    yield disk
    _try("umount", "--lazy", str(folder))


def test_unsynced_data_is_lost_in_a_power_cut(disk: Disk) -> None:
    (disk.folder / "lost").write_bytes(b"x")
    write_durably(disk.folder / "kept", b"x")
    disk.cut()
    disk.restart()
    assert not (disk.folder / "lost").exists() or (disk.folder / "lost").read_bytes() == b""
    assert (disk.folder / "kept").read_bytes() == b"x"


def kill(server: Running) -> None:
    """End all of a server's processes, as a power cut does."""
    for process in psutil.Process(server.process.pid).children(recursive=True):
        process.kill()
    server.kill()


@pytest.mark.soak
def test_accepted_photos_are_read_after_a_power_cut(disk: Disk) -> None:
    data = disk.folder.parent / "data"  # the server's log is beside it, and not on the disk
    (disk.folder / "data").mkdir()
    data.symlink_to(disk.folder / "data")
    with running(data, readers=1) as server:
        (reader,) = server.readers()
        reader.suspend()
        readings = [send(server) for _ in range(3)]
        disk.cut()
        kill(server)
    disk.restart()
    with running(data, readers=1) as again:
        outcomes = [again.followed(reading["id"]) for reading in readings]
        assert [outcome["status"] for outcome in outcomes] == ["done"] * 3
        disk.cut()
        kill(again)
    disk.restart()
    with running(data, readers=1) as third:
        for reading in readings:
            assert third.followed(reading["id"])["status"] == "done"
            third.client.get(f"/v1/readings/{reading['id']}/photo").raise_for_status()


def test_a_finished_reading_has_its_photo_after_a_power_cut(disk: Disk) -> None:
    engine = open_database(f"sqlite:///{disk.folder / 'server.db'}")
    store, photos = ReadingStore(engine), PhotoStore(str(disk.folder / "photos"))
    photos.make()
    reading = generate_id()
    key = build_photo_key(reading, 0)
    store.add(reading, "hash", {"files": ["a.jpg"]}, 3600)
    photos.put(key, np.full((300, 400, 3), 90, np.uint8))
    assert store.finish(reading, "held", "report", [StoredPhoto(0, key, 400, 300)])
    disk.cut()
    engine.dispose()
    disk.restart()
    engine = open_database(f"sqlite:///{disk.folder / 'server.db'}")
    assert ReadingStore(engine).get(reading).report == "report"
    assert PhotoStore(str(disk.folder / "photos")).get(key).endswith(b"\xff\xd9")
    engine.dispose()


def save_upload(folder: Path) -> None:
    write_upload(folder / "a", b"photo")


def enrol_a_game(folder: Path) -> None:
    picture = np.full((30, 40, 3), 90, np.uint8)
    GameEnrolments(folder).save(GameEnrolment("game", "# what lies where", {"board": picture}))


def enrol_a_wonder(folder: Path) -> None:
    EnrolledWonders(folder).save(EnrolledWonder(next(iter(load_wonder_catalogue().values()))))


def record_a_reading(folder: Path) -> None:
    with Journal(folder / "journal.jsonl") as journal:
        journal.add_reading("key", {"report": "read"})


def list_contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.suffix in KEPT_SUFFIXES
    }


@pytest.mark.parametrize("keep", [save_upload, enrol_a_game, enrol_a_wonder, record_a_reading])
def test_acknowledged_data_survives_a_power_cut(disk: Disk, keep: Callable[[Path], None]) -> None:
    folder = disk.folder / "kept"
    folder.mkdir()
    keep(folder)
    contents = list_contents(folder)
    assert contents
    disk.cut()
    disk.restart()
    assert list_contents(folder) == contents
