"""Places of photos: folders and servers that disappear midway, photos that change, a run that is interrupted."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import fsspec
import pytest

from api.batch import run as runs
from api.batch.photo_folder import find_photos
from api.batch.work import hash_photos, read_table
from api.tournament.errors import BatchError
from api.tournament.options_file import BatchOptions
from scoring.carcassonne.final.rulesets import TODAY
from tests.api.batch.run import command, draw, entries, lines, run, wait_for_a_reading
from tests.api.batch.tiny import fail_with_many
from tests.api.commands import run as run_here
from tests.api.processes import Process

COUNT = 6
MANY = 60
"""Enough photos to take a while."""


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    (folder / "sub").mkdir(parents=True)
    for number in range(COUNT):
        draw(folder / ("sub" if number % 2 else ".") / f"{number}.jpg", number)
    return folder


class Server(ThreadingHTTPServer):
    """A server of a folder; paths in `broken` are answered with that status."""

    def __init__(self, folder: Path) -> None:
        self.broken: dict[str, int] = {}
        super().__init__(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))

    @property
    def url(self) -> str:
        """The URL of the folder."""
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(SimpleHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        if status := self.server.broken.get(Path(self.path).name):
            self.send_error(status)
        else:
            super().do_GET()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(photos: Path) -> Iterator[Server]:
    with Server(photos) as photo_server:
        Thread(target=photo_server.serve_forever, daemon=True).start()
        yield photo_server
        photo_server.shutdown()


def test_a_vanished_photo_is_retried_and_its_tables_other_photos_are_read(
    photos: Path,
) -> None:
    names = ("0.jpg", "2.jpg")
    photo_digests = tuple((name, sha256((photos / name).read_bytes()).hexdigest()) for name in names)
    (photos / "0.jpg").unlink()
    result = read_table(str(photos), photo_digests, TODAY.name, "[]")
    assert result["passing"]["0.jpg"]["code"] == "photo_not_found"
    assert result["contents"] == [photo_digests[1][1]]
    (photos / "2.jpg").write_bytes(b"other")
    result = read_table(str(photos), photo_digests, TODAY.name, "[]")
    assert {name: error["code"] for name, error in result["passing"].items()} == {
        "0.jpg": "photo_not_found",
        "2.jpg": "photo_changed",
    }
    assert result["contents"] == []


@pytest.mark.soak
def test_a_folder_that_vanishes_midway_is_reported(photos: Path, tmp_path: Path) -> None:
    out, away = tmp_path / "out", tmp_path / "away"
    running = Process(["batch", str(photos), "--out", str(out)], stdout=subprocess.PIPE, text=True)
    wait_for_a_reading(running, out)
    photos.rename(away)
    output, _ = running.communicate(timeout=240)
    assert running.returncode == 1
    codes = [line["error"]["code"] for line in lines(out)]
    assert len(codes) == COUNT
    assert set(codes) <= {"board_not_found", "photo_not_found"}
    assert output.count("(photo_not_found)") == codes.count("photo_not_found")
    journal_entries = entries(out)
    assert len(journal_entries) == COUNT + codes.count("board_not_found")
    away.rename(photos)
    assert run(str(photos), "--out", str(out)).returncode == 1
    assert [line["error"]["code"] for line in lines(out)] == ["board_not_found"] * COUNT
    assert entries(out)[: len(journal_entries)] == journal_entries
    assert len(set(entries(out))) == len(entries(out)) == 2 * COUNT


@pytest.mark.soak
def test_an_interrupt_leaves_everything_whole(photos: Path, tmp_path: Path) -> None:
    for number in range(COUNT, MANY):
        draw(photos / f"{number}.jpg", number)
    listens = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # also if the tests run in the background
    words = command(str(photos), "--out", str(tmp_path / "out"))
    running = subprocess.Popen(words, start_new_session=True, stderr=subprocess.PIPE, text=True, preexec_fn=listens)
    wait_for_a_reading(running, tmp_path / "out")
    os.killpg(running.pid, signal.SIGINT)  # like Ctrl-C: to the workers as well
    _, err = running.communicate(timeout=240)
    assert running.returncode == 130
    assert "Traceback" not in err
    codes = [line["error"]["code"] for line in lines(tmp_path / "out")]
    assert len(codes) == MANY
    assert set(codes) <= {"board_not_found", "not_read_yet"}
    assert (tmp_path / "out" / "journal.jsonl").read_bytes().endswith(b"\n")
    assert run(str(photos), "--out", str(tmp_path / "out")).returncode == 1
    assert [line["error"]["code"] for line in lines(tmp_path / "out")] == ["board_not_found"] * MANY
    assert len(set(entries(tmp_path / "out"))) == len(entries(tmp_path / "out")) == 2 * MANY


@pytest.mark.soak
def test_a_photo_server_that_fails_midway_is_reported(server: Server, photos: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    server.broken = {"1.jpg": 500, "2.jpg": 404}
    done = run(server.url, "--out", str(out))
    assert done.returncode == 1
    assert "not read: 2.jpg (photo_not_found)" in done.stdout
    assert re.search(r"not read: sub/1.jpg \(photo_(unreadable|not_found)\)", done.stdout)
    server.broken.clear()
    draw(photos / "4.jpg", 77)  # of the same name, and the server reports no age
    done = run(server.url, "--out", str(out), "--json", "-")
    assert set(json.loads(done.stdout)["not_read"].values()) == {"board_not_found"}
    read = [name for name in entries(out) if not name.endswith(".jpg")]
    assert len(read) == len(set(read)) == COUNT + 1


def test_a_servers_answer_is_a_photo_or_an_error(server: Server, photos: Path) -> None:
    digests = {name: sha256((photos / name).read_bytes()).hexdigest() for name in ("0.jpg", "2.jpg")}
    assert hash_photos(server.url, ("0.jpg", "2.jpg")) == {"contents": digests, "errors": {}}
    server.broken = {"0.jpg": 503}
    hashes = hash_photos(server.url, ("0.jpg", "9.jpg", "2.jpg"))
    assert hashes["contents"].keys() == {"2.jpg"}
    assert hashes["errors"]["0.jpg"]["code"] in ("photo_not_found", "photo_unreadable")
    assert hashes["errors"]["9.jpg"]["code"] == "photo_not_found"
    server.shutdown()
    server.server_close()
    assert hash_photos(server.url, ("1.jpg",))["errors"]["1.jpg"]["code"] in ("photo_not_found", "photo_unreadable")
    with pytest.raises(BatchError) as caught:
        find_photos(server.url)
    assert caught.value.code == "folder_unreachable"


def test_irregular_files_are_set_aside_without_waiting(photos: Path, tmp_path: Path) -> None:
    os.mkfifo(photos / "pipe.jpg")
    (photos / "linked.jpg").symlink_to(photos / "pipe.jpg")
    (photos / "endless.png").symlink_to("/dev/zero")
    (photos / "whole.jpg").symlink_to(photos / "0.jpg")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(photos / "socket.jpg"))
        words = command(str(photos), "--out", str(tmp_path / "out"), "--json", "-")
        running = subprocess.Popen(words, start_new_session=True, stdout=subprocess.PIPE, text=True)
        try:
            output, _ = running.communicate(timeout=120)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
    unreadable = {"pipe.jpg", "linked.jpg", "endless.png", "socket.jpg"}
    by_code = json.loads(output)["not_read"]
    assert {name for name, code in by_code.items() if code == "photo_unreadable"} == unreadable
    assert {name for name, code in by_code.items() if code == "board_not_found"} == by_code.keys() - unreadable
    assert len(by_code) == COUNT + 5


@pytest.mark.soak
def test_a_link_to_a_folder_is_named_once_and_not_followed(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, out = tmp_path / "elsewhere", photos / "out"
    other.mkdir()
    draw(other / "x.jpg", 9)
    for link, target in (("other", other), ("like.jpg", other), ("round", photos), (".hidden", other), ("own", out)):
        (photos / link).symlink_to(target)
    for _ in range(2):  # the second time `own` leads to an existing folder
        status, output, _ = run_here(capsys, "batch", str(photos), "--out", str(out))
        assert status == 1
        named = [line for line in output.splitlines() if line.startswith("passed over")]
        assert named == [f"passed over: {link} (a link to a folder)" for link in ("like.jpg", "other", "round")]
        assert f"tables: {COUNT} (" in output
    output = run_here(capsys, "batch", str(photos), "--out", str(out), "--json", "-")[1]
    assert json.loads(output)["linked_folders"] == ["like.jpg", "other", "round"]
    assert json.loads(output)["passed_over"] == []


def test_photos_are_listed_by_relative_names_without_hidden_folders(
    photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (photos / ".hidden").mkdir()
    draw(photos / ".hidden" / "x.jpg", 9)
    monkeypatch.chdir(photos.parent)
    listing = find_photos("photos")
    assert list(listing.stamps) == ["0.jpg", "2.jpg", "4.jpg", "sub/1.jpg", "sub/3.jpg", "sub/5.jpg"]
    assert listing.folder == str(photos)
    assert all(stamp.age and stamp.size for stamp in listing.stamps.values())


def test_photos_of_every_readable_format_are_listed(tmp_path: Path) -> None:
    names = ["0.JPG", "1.jpeg", "2.png", "3.webp", "4.HEIC", "5.heif"]
    for name in (*names, "6.gif", "7.txt"):
        (tmp_path / name).write_bytes(b"x")
    assert list(find_photos(str(tmp_path)).stamps) == names


def test_an_unreadable_folder_is_reported(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(photos)
    for _ in range(20):  # deeper than a path may be long
        os.mkdir("x" * 250)
        os.chdir("x" * 250)
    listing = find_photos(str(photos))
    assert len(listing.stamps) == COUNT
    assert len(listing.unlisted) == 1


def test_a_memory_file_system_is_a_valid_place() -> None:
    files = fsspec.filesystem("memory")
    files.pipe("/cup/a.jpg", b"a")
    files.pipe("/cup/sub/b.png", b"bb")
    listing = find_photos("memory://cup")
    assert {name: stamp.size for name, stamp in listing.stamps.items()} == {"a.jpg": 1, "sub/b.png": 2}
    assert hash_photos(listing.folder, ("sub/b.png",))["contents"] == {"sub/b.png": sha256(b"bb").hexdigest()}


def test_photos_are_hashed_one_by_one_if_hashing_them_together_fails(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "hash_photos", fail_with_many)  # in the workers as well: they access it by name
    steps: list[tuple[str, int, int]] = []
    options = BatchOptions(str(photos), tmp_path / "out", TODAY.name)
    summary = runs.run_batch(options, lambda *step: steps.append(step))
    assert set(summary.not_read.values()) == {"board_not_found"}
    assert [step for step in steps if step[0] == "looking"] == [("looking", n, COUNT) for n in range(1, COUNT + 1)]
