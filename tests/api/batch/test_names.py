"""Names of files that are not UTF-8: read like any other, and written legibly, a byte as `\xe9`."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.batch.photo_folder import find_photos
from api.server.settings import Settings
from api.service.event_import import import_batch
from api.tournament.listed_tables import group_photos_by_table
from api.tournament.names import escape_name, unescape_name
from api.tournament.options_file import read_batch_options
from tests.api.batch.run import FOLDER, command, entries, lines, run

parts = st.sampled_from([b"\\", b"x", b"e9", b"5c", b"\xe9", b"\xc3\xa9", b"\xff", b"a", b"/"])
file_names = st.one_of(st.binary(max_size=12), st.lists(parts, max_size=8).map(b"".join)).map(os.fsdecode)


@given(name=file_names, other=file_names)
def test_every_file_name_is_written_uniquely_and_reads_back(name: str, other: str) -> None:
    written = escape_name(name)
    assert unescape_name(written) == name
    assert written.encode().decode() == written
    assert (written == escape_name(other)) == (name == other)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        (b"caf\xe9.jpg", r"caf\xe9.jpg"),
        (b"\xff/\xfe.png", r"\xff/\xfe.png"),
        (b"caf\xc3\xa9.jpg", "café.jpg"),
        (rb"a\b.jpg", r"a\b.jpg"),
        (rb"a\xe9.jpg", r"a\x5cxe9.jpg"),
    ],
)
def test_only_undecodable_bytes_of_names_are_escaped(name: bytes, written: str) -> None:
    assert escape_name(os.fsdecode(name)) == written


@pytest.mark.parametrize(
    ("cell", "photo"),
    [
        (r"caf\xe9.jpg", r"caf\xe9.jpg"),
        (r"cup\a.jpg", "cup/a.jpg"),
        (r"cup\xa1.jpg", "cup/xa1.jpg"),
        (r"cup\gone.jpg", "cup/gone.jpg"),
    ],
)
def test_a_csv_accepts_names_as_in_results_and_windows_paths(cell: str, photo: str) -> None:
    there = [r"caf\xe9.jpg", "cup/a.jpg", "cup/xa1.jpg", r"cup\xa1.jpg"]
    assert group_photos_by_table(there, f"photo,table\n{cell},7\n")[0].photos == (photo,)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder, itself not UTF-8, with photos whose names are and are not, also in a folder below."""
    place = tmp_path_factory.mktemp("place")
    photos = place / os.fsdecode(b"f\xeate")
    below = photos / os.fsdecode(b"\xff")
    try:
        below.mkdir(parents=True)
    except OSError:
        pytest.skip("this file system takes only names that are UTF-8")
    shutil.copy(FOLDER / "test_clutter.jpg", photos / "plain.jpg")
    shutil.copy(FOLDER / "test_snow.jpg", photos / os.fsdecode(b"caf\xe9.jpg"))
    (below / os.fsdecode(b"torn\xe9.jpg")).write_bytes((FOLDER / "test_snow.jpg").read_bytes()[:9000])
    return place


@pytest.mark.soak
def test_photos_whose_names_are_not_utf8_are_read_resumed_and_placed(place: Path, tmp_path: Path) -> None:
    photos, out = os.fsdecode(b"f\xeate"), os.fsdecode(b"results\xe9")
    listing = place / "list.csv"
    listing.write_text(
        "photo,event,table,red,blue,green,yellow,black,grey,pink\n"
        + "caf\\xe9.jpg,cup,1,Ann,Bob,Cem,Dan,Eve,Fay,Gus\nplain.jpg,cup,2,Ann,Bob,Cem,Dan,Eve,Fay,Gus\n",
        encoding="utf-8",
    )
    words = (photos, "--out", out, "--listing", "list.csv")
    as_a_shell_does = subprocess.run(command(*words), cwd=place, capture_output=True, check=False)
    done = [as_a_shell_does, run(*words, cwd=place, text=False)]
    results = place / out
    assert [process.returncode for process in done] == [1] * 2, done[0].stderr
    assert "not read: \\xff/torn\\xe9.jpg (truncated_image)" in done[0].stdout.decode()
    assert "results: results\\xe9" in done[0].stdout.decode()
    assert len({process.stdout for process in done}) == 1
    line_by_photo = {line["batch"]["photos"][0]: line for line in lines(results)}
    assert line_by_photo.keys() == {"plain.jpg", "caf\\xe9.jpg", "\\xff/torn\\xe9.jpg"}
    assert line_by_photo["caf\\xe9.jpg"]["photo"]["file"] == "caf\\xe9.jpg"
    assert line_by_photo["\\xff/torn\\xe9.jpg"]["error"]["code"] == "truncated_image"
    assert len(entries(results)) == len({*entries(results)}) == 6  # of three photos the content and a reading
    with (results / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["photos"] == "caf\\xe9.jpg"]
    assert {(row["event"], row["table"]) for row in rows} == {("cup", "1")}
    assert len(rows) > 1
    assert "caf\\xe9.jpg" in (results / "index.html").read_text(encoding="utf-8")
    with (results / "standings.csv").open(encoding="utf-8", newline="") as file:
        tables = [int(row["tables"]) for row in csv.DictReader(file)]
    assert max(tables) == 2
    assert_taken_over(results, tmp_path)


def assert_taken_over(results: Path, data: Path) -> None:
    """Assert that the server takes the batch over from its folder alone, with the photos."""
    _, options = read_batch_options(results)
    assert find_photos(options.folder).stamps.keys() >= {"caf\\xe9.jpg"}
    summary = import_batch(results, None, None, Settings(data=data), lambda stage, done, of: None)
    assert (summary.tables, summary.taken) == (3, 2)


def test_a_missing_folder_is_reported_by_name(place: Path) -> None:
    words = command(os.fsdecode(b"n\xe9ant"), "--out", "x")
    done = subprocess.run(words, cwd=place, capture_output=True, check=False)
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, error["code"]) == (2, "folder_unreachable")
