"""Whole batches: real photos, real nets, Dask's workers as processes of their own."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple

import pytest

from api.batch.pool import check_scheduler, greet_scheduler
from api.documents.report import Report
from api.tournament.errors import BatchError, ClusterError
from tests.api.batch.run import FOLDER, command, entries, lines, run, wait_for_a_reading
from tests.api.commands import error_of
from tests.api.commands import run as run_here
from tests.api.processes import Process

SMALL = ("test_level", "test_clutter", "test_snow")


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    (folder / "again").mkdir()
    for name in SMALL:
        shutil.copy(FOLDER / f"{name}.jpg", folder)
    shutil.copy(FOLDER / "test_level.jpg", folder / "again" / "twin.jpg")
    (folder / "torn.jpg").write_bytes((FOLDER / "test_snow.jpg").read_bytes()[:9000])
    (folder / "notes.txt").write_text("no photo", encoding="utf-8")
    (folder / "list.csv").write_text(
        "photo,event,round,table,red,red_track,black\ntest_clutter.jpg,cup,1,1,=Anna,60,Bob\n", encoding="utf-8"
    )
    return folder


class Continued(NamedTuple):
    """A batch killed after its first reading, with a torn line, and run again: its folder, and that run."""

    out: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def continued(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Continued:
    """Return it complete for each test, whatever other tests a process runs before."""
    out = tmp_path_factory.mktemp("out")
    running = subprocess.Popen(command(str(photos), "--out", str(out)), start_new_session=True)
    wait_for_a_reading(running, out)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    with (out / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"reading": "torn')
    return Continued(out, run(str(photos), "--out", str(out)))


def test_a_killed_batch_resumes_and_reads_nothing_twice(continued: Continued) -> None:
    killed, done = continued
    assert done.returncode == 1
    assert "not read: torn.jpg (truncated_image)" in done.stdout
    about = entries(killed)
    assert len(about) == len(set(about))
    assert sum(name.endswith(".jpg") for name in about) == 5
    assert len(about) == 9  # four contents, one of them torn, were read once each
    line_by_photo = {line["batch"]["photos"][0]: line for line in lines(killed)}
    assert line_by_photo["torn.jpg"]["error"]["code"] == "truncated_image"
    assert line_by_photo["again/twin.jpg"]["scores"] == line_by_photo["test_level.jpg"]["scores"]
    for name in SMALL:
        report = Report.model_validate(line_by_photo[f"{name}.jpg"])
        assert report.batch is not None
        assert report.scores.final_scoring
    assert (killed / "index.html").read_text(encoding="utf-8").count('class="failed"') >= 2


def test_a_later_csv_rescores_without_reading(photos: Path, continued: Continued) -> None:
    killed = continued.out
    before = entries(killed)
    run(str(photos), "--out", str(killed), "--listing", str(photos / "list.csv"))
    assert entries(killed) == before
    with (killed / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["photos"] == "test_clutter.jpg"]
    anna = next(row for row in rows if row["colour"] == "red")
    assert anna["player"] == "'=Anna"
    assert (int(anna["on_track"]), int(anna["total"])) == (60, 60 + int(anna["final_scoring"]))
    assert [row["total"] for row in rows if row["colour"] == "black"] == [""]
    assert {row["event"] for row in rows} == {"cup"}


def test_repeating_a_batch_gives_the_same_files(photos: Path, continued: Continued) -> None:
    killed = continued.out
    names = ("results.csv", "results.jsonl", "standings.csv", "index.html")
    run(str(photos), "--out", str(killed))
    first = [(killed / name).read_bytes() for name in names]
    summary = json.loads(run(str(photos), "--out", str(killed), "--json", "-").stdout)
    assert [(killed / name).read_bytes() for name in names] == first
    assert summary["not_read"] == {"torn.jpg": "truncated_image"}
    assert sum(summary["tables"].values()) == 5


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nowhere", "--out", "OUT"), "folder_unreachable"),
        (("EMPTY", "--out", "OUT"), "no_photos"),
        (("odd://bucket", "--out", "OUT"), "folder_unreachable"),
        (("PHOTOS", "--out", "OUT", "--listing", "nowhere.csv"), "bad_listing"),
        (("PHOTOS", "--out", "OUT", "--pattern", "{seat}"), "bad_pattern"),
        (("PHOTOS", "--out", "PHOTOS/notes.txt"), "cannot_write"),
        (("PHOTOS", "--out", "OUT", "--scheduler", "tcp://127.0.0.1:1"), "scheduler_unreachable"),
        (("PHOTOS", "--out", "OUT", "--scheduler", "tls://127.0.0.1:1"), "scheduler_unreachable"),
        (("PHOTOS", "--out", "OUT", "--scheduler", "nonsense"), "bad_scheduler"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_impossible_batches_are_refused(
    words: tuple[str, ...], code: str, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"PHOTOS": photos, "OUT": tmp_path / "out", "EMPTY": tmp_path}
    arguments = [re.sub("|".join(places), lambda match: str(places[match[0]]), word) for word in words]
    status, _, error = run_here(capsys, "batch", *arguments)
    assert status in (1, 2)
    assert error_of(error)["code"] == code


@pytest.mark.parametrize(
    "address",
    [
        *("", " ", "nonsense", "tcp://", "tcp://127.0.0.1", "tcp://127.0.0.1:http", "tcp://127.0.0.1:-1", "x://y:1"),
        *("tcp://127.0.0.1:0", "tcp://127.0.0.1:65536", "tcp://:8786", "tcp://[::1", "inproc://1/2/3", "http://host:1"),
    ],
)
def test_an_invalid_scheduler_address_differs_from_one_without_a_scheduler(address: str) -> None:
    with pytest.raises(BatchError, match="bad_scheduler"):
        check_scheduler(address)
    for right in ("tcp://127.0.0.1:8786", "host.example:8786", "tcp://[::1]:8786", "tls://host:1"):
        check_scheduler(right)


@pytest.mark.parametrize(
    "words",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 4096, b"\x08" + b"\0" * 7 + b"\xff" * 8, b""],
    ids=["http", "zeros", "odd sizes", "silent"],
)
def test_another_server_at_the_schedulers_address_is_an_error(words: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def greet() -> None:
            with suppress(OSError):
                while True:
                    kept.append(server.accept()[0])
                    kept[-1].sendall(words)

        Thread(target=greet, daemon=True).start()
        with pytest.raises(ClusterError, match="not_a_scheduler"):
            greet_scheduler(f"tcp://127.0.0.1:{server.getsockname()[1]}", 1)
        for connection in kept:
            connection.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Process]]]:
    """Return a scheduler and two workers, each a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    folder = tmp_path_factory.mktemp("cluster")
    log = (folder / "log").open("wb")
    processes = [_start_dask("scheduler", "--port", address.rpartition(":")[2], "--no-dashboard", log=log)]
    for _ in range(2):
        more = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
        processes.append(_start_dask("worker", address, *more, log=log))
    yield address, processes
    for process in processes:
        process.kill()
        process.wait()
    log.close()


