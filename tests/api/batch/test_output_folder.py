"""A batch's own files: among the photos they are no photos, nothing else is overwritten, its options are restored."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.batch.journal import OUTPUT_NAMES, is_journal
from api.batch.photo_folder import find_photos
from api.tournament.errors import BatchError
from api.tournament.options_file import OPTIONS_FILE, BatchOptions, read_batch_options, write_batch_options
from tests.api.batch.run import FOLDER, draw, entries
from tests.api.batch.run import run as run_batch
from tests.api.commands import error_of, run

LISTING = "photo,event,round,table,red\na.jpg,cup,1,1,Anna\n"
texts = st.none() | st.text(st.characters(codec="utf-8"), max_size=40)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return two photos, and beside them files that no batch writes."""
    batch_folder = tmp_path / "b1"
    batch_folder.mkdir()
    for number, name in enumerate(("a.jpg", "b.jpg")):
        draw(batch_folder / name, number)
    (batch_folder / "players.csv").write_text(LISTING, encoding="utf-8")
    (batch_folder / "notes.txt").write_text("mine", encoding="utf-8")
    return batch_folder


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return everything in a folder and below."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def refused(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> list[str]:
    """Return the files that a refused batch names; the folder is unchanged."""
    before = contents(folder)
    status, out, err = run(capsys, "batch", str(folder), "--out", str(folder), *words)
    assert contents(folder) == before
    error = error_of(err)
    assert (status, out, error["code"]) == (2, "", "would_overwrite")
    assert error["details"]["out"] == str(folder)
    files: list[str] = error["details"]["files"]
    return files


def test_foreign_files_in_the_output_folder_are_named_and_kept(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "thumbnails").mkdir()
    draw(folder / "thumbnails" / "mine.jpg", 3)
    for name in ("index.html", "standings.csv", "results.csv"):
        (folder / name).write_text(LISTING, encoding="utf-8")
    assert refused(capsys, folder) == ["results.csv", "standings.csv", "index.html", "thumbnails"]
    assert refused(capsys, folder, "--listing", str(folder / "results.csv")) == ["results.csv"]


@pytest.mark.parametrize("name", OUTPUT_NAMES)
def test_each_existing_output_file_is_a_conflict(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / name).write_bytes(b'{"mine": 1}')
    assert refused(capsys, folder) == [name]


def test_a_dangling_link_is_a_conflict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "results.csv").symlink_to(folder / "later.csv")
    assert refused(capsys, folder) == ["results.csv"]
    assert (folder / "results.csv").is_symlink()


def test_a_listing_at_the_place_of_results_is_refused_even_with_a_journal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "journal.jsonl").touch()
    (folder / "results.csv").write_text(LISTING, encoding="utf-8")
    (folder / "link.csv").symlink_to(folder / "results.csv")
    monkeypatch.chdir(folder)
    for listing in (str(folder / "results.csv"), "results.csv", "../b1/results.csv", "link.csv"):
        assert refused(capsys, folder, "--listing", listing) == ["results.csv"]


@pytest.mark.soak
def test_photos_other_files_and_earlier_results_are_no_conflict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents_before = contents(folder)
    words = ("batch", str(folder), "--out", str(folder), "--listing", str(folder / "players.csv"))
    for _ in range(2):
        status, out, err = run(capsys, *words)
        assert (status, err) == (1, "")  # none of these photos shows a board
        assert "not read: a.jpg (board_not_found)" in out
    after = contents(folder)
    assert contents_before.items() <= after.items()
    made = {Path(name).parts[0] for name in after.keys() - contents_before.keys()}
    assert made - {".lock"} == set(OUTPUT_NAMES) - {name for name in OUTPUT_NAMES if name.endswith(".draft")}


