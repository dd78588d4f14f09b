"""The benchmarks of the server notice faults; they report by themselves whether a server runs well under them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.store.database import open_database
from api.store.photos import build_photo_key
from api.store.readings import ReadingStore, StoredPhoto
from datasets.benchmark.load import Memory, find_growth, find_wrong_answers
from datasets.benchmark.marked import EXAMPLES, enlarge_example, mark_jpeg, stream_photos
from datasets.benchmark.references import Alone, find_mismatch
from datasets.benchmark.uploads import find_half_kept
from vision.photo.decoding import Photo

LEVEL = (EXAMPLES / "test_level.jpg").read_bytes()


def report(sha256: str = "s", notation: str = "D0", points: int = 4) -> dict[str, Any]:
    return {
        "photo": {"sha256": sha256},
        "board": {"notation": notation},
        "scores": {"final_scoring": {"blue": points}},
    }


def test_a_mark_makes_another_file_of_the_same_picture() -> None:
    one, two = mark_jpeg(LEVEL, "client 1 1"), mark_jpeg(LEVEL, "client 1 2")
    assert one != two
    assert np.array_equal(Photo.from_bytes(one).pixels, Photo.from_bytes(LEVEL).pixels)


def test_a_series_takes_the_boards_in_turn_and_never_sends_a_file_twice() -> None:
    photos = stream_photos({"a": LEVEL, "b": LEVEL}, "client")
    sent = [next(photos) for _ in range(6)]
    assert [one.board for one in sent] == ["a", "b"] * 3
    assert len({one.sha256 for one in sent}) == 6
    assert sent[0].sha256 == hashlib.sha256(sent[0].data).hexdigest()


def test_an_example_is_made_as_large_as_a_phones_picture() -> None:
    large = enlarge_example("test_level", 3000, 1.5)
    assert Photo.from_bytes(large).pixels.shape[1] == 3000
    assert 0.8 * 2**20 < len(large) < 2.5 * 2**20


def test_a_report_of_another_photo_or_board_is_wrong() -> None:
    assert find_mismatch(report(), "s", report("other")) is None
    assert "mixed up" in str(find_mismatch(report(), "another", report()))
    assert "board" in str(find_mismatch(report(), "s", report(notation="D1")))
    assert "scoring" in str(find_mismatch(report(), "s", report(points=5)))


def note(status: int = 201, sha256: str = "s", reply: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    about = {"status": status, "sha256": sha256, "board": "a", "id": "x", "error": None, "retry_after": None}
    return {**about, "report": reply, **more}


def test_what_may_not_be_answered_is_wrong() -> None:
    alone = Alone({"a": report("reference")}, 1.0)
    well = [note(reply=report()), note(429, retry_after="5"), note(503, retry_after="1")]
    assert find_wrong_answers(well, alone) == []
    ill = [note(429), note(500), note(0), note(reply=report("another")), note(202, error={"code": "interrupted"})]
    assert len(find_wrong_answers([*well, *ill], alone)) == len(ill)


@pytest.mark.parametrize(("late", "wrong"), [(1100, 0), (2000, 1)])
def test_memory_that_grows_is_wrong(late: int, wrong: int) -> None:
    memory = Memory([(0.0, 10), (1.0, 1000), (2.0, 900), (3.0, late)])
    assert len(find_growth(memory)) == wrong


def test_what_is_half_kept_is_found(tmp_path: Path) -> None:
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