def _start_dask(which: str, *words: str, log: IO[bytes]) -> Process:
    return Process(words, module=f"distributed.cli.dask_{which}", stderr=log)


@pytest.mark.soak
def test_a_cluster_survives_a_killed_worker(cluster: tuple[str, list[Process]], photos: Path, tmp_path: Path) -> None:
    address, processes = cluster
    running = Process(["batch", str(photos), "--out", str(tmp_path), "--scheduler", address])
    wait_for_a_reading(running, tmp_path)
    processes[1].kill()
    assert running.wait(timeout=240) == 1
    assert [line["error"]["code"] for line in lines(tmp_path) if "error" in line] == ["truncated_image"]
    assert len(entries(tmp_path)) == len(set(entries(tmp_path))) == 9


@pytest.mark.soak
def test_a_vanished_scheduler_is_an_error(cluster: tuple[str, list[Process]], photos: Path, tmp_path: Path) -> None:
    address, processes = cluster
    words = ["batch", str(photos), "--out", str(tmp_path), "--scheduler", address]
    running = Process(words, stderr=subprocess.PIPE, text=True)
    wait_for_a_reading(running, tmp_path)
    processes[0].kill()
    _, err = running.communicate(timeout=240)
    assert running.returncode == 1
    assert json.loads(err.splitlines()[-1])["error"]["code"] == "scheduler_lost"
    journal_entries = entries(tmp_path)
    assert len(lines(tmp_path)) == 5
    done = run(str(photos), "--out", str(tmp_path))
    assert done.returncode == 1
    assert entries(tmp_path)[: len(journal_entries)] == journal_entries
    assert len(entries(tmp_path)) == 9
