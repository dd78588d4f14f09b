"""The attacks notice lost and deleted data; small ones show that a server, a batch and the decoders withstand them."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.store.database import open_database
from api.store.photos import build_photo_key
from api.store.readings import ReadingStore, StoredPhoto
from datasets.benchmark.attacks import Bystanders, Tally, crowds
from datasets.benchmark.attacks.crowds import crowd_server, find_faults, find_growth, send_mutants
from datasets.benchmark.attacks.hostile import send_hostile_photos
from datasets.benchmark.attacks.places import name_foreign_folder
from datasets.benchmark.attacks.storage import cut_database, fill_disk, remove_storage, start_on_unfit_databases
from datasets.benchmark.mutants import KINDS, MEMORY_MIB, SIZES, make_mutant, make_original, open_mutants
from datasets.benchmark.serving import run_server
from datasets.benchmark.uploads import (
    EXAMPLES,
    SETTINGS,
    Alone,
    Found,
    Sent,
    Uploads,
    enlarge_example,
    find_half_kept,
    find_mismatch,
    load_boards,
    mark_jpeg,
    read_alone,
    stream_photos,
)
from tests.api.serving import running
from vision.errors import PhotoError, ReadingError
from vision.photo.decoding import Photo

LEVEL = (EXAMPLES / "test_level.jpg").read_bytes()
MUTANTS, CLIENTS, SECONDS = 40, 12, 5.0
COUNT, READ = 60, 30


def test_accepted_but_unread_photos_count_as_lost() -> None:
    tally = Tally("kills", 3)
    accepted = {str(number): Sent("a", b"") for number in range(4)}
    tally.add(Uploads(accepted), Found(Counter({"done": 2, "lost": 1, "failed: interrupted": 1})))
    assert (tally.accepted, tally.done, len(tally.lost), tally.is_well) == (4, 2, 2, False)
    tally = Tally("kills", 3)
    tally.add(Uploads(accepted), Found(Counter({"done": 4})))
    assert tally.is_well
    tally.add(Uploads(), Found())
    assert not tally.is_well, "where nothing was read nothing is proved"


@pytest.mark.parametrize("answer", ["500: a fault", "503 without a time"])
def test_a_forbidden_answer_counts_as_wrong(answer: str) -> None:
    tally = Tally("kills", 3)
    tally.add(Uploads(unexpected=[answer]), Found(Counter({"done": 1})))
    assert tally.wrong == [f"unexpected answer {answer}"]


def test_missing_or_changed_foreign_files_are_found(tmp_path: Path) -> None:
    others = Bystanders(tmp_path / "album", ["a.jpg", "b.jpg", "c.jpg"])
    assert others.find_deleted() == []
    (tmp_path / "album" / "a.jpg").unlink()
    (tmp_path / "album" / "b.jpg").write_bytes(b"")
    assert others.find_deleted() == [str(tmp_path / "album" / name) for name in ("a.jpg", "b.jpg")]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    with run_server(tmp_path_factory.mktemp("alone") / "data", **SETTINGS) as server:
        return read_alone(server.url, load_boards())


def check(tally: Tally) -> None:
    if tally.left_out:
        pytest.skip(tally.left_out)
    assert (tally.lost, tally.deleted, tally.wrong) == ([], [], [])
    assert tally.accepted == tally.done > 0


@pytest.mark.soak
def test_database_outages_lose_nothing(tmp_path: Path, alone: Alone) -> None:
    check(cut_database(tmp_path, 2, 0, alone))


@pytest.mark.soak
def test_a_full_disk_loses_nothing(tmp_path: Path, alone: Alone) -> None:
    check(fill_disk(tmp_path, 1, alone))


@pytest.mark.soak
def test_removed_storage_loses_nothing(tmp_path: Path, alone: Alone) -> None:
    check(remove_storage(tmp_path, 3, alone))


@pytest.mark.soak
def test_no_server_starts_on_an_unsuitable_database(tmp_path: Path, alone: Alone) -> None:
    tally = start_on_unfit_databases(tmp_path, alone)
    assert (tally.deleted, tally.wrong) == ([], [])


@pytest.mark.soak
def test_files_of_others_are_never_deleted(tmp_path: Path, alone: Alone) -> None:
    check(name_foreign_folder(tmp_path, alone))


@pytest.mark.soak
def test_a_good_photo_beside_hostile_ones_is_answered_and_the_server_stops(tmp_path: Path) -> None:
    tally = send_hostile_photos(tmp_path, ["scans", "half-jpeg"])
    check(tally)
    assert {answer.split(": ", 1)[1] for answer in tally.answers} == {"422 costly_image", "422 truncated_image"}


@pytest.mark.parametrize(("late", "wrong"), [(1100, 0), (2000, 1)])
def test_growing_memory_is_reported_as_a_fault(late: int, wrong: int) -> None:
    assert len(find_growth([10, 1000, 900, late])) == wrong


@pytest.mark.soak
def test_damaged_pictures_are_refused_or_read(tmp_path: Path) -> None:
    with running(tmp_path / "data", **crowds.SETTINGS) as server:
        answers = send_mutants(server.url, 500_000, MUTANTS)
        assert answers.counts.total() >= MUTANTS
        assert (answers.wrong, find_faults(server)) == ([], [])
        assert server.photos() == set()


@pytest.mark.soak
def test_many_clients_are_answered_and_no_photo_is_lost(tmp_path: Path) -> None:
    tally = crowd_server(tmp_path, CLIENTS, SECONDS)
    assert (tally.lost, tally.wrong) == ([], [])
    assert tally.done > 0
    assert {*tally.answers} <= {"202", "429", "503"}


def report(sha256: str = "s", notation: str = "D0", points: int = 4) -> dict[str, Any]:
    return {
        "photo": {"sha256": sha256},
        "board": {"notation": notation},
        "scores": {"final_scoring": {"blue": points}},
    }


def test_a_mark_gives_another_file_of_the_same_picture() -> None:
    one, two = mark_jpeg(LEVEL, "client 1 1"), mark_jpeg(LEVEL, "client 1 2")
    assert one != two
    assert np.array_equal(Photo.from_bytes(one).pixels, Photo.from_bytes(LEVEL).pixels)


def test_a_series_takes_the_boards_in_turn_and_never_sends_a_file_twice() -> None:
    photos = stream_photos({"a": LEVEL, "b": LEVEL}, "client")
    sent = [next(photos) for _ in range(6)]
    assert [one.board for one in sent] == ["a", "b"] * 3
    assert len({one.sha256 for one in sent}) == 6
    assert sent[0].sha256 == hashlib.sha256(sent[0].data).hexdigest()


def test_an_example_is_enlarged_to_a_phones_picture() -> None:
    large = enlarge_example("test_level", 3000, 1.5)
    assert Photo.from_bytes(large).pixels.shape[1] == 3000
    assert 0.8 * 2**20 < len(large) < 2.5 * 2**20


def test_a_report_of_another_photo_or_board_is_wrong() -> None:
    assert find_mismatch(report(), "s", report("other")) is None
    assert "mixed up" in str(find_mismatch(report(), "another", report()))
    assert "board" in str(find_mismatch(report(), "s", report(notation="D1")))
    assert "scoring" in str(find_mismatch(report(), "s", report(points=5)))


def test_incomplete_readings_are_found(tmp_path: Path) -> None:
    store = ReadingStore(open_database(f"sqlite:///{tmp_path / 'server.db'}"))
    for folder in ("photos", "incoming"):
        (tmp_path / folder).mkdir()
    for reading in ("done", "failed", "waits", "bare"):
        store.add(reading, "hash", {"rules": "C3", "track": {}, "files": ["x.jpg"]}, 3600)
    store.finish("done", "held", "report", [StoredPhoto(0, build_photo_key("done", 0), 4, 3)])
    store.fail("failed", {"code": "board_not_found"})
    (tmp_path / "photos" / build_photo_key("done", 0)).touch()
    store.delete("bare")
    assert find_half_kept(tmp_path) == ["half: ('waits', 'queued')"]
    store.finish("waits", "held", "report", [])
    assert find_half_kept(tmp_path) == ["half: ('waits', 'done')"]
    store.delete("waits")
    (tmp_path / "photos" / build_photo_key("gone", 0)).touch()
    (tmp_path / "photos" / build_photo_key("done", 0)).unlink()
    (tmp_path / "incoming" / "upload").touch()
    assert [line.split(":")[0] for line in find_half_kept(tmp_path)] == [
        "a reading without its photo",
        "a photo without a reading",
        "an upload left over",
    ]


@pytest.mark.soak
def test_originals_are_pictures_and_a_seed_reproduces_its_mutants() -> None:
    for kind in range(len(KINDS)):
        for size, (width, height) in enumerate(SIZES):
            photo = Photo.from_bytes(make_original(kind, size, 1))
            assert {photo.width, photo.height} == {width, height}
    assert make_mutant(7) == make_mutant(7)
    assert len({make_mutant(seed) for seed in range(50)}) == 50


def test_mutants_give_pixels_or_a_clear_code() -> None:
    outcomes = open_mutants(100_000, COUNT)
    assert (outcomes.died, outcomes.faults) == (None, [])
    assert outcomes.codes.total() == COUNT
    assert set(outcomes.codes) <= {"decoded", *PhotoError.texts}
    assert len(outcomes.codes) > 3
    assert outcomes.peak_mib < MEMORY_MIB


@pytest.mark.soak
def test_mutants_are_read_or_give_a_clear_code() -> None:
    outcomes = open_mutants(200_000, READ, read=True)
    assert (outcomes.died, outcomes.faults) == (None, [])
    assert outcomes.codes.total() == READ
    assert set(outcomes.codes) <= {"read", *PhotoError.texts, *ReadingError.texts}
    assert outcomes.peak_mib < MEMORY_MIB
