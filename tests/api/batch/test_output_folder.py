"""A batch overwrites only files of a batch: otherwise it refuses before it reads or writes anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from api.batch.journal import is_journal
from api.batch.output_folder import OUTPUT_NAMES
from tests.api.batch.run import draw
from tests.api.commands import error_of, run

LISTING = "photo,event,round,table,red\na.jpg,cup,1,1,Anna\n"


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


def test_files_of_ones_own_are_all_named_and_left(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "thumbnails").mkdir()
    draw(folder / "thumbnails" / "mine.jpg", 3)
    for name in ("index.html", "standings.csv", "results.csv"):
        (folder / name).write_text(LISTING, encoding="utf-8")
    assert refused(capsys, folder) == ["results.csv", "standings.csv", "index.html", "thumbnails"]
    assert refused(capsys, folder, "--listing", str(folder / "results.csv")) == ["results.csv"]


@pytest.mark.parametrize("name", OUTPUT_NAMES)
def test_each_file_that_a_batch_writes_is_in_the_way(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_bytes(b'{"mine": 1}')
    assert refused(capsys, folder) == [name]


def test_a_link_to_nowhere_is_in_the_way_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "results.csv").symlink_to(folder / "later.csv")
    assert refused(capsys, folder) == ["results.csv"]
    assert (folder / "results.csv").is_symlink()


def test_a_listing_where_results_are_written_is_refused_also_beside_a_journal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "journal.jsonl").touch()
    (folder / "results.csv").write_text(LISTING, encoding="utf-8")
    (folder / "link.csv").symlink_to(folder / "results.csv")
    monkeypatch.chdir(folder)
    for listing in (str(folder / "results.csv"), "results.csv", "../b1/results.csv", "link.csv"):
        assert refused(capsys, folder, "--listing", listing) == ["results.csv"]


@pytest.mark.soak
def test_photos_and_other_files_and_earlier_results_are_in_nobodys_way(
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
def test_a_journal_is_known_by_how_it_begins(tmp_path: Path, start: bytes, ours: bool) -> None:
    (tmp_path / "journal.jsonl").write_bytes(start)
    assert is_journal(tmp_path / "journal.jsonl") == ours


def test_no_folder_and_no_pipe_is_a_journal(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not any(is_journal(place) for place in (tmp_path, tmp_path / "pipe", tmp_path / "nowhere"))


def test_an_output_folder_that_is_not_there_yet_is_made(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder.parent / "new" / "out"
    assert run(capsys, "batch", str(folder), "--out", str(out))[0] == 1
    assert (out / "results.csv").exists()