@pytest.mark.parametrize(
    ("start", "ours"),
    [
        (b"", True),
        (b'{"pho', True),
        (b'{"photo":"a.jpg","size":1,"age":"","sha256":"0"}\n', True),
        (b'{"reading":"0"}\n', True),
        (b'{"mine": 1}', False),
        (b"photo", False),
    ],
)
def test_a_journal_is_recognised_by_its_beginning(tmp_path: Path, start: bytes, ours: bool) -> None:
    (tmp_path / "journal.jsonl").write_bytes(start)
    assert is_journal(tmp_path / "journal.jsonl") == ours


def test_folders_and_pipes_are_not_journals(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not any(is_journal(place) for place in (tmp_path, tmp_path / "pipe", tmp_path / "nowhere"))


def test_a_missing_output_folder_is_created(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder.parent / "new" / "out"
    assert run(capsys, "batch", str(folder), "--out", str(out))[0] == 1
    assert (out / "results.csv").exists()


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
def test_files_in_the_output_folder_are_never_photos(
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


def test_only_links_to_thumbnails_are_not_photos(photos: Path, tmp_path: Path) -> None:
    (photos / "c.jpg").symlink_to(photos / "out" / "thumbnails" / "0123456789abcdef.jpg")
    draw(tmp_path / "elsewhere.jpg", 3)
    (photos / "d.jpg").symlink_to(tmp_path / "elsewhere.jpg")
    assert names(find_photos(str(photos), photos / "out").stamps) == ["a.jpg", "d.jpg", "sub/b.jpg"]


@pytest.mark.parametrize("out", [".", ".."])
def test_the_output_folder_may_hold_photos_but_thumbnails_are_excluded(photos: Path, out: str) -> None:
    for made in (photos, photos.parent):
        (made / "thumbnails").mkdir()
        (made / "journal.jsonl").touch()
        draw(made / "thumbnails" / "x.jpg", 5)
    listing = find_photos(str(photos), photos / out)
    assert names(listing.stamps) == ["a.jpg", "out/stray.jpg", "sub/b.jpg"]
    others = {"old/thumbnails", "out/thumbnails"} | ({"thumbnails"} if out == ".." else set())
    assert {*listing.passed_over} == others


@pytest.mark.parametrize("marker", ["batch.json", "journal.jsonl", "results.jsonl"])
def test_thumbnails_are_recognised_by_neighbouring_files_in_any_place(marker: str) -> None:
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
    done = run_batch(".", "--out", ".", cwd=photos)
    assert done.returncode == 0, done.stderr
    output = done.stdout
    assert len(entries(photos)) == 4
    assert "tables: 2 (" in output
    assert output.count("passed over: out/thumbnails (results of another batch)") == 1


def batch(at: Path, folder: str, out: str) -> dict[str, Any]:
    """Run a batch and return its summary."""
    done = run_batch(folder, "--out", out, "--json", "-", cwd=at)
    assert done.returncode == 0, done.stderr
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


@given(folder=st.sampled_from(["/photos", "s3://bucket/cup", "memory://x"]), listing=texts, pattern=texts)
def test_stored_batch_options_read_back(folder: str, listing: str | None, pattern: str | None) -> None:
    with TemporaryDirectory() as out:
        options = BatchOptions(folder, Path(out), "C3", listing, pattern, boxes="base=2")
        write_batch_options(options)
        id, again = read_batch_options(Path(out))
        assert again == options
        write_batch_options(replace(options, listing="photo\n"))
        assert read_batch_options(Path(out)) == (id, replace(options, listing="photo\n"))


def test_a_local_folder_is_found_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_batch_options(BatchOptions("photos", tmp_path, "C3"))
    assert read_batch_options(tmp_path)[1].folder == str(tmp_path / "photos")


@pytest.mark.parametrize("content", [None, "", "[]", '{"id": "x"}'])
def test_a_folder_without_valid_batch_options_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / OPTIONS_FILE).write_text(content, encoding="utf-8")
    with pytest.raises(BatchError, match="no_batch"):
        read_batch_options(tmp_path)
