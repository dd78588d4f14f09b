"""An output folder among the photos: a batch's own files are never treated as photos, whatever path leads to them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import fsspec
import pytest

from api.batch.photo_folder import find_photos
from tests.api.batch.run import FOLDER, draw, entries, run


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return two photos, and below them the results of two batches: this one's in `out`, another's in `old`."""
    folder = tmp_path / "photos"
    for made in ("out", "old"):
        (folder / made / "thumbnails").mkdir(parents=True)
        (folder / made / "journal.jsonl").touch()
        draw(folder / made / "thumbnails" / "0123456789abcdef.jpg", 7)
    draw(folder / "out" / "stray.jpg", 8)
    (folder / "sub").mkdir()
    for name in ("a.jpg", "sub/b.jpg"):
        draw(folder / name, 9)
    return folder


def names(paths: Iterable[str]) -> list[str]:
    return sorted(paths)


@pytest.mark.parametrize("folder", [".", "./", "../photos", "PHOTOS", "PHOTOS/", "file://PHOTOS", "LINK"])
@pytest.mark.parametrize("out", ["out", "out/", "./sub/../out", "PHOTOS/out", "LINK/out", "OUT_LINK"])
def test_nothing_in_the_output_folder_is_a_photo_however_either_is_named(
    photos: Path, monkeypatch: pytest.MonkeyPatch, folder: str, out: str
) -> None:
    links = {"OUT_LINK": photos.parent / "results", "LINK": photos.parent / "link", "PHOTOS": photos}
    links["OUT_LINK"].symlink_to(photos / "out")
    links["LINK"].symlink_to(photos)
    for word, place in links.items():
        folder, out = folder.replace(word, str(place)), out.replace(word, str(place))
    monkeypatch.chdir(photos)
    listing = find_photos(folder, Path(out))
    assert names(listing.stamps) == ["a.jpg", "sub/b.jpg"]
    assert listing.passed_over == ("old/thumbnails",)


def test_a_link_to_a_thumbnail_is_no_photo_and_any_other_is(photos: Path, tmp_path: Path) -> None:
    (photos / "c.jpg").symlink_to(photos / "out" / "thumbnails" / "0123456789abcdef.jpg")
    draw(tmp_path / "elsewhere.jpg", 3)
    (photos / "d.jpg").symlink_to(tmp_path / "elsewhere.jpg")
    assert names(find_photos(str(photos), photos / "out").stamps) == ["a.jpg", "d.jpg", "sub/b.jpg"]


@pytest.mark.parametrize("out", [".", ".."])
def test_photos_that_lie_in_the_output_folder_are_photos_and_thumbnails_are_not(photos: Path, out: str) -> None:
    for made in (photos, photos.parent):
        (made / "thumbnails").mkdir()
        (made / "journal.jsonl").touch()
        draw(made / "thumbnails" / "x.jpg", 5)
    listing = find_photos(str(photos), photos / out)
    assert names(listing.stamps) == ["a.jpg", "out/stray.jpg", "sub/b.jpg"]
    others = {"old/thumbnails", "out/thumbnails"} | ({"thumbnails"} if out == ".." else set())
    assert {*listing.passed_over} == others


@pytest.mark.parametrize("marker", ["batch.json", "journal.jsonl", "results.jsonl"])
def test_thumbnails_are_known_by_what_lies_beside_them_in_any_place(marker: str) -> None:
    files = fsspec.filesystem("memory")
    for name in ("a.jpg", f"old/{marker}", "old/thumbnails/b.jpg", "own/thumbnails/c.jpg"):
        files.pipe(f"/{marker}/{name}", b"a")
    listing = find_photos(f"memory://{marker}", Path("old"))
    assert names(listing.stamps) == ["a.jpg", "own/thumbnails/c.jpg"]
    assert listing.passed_over == ("old/thumbnails",)


@pytest.mark.soak
def test_a_batch_into_its_own_folder_of_photos_reads_the_same_tables_every_time(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for name in ("test_clutter", "test_snow"):
        shutil.copy(FOLDER / f"{name}.jpg", photos)
    (tmp_path / "link").symlink_to(photos / "out")
    ways = ((str(photos), "out"), (".", str(tmp_path / "link")))
    summaries = [batch(photos, *way) for way in ways]
    assert [sum(summary["tables"].values()) for summary in summaries] == [2] * 2
    assert len(entries(photos / "out")) == 4  # of two photos the content and a reading
    assert len([*(photos / "out" / "thumbnails").iterdir()]) == 2
    summary = batch(photos, photos.as_uri(), "../photos")
    assert sum(summary["tables"].values()) == 2
    assert summary["passed_over"] == ["out/thumbnails"]
    done = run(".", "--out", ".", cwd=photos)
    assert done.returncode == 0, done.stderr
    output = done.stdout
    assert len(entries(photos)) == 4
    assert "tables: 2 (" in output
    assert output.count("passed over: out/thumbnails (results of another batch)") == 1


def batch(at: Path, folder: str, out: str) -> dict[str, Any]:
    """Run a batch and return its summary."""
    done = run(folder, "--out", out, "--json", "-", cwd=at)
    assert done.returncode == 0, done.stderr
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary
